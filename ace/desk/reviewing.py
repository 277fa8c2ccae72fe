"""Pages on which people say whether verdicts are right: what needs eyes, and one claim after the other.

A claim is shown without its verdict first, so that nobody is led by it.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field, ValidationError
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from ace import flow
from ace.api.callers import Tenant, refuse_beyond
from ace.api.exports import read
from ace.api.parts import Here, Parts
from ace.api.review_schemas import MAX_SECONDS, ReviewIn, SampleIn
from ace.api.reviews import drawn_sample, review_out
from ace.api.validation import Invalid, of_validation
from ace.desk.calibration import records_of
from ace.desk.filing import claim_alone, evaluations_of
from ace.desk.forms import fields_of
from ace.desk.pages import Page, show
from ace.desk.visitors import ReadingVisitor, Visitor
from ace.errors import NotFound
from ace.flow.reviewing import predicted
from ace.routing.doubt_rank import rank_cell
from ace.store import reads, reviews
from ace.store.database import clock, transact
from ace.store.review_tables import PASS, Answer, ReviewStatus
from ace.store.reviews import Queue
from ace.store.scopes import Scope

router = APIRouter(route_class=Page, include_in_schema=False)

WORDS: Final = {
    Queue.DISPUTED: ("Disputed", "There is a reason to doubt the verdict."),
    Queue.DOUBTFUL: ("Most doubtful", "The gatekeeper was least sure; the highest doubt comes first."),
    Queue.AUDIT: ("Audit sample", "Drawn at random, whoever decided and however sure."),
    Queue.DIFFERING: ("Reviewers differ", "Two people gave different answers: say which one stands."),
}
SHARES: Final = (0.005, 0.01, 0.05, 0.2, 1.0)
AUDITED: Final = timedelta(days=30)  # what a sample is drawn from unless somebody says otherwise
LISTED: Final = 50
MAX_SKIPPED: Final = 50
UNSURE: Final = "unsure"
FORM_BYTES: Final = 65_536

Form = TypeVar("Form", ReviewIn, SampleIn)
Skipped = Annotated[str, Field(max_length=(MAX_SKIPPED + 1) * 37)]


async def _reviewer(caller: Visitor) -> Tenant:
    refuse_beyond(caller, [Scope.READ, Scope.TEXT, Scope.REVIEW])
    return caller


@router.get("/review")
def queue(request: Request, caller: ReadingVisitor, parts: Here, queue: Queue = Queue.DISPUTED) -> Response:
    """Claims that need eyes, and for which reason."""
    refuse_beyond(caller, [Scope.TEXT, Scope.REVIEW])
    rows = _queued(parts, caller, queue)
    return show(
        request,
        "review_queue.html",
        queue=queue,
        queues=WORDS,
        rows=rows,
        doubts=_doubts(parts, rows),
        full=len(rows) == LISTED,
        shares=SHARES,
        drawn=request.query_params.get("drawn", ""),
        since=(transact(parts.watch, clock) - AUDITED).date().isoformat(),
    )


def _doubts(parts: Parts, rows: Sequence[RowMapping]) -> dict[UUID, str]:
    records = records_of(parts, {row["calibration"] for row in rows if row["calibration"] is not None})
    return {
        row["id"]: "–"
        if row["doubt"] is None or row["tau"] is None
        else rank_cell(records.get(row["calibration"]), row["doubt"], row["tau"])
        for row in rows
    }


@router.get("/review/next")
def following(
    request: Request,
    caller: ReadingVisitor,
    parts: Here,
    queue: Queue = Queue.DISPUTED,
    skipped: Skipped = "",
    said: UUID | None = None,
) -> Response:
    """Leads to the next claim of a queue, or back to the list if there is none."""
    refuse_beyond(caller, [Scope.TEXT, Scope.REVIEW])
    passed = set(skipped.split(","))
    left = [row for row in _queued(parts, caller, queue) if str(row["id"]) not in passed]
    told: dict[str, Any] = {"queue": queue} | ({"said": said} if said else {})
    if not left:
        return RedirectResponse(f"/review?{urlencode({'queue': queue})}", status_code=303)
    told |= {"skipped": skipped} if skipped else {}
    return RedirectResponse(f"/review/{left[0]['id']}?{urlencode(told)}", status_code=303)


@router.post("/review/sample")
async def sample(request: Request, caller: Visitor, parts: Here) -> Response:
    """Draws an audit sample."""
    await _reviewer(caller)
    fields = await fields_of(request, parts, FORM_BYTES)
    wanted = _validated(
        SampleIn,
        {"probability": _number(fields.get("probability")), "since": f"{fields.get('since', '')}T00:00:00Z"},
    )
    drawn = await run_in_threadpool(drawn_sample, parts, caller, wanted)
    return RedirectResponse(f"/review?queue={Queue.AUDIT}&drawn={drawn}", status_code=303)


@router.get("/review/{id:uuid}")
async def item(
    request: Request,
    id: UUID,
    caller: ReadingVisitor,
    parts: Here,
    queue: Queue = Queue.DISPUTED,
    skipped: Skipped = "",
    said: UUID | None = None,
    open: bool = False,
) -> Response:
    """One claim to be judged. With `open` its verdict and findings are shown."""
    await _reviewer(caller)
    evaluation, earlier, before = await run_in_threadpool(_read, parts, caller, id, said)
    row, contents = await run_in_threadpool(read, parts, caller, evaluation["filing_id"])
    seen = open or queue is Queue.DIFFERING
    number = evaluation["claim_number"]
    texts = {one["number"]: one["text"] for one in contents.claims}
    ancestors = next(one["ancestors"] for one in contents.claims if one["number"] == number)
    return show(
        request,
        "review.html",
        evaluation=evaluation,
        brief=evaluations_of(row).get(number),
        claim=await claim_alone(parts, caller, row, contents, number),
        ancestors=[(each, texts[each]) for each in ancestors],
        queue=queue,
        title=WORDS[queue][0],
        seen=seen,
        predicted=predicted(evaluation["verdict"], evaluation["error_class"]),
        earlier=[each for each in earlier if each.finding is None] if seen else [],
        before=before,
        skipped=skipped,
        skip=",".join([*filter(None, skipped.split(",")), str(id)][-MAX_SKIPPED:]),
        adjudicates=queue is Queue.DIFFERING,
        began=int(transact(parts.watch, clock).timestamp()),
    )


@router.post("/review/{id:uuid}")
async def record(request: Request, id: UUID, caller: Visitor, parts: Here) -> Response:
    """Keeps what was said of a verdict, or of the finding that the form names, and leads on."""
    await _reviewer(caller)
    fields = await fields_of(request, parts, FORM_BYTES)
    given = await run_in_threadpool(_review, parts, caller, id, fields)
    await run_in_threadpool(
        partial(flow.review, parts.db, caller.name, given.review(), reviewer=caller.actor)
    )
    if "back" in fields:
        evaluation = await run_in_threadpool(_evaluation, parts, caller, id)
        place = f"/filings/{evaluation['filing_id']}/claims/{evaluation['claim_number']}"
        return RedirectResponse(f"{place}#reviews", status_code=303)
    told = {"queue": fields.get("queue", Queue.DISPUTED), "said": id, "skipped": fields.get("skipped", "")}
    return RedirectResponse(f"/review/next?{urlencode(told)}", status_code=303)


def _queued(parts: Parts, caller: Tenant, kind: Queue) -> list[RowMapping]:
    ask = partial(reviews.queue, tenant=caller.name, kind=kind, reviewer=caller.actor, limit=LISTED)
    return list(transact(parts.db, ask, tenant=caller.name))


def _evaluation(parts: Parts, caller: Tenant, id_: UUID) -> RowMapping:
    row = transact(
        parts.db, lambda connection: reads.evaluation(connection, caller.name, id_), tenant=caller.name
    )
    if row is None:
        raise NotFound("no such evaluation")
    return row


def _read(parts: Parts, caller: Tenant, id_: UUID, said: UUID | None) -> tuple[RowMapping, list[Any], Any]:
    """An evaluation with its reviews, and what the caller said last, with the verdict on that claim."""
    evaluation = _evaluation(parts, caller, id_)
    if evaluation["verdict"] is None:
        raise NotFound("no verdict to review")
    listed = of_evaluation(parts, caller, id_)
    before = None
    if said is not None:
        mine = [each for each in of_evaluation(parts, caller, said) if each.reviewer == caller.actor]
        other = _evaluation(parts, caller, said)
        if mine:
            before = {"said": mine[0], "predicted": predicted(other["verdict"], other["error_class"])}
    return evaluation, listed, before


def of_evaluation(parts: Parts, caller: Tenant, id_: UUID) -> list[Any]:
    """The reviews of an evaluation, newest first."""
    ask = partial(reviews.page, tenant=caller.name, evaluation_id=id_, limit=LISTED)
    rows = transact(parts.db, ask, tenant=caller.name)
    return [review_out(row, words=caller.reads_text) for row in rows]


def _review(parts: Parts, caller: Tenant, id_: UUID, fields: Mapping[str, str]) -> ReviewIn:
    """The review that a form describes."""
    evaluation = _evaluation(parts, caller, id_)
    given: dict[str, Any] = {
        "evaluation": str(id_),
        "reason": fields.get("reason", "").strip() or None,
        "blind": fields.get("blind") == "yes",
    }
    if began := _number(fields.get("began")):
        took = transact(parts.watch, clock).timestamp() - began
        given["seconds"] = min(max(0.0, took), float(MAX_SECONDS))
    if "rule" in fields:
        place = {name: int(_number(fields.get(name)) or 0) for name in ("start", "end")}
        return _validated(
            ReviewIn,
            given | {"finding": {"rule": fields["rule"], **place}, "answer": fields.get("answer", "")},
        )
    label = fields.get("label", "")
    said = predicted(evaluation["verdict"], evaluation["error_class"])
    answer = Answer.UNSURE if label == UNSURE else Answer.AGREE if label == said else Answer.DISAGREE
    status = ReviewStatus(fields["status"]) if fields.get("status") in set(ReviewStatus) else None
    given |= {"answer": str(answer), "label": None if label == UNSURE else label}
    if status is not None:
        given["status"] = str(status)
    if label not in {UNSURE, PASS} and (words := fields.get("words", "").strip()):
        given["span"] = _span(parts, caller, evaluation, words)
    return _validated(ReviewIn, given)


def _span(parts: Parts, caller: Tenant, evaluation: RowMapping, words: str) -> dict[str, int] | None:
    """Where words stand in a claim, whatever white space is between them; None if they do not."""
    _, contents = read(parts, caller, evaluation["filing_id"])
    text = next(one["text"] for one in contents.claims if one["number"] == evaluation["claim_number"])
    plain, wanted = text.replace("\n", " "), " ".join(words.split())
    start = plain.find(wanted)
    return None if start < 0 else {"start": start, "end": start + len(wanted)}


def _number(written: str | None) -> float | None:
    """A number in a form; None for anything else, also for an infinite one."""
    try:
        number = float(written or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _validated(model: type[Form], given: Mapping[str, Any]) -> Form:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise Invalid(of_validation(error.errors(include_input=False, include_url=False))) from None
