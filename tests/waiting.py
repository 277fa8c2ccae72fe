"""How tests wait: for a condition, with more patience than a busy machine needs. None sleeps and hopes."""

import time
from collections.abc import Callable
from typing import TypeVar

PAUSE_SECONDS = 0.02

T = TypeVar("T")


def wait_for(condition: Callable[[], T], what: str, *, seconds: float = 180) -> T:
    """Returns what `condition()` gives as soon as that is true; fails after `seconds`, naming `what`."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {seconds:g} seconds in vain for {what}"
        time.sleep(PAUSE_SECONDS)
    return found
