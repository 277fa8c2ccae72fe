"""Routes of reviews: say whether a verdict or a finding is right, list what was said, ask what needs eyes."""

import json
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from ace import flow
from ace.api import cursors
from ace.api.callers import Tenant
from ace.api.intake import parse
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Nothing, Parts, Reader, Reviewer, json_body
from ace.api.problem_types import BODIES, NOT_FOUND, named
from ace.api.review_schemas import (
    REVIEW_EXAMPLE,
    SAMPLE_EXAMPLE,
    Drawn,
    FindingRef,
    QueuedOut,
    QueueOut,
    QueueQuery,
    Recorded,
    ReviewIn,
    ReviewOut,
    ReviewPage,
    ReviewsQuery,
    SampleIn,
)
from ace.api.schemas import Span
from ace.store import reviews
from ace.store.database import transact

router = APIRouter(prefix="/v1", tags=["reviews"])


@router.post(
    "/reviews",
    operation_id="record_review",
    status_code=201,
    summary="Say whether a verdict or a finding is right",
    response_model=Recorded,
    responses=answers(
        *(*BODIES, NOT_FOUND),
        *named("no_verdict", "nothing_to_adjudicate", "label_mismatch", "span_outside"),
    ),
    openapi_extra=takes("ReviewIn", example=REVIEW_EXAMPLE),
)
async def record(request: Request, caller: Reviewer, parts: Here, _: Nothing) -> Response:
    """Verdicts and findings stay as they are. A review is never changed: of what one key says of a verdict,
    the last word counts."""
    async with json_body(request, parts, caller) as raw:
        id_ = await run_in_threadpool(_record, parts, caller, raw)
    return Response(json.dumps({"review": id_}), status_code=201, media_type="application/json")


def _record(parts: Parts, caller: Tenant, raw: bytes) -> str:
    given = parse(ReviewIn, raw).review()
    return str(flow.review(parts.db, caller.name, given, reviewer=caller.actor))


def asked_of(query: ReviewsQuery) -> list[str]:
    """The filter in the words that a cursor is signed for."""
    return ["" if value is None else f"={value}" for value in (query.evaluation, query.status)]


@router.get(
    "/reviews",
    operation_id="list_reviews",
    summary="Reviews of your tenant, newest first",
    responses=answers(*named("bad_cursor")),
)
def listed(caller: Reader, parts: Here, query: Annotated[ReviewsQuery, Query()]) -> ReviewPage:
    """One page; `next` leads to the one after it, with the same filter."""
    secrets = parts.settings.secrets
    scope = [caller.name, "reviews", *asked_of(query)]
    after = None if query.cursor is None else cursors.read(secrets, scope, query.cursor)
    read = partial(
        reviews.page,
        tenant=caller.name,
        evaluation_id=query.evaluation,
        status=query.status,
        after=after,
        limit=query.limit + 1,
    )
    rows = transact(parts.db, read, tenant=caller.name)
    shown = [review_out(row, words=caller.reads_text) for row in rows[: query.limit]]
    more = len(rows) > query.limit
    return ReviewPage(reviews=shown, next=cursors.write(secrets, scope, shown[-1].id) if more else None)


def review_out(row: RowMapping, *, words: bool) -> ReviewOut:
    """A row of `reviews.page`; without `words`, the reason is left out."""
    place, span = row["place"], row["span"]
    return ReviewOut(
        id=row["id"],
        evaluation=row["evaluation_id"],
        filing=row["filing_id"],
        docket=row["docket"],
        claim=row["claim_number"],
        finding=None if row["rule"] is None else FindingRef(rule=row["rule"], start=place[0], end=place[1]),
        answer=row["answer"],
        label=row["label"],
        span=None if span is None else Span(start=span[0], end=span[1]),
        reason=row["reason"] if words else None,
        status=row["status"],
        blind=row["blind"],
        seconds=row["seconds"],
        reviewer=row["reviewer"],
        at=row["at"],
    )


@router.get(
    "/reviews/queue",
    operation_id="list_review_queue",
    summary="Claims that most need eyes",
    responses=answers(),
)
def queue(caller: Reader, parts: Here, query: Annotated[QueueQuery, Query()]) -> QueueOut:
    """Decided claims whose verdict you have not reviewed and nobody has adjudicated."""
    read = partial(
        reviews.queue, tenant=caller.name, kind=query.kind, reviewer=caller.actor, limit=query.limit
    )
    rows = transact(parts.db, read, tenant=caller.name)
    return QueueOut(
        queue=[
            QueuedOut(
                evaluation=row["id"],
                filing=row["filing_id"],
                docket=row["docket"],
                claim=row["claim_number"],
                doubt=row["doubt"],
                probability=row["probability"],
                reviews=row["reviews"],
            )
            for row in rows
        ]
    )


@router.post(
    "/reviews/sample",
    operation_id="draw_audit_sample",
    summary="Draw a random sample of verdicts for an audit",
    response_model=Drawn,
    responses=answers(*BODIES),
    openapi_extra=takes("SampleIn", example=SAMPLE_EXAMPLE),
)
async def sample(request: Request, caller: Reviewer, parts: Here, _: Nothing) -> Response:
    """Each verdict is drawn with the probability, which is stored with it. Idempotent: a second draw with the
    same probability finds the same verdicts, one with a higher probability those and more."""
    async with json_body(request, parts, caller) as raw:
        drawn = await run_in_threadpool(_draw, parts, caller, raw)
    return Response(json.dumps({"drawn": drawn}), media_type="application/json")


def _draw(parts: Parts, caller: Tenant, raw: bytes) -> int:
    return drawn_sample(parts, caller, parse(SampleIn, raw))


def drawn_sample(parts: Parts, caller: Tenant, wanted: SampleIn) -> int:
    """Draws an audit sample; returns how many verdicts were drawn."""
    draw = partial(
        reviews.draw,
        tenant=caller.name,
        probability=wanted.probability,
        since=wanted.since,
        actor=caller.actor,
    )
    return transact(parts.db, draw, tenant=caller.name)
