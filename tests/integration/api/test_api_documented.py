"""The programs of README and of the API's page run as they are written, against a real server."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from shutil import which
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import Engine
from standardwebhooks import Webhook

from ace.processes import free_port, stop_process
from ace.settings import Settings
from tests import factories
from tests.integration.flow.test_delivering import deliveries, drain
from tests.waiting import wait_for

ROOT: Final = Path(__file__).parents[3]
ADDRESS: Final = "http://127.0.0.1:8000"
KEY: Final = "ace_…"
BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHONS: Final = ("README.md", "docs/quickstart.md", "docs/reference/api.md")
RECEIVER: Final = "127.0.0.1:9000"
SECRET: Final = "whsec_…"


def blocks(page: str, language: str, word: str) -> list[str]:
    """The blocks of a page in one language that have a word."""
    found = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    return [body for of, body in found if of == language and word in body]


@pytest.fixture
def settings() -> Settings:
    """Those that README names for a receiver on ACE's own machine."""
    return Settings(
        _env_file=None,
        secret=factories.MASTER.decode(),
        webhook_http=True,
        webhook_networks="127.0.0.0/8",
    )


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
    (program,) = blocks(page, "python", "import Client")
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


def run_in_bash(block: str) -> str:
    """What the commands of a block print; a machine without curl skips, and CI must have it."""
    bash = which("bash")
    if which("curl") is None or bash is None:
        (pytest.fail if "CI" in os.environ else pytest.skip)("no curl")
    ran = subprocess.run([bash, "-ec", block], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_commands_of_the_readme_run(live: str, key: str) -> None:
    (block,) = blocks("README.md", "sh", "/v1/evaluations")
    told = run_in_bash(block.replace(ADDRESS, live).replace(KEY, key))
    accepted, page = told.replace("}{", "}\n{", 1).split("\n")
    (filed,) = json.loads(accepted)["evaluations"]
    assert [one["id"] for one in json.loads(page)["evaluations"]] == [filed["id"]]


@contextmanager
def receiving(program: str, folder: Path, port: int) -> Iterator[Path]:
    """The receiver in a process of its own, started as its first line says; the file that it prints to."""
    started = re.search(r"^# (\w+\.py), started by `\.venv/bin/(.+) --port 9000`$", program, re.MULTILINE)
    assert started is not None
    (folder / started[1]).write_text(program, encoding="utf-8")
    told = folder / "told"
    with told.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *started[2].split(), "--port", str(port)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=output,
        )
    try:
        wait_for(lambda: answers(port) or process.poll() is not None, "the receiver")
        assert process.poll() is None
        yield told
    finally:
        stop_process(process, seconds=20)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/").status_code == 404
    except httpx.TransportError:
        return False


def test_the_receiver_of_the_readme_gets_what_is_signed_and_nothing_else(
    live: str, key: str, work: Any, db: Engine, tmp_path: Path
) -> None:
    (registers,) = blocks("README.md", "sh", "/v1/webhooks")
    (program,) = blocks("README.md", "python", "FastAPI")
    port = free_port()
    here = f"127.0.0.1:{port}"
    made = json.loads(run_in_bash(f"ACE={live} KEY={key}\n{registers.replace(RECEIVER, here)}"))
    assert RECEIVER in registers
    assert SECRET in program
    with receiving(program.replace(SECRET, made["secret"]), tmp_path, port) as told:
        (filing,) = factories.submit(db, factories.new_filing(tenant="office"))
        work.decide()
        drain(db)
        (delivery,) = deliveries(db)

        body = b'{"type": "filing.settled", "data": {"link": "/v1/elsewhere"}}'
        at = datetime.now(UTC)

        def post(secret: str) -> int:
            signed = {
                "webhook-id": "msg_1",
                "webhook-timestamp": str(int(at.timestamp())),
                "webhook-signature": Webhook(secret).sign("msg_1", at, body.decode()),
            }
            return httpx.post(f"http://{here}/ace", content=body, headers=signed).status_code

        assert post(made["secret"]) == 204  # as another library signs
        assert post("whsec_" + "A" * 32) == 401
    assert delivery["state"] == "delivered"
    lines = [line for line in told.read_text().splitlines() if "filing.settled" in line]
    assert lines == [
        f"{delivery['event_id']} filing.settled /v1/filings/{filing.filing_id}",
        "msg_1 filing.settled /v1/elsewhere",
    ]
