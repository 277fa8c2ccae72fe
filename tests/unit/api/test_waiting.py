"""Waiting for a filing: one open evaluation is watched at a time, and reads are shared."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from fastapi import Response

from ace.api.shared_reads import ANSWERS_TOGETHER, AT_ONCE, TENANT_AT_ONCE, SharedReads
from ace.api.waiting import until_settled

A, B = UUID(int=1), UUID(int=2)


class Watched:
    """A watcher that lets every wait end at once, and remembers which evaluations were waited for."""

    def __init__(self, *, stopped: bool = False) -> None:
        self.stopped = stopped
        self.waited: list[UUID] = []

    def admitted(self, _: str) -> Any:
        return nullcontext()

    @contextmanager
    def watching(self, evaluation: UUID) -> Iterator[Any]:
        async def wait() -> None:
            self.waited.append(evaluation)

        yield SimpleNamespace(done=SimpleNamespace(wait=wait))


def waited(answers: list[UUID | None], *, first: UUID | None = None, stopped: bool = False) -> list[UUID]:
    """The evaluations that are waited for when looks find these open."""
    watcher: Any = Watched(stopped=stopped)
    found = iter(answers)

    async def look() -> UUID | None:
        return next(found)

    asyncio.run(until_settled(watcher, "office", look, "wait=60", Response(), first=first))
    assert next(found, "all were asked for") == "all were asked for"
    return watcher.waited  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("answers", "first", "expected"),
    [
        ([None], None, []),  # settled, or no such filing
        ([B, None], None, []),  # settled before the watch began
        ([B, B, None], None, [B]),
        ([B, B, A, A, None], None, [B, A]),  # the last claim settled before another
        ([B, A, A, None], None, [A]),  # it settled before the watch of it began
        ([A, None], A, [A]),
        ([None], A, []),
    ],
)
def test_one_open_evaluation_is_watched_until_none_is_left(
    answers: list[UUID | None], first: UUID | None, expected: list[UUID]
) -> None:
    assert waited(answers, first=first) == expected


def test_nothing_is_waited_for_once_the_process_stops() -> None:
    assert waited([B], stopped=True) == []


@pytest.mark.parametrize("prefer", [None, "wait=0", "respond-async"])
def test_who_does_not_wait_costs_no_look(prefer: str | None) -> None:
    nothing: Any = None
    asyncio.run(until_settled(nothing, "office", nothing, prefer, Response()))


# Shared reads


class Slow:
    """Reads that end when they are let go, and how many ran, and at once."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.running = 0
        self.peak = 0
        self.free = asyncio.Event()

    async def __call__(self, read: Callable[[], Any]) -> Any:
        self.begun.append(read())
        self.running += 1
        self.peak = max(self.peak, self.running)
        await self.free.wait()
        self.running -= 1
        return read()


def sharing(monkeypatch: pytest.MonkeyPatch) -> tuple[SharedReads, Slow]:
    slow = Slow()
    monkeypatch.setattr("ace.api.shared_reads.run_in_threadpool", slow)
    return SharedReads(), slow


async def settle() -> None:
    """Lets every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_who_asks_for_the_same_at_once_shares_one_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        reads, slow = sharing(monkeypatch)
        asked = [asyncio.ensure_future(reads.of("office", 1, lambda: "first")) for _ in range(50)]
        await settle()
        later = asyncio.ensure_future(reads.of("office", 1, lambda: "second"))  # the first has begun
        await settle()
        assert slow.begun == ["first", "second"]
        asked[0].cancel()
        slow.free.set()
        assert await asyncio.gather(*asked[1:], later) == ["first"] * 49 + ["second"]

    asyncio.run(run())


def test_tenants_share_nothing_and_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        reads, slow = sharing(monkeypatch)
        many = [asyncio.ensure_future(reads.of("busy", n, lambda: "busy")) for n in range(100)]
        await settle()
        one = asyncio.ensure_future(reads.of("quiet", 1, lambda: "quiet"))
        await settle()
        assert slow.begun == ["busy"] * TENANT_AT_ONCE + ["quiet"]
        more = [asyncio.ensure_future(reads.of(str(n), 1, lambda: "x")) for n in range(100)]
        await settle()
        assert slow.peak == AT_ONCE
        slow.free.set()
        await asyncio.gather(*many, one, *more)

    asyncio.run(run())


def test_few_answer_in_one_round_of_the_event_loop() -> None:
    async def run() -> list[int]:
        reads, rounds, now = SharedReads(), Counter[int](), 0

        async def answer() -> None:
            await reads.answer()
            rounds[now] += 1

        asked = [asyncio.ensure_future(answer()) for _ in range(100)]
        while not all(task.done() for task in asked):
            await asyncio.sleep(0)
            now += 1
        await asyncio.sleep(0)
        assert reads._answering == 0
        return list(rounds.values())

    answered = asyncio.run(run())
    assert sum(answered) == 100
    assert max(answered) <= 2 * ANSWERS_TOGETHER


def test_failed_read_fails_for_all_who_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: object) -> None:
        raise LookupError

    async def run() -> list[Any]:
        reads = SharedReads()
        monkeypatch.setattr("ace.api.shared_reads.run_in_threadpool", broken)
        asked = [reads.of("office", 1, lambda: None) for _ in range(3)]
        return await asyncio.gather(*asked, return_exceptions=True)

    assert [type(found) for found in asyncio.run(run())] == [LookupError] * 3
