"""The route of many filings at once: NDJSON in, NDJSON out, both as streams.

Three tasks share one upload: one reads lines, one stores them in batches, one sends the results.
A bad line is refused alone; if the database is lost, the remaining lines are refused. If results that the
client does not take yet have no room on disk, the last one says from which line on nothing was stored.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from ace.api import bodies, problems
from ace.api.budget import Holding
from ace.api.fields import idempotency_key
from ace.api.filings import IdempotencyKey
from ace.api.intake import FILING_EXAMPLE
from ace.api.openapi import answers, lines
from ace.api.parts import Here, Nothing, Submitter
from ace.api.problem_types import named
from ace.api.spool import SPOOLED_BYTES_IN_MEMORY, Pending, Spool, UploadLine
from ace.api.storing import Storing, refused_line, unread_line
from ace.errors import Refused, TooMuch
from ace.types.json_text import BYTE_ORDER_MARK

router = APIRouter(prefix="/v1", tags=["filings"])

NDJSON: Final = "application/x-ndjson"
WHOLE: Final = ("empty_body", "malformed_encoding", "body_too_large")  # for what no line is to blame
ANSWER_EXAMPLE: Final = (
    '{"line":1,"status":202,"filing":"0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e0f","evaluations":'
    '[{"id":"0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10","claim":1}],"canceled":[],"notes":[]}\n'
    '{"line":2,"status":422,"problem":{"type":"/problems/empty_claim","title":"Empty claim",'
    '"status":422,"detail":"claim 3 is empty","instance":"urn:uuid:…","errors":[…]}}\n'
)


@router.post(
    "/filings/bulk",
    operation_id="submit_filings",
    summary="Submit many claim sets, one per line",
    response_class=Response,
    responses={
        **answers(*named("unsupported_media_type", "too_many_bytes", "bad_idempotency_key", *WHOLE)),
        200: {
            "description": "One result per line, in order, as they are stored: status 202 with ids, or"
            " another status with a problem; 429 if the tenant's backlog has no room for the line."
            " Blank lines are skipped, but count.",
            "content": {NDJSON: lines("BulkResult", ANSWER_EXAMPLE)},
        },
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {NDJSON: lines("BulkLine", json.dumps(FILING_EXAMPLE) + "\n")},
        }
    },
)
async def submit(
    request: Request, caller: Submitter, parts: Here, _: Nothing, key: IdempotencyKey = None
) -> Response:
    """With an Idempotency-Key, line n gets the key "<key>#n" unless it has its own."""
    bodies.media_of(request, NDJSON, "application/ndjson", "application/jsonl")
    store = Storing(parts, caller, idempotency_key(key))
    pieces = bodies.pieces(request)
    held = parts.budget.of(caller.name)
    return Upload(pieces, store, parts.settings.max_body_bytes, parts.storing, held)


class Upload(Response):
    """A response that is written while the request is still being read."""

    media_type = NDJSON

    def __init__(
        self,
        pieces: AsyncIterator[bytes],
        store: Callable[[Sequence[UploadLine]], bytes],
        limit_bytes: int,
        turns: asyncio.Semaphore,
        held: Holding,
    ) -> None:
        super().__init__()
        self._pieces = pieces
        self._store = store
        self._lines = bodies.Lines(limit_bytes)
        self._line_bytes = 0  # of the unfinished line, as far as they are counted
        self._turns = turns
        self._held = held  # the unfinished line, and lines that are not stored yet
        self._ended: tuple[int, Refused | TooMuch] | None = None  # before its end, at this line
        self._whole: Response | None = None  # in place of results, of which there are none

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the three tasks; the headers are sent with the first result."""
        pending = Pending()
        with self._held, Spool() as spool:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read(pending))
                tasks.create_task(self._store_all(pending, spool))
                await self._send(spool, scope, receive, send)

    async def _read(self, pending: Pending) -> None:
        number = 0
        try:
            self._held.add(SPOOLED_BYTES_IN_MEMORY)
            arrived = False
            async for piece in self._pieces:
                arrived = arrived or bool(piece)
                number = await self._hand_on(self._lines.feed(piece), number, pending)
            number = await self._hand_on(self._lines.close(), number, pending)
            if not arrived:
                bodies.refuse_empty(b"")
        except ClientDisconnect:
            pass  # complete lines are stored; half a line is not
        except (Refused, TooMuch) as refused:
            self._ended = (number + 1, refused)
        await pending.close()

    async def _hand_on(self, found: list[bytes | None], number: int, pending: Pending) -> int:
        wanted = [
            UploadLine(at, raw)
            for at, raw in enumerate(found, start=number + 1)
            if raw is None or raw.removeprefix(BYTE_ORDER_MARK).strip()
        ]
        growth = self._lines.held - self._line_bytes
        self._held.add(growth + sum(line.cost for line in wanted))
        self._line_bytes = self._lines.held
        if wanted:
            await pending.put(wanted)
        else:  # an upload of blank lines must not keep others waiting
            await asyncio.sleep(0)
        return number + len(found)

    async def _store_all(self, pending: Pending, spool: Spool) -> None:
        unread: int | None = None  # the first line that is not stored, because its result would have no room
        while batch := await pending.take():
            if not spool.full:
                async with self._turns:
                    spool.put(await run_in_threadpool(self._store, batch))
            elif unread is None:
                unread = batch[0].number
                spool.put(unread_line(unread))
            self._held.add(-sum(line.cost for line in batch))
        match None if unread else self._ended:
            case (_, TooMuch() as refused) if not spool.begun:
                self._whole = problems.excess(refused)
            case (_, Refused(code=code) as refused) if not spool.begun and code in WHOLE:
                self._whole = problems.respond(problems.of_refusal(refused))
            case (number, refused):
                spool.put(refused_line(number, refused))
        spool.close()

    async def _send(self, spool: Spool, scope: Scope, receive: Receive, send: Send) -> None:
        data = await spool.take()
        if self._whole is not None:
            await self._whole(scope, receive, send)
            return
        headers = [(b"content-type", NDJSON.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while data:
            await send({"type": "http.response.body", "body": data, "more_body": True})
            data = await spool.take()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
