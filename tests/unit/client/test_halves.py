"""The two halves of the client: one is made from the other, and both work."""

import ast
import asyncio
import inspect
import random
from typing import Any

import httpx
import pytest

from patent_ace_client import AsyncClient, Client, NotSettled, Progress, Unreachable
from tests import client_halves
from tests.unit.client.test_client import ACCEPTED, EVALUATION, Server, bulk, filing, ok, problem


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}


def test_the_synchronous_half_is_made_from_the_other() -> None:
    made = client_halves.files()
    found = {path.name: path.read_text(encoding="utf-8") for path in client_halves.SYNC.glob("*.py")}
    assert found == made, "run: python -m tests.client_halves"
    assert len(made) >= 7


def test_nothing_asynchronous_is_left() -> None:
    for path in client_halves.SYNC.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        ast.parse(source)
        words = set(source.split("\n", 1)[1].replace("(", " ").replace(".", " ").split())
        assert not words & {"async", "await", "asyncio", "AsyncClient", "Awaitable"}, path.name


def test_names_are_replaced_and_words_of_docstrings_follow() -> None:
    source = '''async def f(sleep: Callable[[int], Awaitable[tuple[str, int]]]) -> AsyncPages[int]:
    """Like `AsyncClient.f`,
    see `AsyncPages`."""
    async with httpx.AsyncClient() as http:
        return [await one.aclose() async for one in http]  # no async comment changes
'''
    assert (
        client_halves.synchronous(source)
        == '''def f(sleep: Callable[[int], tuple[str, int]]) -> Pages[int]:
    """Like `Client.f`,
    see `Pages`."""
    with httpx.Client() as http:
        return [one.close() for one in http]  # no async comment changes
'''
    )


def test_both_have_the_same_methods() -> None:
    assert public(AsyncClient) - {"aclose"} == public(Client) - {"close"}


def client(server: Server, **more: Any) -> AsyncClient:
    async def sleep(seconds: float) -> None:
        server.pauses.append(seconds)

    transport = httpx.MockTransport(server)
    return AsyncClient(
        "http://ace", "ace_k_s", transport=transport, sleep=sleep, rng=random.Random(1), **more
    )


def test_a_filing_is_submitted_and_waited_for_with_asyncio() -> None:
    page = ok({"evaluations": [EVALUATION], "next": None})
    server = Server(
        problem(503, Retry_After="3"),
        ok(ACCEPTED, 202),
        filing(False, queued=1),
        filing(True, decided=1),
        page,
    )

    async def run() -> list[str]:
        async with client(server) as api:
            submission = await api.submit("P-1", "A bracket.")
            return [one.id for one in await submission.wait(60)]

    assert asyncio.run(run()) == ["e-1"]
    assert server.pauses == [3.0]


def test_pages_and_uploads_are_asynchronous_iterators() -> None:
    first = ok({"evaluations": [EVALUATION, EVALUATION], "next": "c-1"})
    last = ok({"evaluations": [EVALUATION], "next": None})
    server = Server(first, last, bulk(202, 422))
    told: list[Progress] = []

    async def run() -> tuple[int, list[int]]:
        async with client(server) as api:
            found = [one async for one in api.evaluations(verdict="Fail")]
            results = api.submit_many([{"docket": "a"}, {"docket": "b"}], on_progress=told.append)
            return len(found), [one.status async for one in results]

    assert asyncio.run(run()) == (3, [202, 422])
    assert [(one.done, one.accepted, one.refused) for one in told] == [(2, 1, 1)]


def test_an_outage_and_a_wait_end_with_asyncio_too() -> None:
    async def run() -> None:
        async with client(Server(*[httpx.ConnectError("no")] * 2), retries=1) as api:
            with pytest.raises(Unreachable):
                await api.filing("f-1")
        async with client(Server(filing(False, queued=1))) as api:
            with pytest.raises(NotSettled):
                await api.wait("f-1", timeout_seconds=0)

    asyncio.run(run())
