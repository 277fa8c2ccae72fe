"""The slow stage beside a simulated LLM server: how full its slots are kept, and what faults cost.

The server has 32 slots and no queue, and answers after lognormal times with a median of half a second; one
worker has 64 threads. There is no language model, so the figures measure only flow control.

`utilisation` is answers per second divided by what 32 slots give at the mean time of an answer, from when the
slots are first full to the end of the measured time; `overload_rate` is 429s divided by calls. The server
reports its maximum (TGI's `/info`); `blind_…` are the same figures for a server that does not (OpenAI), so
that the maximum has to be found. `recovery_seconds` is the time from the end of an outage to the first
answer. `calls_per_success` is measured with transient faults in 20 % of the calls. `worker_mb` is the memory
of the worker after the first part, with the server's 32 slots full; `full_worker_mb` is its maximum while
all 64 threads wait for an answer, from a server with as many slots and slower answers.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

import psutil
from sqlalchemy import Connection, text

from ace.claim_work import analysed
from ace.claims.terms import NO_TERMS
from ace.flow.analysing import RULES
from ace.store import moves
from ace.store.database import transact
from ace_lab.simulator.server import SimulatorProcess
from ace_lab.simulator.timing import Latency
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import CLAIMS_PER_FILING, batches, claim_set
from benchmarks.rig import DISPATCHER, EXPERT_WORKER, Database, Rig

SLOTS: Final = 32
THREADS: Final = 64
LATENCY: Final = Latency(0.5, 0.4)
SLOW: Final = Latency(4.0, 0.4)  # so that two cores keep 64 of them in flight
FAULTS: Final = 0.2
WARM_UP_ANSWERS: Final = 200
SAMPLE_SECONDS: Final = 0.1
_LEASE_CLAIMS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Running:
    """A server, a worker and a dispatcher at work on one database."""

    rig: Rig
    database: Database
    server: SimulatorProcess

    def answers(self) -> int:
        """Examinations that succeeded so far."""
        return self._number("SELECT count(*) FROM examinations WHERE verdict IS NOT NULL")

    def first_answer_after(self, seconds_ago: float) -> float | None:
        """Seconds from that moment to the first answer since, or None."""
        return self._number(
            "SELECT extract(epoch FROM min(at) - (now() - make_interval(secs => :ago))) FROM examinations"
            " WHERE verdict IS NOT NULL AND at > now() - make_interval(secs => :ago)",
            ago=seconds_ago,
        )

    def wait_for(self, answers: int, *, seconds: float = 600) -> None:
        """Returns once this many examinations have succeeded."""
        self.rig.wait_until(lambda: self.answers() >= answers, seconds=seconds, what=f"{answers} answers")

    def _number(self, statement: str, **values: float) -> int:
        with self.database.db.connect() as connection:
            return connection.execute(text(statement), values).scalar_one()  # type: ignore[no-any-return]


@contextlib.contextmanager
def running(
    rig: Rig,
    name: str,
    claims: int,
    *options: str,
    slots: int = SLOTS,
    latency: Latency = LATENCY,
    **settings: str,
) -> Iterator[Running]:
    """Files `claims` claims that wait for the expert, and starts everything that examines them."""
    database = rig.database(name)
    escalate(database, claims)
    server = SimulatorProcess(
        "--slots", str(slots), "--queue", "0", "--answers", "canned",
        "--latency", f"lognormal:{latency.median},{latency.sigma}", *options,
    )  # fmt: skip
    with server:
        environment: Mapping[str, str] = {
            **database.environment,
            "ACE_EXPERT_URL": server.url,
            "ACE_EXPERT_SLOTS": str(THREADS),
            "ACE_EXPERT_THREADS": str(THREADS),
            **{f"ACE_{key.upper()}": value for key, value in settings.items()},
        }
        with rig.running(environment, {"expert-worker": EXPERT_WORKER}):
            rig.wait_for_workers(1)
            with rig.running(environment, {"dispatcher": DISPATCHER}):
                yield Running(rig, database, server)


def escalate(database: Database, claims: int) -> None:
    """Files claims, each of which the gatekeeper doubts, with the analyses that it stores of them."""
    analysis = analysed(([(claim.number, claim.text) for claim in claim_set().claims], NO_TERMS))
    for filings in batches(claims):
        transact(database.db, partial(moves.submit, filings=filings, actor="bench"))
    lease = partial(
        moves.lease_due,
        bound=None,
        lease_seconds=60,
        budget_tokens=10**9,
        max_claims=_LEASE_CLAIMS,
        max_tries=3,
        actor="bench",
    )
    while leased := transact(database.db, lease):
        count = len(leased.evaluations)
        doubtful = moves.Screened(
            evaluations=leased.evaluations,
            escalate=[True] * count,
            fail=[False] * count,
            error_classes=["pass"] * count,
            grounds=["rejection"] * count,
            probabilities=[[0.5, 0.1, 0.1, 0.1, 0.1, 0.1]] * count,
            u=[0.69] * count,
            h6=[1.5] * count,
            doubt=[0.69] * count,
            disputed=[False] * count,
            would_escalate=[False] * count,
            spans=[None] * count,
            score="u",
            tau=0.4,
            certain=0.9,
            model="bench",
            calibration="bench",
        )
        transact(database.db, partial(moves.start, token=leased.token, worker="bench", lease_seconds=60))
        transact(database.db, partial(_keep_analyses, leased.token, analysis))
        transact(database.db, partial(moves.screened, token=leased.token, screened=doubtful, actor="bench"))


def _keep_analyses(token: UUID, analysis: str, connection: Connection) -> None:
    """Keeps the analysis for all filings of a lease, whose claims are the same."""
    of_lease = text("SELECT DISTINCT filing_id FROM evaluations WHERE lease = :token")
    filings = connection.execute(of_lease, {"token": token}).scalars()
    moves.keep_analyses(connection, token, moves.Analyses(dict.fromkeys(filings, analysis), RULES))


def throughput(at: Running, seconds: float) -> dict[str, float]:
    """How full the slots are kept once their number has been found."""
    at.wait_for(WARM_UP_ANSWERS)
    before, began, busy = at.answers(), time.perf_counter(), at.server.stats()["busy_seconds"]
    time.sleep(seconds)
    at.rig.check()
    took = time.perf_counter() - began
    rate = (at.answers() - before) / took
    stats = at.server.stats()
    return {
        "answers_per_second": rate,
        "ideal_answers_per_second": SLOTS / LATENCY.mean(),
        "utilisation": rate * LATENCY.mean() / SLOTS,
        "slots_busy": (stats["busy_seconds"] - busy) / (took * SLOTS),
        "overload_rate": stats["statuses"].get("429", 0) / stats["calls"],
    }


def recovery(at: Running, outage_seconds: float) -> dict[str, float]:
    """How soon an answer comes after an outage, and how many calls were made until then."""
    calls = at.server.stats()["calls"]
    at.server.down(outage_seconds)
    down = time.perf_counter()
    time.sleep(outage_seconds + 0.1)
    back = down + outage_seconds
    while (first := at.first_answer_after(time.perf_counter() - back)) is None:
        at.rig.check()
        time.sleep(0.1)
    with at.database.db.connect() as connection:
        statement = "SELECT count(*) FILTER (WHERE state = 'failed'), max(examined) FROM evaluations"
        failed, spent = connection.execute(text(statement)).one()
    return {
        "outage_seconds": outage_seconds,
        "recovery_seconds": float(first),
        "calls_until_then": at.server.stats()["calls"] - calls,
        "outage_failed_claims": failed,
        "outage_attempts_spent": spent - 1,  # one is the answer
    }


def memory(at: Running, seconds: float) -> dict[str, float]:
    """The memory of the worker while all its threads are busy."""
    worker = psutil.Process(at.rig.pids()["expert-worker"])
    at.rig.wait_until(
        lambda: at.server.stats()["in_flight"] >= THREADS, seconds=120, what=f"{THREADS} in flight"
    )
    in_flight: list[int] = []
    megabytes: list[float] = []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        at.rig.check()
        in_flight.append(at.server.stats()["in_flight"])
        megabytes.append(worker.memory_info().rss / 1e6)
        time.sleep(SAMPLE_SECONDS)
    return {
        "full_in_flight": sum(in_flight) / len(in_flight),
        "full_worker_mb": max(megabytes),
        "full_worker_threads": worker.num_threads(),
    }


def measure(rig: Rig, seconds: float, outage_seconds: float, faulty_claims: int) -> dict[str, float]:
    """All parts, one after the other."""
    claims = _whole(WARM_UP_ANSWERS + 1.3 * (seconds + 15) * SLOTS / LATENCY.mean())
    say(f"{seconds:g} s with a server that reports its maximum, then an outage of {outage_seconds:g} s")
    with running(rig, "reported", claims) as at:
        figures = throughput(at, seconds)
        figures |= recovery(at, outage_seconds)
        worker = psutil.Process(rig.pids()["expert-worker"])
        at.wait_for(at.answers() + 10 * SLOTS)
        figures["worker_mb"] = worker.memory_info().rss / 1e6
        figures["worker_threads"] = worker.num_threads()
    say(f"{seconds:g} s with a server that does not")
    with running(rig, "blind", claims, "--dialect", "openai", expert_dialect="openai") as at:
        figures |= {f"blind_{name}": value for name, value in throughput(at, seconds).items()}
    slow = _whole(2 * (seconds + 30) * THREADS / SLOW.mean())
    say(f"{seconds:g} s of {THREADS} examinations in flight")
    with running(rig, "whole", slow, slots=THREADS, latency=SLOW) as at:
        figures |= memory(at, seconds)
    say(f"{faulty_claims} claims with faults in {FAULTS:.0%} of the calls")
    faulty = ("--faults-total", str(FAULTS))
    with running(rig, "faulty", faulty_claims, *faulty, expert_timeout_seconds="5") as at:
        began = time.perf_counter()
        at.wait_for(faulty_claims)
        stats = at.server.stats()
        figures["calls_per_success"] = stats["calls"] / at.answers()
        figures["faulty_share"] = sum(stats["faults"].values()) / stats["calls"]
        figures["faulty_answers_per_second"] = at.answers() / (time.perf_counter() - began)
    return figures


def _whole(claims: float) -> int:
    return max(1, round(claims / CLAIMS_PER_FILING)) * CLAIMS_PER_FILING


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="how long throughput is measured")
    parser.add_argument("--outage", type=float, default=30, help="seconds that the server is away")
    parser.add_argument("--faulty-claims", type=int, default=400, help="claims decided through faults")
    options = parser.parse_args()
    with Rig() as rig:
        figures = measure(rig, options.seconds, options.outage, _whole(options.faulty_claims))
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
