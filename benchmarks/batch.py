"""How fast files are scored (`ace score`), beside the bare engine over the same claims.

Contestants take turns over the same real claim sets (not part of the project); a rate is the median of its
turns. `batch` is everything: read Parquet, read and analyse claim sets, judge, write Parquet and manifest.
`engine` is the gatekeeper alone, its claims analysed before. `rules` reads and analyses alone, so
`ratio_vs_parts` compares the batch with its two parts one after the other.

With Ray installed, `command` is a whole process of `ace score`, and `ray` the same file through ScoreBatch in
Ray Data: one actor with all cores, in a cluster that stands already. `ray_ratio` compares them.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ace import claim_work
from ace.batch.adapter import ScoreBatch
from ace.batch.outputs import Results
from ace.batch.run import run
from ace.batch.scoring import prepare
from ace.batch.units import units_of
from ace.bounded import Bounded
from ace.claims.model import kept_text
from ace.claims.terms import NO_TERMS
from ace.gatekeeper.loading import load_engine
from ace.gatekeeper.scoring_threads import MAX_THREADS, cores
from benchmarks.figures import options_of, say, tell
from benchmarks.gatekeeper import DATA, read_sets
from benchmarks.ray_cluster import ray_cluster

UNIT_SETS = 64


def input_of(path: Path, file: Path, claims: int) -> None:
    """Claim sets with this many claims as a table, in several row groups."""
    rows = [
        {
            "docket": str(at),
            "claims": [{"number": each.number, "text": kept_text(each)} for each in one],
        }
        for at, one in enumerate(read_sets(path, claims))
    ]
    pq.write_table(pa.Table.from_pylist(rows), file, row_group_size=UNIT_SETS)


def measure(data: Path, claims: int, turns: int, folder: Path) -> dict[str, float | str]:
    """All figures by name."""
    file = folder / "in.parquet"
    input_of(data, file, claims)
    units = units_of(file)
    engine = load_engine()
    with new_checks() as checks:
        ready = [prepare(checks, window) for unit in units for window in unit.windows()]
    counts = sum(len(each.claims) for each in ready)

    def batch(checks: Bounded) -> None:
        shutil.rmtree(folder / "out", ignore_errors=True)
        run(units, Results(folder / "out", "parquet", {}), engine, checks)

    def bare(_: Bounded) -> None:
        for each in ready:
            engine.score(each.claims)

    def rules(checks: Bounded) -> None:
        for unit in units:
            for window in unit.windows():
                prepare(checks, window)

    took = taking_turns({"batch": batch, "engine": bare, "rules": rules}, turns)
    stored = sum(each.stat().st_size for each in (folder / "out").glob("*.parquet"))
    return {
        **{f"{name}_claims_per_second": counts / seconds for name, seconds in took.items()},
        "ratio_vs_engine": took["engine"] / took["batch"],
        "ratio_vs_parts": (took["engine"] + took["rules"]) / took["batch"],
        "bytes_per_claim": stored / counts,
        "claims": counts,
        "units": len(units),
        "threads": cores(),
    }


def measure_ray(file: Path, claims: int, turns: int, folder: Path) -> dict[str, float | str]:
    """The figures of Ray Data beside the command."""
    with ray_cluster(2) as ray:  # one for the actor, one to read and write
        ray.data.DataContext.get_current().enable_progress_bars = False

        def command(_: Bounded) -> None:
            shutil.rmtree(folder / "command", ignore_errors=True)
            words = [sys.executable, "-m", "ace", "score", str(file), str(folder / "command")]
            subprocess.run(words, check=True, capture_output=True)

        def through_ray(_: Bounded) -> None:
            shutil.rmtree(folder / "ray", ignore_errors=True)
            scored_by(ray, file).write_parquet(str(folder / "ray"))

        took = taking_turns({"command": command, "ray": through_ray}, turns)
    return {
        **{f"{name}_claims_per_second": claims / seconds for name, seconds in took.items()},
        "ray_ratio": took["command"] / took["ray"],
    }


def scored_by(ray: Any, file: Path) -> Any:
    """The results as a data set of Ray, which makes them when they are asked for."""
    return ray.data.read_parquet(str(file)).map_batches(
        ScoreBatch,
        compute=ray.data.ActorPoolStrategy(size=1),
        batch_format="pyarrow",
        batch_size=UNIT_SETS,
    )


@contextmanager
def new_checks() -> Iterator[Bounded]:
    """New processes, started: those of another turn remember the claims that they have read."""
    checks = Bounded(processes=min(cores(), MAX_THREADS), cpu_seconds=60, warm=claim_work.warm)
    try:
        checks.each(claim_work.analysed, [([(1, "A pump.")], NO_TERMS)] * 16, range(16))
        yield checks
    finally:
        checks.close()


def taking_turns(contestants: dict[str, Callable[[Bounded], None]], turns: int) -> dict[str, float]:
    """Seconds of each, the median of its turns."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(turns):
        for name, contestant in contestants.items():
            with new_checks() as checks:
                began = time.perf_counter()
                contestant(checks)
                seconds[name].append(time.perf_counter() - began)
            say(f"turn {turn + 1} of {turns}: {name} {seconds[name][-1]:.1f} s")
    return {name: median(each) for name, each in seconds.items()}


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument(
        "--claims", type=Path, default=DATA, help="JSON lines of claim sets, plain or gzipped"
    )
    parser.add_argument("--count", type=int, default=1_000, help="claims of a turn, of whole sets")
    parser.add_argument("--turns", type=int, default=3, help="turns of each contestant")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="ace-bench-"))
    try:
        figures = measure(options.claims, options.count, options.turns, folder)
        if find_spec("ray"):
            figures |= measure_ray(folder / "in.parquet", int(figures["claims"]), options.turns, folder)
        tell(figures, as_json=options.json)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
