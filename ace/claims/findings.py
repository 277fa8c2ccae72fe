"""Flaws, findings and remarks: what a check sees in a claim, and what is reported.

A check yields flaws. `checks` turns those that offend a law of the jurisdiction into findings, with that
law and a confidence. A remark is no defect: nothing that judges a claim reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ace.claims.rules import Rule, Severity
from ace.claims.taxonomy import REMARK, ErrorClass, Ground, ground_of

CERTAIN: Final = 0.9
"""The confidence from which a finding may not stand beside a Pass without a dispute, if the calibration
record names no other. docs/reference/copt.md has the rate of such findings in claims that an office
granted."""
LIKELY: Final = 0.5
"""The confidence from which a finding disputes a Pass: it is more likely a defect than not."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A safe change: text[start:end] of the claim becomes `replacement`."""

    start: int
    end: int
    replacement: str

    def change(self, text: str) -> tuple[str, str]:
        """The whole words of the text that the fix changes, before and after."""
        first = text.rfind(" ", 0, self.start) + 1
        last = (text + " ").find(" ", self.end)
        return text[first:last], text[first : self.start] + self.replacement + text[self.end : last]


@dataclass(frozen=True, slots=True)
class Flaw:
    """A span of one claim, text[start:end] in code points, that breaks a rule.

    `explanation` is one sentence for a person; `signals` are stable words for what makes the flaw
    more or less likely to be a defect (confidence.py).
    """

    rule: Rule
    start: int
    end: int
    explanation: str
    fix: Fix | None = None
    signals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect of claim number `claim`. `quote` is text[start:end] of that claim, in code points.

    `confidence` is the probability that the span is a defect, fitted on the data that confidence.py
    names. `also` are further claims with the same defect in the same words; only a check of a whole
    set fills it.
    """

    claim: int
    error_class: ErrorClass
    subtype: str
    law: str
    severity: Severity
    start: int
    end: int
    quote: str
    explanation: str
    confidence: float
    fix: Fix | None = None
    also: tuple[int, ...] = ()

    @property
    def rule_id(self) -> str:
        """ "<class>.<subtype>"."""
        return f"{self.error_class.value}.{self.subtype}"

    @property
    def fails(self) -> bool:
        """Whether a claim with this finding fails; a note alone does not fail a claim."""
        return self.severity is not Severity.NOTE

    @property
    def ground(self) -> Ground:
        """What the defect draws."""
        return ground_of(self.law)


@dataclass(frozen=True, slots=True)
class Remark:
    """What a practitioner expects to hear about claim number `claim`, at text[start:end], which is `quote`.

    `explanation` says what was noticed and what follows; `also` are further claims with the same words.
    """

    claim: int
    kind: str
    law: str
    start: int
    end: int
    quote: str
    explanation: str
    also: tuple[int, ...] = ()

    @property
    def rule_id(self) -> str:
        """ "remark.<kind>"."""
        return f"{REMARK}.{self.kind}"


def finding_as_json(finding: Finding) -> dict[str, Any]:
    """What is stored of a finding, as JSON: all but the quoted words and the other claims.

    Spans count code points of the claim's text.
    """
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


def finding_from_json(stored: Mapping[str, Any], claim: int, text: str) -> Finding:
    """The finding on claim number `claim`, which reads `text`, that `finding_as_json` made. The explanation
    is "" if it was purged."""
    start, end, fix = stored["start"], stored["end"], stored.get("fix")
    return Finding(
        claim=claim,
        error_class=ErrorClass(stored["class"]),
        subtype=stored["subtype"],
        law=stored["law"],
        severity=Severity(stored["severity"]),
        start=start,
        end=end,
        quote=text[start:end],
        explanation=stored.get("explanation", ""),
        confidence=stored["confidence"],
        fix=None if fix is None else Fix(**fix),
    )
