"""`make mutants`: puts sampled faults into a copy of the code and reports which of them no test notices.

    python -m tests.mutation [--area NAME …] [--count N] [--seed N] [--jobs N] [--json]

Every mutant is tried in a copy of the tracked files, so the working tree is never touched. A mutant is
killed if a test fails or hangs; what `equivalent.toml` lists changes no behaviour and does not count. The
tests that run the changed line are tried, quick ones first; if an import runs it, then all tests of the area.
Exit status 1 if an area misses its aim.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Literal

from tests.mutation.areas import AREAS, Area
from tests.mutation.mutants import Mutant, first_difference, mutants_of, sampled
from tests.mutation.reach import Reach, statement_at
from tests.mutation.tracing import SECONDS_FILE

ROOT: Final = Path(__file__).resolve().parents[2]
EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")
SEED: Final = 20261122
PATIENCE: Final = 5  # times as long as unchanged code takes: a mutant that takes longer hangs
LEAST_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a mutant: "killed", "hung", "survived" or "equivalent"."""

    mutant: Mutant
    change: str
    outcome: str
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the areas that are asked for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__.split("\n")[0])
    parser.add_argument("--area", action="append", help="only areas whose name has this in it")
    parser.add_argument("--count", type=int, help="mutants of each area, in place of the area's own number")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants tried side by side")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(arguments)
    areas = [area for area in AREAS if not chosen.area or any(name in area.name for name in chosen.area)]
    if not areas:
        parser.error(f"no such area; there are: {', '.join(area.name for area in AREAS)}")
    results = {area.name: _run(area, chosen.count or area.count, chosen.seed, chosen.jobs) for area in areas}
    report = {area.name: _summary(area, results[area.name]) for area in areas}
    print(json.dumps(report, indent=None if chosen.json else 2))
    return 0 if all(row["score"] is None or row["score"] >= row["aim"] for row in report.values()) else 1


def _run(area: Area, count: int, seed: int, jobs: int) -> list[Tried]:
    mutants = [mutant for path in _files(area) for mutant in mutants_of(ROOT, path)]
    chosen = sampled(mutants, count, seed)
    _say(f"{area.name}: {len(chosen)} of {len(mutants)} mutants")
    with _copies(jobs) as copies:
        free: SimpleQueue[Path] = SimpleQueue()
        for copy in copies:
            free.put(copy)
        reach = _reach(copies[0], area)

        def one(mutant: Mutant) -> Tried:
            copy = free.get()
            try:
                return _tried(mutant, area, copy, reach)
            finally:
                free.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(one, chosen))


def _reach(copy: Path, area: Area) -> Reach:
    """Runs the area's tests on unchanged code; they have to pass."""
    reach = Reach()
    data, seconds = copy.with_suffix(".coverage"), copy.with_suffix(".json")
    before = ["coverage", "run", f"--data-file={data}", f"--include={','.join(_files(area))}", "-m"]
    environment = {SECONDS_FILE: str(seconds)}
    for number, tests in enumerate(area.rounds):
        words = ("-p", "tests.mutation.tracing", *tests)
        status, output = _pytest(copy, words, 3_600, before=before, environment=environment)
        if status != 0:
            raise SystemExit(f"the tests of {area.name} fail on unchanged code: {' '.join(tests)}\n{output}")
        reach.add(number, copy, data, json.loads(seconds.read_text(encoding="utf-8")))
    return reach


def _tried(mutant: Mutant, area: Area, copy: Path, reach: Reach) -> Tried:
    change = mutant.change(copy)
    if (mutant.path, change) in _equivalents():
        return Tried(mutant, change, "equivalent", 0.0)
    file = copy / mutant.path
    began, original = time.monotonic(), file.read_text(encoding="utf-8")
    mutated = mutant.apply(copy)
    tests, all_of_them = reach.of(mutant.path, statement_at(original, first_difference(original, mutated)))
    rounds = [tuple(tests)] if tests else []
    rounds += () if all_of_them else area.rounds
    slowness = 1.0
    while True:
        file.write_text(mutated, encoding="utf-8")
        try:
            outcome, doubtful, limit = _outcome(copy, rounds, reach, slowness)
        finally:
            file.write_text(original, encoding="utf-8")
        if not doubtful:
            break
        seconds = _confirmed(copy, doubtful)
        if outcome != "hung" or PATIENCE * seconds <= limit:
            break
        slowness *= PATIENCE * seconds / limit
    tried = Tried(mutant, change, outcome, time.monotonic() - began)
    _say(f"{outcome:9} {tried.seconds:6.1f} s  {len(tests):4} tests  {mutant.path}  {mutant.operator}")
    if outcome == "survived":
        _say("\n".join(f"    {line}" for line in change.splitlines()))
    return tried


def _outcome(
    copy: Path, rounds: Sequence[tuple[str, ...]], reach: Reach, slowness: float
) -> tuple[Literal["killed", "hung", "survived"], tuple[str, ...], float]:
    """What becomes of a mutant, the tests that took too long or could not start, and their limit in seconds.

    They may do so because of something else.
    """
    for tests in rounds:
        usual = reach.took([test for test in tests if test in reach.seconds] or list(reach.seconds))
        limit = slowness * max(LEAST_SECONDS, PATIENCE * usual)
        status, output = _pytest(copy, tests, limit)
        if status is None:
            return "hung", tests, limit
        if status != 0:
            return "killed", () if "FAILED " in output else tests, limit
    return "survived", (), 0.0


def _confirmed(copy: Path, tests: Sequence[str]) -> float:
    """How many seconds the tests take by now on unchanged code, where they have to pass."""
    began = time.monotonic()
    status, output = _pytest(copy, tests, 3_600)
    if status != 0:
        raise SystemExit(f"the tests fail on unchanged code by now: {' '.join(tests)}\n{output}")
    return time.monotonic() - began


def _pytest(
    copy: Path,
    words: Sequence[str],
    seconds: float,
    *,
    before: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> tuple[int | None, str]:
    """The status of a run of pytest, 0 if all pass, None if it takes longer than `seconds`; its output."""
    options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly"]
    command = [sys.executable, "-m", *before, "pytest", *options, *words]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(
            command,
            cwd=copy,
            env={
                **os.environ,
                "PYTHONPATH": str(copy),
                "PYTHONDONTWRITEBYTECODE": "1",
                "CI": "",
                **(environment or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        output.seek(0)
        return status, output.read()


@contextmanager
def _copies(count: int) -> Iterator[list[Path]]:
    """Copies of the tracked files, each with the shared data beside it where that is there."""
    names = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607  # the git of whoever runs it
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    with tempfile.TemporaryDirectory(prefix="ace-mutants-", ignore_cleanup_errors=True) as folder:
        shared = ROOT.parent / "shared"
        if shared.exists():
            (Path(folder) / "shared").symlink_to(shared)
        copies = [Path(folder) / f"copy{number}" for number in range(count)]
        for copy in copies:
            for name in filter(None, names):
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        yield copies


def _files(area: Area) -> list[str]:
    """The area's files; those that an earlier area has are left to it."""
    earlier = AREAS[: AREAS.index(area)]
    found: list[str] = []
    for place in area.code:
        path = ROOT / place
        files = [path] if path.suffix else sorted(path.rglob("*.py"))
        found.extend(str(file.relative_to(ROOT)) for file in files)
    return [file for file in found if not any(_belongs(file, place) for one in earlier for place in one.code)]


def _belongs(file: str, place: str) -> bool:
    return file == place or file.startswith(f"{place}/")


def _equivalents() -> dict[tuple[str, str], str]:
    """(path, change) -> why it changes no behaviour."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else {}
    return {(one["path"], one["change"].strip()): one["why"] for one in listed.get("equivalent", [])}


def _summary(area: Area, tried: Sequence[Tried]) -> dict[str, Any]:
    counted = [one for one in tried if one.outcome != "equivalent"]
    killed = sum(one.outcome in {"killed", "hung"} for one in counted)
    return {
        "mutants": len(tried),
        "killed": killed,
        "hung": sum(one.outcome == "hung" for one in counted),
        "equivalent": len(tried) - len(counted),
        "score": round(killed / len(counted), 3) if counted else None,
        "aim": area.aim,
        "survived": [
            {"path": one.mutant.path, "operator": one.mutant.operator, "change": one.change}
            for one in counted
            if one.outcome == "survived"
        ],
    }


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
