"""Small stand-ins for what tests do not want to wait for. None replaces Postgres or Redis."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.errors import AceError, ExpertTransient, NotReached, Stopped, Unavailable, WorkFailed
from ace.expert.client.answer import Answer
from ace.expert.client.control import CONTROL
from ace.expert.prompt.rationale import Rationale
from ace.routing.calibration import Calibration
from ace.store.moves import Leased

CALIBRATION = Calibration(
    id="calibration-1",
    method="test",
    score="u",
    temperature=1.0,
    tau=0.3,
    escalation=0.2,
    model_revision="model-1",
    data_hash="",
    n=1,
    curve=(),
)


@dataclass
class Broker:
    """Keeps messages in a list; `down` makes it unreachable."""

    sent: list[tuple[str, Leased]] = field(default_factory=list)
    down: bool = False
    fails_to_publish: bool = False
    untaken: int = 0

    def waiting(self, queue: str) -> int:
        if self.down:
            raise Unavailable("redis", "down")
        return self.untaken

    def publish(self, queue: str, leased: Leased) -> None:
        if self.fails_to_publish:
            raise Unavailable("redis", "down")
        self.sent.append((queue, leased))


@dataclass
class Gatekeeper:
    """Doubts claims that say "about", fails those that say "said", breaks on those that say "crash"."""

    revision: str = "model-1"
    calibration: Calibration = CALIBRATION
    seen: list[ClaimInput] = field(default_factory=list)

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        self.seen.extend(inputs)
        return np.array([self._row(one.text) for one in inputs], dtype=np.float32)

    def locate(self, inputs: Sequence[ClaimInput], classes: Sequence[int]) -> list[tuple[int, int] | None]:
        assert len(inputs) == len(classes)
        places = (one.text.find("said") for one in inputs)
        return [None if start < 0 else (start, start + 4) for start in places]

    def _row(self, text: str) -> list[float]:
        if "crash" in text:
            raise ValueError(text)
        if "about" in text:
            return [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]
        return (
            [0.02, 0.9, 0.02, 0.02, 0.02, 0.02]
            if "said" in text
            else [0.98, 0.004, 0.004, 0.004, 0.004, 0.004]
        )


@dataclass
class Expert:
    """Answers or raises what it was given, in turn; the last one for ever."""

    outcomes: list[Rationale | Exception]
    prompt_version: str = "copt-test"
    asked: list[tuple[ClaimInput, int]] = field(default_factory=list)

    def examine(
        self, claim: ClaimInput, total: int, *, opinion: int = 0, budget_seconds: float | None = None
    ) -> Answer:
        del opinion, budget_seconds
        self.asked.append((claim, total))
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return Answer(
            raw=outcome.model_dump_json(),
            rationale=outcome,
            model="expert-1",
            prompt_tokens=10,
            completion_tokens=5,
            seconds=0.1,
        )


@dataclass
class FaultyExpert(Expert):
    """Raises a fault of this kind: about every claim, or if it is the claims' own, about all but the control
    question's."""

    kind: str = "schema"
    own: bool = False

    def examine(
        self, claim: ClaimInput, total: int, *, opinion: int = 0, budget_seconds: float | None = None
    ) -> Answer:
        if self.own and claim == CONTROL:
            return super().examine(claim, total)
        raise ExpertTransient(self.kind, "no")


@contextmanager
def holding(_token: UUID) -> Iterator[None]:
    """A keeper that keeps nothing."""
    yield


class Checks:
    """Runs work at once in this process; what says `stops` takes too long."""

    def __init__(self, stops: str = "endless") -> None:
        self._stops = stops

    def each(self, work: Callable[[Any], Any], items: Sequence[Any], groups: Sequence[Any]) -> list[Any]:
        found: list[Any] = []
        stopped: set[Any] = set()
        for item, group in zip(items, groups, strict=True):
            found.append(NotReached() if group in stopped else self._outcome(work, item))
            if isinstance(found[-1], Stopped):
                stopped.add(group)
        return found

    def _outcome(self, work: Callable[[Any], Any], item: Any) -> Any:
        if self._stops in str(item):
            return Stopped("check_too_slow", 1)
        try:
            return work(item)
        except AceError as error:
            return error
        except Exception as error:
            return WorkFailed(type(error).__name__, "here")
