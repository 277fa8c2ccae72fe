"""Runs tests several times in random order and reports each that did not pass every time.

`make test-again`, or `python -m tests.again --times 5 tests/e2e`. In every other run each core also has a
process that computes for nothing. `--seed` and `--load` repeat one run: its seed is printed when it starts.
"""

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from ace.processes import die_with_parent, stop_process

ROOT: Final = Path(__file__).parents[1]
RAN: Final = {0, 1}  # exit codes of pytest: all passed, some failed


@contextlib.contextmanager
def burners(wanted: bool) -> Iterator[None]:
    """While this lasts, a process on each core computes for nothing."""
    with contextlib.ExitStack() as running:
        for _ in range((os.cpu_count() or 1) if wanted else 0):
            burner = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=die_with_parent)
            running.callback(stop_process, burner, seconds=5)
        yield


def failed(tests: Sequence[str], seed: int, processes: int) -> list[str]:
    """The ids of the tests that did not pass in one run; raises SystemExit if there was no run."""
    with tempfile.TemporaryDirectory(prefix="ace-again-") as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "randomly", f"--randomly-seed={seed}"]
        command += ["-n", str(processes), "--dist", "loadfile", "--no-loadscope-reorder"] if processes else []
        code = subprocess.run(
            [*command, f"--junitxml={report}", "-o", "junit_family=xunit1", *tests], cwd=ROOT, check=False
        ).returncode
        if code not in RAN:
            raise SystemExit(code)
        cases = ET.parse(report).iter("testcase")  # noqa: S314  # pytest has just written it
        return [
            f"{case.get('file')}::{case.get('name')}"
            for case in cases
            if case.find("failure") is not None or case.find("error") is not None
        ]


def main() -> int:
    """The process: 0 if every test passed every time."""
    parser = argparse.ArgumentParser(prog="python -m tests.again", description=__doc__)
    parser.add_argument("tests", nargs="*", help="what pytest is to run; default: everything")
    parser.add_argument("--times", type=int, default=5, help="runs; default: 5")
    parser.add_argument("--seed", type=int, help="seed of the first run, which the next ones count up")
    parser.add_argument(
        "--load", choices=("every-other", "always", "never"), default="every-other", help="busy cores"
    )
    parser.add_argument("--processes", type=int, default=0, help="that share the test files; default: none")
    given = parser.parse_args()
    first = random.randrange(2**31) if given.seed is None else given.seed
    found: dict[str, list[str]] = defaultdict(list)
    for number in range(given.times):
        loaded = given.load == "always" or (given.load == "every-other" and number % 2 == 1)
        this = f"--seed {first + number} --load {'always' if loaded else 'never'}"
        print(f"run {number + 1} of {given.times}: {this}", flush=True)
        began = time.monotonic()
        with burners(loaded):
            for test in failed(given.tests, first + number, given.processes):
                found[test].append(this)
        print(f"run {number + 1} took {time.monotonic() - began:.0f} seconds", flush=True)
    for test, runs in sorted(found.items()):
        print(f"{test} failed in {len(runs)} of {given.times} runs: {'; '.join(runs)}")
    print(f"{given.times} runs, {len(found)} tests did not pass every time")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
