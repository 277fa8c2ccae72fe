"""Tenants take turns at what keeps a processor busy."""

import asyncio
from types import SimpleNamespace
from typing import Any

from ace.api.parts import Parts, turn_to_check


def test_whoever_asks_much_is_overtaken_by_whoever_asks_once() -> None:
    done: list[str] = []

    async def ask(parts: Any, tenant: str) -> None:
        caller: Any = SimpleNamespace(name=tenant)
        async with turn_to_check(parts, caller):
            await asyncio.sleep(0.001)
            done.append(tenant)

    async def run() -> None:
        nothing: Any = None
        parts = Parts(*[nothing] * 8, ping=None)
        asked = ["busy", "busy", "busy", "busy", "once"]
        await asyncio.gather(*(ask(parts, tenant) for tenant in asked))

    asyncio.run(run())
    assert done == ["busy", "once", "busy", "busy", "busy"]
