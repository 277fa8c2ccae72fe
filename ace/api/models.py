"""Routes of models: which one decides, which is on trial, and the orders that change it.

A model is proposed on the command line, where its files are.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant
from ace.api.intake import parse
from ace.api.openapi import answers, takes
from ace.api.orders import REASON_EXAMPLE, SHARE_EXAMPLE, ReasonIn, ShareIn
from ace.api.parts import Here, Nothing, Operator, Parts, json_body
from ace.api.problem_types import BODIES, NOT_FOUND, named
from ace.store import models
from ace.store.database import transact
from ace.store.model_tables import ModelState
from ace.store.operating_tables import ALL_TENANTS
from ace.store.pauses import Order

router = APIRouter(prefix="/v1", tags=["models"])

Done = TypeVar("Done")

_DIGEST: Final = "3f9a2c51d0b47e53" * 4  # pragma: allowlist secret
_MODEL: Final[dict[str, Any]] = {
    "id": "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e13",
    "digest": _DIGEST,
    "model": "314970fd8de2",
    "calibration": "cal-1bc0b27f56db",
    "expert_assumed": False,
    "state": "active",
    "share": 10.0,
    "report": "report/report.json",
    "report_digest": _DIGEST[::-1],
    "actor": "cli:ace",
    "reason": "trained on rejections",
    "at": "2026-11-20T09:30:00.125Z",
    "changed_at": "2026-11-23T08:00:00.250Z",
}


class ModelOut(BaseModel):
    """A gatekeeper model with its calibration."""

    model_config = ConfigDict(json_schema_extra={"examples": [_MODEL]})

    id: UUID
    digest: str = Field(description="SHA-256 of its files.")
    model: str = Field(description="The revision that verdicts name.")
    calibration: str = Field(description="The calibration that verdicts name.")
    expert_assumed: bool = Field(
        description="The calibration takes an expert that nobody has measured for as good as a recorded one."
    )
    state: ModelState
    share: float = Field(
        description="Per cent of the filings that it decides if active, below 100 as a canary, and scores if"
        " a shadow."
    )
    report: str | None = Field(description="Where its evaluation report lies; a promotion needs one.")
    report_digest: str | None = Field(description="SHA-256 of that report.")
    actor: str = Field(description="Who proposed it.")
    reason: str
    at: datetime
    changed_at: datetime


class Models(BaseModel):
    """All models, newest first. Without an active one, that of the workers' settings decides."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"models": [_MODEL]}]})

    models: list[ModelOut]


class RolledBack(BaseModel):
    """A promotion that was undone."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"retired": {**_MODEL, "state": "retired"}, "active": None}]}
    )

    retired: ModelOut
    active: ModelOut | None = Field(description="What decides now; null is the model of the settings.")


@router.get("/models", operation_id="list_models", summary="Models", responses=answers())
def listed(_caller: Operator, parts: Here, _: Nothing) -> Models:
    """The newest first."""
    return Models(models=models_shown(parts))


@router.post(
    "/models/{id:uuid}/promote",
    operation_id="promote_model",
    summary="Let a model decide",
    responses=answers(*BODIES, NOT_FOUND, *named("model_state", "report_missing")),
    openapi_extra=takes("ShareIn", example=SHARE_EXAMPLE),
)
async def promote(id: UUID, request: Request, caller: Operator, parts: Here, _: Nothing) -> ModelOut:
    """All filings at 100 per cent, in the place of the model that does; below that a canary, which decides
    the filings of its share. Workers take it up between messages."""
    async with json_body(request, parts, caller) as raw:
        body = parse(ShareIn, raw)
    return await run_in_threadpool(promoted, parts, caller, id, body)


@router.post(
    "/models/{id:uuid}/shadow",
    operation_id="shadow_model",
    summary="Let a model score without deciding",
    responses=answers(*BODIES, NOT_FOUND, *named("model_state")),
    openapi_extra=takes("ShareIn", example=SHARE_EXAMPLE),
)
async def shadow(id: UUID, request: Request, caller: Operator, parts: Here, _: Nothing) -> ModelOut:
    """It scores the filings of its share once their verdicts stand."""
    async with json_body(request, parts, caller) as raw:
        body = parse(ShareIn, raw)
    order = partial(models.shadow, model=id, share=body.share)
    return ModelOut(**await run_in_threadpool(_ordered, parts, caller, body.reason, order))


@router.post(
    "/models/{id:uuid}/retire",
    operation_id="retire_model",
    summary="Give up a proposed model or a shadow",
    responses=answers(*BODIES, NOT_FOUND, *named("model_state")),
    openapi_extra=takes("ReasonIn", example=REASON_EXAMPLE),
)
async def retire(id: UUID, request: Request, caller: Operator, parts: Here, _: Nothing) -> ModelOut:
    """One that decides is ended by a rollback, or by the promotion of another."""
    async with json_body(request, parts, caller) as raw:
        body = parse(ReasonIn, raw)
    order = partial(models.retire, model=id)
    return ModelOut(**await run_in_threadpool(_ordered, parts, caller, body.reason, order))


@router.post(
    "/models/rollback",
    operation_id="roll_back_model",
    summary="Undo the last promotion",
    responses=answers(*BODIES, *named("model_state")),
    openapi_extra=takes("ReasonIn", example=REASON_EXAMPLE),
)
async def rollback(request: Request, caller: Operator, parts: Here, _: Nothing) -> RolledBack:
    """Ends the canary or, without one, brings back the model that was replaced. Verdicts stay as they are,
    and keep the model and the calibration that they name."""
    async with json_body(request, parts, caller) as raw:
        body = parse(ReasonIn, raw)
    return await run_in_threadpool(rolled_back, parts, caller, body.reason)


def models_shown(parts: Parts) -> list[ModelOut]:
    """All models."""
    return [ModelOut(**row) for row in transact(parts.watch, models.listed)]


def promoted(parts: Parts, caller: Tenant, model: UUID, wanted: ShareIn) -> ModelOut:
    """Promotes a model. Raises NotFound, and Refused if it cannot be promoted now."""
    order = partial(models.promote, model=model, share=wanted.share)
    return ModelOut(**_ordered(parts, caller, wanted.reason, order))


def rolled_back(parts: Parts, caller: Tenant, reason: str) -> RolledBack:
    """Undoes the last promotion. Raises Refused if there is none."""
    ended, back = _ordered(parts, caller, reason, models.rollback)
    return RolledBack(retired=ModelOut(**ended), active=None if back is None else ModelOut(**back))


def _ordered(parts: Parts, caller: Tenant, reason: str, order: Callable[[Connection, Order], Done]) -> Done:
    given = Order(ALL_TENANTS, caller.actor, reason)
    return transact(parts.db, lambda connection: order(connection, given), tenant=ALL_TENANTS)
