"""A checked claim set as data: what `ace check --json` prints and POST /v1/check answers.

The same as text is in rendering.py, for editors and build servers in sarif.py.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ace.claims.checks import check_set
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding, finding_as_json
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass


@dataclass(frozen=True, slots=True)
class Report:
    """The findings on one claim set, by claim and position, and what was asked."""

    claims: ClaimSet
    findings: tuple[Finding, ...]
    jurisdiction: Jurisdiction
    threshold: float

    def by_claim(self) -> dict[int, list[Finding]]:
        """The findings under the numbers of their claims; claims without any are left out."""
        found: dict[int, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.claim, []).append(finding)
        return found

    def by_class(self) -> dict[ErrorClass, int]:
        """How many findings of each class, none left out."""
        counts = Counter(finding.error_class for finding in self.findings)
        return {error_class: counts[error_class] for error_class in ErrorClass}


def checked(
    claims: ClaimSet | Reading,
    *,
    jurisdiction: Jurisdiction = Jurisdiction.US,
    threshold: float = DEFAULT_THRESHOLD,
) -> Report:
    """Runs every check that the jurisdiction knows; a Reading is used where one is there already."""
    reading = claims if isinstance(claims, Reading) else Reading(claims)
    found = check_set(reading, jurisdiction=jurisdiction, threshold=threshold)
    return Report(reading.claims, tuple(found), jurisdiction, threshold)


def as_json(report: Report, *, begins: int | None = 0) -> dict[str, Any]:
    """The report as JSON takes it. Offsets count code points of a claim's text.

    Those of `source` count in what was sent, where the text that was read begins at `begins`: after a
    byte order mark at 1. None says that something else than that text was sent, and gives no `source`.
    """
    by_claim = report.by_claim()
    return {
        "jurisdiction": report.jurisdiction.value,
        "threshold": report.threshold,
        "claims": [_claim(claim, by_claim.get(claim.number, []), begins) for claim in report.claims],
        "notes": [
            {"code": note.code, "message": note.message, "claim": note.claim} for note in report.claims.notes
        ],
        "counts": {
            "claims": len(report.claims),
            "findings": len(report.findings),
            "by_class": {error_class.value: count for error_class, count in report.by_class().items()},
        },
    }


def _claim(claim: Claim, findings: list[Finding], begins: int | None) -> dict[str, Any]:
    return {
        "number": claim.number,
        "status": None if claim.status is None else claim.status.value,
        "parents": list(claim.parents),
        "findings": [_finding(claim, finding, begins) for finding in findings],
    }


def _finding(claim: Claim, finding: Finding, begins: int | None) -> dict[str, Any]:
    span = claim.source_span(finding.start, finding.end)
    source = None if span is None or begins is None else {"start": begins + span[0], "end": begins + span[1]}
    return {
        **finding_as_json(finding),
        "quote": finding.quote,
        "also": list(finding.also),
        "source": source,
    }
