"""Tenants take turns at having their claims checked, and none of them has all the processes."""

import asyncio
from concurrent.futures import Future
from typing import Any

import pytest

from ace.api.turns import Turns
from ace.errors import Refused, Stopped, TooMuch


class Checks:
    """Begins work, and ends it when told to."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, Future[Any]]] = []

    def submit(self, _: Any, item: str) -> Future[Any]:
        future: Future[Any] = Future()
        self.begun.append((item, future))
        return future

    @property
    def items(self) -> list[str]:
        return [item for item, _ in self.begun]


async def run(turns: Turns, tenant: str) -> Any:
    return await turns.run(tenant, str, tenant, pointer="/claims")


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_tenant_has_one_process_and_the_others_go_on() -> None:
    async def scenario() -> None:
        checks: Any = Checks()
        turns = Turns(checks)
        asked = [asyncio.ensure_future(run(turns, tenant)) for tenant in ("busy", "busy", "once")]
        await settle()
        assert checks.items == ["busy", "once"]

        checks.begun[0][1].set_result("first")
        await settle()
        assert checks.items == ["busy", "once", "busy"]
        for place in (1, 2):
            checks.begun[place][1].set_result("done")
        assert await asyncio.gather(*asked) == ["first", "done", "done"]

    asyncio.run(scenario())


def test_who_waits_too_long_for_claims_of_its_own_is_asked_to_come_again() -> None:
    async def scenario() -> None:
        checks: Any = Checks()
        turns = Turns(checks, wait_seconds=0.01)
        first = asyncio.ensure_future(run(turns, "busy"))
        await settle()
        with pytest.raises(TooMuch) as refused:
            await run(turns, "busy")
        assert (refused.value.code, refused.value.limit) == ("too_many_checks", 1)
        assert refused.value.retry_after > 0

        checks.begun[0][1].set_result(None)
        await first
        last = asyncio.ensure_future(run(turns, "busy"))
        await settle()
        checks.begun[1][1].set_result("again")
        assert await last == "again"

    asyncio.run(scenario())


@pytest.mark.parametrize(("code", "words"), [("check_too_slow", "takes more"), ("check_crashed", "ended")])
def test_what_is_stopped_is_refused_with_the_field_and_the_limit(code: str, words: str) -> None:
    async def scenario() -> None:
        checks: Any = Checks()
        turns = Turns(checks)
        asked = asyncio.ensure_future(run(turns, "office"))
        await settle()
        checks.begun[0][1].set_exception(Stopped(code, 5))
        with pytest.raises(Refused, match=words) as refused:
            await asked
        assert (refused.value.code, refused.value.pointer) == (code, "/claims")
        assert refused.value.limit == "5 seconds"

    asyncio.run(scenario())
