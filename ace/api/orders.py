"""Request bodies of orders: to pause, to resume, to run all that match again. Each gives its reason."""

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, model_validator

from ace.api.fields import Moment, Name, fault
from ace.api.intake import Body, ReplayFilter
from ace.claims.taxonomy import ErrorClass, Verdict
from ace.store.operating_tables import PauseKind
from ace.store.tables import Stage

PAUSE_EXAMPLE: Final[dict[str, Any]] = {
    "kind": "tenant",
    "name": "office",
    "reason": "wrong claims were filed",
}
REASON_EXAMPLE: Final[dict[str, Any]] = {"reason": "the server is back"}
JOB_EXAMPLE: Final[dict[str, Any]] = {
    "filter": {"error": "unreachable", "since": "2026-11-20T00:00:00Z"},
    "reason": "the expert was away",
}
SHARE_EXAMPLE: Final[dict[str, Any]] = {"share": 10, "reason": "a week as a canary"}
COUNT_EXAMPLE: Final[dict[str, Any]] = {"filter": JOB_EXAMPLE["filter"]}
REEVALUATION_EXAMPLE: Final[dict[str, Any]] = {
    "filter": {"model": "minilm-1f0c", "decided_by": "gatekeeper"},
    "reason": "a new model is in service",
}
REEVALUATION_COUNT_EXAMPLE: Final[dict[str, Any]] = {"filter": REEVALUATION_EXAMPLE["filter"]}

Reason = Annotated[Name, Field(description="Why; kept with the order.")]


class ReasonIn(Body):
    """Why something is ordered."""

    model_config = ConfigDict(json_schema_extra={"examples": [REASON_EXAMPLE]})

    reason: Reason


class ShareIn(Body):
    """What share of the filings a model is for, and why."""

    model_config = ConfigDict(json_schema_extra={"examples": [SHARE_EXAMPLE]})

    share: float = Field(ge=0.01, le=100, description="Per cent of the filings.")
    reason: Reason


class PauseIn(Body):
    """Something to pause."""

    model_config = ConfigDict(json_schema_extra={"examples": [PAUSE_EXAMPLE]})

    kind: Annotated[PauseKind, Field(strict=False)] = Field(
        description="Your `tenant`; with the scope `operate` any tenant, a `stage` or an `endpoint`."
    )
    name: Name = Field(description="The tenant, `fast` or `slow`, or the endpoint.")
    drain: bool = Field(
        False,
        description="Also take back messages that no worker has taken up, so that soon none is in hand.",
    )
    reason: Reason

    @model_validator(mode="after")
    def _known_stage(self) -> "PauseIn":
        if self.kind is PauseKind.STAGE and self.name not in {*Stage}:
            raise fault("unknown_stage", f"a stage must be one of {', '.join(Stage)}")
        return self


class JobIn(Body):
    """An order to replay all failed evaluations that match."""

    model_config = ConfigDict(json_schema_extra={"examples": [JOB_EXAMPLE]})

    filter: ReplayFilter
    reason: Reason


class ReevaluationFilter(Body):
    """Which decided evaluations to make anew; omitted fields match everything."""

    docket: Name | None = None
    filing: Annotated[UUID, Field(strict=False)] | None = None
    verdict: Annotated[Verdict, Field(strict=False)] | None = None
    decided_by: Literal["gatekeeper", "expert"] | None = None
    error_class: Annotated[ErrorClass, Field(strict=False)] | None = Field(None, description="Of a Fail.")
    model: Name | None = Field(None, description="Revision of the gatekeeper that judged them.")
    since: Moment | None = Field(None, description="Decided at or after this time.")
    until: Moment | None = Field(None, description="Decided before this time.")


class ReevaluationIn(Body):
    """An order to evaluate the claims of all matching evaluations again."""

    model_config = ConfigDict(json_schema_extra={"examples": [REEVALUATION_EXAMPLE]})

    filter: ReevaluationFilter
    reason: Reason


class ReevaluationCountIn(Body):
    """Which decided evaluations to count."""

    model_config = ConfigDict(json_schema_extra={"examples": [REEVALUATION_COUNT_EXAMPLE]})

    filter: ReevaluationFilter


class CountIn(Body):
    """Which failed evaluations to count."""

    model_config = ConfigDict(json_schema_extra={"examples": [COUNT_EXAMPLE]})

    filter: ReplayFilter
