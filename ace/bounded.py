"""Work on claims that can be stopped: a few processes, each with a bound on the processor time of one item.

A regular expression holds the interpreter until it is done, and nothing in the same process can interrupt it.
So the kernel ends a process whose item takes too long (ITIMER_PROF), and another takes its place. Processor
time is bounded, not waiting, so that a busy machine stops nothing.

A process gets the name of a function and its arguments over a socket pair, and no other socket, file or
setting. It ends when the pair is closed, so also if its owner was killed. Nothing is logged but the type
and place of an error: items are claims.
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection, Pipe
from typing import Any, Final, TypeVar

from ace.errors import AceError, NotReached, Stopped, Unavailable, WorkFailed
from ace.processes import die_with_parent

log = logging.getLogger(__name__)

Item = TypeVar("Item")
Made = TypeVar("Made")

TOO_SLOW: Final = "check_too_slow"
CRASHED: Final = "check_crashed"

STUCK_FACTOR: Final = 12
STUCK_SECONDS: Final = 30
"""A process is stuck after this time, or this many times its bound of processor time, if that is more."""

START_SECONDS: Final = 60  # in which a process must be ready, on the busiest machine

_CHILD: Final = "from ace.bounded import serve; serve()"
_MIN_SHARE: Final = 8  # fewer items are not divided between processes


class Bounded:
    """Runs functions in `processes` processes, started when needed; an item may take `cpu_seconds` of each.

    Functions are passed by reference, so they belong to modules, and their arguments and results are pickled.
    `warm` runs first in every process, without a bound. Close it at the end. Thread-safe.
    """

    def __init__(
        self, *, processes: int, cpu_seconds: float, warm: Callable[[], object], niceness: int = 0
    ) -> None:
        self.processes = processes
        self.cpu_seconds = cpu_seconds
        self._warm = warm
        self._niceness = niceness
        # Each thread owns a process, and lives as long as this pool: the kernel ends children with the thread
        # that started them.
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="bounded")
        self._own = threading.local()
        self._children: set[_Child] = set()
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, work: Callable[[Item], Made], item: Item) -> "Future[Made]":
        """The result of one item, to come; or Stopped, WorkFailed, or the AceError that `work` raises."""
        return self._threads.submit(self._one, work, item)

    def each(
        self, work: Callable[[Item], Made], items: Sequence[Item], groups: Sequence[Hashable]
    ) -> list[Made | AceError]:
        """For each item its result, or the error that `submit` would raise.

        When an item is stopped, the remaining ones of its group are given up as NotReached, so that a
        group delays the others by one bound at most.
        """
        size = max(_MIN_SHARE, -(-len(items) // self.processes))
        shares = [slice(start, start + size) for start in range(0, len(items), size)]
        begun = [self._threads.submit(self._all, work, items[each], groups[each]) for each in shares]
        return [outcome for share in begun for outcome in share.result()]

    def close(self) -> None:
        """Ends the processes and whatever they do; whoever waits for it gets Unavailable."""
        with self._lock:
            self._closed = True
            children = list(self._children)
        for child in children:
            child.process.kill()
        self._threads.shutdown(cancel_futures=True)
        for child in children:
            child.end()

    def _one(self, work: Callable[[Item], Made], item: Item) -> Made:
        (outcome,) = self._all(work, [item], [None])
        if isinstance(outcome, AceError):
            raise outcome
        return outcome

    def _all(
        self, work: Callable[[Item], Made], items: Sequence[Item], groups: Sequence[Hashable]
    ) -> list[Made | AceError]:
        """The outcomes of one thread's share. A process that ends is replaced, and the item left behind."""
        outcomes: list[Made | AceError] = [NotReached()] * len(items)
        left, lost_at = list(range(len(items))), -1
        while left:
            child = self._child()
            try:
                child.connection.send((work, [items[at] for at in left], self.cpu_seconds))
                while left:
                    outcomes[left[0]] = self._received(child)
                    del left[0]
            except (EOFError, OSError) as ended:
                status, at = self._ended(child), left[0]
                slow = status == -signal.SIGPROF or isinstance(ended, TimeoutError)
                if not slow and lost_at != at:
                    lost_at = at  # it may not be this item's fault: once more
                    continue
                outcomes[at] = stopped = Stopped(TOO_SLOW if slow else CRASHED, self.cpu_seconds)
                log.warning("a check was stopped", extra={"error": stopped.code, "status": status})
                left = [other for other in left if groups[other] != groups[at]]
        return outcomes

    def _received(self, child: "_Child") -> Any:
        if not child.connection.poll(max(STUCK_SECONDS, STUCK_FACTOR * self.cpu_seconds)):
            child.process.kill()
            raise TimeoutError
        made, error = child.connection.recv()
        if isinstance(error, WorkFailed):
            log.error("a check failed", extra={"error": error.kind, "at": error.at})
        return made if error is None else error

    def _child(self) -> "_Child":
        """The process of this thread."""
        found: _Child | None = getattr(self._own, "child", None)
        if found is None:
            found = self._own.child = _Child(self._niceness)
            with self._lock:
                self._children.add(found)
                closed = self._closed
            try:
                found.connection.send(self._warm)
                if closed or not found.connection.poll(START_SECONDS):
                    raise TimeoutError
                found.connection.recv()
            except (EOFError, OSError):
                found.process.kill()
                raise Unavailable(
                    "checks", f"a process ended with {self._ended(found)} at its start"
                ) from None
        return found

    def _ended(self, child: "_Child") -> int:
        """Forgets a process; its exit status. Raises Unavailable if it was ended by `close`."""
        del self._own.child
        with self._lock:
            self._children.discard(child)
            closed = self._closed
        status = child.end()
        if closed:
            raise Unavailable("checks", "the process is stopping")
        return status


class _Child:
    """One process and the connection to it."""

    def __init__(self, niceness: int) -> None:
        ours, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  # our own module
                [sys.executable, "-c", _CHILD, str(theirs.fileno()), str(niceness)],
                pass_fds=[theirs.fileno()],
                env={name: value for name, value in os.environ.items() if not name.startswith("ACE_")},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the owner
            )
        self.connection: Connection[Any, Any] = ours

    def end(self) -> int:
        """Ends the process if it runs; returns its exit status."""
        self.connection.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(1)  # it has ended, or finds its connection closed
        self.process.kill()
        return self.process.wait()


def serve() -> None:
    """The process: answers one request after the other until its connection is closed."""
    die_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection: Connection[Any, Any] = Connection(int(sys.argv[1]))
    os.nice(int(sys.argv[2]))
    with contextlib.suppress(EOFError, OSError):
        warm = connection.recv()
        warm()
        connection.send(None)
        while True:
            work, items, cpu_seconds = connection.recv()
            for item in items:
                connection.send(_outcome(work, item, cpu_seconds))


def _outcome(work: Callable[[Any], Any], item: Any, cpu_seconds: float) -> tuple[Any, AceError | None]:
    try:
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        try:
            return work(item), None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except AceError as error:
        return None, error
    except Exception as error:  # its text could quote the claims
        return None, WorkFailed.of(error)
