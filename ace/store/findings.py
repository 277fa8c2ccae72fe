"""Findings as they are kept: without the words of the claim, which are cut from it when they are read.

What is kept of an explanation or a fix may quote the claim, so a purge takes both away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ace.claims.findings import Finding
from ace.claims.rules import Jurisdiction


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings on some evaluations' claims, and what they were made with."""

    found: Mapping[UUID, Sequence[Finding]]
    jurisdiction: Jurisdiction
    threshold: float
    rules: str


def kept(finding: Finding) -> dict[str, Any]:
    """What is kept of a finding, as JSON takes it."""
    fix = finding.fix
    return {
        "class": finding.error_class.value,
        "subtype": finding.subtype,
        "law": finding.law,
        "severity": finding.severity.value,
        "start": finding.start,
        "end": finding.end,
        "explanation": finding.explanation,
        "confidence": round(finding.confidence, 4),
        "fix": None if fix is None else {"start": fix.start, "end": fix.end, "replacement": fix.replacement},
    }


def told(found: Sequence[Mapping[str, Any]], text: str) -> list[dict[str, Any]]:
    """Kept findings with the quotations cut from the claim's text; null where the text is gone."""
    return [
        {
            **finding,
            "quote": text[finding["start"] : finding["end"]] if text else None,
            "explanation": finding.get("explanation"),
            "fix": finding.get("fix"),
        }
        for finding in found
    ]
