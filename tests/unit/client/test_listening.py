"""The client's feed of events, hints and webhooks against a scripted server."""

import asyncio
from collections.abc import Callable, Iterator

import httpx
import pytest

from ace_client import AsyncClient, Client, NoticePage, TooMuch, Unreachable
from ace_client._sync.pages import LARGEST_PAGE
from tests.unit.client.test_client import Server, ok, problem

HINTS = ": hints\n\nevent: filings\ndata: {}\n\n: nothing new\n\nevent: filings\ndata: {}\n\n"


def feed(events: int, following: str) -> httpx.Response:
    event = {
        "id": "n-1",
        "type": "filing.settled",
        "timestamp": "2026-11-20T09:30:00.125Z",
        "data": {"filing": "f-1", "link": "/v1/filings/f-1"},
    }
    return ok({"events": [event] * events, "next": following})


def test_the_feed_ends_when_everything_is_read() -> None:
    server = Server(feed(LARGEST_PAGE, "c-1"), feed(1, "c-2"))
    pages = list(server.client().notices(start="latest"))
    assert [(len(page.events), page.next) for page in pages] == [(LARGEST_PAGE, "c-1"), (1, "c-2")]
    assert [dict(one.url.params) for one in server.requests] == [
        {"start": "latest", "limit": "200"},
        {"cursor": "c-1", "limit": "200"},
    ]
    first = pages[0].events[0]
    assert (first.type, first.data.filing, first.data.verdict) == ("filing.settled", "f-1", None)


def test_the_feed_is_followed_over_quiet_times_and_outages() -> None:
    server = Server(feed(1, "c-1"), feed(0, "c-1"), problem(503, Retry_After="2"), feed(1, "c-2"))
    pages: Iterator[NoticePage] = server.client().notices(cursor="c-0", wait_seconds=60)
    assert [len(next(pages).events) for _ in range(3)] == [1, 0, 1]
    assert [one.url.params["cursor"] for one in server.requests] == ["c-0", "c-1", "c-1", "c-1"]
    assert {one.headers["prefer"] for one in server.requests} == {"wait=60"}
    assert server.pauses == [2.0]


def test_each_hint_comes_round_once() -> None:
    server = Server(httpx.Response(200, text=HINTS))
    assert list(server.client().hints(filing="f-1", seconds=5)) == [None, None]
    (request,) = server.requests
    assert dict(request.url.params) == {"filing": "f-1", "seconds": "5"}
    assert request.headers["accept"] == "text/event-stream"


def test_hints_come_with_asyncio_too() -> None:
    async def run() -> int:
        transport = httpx.MockTransport(Server(httpx.Response(200, text=HINTS)))
        async with AsyncClient("http://ace", "k", transport=transport) as api:
            return len([one async for one in api.hints()])

    assert asyncio.run(run()) == 2


def test_a_stream_that_is_refused_or_breaks_says_so_at_once() -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        def parts() -> Iterator[bytes]:
            yield b"event: filings\ndata: {}\n\n"
            raise httpx.ReadError("gone")

        return httpx.Response(200, content=parts())

    server = Server(problem(429), httpx.ConnectError("no"), broken)
    api = server.client()
    with pytest.raises(TooMuch):
        list(api.hints())
    with pytest.raises(Unreachable):
        list(api.hints())
    stream = api.hints()
    next(stream)
    with pytest.raises(Unreachable):
        next(stream)
    assert server.pauses == []


@pytest.mark.parametrize(
    "end", [lambda api: api.delete_webhook("w-1"), lambda api: api.resume("p-1", reason="over")]
)
def test_what_has_ended_already_may_be_ended_again(end: Callable[[Client], bool]) -> None:
    server = Server(httpx.Response(204), problem(503), problem(404))
    api = server.client()
    assert end(api)
    assert not end(api)


@pytest.mark.parametrize(
    "call",
    [
        lambda api: api.make_webhook("https://docketing.example/ace"),
        lambda api: api.rotate_webhook_secret("w-1"),
        lambda api: api.replay_delivery("w-1", "n-1"),
        lambda api: api.replay_deliveries("w-1", since="2026-11-20T00:00:00Z"),
        lambda api: api.order_job(reason="the expert was away"),
    ],
)
def test_what_would_happen_twice_is_asked_once(call: Callable[[Client], object]) -> None:
    server = Server(problem(503))
    with pytest.raises(Unreachable):
        call(server.client())
    assert len(server.requests) == 1
