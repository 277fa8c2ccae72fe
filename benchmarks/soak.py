"""Memory of every process under steady load, and the SIGTERM of every worker in turn under that load.

Claims come in over HTTP at a steady rate: uploads, single submissions, polls, lists and scrapes. The
null model decides them, and doubts every five-hundredth, which the expert then examines; `--shipped`
takes the shipped model. After a warm-up the resident memory of every process is sampled, and its slope
by least squares told in megabytes per 100,000 claims. Of PostgreSQL's processes it is what they have for
themselves, without the buffers that they share: the sum of their memory, and the steepest of their slopes.

Then every worker and the dispatcher is stopped once while claims keep coming, and replaced. `lost` are
accepted claims without a verdict at the end, `repeated` evaluations that expired or were given out again
without having been given back or put off; `longest_stop_seconds` may be the shutdown's grace and 5 s.
"""

import asyncio
import contextlib
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import psutil
import psycopg

from ace.processes import free_port
from ace.settings import Settings
from benchmarks import loads
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import CLAIMS_PER_FILING, body
from benchmarks.rig import DISPATCHER, EXPERT_WORKER, GATEKEEPER, NULL_GATEKEEPER, Api, Database, Rig

TENANT: Final = "bench"
TICK_SECONDS: Final = 0.5
SAMPLE_SECONDS: Final = 2.0
BETWEEN_STOPS_SECONDS: Final = 5.0
WARM_UP: Final = 0.25  # of the time

_REPEATED: Final = """
SELECT count(*) FROM (
  SELECT FROM events GROUP BY evaluation_id HAVING bool_or(move = 'expire')
    OR count(*) FILTER (WHERE move = 'dispatch' AND before = 'queued')
     - count(*) FILTER (WHERE move = 'release' AND before = 'screening') > 1
    OR count(*) FILTER (WHERE move = 'dispatch' AND before = 'escalated')
     - count(*) FILTER (WHERE move IN ('release', 'defer') AND before = 'examining') > 1) AS repeated"""


@dataclass
class Load:
    """Steady load on the API, and how many claims it got accepted."""

    api: Api
    claims_per_second: float
    accepted: int = 0
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self) -> None:
        """Ends the load after the tick that runs now."""
        self._stop.set()

    async def run(self) -> None:
        """Uploads and everything that clients do meanwhile, tick by tick."""
        key = self.api.keys[TENANT]
        lines = [body(n) for n in range(int(self.claims_per_second * TICK_SECONDS) // CLAIMS_PER_FILING)]
        connection = loads.Connection(self.api.port)
        due = time.perf_counter()
        while not self._stop.is_set():
            _, accepted = await loads.upload(self.api.port, key, lines)
            self.accepted += accepted * CLAIMS_PER_FILING
            if accepted != len(lines):
                raise ValueError(f"{accepted} of {len(lines)} lines were accepted")
            await self._look(connection, key)
            due = max(due + TICK_SECONDS, time.perf_counter())
            await asyncio.sleep(due - time.perf_counter())
        connection.close()

    async def _look(self, connection: loads.Connection, key: str) -> None:
        """A single submission and a poll of it, a list, a scrape."""
        status, answer = await connection.ask(loads.post(key, body(0, claims=1)))
        if status != 202:
            raise ValueError(f"a submission was answered with {status}")
        self.accepted += 1
        evaluation = json.loads(answer)["evaluations"][0]["id"]
        for path in (f"/v1/evaluations/{evaluation}", "/v1/evaluations?state=failed", "/metrics"):
            status, _ = await connection.ask(loads.request("GET", path, key))
            if status != 200:
                raise ValueError(f"a look was answered with {status}")


def memory_mb(rig: Rig) -> dict[str, float]:
    """Megabytes of every process of the run, and of each of PostgreSQL's, as "postgres <pid>"."""
    pids = rig.pids()
    postgres = psutil.Process(pids.pop("postgres"))
    told = {name.replace("-", "_"): psutil.Process(pid).memory_info().rss / 1e6 for name, pid in pids.items()}
    for one in (postgres, *postgres.children()):
        with contextlib.suppress(psutil.NoSuchProcess):
            memory = one.memory_info()
            told[f"postgres {one.pid}"] = (memory.rss - memory.shared) / 1e6
    return told


async def sampled(rig: Rig, load: Load, seconds: float) -> dict[str, float]:
    """Memory at the end, and its slope after the warm-up for every process that was there all the time."""
    began = time.monotonic()
    claims: list[int] = []
    samples: list[dict[str, float]] = []
    while (gone := time.monotonic() - began) < seconds:
        rig.check()
        if gone >= WARM_UP * seconds:
            claims.append(load.accepted)
            samples.append(memory_mb(rig))
        await asyncio.sleep(SAMPLE_SECONDS)
    memory: dict[str, float] = defaultdict(float)
    slopes: dict[str, float] = defaultdict(lambda: float("-inf"))
    for process, megabytes in samples[-1].items():
        name, *_ = process.split()
        memory[name] += megabytes
        if all(process in sample for sample in samples):
            slope = np.polyfit(np.array(claims) / 1e5, [sample[process] for sample in samples], 1)[0]
            slopes[name] = max(slopes[name], float(slope))
    return {
        **{f"{name}_mb": value for name, value in memory.items()},
        **{f"{name}_mb_per_100k": slope for name, slope in slopes.items()},
        "worst_mb_per_100k": max(slopes.values()),
        "sampled_claims": claims[-1] - claims[0],
    }


async def stopped_in_turn(
    rig: Rig, commands: Mapping[str, Sequence[str]], environment: Mapping[str, str]
) -> float:
    """SIGTERM to each and a new one in its place; the longest that one took to leave."""
    longest = 0.0
    for name, arguments in commands.items():
        seconds = await asyncio.to_thread(rig.stop, name)
        say(f"{name} left after {seconds:.2f} s")
        longest = max(longest, seconds)
        rig.start(name, arguments, environment)
        await asyncio.sleep(BETWEEN_STOPS_SECONDS)
        rig.check()
    return longest


def audit(rig: Rig, database: Database, accepted: int) -> dict[str, float]:
    """What became of everything that was accepted, and what is left behind."""
    with psycopg.connect(database.url) as connection:

        def count(statement: str) -> int:
            return int(connection.execute(statement).fetchone()[0])  # type: ignore[index]  # one row

        final = count("SELECT count(*) FROM evaluations WHERE state IN ('decided', 'failed', 'cancelled')")
        return {
            "claims": accepted,
            "lost": accepted - final,
            "repeated": count(_REPEATED),
            "leases_left": count("SELECT count(*) FROM leases"),
            "redis_messages_left": sum(int(rig.redis.llen(queue)) for queue in ("fast", "slow")),
        }


async def soak(rig: Rig, minutes: float, rate: float, workers: int, shipped: bool) -> dict[str, float]:
    """The whole run."""
    database = rig.database("soak")
    port = free_port()
    environment = {**database.environment, "ACE_EXPERT_URL": f"http://127.0.0.1:{port}"}
    gatekeeper = GATEKEEPER if shipped else (*NULL_GATEKEEPER, "--doubt", "500")
    workers_of = {f"gatekeeper-{n}": gatekeeper for n in range(workers)}
    stoppable = {**workers_of, "expert-worker": EXPERT_WORKER, "dispatcher": DISPATCHER}
    expert = {"expert": ("-m", "ace", "expert", "serve", "--port", str(port))}
    with rig.api(database, TENANT) as api, rig.running(environment, {**expert, **stoppable}):
        empty = int(rig.redis.info("memory")["used_memory"])
        load = Load(api, rate)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(load.run())
            say(f"{minutes:g} minutes of {rate:g} claims a second")
            figures = await sampled(rig, load, 60 * minutes)
            figures["claims_per_second"] = load.accepted / (60 * minutes)
            figures["longest_stop_seconds"] = await stopped_in_turn(rig, stoppable, environment)
            figures["stops"] = len(stoppable)
            load.stop()
        await asyncio.to_thread(rig.wait_drained, database)
        say("audit")
        figures["redis_growth_mb"] = (int(rig.redis.info("memory")["used_memory"]) - empty) / 1e6
    return figures | audit(rig, database, load.accepted)


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long memory is watched")
    parser.add_argument("--rate", type=float, default=2_000, help="claims a second")
    parser.add_argument("--workers", type=int, default=2, help="gatekeeper workers")
    parser.add_argument("--shipped", action="store_true", help="the shipped model; choose a lower rate")
    options = parser.parse_args()
    with Rig() as rig:
        figures = asyncio.run(soak(rig, options.minutes, options.rate, options.workers, options.shipped))
    bound = Settings().shutdown_grace_seconds + 5
    tell({**figures, "stop_bound_seconds": bound}, as_json=options.json)


if __name__ == "__main__":
    main()
