"""The expert of a run as the simulated server: a fifth of its calls fail, whatever else is broken.

What that costs is counted while nothing else goes wrong. What is called under kills and freezes
besides is the share of those, and told apart.
"""

from typing import Any, Final, NamedTuple, Self

from sqlalchemy import Connection, text

from ace_lab.simulator.server import SimulatorProcess

FAULTS: Final = 0.2  # of the calls, spread over every kind that ends by itself
SLOTS: Final = 8  # as many as the dispatcher uses where nothing is set
DOUBTS: Final = 0.2  # of the claims are escalated: elsewhere it is the fast stage that has the work
EXPERTS_KILLED: Final = 0.5  # of the killed workers are expert workers
# The faults alone cost 1.25, and asking every claim twice would cost 2.5. A busy machine loses some sound
# answers; the benchmark of the expert measures what an idle one does.
MOST_CALLS_PER_SUCCESS: Final = 2.0
# A claim that meets four faults waits for a minute. That nothing comes too soon is tested elsewhere.
HASTEN: Final = "UPDATE evaluations SET due_at = now() WHERE state = 'escalated' AND due_at > now()"
KEPT: Final = "SELECT count(*) FROM examinations WHERE verdict IS NOT NULL"


def expert(seed: int) -> SimulatorProcess:
    """The server, not yet started."""
    return SimulatorProcess(
        *("--dialect", "tgi", "--slots", str(SLOTS), "--latency", "lognormal:0.2,0.4"),
        *("--faults-total", str(FAULTS), "--seed", str(seed)),
    )


class Count(NamedTuple):
    """Calls that a server has had so far, how many it spoilt itself, and how many answers were kept."""

    calls: int
    spoilt: int
    kept: int

    @classmethod
    def now(cls, simulator: SimulatorProcess, connection: Connection) -> Self:
        """As of now."""
        stats = simulator.stats()
        return cls(stats["calls"], sum(stats["faults"].values()), connection.execute(text(KEPT)).scalar_one())

    def since(self, before: "Count") -> "Count":
        """What came after `before`."""
        return Count(*(now - then for now, then in zip(self, before, strict=True)))

    @property
    def calls_per_success(self) -> float:
        """Calls for each answer that was kept."""
        return round(self.calls / max(1, self.kept), 3)

    def figures(self) -> dict[str, Any]:
        """Everything, by name. A call that was neither spoilt nor kept: turned away, or its worker lost."""
        return {
            "calls": self.calls,
            "successes": self.kept,
            "calls_per_success": self.calls_per_success,
            "faulty_share": round(self.spoilt / max(1, self.calls), 3),
            "sound_but_not_kept": self.calls - self.spoilt - self.kept,
        }
