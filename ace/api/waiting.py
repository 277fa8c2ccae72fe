"""`Prefer: wait=N` (RFC 7240, section 4.3): delaying an answer until there is something to report."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final
from uuid import UUID

from fastapi import Response

from ace.api.watcher import Watcher

LONGEST_WAIT_SECONDS: Final = 60
_WAIT: Final = re.compile(r'\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?:;.*)?', re.IGNORECASE)


def wait_seconds(prefer: str | None) -> int | None:
    """The wait that a `Prefer` header asks for, maximum 60 s; None if it asks for none.

    Preferences that cannot be understood are ignored, as the RFC requires.
    """
    for preference in (prefer or "").split(","):
        if match := _WAIT.fullmatch(preference):
            return min(int(match.group(1)), LONGEST_WAIT_SECONDS)
    return None


async def until_settled(
    watcher: Watcher,
    tenant: str,
    open_one: Callable[[], Awaitable[UUID | None]],
    prefer: str | None,
    response: Response,
    *,
    first: UUID | None = None,
) -> None:
    """Returns once `open_one`, which names an open evaluation, names none, or once the wait is over.

    It is asked again only when the evaluation that it named has settled: `first`, if that is known
    before. So a wait for a long filing costs as much as one for a claim. Raises TooMuch when the tenant
    has too many waits.
    """
    seconds = wait_seconds(prefer)
    if seconds is None:
        return
    response.headers["Preference-Applied"] = f"wait={seconds}"
    if not seconds:
        return
    with watcher.admitted(tenant), suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            watched = first or await open_one()
            while watched is not None and not watcher.stopped:
                with watcher.watching(watched) as wait:
                    found = await open_one()  # it may have settled before the watch began
                    if found == watched:
                        await wait.done.wait()
                watched = found
