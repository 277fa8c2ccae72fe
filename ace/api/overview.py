"""Routes for those who look after the work: hints that something changed, acts, workers, backlogs."""

from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from sqlalchemy import RowMapping

from ace.api.callers import Tenant
from ace.api.fields import written
from ace.api.hint_stream import STREAM_SECONDS, HintStream
from ace.api.openapi import answers
from ace.api.parts import Here, Nothing, Operator, Parts, Reader
from ace.api.problem_types import named
from ace.api.schemas import NoQuery
from ace.store import acts, overview
from ace.store.database import transact
from ace.store.operating_tables import ALL_TENANTS
from ace.store.scopes import Scope
from ace.store.tables import Stage

router = APIRouter(prefix="/v1", tags=["overview"])

ACTS: Final = 100
_AT: Final = "2026-11-20T09:30:00.125Z"
_ACT: Final[dict[str, Any]] = {
    "at": _AT,
    "actor": "key:5f0c2a9be411",
    "act": "drain",
    "target": "endpoint expert",
    "reason": "a new version of the server",
}
_WORKER: Final[dict[str, Any]] = {
    "worker": "fast@machine:4711",
    "stage": "fast",
    "messages": 1,
    "claims": 64,
    "since": _AT,
}
_BACKLOG: Final[dict[str, Any]] = {
    "tenant": "office",
    "queued": 1200,
    "screening": 64,
    "escalated": 40,
    "examining": 8,
    "oldest": _AT,
}


class ActOut(BaseModel):
    """What somebody did, and why."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ACT]})

    at: datetime
    actor: str
    act: str
    target: str
    reason: str


class Acts(BaseModel):
    """The newest acts, newest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"acts": [_ACT]}]})

    acts: list[ActOut]


class WorkerOut(BaseModel):
    """A worker that holds something."""

    model_config = ConfigDict(json_schema_extra={"examples": [_WORKER]})

    worker: str
    stage: Stage
    messages: int
    claims: int
    since: datetime = Field(description="When it took up the oldest of them.")


class Workers(BaseModel):
    """The workers that hold something now; one that waits for work is not listed."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"workers": [_WORKER]}]})

    workers: list[WorkerOut]


class BacklogOut(BaseModel):
    """The claims of a tenant that are on their way."""

    model_config = ConfigDict(json_schema_extra={"examples": [_BACKLOG]})

    tenant: str
    queued: int
    screening: int
    escalated: int
    examining: int
    oldest: datetime | None = Field(description="Since when the oldest of those that wait has been due.")


class Backlogs(BaseModel):
    """The tenants with the most claims on their way, up to fifty."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"backlogs": [_BACKLOG]}]})

    backlogs: list[BacklogOut]


class HintsQuery(NoQuery):
    """The parameters of a stream of hints."""

    filing: UUID | None = Field(None, description="Hints about this filing alone.")
    seconds: Annotated[int, BeforeValidator(written)] = Field(
        STREAM_SECONDS, ge=0, le=STREAM_SECONDS, description="When the stream ends; then open the next one."
    )


@router.get(
    "/hints",
    operation_id="stream_hints",
    summary="Hints that filings have changed, as server-sent events",
    response_class=Response,
    responses={
        **answers(*named("too_many_waits")),
        200: {
            "description": "Events named `filings`: claims of your tenant have moved, or of the filing that"
            " you named. The first comes at once, as anything may have moved before.",
            "content": {
                "text/event-stream": {
                    "schema": {"type": "string"},
                    "example": ": hints\n\nevent: filings\ndata: {}\n\n",
                }
            },
        },
    },
)
async def hints(caller: Reader, parts: Here, query: Annotated[HintsQuery, Query()]) -> Response:
    """At most two a second: ask for what you show when one comes. Counts as one waiting request."""
    return HintStream(parts.watcher, caller.name, query.filing, query.seconds)


@router.get("/acts", operation_id="list_acts", summary="What was done, by whom and why", responses=answers())
def listed(caller: Reader, parts: Here, _: Nothing) -> Acts:
    """The newest acts of your tenant: orders, reviews, saved views, and changes of webhooks and terms; with
    the scope `operate` also those for all tenants.

    Reasons of reviews and terms may quote claims: they are kept with the review and the term alone.
    """
    return Acts(acts=acts_shown(parts, caller, limit=ACTS))


@router.get(
    "/workers", operation_id="list_workers", summary="Workers and what they hold", responses=answers()
)
def workers(_caller: Operator, parts: Here, _: Nothing) -> Workers:
    """Of all tenants."""
    return Workers(workers=[WorkerOut(**row) for row in transact(parts.watch, overview.workers)])


@router.get(
    "/backlogs", operation_id="list_backlogs", summary="Claims on their way, by tenant", responses=answers()
)
def backlogs(_caller: Operator, parts: Here, _: Nothing) -> Backlogs:
    """The largest first."""
    return Backlogs(backlogs=[BacklogOut(**row) for row in transact(parts.watch, overview.backlogs)])


def acts_shown(parts: Parts, caller: Tenant, *, limit: int) -> list[ActOut]:
    """The newest acts that the caller may see."""
    found: list[RowMapping] = []
    for owner in [caller.name] + [ALL_TENANTS] * (Scope.OPERATE in caller.scopes):
        found += transact(parts.db, partial(acts.latest, tenant=owner, limit=limit), tenant=owner)
    newest = sorted(found, key=lambda row: row["id"], reverse=True)[:limit]
    return [ActOut(**row) for row in newest]
