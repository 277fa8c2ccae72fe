"""A checked claim set as data: what `ace check --json` prints and POST /v1/check answers.

text.py renders it as text, sarif.py for editors and build servers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from ace.claims.analysis import check_set
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding, finding_as_json
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass


@dataclass(frozen=True, slots=True)
class Report:
    """The findings on one claim set, by claim and position, and the options of the check."""

    claims: ClaimSet
    findings: tuple[Finding, ...]
    jurisdiction: Jurisdiction
    threshold: float

    def by_claim(self) -> dict[int, list[Finding]]:
        """The findings by claim number; claims without findings are left out."""
        found: dict[int, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.claim, []).append(finding)
        return found

    def by_class(self) -> dict[ErrorClass, int]:
        """The number of findings of each class, including 0."""
        counts = Counter(finding.error_class for finding in self.findings)
        return {error_class: counts[error_class] for error_class in ErrorClass}


def checked(
    claims: ClaimSet | Reading,
    *,
    jurisdiction: Jurisdiction = Jurisdiction.US,
    threshold: float = DEFAULT_THRESHOLD,
) -> Report:
    """Runs every check of the jurisdiction; pass a Reading if there is one already."""
    reading = claims if isinstance(claims, Reading) else Reading(claims)
    found = check_set(reading, jurisdiction=jurisdiction, threshold=threshold)
    return Report(reading.claims, tuple(found), jurisdiction, threshold)


def as_json(report: Report, *, begins: int | None = 0) -> dict[str, Any]:
    """The report as JSON. Offsets count code points of a claim's text.

    Offsets of `source` count in what was sent, in which the text begins at `begins`: at 1 after a byte
    order mark. None says that something else than the text was sent; `source` is then null.
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
