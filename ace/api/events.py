"""The feed of events: pages by cursor, and the same as a stream (server-sent events).

Events of a tenant are numbered in the order in which they become visible, so a reader that goes on from the
last one it has seen misses none, at whichever process it asks.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from ace.api import cursors
from ace.api.callers import Tenant
from ace.api.openapi import answers
from ace.api.parts import Here, Parts, Reader
from ace.api.problem_types import named
from ace.api.problems import RefusedPart
from ace.api.schemas import PageQuery
from ace.api.waiting import wait_seconds
from ace.claims.taxonomy import Verdict
from ace.errors import Refused
from ace.store import notices
from ace.store.database import transact
from ace.types.notices import NoticeKind
from ace.webhooks.payloads import data_of

router = APIRouter(prefix="/v1", tags=["events"])

STREAM: Final = "text/event-stream"
STREAM_SECONDS: Final = 300.0
"""After which a stream ends: the client goes on with `Last-Event-ID`, and its key is looked at again."""
PING_SECONDS: Final = 15.0
RETRY_MILLISECONDS: Final = 1_000
PAGE: Final = 200

_ID: Final = "01999f3e-5a1c-7c3e-9d2b-3f1a2b4c5d6e"
_NOTICE: Final[dict[str, Any]] = {
    "id": _ID,
    "type": "evaluation.decided",
    "timestamp": "2026-11-20T09:30:00.125Z",
    "data": {
        "evaluation": _ID,
        "filing": _ID,
        "claim": 1,
        "verdict": "Fail",
        "error_class": "antecedent",
        "link": f"/v1/evaluations/{_ID}",
    },
}


class NoticeData(BaseModel):
    """What an event is about; which fields there are depends on its type."""

    evaluation: UUID | None = Field(None, description="Of `evaluation.…`.")
    filing: UUID | None = Field(None, description="Of `evaluation.…` and `filing.settled`.")
    claim: int | None = Field(None, description="The claim's number, of `evaluation.…`.")
    verdict: Verdict | None = Field(None, description="Of `evaluation.decided`.")
    error_class: str | None = Field(None, description="Of `evaluation.decided`: null on a Pass.")
    error: str | None = Field(None, description="Of `evaluation.failed`: the kind of fault.")
    webhook: UUID | None = Field(None, description="Of `endpoint.disabled`.")
    reason: str | None = Field(None, description="Of `endpoint.disabled`: `gone` or `failing`.")
    link: str = Field(description="Where to read more, relative to the root of the API.")


class NoticeOut(BaseModel):
    """Something that has happened to a filing, an evaluation or a webhook."""

    model_config = ConfigDict(json_schema_extra={"examples": [_NOTICE]})

    id: UUID = Field(description="The same in the feed, in the stream and in the header `webhook-id`.")
    type: NoticeKind
    timestamp: str
    data: NoticeData


class NoticePage(BaseModel):
    """Events in their order, the oldest first."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"events": [_NOTICE], "next": "A" * cursors.CURSOR_CHARACTERS}]}
    )

    events: list[NoticeOut]
    next: str = Field(description="Send it as `cursor` for what comes after; there is always one.")


class FeedQuery(PageQuery):
    """Where in the feed to begin."""

    model_config = ConfigDict(extra="forbid")

    start: Literal["latest"] | None = Field(
        None,
        description="Without a cursor: begin with what happens from now on, and not with the first event.",
    )


def _answers() -> dict[Any, Any]:
    """What the route answers: a page or a stream, or problems."""
    told = answers(
        *named("bad_cursor", "too_many_waits"), headers={"Preference-Applied": "The wait that was granted."}
    )
    example = (
        f"id: {'A' * cursors.CURSOR_CHARACTERS}\nevent: {_NOTICE['type']}\ndata: {json.dumps(_NOTICE)}\n\n"
    )
    stream = {"schema": {"type": "string", "description": "Server-sent events."}, "example": example}
    told[200]["content"] = {STREAM: stream}
    return told


@router.get(
    "/events",
    operation_id="list_notices",
    summary="What has happened, in order",
    response_model=NoticePage,
    response_model_exclude_unset=True,
    responses=_answers(),
)
async def events(
    request: Request,
    caller: Reader,
    parts: Here,
    response: Response,
    query: Annotated[FeedQuery, Query()],
    prefer: Annotated[
        str | None,
        Header(alias="Prefer", description="`wait=N`: answer as soon as there is an event (maximum 60)."),
    ] = None,
    last_event_id: Annotated[
        str | None,
        Header(
            alias="Last-Event-ID",
            description="Of a stream: the `id` of the last event that arrived, as `cursor`.",
        ),
    ] = None,
) -> object:
    """A page, or with `Accept: text/event-stream` a stream that goes on with what happens.

    Each event is in the feed once, and none is ever added before one that was read. The `id` of an event in a
    stream is its cursor. Streams end now and then: go on with `Last-Event-ID`, as browsers do by themselves.
    """
    feed = _Feed(parts, caller)
    after = await feed.place_of(query, last_event_id)
    if STREAM in request.headers.get("accept", "").lower():
        parts.watcher.refuse_crowd(caller.name)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(feed.stream(after), media_type=STREAM, headers=headers)
    response.headers["Cache-Control"] = "private, no-cache"
    seconds = wait_seconds(prefer)
    if seconds is not None:
        response.headers["Preference-Applied"] = f"wait={seconds}"
        with parts.watcher.admitted(caller.name):
            await feed.wait(after, seconds)
    rows = await feed.read(after, query.limit)
    last = rows[-1]["number"] if rows else after
    return {"events": [notice_of(row) for row in rows], "next": feed.cursor(last)}


def notice_of(row: RowMapping) -> dict[str, Any]:
    """A row of `store.notices` as clients see it, in plain JSON."""
    kind = NoticeKind(row["kind"])
    timestamp = row["at"].isoformat()
    return {
        "id": str(row["id"]),
        "type": kind.value,
        "timestamp": timestamp,
        "data": data_of(kind, dict(row)),
    }


class _Feed:
    """The feed of one tenant, for one request."""

    def __init__(self, parts: Parts, caller: Tenant) -> None:
        self._parts = parts
        self._tenant = caller.name
        self._secrets = parts.settings.secrets
        self._scope = [caller.name, "events"]

    def cursor(self, number: int) -> str:
        """The cursor of what comes after the event with this number."""
        return cursors.write(self._secrets, self._scope, UUID(int=number))

    async def place_of(self, query: FeedQuery, last_event_id: str | None) -> int:
        """The number after which to begin. Raises Refused for a foreign cursor."""
        if last_event_id:
            try:
                return cursors.read(self._secrets, self._scope, last_event_id).int
            except Refused as refused:
                raise RefusedPart(
                    refused.message, code=refused.code, part="header", name="Last-Event-ID"
                ) from None
        if query.cursor is not None:
            return cursors.read(self._secrets, self._scope, query.cursor).int
        return await run_in_threadpool(self._head) if query.start else 0

    async def read(self, after: int, limit: int) -> Sequence[RowMapping]:
        """Events after a number."""
        ask = partial(notices.after, tenant=self._tenant, number=after, limit=limit)
        return await run_in_threadpool(transact, self._parts.db, ask, tenant=self._tenant)

    async def wait(self, after: int, seconds: float) -> bool:
        """Waits until there is an event after a number; whether there is, or the process stops."""
        with self._parts.watcher.following(self._tenant, after) as wait, suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await wait.done.wait()
                return True
        return False

    async def stream(self, after: int) -> AsyncIterator[bytes]:
        """Events as they come, for a while."""
        until = time.monotonic() + STREAM_SECONDS
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        with self._parts.watcher.admitted(self._tenant):
            while not self._parts.watcher.stopped and time.monotonic() < until:
                rows = await self.read(after, PAGE)
                if rows:
                    after = rows[-1]["number"]
                    yield b"".join(map(self._sent, rows))
                elif not await self.wait(after, PING_SECONDS):
                    yield b": nothing yet\n\n"

    def _sent(self, row: RowMapping) -> bytes:
        data = json.dumps(notice_of(row), separators=(",", ":"))
        return f"id: {self.cursor(row['number'])}\nevent: {row['kind']}\ndata: {data}\n\n".encode()

    def _head(self) -> int:
        ask = partial(notices.heads, tenants=[self._tenant])
        return transact(self._parts.db, ask, tenant=self._tenant).get(self._tenant, 0)
