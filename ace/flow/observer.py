"""The interface through which the flow reports its work, so that it can be counted and timed. It never
passes ids or claim text."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from ace.store.tables import Stage


class Observer(Protocol):
    """Is called once the work is committed."""

    def took_up(self, stage: Stage, waited_seconds: Sequence[float]) -> None:
        """A message was taken up; how long each of its claims had been due."""

    def judged(self, claims: int, escalated: int, decided: int, seconds: float) -> None:
        """The gatekeeper judged a message in this time; what became of its claims that are no tests."""

    def decided(
        self, decided_by: str, verdicts: Mapping[tuple[str, str | None], int], ages_seconds: Sequence[float]
    ) -> None:
        """Claims have their verdicts: how many of each (verdict, class), and how long after filing each."""

    def failed(self, error: str) -> None:
        """An evaluation failed."""


class Nobody:
    """Keeps nothing."""

    def took_up(self, stage: Stage, waited_seconds: Sequence[float]) -> None:
        """See `Observer`."""

    def judged(self, claims: int, escalated: int, decided: int, seconds: float) -> None:
        """See `Observer`."""

    def decided(
        self, decided_by: str, verdicts: Mapping[tuple[str, str | None], int], ages_seconds: Sequence[float]
    ) -> None:
        """See `Observer`."""

    def failed(self, error: str) -> None:
        """See `Observer`."""


NOBODY: Final = Nobody()
