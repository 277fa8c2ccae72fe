"""Named queries of the list of filings, which somebody keeps for the next time."""

from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant
from ace.api.parts import Here, Parts
from ace.desk.forms import fields_of
from ace.desk.pages import Page, PageError
from ace.desk.search import NotUnderstood, understood
from ace.desk.visitors import ReadingVisitor
from ace.store import views
from ace.store.database import transact

router = APIRouter(route_class=Page, include_in_schema=False)


@router.post("/views")
async def save(request: Request, caller: ReadingVisitor, parts: Here) -> Response:
    """Keeps the query of the form under its name, or forgets the name."""
    fields = await fields_of(request, parts)
    name, query = " ".join(fields.get("name", "").split()), " ".join(fields.get("q", "").split())
    if not 0 < len(name) <= views.NAME_CHARACTERS or not name.isprintable():
        raise PageError(
            422, "No name", f"Give the view a name of up to {views.NAME_CHARACTERS} printable characters."
        )
    kept: str | None = None
    if fields.get("do") != "forget":
        kept = query
        try:
            understood(query, datetime.now(UTC))
        except NotUnderstood as fault:
            raise PageError(422, "Not understood", str(fault)) from None
        known = await run_in_threadpool(saved, parts, caller)
        if name not in known and len(known) >= views.MAX_VIEWS:
            raise PageError(
                409, "Too many views", f"You have {views.MAX_VIEWS} views: forget one of them first."
            )
    work = partial(
        views.save, tenant=caller.name, key_id=caller.key_id, name=name, query=kept, actor=caller.actor
    )
    await run_in_threadpool(transact, parts.db, work, tenant=caller.name)
    return RedirectResponse(f"/?{urlencode({'q': query})}" if kept else "/", status_code=303)


def saved(parts: Parts, caller: Tenant) -> dict[str, str]:
    """The caller's views by name."""
    work = partial(views.of_key, tenant=caller.name, key_id=caller.key_id)
    return transact(parts.db, work, tenant=caller.name)
