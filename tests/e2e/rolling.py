"""Processes of ACE that are exchanged one by one, and clients that never stop asking meanwhile."""

import itertools
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx

from ace.processes import stop_process
from ace.settings import Settings
from tests.waiting import wait_for

CLAIMS: Final = ("1. A bracket comprising a plate.",)
ENOUGH: Final = 5  # requests of every kind before something changes again
START_SECONDS: Final = 300  # for what a process does first, on a busy machine


class Service:
    """One process of ACE, which is stopped and started again with other settings."""

    def __init__(self, *words: str, log: Path) -> None:
        self._words, self._log = words, log
        self._running: subprocess.Popen[bytes] | None = None

    def restart(self, settings: Settings, code: Path | None = None) -> None:
        """Stops it, and starts it with these settings, from another checkout if one is given."""
        self.stop()
        with self._log.open("ab") as output:
            self._running = subprocess.Popen(
                [sys.executable, "-m", "ace", *self._words],
                env={**os.environ, **settings.environment(), **({"PYTHONPATH": str(code)} if code else {})},
                cwd=code,
                stdout=output,
                stderr=output,
            )

    def stop(self) -> None:
        if self._running is not None:
            stop_process(self._running, seconds=30)


class Clients:
    """A client that files, reads pages and cancels without a pause, over whichever process answers."""

    def __init__(
        self, ports: Sequence[int], key: str, *, cancel: bool = True, texts: Sequence[str] = CLAIMS
    ) -> None:
        self.key = key
        self.accepted: dict[str, list[str]] = {}  # filing: its evaluations
        self.done: Counter[str] = Counter()
        self.refused: list[tuple[str, int, str]] = []
        self._texts = texts
        self._ports = itertools.cycle(ports)
        self._count = len(ports)
        self._kinds = ("submit", "page", "cancel") if cancel else ("submit", "page")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Clients":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def some_more(self) -> None:
        """Waits until enough was asked since."""
        before = self.done.copy()
        for what in self._kinds:
            wait_for(lambda what=what: self.done[what] >= before[what] + ENOUGH, what, seconds=START_SECONDS)
        assert self.refused == [], self.refused

    def ask(self, what: str, method: str, path: str, **more: Any) -> Any:
        """Asks the next process, and if that cannot be reached the other, as a proxy does."""
        headers = {"Authorization": f"Bearer {self.key}", **more.pop("headers", {})}
        for _ in range(20 * self._count):
            url = f"http://127.0.0.1:{next(self._ports)}{path}"
            try:
                answer = httpx.request(method, url, headers=headers, timeout=30, **more)
            except httpx.TransportError:
                continue
            if answer.status_code >= 400:
                self.refused.append((what, answer.status_code, answer.text))
            self.done[what] += 1
            return answer.json()
        raise AssertionError(f"nobody answers to {what}")

    def _run(self) -> None:
        for number in itertools.count():
            if self._stop.is_set():
                return
            body = {"docket": f"D-{number}", "claims": self._texts[number % len(self._texts)]}
            filed = self.ask(
                "submit", "POST", "/v1/filings", json=body, headers={"Idempotency-Key": f"k-{number}"}
            )
            self.accepted[filed["filing"]] = [one["id"] for one in filed["evaluations"]]
            cursor = self.ask("page", "GET", "/v1/evaluations", params={"limit": 1}).get("next")
            if cursor is not None:  # from one process, for the other
                self.ask("page", "GET", "/v1/evaluations", params={"limit": 1, "cursor": cursor})
            if "cancel" in self._kinds:
                self.ask("cancel", "POST", f"/v1/filings/{filed['filing']}/cancel")


@contextmanager
def running(*services: Service) -> Iterator[None]:
    with ExitStack() as stack:
        for service in services:
            stack.callback(service.stop)
        yield


def ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code == 200
    except httpx.TransportError:
        return False
