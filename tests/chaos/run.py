"""One run of ACE: a cluster under load, a plan of faults; then peace, and the audit."""

import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text

from ace.client import Client
from ace.errors import Unavailable
from ace.servers import wait_until
from ace.settings import Settings
from ace.store.database import connect_engine, transact
from ace.store.tables import Stage
from tests.chaos import audit
from tests.chaos.cluster import Cluster
from tests.chaos.faults import Durations, Faults
from tests.chaos.load import Load
from tests.chaos.plan import POISONED, TWICE, Agenda, plan

LEASE_SECONDS: Final = {Stage.FAST: 2.5, Stage.SLOW: 5.0}
MUST_BE_ZERO: Final = (
    "lost",
    "double",
    "illegal",
    "stuck",
    "not_promised",
    "unanswered",
    "misanswered",
    "failed_innocent",
    "failed_spent",
    "leases_left",
    "queue_left",
    "metrics_differ",
    "http_differs",
)
LEFT: Final = (
    "SELECT (SELECT count(*) FROM evaluations WHERE state NOT IN ('decided', 'failed', 'cancelled')),"
    " (SELECT count(*) FROM leases)"
)


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is made of; `seconds` is how long load and faults last."""

    profile: str
    claims: int
    kills: int
    seconds: float
    seed: int
    shipped: bool = False  # the real model in place of the one that pretends
    folder: Path | None = None  # data and logs, kept; None: a temporary one
    clients: int = 4
    workers: int = 3
    experts: int = 2
    doubts: float = 0.02
    think_seconds: float = 0.003
    poison: int = 5  # claims that kill whoever scores them
    drain_seconds: float = 300


def run(options: Options) -> dict[str, Any]:
    """The figures of one run; `ok` says whether everything held."""
    logging.getLogger("ace.embedded").setLevel(logging.CRITICAL)  # it warns of every child that dies
    with _folder(options.folder) as folder, _cluster(options, folder) as cluster:
        trial = Trial(options, cluster)
        try:
            trial.harm()
            trial.heal()
            return trial.figures()
        finally:
            trial.end()


class Trial:
    """What one run does to its cluster and finds out about it."""

    def __init__(self, options: Options, cluster: Cluster) -> None:
        self._options = options
        self._cluster = cluster
        self._agenda = Agenda()
        self._happened: Counter[str] = Counter()
        rng = random.Random(options.seed)
        self._plan = plan(options.profile, kills=options.kills, seconds=options.seconds, rng=rng)
        durations = Durations(
            past_lease=max(LEASE_SECONDS.values()) + 2,
            within_lease=min(LEASE_SECONDS.values()) / 2,
            redis=min(60, options.seconds / 4),
            expert=min(20, options.seconds / 6),
        )
        self._faults = Faults(cluster, rng, durations, self._agenda.later)
        self._load = Load(
            cluster.url,
            cluster.key,
            claims=options.claims,
            poison=options.poison if options.profile in POISONED and not options.shipped else 0,
            seconds=options.seconds,
            clients=options.clients,
            seed=options.seed,
        )
        self._db = connect_engine(cluster.environment["ACE_DATABASE_URL"], name="chaos", pool=2)

    def harm(self) -> None:
        """Load and faults, until both are over."""
        for second, fault in self._plan:
            self._agenda.at(second, partial(self._happen, fault))
        self._load.start()
        self._agenda.run(
            lambda: self._agenda.empty and not self._load.running(),
            seconds=2 * self._options.seconds + 60,
        )

    def _happen(self, fault: str) -> bool:
        happened: bool = getattr(self._faults, fault)()
        if happened:
            self._happened[fault] += 1
            self._tell(fault)
        return happened

    def heal(self) -> None:
        """Ends all faults, hears all answers, and waits until nothing is left to do."""
        self._faults.end()
        self._unanswered = self._load.finish(60)
        self._tell("healed")
        wait_until(self._cluster._ready, seconds=60, what="the healed cluster")
        self._drain()
        self._seconds = self._agenda.now

    def end(self) -> None:
        """Leaves nothing running or frozen, however the run ended."""
        self._faults.end()
        self._load.finish(0)
        self._db.dispose()

    def _replay(self) -> int:
        """What failed runs again, in peace: only what kills its worker then too is poison."""
        with Client(self._cluster.url, self._cluster.key) as api:
            replayed = api.replay_where()
        self._tell(f"{len(replayed)} replayed")
        self._drain()
        return len(replayed)

    def _drain(self) -> None:
        deadline = time.monotonic() + self._options.drain_seconds
        while time.monotonic() < deadline and not self._drained():
            time.sleep(0.2)
        self._tell("drained" if self._drained() else "not drained")

    def _drained(self) -> bool:
        try:
            left = transact(self._db, lambda connection: connection.execute(text(LEFT)).one())
            return not any(left) and audit.queued(self._cluster.environment["ACE_BROKER_URL"]) == 0
        except (Unavailable, OSError):
            return False

    def figures(self) -> dict[str, Any]:
        """Everything that was found out, by name."""
        cluster, ledger = self._cluster, self._load.ledger
        replayed = self._replay()
        with self._db.connect() as connection, Client(cluster.url, cluster.key) as api:
            found = {
                **audit.stored(connection, ledger),
                **audit.chains(connection),
                **audit.left_over(connection, cluster.environment["ACE_BROKER_URL"]),
                "metrics_differ": audit.metrics_differ(connection, cluster.url),
                "http_differs": audit.http_differs(api, ledger, random.Random(self._options.seed)),
            }
            taken_over = audit.takeovers(connection, self._faults.losses)
        found["double"] += ledger.counts["stored_twice"]
        found["unanswered"] = self._unanswered
        found["misanswered"] = ledger.counts["misanswered"]
        figures = {
            "seed": self._options.seed,
            "profile": self._options.profile,
            "claims": self._options.claims,
            **found,
            "kills": self._happened["kill_worker"],
            "replayed": replayed,
            "takeovers": len(taken_over),
            "takeover_p99_seconds": audit.p99(seconds for _, seconds in taken_over),
            "over_lease_p99_seconds": audit.p99(
                seconds - LEASE_SECONDS[stage] for stage, seconds in taken_over
            ),
            "stale_writes_rejected": audit.stale_writes(cluster.settings.data_dir / "logs"),
            "retried": ledger.counts["retried"],
            "resent": ledger.counts["resent"],
            "seconds": round(self._seconds, 1),
            "claims_per_second": round(found["accepted"] / self._seconds, 1),
            "faults": dict(sorted(self._happened.items())),
        }
        complete = self._happened.total() == len(self._plan)
        return {**figures, "ok": complete and not any(figures[name] for name in MUST_BE_ZERO)}

    def _tell(self, what: str) -> None:
        accepted = len(self._load.ledger.evaluations)
        print(f"{self._agenda.now:7.1f} s  {accepted:>8} accepted  {what}", file=sys.stderr, flush=True)


def _cluster(options: Options, folder: Path) -> Cluster:
    settings = Settings(
        data_dir=folder,
        port=0,
        fast_lease_seconds=LEASE_SECONDS[Stage.FAST],
        slow_lease_seconds=LEASE_SECONDS[Stage.SLOW],
        message_max_claims=200,
        gatekeeper_threads=1,
        expert_timeout_seconds=3,
        shutdown_grace_seconds=5,
        log_level="info",
    )
    commands = {}
    if not options.shipped:
        model = {"--seed": options.seed, "--doubts": options.doubts, "--think": options.think_seconds}
        words = [str(word) for pair in model.items() for word in pair]
        commands["gatekeeper"] = ["tests.chaos.worker", *words]
    if options.profile in TWICE:
        commands["dispatcher"] = ["tests.chaos.dispatcher"]
    return Cluster(settings, gatekeepers=options.workers, experts=options.experts, commands=commands)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="ace-chaos-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
