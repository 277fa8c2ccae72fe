"""Findings as they are kept: without the words of the claim, which are cut from it when they are read.

`ace.claims.findings.finding_as_json` says what that is. An explanation or a fix may quote the claim, so
a purge takes both away.
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
