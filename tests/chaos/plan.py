"""Which faults a run meets and when: a profile is a list of beats, a plan is what a seed makes of it."""

import heapq
import itertools
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

AGAIN_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Beat:
    """A fault that comes about every `seconds`, and at least once; None: as often as workers die."""

    fault: str
    seconds: float | None


ONCE: Final = float("inf")
WORKERS: Final = (
    Beat("kill_worker", None),
    Beat("pause_worker", 15),
    Beat("kill_webhook_worker", 5),
    Beat("kill_dispatcher", 20),
    Beat("freeze_dispatcher", 60),
    Beat("kill_api", 20),
    Beat("freeze_api", 60),
)
REDIS: Final = (Beat("kill_redis", 12), Beat("flush_redis", 30), Beat("freeze_redis", ONCE))
CUT: Final = Beat("cut_connections", 10)
POSTGRES: Final = (
    Beat("stop_postgres", 20),
    Beat("abort_postgres", 20),
    Beat("kill_postgres", 20),
    CUT,
)
FROZEN: Final = (Beat("freeze_worker", 5),)
EXPERT: Final = (Beat("stop_expert", 60), Beat("freeze_expert", 60))
PROFILES: Final[dict[str, tuple[Beat, ...]]] = {
    "workers": WORKERS,
    "redis": REDIS,
    "postgres": POSTGRES,
    "frozen": FROZEN,
    "duplicates": (Beat("kill_worker", None),),
    "poison": (),
    "expert": EXPERT,
    "simulator": (*WORKERS, *FROZEN, CUT),
    "all": (*WORKERS, *REDIS, *(Beat(one.fault, 40) for one in POSTGRES), Beat("freeze_worker", 20), *EXPERT),
}
TWICE: Final = frozenset({"duplicates", "all"})  # profiles in which every message is sent twice
SIMULATED: Final = frozenset({"simulator"})  # profiles whose expert is one that fails by itself
POISONED: Final = frozenset({"poison", "all"})  # profiles with claims that kill their worker


def plan(profile: str, *, kills: int, seconds: float, rng: random.Random) -> list[tuple[float, str]]:
    """(second, fault), evenly spread over `seconds` with jitter, in order."""
    planned = []
    for beat in PROFILES[profile]:
        count = kills if beat.seconds is None else max(1, round(seconds / beat.seconds))
        planned += [(seconds * (n + rng.random()) / count, beat.fault) for n in range(count)]
    return sorted(planned)


class Agenda:
    """Does each thing at its time, and again a moment later where it answers False."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._numbers = itertools.count()
        self._due: list[tuple[float, int, Callable[[], bool | None]]] = []

    @property
    def now(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    @property
    def empty(self) -> bool:
        """Whether nothing more is due."""
        return not self._due

    def at(self, second: float, act: Callable[[], bool | None]) -> None:
        """`act` is due at `second`."""
        heapq.heappush(self._due, (second, next(self._numbers), act))

    def later(self, seconds: float, act: Callable[[], bool | None]) -> None:
        """`act` is due `seconds` from now."""
        self.at(self.now + seconds, act)

    def run(self, until: Callable[[], bool], *, seconds: float) -> None:
        """Returns once `until()`, or after `seconds`."""
        while self.now < seconds and not until():
            if self._due and self._due[0][0] <= self.now:
                _, _, act = heapq.heappop(self._due)
                if act() is False:
                    self.later(AGAIN_SECONDS, act)
            else:
                time.sleep(0.02)
