"""The route of many filings at once: NDJSON in, NDJSON out, both as streams.

Three tasks share one upload: one reads lines, one stores batches of them, one sends what became
of each. A bad line refuses that line alone; a lost database refuses the lines that remain.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from ace import flow
from ace.api import bodies, problems
from ace.api.fields import idempotency_key
from ace.api.filings import IdempotencyKey
from ace.api.intake import FILING_EXAMPLE, BulkLine, new_filing, parse
from ace.api.keys import Tenant
from ace.api.metrics import fault
from ace.api.parts import Caller, Here, Nothing, Parts, answers, takes
from ace.api.spool import Pending, Spool, UploadLine
from ace.errors import Conflict, Refused, Unavailable
from ace.store.moves import Accepted, NewFiling

log = logging.getLogger(__name__)

router = APIRouter(prefix="/v1", tags=["filings"])

NDJSON: Final = "application/x-ndjson"
ANSWER_EXAMPLE: Final = (
    '{"line":1,"status":202,"filing":"0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e0f","evaluations":'
    '[{"id":"0199d2a0-5b1c-7e53-9c11-6d2f0a7c4e10","claim":1}]}\n'
    '{"line":2,"status":422,"problem":{"type":"urn:ace:problem:empty_claim","title":"Empty claim",'
    '"status":422,"detail":"claim 3 is empty","instance":"urn:uuid:…","errors":[…]}}\n'
)


@router.post(
    "/filings/bulk",
    operation_id="submit_filings",
    summary="Submit many claim sets, one a line",
    response_class=Response,
    responses={
        **answers(401, 415, 422),
        200: {
            "description": "One result a line, in order, as they come: status 202 with ids, or"
            " another status with a problem. Blank lines are skipped, but count.",
            "content": {NDJSON: {"schema": {"type": "string"}, "example": ANSWER_EXAMPLE}},
        },
    },
    openapi_extra=takes("BulkLine", NDJSON, example=json.dumps(FILING_EXAMPLE) + "\n"),
)
async def submit(
    request: Request, caller: Caller, parts: Here, _: Nothing, key: IdempotencyKey = None
) -> Response:
    """With an Idempotency-Key, line n has the key "<key>#n" unless it carries one of its own."""
    bodies.refuse_other_media(request, NDJSON, "application/ndjson", "application/jsonl")
    store = Storing(parts, caller, idempotency_key(key))
    pieces = bodies.pieces(request)
    return Upload(pieces, store, parts.settings.max_body_bytes, parts.storing)


class Upload(Response):
    """A response that is written while its request is still being read."""

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
        """Runs the three tasks; the headers go out with the first result."""
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
            pass  # what came whole is stored; half a line is no line
        except Refused as refused:
            self._ending = _refused(number + 1, refused)
        await pending.close()

    async def _hand_on(self, found: list[bytes | None], number: int, pending: Pending) -> int:
        numbered = [UploadLine(at, raw) for at, raw in enumerate(found, start=number + 1)]
        wanted = [line for line in numbered if line.raw is None or line.raw.strip()]
        if wanted:
            await pending.put(wanted)
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


def _line(number: int, status: int, **more: Any) -> bytes:
    answer = {"line": number, "status": status, **more}
    return json.dumps(answer, separators=(",", ":")).encode() + b"\n"


def _problem(number: int, document: dict[str, Any]) -> bytes:
    return _line(number, document["status"], problem=document)


def _refused(number: int, refused: Refused) -> bytes:
    return _problem(number, problems.of_refusal(refused))


@dataclass
class Storing:
    """Stores the batches of one upload, one after the other, and words a result for each line."""

    parts: Parts
    caller: Tenant
    key: str | None
    away: str | None = field(default=None)  # the part that was lost on the way

    def __call__(self, lines: Sequence[UploadLine]) -> bytes:
        """The results of a batch, in order, as NDJSON."""
        results: dict[int, bytes] = {}
        groups: list[dict[int, NewFiling]] = [{}]
        keys: set[str] = set()
        for number, raw in lines:
            filing = None if self.away else self._read(number, raw, results)
            if filing is None:
                continue
            if filing.idempotency_key in keys:  # the same filing twice is stored, then found
                groups.append({})
                keys.clear()
            if filing.idempotency_key is not None:
                keys.add(filing.idempotency_key)
            groups[-1][number] = filing
        for group in groups:
            if group and not self.away:
                self._submit(group, results)
        lost = problems.unavailable(self.away) if self.away else {}
        return b"".join(results.get(number) or _problem(number, lost) for number, _ in lines)

    def _read(self, number: int, raw: bytes | None, results: dict[int, bytes]) -> NewFiling | None:
        try:
            if raw is None:
                raise bodies.line_too_long(self.parts.settings.max_body_bytes)
            line = parse(BulkLine, raw)
            key = line.idempotency_key or (self.key and f"{self.key}#{number}")
            return new_filing(line, self.caller.name, key)
        except problems.Invalid as invalid:
            results[number] = _problem(number, invalid.document)
        except Refused as refused:
            results[number] = _refused(number, refused)
        return None

    def _submit(self, group: dict[int, NewFiling], results: dict[int, bytes]) -> None:
        try:
            accepted = flow.submit(self.parts.db, list(group.values()), actor=self.caller.actor)
        except Unavailable as error:
            self.away = error.part
            return
        except DBAPIError as error:
            if len(group) > 1:  # one filing breaks the statement: the others go through
                for number, filing in group.items():
                    if not self.away:
                        self._submit({number: filing}, results)
                return
            (number,) = group
            document = problems.unexpected()
            log.error("a line failed", extra={"instance": document["instance"], **fault(error)})
            results[number] = _problem(number, document)
            return
        for number, one in zip(group, accepted, strict=True):
            results[number] = _accepted(number, one)


def _accepted(number: int, one: Accepted) -> bytes:
    if one.conflict:
        words = "this idempotency key came before with another body"
        return _problem(number, problems.of_conflict(Conflict(words), pointer="/idempotency_key"))
    evaluations = [{"id": str(id_), "claim": claim} for claim, id_ in one.evaluations]
    return _line(number, 202, filing=str(one.filing_id), evaluations=evaluations)
