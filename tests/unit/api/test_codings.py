"""Bodies that are packed: unpacked however they are cut, and refused when they grow too much."""

import asyncio
import gzip
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message

from ace.api import codings
from ace.api.bodies import media_of
from ace.api.codings import unpacked
from ace.errors import Refused


def request(headers: list[tuple[str, str]], *pieces: bytes) -> Request:
    left = [*pieces]

    async def receive() -> Message:
        return {"type": "http.request", "body": left.pop(0) if left else b"", "more_body": bool(left)}

    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    return Request({"type": "http", "headers": raw, "query_string": b""}, receive)


def read(coding: str, *pieces: bytes) -> bytes:
    async def story(body: AsyncIterator[bytes]) -> bytes:
        return b"".join([piece async for piece in body])

    return asyncio.run(story(unpacked(request([("Content-Encoding", coding)], *pieces))))


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(1, 50), st.sampled_from("xX "))
def test_members_come_out_however_they_are_cut(members: list[bytes], step: int, letter: str) -> None:
    packed = b"".join(map(gzip.compress, members))
    pieces = [packed[at : at + step] for at in range(0, len(packed), step)]
    coding = {"x": "x-gzip", "X": "GZIP", " ": " identity , gzip"}[letter]
    assert read(coding, *pieces) == b"".join(members)


@pytest.mark.parametrize("coding", ["", "identity", " Identity "])
def test_a_plain_body_stays_as_it_is(coding: str) -> None:
    assert read(coding, b"a", b"b") == b"ab"


@pytest.mark.parametrize(
    "coding", ["br", "deflate", "zstd", "compress", "gzip, gzip", "br, gzip", "gzip;q=1"]
)
def test_another_coding_is_refused_by_what_is_taken(coding: str) -> None:
    with pytest.raises(Refused, match="gzip") as refused:
        read(coding, b"")
    assert refused.value.code == "unsupported_media_type"


@pytest.mark.parametrize(
    "packed",
    [b"plain", gzip.compress(b"x" * 999)[:-1], gzip.compress(b"x")[:5], gzip.compress(b"x") + b"y"],
    ids=["plain", "without_its_end", "head_alone", "followed_by_more"],
)
def test_a_damaged_body_is_refused(packed: bytes) -> None:
    with pytest.raises(Refused) as refused:
        read("gzip", packed)
    assert refused.value.code == "malformed_encoding"


def test_a_bomb_is_refused_before_it_is_whole() -> None:
    bomb = gzip.compress(b"\n" * 50_000_000)
    with pytest.raises(Refused) as refused:
        read("gzip", bomb)
    assert (refused.value.code, refused.value.limit) == ("body_too_large", codings.FREE_BYTES)


@pytest.mark.parametrize(
    ("header", "good"),
    [
        ("application/json", True),
        ("Application/JSON; charset=UTF-8", True),
        ('application/json;charset="utf8"', True),
        ("application/json; charset=us-ascii", True),
        ("application/json; profile=x; charset=utf-8", True),
        ("application/json; charset=latin-1", False),
        ("application/json; charset=utf-16", False),
        ("application/json; charset=", False),
        ("application/json; charset=utf-8; charset=latin-1", False),
        ("application/json; charset*=utf-8''latin-1", False),
        ("text/json", False),
        ("", False),
        ("é", False),
    ],
)
def test_a_charset_is_read_or_refused(header: str, good: bool) -> None:
    asked = request([("Content-Type", header)])
    if good:
        assert media_of(asked, "application/json") == "application/json"
        return
    with pytest.raises(Refused, match="in UTF-8"):
        media_of(asked, "application/json")
