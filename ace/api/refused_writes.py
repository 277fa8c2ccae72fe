"""What the database refused to store lately: while its disk is full it still answers whoever reads."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ace.errors import Unavailable

REMEMBERED_SECONDS: Final = 30.0
CAUSES: Final = frozenset({"disk_full", "cannot_write", "out_of_memory", "read_only"})
"""Causes (types.outages) that a look at the schema does not meet."""


class RefusedWrites:
    """The last refusal to store a filing, until one is stored or `REMEMBERED_SECONDS` are over."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: tuple[str, float] | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watches one attempt to store filings."""
        try:
            yield
        except Unavailable as error:
            if error.cause in CAUSES:
                self._last = error.cause, self._clock()
            raise
        else:
            self._last = None

    def cause(self) -> str | None:
        """Why filings were refused lately, if they were."""
        last = self._last
        if last is None or self._clock() - last[1] > REMEMBERED_SECONDS:
            return None
        return last[0]
