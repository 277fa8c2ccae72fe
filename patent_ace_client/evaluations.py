"""Evaluations as the API answers them."""

from datetime import datetime

from pydantic import Field

from patent_ace_client.literals import (
    AnyDecidedBy,
    AnyDispute,
    AnyErrorClass,
    AnyGround,
    AnyState,
    AnyVerdict,
)
from patent_ace_client.model import Model, Span


class ExpertFinding(Model):
    """A defect as the expert states it; it quotes text[start:end] of the claim, in code points.

    `start` and `end` are None if the quoted words are not in the claim: the finding is unverified.
    """

    error_class: AnyErrorClass | None = Field(alias="class")
    quote: str
    law: str | None
    explanation: str | None
    start: int | None
    end: int | None


class Disagreement(Model):
    """A reason to doubt the expert's verdict: both sides."""

    kind: AnyDispute
    expert: str
    against: str


class Rationale(Model):
    """What the expert wrote, what it was made with, and what verification found.

    Of `opinions` answers, `agreeing` have the verdict that stands. `cut` says whether ancestors were left out
    of the question; `calls` are HTTP calls to the expert.
    """

    reasoning: str
    findings: tuple[ExpertFinding, ...] | None
    disagreements: tuple[Disagreement, ...] | None
    opinions: int | None
    agreeing: int | None
    model: str | None
    prompt_version: str
    cut: bool | None
    calls: int | None
    seconds: float
    prompt_tokens: int | None
    completion_tokens: int | None


class Evaluation(Model):
    """One run of ACE over one claim. u and h6 are in nats.

    `ground` is what the claim of a Fail would draw. `doubt` is the value of `score`, which was compared with
    `tau`. A `disputed` verdict stands: the rationale's `disagreements` give the reasons to doubt the
    expert's; the gatekeeper's is a Pass beside a likely finding, or a Fail without any, and `span` the words
    of the claim that speak most for it. `rationale` is None unless the expert decided and the key may read
    text. Of a test, `would_escalate` says that the expert would have been asked. A re-evaluation `supersedes`
    an earlier evaluation, whose `superseded_by` names it once it is decided.
    """

    id: str
    filing: str
    docket: str
    claim: int
    state: AnyState
    verdict: AnyVerdict | None
    disputed: bool
    would_escalate: bool
    decided_by: AnyDecidedBy | None
    error_class: AnyErrorClass | None
    ground: AnyGround | None
    span: Span | None
    probabilities: dict[str, float | None] | None
    u: float | None
    h6: float | None
    score: str | None
    doubt: float | None
    tau: float | None
    certain: float | None
    model: str | None
    calibration: str | None
    rationale: Rationale | None
    examined: int
    error: str | None
    due_at: datetime | None
    moves: int
    supersedes: str | None
    superseded_by: str | None
    created_at: datetime
    updated_at: datetime


class EvaluationPage(Model):
    """One page of a list; `next` is the cursor of the page after it."""

    evaluations: tuple[Evaluation, ...]
    next: str | None


class Event(Model):
    """One move of an evaluation."""

    number: int
    at: datetime
    move: str
    before: AnyState | None
    after: AnyState
    actor: str
    detail: str | None


class Events(Model):
    """The audit trail of an evaluation, in order."""

    events: tuple[Event, ...]
