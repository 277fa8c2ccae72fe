"""Routes of evaluations: one, many, their events, and running failed ones again."""

import json
from dataclasses import asdict
from functools import partial
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request, Response
from sqlalchemy import Connection, RowMapping
from starlette.concurrency import run_in_threadpool

from ace import flow
from ace.api import cursors
from ace.api.callers import Tenant
from ace.api.etags import matches
from ace.api.intake import REPLAYS_EXAMPLE, ReplayFilter, ReplaysIn, parse
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Nothing, Parts, Reader, Replayer, json_body
from ace.api.problem_types import BODIES, NOT_FOUND, named
from ace.api.reports import EvaluationFindings
from ace.api.rows import Computed, evaluation_out, findings_out
from ace.api.schemas import (
    EvaluationOut,
    EvaluationPage,
    EvaluationQuery,
    EventOut,
    Events,
    Replayed,
)
from ace.api.waiting import until_settled
from ace.claim_work import KeptClaims, analysed, refuse_long
from ace.claims.terms import Terms
from ace.errors import NotFound
from ace.flow.analysing import RULES
from ace.store import reads, terms
from ace.store.database import transact

router = APIRouter(prefix="/v1", tags=["evaluations"])


@router.get(
    "/evaluations",
    operation_id="list_evaluations",
    summary="Evaluations of your tenant, newest first",
    responses=answers(*named("bad_cursor")),
)
def evaluations(caller: Reader, parts: Here, query: Annotated[EvaluationQuery, Query()]) -> EvaluationPage:
    """One page; `next` leads to the one after it, with the same filter."""
    secrets = parts.settings.secrets
    which = filter_of(query)
    scope = scope_of(caller.name, which)
    after = None if query.cursor is None else cursors.read(secrets, scope, query.cursor)
    rows = transact(
        parts.db,
        lambda connection: reads.evaluations(
            connection, caller.name, which, after=after, limit=query.limit + 1
        ),
        tenant=caller.name,
    )
    shown = [evaluation_out(row, words=caller.reads_text) for row in rows[: query.limit]]
    more = len(rows) > query.limit
    return EvaluationPage(
        evaluations=shown, next=cursors.write(secrets, scope, shown[-1].id) if more else None
    )


_BY_PLACE: Final = ("state", "verdict", "disputed", "docket", "filing_id")
"""The fields of a filter that release 0.2.0 knows, in its order."""


def scope_of(tenant: str, which: reads.Filter) -> list[str]:
    """What a cursor of the list is good for: the fields that release 0.2.0 knows by place, others by name and
    only if they are given. So during an upgrade either release takes the other's cursors."""
    values = asdict(which) | {"disputed": "true" if which.disputed else None}
    by_place = [values.pop(name) for name in _BY_PLACE]
    by_name = [f"{name}={value}" for name, value in values.items() if value is not None]
    return [tenant, *("" if value is None else f"={value}" for value in by_place), *by_name]


def filter_of(query: EvaluationQuery) -> reads.Filter:
    """The filter that the parameters of the list describe."""
    return reads.Filter(
        state=query.state,
        verdict=query.verdict,
        ground=query.ground,
        disputed=query.disputed is not None,
        docket=query.docket,
        filing_id=query.filing,
        decided_by=query.decided_by,
        error_class=query.error_class,
        error=query.error,
        since=query.since,
        until=query.until,
    )


@router.get(
    "/evaluations/{id:uuid}",
    operation_id="get_evaluation",
    summary="One evaluation",
    response_model=EvaluationOut,
    responses={
        **answers(
            *(NOT_FOUND, *named("too_many_waits")),
            headers={
                "ETag": "Changes with every state change of the evaluation.",
                "Preference-Applied": "The wait that was granted.",
            },
        ),
        304: {"description": "Nothing has changed since the ETag in If-None-Match."},
    },
)
async def evaluation(
    id: UUID,
    caller: Reader,
    parts: Here,
    response: Response,
    _: Nothing,
    if_none_match: Annotated[str | None, Header(alias="If-None-Match")] = None,
    prefer: Annotated[
        str | None,
        Header(
            alias="Prefer",
            description="`wait=N`: answer as soon as the evaluation is decided, failed or"
            " cancelled, or after N seconds (maximum 60).",
        ),
    ] = None,
) -> EvaluationOut | Response:
    """State, verdict, and everything that explains it."""
    tenant, read = caller.name, parts.reads.of
    await until_settled(
        parts.watcher,
        tenant,
        lambda: read(tenant, ("open", id), partial(_open_one, parts, tenant, id)),
        prefer,
        response,
        first=id,
    )
    row = await read(tenant, ("evaluation", id), partial(_read, parts, tenant, id))
    etag = f"{row['id'].hex}-{row['moves']}{'-superseded' if row['superseded_by'] else ''}"
    response.headers["ETag"] = f'"{etag}"'
    response.headers["Cache-Control"] = "private, no-cache"
    if matches(if_none_match, etag):
        return Response(status_code=304, headers=dict(response.headers))
    return evaluation_out(row, words=caller.reads_text)


def _read(parts: Parts, tenant: str, id_: UUID) -> RowMapping:
    row = transact(parts.db, lambda connection: reads.evaluation(connection, tenant, id_), tenant=tenant)
    if row is None:
        raise NotFound("no such evaluation")
    return row


def _open_one(parts: Parts, tenant: str, id_: UUID) -> UUID | None:
    settles = partial(reads.is_open, tenant=tenant, evaluation_id=id_)
    return id_ if transact(parts.db, settles, tenant=tenant) else None


@router.get(
    "/evaluations/{id:uuid}/events",
    operation_id="list_events",
    summary="The audit trail of an evaluation",
    responses=answers(NOT_FOUND),
)
def events(id: UUID, caller: Reader, parts: Here, _: Nothing) -> Events:
    """Every state change, in order, with its actor."""
    rows = transact(
        parts.db, lambda connection: reads.events(connection, caller.name, id), tenant=caller.name
    )
    if rows is None:
        raise NotFound("no such evaluation")
    return Events(events=[EventOut(**row) for row in rows])


@router.get(
    "/evaluations/{id:uuid}/findings",
    operation_id="list_findings",
    summary="What the rules find in the claim of an evaluation",
    responses=answers(
        NOT_FOUND, *named("set_too_long", "check_too_slow", "check_crashed", "too_many_checks")
    ),
)
async def findings(
    id: UUID,
    caller: Reader,
    parts: Here,
    response: Response,
    _: Nothing,
) -> EvaluationFindings:
    """From the analysis of the filing, which is stored with its first verdict; computed now if there is none
    that obeys your term list.

    They come from the deterministic checks and do not depend on the verdict. A claim set that is too
    long to be checked gives 413, one that takes too much processor time 422.
    """
    response.headers["Cache-Control"] = "private, no-cache"
    row, listed = await run_in_threadpool(_findings, parts, caller.name, id)
    stored = row["found"] is not None and row["obeys"] is not False
    if stored or row["purged_at"] is not None:
        return findings_out(row, words=caller.reads_text)
    refuse_long(row["set_characters"])
    claims = await run_in_threadpool(_claims, parts, caller.name, row)
    made = json.loads(await parts.turns.run(caller.name, analysed, (claims, listed), pointer=None))
    computed = Computed(made[str(row["claim_number"])], listed.digest)
    return findings_out(row, computed, words=caller.reads_text)


def _findings(parts: Parts, tenant: str, id_: UUID) -> tuple[RowMapping, Terms]:
    def read(connection: Connection) -> tuple[RowMapping, Terms]:
        listed = terms.of_tenant(connection, tenant)
        row = reads.findings(connection, tenant, id_, RULES, listed.digest)
        if row is None:
            raise NotFound("no such evaluation")
        return row, listed

    return transact(parts.db, read, tenant=tenant)


def _claims(parts: Parts, tenant: str, row: RowMapping) -> KeptClaims:
    read = partial(reads.claim_sets, filings=[row["filing_id"]], max_characters=row["set_characters"])
    return transact(parts.db, read, tenant=tenant)[row["filing_id"]]


@router.post(
    "/evaluations/{id:uuid}/replay",
    operation_id="replay_evaluation",
    summary="Run a failed evaluation again",
    responses=answers(NOT_FOUND),
)
def replay(id: UUID, caller: Replayer, parts: Here, _: Nothing) -> Replayed:
    """Idempotent: an evaluation that is not failed stays as it is and is not in the answer."""
    replayed = flow.replay(parts.db, caller.name, [id], limit=1, actor=caller.actor)
    if not replayed:
        _read(parts, caller.name, id)
    return Replayed(replayed=replayed)


@router.post(
    "/replays",
    operation_id="replay_many",
    summary="Run failed evaluations again, by filter",
    responses=answers(*BODIES),
    openapi_extra=takes("ReplaysIn", example=REPLAYS_EXAMPLE),
)
async def replays(request: Request, caller: Replayer, parts: Here, _: Nothing) -> Replayed:
    """The oldest failed evaluations that match the filter, up to the limit."""
    async with json_body(request, parts, caller) as raw:
        return await run_in_threadpool(_replay_all, parts, caller, raw)


def _replay_all(parts: Parts, caller: Tenant, raw: bytes) -> Replayed:
    order = parse(ReplaysIn, raw)
    which = replay_filter(order.filter)
    return Replayed(replayed=flow.replay(parts.db, caller.name, which, limit=order.limit, actor=caller.actor))


def replay_filter(given: ReplayFilter) -> reads.Filter:
    """The filter that the body of a replay describes."""
    return reads.Filter(error=given.error, docket=given.docket, since=given.since, until=given.until)
