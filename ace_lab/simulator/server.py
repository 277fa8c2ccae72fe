"""A simulation of TGI, vLLM, SGLang, llama-server or OpenAI for tests, benchmarks and drills. It answers by
rules and fails on demand; `ace expert simulate` runs one.

By default it listens on loopback. Its model id, its fingerprint and a header of every answer say that it is a
simulation.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from ace.errors import Unavailable
from ace.expert.client.dialects import Dialect
from ace_lab.simulator.app import Received, SimulatedServer
from ace_lab.simulator.behaviour import Behaviour
from ace_lab.simulator.faults import Fault, Step, rates_of
from ace_lab.simulator.listener import Listener
from ace_lab.simulator.process import SimulatorProcess
from ace_lab.simulator.timing import Latency

__all__ = ["Behaviour", "Fault", "Latency", "Received", "Simulator", "SimulatorProcess", "Step"]

_START_SECONDS = 10.0


class Simulator:
    """A simulated server. Takes the fields of Behaviour, with names as plain text: `Simulator(dialect="vllm",
    slots=4, latency="fixed:0.1", faults={"hang": 0.01}, faults_total=0.2)`."""

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        dialect: str = Dialect.TGI,
        latency: str | Latency = Latency(),  # noqa: B008 frozen
        faults: Mapping[str, float] | None = None,
        faults_total: float = 0.0,
        script: Iterable[Step | Mapping[str, Any]] = (),
        **fields: Any,
    ) -> None:
        self.server = SimulatedServer(
            Behaviour(
                dialect=Dialect(dialect),
                latency=Latency.parse(latency) if isinstance(latency, str) else latency,
                faults=rates_of(faults or {}, faults_total),
                script=tuple(Step.model_validate(step) for step in script),
                **fields,
            )
        )
        self._listener = Listener(self.server.app, host, port)
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        """Its address, once it listens."""
        host = self._listener.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self._listener.port}"

    @property
    def model(self) -> str:
        """The model's name."""
        return self.server.behaviour.model

    @property
    def received(self) -> list[Received]:
        """The last `kept_requests` requests, as they arrived."""
        return list(self.server.received)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies of the questions among them."""
        return [json.loads(each.body) for each in self.received if each.body]

    def stats(self) -> dict[str, Any]:
        """What has happened so far."""
        return self.server.stats()

    def follow(self, *steps: Step | Mapping[str, Any]) -> None:
        """Sets what the next requests get, in place of the previous script."""
        self.server.plan.follow([Step.model_validate(step) for step in steps])

    def down(self, seconds: float) -> None:
        """Starts an outage: every connection is cut, and nobody can connect for `seconds`."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._refuse, seconds, True)

    @contextmanager
    def run(self) -> Iterator[Self]:
        """Serves in a thread of this process for the duration of the block."""
        ready = threading.Event()
        failed: list[OSError] = []
        stopped = asyncio.Event()

        async def serving() -> None:
            try:
                await self.serve(stopped, ready.set)
            except OSError as error:
                failed.append(error)
                ready.set()

        thread = threading.Thread(target=lambda: asyncio.run(serving()), name="simulator", daemon=True)
        thread.start()
        try:
            if not ready.wait(_START_SECONDS) or failed:
                raise Unavailable("expert", f"the simulator cannot listen at {self.url}")
            yield self
        finally:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(stopped.set)
            thread.join(_START_SECONDS)

    async def serve(self, stopped: asyncio.Event, ready: Callable[[], None]) -> None:
        """Serves until `stopped`; calls `ready` once it listens. Raises OSError if it cannot."""
        await self._listener.open()
        self._loop = asyncio.get_running_loop()
        self.server.refuse = self._refuse
        try:
            ready()
            await stopped.wait()
        finally:
            self._loop = None
            await self._listener.close()

    def _refuse(self, seconds: float, everyone: bool) -> None:
        self._listener.refuse(seconds, everyone=everyone)
