"""The list of filings, and the samples for an empty desk."""

from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant
from ace.api.filing_pages import is_settled, page_of
from ace.api.filings import stored
from ace.api.intake import FilingIn, new_filing
from ace.api.parts import Here, Parts
from ace.claims.taxonomy import Verdict
from ace.desk.pages import Page, PageError, show
from ace.desk.saved_views import saved
from ace.desk.search import QUALIFIERS, QUERY_CHARACTERS, NotUnderstood, understood
from ace.desk.visitors import SubmittingVisitor, Visitor
from ace.errors import Conflict
from ace.local import samples
from ace.store.database import clock, transact
from ace.store.scopes import Scope
from ace.store.tables import FINAL, State

router = APIRouter(route_class=Page, include_in_schema=False)

PAGE: Final = 50
VIEWS: Final = {
    "All": "",
    "With a Fail": "verdict:Fail",
    "Disputed": "disputed:yes",
    "Waiting for the expert": "state:escalated",
    "Failed without a verdict": "state:failed",
    "Not reviewed": "reviewed:no",
}
EXAMPLES: Final = (
    "verdict:Fail class:antecedent",
    "by:expert disputed:yes since:2026-11-01",
    "docket:P-2041-US",
)


@router.get("/")
def listed(
    request: Request, caller: Visitor, parts: Here, q: str = "", cursor: str | None = None
) -> Response:
    """A page of filings that match the query, newest first."""
    if Scope.READ not in caller.scopes and Scope.SUBMIT in caller.scopes:
        return RedirectResponse("/submit", status_code=303)
    if Scope.READ not in caller.scopes:
        raise PageError(
            403, "Nothing to see with this key", "It has neither the scope read nor the scope submit."
        )
    query = " ".join(q.split())
    named = saved(parts, caller)
    try:
        which = understood(query, transact(parts.watch, clock))
    except NotUnderstood as fault:
        return _page(request, query, saved=named, status=422, fault=str(fault))
    rows, following = page_of(parts, caller.name, which, ["desk", query], cursor=cursor, limit=PAGE)
    link = f"/?{urlencode({'q': query, 'cursor': following})}" if following else None
    shown = [_shown(row) for row in rows]
    return _page(request, query, saved=named, rows=shown, following=link, later=cursor is not None)


def _page(request: Request, query: str, *, status: int = 200, **more: Any) -> Response:
    context = {"rows": [], "following": None, "later": False, "fault": None, **more}
    live = any(not row["settled"] for row in context["rows"])
    return show(
        request,
        "filings.html",
        status=status,
        query=query[:QUERY_CHARACTERS],
        views=VIEWS,
        examples=EXAMPLES,
        qualifiers=QUALIFIERS,
        live=live,
        **context,
    )


def _shown(row: RowMapping) -> dict[str, Any]:
    states = row["states"]
    return {
        **row,
        "settled": is_settled(row),
        "done": sum(states.get(state, 0) for state in FINAL),
        "evaluations": sum(states.values()),
        "passes": row["verdicts"].get(Verdict.PASS, 0),
        "fails": row["verdicts"].get(Verdict.FAIL, 0),
        "failed": states.get(State.FAILED, 0),
    }


@router.post("/samples")
async def file_samples(request: Request, caller: SubmittingVisitor, parts: Here) -> Response:
    """Files the samples; those that were filed before stay as they are."""
    await run_in_threadpool(_file_samples, parts, caller)
    return RedirectResponse("/", status_code=303)


def _file_samples(parts: Parts, caller: Tenant) -> None:
    for sample in reversed(samples.load()):  # the first is the newest, and stands on top
        body = FilingIn(docket=sample.docket, claims=sample.text)
        with suppress(Conflict):  # an earlier version filed other samples under these names
            stored(parts, caller, new_filing(body, caller.name, f"sample:{sample.docket}"))
