"""The tenant's term list: what the rules ignore and keep together, and the forms that change it."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant, refuse_beyond
from ace.api.parts import Here, Parts
from ace.api.term_bodies import TermIn
from ace.api.terms import added, removed, shown
from ace.api.validation import Invalid, of_validation
from ace.claims.terms import MAX_TERMS, TERM_CHARACTERS, TermKind
from ace.desk.forms import fields_of, local_path
from ace.desk.pages import Page, problem_of, show
from ace.desk.visitors import ReadingVisitor
from ace.errors import Refused
from ace.store.acts import REASON_CHARACTERS
from ace.store.scopes import Scope

router = APIRouter(route_class=Page, include_in_schema=False)

FORM_BYTES: Final = 16_384
WORDS: Final = {
    TermKind.IGNORE: ("Ignore", "The rules report nothing about it, except wrong references to claims."),
    TermKind.KEEP_TOGETHER: ("Keep together", "Its words are read as one, as if written with hyphens."),
}


@router.get("/terms")
def listed(request: Request, caller: ReadingVisitor, parts: Here) -> Response:
    """The list, and for those who review a form to add a term."""
    return _page(request, parts, caller)


@router.post("/terms")
async def add(request: Request, caller: ReadingVisitor, parts: Here) -> Response:
    """Adds a term, and shows the page from which it was added, or the list with what is wrong."""
    refuse_beyond(caller, [Scope.TEXT, Scope.REVIEW])
    fields = await fields_of(request, parts, FORM_BYTES)
    given = {"kind": fields.get("kind"), "term": fields.get("term", "").strip()}
    try:
        wanted = _validated(given | {"reason": fields.get("reason", "").strip() or None})
        await run_in_threadpool(added, parts, caller, wanted)
    except (Refused, Invalid) as error:
        status, problem = problem_of(request, error)
        return await run_in_threadpool(
            _page, request, parts, caller, given=given, status=status, problem=problem
        )
    return RedirectResponse(local_path(fields.get("back", "/terms")), status_code=303)


@router.post("/terms/{id:uuid}/remove")
async def remove(request: Request, id: UUID, caller: ReadingVisitor, parts: Here) -> Response:
    """Takes a term off the list, and shows it again."""
    refuse_beyond(caller, [Scope.TEXT, Scope.REVIEW])
    await run_in_threadpool(removed, parts, caller, id)
    return RedirectResponse("/terms", status_code=303)


def _page(
    request: Request,
    parts: Parts,
    caller: Tenant,
    *,
    given: Mapping[str, Any] | None = None,
    status: int = 200,
    problem: Mapping[str, Any] | None = None,
) -> Response:
    refuse_beyond(caller, [Scope.TEXT])
    return show(
        request,
        "terms.html",
        status=status,
        rows=shown(parts, caller).terms,
        kinds=WORDS,
        given=given or {},
        problem=problem,
        limits={"term": TERM_CHARACTERS, "reason": REASON_CHARACTERS, "terms": MAX_TERMS},
    )


def _validated(given: Mapping[str, Any]) -> TermIn:
    try:
        return TermIn.model_validate(given)
    except ValidationError as error:
        raise Invalid(of_validation(error.errors(include_input=False, include_url=False))) from None
