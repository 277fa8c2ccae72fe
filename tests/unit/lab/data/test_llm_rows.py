"""What models wrote becomes part of a data set: by family, within the totals, once, where it belongs."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from typer.testing import CliRunner

from ace.cli import app
from ace_lab.data.dataset import DatasetPlan, build
from ace_lab.data.llm_rows import LlmRows
from ace_lab.data.pools import SPLITS, pools, split_of
from ace_lab.data.rows import Defect, Row, SetRow, read_rows, read_sets, write
from ace_lab.data.sources import file_hash
from ace_lab.evaluation.probes import generator_identity
from tests.unit.lab.families import claim_texts, source_sets

Labelled = TypeVar("Labelled", Row, SetRow)
PLAN = DatasetPlan(pass_rows=300, class_rows=60, seed=1)
MODEL = "some/model"
VAGUE, HARMLESS = " in a pleasing way", " as stated"
FAMILIES = 70


def row(family: int, number: int, label: str, *, text: str | None = None, split: str = "train") -> Row:
    """A claim as a model might have edited it: vague words before the period, or harmless ones."""
    texts = claim_texts(family)
    added = HARMLESS if label == "pass" else VAGUE
    text = text or f"{texts[number][:-1]}{added}."
    spans = () if label == "pass" else ((len(text) - 1 - len(added), len(text) - 1),)
    edit = "llm_placebo" if label == "pass" else "llm"
    family_name = f"US{family}"
    origin = f"{family_name}/{number}"
    return Row(split, family_name, "ours", number, text, (), label, edit, MODEL, spans, origin)


def set_row(family: int, label: str) -> SetRow:
    """A whole set with the same words in six of its claims."""
    added = HARMLESS if label == "pass" else VAGUE
    texts = {n: f"{t[:-1]}{added}." if n <= 6 else t for n, t in claim_texts(family).items()}
    places = (
        Defect(number, len(text) - 1 - len(added), len(text) - 1, "llm")
        for number, text in texts.items()
        if number <= 6
    )
    name = f"US{family}"
    defects = () if label == "pass" else tuple(places)
    edit = "placebo" if label == "pass" else "injected"
    return SetRow("train", name, "ours", tuple(texts.items()), label, edit, MODEL, defects, name)


def built(rows: Iterable[Row] = (), sets: Iterable[SetRow] = ()) -> tuple[list[Row | SetRow], Counter[str]]:
    injected = LlmRows(tuple(rows), tuple(sets))
    return list(build(pools(source_sets(FAMILIES)), PLAN, injected)), injected.left_out


def labels(made: Iterable[Row | SetRow], split: str, kind: type) -> Counter[str]:
    return Counter(one.label for one in made if isinstance(one, kind) and one.split == split)


def planned(made: Iterable[Row | SetRow], split: str) -> list[Row]:
    """The rows of a split that the plan asks for; in train, rows of mistakes follow."""
    rows = [one for one in made if isinstance(one, Row) and one.split == split]
    return rows[: sum(PLAN.asked(split).values())]


@pytest.fixture(scope="module")
def plain() -> list[Row | SetRow]:
    return list(build(pools(source_sets(FAMILIES)), PLAN))


@pytest.fixture(scope="module")
def written() -> tuple[list[Row | SetRow], Counter[str]]:
    singles = [row(family, 5, "ambiguity" if family % 2 else "pass") for family in range(FAMILIES)]
    sets = [set_row(family, "ambiguity" if family % 4 < 2 else "pass") for family in range(FAMILIES)]
    return built(singles, sets)


def of_model(made: Iterable[Row | SetRow], kind: type[Labelled]) -> list[Labelled]:
    return [one for one in made if isinstance(one, kind) and one.generator == MODEL]


def test_nothing_injected_changes_nothing(plain: list[Row | SetRow]) -> None:
    assert built() == (plain, Counter())


def test_rows_go_where_their_family_belongs(written: tuple[list[Row | SetRow], Counter[str]]) -> None:
    rows = of_model(written[0], Row)
    assert {one.split for one in rows} == set(SPLITS)
    assert all(one.split == split_of(one.family) for one in rows)
    assert {one.split for one in of_model(written[0], SetRow)} == {"calibration", "test"}


@pytest.mark.parametrize("split", [*SPLITS, "held_out"])
def test_totals_stay(
    plain: list[Row | SetRow], written: tuple[list[Row | SetRow], Counter[str]], split: str
) -> None:
    rows, rows_plain = planned(written[0], split), planned(plain, split)
    assert labels(rows, split, Row) == labels(rows_plain, split, Row)
    assert labels(written[0], split, SetRow) == labels(plain, split, SetRow)


def test_every_defective_row_has_a_sound_twin_and_no_claim_is_used_twice(
    written: tuple[list[Row | SetRow], Counter[str]],
) -> None:
    rows = [one for split in SPLITS for one in planned(written[0], split)]
    sound = {one.origin for one in rows if one.label == "pass"}
    defective = Counter(one.origin for one in rows if one.label != "pass")
    assert set(defective) <= sound
    assert set(defective.values()) == {1}


def test_half_of_pass_is_edited_still(written: tuple[list[Row | SetRow], Counter[str]]) -> None:
    train = [one.edit != "none" for one in planned(written[0], "train") if one.label == "pass"]
    assert sum(train) / len(train) == pytest.approx(0.5, abs=0.1)


def test_a_set_for_training_becomes_rows_of_its_edited_claims() -> None:
    families = [family for family in range(FAMILIES) if split_of(f"US{family}") == "train"][:2]
    made, left_out = built(sets=[set_row(families[0], "ambiguity"), set_row(families[1], "pass")])
    rows = of_model(made, Row)
    assert not left_out
    assert sorted((one.origin, one.label) for one in rows) == sorted(
        (f"US{family}/{number}", label)
        for family, label in zip(families, ("ambiguity", "pass"), strict=True)
        for number in range(1, 7)
    )
    for one in rows:
        assert [one.text[start:end] for start, end in one.spans] == ([VAGUE] if one.spans else [])
        assert bool(one.spans) is (one.label != "pass")


def test_what_cannot_be_taken_is_counted_by_why() -> None:
    families = [family for family in range(FAMILIES) if split_of(f"US{family}") == "test"]
    one, other, third = families[:3]
    singles = [
        row(one, 5, "ambiguity"),
        row(one, 5, "ambiguity"),
        replace(row(other, 5, "ambiguity"), origin="US9999/1"),
        replace(row(other, 5, "ambiguity"), text=row(one, 5, "ambiguity").text),
        *(row(family, number, "syntax") for family in families[:2] for number in (1, 2, 3, 4, 6, 7, 8, 9)),
    ]
    sets = [
        set_row(third, "pass"),
        set_row(third, "pass"),
        replace(set_row(one, "pass"), origin="US9999"),
    ]
    made, left_out = built(singles, sets)
    assert left_out == {
        "no such claim, or used before": 2,
        "repeats another row": 2,
        "more than half of a label": 16 - PLAN.asked("test")["syntax"] // 2,
        "no such claim set": 1,
    }
    assert len(of_model(made, Row)) == 1 + PLAN.asked("test")["syntax"] // 2


def test_a_row_near_one_of_another_split_is_left_out() -> None:
    test, train = (
        next(family for family in range(FAMILIES) if split_of(f"US{family}") == split)
        for split in ("test", "train")
    )
    kept = row(test, 1, "ambiguity")
    made, left_out = built([kept, row(train, 1, "ambiguity", text=kept.text)])
    assert [one.split for one in of_model(made, Row)] == ["test"]
    assert left_out == {"repeats another row": 1}


def test_the_probe_of_generators_tells_models_from_rules(
    written: tuple[list[Row | SetRow], Counter[str]], plain: list[Row | SetRow]
) -> None:
    def probed(made: list[Row | SetRow]) -> dict[str, Any]:
        rows = [one for one in made if isinstance(one, Row)]
        train = [one for one in rows if one.split == "train"]
        return generator_identity(train, [one for one in rows if one.split in {"test", "calibration"}])

    assert probed(plain)["written"] is None
    assert probed(written[0])["written"]["all"]["auc"] > 0.5


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl"
    lines = (
        {
            "source": "ours",
            "patent": f"US{family}",
            "claims": [{"num": n, "text": t} for n, t in texts.items()],
        }
        for family, texts in ((family, claim_texts(family)) for family in range(30))
    )
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_the_command_names_the_files_in_the_manifest(claims: Path, tmp_path: Path) -> None:
    singles, sets = tmp_path / "llm.jsonl", tmp_path / "llm.sets.jsonl"
    write(singles, [*(row(family, 5, "ambiguity") for family in range(10)), row(99, 1, "pass")])
    write(sets, [set_row(family, "ambiguity") for family in range(10, 30)])
    out = tmp_path / "data"
    few = ("--pass-rows", "60", "--class-rows", "12", "--json")
    asked = ("--injected", singles, "--injected", sets, *few)
    result = CliRunner().invoke(app, ["data", "build", str(claims), "--out", str(out), *map(str, asked)])
    told = json.loads(result.stdout)["injected"]
    assert told["files"] == [
        {"name": "llm.jsonl", "rows": 11, "sha256": file_hash(singles)},
        {"name": "llm.sets.jsonl", "rows": 20, "sha256": file_hash(sets)},
    ]
    assert told["left_out"]["no such claim, or used before"] == 1
    manifest = json.loads((out / "manifest.json").read_text())
    for name in ("train.jsonl", "test.sets.jsonl"):
        read = read_sets if ".sets" in name else read_rows
        count = sum(one.generator == MODEL for one in read(out / name))
        assert manifest["files"][name]["generators"].get(MODEL, 0) == count
    assert manifest["files"]["train.jsonl"]["generators"][MODEL] > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [("secret\n", "llm.jsonl was not written by"), (None, "cannot be read"), ("rules", "language models")],
)
def test_files_that_are_none(claims: Path, tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "llm.jsonl"
    if text == "rules":
        write(path, [replace(row(1, 1, "pass"), generator="rules")])
    elif text is not None:
        path.write_text(text)
    asked = ["data", "build", str(claims), "--out", str(tmp_path / "out"), "--injected", str(path)]
    result = CliRunner().invoke(app, asked)
    assert (result.exit_code, message in result.stderr.replace("\n", " ")) == (2, True)
    assert "secret" not in result.stderr
