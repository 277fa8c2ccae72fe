"""Too much for an `ace serve`: it refuses early, its memory has a bound, and it stores nothing of it."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import httpx
import pytest

from tests.served import MARKER, PATIENCE_SECONDS, Served, refused

pytestmark = pytest.mark.slow

MEGABYTE: Final = 1_000_000
LARGE_BODY: Final = 8 * MEGABYTE  # the usual limit


LINE: Final = f'{{"docket":"D","claims":"A {MARKER} '.encode()
HUGE: Final[list[tuple[str, bytes, bytes, int]]] = [
    (
        "one body, its length told",
        b"POST /v1/filings HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100000000\r\n",
        MARKER.encode() * 10_000,
        413,
    ),
    (
        "one body in pieces",
        b"POST /v1/filings HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
        b"%x\r\n" % 70_000 + MARKER.encode() * 10_000 + b"\r\n",
        413,
    ),
    (
        "claims to be checked",
        b"POST /v1/check HTTP/1.1\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n",
        b"%x\r\n" % 70_000 + MARKER.encode() * 10_000 + b"\r\n",
        413,
    ),
    (
        "an order",
        b"POST /v1/replays HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
        b"%x\r\n" % 70_000 + MARKER.encode() * 10_000 + b"\r\n",
        413,
    ),
    (
        "of a media type that nobody takes",
        b"POST /v1/filings HTTP/1.1\r\nContent-Type: image/png\r\nContent-Length: 100000000\r\n",
        MARKER.encode() * 10_000,
        415,
    ),
    (
        "to a route that takes none",
        b"GET /v1/evaluations?state=nothing HTTP/1.1\r\nContent-Length: 100000000\r\n",
        MARKER.encode() * 10_000,
        422,
    ),
]


@pytest.mark.parametrize(("head", "piece", "status"), [case[1:] for case in HUGE], ids=[c[0] for c in HUGE])
def test_a_hundred_megabytes_are_refused_early(
    served: Served, authorised: bytes, stored: Callable[[], int], head: bytes, piece: bytes, status: int
) -> None:
    pieces = [head + authorised + b"\r\n", *[piece] * (100 * MEGABYTE // len(piece))]
    with served.watched():
        told, body, sent = refused(served, lambda: pieces)
    assert told == status
    assert MARKER.encode() not in body
    assert sent < 3 * LARGE_BODY  # the limit, and what lay in the buffers on the way
    assert stored() == 0


def test_a_stranger_uploads_nothing(served: Served, stored: Callable[[], int]) -> None:
    head = (
        b"POST /v1/filings/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ace_0_0\r\n"
        b"Content-Type: application/x-ndjson\r\nContent-Length: 100000000\r\n\r\n"
    )
    with served.watched():
        status, _, sent = refused(served, lambda: [head, *[LINE * 2_000] * 1_000])
    assert status == 401
    assert sent < 10 * MEGABYTE
    assert stored() == 0


@pytest.mark.parametrize(
    ("piece", "times"),
    [(LINE * 2_000, 1_000), (b" " * 100_000, 1_000), (b"\n" * 100_000, 10), (b"{}\n" * 1_000, 20)],
    ids=["a line without end", "spaces", "empty lines", "bad lines"],
)
def test_upload_without_end_is_read_in_bounded_memory(
    served: Served, key: str, stored: Callable[[], int], piece: bytes, times: int
) -> None:
    with served.watched():
        answer = httpx.post(
            f"{served.url}/v1/filings/bulk",
            content=(piece for _ in range(times)),
            headers={"Authorization": f"Bearer {key}", "Content-Type": "application/x-ndjson"},
            timeout=PATIENCE_SECONDS,
        )
    assert answer.status_code == 200
    assert {json.loads(line)["status"] for line in answer.text.splitlines()} <= {413, 422}
    assert MARKER not in answer.text
    assert stored() == 0


# What takes most memory for its length: many values, deep ones, long ones.
HEAVY: Final[dict[str, bytes]] = {
    "objects": b'{"docket":"P","claims":[' + b"{}," * 120_000 + b"{}]}",
    "lists": b'{"docket":"P","metadata":{"a":[' + b"[]," * 120_000 + b"[]]}}",
    "names": b'{"docket":"P",' + b",".join(b'"%07d":1' % n for n in range(240_000)) + b"}",
    "deep": b"[" * 240_000,
    "a long text": b'{"docket":"P","claims":"' + b"A" * (LARGE_BODY - 100) + b'"}',
    "a wide text": b'{"docket":"P","claims":"' + "😀".encode() * (LARGE_BODY // 4 - 100) + b'"}',
    "escapes": b'{"docket":"P","claims":"' + rb"\u0041" * (LARGE_BODY // 6 - 100) + b'"}',
}


@pytest.mark.parametrize("body", HEAVY.values(), ids=HEAVY)
def test_heavy_bodies_at_once_take_turns(
    served: Served, key: str, stored: Callable[[], int], body: bytes
) -> None:
    assert len(body) <= LARGE_BODY
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    statuses: list[int] = []

    def post() -> None:
        statuses.append(
            httpx.post(
                f"{served.url}/v1/filings", content=body, headers=headers, timeout=PATIENCE_SECONDS
            ).status_code
        )

    with served.watched():
        threads = [threading.Thread(target=post) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(statuses) == 8
    # 429: on a busy machine, its turn did not come in time.
    assert set(statuses) <= {400, 413, 422, 429}
    assert not {400, 413, 422}.isdisjoint(statuses)
    assert stored() == 0


# What has most findings, phrases or references for its length, as much of it as is checked.
DENSE: Final[dict[str, str]] = {
    "one word doubled": "the ",
    "definite phrases": "the a{n} ",
    "references": "of claim {n} ",
    "brackets": "(",
    "numbers": "{n}. ",
    "vague words": "substantially about such as ",
    "limbs": "a b{n}; ",
}


@pytest.mark.parametrize("piece", DENSE.values(), ids=DENSE)
def test_dense_claims_are_checked_in_bounded_memory(
    served: Served, key: str, stored: Callable[[], int], piece: str
) -> None:
    words = "".join(piece.format(n=n) for n in range(49_000 // len(piece.format(n=9_999))))
    body = {"claims": [{"text": f"A {MARKER} comprising {words}."} for _ in range(4)], "graph": True}
    headers = {"Authorization": f"Bearer {key}"}

    def post(_: int) -> int:
        return httpx.post(
            f"{served.url}/v1/check", json=body, headers=headers, timeout=PATIENCE_SECONDS
        ).status_code

    with served.watched(), ThreadPoolExecutor(4) as pool:
        assert set(pool.map(post, range(4))) <= {200, 429}  # each waits for the one before, for some seconds
    assert stored() == 0
