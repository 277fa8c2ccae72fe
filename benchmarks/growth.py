"""What each claim costs with ten thousand evaluations stored, and with a million, side by side.

Both databases are on one server, measured in turns. `throughput_…` is the end-to-end rate of
benchmarks.pipeline: `throughput_ratio` is large by small, each the median of its rounds; the small
database is made anew for every round, the large one is not; `cpu_us_per_claim_…` is the processor time
of all processes, which other work on the machine disturbs less. `poll_…` are single GETs of random stored
evaluations at a modest rate, `filing_…` the same of filings, `list_…` pages of every filter of the API
(`slowest_list` names the worst), `replay_ms` an order that finds nothing among all failed ones,
`metrics_ms` a scrape, `dispatch_ms` one message leased. `redis_growth_mb` is how much Redis' memory grew
while a backlog came in and was worked off in the large database. `purge_claims_per_second` is how fast
retention removes the text of the oldest claims, `purge_vacuum_seconds` how long its VACUUM takes afterwards.
"""

import json
import statistics
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from sqlalchemy import text

from ace import flow
from ace.settings import Settings
from ace.store import moves
from ace.store.database import transact
from ace.store.purge import purge
from ace.workers.dispatcher import limits
from benchmarks import loads, stored
from benchmarks.figures import options_of, percentile, say, tell
from benchmarks.filings import CLAIMS_PER_FILING
from benchmarks.pipeline import Cost, end_to_end, submit
from benchmarks.rig import DISPATCHER, Api, Database, Rig, gatekeepers

TENANT: Final = "bench"
SAMPLE: Final = 500
LISTS: Final = {
    "all": "",
    "failed": "state=failed",
    "queued": "state=queued",
    "decided": "state=decided",
    "fail": "verdict=Fail",
    "failed_fail": "state=failed&verdict=Fail",  # there is none
    "queued_pass": "state=queued&verdict=Pass",
    "docket": "docket=S-2",
    "no_docket": "docket=none",
    "docket_failed": "docket=S-2&state=failed",
}
TIMES: Final = 10  # that each list and scrape is asked for


@dataclass
class Size:
    """One of the two databases, and what was measured on it."""

    name: str
    evaluations: int
    database: Database
    rounds: list[Cost] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)


@dataclass
class Hands:
    """A broker that only remembers what it was given."""

    tokens: list[UUID] = field(default_factory=list)

    def waiting(self, queue: str) -> int:
        """Never anything: the leases alone say how many messages wait."""
        return 0

    def publish(self, queue: str, leased: moves.Leased) -> None:
        """Takes a message."""
        self.tokens.append(leased.token)


def look(sizes: Sequence[Size], apis: Mapping[str, Api], *, rate: float, seconds: float) -> str:
    """Polls, pages and scrapes of both, a slice of each in turn; answers the slowest list."""
    taken: dict[str, dict[str, list[float]]] = {size.name: defaultdict(list) for size in sizes}
    paths = {size.name: _paths(size.database) for size in sizes}
    count = max(1, int(rate * seconds / TIMES))
    for turn in range(TIMES):
        for size in sizes:
            api, times = apis[size.name], taken[size.name]
            key = api.keys[TENANT]
            for what, some in paths[size.name].items():
                asked = [some[(turn * count + n) % len(some)] for n in range(count)]
                requests = [loads.request("GET", path, key) for path in asked]
                times[what] += loads.on_timetable(api.port, requests, rate=rate).checked()
            others = _others(key)
            for what, took in zip(others, loads.one_by_one(api.port, list(others.values())), strict=True):
                times[what].append(took)
    for size in sizes:
        times = taken[size.name]
        times["list"] = [one for name in LISTS for one in times[name]]
        for what in ("poll", "filing", "list"):
            size.figures[f"{what}_p50_ms"] = statistics.median(times[what])
            size.figures[f"{what}_p99_ms"] = percentile(times[what], 0.99)
        for what in ("replay", "metrics"):
            size.figures[f"{what}_ms"] = statistics.median(times[what])
    return max(LISTS, key=lambda name: max(statistics.median(times[name]) for times in taken.values()))


def _others(key: str) -> dict[str, bytes]:
    """Every list, an order to replay and a scrape."""
    order = json.dumps({"filter": {"error": "truncated", "since": "2100-01-01T00:00:00Z"}}).encode()
    return {
        **{name: loads.request("GET", f"/v1/evaluations?{query}", key) for name, query in LISTS.items()},
        "replay": loads.request("POST", "/v1/replays", key, order, content_type="application/json"),
        "metrics": loads.request("GET", "/metrics"),
    }


def _paths(database: Database) -> dict[str, list[str]]:
    """Paths of random evaluations of the tenant, and of their filings."""
    with database.db.connect() as connection:
        rows = connection.execute(
            text("SELECT id, filing_id FROM evaluations WHERE tenant = :tenant ORDER BY random() LIMIT :n"),
            {"tenant": TENANT, "n": SAMPLE},
        ).all()
    return {
        "poll": [f"/v1/evaluations/{row.id}" for row in rows],
        "filing": [f"/v1/filings/{row.filing_id}" for row in rows],
    }


def dispatch_ms(database: Database, claims: int) -> float:
    """Milliseconds for leasing one message: full ones, with a backlog of `claims` claims."""
    submit(database, claims)
    held = limits(Settings())
    times = []
    for _ in range(TIMES):
        hands = Hands()
        began = time.perf_counter()
        flow.dispatch(database.db, hands, held, actor="bench")
        times.append(1000 * (time.perf_counter() - began) / len(hands.tokens))
        tokens = hands.tokens
        transact(database.db, lambda connection: moves.release(connection, tokens, actor="bench"))  # noqa: B023
    return statistics.median(times)


def redis_growth(rig: Rig, database: Database, claims: int, workers: int) -> dict[str, float]:
    """Redis' memory while a backlog comes in and is worked off, against what it was before."""
    with rig.running(database.environment, gatekeepers(workers)):
        rig.wait_for_workers(workers)
        used = [int(rig.redis.info("memory")["used_memory"])]
        began = time.perf_counter()
        submit(database, claims)
        accepted = time.perf_counter()
        with rig.running(database.environment, {"dispatcher": DISPATCHER}):
            rig.wait_drained(
                database, watch=lambda: used.append(int(rig.redis.info("memory")["used_memory"]))
            )
        drained = time.perf_counter() - accepted
    return {
        "backlog": claims,
        "backlog_accepted_per_second": claims / (accepted - began),
        "backlog_drained_per_second": claims / drained,
        "redis_growth_mb": (max(used) - used[0]) / 1e6,
        "redis_peak_mb": max(used) / 1e6,
    }


def retention(database: Database, claims: int) -> dict[str, float]:
    """How fast the text of the oldest claims is removed."""
    with database.db.connect() as connection:
        oldest = text("SELECT created_at FROM filings ORDER BY id LIMIT 1 OFFSET :n")
        before = connection.execute(oldest, {"n": claims // CLAIMS_PER_FILING}).scalar_one()
    began = removed_at = time.perf_counter()

    def note(_: object) -> None:
        nonlocal removed_at
        removed_at = time.perf_counter()

    removed = purge(database.db, before, progress=note)
    return {
        "purge_claims_per_second": removed.claims / (removed_at - began),
        "purge_vacuum_seconds": time.perf_counter() - removed_at,
    }


def sizes_mb(database: Database) -> dict[str, float]:
    """Megabytes of each table and of all its indexes."""
    with database.db.connect() as connection:
        rows = connection.execute(
            text(
                "SELECT relname, pg_table_size(oid) AS heap, pg_indexes_size(oid) AS indexes FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
                " AND pg_total_relation_size(oid) > 1e6 ORDER BY relname"
            )
        ).all()
    return {
        f"{row.relname}_{what}mb": size / 1e6
        for row in rows
        for what, size in (("", row.heap), ("indexes_", row.indexes))
    }


def measure(rig: Rig, sizes: Sequence[Size], *, claims: int, rounds: int, workers: int) -> None:
    """Throughput rounds, the sizes in turn; which of them is first changes with every round."""
    for number in range(rounds):
        for size in sizes if number % 2 == 0 else list(reversed(sizes)):
            say(f"round {number + 1}: {claims} claims with {size.evaluations} stored")
            if size.name == "small":
                size.database = rig.database("small", template="seed")
            size.rounds.append(end_to_end(rig, size.database, claims, workers))


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--small", type=int, default=10_000, help="evaluations stored in the small database")
    parser.add_argument("--large", type=int, default=1_000_000, help="evaluations stored in the large one")
    parser.add_argument("--claims", type=int, default=40_000, help="claims of one round of throughput")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of throughput on each")
    parser.add_argument("--rate", type=float, default=50, help="polls a second")
    parser.add_argument("--seconds", type=float, default=20, help="how long each kind is polled, on each")
    parser.add_argument("--backlog", type=int, default=300_000, help="claims for Redis' memory; 0: none")
    parser.add_argument("--workers", type=int, default=2, help="gatekeeper workers")
    parser.add_argument("--purged", type=int, default=100_000, help="claims whose text is removed, at most")
    options = parser.parse_args()
    with Rig() as rig:
        for name, count in (("seed", options.small), ("large", options.large)):
            say(f"storing {count} evaluations")
            database = rig.database(name)
            stored.fill(database.db, count)
            database.db.dispose()  # nobody may use a database that is copied
        small = Size("small", options.small, rig.database("small", template="seed"))
        sizes = [small, Size("large", options.large, database)]
        say("polls, lists and scrapes")
        with (
            rig.api(sizes[0].database, TENANT, name="api-small") as one,
            rig.api(sizes[1].database, TENANT, name="api-large") as other,
        ):
            apis = {"small": one, "large": other}
            slowest = look(sizes, apis, rate=options.rate, seconds=options.seconds)
        measure(rig, sizes, claims=options.claims, rounds=options.rounds, workers=options.workers)
        figures: dict[str, float | str] = {"slowest_list": slowest}
        if options.backlog:
            say(f"a backlog of {options.backlog} claims")
            figures |= redis_growth(rig, sizes[1].database, options.backlog, options.workers)
        for size in sizes:
            say(f"dispatch with {size.evaluations} stored")
            size.figures["dispatch_ms"] = dispatch_ms(size.database, options.claims)
            size.figures["throughput"] = statistics.median(one.claims_per_second for one in size.rounds)
            size.figures["cpu_us_per_claim"] = statistics.median(one.cpu_us_per_claim for one in size.rounds)
            say(f"retention with {size.evaluations} stored")
            size.figures |= retention(size.database, min(options.purged, size.evaluations // 2))
            figures |= {f"{name}_{size.name}": value for name, value in size.figures.items()}
        ratio = sizes[1].figures["throughput"] / sizes[0].figures["throughput"]
        polled = max(size.figures["poll_p99_ms"] for size in sizes)
        figures |= {"throughput_ratio": ratio, "poll_p99_ms": polled}
        figures |= sizes_mb(sizes[1].database)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
