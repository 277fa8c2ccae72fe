"""Bodies and answers of the routes of reviews."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from ace.api.fields import PRINTED, Moment, fault, line, whole, written
from ace.api.intake import Body
from ace.api.schemas import PageQuery, Span, example
from ace.claims.checks import RETIRED, RULES
from ace.claims.model import MAX_CLAIM_CHARACTERS
from ace.store.review_tables import Answer, ReviewStatus
from ace.store.reviews import FindingPlace, NewReview, Queue

REASON_CHARACTERS: Final = 2_000
MAX_SECONDS: Final = 86_400
_RULES: Final = (*(rule.id for rule in RULES), *RETIRED)
_ID: Final = "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10"
_AT: Final = "2026-11-20T09:30:00.125Z"

REVIEW_EXAMPLE: Final[dict[str, Any]] = {
    "evaluation": _ID,
    "answer": "disagree",
    "label": "antecedent",
    "span": {"start": 34, "end": 42},
    "reason": "The lever is introduced nowhere.",
    "blind": True,
}
SAMPLE_EXAMPLE: Final[dict[str, Any]] = {"probability": 0.01, "since": "2026-11-01T00:00:00Z"}
_REVIEW: Final[dict[str, Any]] = {
    "id": _ID,
    "filing": _ID,
    "docket": "P-2041-US",
    "claim": 2,
    "finding": None,
    "status": "reviewed",
    "seconds": 12.5,
    "reviewer": "key:5f0c2a9be411",
    "at": _AT,
    **REVIEW_EXAMPLE,
}

Offset = Annotated[int, Field(ge=0, le=MAX_CLAIM_CHARACTERS), BeforeValidator(whole)]
Label = Literal["pass", "antecedent", "dependency", "logical", "ambiguity", "syntax"]


def _known_rule(rule: str) -> str:
    if rule not in _RULES:
        raise fault("unknown_rule", "is the id of no rule")
    return rule


class SpanIn(Body):
    """A span of the claim's text, in code points."""

    start: Offset
    end: Offset


class FindingIn(SpanIn):
    """A finding: its rule, `<class>.<subtype>`, and its place."""

    rule: Annotated[str, AfterValidator(_known_rule)] = Field(json_schema_extra={"enum": [*_RULES]})


class ReviewIn(Body):
    """What a person says of a verdict, or of a finding."""

    model_config = ConfigDict(json_schema_extra={"examples": [REVIEW_EXAMPLE]})

    evaluation: Annotated[UUID, Field(strict=False)]
    finding: FindingIn | None = Field(None, description="Null: the review is of the verdict.")
    answer: Annotated[Answer, Field(strict=False)]
    label: Label | None = Field(
        None, description="The right class; required where the answer is `disagree` with a verdict."
    )
    span: SpanIn | None = Field(None, description="The words that are wrong.")
    reason: Annotated[str, Field(max_length=REASON_CHARACTERS), PRINTED, AfterValidator(line)] | None = Field(
        None, description="It may quote the claim, and is removed with its text."
    )
    status: Annotated[ReviewStatus, Field(strict=False)] = Field(
        ReviewStatus.REVIEWED, description="`adjudicated`: it stands where reviewers differ."
    )
    blind: bool = Field(False, description="Whether it was given before the verdict was shown.")
    seconds: Annotated[float, Field(ge=0, le=MAX_SECONDS)] | None = Field(
        None, description="How long the reviewer took."
    )

    def review(self) -> NewReview:
        """The review as it is recorded."""
        finding = self.finding
        return NewReview(
            evaluation_id=self.evaluation,
            answer=self.answer,
            finding=None if finding is None else FindingPlace(finding.rule, finding.start, finding.end),
            label=self.label,
            span=None if self.span is None else (self.span.start, self.span.end),
            reason=self.reason,
            status=self.status,
            blind=self.blind,
            seconds=None if self.seconds is None else round(self.seconds, 3),  # tiny numbers are no REAL
        )


class FindingRef(Span):
    """A finding that was reviewed."""

    rule: str


class ReviewOut(BaseModel):
    """A review, as it was recorded."""

    model_config = example(_REVIEW)

    id: UUID
    evaluation: UUID
    filing: UUID
    docket: str
    claim: int = Field(description="The claim's number.")
    finding: FindingRef | None = Field(description="Null: the review is of the verdict.")
    answer: Answer
    label: str | None = Field(description="The right class; null if the reviewer is unsure, and of findings.")
    span: Span | None
    reason: str | None = Field(
        description="Null also if the text was purged, or the key lacks the scope `text`."
    )
    status: ReviewStatus
    blind: bool
    seconds: float | None
    reviewer: str = Field(description="The key that sent it.")
    at: datetime


class ReviewPage(BaseModel):
    """One page of reviews, newest first."""

    model_config = example({"reviews": [_REVIEW], "next": None})

    reviews: list[ReviewOut]
    next: str | None = Field(description="Send it as `cursor` for the next page; null on the last.")


class Recorded(BaseModel):
    """A review was recorded."""

    model_config = example({"review": _ID})

    review: UUID


class ReviewsQuery(PageQuery):
    """Selects reviews."""

    model_config = ConfigDict(extra="forbid")

    evaluation: UUID | None = None
    status: ReviewStatus | None = None


class QueueQuery(BaseModel):
    """Which claims need eyes."""

    model_config = ConfigDict(extra="forbid")

    kind: Queue = Field(
        Queue.DISPUTED,
        description="`disputed` verdicts, `doubtful` ones (the highest doubt first), those of the `audit`"
        " sample, or those on which reviewers are `differing`.",
    )
    limit: Annotated[int, Field(ge=1, le=200), BeforeValidator(written)] = 50


class QueuedOut(BaseModel):
    """A claim that needs eyes. Its verdict is not shown, so that it can be reviewed blind."""

    evaluation: UUID
    filing: UUID
    docket: str
    claim: int
    doubt: float | None
    probability: float | None = Field(description="With which the audit sample chose it; null if it did not.")
    reviews: int = Field(description="Reviews of its verdict so far.")


class QueueOut(BaseModel):
    """Claims that you have not reviewed and that need eyes, the neediest first."""

    model_config = example(
        {
            "queue": [
                {
                    "evaluation": _ID,
                    "filing": _ID,
                    "docket": "P-2041-US",
                    "claim": 2,
                    "doubt": 0.61,
                    "probability": None,
                    "reviews": 0,
                }
            ]
        }
    )

    queue: list[QueuedOut]


class SampleIn(Body):
    """A random sample for an audit."""

    model_config = ConfigDict(json_schema_extra={"examples": [SAMPLE_EXAMPLE]})

    probability: float = Field(gt=0, le=1)
    since: Moment = Field(description="Decided at this time or later.")


class Drawn(BaseModel):
    """How many evaluations are new in the sample."""

    model_config = example({"drawn": 12})

    drawn: int
