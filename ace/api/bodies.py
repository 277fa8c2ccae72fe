"""Reading request bodies: whole and bounded, or line by line. Knows no model.

Limits are enforced while reading, so a missing or wrong Content-Length changes nothing.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from starlette.requests import Request

from ace.api.budget import Holding
from ace.errors import Refused

BODY_SECONDS: Final = 30  # for a whole body
SILENCE_SECONDS: Final = 60  # between two pieces of an upload


def media_of(request: Request, *wanted: str) -> str:
    """The media type of the body. Refuses other media types, and charsets other than UTF-8."""
    media, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().replace('"', "")
    media = media.strip().lower()
    if media not in wanted or charset not in {"", "charset=utf-8"}:
        raise Refused(f"the body must be {' or '.join(wanted)} in UTF-8", code="unsupported_media_type")
    return media


async def whole(request: Request, limit_bytes: int, held: Holding) -> bytes:
    """The body, counted in `held`.

    Raises Refused if it is longer than `limit_bytes` or arrives too slowly, TooMuch beyond the budget.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > limit_bytes:
        raise _too_large("the body", "body_too_large", limit_bytes)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                if len(body) + len(piece) > limit_bytes:
                    raise _too_large("the body", "body_too_large", limit_bytes)
                held.add(len(piece))
                body += piece
    except TimeoutError:
        raise Refused(
            f"the body took longer than {BODY_SECONDS} s", code="slow_body", limit=BODY_SECONDS
        ) from None
    return bytes(body)


async def pieces(request: Request) -> AsyncIterator[bytes]:
    """The body as it arrives. Raises Refused after a long silence; ClientDisconnect may come."""
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                piece = await anext(stream, None)
        except TimeoutError:
            raise Refused(
                f"no data arrived for {SILENCE_SECONDS} s", code="slow_body", limit=SILENCE_SECONDS
            ) from None
        if piece is None:
            return
        yield piece


def _too_large(what: str, code: str, limit_bytes: int) -> Refused:
    return Refused(f"{what} is longer than {limit_bytes} bytes", code=code, limit=limit_bytes, pointer="")


class Lines:
    """Cuts pieces into lines and holds at most one line; a longer one comes out as None."""

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self._held = bytearray()
        self._skipping = False

    @property
    def held(self) -> int:
        """Bytes of the unfinished line."""
        return len(self._held)

    def feed(self, piece: bytes) -> list[bytes | None]:
        """The lines that end in `piece`, without their line ends."""
        first, *others = piece.split(b"\n")
        if not others:
            self._hold(first)
            return []
        *whole, rest = others
        limit = self.limit_bytes
        lines = [self._end(first), *(line if len(line) <= limit else None for line in whole)]
        self._hold(rest)
        return lines

    def close(self) -> list[bytes | None]:
        """The last line, if it has no line end."""
        return [self._end(b"")] if self._held or self._skipping else []

    def _hold(self, part: bytes) -> None:
        if self._skipping:
            return
        if len(self._held) + len(part) > self.limit_bytes:
            self._held.clear()
            self._skipping = True
        else:
            self._held += part

    def _end(self, part: bytes) -> bytes | None:
        self._hold(part)
        line = None if self._skipping else bytes(self._held)
        self._held.clear()
        self._skipping = False
        return line


def line_too_long(limit_bytes: int) -> Refused:
    """The refusal of one line of an upload."""
    return _too_large("the line", "line_too_long", limit_bytes)
