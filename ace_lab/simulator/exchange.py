"""How a response is sent: whole, as a stream, or broken on the way."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import Counter
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any, NoReturn

from starlette.types import Receive, Scope, Send

from ace.expert.protocol.refusals import ErrorResponse
from ace_lab.simulator.listener import TRANSPORT, reset

SIMULATED = {"x-simulated-by": "ace"}
JSON, PAGE, EVENTS = "application/json", "text/html", "text/event-stream"
_DONE = b"data: [DONE]\n\n"
_ANSWER_OPENS = b'{"choices": [{"message": {"content": "'
_PIECE_BYTES = 65_536


class Exchange:
    """Sends one response. `statuses` counts the statuses sent."""

    def __init__(self, scope: Scope, send: Send, statuses: Counter[int]) -> None:
        self._scope = scope
        self._send = send
        self._statuses = statuses

    async def error(self, error: ErrorResponse) -> None:
        """Sends an error."""
        kind = PAGE if isinstance(error.body, str) else JSON
        await self.whole(error.status, encoded(error.body), kind, error.headers)

    async def whole(
        self, status: int, body: bytes, kind: str = JSON, headers: dict[str, str] | None = None
    ) -> None:
        """Sends a response in one piece."""
        length = {"content-length": str(len(body))}
        await self._start(status, {"content-type": kind, **length, **(headers or {})})
        await self._send({"type": "http.response.body", "body": body})

    async def stream(self, events: Iterable[dict[str, Any]], seconds_between: float) -> None:
        """Sends server-sent events and the mark of their end."""
        await self._start(200, {"content-type": EVENTS})
        for event in events:
            await self._more(sse(event))
            if seconds_between:
                await asyncio.sleep(seconds_between)
        await self._send({"type": "http.response.body", "body": _DONE})

    async def drip(self, body: bytes, kind: str, seconds: float) -> None:
        """Sends the body, one byte every `seconds`."""
        await self._start(200, {"content-type": kind, "content-length": str(len(body))})
        for position in range(len(body)):
            await self._more(body[position : position + 1])
            await asyncio.sleep(seconds)
        await self._send({"type": "http.response.body", "body": b""})

    async def flood(self, kind: str) -> None:
        """Sends the beginning of an answer, and then a gigabyte of its text."""
        await self._pour(chain([_ANSWER_OPENS], repeat(b"a" * _PIECE_BYTES, 2**30 // _PIECE_BYTES)), kind)

    async def explode(self, kind: str) -> None:
        """Sends half a gigabyte of white space, compressed although the client asks for it plain."""
        packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)  # gzip
        opened = packer.compress(b" ") + packer.flush(zlib.Z_FULL_FLUSH)
        # After a full flush, a piece does not refer to anything before it, so it can be repeated.
        piece = packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
        await self._pour(chain([opened], repeat(piece, 512)), kind, {"content-encoding": "gzip"})

    async def break_off(self, body: bytes, kind: str, *, orderly: bool) -> NoReturn:
        """Sends half of the body, then resets or closes the connection."""
        await self._start(200, {"content-type": kind, "content-length": str(len(body))})
        await self._more(body[: len(body) // 2])
        await asyncio.sleep(_IN_TRANSIT_SECONDS)
        await self.abort(orderly=orderly)

    async def abort(self, *, orderly: bool = False) -> NoReturn:
        """Resets or closes the connection without an answer."""
        transport = self._scope.get("extensions", {}).get(TRANSPORT)
        if transport is None:
            raise RuntimeError("faults below HTTP need a connection of the simulator's own listener")
        if orderly:
            transport.close()
        else:
            reset(transport)
        await self.hang()

    async def hang(self) -> NoReturn:
        """Sends nothing until the client leaves and this is cancelled."""
        await asyncio.Event().wait()
        raise AssertionError("an event that nobody sets")

    async def _start(self, status: int, headers: dict[str, str]) -> None:
        self._statuses[status] += 1
        pairs = [(name.lower().encode(), value.encode()) for name, value in {**headers, **SIMULATED}.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})

    async def _pour(self, pieces: Iterable[bytes], kind: str, headers: dict[str, str] | None = None) -> None:
        await self._start(200, {"content-type": kind, **(headers or {})})
        for piece in pieces:
            await self._more(piece)
            await asyncio.sleep(0)  # or else a client that has left is not noticed
        await self._send({"type": "http.response.body", "body": b""})

    async def _more(self, body: bytes) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": True})


_IN_TRANSIT_SECONDS = 0.02


async def client_left(receive: Receive) -> None:
    """Waits until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def sse(event: dict[str, Any]) -> bytes:
    """One event of a stream."""
    return b"data: " + encoded(event) + b"\n\n"


def encoded(body: Any) -> bytes:
    """JSON as servers write it; a str as it is, with a lone surrogate (U+DC80 to U+DCFF) for each byte that
    is not UTF-8."""
    if isinstance(body, str):
        return body.encode("utf-8", "surrogateescape")
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
