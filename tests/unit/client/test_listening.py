"""The client's feed of events, hints and webhooks against a scripted server."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import aclosing
from itertools import islice

import httpx
import pytest

from patent_ace_client import (
    ApiError,
    AsyncClient,
    Client,
    Forbidden,
    NoticePage,
    StreamedNotice,
    TooMuch,
    Unreachable,
)
from patent_ace_client._sync.pages import LARGEST_PAGE
from patent_ace_client.server_sent import EventLines
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


def streamed(*events: str, retry: str = "retry: 1000\n\n") -> httpx.Response:
    """A stream of events with these cursors, which then ends."""
    told = feed(1, "").json()["events"][0]
    return httpx.Response(
        200, text=retry + "".join(f": ping\n\nid: {one}\ndata: {json.dumps(told)}\n\n" for one in events)
    )


def taken(stream: Iterator[StreamedNotice], count: int) -> list[str]:
    return [one.cursor for one in islice(stream, count)]


def test_a_stream_goes_on_after_the_last_event_over_ends_outages_and_breaks() -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        def parts() -> Iterator[bytes]:
            yield streamed("c-3").content
            yield b"id: c-4\ndata: {"  # half an event is none
            raise httpx.ReadError("gone")

        return httpx.Response(200, content=parts())

    server = Server(
        streamed("c-1", "c-2"),
        problem(503, Retry_After="2"),
        httpx.ConnectError("no"),
        broken,
        streamed("c-4"),
        problem(403),
    )
    stream = server.client().stream_notices(cursor="c-0")
    assert taken(stream, 4) == ["c-1", "c-2", "c-3", "c-4"]
    with pytest.raises(Forbidden):
        next(stream)
    asked = [one.headers["last-event-id"] for one in server.requests]
    assert asked == ["c-0", "c-2", "c-2", "c-2", "c-3", "c-4"]
    assert {one.headers["accept"] for one in server.requests} == {"text/event-stream"}
    assert server.pauses[0] == 1.0  # as the stream asked


def test_a_stream_from_now_on_fixes_its_place_before_it_waits() -> None:
    """Otherwise, what happens while the first stream is opened again would be missed."""
    server = Server(feed(0, "c-7"), httpx.ConnectError("no"), streamed("c-8"))
    first = next(server.client().stream_notices(start="latest"))
    assert (first.cursor, first.type, first.data.filing) == ("c-8", "filing.settled", "f-1")
    assert dict(server.requests[0].url.params) == {"start": "latest", "limit": "1"}
    assert [one.headers["last-event-id"] for one in server.requests[1:]] == ["c-7", "c-7"]


def test_a_stream_that_never_comes_about_is_given_up() -> None:
    server = Server(*[httpx.ConnectError("no")] * 3)
    with pytest.raises(Unreachable):
        next(server.client(retries=2).stream_notices())
    assert len(server.requests) == 3
    assert "last-event-id" not in server.requests[0].headers


def test_a_stream_without_a_word_is_opened_again_ever_more_slowly() -> None:
    server = Server(*[httpx.Response(200, text="")] * 4, streamed("c-1", retry=""))
    assert taken(server.client().stream_notices(), 1) == ["c-1"]
    assert server.pauses == sorted(server.pauses)
    assert server.pauses[-1] > 2 * server.pauses[0]


def test_an_event_of_another_kind_of_server_is_an_error() -> None:
    server = Server(httpx.Response(200, text="id: c-1\ndata: {}\n\n"))
    with pytest.raises(ApiError, match="not as this version"):
        next(server.client().stream_notices())


def test_events_are_streamed_with_asyncio_too() -> None:
    async def run() -> list[str]:
        transport = httpx.MockTransport(Server(streamed("c-1", "c-2")))
        async with AsyncClient("http://ace", "k", transport=transport) as api:
            found = []
            async with aclosing(api.stream_notices()) as stream:
                async for one in stream:
                    found.append(one.cursor)
                    if len(found) == 2:
                        break
            return found

    assert asyncio.run(run()) == ["c-1", "c-2"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("data: one\n\n", [("", "one")]),
        ("id: 1\ndata:one\ndata: two\n\n", [("1", "one\ntwo")]),
        ("id: 1\ndata: a\n\ndata: b\n\n", [("1", "a"), ("1", "b")]),
        ("id: 1\n\n: comment\nevent: x\nunheard: of\n\n", []),
        ("data: half", []),
    ],
)
def test_lines_are_put_together_as_the_standard_says(lines: str, found: list[tuple[str, str]]) -> None:
    stream = EventLines()
    taken = [stream.take(line) for line in lines.split("\n")]
    assert [(one.id, one.data) for one in taken if one is not None] == found


@pytest.mark.parametrize(("line", "seconds"), [("retry: 2500", 2.5), ("retry: soon", None), ("retry:", None)])
def test_a_stream_says_how_long_to_wait(line: str, seconds: float | None) -> None:
    stream = EventLines()
    stream.take(line)
    assert stream.retry_seconds == seconds


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
        lambda api: api.reevaluate(reason="a new model"),
    ],
)
def test_what_would_happen_twice_is_asked_once(call: Callable[[Client], object]) -> None:
    server = Server(problem(503))
    with pytest.raises(Unreachable):
        call(server.client())
    assert len(server.requests) == 1
