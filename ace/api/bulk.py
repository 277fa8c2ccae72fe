"""The route of many filings at once: NDJSON in, NDJSON out, both as streams.

Three tasks share one upload: one reads lines, one stores them in batches, one sends the results.
A bad line is refused alone; if the database is lost, the remaining lines are refused.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from ace.api import bodies
from ace.api.fields import idempotency_key
from ace.api.filings import IdempotencyKey
from ace.api.intake import FILING_EXAMPLE
from ace.api.openapi import answers, takes
from ace.api.parts import Here, Nothing, Submitter
from ace.api.spool import Pending, Spool, UploadLine
from ace.api.storing import Storing, refused_line
from ace.errors import Refused

router = APIRouter(prefix="/v1", tags=["filings"])

NDJSON: Final = "application/x-ndjson"
ANSWER_EXAMPLE: Final = (
    '{"line":1,"status":202,"filing":"0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e0f","evaluations":'
    '[{"id":"0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10","claim":1}],"canceled":[]}\n'
    '{"line":2,"status":422,"problem":{"type":"urn:ace:problem:empty_claim","title":"Empty claim",'
    '"status":422,"detail":"claim 3 is empty","instance":"urn:uuid:…","errors":[…]}}\n'
)


@router.post(
    "/filings/bulk",
    operation_id="submit_filings",
    summary="Submit many claim sets, one per line",
    response_class=Response,
    responses={
        **answers(415, 422),
        200: {
            "description": "One result per line, in order, as they are stored: status 202 with ids, or"
            " another status with a problem; 429 if the tenant's backlog has no room for the line."
            " Blank lines are skipped, but count.",
            "content": {NDJSON: {"schema": {"type": "string"}, "example": ANSWER_EXAMPLE}},
        },
    },
    openapi_extra=takes("BulkLine", NDJSON, example=json.dumps(FILING_EXAMPLE) + "\n"),
)
async def submit(
    request: Request, caller: Submitter, parts: Here, _: Nothing, key: IdempotencyKey = None
) -> Response:
    """With an Idempotency-Key, line n gets the key "<key>#n" unless it has its own."""
    bodies.media_of(request, NDJSON, "application/ndjson", "application/jsonl")
    store = Storing(parts, caller, idempotency_key(key))
    pieces = bodies.pieces(request)
    return Upload(pieces, store, parts.settings.max_body_bytes, parts.storing)


class Upload(Response):
    """A response that is written while the request is still being read."""

    media_type = NDJSON

    def __init__(
        self,
        pieces: AsyncIterator[bytes],
        store: Callable[[Sequence[UploadLine]], bytes],
        limit_bytes: int,
        turns: asyncio.Semaphore,
    ) -> None:
        super().__init__()
        self._pieces = pieces
        self._store = store
        self._limit_bytes = limit_bytes
        self._turns = turns
        self._ending = b""  # a last line about the upload itself

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the three tasks; the headers are sent with the first result."""
        pending = Pending()
        with Spool() as spool:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read(pending))
                tasks.create_task(self._store_all(pending, spool))
                await self._send(spool, send)

    async def _read(self, pending: Pending) -> None:
        lines = bodies.Lines(self._limit_bytes)
        number = 0
        try:
            async for piece in self._pieces:
                number = await self._hand_on(lines.feed(piece), number, pending)
            number = await self._hand_on(lines.close(), number, pending)
        except ClientDisconnect:
            pass  # complete lines are stored; half a line is not
        except Refused as refused:
            self._ending = refused_line(number + 1, refused)
        await pending.close()

    async def _hand_on(self, found: list[bytes | None], number: int, pending: Pending) -> int:
        wanted = [
            UploadLine(at, raw)
            for at, raw in enumerate(found, start=number + 1)
            if raw is None or raw.strip()
        ]
        if wanted:
            await pending.put(wanted)
        else:  # an upload of blank lines must not keep others waiting
            await asyncio.sleep(0)
        return number + len(found)

    async def _store_all(self, pending: Pending, spool: Spool) -> None:
        while batch := await pending.take():
            async with self._turns:
                spool.put(await run_in_threadpool(self._store, batch))
        spool.put(self._ending)
        spool.close()

    async def _send(self, spool: Spool, send: Send) -> None:
        data = await spool.take()
        headers = [(b"content-type", NDJSON.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while data:
            await send({"type": "http.response.body", "body": data, "more_body": True})
            data = await spool.take()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
