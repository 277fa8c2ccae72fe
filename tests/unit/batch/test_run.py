"""Units are scored once, stored whole, and scored again if anything about them does not fit."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ace.batch.doubtful import Doubtful, Filings, Requests
from ace.batch.outputs import Format, Results, Totals
from ace.batch.run import Ran, run
from ace.batch.units import units_of
from ace.errors import ModelError, Refused
from ace.expert.prompt.copt import PROMPTS
from tests import fakes
from tests.unit.batch import sets

MADE_BY = {"model": "model-1"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Two files of JSON lines."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text(json.dumps({"claims": sets.SOUND, "docket": "A"}) + "\n")
    claims = sets.listed("A pump comprising a housing.", "The pump of claim 1, that is about round.")
    (folder / "b.jsonl").write_text(json.dumps({"claims": claims}) + "\nbroken\n")
    return folder


def scored(
    source: Path,
    out: Path,
    *,
    form: Format = "parquet",
    doubtful: Doubtful | None = None,
    gatekeeper: Any = None,
    made_by: Any = None,
) -> Ran:
    results = Results(out, form, made_by or MADE_BY)
    return run(units_of(source), results, gatekeeper or fakes.Gatekeeper(), fakes.Checks(), doubtful)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_results_and_manifests(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = scored(source, out)
    assert (ran.scored, ran.found_done, ran.totals) == (2, 0, Totals(2, 4, 1, 1))
    assert sorted(contents(out)) == [
        "_manifests/a.jsonl-00000.json",
        "_manifests/b.jsonl-00000.json",
        "a.jsonl-00000.parquet",
        "b.jsonl-00000.parquet",
    ]
    manifest = json.loads((out / "_manifests/b.jsonl-00000.json").read_bytes())
    assert manifest["made_by"] == {"model": "model-1", "format": "parquet"}
    assert manifest["totals"] == {"filings": 1, "claims": 2, "escalated": 1, "errors": 1}
    table = pq.read_table(out)
    assert table["row"].to_pylist() == [0, 0, 0, 0, 1]
    assert table["escalate"].to_pylist() == [False, False, False, True, None]
    assert (out / "a.jsonl-00000.parquet").stat().st_mode & 0o077 == 0


def test_json_lines_hold_the_same(source: Path, tmp_path: Path) -> None:
    scored(source, tmp_path / "parquet")
    scored(source, tmp_path / "lines", form="jsonl")
    table = pq.read_table(tmp_path / "parquet" / "b.jsonl-00000.parquet")
    lines = (tmp_path / "lines" / "b.jsonl-00000.jsonl").read_text().splitlines()
    exact = [name for name in table.column_names if name != "findings" and not name.startswith("p_")]
    of_lines = [{name: json.loads(line)[name] for name in exact} for line in lines]
    assert table.select(exact).to_pylist() == of_lines


def test_what_is_done_is_left_alone_and_what_does_not_fit_is_scored_again(
    source: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    scored(source, out)
    whole = contents(out)

    class Idle(fakes.Gatekeeper):
        def score(self, inputs: Any) -> Any:
            raise AssertionError("scored again")

    ran = scored(source, out, gatekeeper=Idle())
    assert (ran.found_done, ran.scored, ran.totals) == (2, 0, Totals(2, 4, 1, 1))

    for damage in ("a.jsonl-00000.parquet", "_manifests/a.jsonl-00000.json"):
        for bytes_left in (None, 10):
            content = whole[damage]
            (out / damage).unlink() if bytes_left is None else (out / damage).write_bytes(
                content[:bytes_left]
            )
            ran = scored(source, out)
            assert (ran.found_done, ran.scored) == (1, 1), damage
            assert contents(out) == whole


def test_a_changed_input_is_scored_again(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    scored(source, out)
    (source / "a.jsonl").write_text(json.dumps({"claims": sets.FAILS}) + "\n")
    assert scored(source, out).scored == 1
    assert pq.read_table(out / "a.jsonl-00000.parquet")["verdict"].to_pylist() == ["Fail"]


def test_results_of_another_model_are_neither_mixed_nor_overwritten(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    scored(source, out)
    before = contents(out)
    with pytest.raises(Refused, match="holds results of another model: choose another folder"):
        scored(source, out, made_by={"model": "model-2"})
    assert contents(out) == before


def test_a_broken_engine_leaves_nothing_unfinished(source: Path, tmp_path: Path) -> None:
    class Broken(fakes.Gatekeeper):
        def score(self, inputs: Any) -> Any:
            raise RuntimeError("lost device")

    out = tmp_path / "out"
    with pytest.raises(ModelError, match=r"^the gatekeeper can no longer score anything: RuntimeError$"):
        scored(source, out, gatekeeper=Broken())
    assert contents(out) == {}


def test_leftovers_of_a_killed_process_go_with_the_next_one(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".a.jsonl-00000.parquet.elsewhere-12.tmp").write_bytes(b"half")
    scored(source, out)
    assert not [name for name in contents(out) if name.endswith(".tmp")]


def test_a_damaged_input_costs_its_own_units(source: Path, tmp_path: Path) -> None:
    (source / "aa.parquet").write_bytes(b"PAR1")
    (source / "c.jsonl.gz").write_bytes(b"no gzip")
    ran = scored(source, tmp_path / "out")
    assert ran.scored == 2
    assert sorted(ran.unreadable) == ["aa.parquet-00000", "c.jsonl.gz-00000"]
    assert len(contents(tmp_path / "out")) == 4


def test_doubtful_claims_as_filings(source: Path, tmp_path: Path) -> None:
    scored(source, tmp_path / "out", doubtful=Filings(), made_by={**MADE_BY, **Filings().identity})
    assert (tmp_path / "out" / "_doubtful/a.jsonl-00000.jsonl").read_bytes() == b""
    (line,) = (tmp_path / "out" / "_doubtful/b.jsonl-00000.jsonl").read_text().splitlines()
    filing = json.loads(line)
    claims = sets.listed("A pump comprising a housing.", "The pump of claim 1, that is about round.")
    assert filing["claims"] == claims
    assert filing["docket"] == "b.jsonl 0"
    assert len(filing["idempotency_key"]) == len("ace-score-") + 32


def test_doubtful_claims_as_requests_have_the_prompt_of_a_worker(source: Path, tmp_path: Path) -> None:
    requests = Requests(PROMPTS["v2"], "llama", 512)
    scored(source, tmp_path / "out", doubtful=requests, made_by={**MADE_BY, **requests.identity})
    (line,) = (tmp_path / "out" / "_doubtful/b.jsonl-00000.jsonl").read_text().splitlines()
    request = json.loads(line)
    assert (request["custom_id"], request["method"], request["url"]) == (
        "b.jsonl#0#2",
        "POST",
        "/v1/chat/completions",
    )
    asked = request["body"]
    assert (asked["model"], asked["max_tokens"]) == ("llama", 512)
    assert asked["response_format"]["json_schema"]["schema"] == PROMPTS["v2"].schema
    assert "that is about round" in asked["messages"][-1]["content"]
