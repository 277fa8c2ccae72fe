"""Child processes and signals: starting, waiting for and ending them. Knows only the errors of ACE."""

import contextlib
import ctypes
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ace.errors import AceError

PARENT_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG of prctl(2)
GROUP_TRIES: Final = 20


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> None:
    """In a child between fork and exec: receive this signal when the parent is gone (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, number)


def give_way(niceness: int) -> None:
    """Lowers the priority of this thread, and of those that it starts from now on, by so many steps.

    A kernel that groups processes by session (autogroup in sched(7)) compares niceness only within a group.
    So a process that leads a session gives the group this niceness too.
    """
    os.nice(niceness)
    group = Path("/proc/self/autogroup")
    if os.getsid(0) == os.getpid() and group.exists():
        for _ in range(GROUP_TRIES):
            with contextlib.suppress(BlockingIOError):  # the kernel changes one group in a tenth of a second
                group.write_text(str(niceness), encoding="ascii")
                return
            time.sleep(0.1)


def wait_until(ready: Callable[[], bool], *, seconds: float, what: str) -> None:
    """Returns once `ready()`; raises `AceError` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise AceError(f"{what} did not get ready within {seconds:g} seconds")
        time.sleep(0.02)


def stop_process(
    process: "subprocess.Popen[Any]", *, seconds: float, signal_: signal.Signals = signal.SIGTERM
) -> None:
    """Sends `signal_`, then SIGKILL after `seconds`."""
    if process.poll() is None:
        process.send_signal(signal_)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


def major_version(program: Path, pattern: str) -> int:
    """What `pattern` catches in what the program says to --version; 0 if it does not say."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return 0
    version = re.search(pattern, said.stdout)
    return int(version[1]) if version else 0


def free_port() -> int:
    """An unused TCP port on the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until_signalled() -> threading.Event:
    """An event that SIGTERM and SIGINT set."""
    stop = threading.Event()

    def on_signal(_number: int, _frame: object) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    return stop
