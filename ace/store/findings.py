"""Findings as they are stored. Those of the rules are part of an analysis (`ace.claims.analysis.as_json`) and
stored without the words of the claim, which are cut from it at reading; those of the expert, with the words
it quoted.

Whatever may quote the claim goes with a purge: explanations, fixes, all that the expert wrote, and both
sides of a disagreement. Classes, places and kinds stay.
"""

from __future__ import annotations

from typing import Any

from ace.types.verification import Verified


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
