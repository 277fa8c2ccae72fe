"""`make test-again` finds the test that fails sometimes, and says how to repeat that run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TESTS = """
import random
from pathlib import Path

import psutil

def burners():
    return sum("while True: pass" in process.cmdline() for process in psutil.Process().parent().children())

def test_that_passes():
    pass

def test_that_minds_the_load():
    assert burners() == 0

def test_that_draws():
    with (Path(__file__).parent / "drawn").open("a") as file:
        file.write(f"{random.random()} ")
"""


def again(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "tests.again", "--seed", "7", *arguments, str(folder)]
    bare = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }  # the tests above need none, and they are slow
    return subprocess.run(command, env=bare, capture_output=True, text=True, check=False)


def test_what_fails_sometimes_is_reported_with_the_run_that_showed_it(tmp_path: Path) -> None:
    done = again(tmp_path, "--times", "2")

    assert done.returncode == 1
    *_, told, total = done.stdout.splitlines()
    assert told.endswith(
        "test_some.py::test_that_minds_the_load failed in 1 of 2 runs: --seed 8 --load always"
    )
    assert total == "2 runs, 1 tests did not pass every time"
    drawn = (tmp_path / "drawn").read_text().split()
    assert again(tmp_path, "--times", "1", "--load", "never").returncode == 0
    assert (tmp_path / "drawn").read_text().split() == [*drawn, drawn[0]]  # the same seed, the same chance
    assert drawn[0] != drawn[1]


def test_no_run_is_no_success(tmp_path: Path) -> None:
    assert again(tmp_path, str(tmp_path / "gone.py")).returncode == 4
