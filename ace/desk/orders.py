"""Forms that order something: pausing, resuming, replaying all that match, cancelling. Each asks why."""

import json
from functools import partial
from typing import Annotated, Any, Final
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from ace import flow
from ace.api import jobs as stored_jobs
from ace.api import pauses as stored_pauses
from ace.api.evaluations import replay_filter
from ace.api.intake import ReplayFilter, parse
from ace.api.orders import CountIn, JobIn, PauseIn, ReasonIn
from ace.api.parts import Here
from ace.desk.forms import fields_of
from ace.desk.pages import Page, show
from ace.desk.visitors import AdminVisitor, ReadingVisitor, ReplayingVisitor
from ace.errors import NotFound
from ace.store import reads
from ace.store.database import transact
from ace.store.operating_tables import JobState

router = APIRouter(route_class=Page, include_in_schema=False)

_FILTER: Final = ("error", "docket", "since", "until")


@router.get("/operations/pause")
async def pause_form(request: Request, caller: AdminVisitor, kind: str, name: str) -> Response:
    """Asks why, and whether to drain."""
    given = {"kind": kind, "name": name, "reason": "x"}
    wanted = parse(PauseIn, json.dumps(given).encode())
    return show(request, "order_pause.html", wanted=wanted)


@router.post("/operations/pause")
async def pause(request: Request, caller: AdminVisitor, parts: Here) -> Response:
    """Pauses or drains, and shows the operations again."""
    given: dict[str, Any] = await fields_of(request, parts)
    given["drain"] = given.get("drain") == "yes"
    wanted = parse(PauseIn, json.dumps(given).encode())
    await run_in_threadpool(stored_pauses.pause, parts, caller, wanted)
    return RedirectResponse("/operations", status_code=303)


@router.get("/operations/pauses/{id:uuid}/resume")
def resume_form(request: Request, id: UUID, caller: AdminVisitor, parts: Here) -> Response:
    """Asks why."""
    found = [one for one in stored_pauses.pauses_shown(parts, caller) if one.id == id]
    if not found:
        raise NotFound("no such pause")
    return show(request, "order_resume.html", pause=found[0])


@router.post("/operations/pauses/{id:uuid}/resume")
async def resume(request: Request, id: UUID, caller: AdminVisitor, parts: Here) -> Response:
    """Ends the pause, and shows the operations again."""
    why = await _reason(request, parts)
    await run_in_threadpool(stored_pauses.resume, parts, caller, id, why)
    return RedirectResponse("/operations", status_code=303)


@router.get("/operations/replay")
def replay_form(
    request: Request,
    caller: ReplayingVisitor,
    parts: Here,
    error: Annotated[str | None, Query()] = None,
    docket: Annotated[str | None, Query()] = None,
) -> Response:
    """Counts what would be replayed, and asks why."""
    given = {name: value for name, value in (("error", error), ("docket", docket)) if value}
    which = parse(CountIn, json.dumps({"filter": given}).encode()).filter
    matched = stored_jobs.matching(parts, caller.name, replay_filter(which))
    return show(request, "order_replay.html", which=given, matched=matched, query=_query(which))


@router.post("/operations/replay")
async def replay(request: Request, caller: ReplayingVisitor, parts: Here) -> Response:
    """Orders the job, and leads to its page."""
    given = await fields_of(request, parts)
    wanted = {"filter": {name: given[name] for name in _FILTER if name in given}}
    order = parse(JobIn, json.dumps({**wanted, "reason": given.get("reason", "")}).encode())
    which = replay_filter(order.filter)
    made = await run_in_threadpool(stored_jobs.ordered, parts, caller, which, order.reason)
    return RedirectResponse(f"/operations/jobs/{made}", status_code=303)


@router.post("/evaluations/{id:uuid}/replay")
def replay_claim(id: UUID, caller: ReplayingVisitor, parts: Here) -> Response:
    """Runs one failed claim again, and shows its page. If somebody else has done so, only its page."""
    row = transact(
        parts.db, partial(reads.evaluation, tenant=caller.name, evaluation_id=id), tenant=caller.name
    )
    if row is None:
        raise NotFound("no such evaluation")
    flow.replay(parts.db, caller.name, [id], limit=1, actor=caller.actor)
    return RedirectResponse(f"/filings/{row['filing_id']}/claims/{row['claim_number']}", status_code=303)


@router.get("/operations/jobs/{id:uuid}")
def job(request: Request, id: UUID, caller: ReadingVisitor, parts: Here) -> Response:
    """How far a job has come."""
    found = stored_jobs.job_of(parts, caller.name, id)
    running = found.state is JobState.RUNNING
    return show(request, "job.html", job=found, running=running)


@router.post("/operations/jobs/{id:uuid}/cancel")
async def cancel(request: Request, id: UUID, caller: ReplayingVisitor, parts: Here) -> Response:
    """Cancels a job, and shows where it stood."""
    why = await _reason(request, parts)
    await run_in_threadpool(stored_jobs.job_of, parts, caller.name, id)
    await run_in_threadpool(stored_jobs.cancelled, parts, caller, id, why)
    return RedirectResponse(f"/operations/jobs/{id}", status_code=303)


async def _reason(request: Request, parts: Here) -> str:
    given = await fields_of(request, parts)
    return parse(ReasonIn, json.dumps({"reason": given.get("reason", "")}).encode()).reason


def _query(which: ReplayFilter) -> str:
    """The query box's words for the filings that a filter is about."""
    words = ["state:failed"] + [f"error:{which.error}"] * bool(which.error)
    if which.docket:
        words.append(f'docket:"{which.docket}"')
    return urlencode({"q": " ".join(words)})
