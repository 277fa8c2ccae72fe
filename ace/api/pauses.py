"""Routes of pauses: what is not dispatched for now, by whose order, and why."""

from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant
from ace.api.intake import parse
from ace.api.openapi import answers, takes
from ace.api.orders import PAUSE_EXAMPLE, REASON_EXAMPLE, PauseIn, ReasonIn
from ace.api.parts import Admin, Here, Nothing, Parts, Reader, json_body
from ace.api.problem_types import BODIES, NOT_FOUND, named
from ace.api.problems import Forbidden
from ace.errors import NotFound, Refused
from ace.flow.leased import wake
from ace.store import pauses
from ace.store.database import transact
from ace.store.operating_tables import ALL_TENANTS, PauseKind
from ace.store.pauses import Order
from ace.store.scopes import Scope

router = APIRouter(prefix="/v1", tags=["pauses"])

_PAUSE: Final[dict[str, Any]] = {
    "id": "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e11",
    "kind": "endpoint",
    "name": "expert",
    "drain": True,
    "in_hand": 3,
    "by_operator": True,
    "actor": "key:5f0c2a9be411",
    "reason": "a new version of the server",
    "at": "2026-11-20T09:30:00.125Z",
}


class PauseOut(BaseModel):
    """A pause in force."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PAUSE]})

    id: UUID
    kind: PauseKind
    name: str
    drain: bool = Field(description="Whether messages that no worker had taken up were taken back.")
    in_hand: int = Field(description="Claims that are still under way; a drain is over at 0.")
    by_operator: bool = Field(description="Ordered for all tenants: only an operator can resume it.")
    actor: str
    reason: str
    at: datetime


class Pauses(BaseModel):
    """The pauses in force, oldest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pauses": [_PAUSE]}]})

    pauses: list[PauseOut]


class Resumed(BaseModel):
    """The pauses that were ended."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"resumed": [_PAUSE["id"]]}]})

    resumed: list[UUID]


@router.get("/pauses", operation_id="list_pauses", summary="Pauses in force", responses=answers())
def in_force(caller: Reader, parts: Here, _: Nothing) -> Pauses:
    """Those that concern your tenant; with the scope `operate` all."""
    return Pauses(pauses=pauses_shown(parts, caller))


@router.post(
    "/pauses",
    operation_id="pause",
    summary="Pause or drain a tenant, a stage or an endpoint",
    responses=answers(*BODIES, NOT_FOUND, *named("unknown_endpoint", "unknown_tenant")),
    openapi_extra=takes("PauseIn", example=PAUSE_EXAMPLE),
)
async def begin(request: Request, caller: Admin, parts: Here, _: Nothing) -> PauseOut:
    """Nothing is lost: claims wait until it is resumed, and workers finish what they hold.

    Idempotent: if it is paused already, nothing changes, except that a pause can become a drain.
    """
    async with json_body(request, parts, caller) as raw:
        return await run_in_threadpool(_begin, parts, caller, raw)


def _begin(parts: Parts, caller: Tenant, raw: bytes) -> PauseOut:
    return pause(parts, caller, parse(PauseIn, raw))


@router.post(
    "/pauses/{id:uuid}/resume",
    operation_id="resume",
    summary="End a pause",
    responses=answers(*BODIES, NOT_FOUND),
    openapi_extra=takes("ReasonIn", example=REASON_EXAMPLE),
)
async def end(id: UUID, request: Request, caller: Admin, parts: Here, _: Nothing) -> Resumed:
    """What waited is dispatched again."""
    async with json_body(request, parts, caller) as raw:
        body = parse(ReasonIn, raw)
    await run_in_threadpool(resume, parts, caller, id, body.reason)
    return Resumed(resumed=[id])


def pauses_shown(parts: Parts, caller: Tenant) -> list[PauseOut]:
    """The pauses in force that the caller may see."""
    tenant = None if Scope.OPERATE in caller.scopes else caller.name
    rows = transact(parts.watch, partial(pauses.in_force, tenant=tenant))
    return [_shown(row) for row in rows]


def _shown(row: RowMapping) -> PauseOut:
    return PauseOut(**row, by_operator=row["tenant"] == ALL_TENANTS)


def pause(parts: Parts, caller: Tenant, wanted: PauseIn) -> PauseOut:
    """Pauses what the caller may pause. Raises Forbidden, Refused for an endpoint or a tenant that is not
    known, and NotFound if it was resumed at the same time."""
    owner = pauses.owner_of(wanted.kind, wanted.name, caller.name)
    if owner == ALL_TENANTS and Scope.OPERATE not in caller.scopes:
        raise Forbidden(Scope.OPERATE)
    known = transact(parts.watch, partial(pauses.names, kind=wanted.kind))
    if wanted.name not in known:
        words = pauses.unknown(wanted.kind, wanted.name, known)
        raise Refused(words, code=f"unknown_{wanted.kind}", pointer="/name")
    order = Order(owner, caller.actor, wanted.reason)
    work = partial(pauses.begin, order=order, kind=wanted.kind, name=wanted.name, drain=wanted.drain)
    transact(parts.db, work, tenant=owner)
    wake(parts.watch)
    for row in transact(parts.watch, pauses.in_force):
        if (row["tenant"], row["kind"], row["name"]) == (owner, wanted.kind, wanted.name):
            return _shown(row)
    raise NotFound("somebody has resumed it already")


def resume(parts: Parts, caller: Tenant, pause_id: UUID, reason: str) -> None:
    """Ends a pause of the caller's tenant, or with the scope `operate` of all. Raises NotFound."""
    owners = [caller.name] + [ALL_TENANTS] * (Scope.OPERATE in caller.scopes)
    for owner in owners:
        end_it = partial(pauses.end, order=Order(owner, caller.actor, reason), pause=pause_id)
        if transact(parts.db, end_it, tenant=owner):
            wake(parts.watch)
            return
    raise NotFound("no such pause")
