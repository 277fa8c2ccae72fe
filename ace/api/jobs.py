"""Routes of jobs: replays and re-evaluations of all that match, stored, with their progress."""

from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant
from ace.api.evaluations import replay_filter
from ace.api.fields import written
from ace.api.intake import parse
from ace.api.openapi import answers, takes
from ace.api.orders import (
    COUNT_EXAMPLE,
    JOB_EXAMPLE,
    REASON_EXAMPLE,
    REEVALUATION_COUNT_EXAMPLE,
    REEVALUATION_EXAMPLE,
    CountIn,
    JobIn,
    ReasonIn,
    ReevaluationCountIn,
    ReevaluationFilter,
    ReevaluationIn,
)
from ace.api.parts import Here, Nothing, Parts, Reader, Replayer, json_body
from ace.api.problem_types import BODIES, NOT_FOUND
from ace.api.schemas import NoQuery
from ace.errors import NotFound
from ace.flow.leased import wake
from ace.store import jobs, reads
from ace.store.database import transact
from ace.store.operating_tables import JobKind, JobState
from ace.store.pauses import Order

router = APIRouter(prefix="/v1", tags=["jobs"])

LISTED: Final = 50
_JOB: Final[dict[str, Any]] = {
    "id": "0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e12",
    "kind": "replay",
    "state": "running",
    "filter": {"error": "unreachable"},
    "matched": 1200,
    "replayed": 500,
    "actor": "key:5f0c2a9be411",
    "reason": "the expert was away",
    "at": "2026-11-20T09:30:00.125Z",
    "ended_at": None,
}


class JobOut(BaseModel):
    """A replay or re-evaluation of all evaluations that matched when it was ordered."""

    model_config = ConfigDict(json_schema_extra={"examples": [_JOB]})

    id: UUID
    kind: JobKind = Field(
        description="`replay` runs failed evaluations again, `reevaluate` makes a new evaluation for each"
        " that is decided."
    )
    state: JobState
    filter: dict[str, str] = Field(description="As ordered.")
    matched: int = Field(description="Evaluations that matched when it was ordered.")
    replayed: int = Field(
        description="How many run again so far. Some that matched may have been replayed or cancelled"
        " otherwise."
    )
    actor: str
    reason: str
    at: datetime
    ended_at: datetime | None


class Jobs(BaseModel):
    """The newest jobs, newest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"jobs": [_JOB]}]})

    jobs: list[JobOut]


class Matched(BaseModel):
    """How many evaluations match now."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"matched": 1200}]})

    matched: int


class JobsQuery(NoQuery):
    """The parameters of the list."""

    limit: Annotated[int, BeforeValidator(written)] = Field(
        LISTED, ge=1, le=LISTED, description="Maximum number of jobs."
    )


@router.get("/jobs", operation_id="list_jobs", summary="Jobs of your tenant", responses=answers())
def listed(caller: Reader, parts: Here, query: Annotated[JobsQuery, Query()]) -> Jobs:
    """The newest first."""
    return Jobs(jobs=jobs_of(parts, caller.name, limit=query.limit))


@router.get("/jobs/{id:uuid}", operation_id="get_job", summary="One job", responses=answers(NOT_FOUND))
def one(id: UUID, caller: Reader, parts: Here, _: Nothing) -> JobOut:
    """Its progress."""
    return job_of(parts, caller.name, id)


@router.post(
    "/jobs/count",
    operation_id="count_job",
    summary="Count what a job would replay",
    responses=answers(*BODIES),
    openapi_extra=takes("CountIn", example=COUNT_EXAMPLE),
)
async def count(request: Request, caller: Replayer, parts: Here, _: Nothing) -> Matched:
    """A dry run: changes nothing."""
    async with json_body(request, parts, caller) as raw:
        which = replay_filter(parse(CountIn, raw).filter)
    return Matched(matched=await run_in_threadpool(matching, parts, caller.name, which))


@router.post(
    "/jobs",
    operation_id="order_job",
    summary="Replay all failed evaluations that match",
    status_code=201,
    responses=answers(*BODIES),
    openapi_extra=takes("JobIn", example=JOB_EXAMPLE),
)
async def order(request: Request, caller: Replayer, parts: Here, _: Nothing) -> JobOut:
    """However many there are; what fails after the order is left alone. The dispatcher works the job off."""
    async with json_body(request, parts, caller) as raw:
        return await run_in_threadpool(_order, parts, caller, raw)


def _order(parts: Parts, caller: Tenant, raw: bytes) -> JobOut:
    body = parse(JobIn, raw)
    return job_of(parts, caller.name, ordered(parts, caller, replay_filter(body.filter), body.reason))


@router.post(
    "/evaluations/reevaluate/count",
    operation_id="count_reevaluation",
    summary="Count what would be evaluated again",
    responses=answers(*BODIES),
    openapi_extra=takes("ReevaluationCountIn", example=REEVALUATION_COUNT_EXAMPLE),
)
async def count_reevaluation(request: Request, caller: Replayer, parts: Here, _: Nothing) -> Matched:
    """A dry run: changes nothing."""
    async with json_body(request, parts, caller) as raw:
        which = _decided(parse(ReevaluationCountIn, raw).filter)
    kind = JobKind.REEVALUATE
    return Matched(matched=await run_in_threadpool(matching, parts, caller.name, which, kind))


@router.post(
    "/evaluations/reevaluate",
    operation_id="reevaluate",
    summary="Evaluate decided claims again",
    status_code=201,
    responses=answers(*BODIES),
    openapi_extra=takes("ReevaluationIn", example=REEVALUATION_EXAMPLE),
)
async def reevaluate(request: Request, caller: Replayer, parts: Here, _: Nothing) -> JobOut:
    """By the model and rules that are in service now. Verdicts are never overwritten: each claim gets a new
    evaluation, which `supersedes` the earlier one once it is decided.

    A job that the dispatcher works off, with less urgency than anything else. Left out are claims that are
    being evaluated again already, and those whose text was purged.
    """
    async with json_body(request, parts, caller) as raw:
        return await run_in_threadpool(_reevaluate, parts, caller, raw)


def _reevaluate(parts: Parts, caller: Tenant, raw: bytes) -> JobOut:
    body = parse(ReevaluationIn, raw)
    job = ordered(parts, caller, _decided(body.filter), body.reason, JobKind.REEVALUATE)
    return job_of(parts, caller.name, job)


def _decided(given: ReevaluationFilter) -> reads.Filter:
    """The filter that the body of a re-evaluation describes."""
    return reads.Filter(
        docket=given.docket,
        filing_id=given.filing,
        verdict=given.verdict,
        decided_by=given.decided_by,
        error_class=given.error_class,
        model=given.model,
        since=given.since,
        until=given.until,
    )


@router.post(
    "/jobs/{id:uuid}/cancel",
    operation_id="cancel_job",
    summary="Cancel a job",
    responses=answers(*BODIES, NOT_FOUND),
    openapi_extra=takes("ReasonIn", example=REASON_EXAMPLE),
)
async def cancel(id: UUID, request: Request, caller: Replayer, parts: Here, _: Nothing) -> JobOut:
    """What it has done stays done. Idempotent: a job that has ended stays as it is."""
    async with json_body(request, parts, caller) as raw:
        reason = parse(ReasonIn, raw).reason
    await run_in_threadpool(cancelled, parts, caller, id, reason)
    return await run_in_threadpool(job_of, parts, caller.name, id)


def matching(parts: Parts, tenant: str, which: reads.Filter, kind: JobKind = JobKind.REPLAY) -> int:
    """How many evaluations of the tenant a job of this kind would take now."""
    count = partial(reads.count_for, kind=kind, tenant=tenant, which=which)
    return transact(parts.db, count, tenant=tenant)


def ordered(
    parts: Parts, caller: Tenant, which: reads.Filter, reason: str, kind: JobKind = JobKind.REPLAY
) -> UUID:
    """Orders a job; returns its id."""
    order = Order(caller.name, caller.actor, reason)
    made = transact(parts.db, partial(jobs.order, given=order, which=which, kind=kind), tenant=caller.name)
    wake(parts.watch)
    return made


def cancelled(parts: Parts, caller: Tenant, job: UUID, reason: str) -> None:
    """Cancels a job of the caller's tenant, if it runs."""
    order = Order(caller.name, caller.actor, reason)
    transact(parts.db, partial(jobs.cancel, given=order, job=job), tenant=caller.name)


def job_of(parts: Parts, tenant: str, job: UUID) -> JobOut:
    """A job of the tenant. Raises NotFound."""
    row = transact(parts.db, partial(jobs.one, tenant=tenant, job=job), tenant=tenant)
    if row is None:
        raise NotFound("no such job")
    return _shown(row)


def jobs_of(parts: Parts, tenant: str, *, limit: int) -> list[JobOut]:
    """The newest jobs of the tenant."""
    rows = transact(parts.db, partial(jobs.of_tenant, tenant=tenant, limit=limit), tenant=tenant)
    return [_shown(row) for row in rows]


def _shown(row: RowMapping) -> JobOut:
    return JobOut(**row)
