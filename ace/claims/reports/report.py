"""A checked claim set as data: what `ace check --json` prints and POST /v1/check answers.

text.py renders it as text, sarif.py for editors and build servers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from ace.claims.analysis import analyse, findings_on, remarks_on
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding, Remark, finding_as_json
from ace.claims.model import Claim, ClaimSet, Note
from ace.claims.reading import Reading
from ace.claims.reports.examiner_words import examiner_words
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass, Ground

_Reported = TypeVar("_Reported", Finding, Remark)


@dataclass(frozen=True, slots=True)
class Report:
    """The findings and remarks on one claim set, by claim and position, and the options of the check."""

    claims: ClaimSet
    findings: tuple[Finding, ...]
    jurisdiction: Jurisdiction
    threshold: float
    remarks: tuple[Remark, ...] = ()

    def by_claim(self) -> dict[int, list[Finding]]:
        """The findings by claim number; claims without findings are left out."""
        return _by_claim(self.findings)

    def remarks_by_claim(self) -> dict[int, list[Remark]]:
        """The remarks by claim number; claims without remarks are left out."""
        return _by_claim(self.remarks)

    def remarks_by_rule(self) -> dict[str, list[Remark]]:
        """The remarks by rule, each rule where its first remark stands."""
        found: dict[str, list[Remark]] = {}
        for remark in self.remarks:
            found.setdefault(remark.rule_id, []).append(remark)
        return found

    def by_class(self) -> dict[ErrorClass, int]:
        """The number of findings of each class, including 0."""
        counts = Counter(finding.error_class for finding in self.findings)
        return {error_class: counts[error_class] for error_class in ErrorClass}

    def by_ground(self) -> dict[Ground, int]:
        """The number of findings that would draw a rejection and an objection, including 0."""
        counts = Counter(finding.ground for finding in self.findings)
        return {ground: counts[ground] for ground in Ground}


def _by_claim(reported: Iterable[_Reported]) -> dict[int, list[_Reported]]:
    found: dict[int, list[_Reported]] = {}
    for each in reported:
        found.setdefault(each.claim, []).append(each)
    return found


def checked(
    claims: ClaimSet | Reading,
    *,
    jurisdiction: Jurisdiction = Jurisdiction.US,
    threshold: float = DEFAULT_THRESHOLD,
) -> Report:
    """Runs every check of the jurisdiction; pass a Reading if there is one already."""
    reading = claims if isinstance(claims, Reading) else Reading(claims)
    analyses = analyse(reading, jurisdiction=jurisdiction).values()
    found, remarks = findings_on(analyses, threshold), remarks_on(analyses)
    return Report(reading.filed, tuple(found), jurisdiction, threshold, tuple(remarks))


def as_json(report: Report, *, begins: int | None = 0) -> dict[str, Any]:
    """The report as JSON. Offsets count code points of a claim's text.

    Offsets of `source` count in what was sent, in which the text begins at `begins`: at 1 after a byte
    order mark. None says that something else than the text was sent; `source` is then null.
    """
    by_claim, remarks = report.by_claim(), report.remarks_by_claim()
    return {
        "jurisdiction": report.jurisdiction.value,
        "threshold": report.threshold,
        "claims": [
            _claim(claim, by_claim.get(claim.number, []), remarks.get(claim.number, []), begins)
            for claim in report.claims
        ],
        "notes": notes_shown(report.claims.notes),
        "counts": {
            "claims": len(report.claims),
            "findings": len(report.findings),
            "by_class": {error_class.value: count for error_class, count in report.by_class().items()},
            "by_ground": {ground.value: count for ground, count in report.by_ground().items()},
            "remarks": len(report.remarks),
        },
    }


def notes_shown(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Notes of a reader as JSON."""
    return [{"code": note.code, "message": note.message, "claim": note.claim} for note in notes]


def finding_shown(finding: Finding) -> dict[str, Any]:
    """A finding as clients see it: also its words, what it draws, and what an examiner would write."""
    return {
        **finding_as_json(finding),
        "ground": finding.ground.value,
        "quote": finding.quote,
        "examiner": examiner_words(finding),
    }


def remark_shown(remark: Remark) -> dict[str, Any]:
    """A remark as clients see it."""
    return {
        "kind": remark.kind,
        "law": remark.law,
        "start": remark.start,
        "end": remark.end,
        "quote": remark.quote,
        "explanation": remark.explanation,
    }


def _claim(
    claim: Claim, findings: list[Finding], remarks: list[Remark], begins: int | None
) -> dict[str, Any]:
    return {
        "number": claim.number,
        "status": None if claim.status is None else claim.status.value,
        "parents": list(claim.parents),
        "findings": [{**finding_shown(each), **_place(claim, each, begins)} for each in findings],
        "remarks": [{**remark_shown(each), **_place(claim, each, begins)} for each in remarks],
    }


def _place(claim: Claim, reported: Finding | Remark, begins: int | None) -> dict[str, Any]:
    span = claim.source_span(reported.start, reported.end)
    source = None if span is None or begins is None else {"start": begins + span[0], "end": begins + span[1]}
    return {"also": list(reported.also), "source": source}
