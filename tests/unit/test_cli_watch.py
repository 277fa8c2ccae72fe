"""`ace watch` and `ace export` against a scripted server."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from ace.cli import app, export, watch
from patent_ace_client import Filing
from tests.unit.client.test_client import EVALUATION, Server, brief, ok

Run = Callable[..., Result]
FILING = {
    "id": "f-1",
    "docket": "P-1",
    "priority": 5,
    "metadata": {},
    "claims": 2,
    "created_at": "2026-11-20T09:30:00Z",
    "test": False,
    "reevaluating": 0,
}
PASSED = {**brief(1, "decided"), "verdict": "Pass"}
FAILS = {**brief(2, "decided"), "verdict": "Fail", "ground": "rejection", "disputed": True}


def filing(*evaluations: dict[str, Any]) -> dict[str, Any]:
    """A filing with these evaluations."""
    states: dict[str, int] = {}
    for one in evaluations:
        states[one["state"]] = states.get(one["state"], 0) + 1
    settled = states.keys() <= {"decided", "failed", "cancelled"}
    return {**FILING, "evaluations": list(evaluations), "states": states, "settled": settled}


MOVING = [
    filing(brief(1, "queued"), brief(2, "queued")),
    filing(PASSED, brief(2, "escalated", "unreachable")),
    filing(PASSED, FAILS),
]


@pytest.fixture
def ace(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command against answers in order."""

    def run(*arguments: str, answers: list[Any]) -> Result:
        server = Server(*answers)
        for commands in (watch, export):
            monkeypatch.setattr(commands, "client", lambda *_: server.client())
        done = CliRunner().invoke(app, arguments)
        assert server.script == []
        return done

    return run


def test_each_change_is_a_line(ace: Run) -> None:
    done = ace("watch", "f-1", answers=[ok(one) for one in MOVING])
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "claim 1: queued",
            "claim 2: queued",
            "claim 1: decided: Pass",
            "claim 2: escalated: unreachable",
            "claim 2: decided: Fail, disputed, rejection",
        ],
    )


def test_programs_get_an_object_for_each_change(ace: Run) -> None:
    done = ace("watch", "f-1", "--json", answers=[ok(one) for one in MOVING])
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["claim"], one["state"]) for one in lines] == [
        (1, "queued"),
        (2, "queued"),
        (1, "decided"),
        (2, "escalated"),
        (2, "decided"),
    ]
    assert {one["filing"] for one in lines} == {"f-1"}


def test_the_exit_code_is_that_of_the_outcome(ace: Run) -> None:
    assert ace("watch", "f-1", answers=[ok(filing(PASSED, brief(2, "failed", "timeout")))]).exit_code == 1
    late = ace("watch", "f-1", "--timeout", "0", answers=[ok(MOVING[1])])
    assert late.exit_code == 6
    assert "1 of 2; 1 escalated: expert unreachable" in late.stderr


def test_ctrl_c_ends_the_watch_alone(ace: Run) -> None:
    def interrupt(_: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    done = ace("watch", "f-1", answers=[ok(MOVING[0]), interrupt])
    assert done.exit_code == 130
    assert "ace watch f-1" in done.stderr


def test_a_terminal_shows_how_far_the_filing_is() -> None:
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(watch.drawing(Filing.model_validate(MOVING[1])))
    head, names, first, second = console.export_text().splitlines()
    assert head == "P-1: 1 of 2 claims settled; 1 escalated: expert unreachable"
    assert names.split() == list(watch.COLUMNS)
    assert first.split() == ["2", "escalated", "(unreachable)", "–", "–", "e-2"]
    assert second.split() == ["1", "decided", "Pass", "–", "e-1"]


# Export

PAGES = [
    {"evaluations": [EVALUATION], "next": "c-1"},
    {"evaluations": [{**EVALUATION, "id": "e-2", "rationale": None, "verdict": None}], "next": None},
]


def test_rows_for_a_spreadsheet(ace: Run) -> None:
    done = ace("export", "--since", "2026-11-01", answers=[ok(page) for page in PAGES])
    first, second = csv.DictReader(io.StringIO(done.stdout))
    assert list(first) == list(export.COLUMNS)
    assert (first["schema"], first["evaluation"], first["verdict"]) == ("1", "e-1", "Fail")
    assert (first["disputed"], first["created_at"]) == ("false", "2026-11-20T09:30:00+00:00")
    assert (first["model"], first["calibration"], first["expert_model"]) == ("m", "c", "x")
    assert (second["evaluation"], second["verdict"], second["expert_model"]) == ("e-2", "", "")
    assert done.stderr == "2 evaluations exported\n"
    assert "no basis" not in done.stdout


@pytest.mark.parametrize(
    "docket",
    ["=1+2", "@SUM(A1)", "-2+3", "+1", "\t=1", "\r=1", "＝1+1", "\u2060=1", "﹣1", " \u00ad@SUM(A1)"],
)
def test_no_cell_for_a_spreadsheet_is_a_formula(ace: Run, docket: str) -> None:
    done = ace("export", answers=[ok({"evaluations": [{**EVALUATION, "docket": docket}], "next": None})])
    (row,) = csv.DictReader(io.StringIO(done.stdout, newline=""))
    assert row["docket"] == f"'{docket}"
    as_lines = ace(
        "export",
        "--format",
        "jsonl",
        answers=[ok({"evaluations": [{**EVALUATION, "docket": docket}], "next": None})],
    )
    assert json.loads(as_lines.stdout)["docket"] == docket


def test_the_filter_is_the_api_s(ace: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return ok({"evaluations": [], "next": None})

    given = ["--since", "2026-11-01", "--until", "2026-11-02T12:00", "--verdict", "Fail", "--docket", "P-1"]
    done = ace("export", *given, "--format", "jsonl", answers=[answer])
    assert (done.stdout, done.stderr) == ("", "0 evaluations exported\n")
    assert dict(asked[0].url.params) == {
        "since": "2026-11-01T00:00:00+00:00",
        "until": "2026-11-02T12:00:00+00:00",
        "verdict": "Fail",
        "docket": "P-1",
        "limit": "200",
    }


def test_lines_of_json(ace: Run, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert (
        ace("export", "--format", "jsonl", "--out", str(out), answers=[ok(page) for page in PAGES]).exit_code
        == 0
    )
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [one["evaluation"] for one in rows] == ["e-1", "e-2"]
    assert rows[0]["created_at"] == "2026-11-20T09:30:00+00:00"


def test_parquet_has_types(ace: Run, tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    assert (
        ace(
            "export", "--format", "parquet", "--out", str(out), answers=[ok(page) for page in PAGES]
        ).exit_code
        == 0
    )
    found = pyarrow.parquet.read_table(out)
    assert found.column_names == list(export.COLUMNS)
    assert [str(found.schema.field(name).type) for name in ("doubt", "disputed", "updated_at")] == [
        "double",
        "bool",
        "timestamp[us, tz=UTC]",
    ]
    assert found.column("evaluation").to_pylist() == ["e-1", "e-2"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "parquet"], "give --out FILE"),
        (["--since", "yesterday"], "--since must be a date"),
        (["--out", "/nowhere/rows.csv"], "cannot write /nowhere/rows.csv"),
    ],
)
def test_what_cannot_be_written_is_refused(ace: Run, arguments: list[str], words: str) -> None:
    done = ace("export", *arguments, answers=[])
    assert (done.exit_code, words in done.stderr) == (2, True)


def test_without_pyarrow_it_says_what_to_install(ace: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = ace("export", "--format", "parquet", "--out", "x", answers=[])
    assert (done.exit_code, "patent-ace[parquet]" in done.stderr) == (2, True)
