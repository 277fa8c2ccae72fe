"""`Content-Encoding` of request bodies: gzip, unpacked piece by piece and never beyond a bound."""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

from starlette.requests import Request

from ace.errors import Refused

GZIP: Final = "gzip"
PIECE_BYTES: Final = 65_536  # unpacked at a time
FREE_BYTES: Final = 10_000_000  # that any body may unpack to
GROWTH: Final = 100  # beyond which a body is a bomb: text shrinks to a tenth, a bomb to a thousandth
_WINDOW: Final = 31  # 32 KiB, in the format of gzip (zlib.h, `inflateInit2`)


def coding_of(request: Request) -> str | None:
    """The coding of the body, or None. Raises Refused for another one than gzip, or several."""
    given = ",".join(request.headers.getlist("content-encoding")).lower()
    codings = [name for part in given.split(",") if (name := part.strip()) not in {"", "identity"}]
    if codings in ([GZIP], [f"x-{GZIP}"]):
        return GZIP
    if codings:
        raise Refused(
            f"the Content-Encoding of a body must be {GZIP} or identity", code="unsupported_media_type"
        )
    return None


async def unpacked(request: Request) -> AsyncIterator[bytes]:
    """The body as it arrives, unpacked. Raises Refused for a bad one, and one that grows too much."""
    if coding_of(request) is None:
        async for piece in request.stream():
            yield piece
        return
    packing = _Gzip()
    async for piece in request.stream():
        for part in packing.unpack(piece):
            yield part
    packing.end()


class _Gzip:
    """Unpacks the members of a gzip file (RFC 1952), however its bytes are cut."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_WINDOW)
        self._begun = False  # the member
        self._taken = 0
        self._given = 0

    def unpack(self, packed: bytes) -> Iterator[bytes]:
        """What these bytes unpack to, in pieces."""
        self._taken += len(packed)
        while packed:
            if self._member.eof:
                self._member = zlib.decompressobj(_WINDOW)
            self._begun = True
            try:
                part = self._member.decompress(packed, PIECE_BYTES)
            except zlib.error:
                raise _damaged() from None
            self._count(len(part))
            if part:
                yield part
            packed = self._member.unconsumed_tail or self._member.unused_data

    def end(self) -> None:
        """Raises Refused if the last member is cut off."""
        if self._begun and not self._member.eof:
            raise _damaged()

    def _count(self, size: int) -> None:
        self._given += size
        limit = max(FREE_BYTES, GROWTH * self._taken)
        if self._given > limit:
            words = f"the body unpacks to more than {FREE_BYTES} bytes and {GROWTH} times its own length"
            raise Refused(words, code="body_too_large", pointer="", limit=limit)


def _damaged() -> Refused:
    return Refused(f"the body is not {GZIP}, or it is cut off", code="malformed_encoding", pointer="")
