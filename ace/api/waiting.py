"""`Prefer: wait=N` (RFC 7240, section 4.3): delaying an answer until there is something to report."""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar
from uuid import UUID

from fastapi import Response
from starlette.concurrency import run_in_threadpool

from ace.api.watcher import Watcher

T = TypeVar("T")

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


async def when_settled(
    read: Callable[[], T],
    open_of: Callable[[T], Sequence[UUID]],
    prefer: str | None,
    watcher: Watcher,
    response: Response,
) -> T:
    """The result of `read` once nothing in it is open, or once the wait is over.

    `read` runs in the threadpool; `open_of` names the evaluations that have not settled.
    """
    seconds = wait_seconds(prefer)
    found = await run_in_threadpool(read)
    if seconds is None:
        return found
    response.headers["Preference-Applied"] = f"wait={seconds}"
    if seconds and (waiting_for := open_of(found)):
        with watcher.watching(waiting_for) as wait:
            # It may have settled between the first look and the start of the watch.
            found = await run_in_threadpool(read)
            if open_of(found):
                await wait.settled(seconds)
                found = await run_in_threadpool(read)
    return found
