"""A finding: one defect with its class, the law it offends, and the exact place that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from ace.claims.taxonomy import ErrorClass


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of one claim. `quote` is text[start:end] of that claim, in code points.

    `subtype` is a stable word within the class; `explanation` is one sentence for a person.
    """

    error_class: ErrorClass
    subtype: str
    law: str
    start: int
    end: int
    quote: str
    explanation: str


def finding(
    error_class: ErrorClass,
    subtype: str,
    *,
    text: str,
    start: int,
    end: int,
    explanation: str,
    law: str | None = None,
) -> Finding:
    """A finding whose quote is cut from the text, so that offsets and quote cannot disagree."""
    return Finding(error_class, subtype, law or error_class.law, start, end, text[start:end], explanation)
