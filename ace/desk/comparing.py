"""Two versions of a filing side by side: an amendment and what it amends."""

from collections import Counter
from functools import partial
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant, refuse_beyond
from ace.api.exports import read
from ace.api.parts import Here, Parts
from ace.claims.reports.comparison import Fate
from ace.comparison_work import Version, versions_compared
from ace.desk.filing import evaluations_of, is_relisted
from ace.desk.pages import Page, PageError, show
from ace.desk.visitors import ReadingVisitor
from ace.store import filings
from ace.store.database import transact
from ace.store.filings import Contents, FilingFilter
from ace.store.scopes import Scope

router = APIRouter(route_class=Page, include_in_schema=False)

CANDIDATES: Final = 50


@router.get("/filings/{id:uuid}/compare")
async def comparison(
    request: Request,
    id: UUID,
    caller: ReadingVisitor,
    parts: Here,
    with_: Annotated[UUID | None, Query(alias="with")] = None,
    docket: str | None = None,
) -> Response:
    """What became of the claims of the earlier of two versions in the later one; without a second one,
    versions to choose from."""
    refuse_beyond(caller, [Scope.TEXT])
    if with_ is None:
        return await run_in_threadpool(_choice, request, parts, caller, id, docket)
    (row, after), (earlier, before) = [
        await run_in_threadpool(read, parts, caller, each) for each in (id, with_)
    ]
    if earlier["created_at"] > row["created_at"]:
        (row, after), (earlier, before) = (earlier, before), (row, after)
    if before.purged_at or after.purged_at:
        raise PageError(410, "Text purged", "The text of one of these filings was removed.")
    claims = await parts.turns.run(
        caller.name, versions_compared, (_version(before), _version(after)), pointer=None
    )
    counts = Counter(each.fate for each in claims)
    totals = {name: sum(len(getattr(each, name)) for each in claims) for name in ("came", "went", "stayed")}
    return show(
        request,
        "comparison.html",
        filing=row,
        earlier=earlier,
        claims=claims,
        counts={fate: counts[fate] for fate in Fate if counts[fate]},
        totals=totals,
        relisted=any(is_relisted(version, settled=True) for version in (before, after)),
        verdicts=evaluations_of(row),
        verdicts_before=evaluations_of(earlier),
    )


def _version(contents: Contents) -> Version:
    claims = [(one["number"], one["text"], one["status"]) for one in contents.claims]
    return Version(claims, contents.current, contents.terms)


def _choice(request: Request, parts: Parts, caller: Tenant, filing_id: UUID, docket: str | None) -> Response:
    row, _ = read(parts, caller, filing_id)
    wanted = (docket or row["docket"]).strip()

    def work(connection: Connection) -> list[dict[str, Any]]:
        page = partial(filings.page, connection, caller.name, after=None, limit=CANDIDATES)
        return [dict(one) for one in page(FilingFilter(docket=wanted)) if one["id"] != filing_id]

    found = transact(parts.db, work, tenant=caller.name)
    return show(request, "versions.html", filing=row, docket=wanted, found=found)
