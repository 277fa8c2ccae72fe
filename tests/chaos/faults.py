"""What can go wrong, one method each, and how it is healed.

A fault answers False where it cannot happen now (nobody holds anything, the server is already
away); it is then tried again a moment later.
"""

import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass

import psycopg
import redis

from ace.local.servers import Postgres, Redis
from ace.local.stack import Child
from tests.chaos.cluster import Cluster

BUSY_SHARE = 0.7  # of the killed workers are caught with a message in hand; the others at any moment
EXPERT_SHARE = 0.25  # of the killed workers are expert workers
PATIENCE_SECONDS = 1.0  # how long to look for a worker that holds something
BUSY = "SELECT worker FROM leases WHERE started_at IS NOT NULL AND until > now()"
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


@dataclass(frozen=True, slots=True)
class Durations:
    """How long what is frozen or kept down stays so, in seconds."""

    past_lease: float  # longer than any lease
    within_lease: float
    redis: float
    expert: float


@dataclass(frozen=True, slots=True)
class Loss:
    """A worker that fell silent, by the name that leases and events know it by; times as time.time()."""

    worker: str
    at: float
    until: float = float("inf")  # it woke up


class Faults:
    """Faults on one cluster. `later(seconds, undo)` is how a fault that lasts is ended."""

    def __init__(
        self,
        cluster: Cluster,
        rng: random.Random,
        durations: Durations,
        later: Callable[[float, Callable[[], None]], None],
        *,
        expert_share: float = EXPERT_SHARE,
    ) -> None:
        self._cluster = cluster
        self._rng = rng
        self._durations = durations
        self._later = later
        self._expert_share = expert_share
        self._frozen: set[subprocess.Popen[bytes]] = set()
        self._database_url = cluster.environment["ACE_DATABASE_URL"]
        self._broker = redis.Redis.from_url(cluster.redis.operator_url, socket_timeout=2)
        self.losses: list[Loss] = []

    def end(self) -> None:
        """Ends everything that lasts; what is dead, the cluster starts again by itself."""
        for process in list(self._frozen):
            self._thaw(process)
        self._cluster.kept_down.clear()
        self._broker.close()

    # Workers

    def kill_worker(self) -> bool:
        """SIGKILL to the process group of a worker, most often of one that holds a message."""
        kind = self._stage()
        caught = self._busy(kind) if self._rng.random() < BUSY_SHARE else None
        victim = caught or self._any(kind)
        return victim is not None and self._lose(victim) and self._kill(victim)

    def freeze_worker(self) -> bool:
        """A worker that holds a message sleeps past its lease, and wakes up to find it taken over."""
        victim = self._busy(self._stage())
        seconds = self._durations.past_lease
        return victim is not None and self._lose(victim, seconds) and self._freeze(victim, seconds)

    def pause_worker(self) -> bool:
        """A worker sleeps, but for less than its lease: nobody may take anything over."""
        victim = self._any("gatekeeper")
        return victim is not None and self._freeze(victim, self._durations.within_lease)

    def kill_webhook_worker(self) -> bool:
        return self._kill(self._any("webhook-worker"))

    # The other processes of ours

    def kill_dispatcher(self) -> bool:
        return self._kill(self._any("dispatcher"))

    def freeze_dispatcher(self) -> bool:
        return self._freeze(self._any("dispatcher"), self._durations.past_lease)

    def kill_api(self) -> bool:
        return self._kill(self._any("api"))

    def freeze_api(self) -> bool:
        return self._freeze(self._any("api"), self._durations.past_lease)

    def stop_expert(self) -> bool:
        """The expert is gone for a while."""
        self._cluster.kept_down.add("expert")
        self._later(self._durations.expert, lambda: self._cluster.kept_down.discard("expert"))
        return self._kill(self._any("expert"))

    def freeze_expert(self) -> bool:
        """The expert takes requests and does not answer."""
        return self._freeze(self._any("expert"), self._durations.expert)

    # Redis

    def kill_redis(self) -> bool:
        return self._signal_server(self._cluster.redis, signal.SIGKILL)

    def flush_redis(self) -> bool:
        try:
            return bool(self._broker.flushall())
        except redis.RedisError:
            return False

    def freeze_redis(self) -> bool:
        """Half-open: connections stand, and nobody answers."""
        return self._freeze(self._cluster.redis, self._durations.redis)

    # Postgres

    def stop_postgres(self) -> bool:
        """Fast shutdown: every connection is cut, what was committed is on disk."""
        return self._signal_server(self._cluster.postgres, signal.SIGINT)

    def abort_postgres(self) -> bool:
        """Immediate shutdown: recovery from the log at the next start."""
        return self._signal_server(self._cluster.postgres, signal.SIGQUIT)

    def kill_postgres(self) -> bool:
        return self._signal_server(self._cluster.postgres, signal.SIGKILL)

    def cut_connections(self) -> bool:
        try:
            with psycopg.connect(self._database_url, connect_timeout=2) as connection:
                connection.execute(CUT)
        except psycopg.OperationalError:
            return False
        return True

    # How

    def _stage(self) -> str:
        return "expert-worker" if self._rng.random() < self._expert_share else "gatekeeper"

    def _any(self, kind: str, among: Collection[str] | None = None) -> Child | None:
        """A living child of the kind; where workers are named, one of `among`."""
        awake = [child for child in self._cluster.of_kind(kind) if self._awake(child)]
        fitting = [child for child in awake if among is None or _worker_name(child) in among]
        return self._rng.choice(fitting) if fitting else None

    def _busy(self, kind: str) -> Child | None:
        """A worker caught with a message in hand, and stopped before it can lay it down."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            victim = self._any(kind, self._holders())
            if victim is not None and victim.process is not None:
                victim.process.send_signal(signal.SIGSTOP)
                if _worker_name(victim) in self._holders():
                    return victim
                victim.process.send_signal(signal.SIGCONT)
        return None

    def _holders(self) -> set[str]:
        try:
            with psycopg.connect(self._database_url, connect_timeout=2) as connection:
                return {worker for (worker,) in connection.execute(BUSY)}
        except psycopg.OperationalError:
            return set()

    def _awake(self, part: Child | Postgres | Redis) -> bool:
        process = part.process
        return process is not None and process.poll() is None and process not in self._frozen

    def _kill(self, child: Child | None) -> bool:
        if child is None or child.process is None:
            return False
        try:
            os.killpg(child.process.pid, signal.SIGKILL)
        except ProcessLookupError:  # it died by itself meanwhile
            return False
        return True

    def _signal_server(self, server: Postgres | Redis, number: signal.Signals) -> bool:
        if not self._awake(server) or server.process is None:
            return False
        server.process.send_signal(number)
        return True

    def _freeze(self, part: Child | Redis | None, seconds: float) -> bool:
        if part is None or part.process is None or not self._awake(part):
            return False
        process = part.process
        process.send_signal(signal.SIGSTOP)
        self._frozen.add(process)
        self._later(seconds, lambda: self._thaw(process))
        return True

    def _thaw(self, process: "subprocess.Popen[bytes]") -> None:
        self._frozen.discard(process)
        process.send_signal(signal.SIGCONT)

    def _lose(self, child: Child, seconds: float = float("inf")) -> bool:
        now = time.time()
        self.losses.append(Loss(_worker_name(child), now, now + seconds))
        return True


def _worker_name(child: Child) -> str:
    stage = "fast" if child.name.startswith("gatekeeper") else "slow"
    return f"{stage}@{socket.gethostname()}:{child.process.pid if child.process else 0}"
