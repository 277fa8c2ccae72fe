"""Processes that run work on claims: each item is bounded, and a process leaves nothing behind."""

import logging
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import psutil
import pytest

from ace import claim_work
from ace.bounded import CRASHED, TOO_SLOW, Bounded
from ace.errors import NotReached, Refused, Stopped, Unavailable, WorkFailed
from tests.waiting import wait_for

SECRET = "zyzzyva"  # a word of secret text


def work(item: str) -> Any:
    """What the processes do: what the item names, or its capitals."""
    return ACTS.get(item, item.upper)()


def endless() -> None:
    while True:
        pass


def broken() -> None:
    raise KeyError(SECRET)


def refused() -> None:
    raise Refused("no", code="empty_claim", pointer="/claims", limit=1)


def is_socket(fd: int) -> bool:
    with suppress(OSError):
        return stat.S_ISSOCK(os.fstat(fd).st_mode)
    return False


ACTS: dict[str, Callable[[], Any]] = {
    "endless": endless,
    "sleep": lambda: time.sleep(3600),
    "crash": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "break": broken,
    "refuse": refused,
    "process": os.getpid,
    "settings": lambda: [name for name in os.environ if name.startswith("ACE_")],
    "sockets": lambda: sum(map(is_socket, range(64))),
    "interrupt": lambda: os.kill(os.getpid(), signal.SIGINT),
}


@pytest.fixture
def bounded() -> Iterator[Bounded]:
    pool = Bounded(processes=1, cpu_seconds=0.3, warm=claim_work.warm)
    yield pool
    pool.close()


def test_results_come_in_order_whatever_the_number_of_processes() -> None:
    pool = Bounded(processes=2, cpu_seconds=5, warm=claim_work.warm)
    items = [f"item {number}" for number in range(50)]
    assert pool.each(work, items, items) == [item.upper() for item in items]
    assert pool.each(work, [], []) == []
    pool.close()


def test_an_item_that_takes_too_long_is_stopped_and_the_others_are_done(bounded: Bounded) -> None:
    items = ["one", "endless", "two", "three"]
    outcomes = bounded.each(work, items, ["a", "b", "b", "a"])
    assert outcomes[::3] == ["ONE", "THREE"]
    stopped, left = outcomes[1:3]
    assert isinstance(stopped, Stopped)
    assert (stopped.code, stopped.limit) == (TOO_SLOW, 0.3)
    assert isinstance(left, NotReached)


def test_waiting_takes_no_processor_time_and_is_stopped_too(
    bounded: Bounded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ace.bounded.STUCK_SECONDS", 0.1)
    monkeypatch.setattr("ace.bounded.STUCK_FACTOR", 1)
    with pytest.raises(Stopped, match=TOO_SLOW):
        bounded.submit(work, "sleep").result()
    monkeypatch.undo()
    assert bounded.submit(work, "one").result() == "ONE"


def test_an_item_that_ends_its_process_twice_is_stopped(bounded: Bounded) -> None:
    crashed, done = bounded.each(work, ["crash", "one"], [1, 2])
    assert isinstance(crashed, Stopped)
    assert (crashed.code, done) == (CRASHED, "ONE")


def test_a_process_that_was_killed_from_outside_is_replaced(bounded: Bounded) -> None:
    first = bounded.submit(work, "process").result()
    os.kill(first, signal.SIGKILL)
    assert bounded.submit(work, "process").result() != first


def test_errors_arrive_as_they_were_raised_and_unexpected_ones_without_their_text(
    bounded: Bounded, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Refused) as no:
        bounded.submit(work, "refuse").result()
    assert (no.value.code, no.value.pointer, no.value.limit) == ("empty_claim", "/claims", 1)
    with caplog.at_level(logging.DEBUG), pytest.raises(WorkFailed) as failed:
        bounded.submit(work, "break").result()
    assert failed.value.kind == "KeyError"
    assert SECRET not in f"{failed.value} {[record.__dict__ for record in caplog.records]}"


def test_a_process_has_one_socket_no_settings_and_no_ear_for_interrupts(
    bounded: Bounded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACE_DATABASE_URL", "postgresql://secret")
    assert bounded.submit(work, "settings").result() == []
    assert bounded.submit(work, "sockets").result() == 1
    assert bounded.submit(work, "interrupt").result() is None


def test_closing_ends_what_runs_and_leaves_no_process() -> None:
    pool = Bounded(processes=2, cpu_seconds=60, warm=claim_work.warm)
    process = pool.submit(work, "process").result()
    running: list[Future[Any]] = [pool.submit(work, "endless") for _ in range(2)]
    wait_for(lambda: all(one.running() for one in running), "both to run")
    pool.close()
    for one in running:
        with pytest.raises(Unavailable):
            one.result()
    assert not psutil.pid_exists(process)


OWNER = """
import time
from ace import claim_work
from ace.bounded import Bounded
from tests.unit.test_bounded import work
pool = Bounded(processes=1, cpu_seconds=600, warm=claim_work.warm)
print(pool.submit(work, "process").result(), flush=True)
pool.submit(work, "endless")
time.sleep(600)
"""


@pytest.mark.slow
def test_processes_end_with_an_owner_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        process = psutil.Process(int(owner.stdout.readline()))
        owner.kill()
    wait_for(lambda: not process.is_running(), "the process to end")
