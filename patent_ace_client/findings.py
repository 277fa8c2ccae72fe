"""What the rules find in claims."""

from datetime import datetime
from typing import Any

from pydantic import Field

from patent_ace_client.literals import (
    AnyErrorClass,
    AnyGround,
    AnyJurisdiction,
    AnyOrigin,
    AnySeverity,
    AnyStatus,
)
from patent_ace_client.model import Model, Note, Span


class Fix(Span):
    """A safe correction: text[start:end] becomes `replacement`."""

    replacement: str


class Finding(Span):
    """One defect: text[start:end] of the claim is `quote`.

    `ground` is what the defect would draw, and `examiner` what a US examiner would write. `quote`,
    `explanation`, `examiner` and `fix` are None if the text was purged, or the key may not read it.
    """

    error_class: AnyErrorClass = Field(alias="class")
    subtype: str
    law: str
    severity: AnySeverity
    ground: AnyGround
    quote: str | None
    explanation: str | None
    examiner: str | None
    confidence: float
    fix: Fix | None


class Remark(Span):
    """What a practitioner expects to hear about text[start:end] of the claim. It decides nothing."""

    kind: str
    law: str
    quote: str | None
    explanation: str


class Findings(Model):
    """The findings on the claim of one evaluation.

    `origin` says whether they are "stored" with the evaluation, "computed" on request, or "purged" with the
    text. `rules` is the rules version that made them, `terms` the digest of the term list that they obey.
    """

    evaluation: str
    claim: int
    origin: AnyOrigin
    jurisdiction: AnyJurisdiction
    threshold: float
    rules: str
    terms: str
    at: datetime | None
    findings: tuple[Finding, ...]
    remarks: tuple[Remark, ...]


class CheckedFinding(Finding):
    """A finding on a claim that was sent to be checked.

    `also` lists other claims with the same defect in the same words, `source` is its place in the text that
    was sent; None if no text was sent.
    """

    also: tuple[int, ...]
    source: Span | None


class CheckedRemark(Remark):
    """A remark on a claim that was sent to be checked; `also` and `source` as in a finding."""

    also: tuple[int, ...]
    source: Span | None


class CheckedClaim(Model):
    """A claim as it was read, and what was found in it. `parents` are the claims that it refers to."""

    number: int
    status: AnyStatus | None
    parents: tuple[int, ...]
    findings: tuple[CheckedFinding, ...]
    remarks: tuple[CheckedRemark, ...]


class Counts(Model):
    """How much was found."""

    claims: int
    findings: int
    by_class: dict[AnyErrorClass, int]
    by_ground: dict[AnyGround, int]
    remarks: int


class Report(Model):
    """What the rules find in claims that were checked and not filed. `graph` is set if it was requested."""

    jurisdiction: AnyJurisdiction
    threshold: float
    claims: tuple[CheckedClaim, ...]
    notes: tuple[Note, ...]
    counts: Counts
    graph: dict[str, Any] | None
