"""`ace data build` as a person runs it: the files, the manifest, and what it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ace.cli import app
from ace_lab.data.dataset import DatasetPlan
from ace_lab.data.manifest import FILES, MANIFEST
from ace_lab.data.rows import Row, SetRow, read_rows, read_sets
from ace_lab.data.sources import file_hash
from tests.unit.lab.families import claim_texts

FEW = ("--pass-rows", "60", "--class-rows", "12")


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("given") / "claims.jsonl"
    sets = (
        {
            "source": "ours",
            "patent": f"US{family}",
            "claims": [{"num": n, "text": t} for n, t in texts.items()],
        }
        for family, texts in ((family, claim_texts(family)) for family in range(30))
    )
    path.write_text("".join(f"{json.dumps(each)}\n" for each in sets))
    return path


@pytest.fixture(scope="module")
def made(claims: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "data"
    assert build(claims, "--out", out, *FEW).exit_code == 0
    return out


def build(*words: object) -> Result:
    return CliRunner().invoke(app, ["data", "build", *map(str, words)])


def read(path: Path) -> list[Row] | list[SetRow]:
    return read_sets(path) if path.name.endswith(".sets.jsonl") else read_rows(path)


def test_the_manifest_says_what_lies_there(made: Path, claims: Path) -> None:
    manifest = json.loads((made / MANIFEST).read_text())
    assert {path.name for path in made.iterdir()} == {MANIFEST, *FILES}
    asked = {"pass_rows": 60, "class_rows": 12, "seed": 1, "sound_rows": 0, "mistakes": 6}
    assert manifest["options"] == asked
    assert manifest["inputs"] == [{"name": "claims.jsonl", "sets": 30, "sha256": file_hash(claims)}]
    for name, told in manifest["files"].items():
        members = read(made / name)
        assert told["sha256"] == file_hash(made / name)
        assert told["rows"] == len(members) == sum(told["labels"].values())
        assert told["families"] == len({member.family for member in members})
        assert all(f"{member.split}." in name for member in members)


def test_the_same_seed_gives_the_same_bytes(made: Path, claims: Path, tmp_path: Path) -> None:
    result = build(claims, "--out", tmp_path / "again", *FEW, "--json")
    assert json.loads(result.stdout) == json.loads((made / MANIFEST).read_text())
    for name in (MANIFEST, *FILES):
        assert (tmp_path / "again" / name).read_bytes() == (made / name).read_bytes()


def test_a_table_for_people(claims: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("".join(claims.read_text().splitlines(keepends=True)[:6]))
    asked = ("--pass-rows", "200", "--class-rows", "40", "--seed", "7")
    result = build(few, "--out", tmp_path / "new", *asked)
    assert result.stdout.splitlines()[0].split() == ["file", "rows", "families", "pass", "defective"]
    assert "train.jsonl lacks" in result.stderr
    short = json.loads((tmp_path / "new" / MANIFEST).read_text())["short"]["train.jsonl"]
    had = [row.label for row in read_rows(tmp_path / "new" / "train.jsonl")]
    for label, missing in short.items():
        assert had.count(label) + missing == DatasetPlan(200, 40, 7).asked("train")[label]


def test_a_full_directory_is_kept_unless_forced(claims: Path, tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_text("mine")
    result = build(claims, "--out", tmp_path, *FEW)
    assert (result.exit_code, (tmp_path / "train.jsonl").read_text()) == (2, "mine")
    assert "--force" in result.stderr
    assert build(claims, "--out", tmp_path, *FEW, "--force").exit_code == 0
    assert read_rows(tmp_path / "train.jsonl")


def test_bad_lines_are_refused_or_counted(claims: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"claims": "secret"}\n')
    refused = build(claims, bad, "--out", tmp_path / "out", *FEW)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "line 1 of bad.jsonl" in refused.stderr
    assert "secret" not in refused.stderr
    assert not (tmp_path / "out").exists()
    skipped = build(claims, bad, "--out", tmp_path / "out", *FEW, "--skip-bad")
    assert (skipped.exit_code, "1 line or document was skipped" in skipped.stderr) == (0, True)


@pytest.mark.parametrize("words", [("--class-rows", "9"), ("--pass-rows", "-1"), ("--seed", "x")])
def test_usage(claims: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    assert build(claims, "--out", tmp_path / "out", *words).exit_code == 2
