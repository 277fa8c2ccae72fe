"""`ace plan` as a person and a program read it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ace.cli import app
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration

YEAR = ("--claims-per-year", "10000000", "--peak", "25")


def planned(*words: str) -> Any:
    result = CliRunner().invoke(app, ["plan", *words])
    assert result.exit_code == 0, result.output
    return result


def test_a_plan_as_a_table() -> None:
    shown = planned(*YEAR).stdout
    assert "gatekeeper workers" in shown
    assert "breaks first" in shown


def test_a_plan_as_json() -> None:
    found = json.loads(planned(*YEAR, "--latency", "3", "--json").stdout)
    assert found["demand"]["latency_seconds"] == 3
    assert found["peak_rate"] == pytest.approx(7.92, abs=0.01)
    assert found["parts"][0]["name"] == found["breaks_first"]
    assert set(found["fast_seconds"]) == {"p50", "p95", "p99"}


def test_measured_times_are_taken() -> None:
    slow = json.loads(planned(*YEAR, "--claim-seconds", "0.2", "--latency", "60", "--json").stdout)
    assert slow["gatekeepers"] == 2


def test_a_backlog() -> None:
    words = ("--backlog", "1e9", "--days", "60")
    assert json.loads(planned(*words, "--json").stdout)["processes"] == 3
    assert "processes of ace score" in planned(*words).stdout


def test_what_escalates_is_what_the_calibration_in_force_expects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACE_DATA_DIR", str(tmp_path))
    found = json.loads(planned(*YEAR, "--json").stdout)
    record = Calibration.load(SHIPPED_MODEL / "calibration.json")
    assert found["demand"]["escalation"] == record.escalation
    assert record.id in found["escalation_from"]
    assert f"20 %, as the calibration {record.id} expects" in planned(*YEAR).stdout
    given = json.loads(planned(*YEAR, "--escalation", "0.4", "--json").stdout)
    assert (given["demand"]["escalation"], given["escalation_from"]) == (0.4, "given with --escalation")
    assert "(20 %, as the calibration" in planned("--backlog", "1e9").stdout

    monkeypatch.setenv("ACE_CALIBRATION", str(tmp_path / "lost.json"))
    result = CliRunner().invoke(app, ["plan", *YEAR])
    assert result.exit_code == 2
    assert "give --escalation" in result.output


def test_a_calibration_that_asks_no_expert_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("ACE_CALIBRATION", "structural")
    result = planned(*YEAR, "--json")
    found = json.loads(result.stdout, parse_constant=pytest.fail)  # no Infinity, which is no JSON
    assert (found["demand"]["escalation"], found["replicas"], found["gpus"]) == (0, 0, 0)
    assert "expert" not in {part["name"] for part in found["parts"]}
    assert re.search(r"claims that escalate\s+0 %, as", planned(*YEAR).stdout)


@pytest.mark.parametrize("words", [(), (*YEAR, "--backlog", "5")])
def test_one_kind_of_demand_is_wanted(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["plan", *words])
    assert result.exit_code == 2
    assert "either --claims-per-year or --backlog" in result.output
