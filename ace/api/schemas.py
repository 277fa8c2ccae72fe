"""The models of responses, and of the queries that ask for them."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ace.api.cursors import CURSOR_CHARACTERS
from ace.api.fields import KnownError, Moment, Name, written
from ace.claims.taxonomy import LABELS, ErrorClass, Ground, Verdict
from ace.store.tables import State
from ace.types import outages
from ace.types.faults import ERRORS
from ace.types.verification import Dispute

_ID: Final = "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10"
_FILING: Final = "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e0f"
_AT: Final = "2026-11-20T09:30:00.125Z"
_EVALUATION: Final[dict[str, Any]] = {
    "id": _ID,
    "filing": _FILING,
    "docket": "P-2041-US",
    "claim": 1,
    "state": "decided",
    "verdict": "Pass",
    "disputed": False,
    "would_escalate": False,
    "decided_by": "gatekeeper",
    "error_class": None,
    "ground": None,
    "span": None,
    "probabilities": dict.fromkeys(LABELS, 0.01) | {"pass": 0.95},
    "u": 0.199,
    "h6": 0.279,
    "score": "u",
    "doubt": 0.199,
    "tau": 0.41,
    "certain": 0.9,
    "model": "minilm-1f0c",
    "calibration": "u-9a2b",
    "rationale": None,
    "examined": 0,
    "error": None,
    "due_at": None,
    "moves": 3,
    "supersedes": None,
    "superseded_by": None,
    "created_at": _AT,
    "updated_at": _AT,
}
_EVENT: Final[dict[str, Any]] = {
    "number": 1,
    "at": _AT,
    "move": "submit",
    "before": None,
    "after": "queued",
    "actor": "key:5f0c2a9be411",
    "detail": None,
}


def example(value: dict[str, Any]) -> ConfigDict:
    """The configuration of an immutable model, with its example for the OpenAPI document."""
    return ConfigDict(frozen=True, json_schema_extra={"examples": [value]})


class ProblemError(BaseModel):
    """One invalid field; `pointer`, `parameter` or `header` says which."""

    pointer: str | None = Field(None, description="JSON pointer into the body (RFC 6901).")
    parameter: str | None = Field(None, description="Query parameter.")
    header: str | None = Field(None, description="Request header.")
    code: str = Field(description="Stable code for programs.")
    detail: str
    limit: int | float | str | None = Field(None, description="The limit that was exceeded.")


class Problem(BaseModel):
    """A problem document (RFC 9457)."""

    model_config = example(
        {
            "type": "/problems/empty_claim",
            "title": "Empty claim",
            "status": 422,
            "detail": "claim 3 is empty",
            "instance": "urn:uuid:8b8a6f0e-6f2f-4a35-8b0e-5f4f2b8c9c53",
            "errors": [{"pointer": "/claims/2/text", "code": "empty_claim", "detail": "claim 3 is empty"}],
        }
    )

    type: str = Field(
        description="Which type of problem, as a URL relative to the root of the API, where it is described."
    )
    title: str
    status: int
    detail: str
    instance: str
    errors: list[ProblemError] | None = None
    part: str | None = Field(None, description="The part that cannot serve; with every 503.")
    cause: str | None = Field(None, description=f"Why not: {', '.join(outages.WORDS)}.")
    missing: list[str] | None = Field(None, description="Parts that are not ready; only from /readyz.")
    retry_after: int | None = Field(None, description="Seconds to wait; only with a 429.")


class EvaluationRef(BaseModel):
    """The evaluation of one claim."""

    id: UUID
    claim: int = Field(description="The claim's number.")


class NoteOut(BaseModel):
    """Something that was not understood, or was corrected, when the claims were read."""

    code: str = Field(description="Stable identifier for programs.")
    message: str
    claim: int | None


class FilingAccepted(BaseModel):
    """A filing is stored, and its evaluations are queued."""

    model_config = example(
        {
            "filing": _FILING,
            "test": False,
            "evaluations": [{"id": _ID, "claim": 1}],
            "canceled": [2],
            "notes": [],
        }
    )

    filing: UUID
    test: bool = Field(description="Whether it was filed with a test key.")
    evaluations: list[EvaluationRef]
    canceled: list[int] = Field(
        description="Numbers of claims that are canceled or not entered: stored, but not evaluated."
    )
    notes: list[NoteOut] = Field(description="Warnings of the reader; the filing is stored all the same.")


class BulkResult(BaseModel):
    """The result of one line of an upload: the fields of `FilingAccepted` with status 202, or a problem."""

    model_config = example(
        {
            "line": 1,
            "status": 202,
            "filing": _FILING,
            "test": False,
            "evaluations": [{"id": _ID, "claim": 1}],
            "canceled": [],
            "notes": [],
        }
    )

    line: int = Field(description="The number of the line, from 1. Blank lines count.")
    status: int = Field(description="As of a single submission.")
    filing: UUID | None = None
    test: bool | None = None
    evaluations: list[EvaluationRef] | None = None
    canceled: list[int] | None = None
    notes: list[NoteOut] | None = None
    problem: Problem | None = None


class EvaluationBrief(EvaluationRef):
    """An evaluation as its filing lists it."""

    state: State
    verdict: Verdict | None
    ground: Ground | None = Field(description="On a Fail: what the claim would draw.")
    disputed: bool = Field(description="Whether there is a reason to doubt the expert's verdict.")
    error: str | None = Field(description="Kind of the latest fault: why it failed, or why it still waits.")


class FilingOut(BaseModel):
    """A filing, and the states of its evaluations."""

    model_config = example(
        {
            "id": _FILING,
            "docket": "P-2041-US",
            "priority": 3,
            "metadata": {"client": "Orchard"},
            "claims": 1,
            "created_at": _AT,
            "test": False,
            "states": {"decided": 1},
            "settled": True,
            "reevaluating": 0,
            "evaluations": [
                {
                    "id": _ID,
                    "claim": 1,
                    "state": "decided",
                    "verdict": "Fail",
                    "ground": "rejection",
                    "disputed": False,
                }
            ],
        }
    )

    id: UUID
    docket: str
    priority: int
    metadata: dict[str, Any]
    claims: int = Field(description="How many claims were filed, canceled ones included.")
    created_at: datetime
    test: bool = Field(description="Whether it was filed with a test key.")
    states: dict[State, int] = Field(description="Evaluations by state.")
    settled: bool = Field(description="True if no evaluation moves by itself any more.")
    reevaluating: int = Field(
        description="Re-evaluations under way: their verdicts will count in place of those below."
    )
    evaluations: list[EvaluationBrief] = Field(description="The one that counts for each claim.")


class FilingListed(BaseModel):
    """A filing as a list shows it."""

    id: UUID
    docket: str
    priority: int
    claims: int = Field(description="How many claims were filed, canceled ones included.")
    created_at: datetime
    updated_at: datetime | None = Field(description="When one of its evaluations last moved.")
    states: dict[State, int] = Field(description="Evaluations by state.")
    verdicts: dict[Verdict, int] = Field(description="Decided evaluations by verdict.")
    disputed: int = Field(description="Evaluations whose verdict is disputed.")
    settled: bool = Field(description="True if no evaluation moves by itself any more.")


class FilingPage(BaseModel):
    """One page of filings, newest first."""

    model_config = example(
        {
            "filings": [
                {
                    "id": _FILING,
                    "docket": "P-2041-US",
                    "priority": 3,
                    "claims": 2,
                    "created_at": _AT,
                    "updated_at": _AT,
                    "states": {"decided": 2},
                    "verdicts": {"Pass": 1, "Fail": 1},
                    "disputed": 0,
                    "settled": True,
                }
            ],
            "next": None,
        }
    )

    filings: list[FilingListed]
    next: str | None = Field(description="Send it as `cursor` for the next page; null on the last.")


class ClaimText(BaseModel):
    """A claim as it is stored."""

    number: int
    text: str | None = Field(description="A canceled claim reads `(Canceled)`; null if it was purged.")
    ancestors: list[int] = Field(description="The claims that it depends on, nearest first.")
    evaluation: UUID | None = Field(description="Null for claims that are not evaluated.")


class FilingClaims(BaseModel):
    """The claims of a filing, by number."""

    model_config = example(
        {
            "filing": _FILING,
            "claims": [
                {"number": 1, "text": "A bracket comprising a plate.", "ancestors": [], "evaluation": _ID}
            ],
        }
    )

    filing: UUID
    claims: list[ClaimText]


class ExpertFinding(BaseModel):
    """A defect as the expert states it, and where the words that it quotes are in the claim."""

    error_class: ErrorClass | None = Field(alias="class", description="Null if the expert named none.")
    quote: str = Field(description="The words that the expert quotes from the claim.")
    law: str | None
    explanation: str | None
    start: int | None = Field(
        description="Where the quoted words begin, in code points; null if they are not in the claim:"
        " the finding is unverified."
    )
    end: int | None


class DisagreementOut(BaseModel):
    """A reason to doubt the expert's verdict: both sides."""

    kind: Dispute = Field(
        description="`unproved`: a Fail that quotes nothing from the claim, or quotations of another text."
        " `inconsistent`: the findings or the reasoning say otherwise. `contradicted`: a Pass, although the"
        " rules find a likely defect. `overruled`: a Pass, although the gatekeeper fails the claim."
        " `instructed`: the claim gives orders to whoever examines it."
    )
    expert: str
    against: str


class Rationale(BaseModel):  # fields of `ace.types.examination`, under their names
    """What the expert wrote, what it was made with, and what verification found."""

    reasoning: str
    findings: list[ExpertFinding] | None = Field(
        description="Null if the verdict dates from before answers were verified;"
        " so are the next three fields."
    )
    disagreements: list[DisagreementOut] | None = Field(
        description="Those with the first answer, and with the answer that stands."
    )
    opinions: int | None = Field(
        description="How many answers there were: more than one only after a dispute."
    )
    agreeing: int | None = Field(description="How many of them have the verdict that stands.")
    model: str | None
    prompt_version: str
    cut: bool | None = Field(
        description="Whether ancestors were left out, because the server rejected the full length."
    )
    calls: int | None = Field(description="HTTP calls for all opinions.")
    seconds: float
    prompt_tokens: int | None = Field(description="For all opinions.")
    completion_tokens: int | None = Field(description="For all opinions.")


class Span(BaseModel):
    """A span of text, in code points."""

    start: int
    end: int


class EvaluationOut(BaseModel):
    """One run of ACE over one claim, with everything that explains its verdict."""

    model_config = example(_EVALUATION)

    id: UUID
    filing: UUID
    docket: str
    claim: int = Field(description="The claim's number.")
    state: State
    verdict: Verdict | None
    disputed: bool = Field(
        description="Whether there is a reason to doubt the verdict, which stands: of the expert, see the"
        " rationale's `disagreements`; of the gatekeeper, it passes a claim in which the rules find a likely"
        " defect, or fails one in which they find nothing, see `span`."
    )
    would_escalate: bool = Field(
        description="Of a test: whether the expert would have been asked. The verdict is the gatekeeper's"
        " opinion, which it doubts."
    )
    decided_by: Literal["gatekeeper", "expert"] | None
    error_class: ErrorClass | None = Field(
        description="On a Fail: the most likely class of defect, or the first that the expert names."
    )
    ground: Ground | None = Field(
        description="On a Fail: whether the claim would be rejected, for what it says (35 U.S.C. 101, 112(b),"
        " 112(d)), or only objected to, for its form (37 CFR 1.75). A rejection if any finding that fails the"
        " claim draws one; without findings, what the class draws."
    )
    span: Span | None = Field(
        description="On a disputed Fail of the gatekeeper: the words of the claim that speak most for it."
    )
    probabilities: dict[str, float | None] | None = Field(
        description="Probabilities of the gatekeeper's classes."
    )
    u: float | None = Field(description="Binary entropy of (P_valid, P_inv), in nats.")
    h6: float | None = Field(description="Entropy of the six classes, in nats.")
    score: str | None = Field(description="The score that routes the claim: `u`, `h6`, `learned` …")
    doubt: float | None = Field(description="The value of that score, which is compared with tau.")
    tau: float | None = Field(description="Threshold on the doubt above which the expert decides.")
    certain: float | None = Field(
        description="The confidence of a finding beside which the gatekeeper passes no claim."
    )
    model: str | None = Field(description="Revision of the gatekeeper.")
    calibration: str | None
    rationale: Rationale | None = Field(
        description="Of the expert's verdict; null if it was purged, or the key lacks the scope `text`."
    )
    examined: int = Field(
        description="Examinations since the last replay, outages of the expert not counted."
    )
    error: str | None = Field(description="Kind of the last fault.")
    due_at: datetime | None = Field(description="When it is due, if it waits.")
    moves: int = Field(description="State changes so far.")
    supersedes: UUID | None = Field(
        description="Of a re-evaluation: the evaluation in whose place it comes once it is decided."
    )
    superseded_by: UUID | None = Field(
        description="The re-evaluation that came in its place; null while this one counts for the claim."
    )
    created_at: datetime
    updated_at: datetime


class EvaluationPage(BaseModel):
    """One page of evaluations, newest first."""

    model_config = example({"evaluations": [_EVALUATION], "next": None})

    evaluations: list[EvaluationOut]
    next: str | None = Field(description="Send it as `cursor` for the next page; null on the last.")


class EventOut(BaseModel):
    """One move of an evaluation."""

    model_config = example(_EVENT)

    number: int
    at: datetime
    move: str
    before: State | None
    after: State
    actor: str
    detail: str | None


class Events(BaseModel):
    """The audit trail of one evaluation, in order."""

    model_config = example({"events": [_EVENT]})

    events: list[EventOut]


class Replayed(BaseModel):
    """The evaluations that run again; evaluations that had not failed are left out."""

    model_config = example({"replayed": [_ID]})

    replayed: list[UUID]


class Cancelled(BaseModel):
    """The evaluations that were cancelled, and get no verdict."""

    model_config = example({"cancelled": [_ID]})

    cancelled: list[UUID]


class NoQuery(BaseModel):
    """For routes without query parameters."""

    model_config = ConfigDict(extra="forbid")


class PageQuery(BaseModel):
    """Which page of a list."""

    limit: Annotated[int, Field(ge=1, le=200), BeforeValidator(written)] = 50
    cursor: (
        Annotated[
            str,
            Field(
                max_length=200,
                json_schema_extra={"pattern": f"^[A-Za-z0-9_-]{{{CURSOR_CHARACTERS}}}$"},
            ),
        ]
        | None
    ) = Field(None, description="`next` of the previous page, with the same filter.")


class FilingsQuery(PageQuery):
    """Selects the filings of a list."""

    model_config = ConfigDict(extra="forbid")

    docket: Name | None = None
    since: Moment | None = Field(None, description="Only filings submitted at this time (RFC 3339) or later.")
    until: Moment | None = Field(None, description="Only filings submitted before this time.")
    state: State | None = None
    verdict: Verdict | None = None
    decided_by: Literal["gatekeeper", "expert"] | None = None
    error_class: ErrorClass | None = Field(None, description="Of a Fail.")
    error: KnownError | None = Field(
        None, description="Kind of the last fault.", json_schema_extra={"enum": [*ERRORS, None]}
    )
    model: Name | None = Field(None, description="Revision of the gatekeeper.")
    reviewed: Literal["yes", "no", "disagree", "adjudicated"] | None = Field(
        None, description="Of a verdict or a finding: what people have said."
    )
    disputed: Literal["true"] | None = Field(None, description="Only filings with a disputed verdict.")


class EvaluationQuery(PageQuery):
    """Selects the evaluations of a list."""

    model_config = ConfigDict(extra="forbid")

    state: State | None = None
    verdict: Verdict | None = None
    ground: Ground | None = Field(None, description="Only Fails of this ground.")
    decided_by: Literal["gatekeeper", "expert"] | None = None
    error_class: ErrorClass | None = Field(None, description="Of a Fail.")
    error: KnownError | None = Field(
        None, description="Kind of the last fault.", json_schema_extra={"enum": [*ERRORS, None]}
    )
    disputed: Literal["true"] | None = Field(None, description="Only evaluations with a disputed verdict.")
    docket: Name | None = None
    filing: UUID | None = None
    since: Moment | None = Field(
        None, description="Only evaluations that last changed at this time (RFC 3339) or later."
    )
    until: Moment | None = Field(None, description="Only evaluations that last changed before this time.")
