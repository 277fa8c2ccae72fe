"""A day of load on a real database, under the replicas that KEDA would set; beside what `ace plan` predicts.

KEDA's part is played as the rendered chart orders it: its query by the login of the docs, its target and its
bounds. Claims are filed, screened and examined by the real moves of workers that take the time which the plan
was given. Time is counted and never waited for; an hour is as long as KEDA takes to settle.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, text

from ace.plan.measured import Measured
from ace.plan.planning import YEAR_SECONDS, Demand, Plan, Prices, plan
from ace.store import moves
from ace.store.assignment import FreeEndpoint, assign
from ace.store.database import connect_engine, transact
from ace.store.endpoints import Declared, settle
from ace.store.tables import Stage
from tests import factories
from tests.chart import GIVEN, of_kind, rendered

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "kubernetes.md"
LOGINS = ("ace_login", "ace_worker", "ace_scaler")

FILING_DAY = (2, 1, 0.5, 0.3, 0.2, 0, 0.5, 1, 2, 4, 6, 7, 8, 6, 7, 9, 11, 12, 9, 6, 5, 6, 10, 15)
"""Claims in each hour of the busiest day, in multiples of the year's mean: offices close, and at midnight a
date is lost. The peak is that of five offices in docs/how-to/capacity.md."""

MEAN_RATE = 500e6 / YEAR_SECONDS / 15
"""Claims per second over the year: a fifteenth of those of the five offices, for slower gatekeepers."""

ESCALATED_OF = 5  # one of so many claims is doubtful
FILING_CLAIMS = 5
MEASURED = Measured(
    claim_seconds=0.5,
    message_seconds=0,
    examination_seconds=5.0,
    slots_per_replica=4,
    message_claims=10,
    claims_per_filing=FILING_CLAIMS,
)
WAIT_SECONDS = 30  # what KEDA's target allows the claims of one gatekeeper
STEP_SECONDS = 5  # an examination, or as many claims as a gatekeeper judges meanwhile
POLLS = 6  # of KEDA in an hour
SETTLED = 3  # the last of them


@dataclass
class Cluster:
    """Clients that file, and workers that work in steps: what they take up in one is done in the next."""

    clients: Engine
    db: Engine
    gatekeepers: int
    expert_workers: int
    threads: int
    owed: float = 0  # of a filing
    filed: int = 0
    judged: int = 0
    in_hand: list[moves.Leased] = field(default_factory=list)
    examined: list[moves.Leased] = field(default_factory=list)

    def step(self, filings: float) -> None:
        """Files, gives back what is done, and takes up what is due."""
        whole, self.owed = divmod(self.owed + filings, 1)
        if whole:
            filing = factories.new_filing(["A bracket."] * FILING_CLAIMS)
            factories.submit(self.clients, *[filing] * int(whole))
            self.filed += int(whole) * FILING_CLAIMS
        for leased in self.in_hand:
            said = factories.verdicts(leased.evaluations)
            places = range(self.judged, self.judged + len(leased.evaluations))
            said = replace(said, escalate=[place % ESCALATED_OF == 0 for place in places])
            self.judged = places.stop
            transact(self.db, partial(moves.screened, token=leased.token, screened=said, actor="w"))
        transact(self.db, self._conclude)
        free = round(STEP_SECONDS / MEASURED.claim_seconds) * self.gatekeepers
        self.in_hand = []
        while free and (
            leased := factories.lease(self.db, Stage.FAST, most=min(free, MEASURED.message_claims))
        ):
            transact(self.db, partial(moves.start, token=leased.token, worker="w", lease_seconds=60))
            self.in_hand.append(leased)
            free -= len(leased.evaluations)
        self.examined = transact(self.db, self._take)

    def _conclude(self, connection: Connection) -> None:
        for leased in self.examined:
            found = factories.examination(leased.evaluations[0], "Pass")
            assert moves.examined(connection, leased.token, found, actor="w")

    def _take(self, connection: Connection) -> list[moves.Leased]:
        slots = self.threads * self.expert_workers
        line = moves.waiting_claims(connection, each=slots)
        assigned = assign(line, [FreeEndpoint("expert", 1.0, slots, False)], maximum=slots, rng=Random(1))
        return moves.lease_assigned(connection, assigned, lease_seconds=60, max_tries=3, actor="d")


@dataclass(frozen=True)
class Scaler:
    """A ScaledObject of the chart, as KEDA and Kubernetes' autoscaler act on it."""

    login: Engine
    spec: dict[str, Any]

    @property
    def trigger(self) -> dict[str, str]:
        (trigger,) = self.spec["triggers"]
        return dict(trigger["metadata"])

    def due(self) -> int:
        """The one number that the query asks for."""
        with self.login.connect() as connection:
            return int(connection.execute(text(self.trigger["query"])).scalar_one())

    def replicas(self, due: float) -> int:
        """An average value over pods, within the bounds."""
        return self.bounded(math.ceil(due / float(self.trigger["targetQueryValue"])))

    def bounded(self, wanted: int) -> int:
        """As many as are wanted, within the bounds."""
        return min(max(wanted, int(self.spec["minReplicaCount"])), int(self.spec["maxReplicaCount"]))


@pytest.fixture
def connect(db: Engine, postgres_url: str) -> Iterator[Callable[[str], Engine]]:
    """Connects as one of the logins, which are made by the statements of the docs."""
    (made,) = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    with db.begin() as connection:
        connection.exec_driver_sql(made)
    engines: list[Engine] = []

    def by(login: str) -> Engine:
        engines.append(connect_engine(postgres_url.replace("postgres@", f"{login}@"), name="tests"))
        return engines[-1]

    yield by
    for engine in engines:
        engine.dispose()
    with db.begin() as connection:
        connection.execute(text(f"DROP ROLE {', '.join(LOGINS)}"))


@cache
def planned(rate: float, threads: int) -> Plan:
    """What `ace plan` says of an hour with so many claims per second."""
    demand = Demand(
        claims_per_year=rate * YEAR_SECONDS,
        peak=1,
        peak_hours=0.2,
        escalation=1 / ESCALATED_OF,
        latency_seconds=2 * WAIT_SECONDS,
        expert_latency_seconds=3 * WAIT_SECONDS,
    )
    return plan(demand, MEASURED, Prices(), threads=threads)


def test_a_day_of_load_has_the_workers_that_the_plan_predicts(
    db: Engine, connect: Callable[[str], Engine]
) -> None:
    # Given the chart with the target that the docs ask for, and an expert with slots enough
    given = GIVEN["autoscaled"]
    target = round(WAIT_SECONDS / MEASURED.claim_seconds)
    keda = {**given["keda"], "gatekeeper": {"min": 2, "max": 40, "claimsPerWorker": target}}
    scaled = of_kind(rendered({**given, "keda": keda}), "ScaledObject")
    login = connect("ace_scaler")
    fast, slow = (Scaler(login, scaled[f"claims-{part}"]["spec"]) for part in ("gatekeeper", "expert-worker"))
    threads = int(slow.trigger["targetQueryValue"])
    declared = [Declared("expert", 1.0, 40)]
    transact(db, lambda connection: settle(connection, declared, learn=lambda *_args, **_more: None))
    with db.begin() as connection:
        connection.execute(text("UPDATE endpoints SET slots = 40"))
    cluster = Cluster(db, connect("ace_worker"), fast.bounded(0), slow.bounded(0), threads)

    def poll(rate: float) -> None:
        """What happens until KEDA asks again, and what it does then."""
        for _ in range(fast.spec["pollingInterval"] // STEP_SECONDS):
            cluster.step(rate * STEP_SECONDS / FILING_CLAIMS)
        cluster.gatekeepers = fast.replicas(fast.due())
        cluster.expert_workers = slow.replicas(slow.due())

    for hour, multiple in enumerate(FILING_DAY):
        # When an hour of the day has passed
        rate = multiple * MEAN_RATE
        settled = []
        for at in range(POLLS):
            poll(rate)
            if at >= POLLS - SETTLED:
                settled.append((cluster.gatekeepers, cluster.expert_workers))
        transact(cluster.db, moves.compact_tallies)

        # Then as many work as the plan keeps busy, and no more than it has
        if not rate:
            assert settled[-1] == (fast.bounded(0), slow.bounded(0))
            continue
        wanted = planned(rate, threads)
        gatekeepers, workers = (sum(each) / len(settled) for each in zip(*settled, strict=True))
        judging = wanted.gatekeepers * wanted.gatekeepers_busy
        examining = wanted.expert_workers * wanted.slots_busy
        assert judging - 0.5 <= gatekeepers <= fast.bounded(wanted.gatekeepers), hour
        assert examining - 0.5 <= workers <= slow.bounded(wanted.expert_workers), hour
        assert fast.due() * MEASURED.claim_seconds <= WAIT_SECONDS * cluster.gatekeepers, hour

    # And after the day everything is decided, and only the fewest workers are left
    for _ in range(2 * POLLS):
        poll(0)
    with db.connect() as connection:
        states = connection.execute(text("SELECT state, count(*) FROM evaluations GROUP BY 1")).all()
    assert [tuple(row) for row in states] == [("decided", cluster.filed)]
    assert (cluster.gatekeepers, cluster.expert_workers) == (fast.bounded(0), slow.bounded(0))
