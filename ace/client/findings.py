"""What the rules find in claims, as the client returns it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from ace.client.answers import own


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect: text[start:end] of the claim, in code points, is `quote`.

    `ground` is what the defect would draw, "rejection" or "objection", and `examiner` what a US examiner
    would write; None from an older server. `also` lists other claims with the same defect in the same words,
    if claims were checked and not filed. `quote`, `explanation`, `examiner` and `fix` are None if the text
    was purged. `source` is its position in the text that was sent, {start, end}; None if no text was sent.
    """

    claim: int
    error_class: str
    subtype: str
    law: str
    severity: str
    start: int
    end: int
    quote: str | None
    explanation: str | None
    confidence: float
    fix: Mapping[str, Any] | None = None
    also: tuple[int, ...] = ()
    source: Mapping[str, int] | None = None
    ground: str | None = None
    examiner: str | None = None

    @classmethod
    def of(cls, claim: int, body: Mapping[str, Any]) -> Self:
        """From a finding's JSON, on the claim of this number."""
        also = tuple(body.get("also", ()))
        return cls(**own(cls, {**body, "claim": claim, "error_class": body["class"], "also": also}))

    def as_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Remark:
    """What a practitioner expects to hear about text[start:end] of the claim. It decides nothing.

    `also`, `quote` and `source` are as in a finding.
    """

    claim: int
    kind: str
    law: str
    start: int
    end: int
    quote: str | None
    explanation: str
    also: tuple[int, ...] = ()
    source: Mapping[str, int] | None = None

    @classmethod
    def of(cls, claim: int, body: Mapping[str, Any]) -> Self:
        """From a remark's JSON, on the claim of this number."""
        return cls(**own(cls, {**body, "claim": claim, "also": tuple(body.get("also", ()))}))

    def as_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings on the claim of one evaluation.

    `origin` is "stored" with the evaluation, "computed" on request, or "purged" with its text.
    `rules` is the rules version that made them.
    """

    evaluation: str
    claim: int
    origin: str
    jurisdiction: str
    threshold: float
    rules: str
    at: str | None
    findings: tuple[Finding, ...]
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From the findings' JSON."""
        found = tuple(Finding.of(body["claim"], one) for one in body["findings"])
        remarks = tuple(Remark.of(body["claim"], one) for one in body.get("remarks", ()))
        return cls(**own(cls, {**body, "findings": found, "remarks": remarks}))


@dataclass(frozen=True, slots=True)
class Report:
    """Findings and remarks in claims that were checked and not filed, by claim and position.

    `notes` say what was not understood: {code, message, claim}. `graph` is set if it was requested.
    """

    jurisdiction: str
    threshold: float
    findings: tuple[Finding, ...]
    notes: tuple[Mapping[str, Any], ...]
    counts: Mapping[str, Any]
    graph: Mapping[str, Any] | None
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Self:
        """From the report's JSON."""
        claims = body["claims"]
        found = tuple(Finding.of(one["number"], each) for one in claims for each in one["findings"])
        remarks = tuple(Remark.of(one["number"], each) for one in claims for each in one.get("remarks", ()))
        notes = tuple(body["notes"])
        return cls(**own(cls, {**body, "findings": found, "remarks": remarks, "notes": notes}))
