"""Request bodies of orders: to pause, to resume, to replay all that match. Each gives its reason."""

from typing import Annotated, Any, Final

from pydantic import ConfigDict, Field, model_validator

from ace.api.fields import Name, fault
from ace.api.intake import Body, ReplayFilter
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
COUNT_EXAMPLE: Final[dict[str, Any]] = {"filter": JOB_EXAMPLE["filter"]}

Reason = Annotated[Name, Field(description="Why; kept with the order.")]


class ReasonIn(Body):
    """Why something is ordered."""

    model_config = ConfigDict(json_schema_extra={"examples": [REASON_EXAMPLE]})

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


class CountIn(Body):
    """Which failed evaluations to count."""

    model_config = ConfigDict(json_schema_extra={"examples": [COUNT_EXAMPLE]})

    filter: ReplayFilter
