"""Whose claims are read and checked now: each tenant's one after the other, in processes that can be stopped.

A tenant never has more than one process, so that there is one left for others, and the event loop and the
threads of the API are free for whoever polls meanwhile.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Final, TypeVar

from ace.bounded import CRASHED, TOO_SLOW, Bounded
from ace.errors import Refused, Stopped, TooMuch

Item = TypeVar("Item")
Made = TypeVar("Made")

WAIT_SECONDS: Final = 5.0
RETRY_AFTER_SECONDS: Final = 2.0
PER_TENANT: Final = 1
_WHY: Final = {TOO_SLOW: "takes more than", CRASHED: "ended its process within"}


class Turns:
    """Runs work on claims for one tenant at a time each; the others wait up to `wait_seconds`."""

    def __init__(self, checks: Bounded, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self._checks = checks
        self._wait_seconds = wait_seconds
        self._tenants: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(PER_TENANT)
        )

    async def run(
        self, tenant: str, work: Callable[[Item], Made], item: Item, *, pointer: str | None
    ) -> Made:
        """The result of `work`, or what it raises.

        Raises TooMuch if the tenant's earlier claims take too long to wait for, and Refused, with the
        pointer to the claims, if these take more processor time than they may.
        """
        turn = self._tenants[tenant]
        try:
            await asyncio.wait_for(turn.acquire(), self._wait_seconds)
        except TimeoutError:
            raise TooMuch(
                "other claims of this tenant are still being read or checked",
                code="too_many_checks",
                limit=PER_TENANT,
                retry_after=RETRY_AFTER_SECONDS,
            ) from None
        try:
            return await asyncio.wrap_future(self._checks.submit(work, item))
        except Stopped as stopped:
            limit = f"{stopped.limit:g} seconds"
            words = f"reading and checking these claims {_WHY[stopped.code]} {limit} of processor time"
            raise Refused(words, code=stopped.code, pointer=pointer, limit=limit) from None
        finally:
            turn.release()
