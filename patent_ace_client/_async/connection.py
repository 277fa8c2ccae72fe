"""A client's connection to the API: opened with a key, closed at the end."""

import asyncio
import random
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import httpx

from patent_ace_client._async.sending import AsyncSender
from patent_ace_client.sleeping import AsyncSleep


class AsyncConnection:
    """A connection to ACE for one tenant; close it, or use it in a `with` block.

    Retries wait as long as the server asks, or use exponential backoff with jitter. Raises `ApiError` and its
    kinds: `Unauthorised`, `Forbidden`, `NotFound`, `Invalid`, `Unreachable`, `TooMuch`.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float = 30,
        retries: int = 5,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: AsyncSleep = asyncio.sleep,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._sender = AsyncSender(
            url,
            key,
            timeout_seconds=timeout_seconds,
            retries=retries,
            transport=transport,
            sleep=sleep,
            rng=rng,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._sender.aclose()

    def tell_pauses(self, on_pause: Callable[[float, str], object]) -> None:
        """Calls `on_pause` with the seconds and the reason before every wait from now on."""
        self._sender.on_pause = on_pause
