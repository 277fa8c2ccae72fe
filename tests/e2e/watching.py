"""Looks where a word could turn up while ACE runs: what Redis is told, PostgreSQL is asked, processes show.

`holds` finds a word also as messages on the broker carry it, in base64.
"""

import base64
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg

PAUSE_SECONDS = 0.02


def holds(data: bytes, word: str) -> bool:
    """Whether the word is in the data, as it is, in hexadecimal digits or in base64."""
    raw = word.encode()
    return any(form in data for form in (raw, raw.hex().encode(), *_base64(raw)))


def _base64(raw: bytes) -> Iterator[bytes]:
    """What base64 makes of the word wherever it stands: its place in a group of three has three forms."""
    for before in range(3):
        whole = base64.b64encode(bytes(before) + raw)
        yield whole[(0, 2, 3)[before] : (len(raw) + before) // 3 * 4]


class Watch:
    """Keeps what it sees, in threads, until it is left. Servers that go away are waited for."""

    def __init__(self, database_url: str, redis_url: str) -> None:
        self.database_url, self.redis = database_url, urlsplit(redis_url)
        self.told = bytearray()  # every command that Redis was given
        self.asked: set[str] = set()  # every statement that PostgreSQL was seen at
        self.shown: set[bytes] = set()  # titles and environments of our processes
        self.unnamed: set[bytes] = set()  # what temporary files without a name held
        self.stop = threading.Event()
        self.threads = [
            threading.Thread(target=self._again, args=(look,))
            for look in (self._redis, self._postgres, self._processes)
        ]

    def __enter__(self) -> "Watch":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join()

    def _again(self, look: Callable[[], None]) -> None:
        while not self.stop.is_set():
            with contextlib.suppress(psycopg.Error, psutil.Error, OSError):
                look()
            time.sleep(PAUSE_SECONDS)

    def _redis(self) -> None:
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(self.redis.path)
            monitor.sendall(f"AUTH {self.redis.username} {self.redis.password}\r\nMONITOR\r\n".encode())
            monitor.settimeout(0.2)
            while not self.stop.is_set():
                with contextlib.suppress(TimeoutError):
                    told = monitor.recv(1_000_000)
                    if not told:
                        return
                    self.told += told

    def _postgres(self) -> None:
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            while not self.stop.is_set():
                rows: list[Any] = connection.execute("SELECT query FROM pg_stat_activity").fetchall()
                self.asked.update(query for (query,) in rows if query)
                time.sleep(PAUSE_SECONDS)

    def _processes(self) -> None:
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error, OSError):
                folder = Path("/proc") / str(process.pid)
                self.shown.add((folder / "cmdline").read_bytes() + (folder / "environ").read_bytes())
                if "postgres" not in process.name():
                    self.unnamed.update(_unnamed(folder / "fd"))


def _unnamed(folder: Path) -> Iterator[bytes]:
    """What open files hold whose names were taken away."""
    for file in folder.iterdir():
        target = str(file.readlink())
        if target.startswith("/") and target.endswith(" (deleted)") and not target.startswith("/dev"):
            yield file.read_bytes()
