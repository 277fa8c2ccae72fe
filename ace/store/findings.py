"""Findings as they are stored. Those of the rules are stored without the words of the claim, which are cut
from it at reading (`ace.claims.findings.finding_as_json`); those of the expert, with the words it quoted.

Whatever may quote the claim goes with a purge: explanations, fixes, all that the expert wrote, and both
sides of a disagreement. Classes, places and kinds stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ace.claims.findings import Finding
from ace.claims.rules import Jurisdiction
from ace.types.verification import Verified


@dataclass(frozen=True, slots=True)
class RuleFindings:
    """The findings on some evaluations' claims, and what they were made with."""

    found: Mapping[UUID, Sequence[Finding]]
    jurisdiction: Jurisdiction
    threshold: float
    rules: str


def with_quotations(found: Sequence[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """Stored findings with their quotations, cut from the claim's text; null if the text was purged."""
    return [
        {
            **finding,
            "quote": text[finding["start"] : finding["end"]] if text else None,
            "explanation": finding.get("explanation"),
            "fix": finding.get("fix"),
        }
        for finding in found
    ]


def findings_as_json(verified: Verified) -> list[dict[str, Any]]:
    """The expert's findings; `start` and `end` are null if the quoted words are not in the claim."""
    return [
        {
            "class": each.stated.error_class,
            "quote": each.stated.quote,
            "law": each.stated.law or None,
            "explanation": each.stated.explanation or None,
            "start": each.span[0] if each.span else None,
            "end": each.span[1] if each.span else None,
        }
        for each in verified.findings
    ]


def disagreements_as_json(verified: Verified) -> list[dict[str, Any]]:
    """The disputes of the expert's verdict."""
    return [each._asdict() for each in verified.disagreements]
