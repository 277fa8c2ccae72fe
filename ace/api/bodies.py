"""Reading request bodies: whole and bounded, or line by line. Knows no model.

Limits are enforced while reading, so a missing or wrong Content-Length changes nothing.
"""

import asyncio
from collections.abc import AsyncIterator
from email.message import Message
from typing import Final

from starlette.requests import Request

from ace.api.budget import Holding
from ace.api.codings import coding_of, unpacked
from ace.errors import Refused
from ace.types.json_text import BYTE_ORDER_MARK

BODY_SECONDS: Final = 30  # for a whole body
UTF8: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})
SILENCE_SECONDS: Final = 60  # between two pieces of an upload


def media_of(request: Request, *wanted: str) -> str:
    """The media type of the body. Refuses other media types, charsets other than UTF-8 (of which ASCII is a
    part), and content codings other than gzip."""
    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    stated = header.get_params(failobj=[])
    media = stated[0][0].lower() if stated else ""
    charsets = {str(value).lower() for name, value in stated[1:] if name.lower() == "charset"}
    if media not in wanted or not charsets <= UTF8 or len(charsets) > 1:
        raise Refused(f"the body must be {' or '.join(wanted)} in UTF-8", code="unsupported_media_type")
    coding_of(request)
    return media


async def whole(request: Request, limit_bytes: int, held: Holding) -> bytes:
    """The body, unpacked and counted in `held`.

    Raises Refused if it is empty, longer than `limit_bytes` or arrives too slowly, TooMuch beyond the budget.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > limit_bytes:
        raise _too_large("the body", "body_too_large", limit_bytes)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in unpacked(request):
                if len(body) + len(piece) > limit_bytes:
                    raise _too_large("the body", "body_too_large", limit_bytes)
                held.add(len(piece))
                body += piece
    except TimeoutError:
        raise Refused(
            f"the body took longer than {BODY_SECONDS} s", code="slow_body", limit=BODY_SECONDS
        ) from None
    refuse_empty(body)
    return bytes(body)


def refuse_empty(body: bytes | bytearray) -> None:
    """Raises Refused for a body without a byte, besides a byte order mark."""
    if not body.removeprefix(BYTE_ORDER_MARK):
        raise Refused("the body is empty", code="empty_body", pointer="")


async def pieces(request: Request) -> AsyncIterator[bytes]:
    """The body as it arrives, unpacked. Raises Refused after a long silence; ClientDisconnect may come."""
    stream = unpacked(request)
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
