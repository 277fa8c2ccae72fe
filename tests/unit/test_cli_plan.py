"""`ace plan` as a person and a program read it."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from ace.cli import app

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


@pytest.mark.parametrize("words", [(), (*YEAR, "--backlog", "5")])
def test_one_kind_of_demand_is_wanted(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["plan", *words])
    assert result.exit_code == 2
    assert "either --claims-per-year or --backlog" in result.output
