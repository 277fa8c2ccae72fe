"""`ace plan` beside a real run: the embedded stack under a Poisson stream of filings, and its simulation.

First the stack is measured: claims a second from a backlog, the wait for one claim alone, the time of an
examination, and what a claim takes in the database and in its log. Then filings arrive at random moments at
`load` of that rate, for some time. The simulation gets the same filings at the same moments. `…_error` is the
relative difference of the simulation from the run, for throughput and for p50 and p95 of filing to verdict.
Claims are real ones (not part of the project).
"""

import json
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import psycopg

from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local.stack import Stack
from ace.plan.measured import Measured
from ace.plan.simulation import Filing, percentile, replayed
from ace.settings import Settings
from benchmarks.embedded import Filing as Text
from benchmarks.embedded import read_filings
from benchmarks.figures import options_of, say, tell
from benchmarks.gatekeeper import DATA
from benchmarks.rig import undisturbed
from patent_ace_client import Client

ALONE: Final = 15
UNSETTLED: Final = ["queued", "screening", "escalated", "examining"]
PATIENCE_SECONDS: Final = 600


class Run:
    """A stack, its API and its database."""

    def __init__(self, stack: Stack) -> None:
        state = json.loads((stack.settings.data_dir.resolve() / "stack.json").read_text())
        url = state["database_url"].replace("postgresql+psycopg", "postgresql")
        self.stack = stack
        self.api = Client(stack.url, stack.key)
        self.database = psycopg.connect(url, autocommit=True)

    def one(self, query: str, *given: Any) -> Any:
        """The first column of the only row."""
        row = self.database.execute(query, given).fetchone()
        return row[0] if row else None

    def settled(self) -> None:
        """Returns once everything has its verdict."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.one("SELECT EXISTS (SELECT FROM evaluations WHERE state = ANY(%s))", UNSETTLED):
            undisturbed(self.stack)
            if time.monotonic() > deadline:
                raise TimeoutError("evaluations are still unsettled")
            time.sleep(0.05)

    def seconds_since(self, docket: str, decided_by: str) -> list[float]:
        """From filing to verdict, of every claim of a docket that was decided by somebody."""
        found = self.database.execute(
            "SELECT extract(epoch FROM e.updated_at - e.created_at) FROM evaluations e"
            " JOIN filings f ON f.id = e.filing_id WHERE f.docket = %s AND e.decided_by = %s",
            [docket, decided_by],
        )
        return [float(row[0]) for row in found]

    def throughput(self, docket: str, *, screened: bool = False) -> float:
        """Claims of a docket per second, from the first filing to the last verdict; or to the last one of the
        gatekeeper, by when all are screened."""
        only = "FILTER (WHERE e.decided_by = 'gatekeeper')" if screened else ""
        return float(
            self.one(
                f"SELECT count(*) / extract(epoch FROM max(e.updated_at) {only} - min(e.created_at))"
                " FROM evaluations e JOIN filings f ON f.id = e.filing_id WHERE f.docket = %s",
                docket,
            )
        )


def measured_on(run: Run, texts: Sequence[Text]) -> tuple[Measured, float]:
    """The service times of this stack, and the share that escalates."""
    for text in texts[:3]:
        run.api.submit("warm", text.text)
    run.settled()
    run.database.execute("CHECKPOINT")
    size, log = run.one("SELECT pg_database_size(current_database())"), run.one("SELECT pg_current_wal_lsn()")
    claims = sum(len(text.inputs) for text in texts)
    for text in texts:
        run.api.submit("backlog", text.text)
    run.settled()
    per_claim = 1 / run.throughput("backlog", screened=True)
    grown = float(run.one("SELECT pg_database_size(current_database())") - size)
    written = float(run.one("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), %s)", log))
    for _ in range(ALONE):
        run.api.submit("alone", "1. A bracket comprising a plate and a hook fixed to the plate.")
        run.settled()
    alone = median([*run.seconds_since("alone", "gatekeeper"), *run.seconds_since("alone", "expert")])
    waits = max(0.0, alone - per_claim)
    mean, spread = run.database.execute(
        "SELECT avg(seconds), stddev(seconds) FROM examinations"
    ).fetchone() or (
        0,
        0,
    )
    escalated = run.one("SELECT count(*) FROM evaluations WHERE decided_by = 'expert'")
    total = run.one("SELECT count(*) FROM evaluations")
    found = Measured(
        claim_seconds=per_claim,
        message_seconds=waits / 2,
        transit_seconds=waits / 2,
        examination_seconds=float(mean),
        examination_variation=float(spread) / float(mean),
        claims_per_filing=claims / len(texts),
        database_bytes_per_claim=grown / claims,
        write_bytes_per_claim=written / claims,
    )
    return found, escalated / total


def filed(run: Run, texts: Sequence[Text], rate: float, seconds: float) -> list[Filing]:
    """Files at random moments for some time, and says when each filing arrived."""
    draw, found, threads = Random(3), list[Filing](), list[threading.Thread]()
    began = time.perf_counter()
    at = 0.0
    while (at := at + draw.expovariate(rate)) < seconds:
        text = texts[draw.randrange(len(texts))]
        time.sleep(max(0.0, began + at - time.perf_counter()))
        found.append(Filing(time.perf_counter() - began, len(text.inputs), measured=True))
        threads.append(threading.Thread(target=run.api.submit, args=("stream", text.text)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    run.settled()
    return found


def measure(data: Path, count: int, load: float, seconds: float, folder: Path) -> dict[str, float | str]:
    """All figures by name."""
    texts = read_filings(data, count)
    settings = Settings(data_dir=folder, port=0, calibration=FOR_ANY_EXPERT)
    with Stack(settings, quiet=True) as stack:
        run = Run(stack)
        measured, escalation = measured_on(run, texts)
        say(f"{1 / measured.claim_seconds:.0f} claims a second, {escalation:.2f} escalate")
        filings = filed(run, texts, load / measured.claim_seconds / measured.claims_per_filing, seconds)
        real = {
            "throughput": run.throughput("stream"),
            **_shares("fast", run.seconds_since("stream", "gatekeeper")),
            **_shares("expert", run.seconds_since("stream", "expert")),
        }
        run.api.close()
    outcome = replayed(
        filings,
        filings[-1].at,
        measured,
        gatekeepers=1,
        slots=min(settings.expert_slots, settings.expert_threads),
        escalation=escalation,
        draw=Random(1),
    )
    claims = sum(filing.claims for filing in filings)
    planned = {
        "throughput": claims / (outcome.seconds - filings[0].at),
        **_shares("fast", outcome.fast),
        **_shares("expert", outcome.slow),
    }
    return {
        **{f"{name}_real": value for name, value in real.items()},
        **{f"{name}_planned": value for name, value in planned.items()},
        **{f"{name}_error": planned[name] / real[name] - 1 for name in real},
        "claims": claims,
        "claims_per_second_from_backlog": 1 / measured.claim_seconds,
        "wait_alone_seconds": measured.message_seconds + measured.transit_seconds,
        "examination_seconds": measured.examination_seconds,
        "escalated": escalation,
        "busy": outcome.gatekeepers_busy,
        "database_bytes_per_claim": measured.database_bytes_per_claim,
        "write_bytes_per_claim": measured.write_bytes_per_claim,
    }


def _shares(name: str, values: Sequence[float]) -> dict[str, float]:
    return {f"{name}_p{share}": percentile(values, share / 100) for share in (50, 95)}


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument(
        "--claims", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped"
    )
    parser.add_argument("--count", type=int, default=600, help="claims of the backlog that is measured first")
    parser.add_argument("--load", type=float, default=0.5, help="share of the measured rate that is filed")
    parser.add_argument("--seconds", type=float, default=120, help="how long filings arrive")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="ace-bench-"))
    try:
        given = options.claims, options.count, options.load, options.seconds
        tell(measure(*given, folder), as_json=options.json)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
