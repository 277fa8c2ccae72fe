"""The embedded stack as the chaos driver runs it: several of everything, and patient with deaths.

Nothing is replaced but the gatekeeper's model and, where messages are to come twice, the
dispatcher's broker; both by processes that run the real code around them.
"""

import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ace.local.stack import Child, Stack
from ace.processes import die_with_parent

ENDED = float("inf")


@dataclass
class Cluster(Stack):
    """A stack whose children start again at once, however often they die."""

    quiet: bool = True
    dispatchers: int = 2
    commands: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by kind: what runs in its place
    kept_down: set[str] = field(default_factory=set)  # names of children that stay dead for now

    def of_kind(self, kind: str) -> list[Child]:
        """The children of one kind: api, dispatcher, gatekeeper, expert-worker, webhook-worker or expert."""
        return [child for child in self.children if _kind(child) == kind]

    def _processes(self) -> list[Child]:
        children = [child for child in super()._processes() if child.name != "dispatcher"]
        return [*children, *(Child(f"dispatcher-{n}", ["dispatch"]) for n in range(self.dispatchers))]

    def _command(self, child: Child) -> Sequence[str]:
        return self.commands.get(_kind(child)) or super()._command(child)

    def _bind_to_us(self) -> None:
        """SIGKILL when the driver is gone: a frozen process would not hear SIGTERM."""
        die_with_parent(signal.SIGKILL)

    def _tend(self) -> None:
        for child in self.children:
            child.deaths = 0  # we killed it: no reason to wait ever longer
            if child.name in self.kept_down:
                child.start_at = ENDED
            elif child.start_at == ENDED:
                child.start_at = time.monotonic()
        super()._tend()


def _kind(child: Child) -> str:
    return child.name.rstrip("0123456789").rstrip("-")
