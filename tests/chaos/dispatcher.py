"""A dispatcher that sends every message twice: `python -m tests.chaos.dispatcher`.

The second copy is of one of the last few messages, so that some copies race with their original
and others come when it is long done.
"""

import random
from typing import Any

from ace.settings import Settings
from ace.store.moves import Leased
from ace.telemetry import configure_logging
from ace.workers import dispatcher
from ace.workers.app import CeleryBroker

MOST_UNCOPIED = 4


class Twice(CeleryBroker):
    """The real broker, which repeats itself."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._uncopied: list[tuple[str, Leased]] = []

    def publish(self, queue: str, leased: Leased) -> None:
        """The message, and a copy of it or of an earlier one that was not copied yet."""
        super().publish(queue, leased)
        self._uncopied.append((queue, leased))
        if len(self._uncopied) > random.randrange(MOST_UNCOPIED):
            copied = random.randrange(len(self._uncopied))
            super().publish(*self._uncopied.pop(copied))


if __name__ == "__main__":
    settings = Settings()
    configure_logging(settings.log_level)
    setattr(dispatcher, "CeleryBroker", Twice)  # noqa: B010  # the process's only broker
    dispatcher.main(settings)
