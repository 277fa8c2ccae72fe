"""Forms that promote a model and roll a promotion back. Each asks why."""

import json
from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from ace.api import models as stored_models
from ace.api.intake import parse
from ace.api.models import ModelOut, models_shown
from ace.api.orders import ReasonIn, ShareIn
from ace.api.parts import Here, Parts
from ace.desk.forms import fields_of
from ace.desk.pages import Page, show
from ace.desk.visitors import OperatingVisitor
from ace.errors import NotFound
from ace.store.model_tables import WHOLE, ModelState

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get("/calibration/models/{id:uuid}/promote")
def promote_form(request: Request, id: UUID, caller: OperatingVisitor, parts: Here) -> Response:
    """Asks for which share of the filings, and why."""
    found = next((one for one in models_shown(parts) if one.id == id), None)
    if found is None:
        raise NotFound("no such model")
    return show(request, "order_promote.html", model=found, standing=standing(parts))


@router.post("/calibration/models/{id:uuid}/promote")
async def promote(request: Request, id: UUID, caller: OperatingVisitor, parts: Here) -> Response:
    """Promotes it, and shows the calibration again."""
    given = await fields_of(request, parts)
    wanted = parse(ShareIn, json.dumps(_shared(given)).encode())
    await run_in_threadpool(stored_models.promoted, parts, caller, id, wanted)
    return RedirectResponse("/calibration", status_code=303)


@router.get("/calibration/rollback")
def rollback_form(request: Request, caller: OperatingVisitor, parts: Here) -> Response:
    """Says what a rollback would do, and asks why."""
    active = [one for one in models_shown(parts) if one.state is ModelState.ACTIVE]
    if not active:
        raise NotFound("no model has been promoted")
    return show(request, "order_rollback.html", ended=min(active, key=lambda one: one.share))


@router.post("/calibration/rollback")
async def rollback(request: Request, caller: OperatingVisitor, parts: Here) -> Response:
    """Undoes the last promotion, and shows the calibration again."""
    given = await fields_of(request, parts)
    reason = parse(ReasonIn, json.dumps({"reason": given.get("reason", "")}).encode()).reason
    await run_in_threadpool(stored_models.rolled_back, parts, caller, reason)
    return RedirectResponse("/calibration", status_code=303)


def standing(parts: Parts) -> ModelOut | None:
    """The model that decides what no canary does; None if it is that of the settings."""
    found = (one for one in models_shown(parts) if one.state is ModelState.ACTIVE and one.share >= WHOLE)
    return next(found, None)


def _shared(given: dict[str, str]) -> dict[str, object]:
    try:
        share: object = float(given.get("share", ""))
    except ValueError:
        share = given.get("share")
    return {"share": share, "reason": given.get("reason", "")}
