"""`ace data rejections` and `ace evaluate rejections` as a person runs them, with the shipped model."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import ace_lab.cli.rejections  # noqa: F401 the commands register themselves
from ace.cli import app

BODY = """Claims 2 and 3 are rejected under 35 U.S.C. 112(b) as being indefinite.
Claim 2 recites the limitation "the zirconium rod" in line 1. There is insufficient antecedent basis for this
limitation in the claim. Claim 3 is rejected for depending on claim 2.
"""
TEXTS = [
    "A pump comprising a piston.",
    "The pump of claim 1, wherein the zirconium rod is bent.",
    "The pump of claim 2.",
]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def built(tmp_path: Path) -> Path:
    actions = tmp_path / "actions.json"
    actions.write_text(
        json.dumps({"response": {"docs": [{"patentApplicationNumber": ["16000001"], "bodyText": [BODY]}]}})
    )
    claims = tmp_path / "claims.jsonl"
    listed = [{"num": at, "text": text} for at, text in enumerate(TEXTS, start=1)]
    claims.write_text(json.dumps({"application": "16/000,001", "claims": listed}))
    out = tmp_path / "real.jsonl.gz"
    result = run("data", "rejections", "--actions", actions, "--claims", claims, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    counts = json.loads(result.stdout)["counts"]
    assert (counts["actions"], counts["lines"], counts["lines_antecedent"]) == (1, 1, 1)
    assert "zirconium" not in result.output
    return out


def test_from_actions_to_a_report(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    result = run("evaluate", "rejections", built, "--out", out)
    assert result.exit_code == 0, result.output
    assert "another data set" in result.stdout
    assert "Hybrid by escalation" in result.stdout
    assert sorted(path.name for path in out.iterdir()) == ["misses.jsonl", "report.json", "report.md"]
    report: dict[str, Any] = json.loads((out / "report.json").read_text())
    assert (
        report["file"]["rejected_claims"],
        report["file"]["set_aside"],
        report["file"]["clean_claims"],
    ) == (1, 1, 1)
    assert report["findings"]["objections_matched"]["antecedent"]["value"] == 1.0
    assert report["paper"]["recall"]["hybrid (ACE)"] == 0.662
    shown = result.output + (out / "report.json").read_text() + (out / "report.md").read_text()
    assert "zirconium" not in shown


def test_json_for_programs(built: Path) -> None:
    result = run("evaluate", "rejections", built, "--expert", "none", "--json")
    assert set(json.loads(result.stdout)["judges"]) == {"gatekeeper", "structural"}


def test_what_cannot_be_used_is_refused(built: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{zirconium\n")
    for words, said in (
        (("evaluate", "rejections", bad), "line 1: not JSON"),
        (("evaluate", "rejections", tmp_path / "none"), "cannot be read"),
        (("evaluate", "rejections", built, "--expert", "tgi"), "http://host:8080"),
        (
            ("data", "rejections", "--actions", tmp_path / "none", "--claims", bad, "--out", bad),
            "does not exist",
        ),
    ):
        result = run(*words)
        assert result.exit_code == 2, result.output
        assert said in result.stderr
        assert "zirconium" not in result.stderr


def test_nothing_joined_is_told(built: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"application": "99", "claims": ["A pump."]}))
    result = run(
        "data",
        "rejections",
        "--actions",
        tmp_path / "actions.json",
        "--claims",
        other,
        "--out",
        tmp_path / "o.jsonl",
    )
    assert result.exit_code == 2
    assert "actions without claims" in result.stdout
