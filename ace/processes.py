"""Child processes and signals: starting, waiting for and ending them. Knows only the errors of ACE."""

import ctypes
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from ace.errors import AceError

PARENT_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG of prctl(2)


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> None:
    """In a child between fork and exec: receive this signal when the parent is gone (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, number)


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
