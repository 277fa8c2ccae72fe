"""Routes of the tenant's term list, which the rules obey."""

from functools import partial
from uuid import UUID

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant
from ace.api.intake import parse
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Nothing, Parts, Reviewer, TextReader, json_body
from ace.api.problem_types import BODIES, NOT_FOUND, named
from ace.api.term_bodies import TERM_EXAMPLE, TermAdded, TermIn, TermList, TermOut
from ace.claims.terms import Terms, term_of
from ace.errors import NotFound
from ace.store import terms
from ace.store.database import transact

router = APIRouter(prefix="/v1", tags=["terms"])


@router.get("/terms", operation_id="list_terms", summary="Your term list", responses=answers())
def listed(caller: TextReader, parts: Here, response: Response, _: Nothing) -> TermList:
    """A term may be words of a claim, so the key needs the scope `text`."""
    response.headers["Cache-Control"] = "no-store"
    return shown(parts, caller)


@router.post(
    "/terms",
    operation_id="add_term",
    status_code=201,
    summary="Add a term to your list",
    response_model=TermAdded,
    responses=answers(*BODIES, *named("bad_term", "too_many_terms")),
    openapi_extra=takes("TermIn", example=TERM_EXAMPLE),
)
async def add(request: Request, caller: Reviewer, parts: Here, _: Nothing) -> TermAdded:
    """The rules obey it from the next analysis on; verdicts stay as they are. Idempotent."""
    async with json_body(request, parts, caller) as raw:
        wanted = parse(TermIn, raw)
    return TermAdded(term=await run_in_threadpool(added, parts, caller, wanted))


@router.delete(
    "/terms/{id:uuid}",
    operation_id="remove_term",
    status_code=204,
    summary="Take a term off your list",
    responses=answers(NOT_FOUND),
)
def remove(id: UUID, caller: Reviewer, parts: Here, _: Nothing) -> None:
    """What the list was at any time stays on record."""
    removed(parts, caller, id)


def shown(parts: Parts, caller: Tenant) -> TermList:
    """The caller's list."""
    rows = transact(parts.db, partial(terms.listed, tenant=caller.name), tenant=caller.name)
    return TermList(terms=[TermOut(**row) for row in rows], digest=terms.list_of(rows).digest)


def added(parts: Parts, caller: Tenant, wanted: TermIn) -> UUID:
    """Adds a term to the caller's list; returns its id. Raises Refused."""
    term = term_of(wanted.kind, wanted.term, pointer="/term")
    work = partial(
        terms.add,
        tenant=caller.name,
        kind=wanted.kind,
        term=term,
        actor=caller.actor,
        reason=wanted.reason or "",
    )
    return transact(parts.db, work, tenant=caller.name)


def removed(parts: Parts, caller: Tenant, term_id: UUID) -> None:
    """Takes a term off the caller's list. Raises NotFound."""
    work = partial(terms.remove, tenant=caller.name, term_id=term_id, actor=caller.actor)
    if not transact(parts.db, work, tenant=caller.name):
        raise NotFound("no such term")


def list_of(parts: Parts, caller: Tenant) -> Terms:
    """What the rules obey for the caller."""
    return transact(parts.db, partial(terms.of_tenant, tenant=caller.name), tenant=caller.name)
