"""A simulator in a process of its own, for loads and drills that would starve it in theirs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Self

import httpx2

from ace.errors import Unavailable

_STOP_SECONDS = 10.0
_CALL_SECONDS = 10.0


class SimulatorProcess:
    """`ace expert simulate` with these options, for the duration of the `with` block; on a free port unless
    the options name one."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "ace", "expert", "simulate", "--port", "0", *options, "--json"]
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)  # noqa: S603 our own
        line = self._process.stdout.readline() if self._process.stdout else ""
        self.url = json.loads(line).get("url", "") if line else ""
        if not self.url:
            self._stop()
            raise Unavailable("expert", "the simulator did not start: see its standard error")
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop()

    def stats(self) -> dict[str, Any]:
        """What has happened so far."""
        answer: dict[str, Any] = self._called("GET", "/simulator/stats")
        return answer

    def follow(self, *steps: Mapping[str, Any]) -> None:
        """Sets what the next requests get, in place of the previous script."""
        self._called("POST", "/simulator/script", json=list(steps))

    def down(self, seconds: float) -> None:
        """Starts an outage of this length."""
        self._called("POST", "/simulator/down", params={"seconds": str(seconds)})

    def _called(self, method: str, path: str, **more: Any) -> Any:
        answer = httpx2.request(method, f"{self.url}{path}", timeout=_CALL_SECONDS, **more)
        return answer.raise_for_status().json()

    def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.communicate(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
