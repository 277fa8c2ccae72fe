"""Routes that look at filings: a page of them, and the claims of one."""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Response
from sqlalchemy import RowMapping

from ace.api import cursors
from ace.api.openapi import answers
from ace.api.parts import Here, Nothing, Parts, Reader, TextReader
from ace.api.problem_types import NOT_FOUND, named
from ace.api.schemas import ClaimText, FilingClaims, FilingListed, FilingPage, FilingsQuery
from ace.errors import NotFound
from ace.flow.analysing import RULES
from ace.store import filings
from ace.store.database import transact

router = APIRouter(prefix="/v1", tags=["filings"])


@router.get(
    "/filings",
    operation_id="list_filings",
    summary="Filings of your tenant, newest first",
    responses=answers(*named("bad_cursor")),
)
def listed(caller: Reader, parts: Here, query: Annotated[FilingsQuery, Query()]) -> FilingPage:
    """One page; `next` leads to the one after it, with the same filter.

    `state`, `verdict`, `decided_by`, `error_class`, `error`, `model`, `reviewed` and `disputed` select
    filings with an evaluation to which all of them apply.
    """
    which = filter_of(query)
    rows, following = page_of(
        parts, caller.name, which, asked_of(which), cursor=query.cursor, limit=query.limit
    )
    return FilingPage(filings=[_listed(row) for row in rows], next=following)


def filter_of(query: FilingsQuery) -> filings.FilingFilter:
    """The filter that the parameters of the list describe."""
    return filings.FilingFilter(
        docket=query.docket,
        since=query.since,
        until=query.until,
        state=query.state,
        verdict=query.verdict,
        decided_by=query.decided_by,
        error_class=query.error_class,
        error=query.error,
        model=query.model,
        reviewed=query.reviewed,
        disputed=query.disputed is not None,
    )


def asked_of(which: filings.FilingFilter) -> list[str]:
    """What a cursor of the list is good for, besides the tenant."""
    return ["" if value is None else f"={value}" for value in astuple(which)]


def page_of(
    parts: Parts,
    tenant: str,
    which: filings.FilingFilter,
    asked: Sequence[str],
    *,
    cursor: str | None,
    limit: int,
) -> tuple[list[RowMapping], str | None]:
    """A page of `filings.page`, and the cursor of the next one, which is good for what was asked alone.
    Raises Refused for a foreign cursor."""
    secrets = parts.settings.secrets
    scope = [tenant, "filings", *asked]
    after = None if cursor is None else cursors.read(secrets, scope, cursor)
    rows = transact(
        parts.db,
        lambda connection: filings.page(connection, tenant, which, after=after, limit=limit + 1),
        tenant=tenant,
    )
    more = len(rows) > limit
    shown = list(rows[:limit])
    return shown, cursors.write(secrets, scope, shown[-1]["id"]) if more else None


def is_settled(row: RowMapping) -> bool:
    """Whether no evaluation of a listed filing moves by itself any more."""
    return not row["open"]


def _listed(row: RowMapping) -> FilingListed:
    same = ("id", "docket", "priority", "created_at", "updated_at", "states", "verdicts", "disputed")
    given: dict[str, Any] = {name: row[name] for name in same}
    return FilingListed(**given, claims=row["claim_count"], settled=is_settled(row))


@router.get(
    "/filings/{id:uuid}/claims",
    operation_id="list_claims",
    summary="The claims of a filing",
    responses=answers(NOT_FOUND),
)
def claims(id: UUID, caller: TextReader, parts: Here, response: Response, _: Nothing) -> FilingClaims:
    """As they are stored: spans of findings count in these texts."""
    response.headers["Cache-Control"] = "no-store"
    found = transact(
        parts.db,
        lambda connection: filings.contents(connection, caller.name, id, RULES),
        tenant=caller.name,
    )
    if found is None:
        raise NotFound("no such filing")
    return FilingClaims(
        filing=id, claims=[ClaimText(**{**one, "text": one["text"] or None}) for one in found.claims]
    )
