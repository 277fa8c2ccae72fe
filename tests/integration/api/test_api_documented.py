"""The programs of README and of the API's page run as they are written, against a real server."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[3]
ADDRESS: Final = "http://127.0.0.1:8000"
KEY: Final = "ace_…"
BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHONS: Final = ("README.md", "docs/quickstart.md", "docs/reference/api.md")


def blocks(page: str, language: str, word: str) -> list[str]:
    """The blocks of a page in one language that have a word."""
    found = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    return [body for of, body in found if of == language and word in body]


@pytest.fixture
def working(work: Any) -> Iterator[None]:
    """Workers that fail whatever is filed, meanwhile."""
    ended = threading.Event()

    def decide() -> None:
        while not ended.wait(0.1):
            work.decide(fail=True)

    thread = threading.Thread(target=decide)
    thread.start()
    yield
    ended.set()
    thread.join()


@pytest.mark.usefixtures("working")
@pytest.mark.parametrize("page", PYTHONS)
def test_the_program_in_python_runs(page: str, live: str, key: str) -> None:
    (program,) = blocks(page, "python", "ace_client")
    assert ADDRESS in program
    assert KEY in program
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program.replace(ADDRESS, live).replace(KEY, key)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "1 Fail" in ran.stdout


def test_the_commands_of_the_readme_run(live: str, key: str) -> None:
    bash = which("bash")
    if which("curl") is None or bash is None:
        (pytest.fail if "CI" in os.environ else pytest.skip)("no curl")
    (block,) = blocks("README.md", "sh", "curl")
    ran = subprocess.run(
        [bash, "-ec", block.replace(ADDRESS, live).replace(KEY, key)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    accepted, page = ran.stdout.replace("}{", "}\n{", 1).split("\n")
    (filed,) = json.loads(accepted)["evaluations"]
    assert [one["id"] for one in json.loads(page)["evaluations"]] == [filed["id"]]
