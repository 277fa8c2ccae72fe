"""The command line against a running stack, as a user and an operator type it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from typer.testing import CliRunner, Result

from ace.cli import app
from ace.local.running_stack import running_stack
from tests.files import docx, plain, xml

pytestmark = pytest.mark.slow

ACE = [sys.executable, "-m", "ace"]
PATIENCE_SECONDS = 120
CLAIMS = """1. A latch comprising a bolt and a spring that urges the bolt outwards.
2. The latch of claim 1, wherein the spring is a coil spring.
3. The latch of claim 7, wherein the lever is bent.
"""


def ace(*arguments: str, folder: Path, stdin: str | None = None) -> Result:
    """Runs one command to its end, here: starting a Python for each takes longer than the commands do."""
    return CliRunner().invoke(app, arguments, input=stdin, env={"ACE_DATA_DIR": str(folder)})


def ace_process(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs one command to its end, as its own process."""
    return subprocess.run(
        [*ACE, *arguments],
        env={**os.environ, "ACE_DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def started(folder: Path) -> tuple[subprocess.Popen[str], dict[str, object]]:
    """`ace up` in the background, and what it printed."""
    process = subprocess.Popen(
        [*ACE, "up", "--port", "0", "--data", str(folder), "--json"],
        env={**os.environ, "ACE_DATA_DIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())


def family(pid: int) -> list[psutil.Process]:
    """A process and all that it started."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


@pytest.fixture(scope="module")
def folder(data_dir: Path) -> Iterator[Path]:
    """The data folder of a running stack."""
    folder = data_dir / "cli"
    process, _ = started(folder)
    yield folder
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE_SECONDS)
    assert process.stdout is not None
    process.stdout.close()


def test_a_submission_is_waited_for_shown_and_found_again(folder: Path) -> None:
    done = ace("submit", "-", "--docket", "cli-1", "--wait", "--json", folder=folder, stdin=CLAIMS)
    assert done.exit_code == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [one["claim"] for one in answer["evaluations"]] == [1, 2, 3]
    assert {one["state"] for one in answer["evaluations"]} == {"decided"}

    listed = ace("status", "--docket", "cli-1", "--json", folder=folder)
    assert {one["id"] for one in json.loads(listed.stdout)["evaluations"]} == {
        one["id"] for one in answer["evaluations"]
    }
    one = ace("status", answer["evaluations"][0]["id"], "--json", folder=folder)
    events = json.loads(one.stdout)["events"]
    assert [event["move"] for event in events][:2] == ["submit", "dispatch"]
    filing = ace("status", answer["filing"], folder=folder)
    assert "decided" in filing.stdout
    cancelled = ace("cancel", answer["filing"], "--json", folder=folder)
    assert json.loads(cancelled.stdout) == {"cancelled": []}
    replayed = ace("replay", answer["evaluations"][0]["id"], "--json", folder=folder)
    assert json.loads(replayed.stdout) == {"replayed": []}


@pytest.mark.parametrize(("name", "make"), [("a.txt", plain), ("a.docx", docx), ("a.XML", xml)])
def test_files_are_filed_as_they_are_and_their_findings_told(
    folder: Path, tmp_path: Path, name: str, make: Callable[..., bytes]
) -> None:
    claims = ("A latch comprising a bolt.", "The latch of claim 1, wherein the spring is bent.", "(Canceled)")
    (tmp_path / name).write_bytes(make(*claims))

    filed = json.loads(ace("submit", str(tmp_path / name), "--json", folder=folder).stdout)

    assert (len(filed["evaluations"]), filed["canceled"]) == (2, [3])
    told = ace("status", filed["evaluations"][1], folder=folder)
    assert "antecedent.no_basis" in told.stdout, told.stderr
    one = json.loads(ace("status", filed["evaluations"][1], "--json", folder=folder).stdout)
    assert [finding["quote"] for finding in one["findings"]] == ["the spring"]


def test_refused_input_is_told_and_stores_nothing(folder: Path) -> None:
    done = ace("submit", "-", "--docket", "cli-2", folder=folder, stdin="1. A latch.\n2. A bolt.\n2. A nut.")

    assert done.exit_code == 2
    assert "number 2" in done.stderr
    assert "latch" not in done.stderr
    assert json.loads(ace("status", "--docket", "cli-2", "--json", folder=folder).stdout) == {
        "evaluations": []
    }


def test_many_filings_are_submitted_and_bad_lines_told(folder: Path, tmp_path: Path) -> None:
    good = json.dumps({"docket": "cli-3", "claims": CLAIMS})
    (tmp_path / "filings.ndjson").write_text(f"{good}\nnot json\n{good}\n")

    done = ace("submit", str(tmp_path / "filings.ndjson"), folder=folder)

    assert done.exit_code == 2
    assert "2 filings accepted, 1 refused" in done.stdout
    assert "line 2" in done.stderr


@pytest.mark.parametrize("arguments", [["gone.txt"], ["gone.ndjson"], ["filings.ndjson", "--wait"]])
def test_a_command_that_cannot_be_done_says_why(folder: Path, arguments: list[str]) -> None:
    done = ace("submit", *arguments, folder=folder)

    assert done.exit_code == 2
    assert done.stderr.startswith("ace: ")
    assert done.stderr.count("\n") == 1


def test_keys_are_made_used_and_revoked(folder: Path) -> None:
    made = json.loads(ace("keys", "create", "--tenant", "other", "--json", folder=folder).stdout)
    assert json.loads(ace("status", "--key", made["key"], "--json", folder=folder).stdout) == {
        "evaluations": []
    }
    assert made["key"] not in ace("keys", "list", folder=folder).stdout

    assert ace("keys", "revoke", made["id"], folder=folder).exit_code == 0

    assert ace("status", "--key", made["key"], folder=folder).exit_code == 5
    assert ace("keys", "revoke", made["id"], folder=folder).exit_code == 2


def test_a_second_stack_on_the_same_data_says_so_and_leaves(folder: Path) -> None:
    modes = {path: path.stat().st_mode for path in (folder, *folder.iterdir())}

    second = ace_process("up", "--port", "0", folder=folder)

    assert second.returncode == 3
    assert "already running" in second.stderr
    assert {path: path.stat().st_mode for path in modes} == modes  # run by root, PostgreSQL passes through


@pytest.mark.parametrize("command", ["up", "serve"])
def test_a_port_that_another_stack_holds_is_an_error_that_names_it(
    folder: Path, tmp_path: Path, command: str
) -> None:
    port = str(running_stack(folder)["url"]).rpartition(":")[2]
    refused = ace_process(command, "--port", port, folder=tmp_path / "data")

    assert refused.returncode == 2
    assert f"port {port} on 127.0.0.1 cannot be used" in refused.stderr
    assert "is up" not in refused.stdout


def test_without_an_api_the_error_says_what_to_do(tmp_path: Path) -> None:
    assert ace("status", folder=tmp_path).exit_code == 2
    nobody = ace_process("status", "--url", "http://127.0.0.1:9", "--key", "k", folder=tmp_path)
    assert nobody.returncode == 4


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_outlives_the_stack(data_dir: Path, number: signal.Signals) -> None:
    folder = data_dir / f"stop-{number}"
    process, _ = started(folder)
    everyone = family(process.pid)
    assert len(everyone) >= 8

    process.send_signal(number)

    process.wait(PATIENCE_SECONDS)
    _, left = psutil.wait_procs(everyone, timeout=PATIENCE_SECONDS)
    assert left == []
    assert process.returncode == (0 if number is not signal.SIGKILL else -signal.SIGKILL)
    assert process.stdout is not None
    process.stdout.close()


def test_the_demo_stays_up_if_asked_until_it_is_told_to_stop(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*ACE, "demo", "--keep", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    with httpx.Client(base_url=told["url"], headers={"Sec-Fetch-Site": "same-origin"}) as browser:
        assert browser.post(told["sign_in"]).status_code == 303
        assert "P-" in browser.get("/").text
        assert "Pause" in browser.get("/operations").text  # whoever runs it looks after it too
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 0
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []


def test_the_demo_tells_programs_what_became_of_every_claim(tmp_path: Path) -> None:
    began = time.monotonic()
    done = subprocess.run(
        [*ACE, "demo", "--json"],
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_SECONDS,
        check=True,
        cwd=tmp_path,
    )

    told = json.loads(done.stdout)
    assert told["claims"] == told["decided"] == len(told["evaluations"]) >= 60
    assert told["failed"] == 0
    assert sum(told["by"].values()) == told["claims"]
    assert told["escalation_rate"] == pytest.approx(told["by"]["expert"] / told["claims"], abs=1e-4)
    assert 0 < told["seconds"] < time.monotonic() - began
    for one in told["evaluations"]:
        assert set(one) == {"id", "claim", "verdict", "disputed", "by", "class", "doubt", "rationale"}
        assert isinstance(one["disputed"], bool)
        assert (one["rationale"] is not None) == (one["by"] == "expert")
    assert {one["verdict"] for one in told["evaluations"]} == {"Pass", "Fail"}
    assert list(tmp_path.iterdir()) == []
