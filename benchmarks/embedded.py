"""The whole embedded stack beside the bare engine, on the same claims and the same cores.

`engine` is the shipped gatekeeper in this process, with nothing around it. `stack` is `ace up`: every
filing is posted over HTTP, and the clock stops at the last verdict; the expert's share of the doubtful
claims is in it. They take turns, and a rate is the median of its turns. `fast_path` is the stack up to the
last score: what the gatekeeper has done of it when nothing is left that it has not seen.

`…_cpu_ms_per_claim` says where the processor time of the stack went, by process, and what the engine by
itself took of it. Claims are real ones (not part of the project), whole sets at a time.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import psutil
import psycopg

from ace.claims.model import ClaimInput
from ace.claims.readers import read_text
from ace.gatekeeper.inputs import CHAIN_CHARACTERS
from ace.gatekeeper.loading import load_engine
from ace.local.stack import Stack
from ace.settings import Settings
from ace_lab.data.filed_sets import read_filed
from benchmarks.figures import options_of, say, tell
from benchmarks.gatekeeper import DATA
from benchmarks.rig import undisturbed
from patent_ace_client import Client

WARM_UP_FILINGS: Final = 3
CLIENTS: Final = 2
POLL_SECONDS: Final = 0.05
PATIENCE_SECONDS: Final = 900


@dataclass(frozen=True, slots=True)
class Filing:
    """A claim set as text, and what the gatekeeper is shown of it."""

    text: str
    inputs: list[ClaimInput]


def read_filings(path: Path, claims: int) -> list[Filing]:
    """Sets spread over the file, until they have `claims` claims."""
    sets = list(read_filed(path))
    Random(0).shuffle(sets)
    found: list[Filing] = []
    count = 0
    for filed in sets:
        if count >= claims:
            break
        text = "\n".join(f"{number}. {text}" for number, text in filed.texts)
        read = read_text(text, partial=True)
        if [claim.number for claim in read] != [number for number, _ in filed.texts]:
            continue
        inputs = [read.input_of(claim.number, max_chain_characters=CHAIN_CHARACTERS) for claim in read]
        found.append(Filing(text, inputs))
        count += len(inputs)
    return found


class Waiting:
    """What of all evaluations the gatekeeper has not seen yet, and what has no verdict yet."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        state = json.loads((stack.settings.data_dir.resolve() / "stack.json").read_text())
        self._connection = psycopg.connect(
            state["database_url"].replace("postgresql+psycopg", "postgresql"), autocommit=True
        )

    def none_in(self, *states: str) -> None:
        """Returns once no evaluation is in these states. Raises TimeoutError and `Died`."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            undisturbed(self._stack)
            query = "SELECT EXISTS (SELECT FROM evaluations WHERE state = ANY(%s))"
            if not self._connection.execute(query, (list(states),)).fetchone()[0]:  # type: ignore[index]
                return
            time.sleep(POLL_SECONDS)
        raise TimeoutError(f"evaluations are still {' or '.join(states)}")


def cpu_seconds(stack: Stack) -> dict[str, float]:
    """Processor time by part of the stack, so far; that of this process, which files, as `client`."""
    roots = {child.name: child.process for child in stack.children}
    roots |= {"postgres": stack.postgres.process, "redis": stack.redis.process}
    used = {"client": time.process_time()}
    for name, process in roots.items():
        if process is not None:
            root = psutil.Process(process.pid)
            family = (root, *root.children(recursive=True))
            used[name.replace("-", "_")] = sum(sum(one.cpu_times()[:4]) for one in family)
    return used


def through_stack(stack: Stack, waiting: Waiting, filings: list[Filing]) -> Iterator[float]:
    """Files everything; yields when the gatekeeper has seen all of it, and when all is decided: seconds."""
    began = time.perf_counter()

    def file(filing: Filing) -> None:
        api.submit("B", filing.text)

    with Client(stack.url, stack.key) as api, ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(file, filings))
    waiting.none_in("queued", "screening")
    yield time.perf_counter() - began
    waiting.none_in("queued", "screening", "escalated", "examining")
    yield time.perf_counter() - began


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of this process's processor time."""
    began, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - used


def measure(filings: list[Filing], turns: int, folder: Path) -> dict[str, float | str]:
    """All figures by name."""
    engine = load_engine(device="cpu")
    inputs = [claim for filing in filings for claim in filing.inputs]
    rates: dict[str, list[float]] = {"engine": [], "fast_path": [], "stack": []}
    spent: dict[str, float] = {}
    with Stack(Settings(data_dir=folder, port=0), quiet=True) as stack:
        waiting = Waiting(stack)
        engine.score(filings[0].inputs)
        list(through_stack(stack, waiting, filings[:WARM_UP_FILINGS]))
        for turn in range(turns):
            seconds, used = timed(lambda: engine.score(inputs))
            spent["engine"] = spent.get("engine", 0.0) + used
            before = cpu_seconds(stack)
            screened, decided = through_stack(stack, waiting, filings)
            for name, after in cpu_seconds(stack).items():
                spent[name] = spent.get(name, 0.0) + after - before[name]
            for name, each in zip(rates, (seconds, screened, decided), strict=True):
                rates[name].append(len(inputs) / each)
            say(
                f"turn {turn + 1} of {turns}: "
                + ", ".join(f"{n} {each[-1]:.0f}" for n, each in rates.items())
            )
    found = {name: median(each) for name, each in rates.items()}
    return {
        "ratio": found["stack"] / found["engine"],
        "fast_path_ratio": found["fast_path"] / found["engine"],
        **{f"{name}_claims_per_second": rate for name, rate in found.items()},
        **{f"{name}_cpu_ms_per_claim": 1e3 * each / len(inputs) / turns for name, each in spent.items()},
        "claims": len(inputs),
        "filings": len(filings),
        "turns": turns,
    }


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="JSON lines of claim sets")
    parser.add_argument("--claims", type=int, default=2_000, help="claims of a turn, about")
    parser.add_argument("--turns", type=int, default=3, help="turns of each")
    options = parser.parse_args()
    filings = read_filings(options.data, options.claims)
    with tempfile.TemporaryDirectory(prefix="ace-bench-", ignore_cleanup_errors=True) as folder:
        tell(measure(filings, options.turns, Path(folder)), as_json=options.json)


if __name__ == "__main__":
    main()
