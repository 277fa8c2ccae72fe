"""One run of ACE: a cluster under load, a plan of faults; then peace, and the audit."""

import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text

from ace.errors import Unavailable
from ace.processes import wait_until
from ace.settings import Settings
from ace.store.database import connect_engine, transact
from ace.store.tables import Stage
from ace_lab.simulator.server import SimulatorProcess
from patent_ace_client import Client
from tests.chaos import audit, simulated
from tests.chaos.audience import RETRY_SECONDS, TIMEOUT_SECONDS, Audience, audience
from tests.chaos.cluster import Cluster
from tests.chaos.faults import EXPERT_SHARE, Durations, Faults
from tests.chaos.load import Ledger, Load
from tests.chaos.plan import POISONED, SIMULATED, TWICE, Agenda, plan

LEASE_SECONDS: Final = {Stage.FAST: 2.5, Stage.SLOW: 5.0}
MUST_BE_ZERO: Final = (
    "lost",
    "double",
    "illegal",
    "miscounted",
    "stuck",
    "not_promised",
    "unanswered",
    "misanswered",
    "failed_innocent",
    "failed_spent",
    "rationales_invalid",
    "leases_left",
    "queue_left",
    "metrics_differ",
    "http_differs",
    "events_untold",
    "filings_untold",
    "undelivered",
    "forged",
    "misread",
)
LEFT: Final = (
    "SELECT (SELECT count(*) FROM evaluations WHERE state NOT IN ('decided', 'failed', 'cancelled')),"
    " (SELECT count(*) FROM leases), (SELECT count(*) FROM outbox),"
    " (SELECT count(*) FROM deliveries WHERE state = 'pending')"
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

    @property
    def simulated(self) -> bool:
        """Whether the expert is a simulated server that fails by itself."""
        return self.profile in SIMULATED


def run(options: Options) -> dict[str, Any]:
    """The figures of one run; `ok` says whether everything held."""
    logging.getLogger("ace.local.stack").setLevel(logging.CRITICAL)  # it warns of every child that dies
    with ExitStack() as parts:
        simulator = parts.enter_context(simulated.expert(options.seed)) if options.simulated else None
        folder = parts.enter_context(_folder(options.folder))
        cluster = parts.enter_context(_cluster(options, folder, simulator))
        rng = random.Random(options.seed)
        heard = parts.enter_context(audience(cluster.url, cluster.key, rng))
        trial = Trial(options, cluster, simulator, heard)
        try:
            trial.be_calm()
            trial.harm()
            trial.heal()
            return trial.figures()
        finally:
            trial.end()


class Trial:
    """What one run does to its cluster and finds out about it."""

    def __init__(
        self, options: Options, cluster: Cluster, simulator: SimulatorProcess | None, heard: Audience
    ) -> None:
        self._heard = heard
        self._options = options
        self._cluster = cluster
        self._simulator = simulator
        self._ledger = Ledger()
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
        share = simulated.EXPERTS_KILLED if options.simulated else EXPERT_SHARE
        self._faults = Faults(cluster, rng, durations, self._agenda.later, expert_share=share)
        self._load: Load | None = None
        self._unanswered = 0
        self._calm: simulated.Count | None = None
        self._db = connect_engine(cluster.environment["ACE_DATABASE_URL"], name="chaos", pool=2)

    def _filing(self, name: str, *, claims: int, poison: int, seconds: float) -> Load:
        self._load = Load(
            self._cluster.url,
            self._cluster.key,
            self._ledger,
            claims=claims,
            poison=poison,
            seconds=seconds,
            clients=self._options.clients,
            seed=self._options.seed,
            name=name,
        )
        self._load.start()
        return self._load

    def be_calm(self) -> None:
        """Where the expert fails by itself: half of the claims while nothing else goes wrong."""
        options = self._options
        if self._simulator is None:
            return
        load = self._filing("calm", claims=options.claims // 2, poison=0, seconds=options.seconds / 4)
        self._unanswered += load.finish(options.seconds + 60)
        self._drain()
        self._calm = self._counted(self._simulator)

    def _counted(self, simulator: SimulatorProcess) -> simulated.Count:
        return transact(self._db, partial(simulated.Count.now, simulator))

    def harm(self) -> None:
        """Load and faults, until both are over."""
        options = self._options
        for second, fault in self._plan:
            self._agenda.later(second, partial(self._happen, fault))
        load = self._filing(
            "chaos",
            claims=options.claims - len(self._ledger.evaluations),
            poison=options.poison if options.profile in POISONED and not options.shipped else 0,
            seconds=options.seconds,
        )
        self._agenda.run(
            lambda: self._agenda.empty and not load.running(),
            seconds=self._agenda.now + 2 * self._options.seconds + 60,
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
        if self._load is not None:
            self._unanswered += self._load.finish(60)
        self._tell("healed")
        wait_until(self._cluster._ready, seconds=60, what="the healed cluster")
        self._drain()
        self._seconds = self._agenda.now

    def end(self) -> None:
        """Leaves nothing running or frozen, however the run ended."""
        self._faults.end()
        if self._load is not None:
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
            if self._simulator is not None:
                transact(self._db, lambda connection: connection.execute(text(simulated.HASTEN)))
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
        cluster, ledger = self._cluster, self._ledger
        replayed = self._replay()
        # No transaction lasts while the audit computes: PostgreSQL would end it.
        with self._db.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            found = {
                **audit.stored(connection, ledger),
                **audit.chains(connection),
                **audit.rationales(connection),
                **audit.left_over(connection, cluster.environment["ACE_BROKER_URL"]),
                "metrics_differ": audit.metrics_differ(connection, cluster.url),
                **self._heard.figures(connection),
            }
            taken_over = audit.takeovers(connection, self._faults.losses)
        with Client(cluster.url, cluster.key) as api:
            found["http_differs"] = audit.http_differs(api, ledger, random.Random(self._options.seed))
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
        held = complete and not any(figures[name] for name in MUST_BE_ZERO)
        if self._simulator is None or self._calm is None:
            return {**figures, "ok": held}
        stormy = self._counted(self._simulator).since(self._calm)
        cheap = self._calm.calls_per_success <= simulated.MOST_CALLS_PER_SUCCESS
        asked = {"calm": self._calm.figures(), "under_kills": stormy.figures()}
        return {**figures, **asked, "ok": held and cheap}

    def _tell(self, what: str) -> None:
        accepted = len(self._ledger.evaluations)
        print(f"{self._agenda.now:7.1f} s  {accepted:>8} accepted  {what}", file=sys.stderr, flush=True)


def _cluster(options: Options, folder: Path, simulator: SimulatorProcess | None) -> Cluster:
    settings = Settings(
        data_dir=folder,
        port=0,
        fast_lease_seconds=LEASE_SECONDS[Stage.FAST],
        slow_lease_seconds=LEASE_SECONDS[Stage.SLOW],
        message_max_claims=200,
        gatekeeper_threads=1,
        expert_timeout_seconds=3,
        shutdown_grace_seconds=5,
        webhook_http=True,
        webhook_networks="127.0.0.0/8",
        webhook_retry_seconds=RETRY_SECONDS,
        webhook_timeout_seconds=TIMEOUT_SECONDS,
        expert_url=simulator.url if simulator else None,
        log_level="info",
    )
    commands = {}
    if not options.shipped:
        model = {
            "--seed": options.seed,
            "--doubts": simulated.DOUBTS if options.simulated else options.doubts,
            "--think": options.think_seconds,
        }
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
