"""The builder: families never straddle splits, classes balance, the seed decides everything."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from ace.lab import dataset
from ace.lab.dataset import Row, build, read_rows, split_of
from ace.lab.sources import SourceSet, is_sound, read_claim_sets
from tests.unit.lab.samples import SET, TEXTS


def families(n: int) -> list[SourceSet]:
    return [SourceSet(f"US{number}", "ours", SET) for number in range(n)]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(build(families(120), rows=600, seed=1))


def test_a_family_is_in_one_split(rows: list[Row]) -> None:
    splits: dict[str, set[str]] = {}
    for row in rows:
        splits.setdefault(row.family, set()).add(row.split)
        assert row.split == split_of(row.family)
    assert {len(found) for found in splits.values()} == {1}


def test_splits_are_near_eight_one_one() -> None:
    counted = Counter(split_of(f"US{number}") for number in range(5_000))
    assert counted["train"] / 5_000 == pytest.approx(0.8, abs=0.03)
    assert counted["test"] / 5_000 == pytest.approx(0.1, abs=0.02)


def test_half_pass_and_five_equal_classes(rows: list[Row]) -> None:
    labels = Counter(row.label for row in rows if row.split == "train")
    assert labels["pass"] == sum(count for label, count in labels.items() if label != "pass")
    assert len({count for label, count in labels.items() if label != "pass"}) == 1


def test_some_pass_rows_are_placebos(rows: list[Row]) -> None:
    edits = Counter(row.edit != "none" for row in rows if row.label == "pass")
    assert edits[True] / (edits[True] + edits[False]) == pytest.approx(0.5, abs=0.1)


def test_a_defective_row_marks_its_defect_and_a_pass_row_marks_nothing(rows: list[Row]) -> None:
    for row in rows:
        if row.label == "pass":
            assert (row.start, row.end) == (0, 0)
        else:
            assert 0 <= row.start < row.end <= len(row.text)


def test_the_seed_decides_everything() -> None:
    first, again, other = (list(build(families(40), rows=100, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_no_claims_no_rows() -> None:
    assert list(build([], rows=100, seed=1)) == []


def lines(directory: Path, *objects: object) -> Path:
    path = directory / "claims.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(item) + "\n" for item in objects)
    return path


def claim_set(patent: str | None, **more: object) -> dict[str, object]:
    claims = [{"num": number, "text": text} for number, text in TEXTS.items()]
    return {"source": "ours", "path": "p", "patent": patent, "complete": True, "claims": claims, **more}


def test_sets_are_read_and_incomplete_ones_with_references_left_out(tmp_path: Path) -> None:
    alone = [{"num": 1, "text": "A  lid."}]
    path = lines(
        tmp_path,
        claim_set("US1"),
        claim_set("US2", complete=False),
        claim_set(None, complete=False, claims=alone),
    )
    found = list(read_claim_sets(path))
    assert [member.family for member in found] == ["US1", "ours/p/3"]
    assert found[1].claims.claims[0].text == "A lid."


def test_a_line_that_is_no_claim_set_is_named_by_number_only(tmp_path: Path) -> None:
    path = lines(tmp_path, claim_set("US1"), {"claims": [{"num": "x", "text": "secret"}]})
    with pytest.raises(ValueError, match="line 2") as caught:
        list(read_claim_sets(path))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "A lid comprising a ring",
        "A lid comprising a ring. The ring is round.",
        "A lid comprising a ring, such as a hoop.",
        "A lid comprising a (ring.",
        "a lid comprising a ring of steel.",
        "A lid comprising a relatively thin ring.",
        "The lid of claim 9, comprising a ring.",
        "(canceled)",
        "A lid comprising a ring;andbending it.",
    ],
)
def test_dirt_is_no_pass(text: str) -> None:
    from ace.lab.edits import with_text

    changed = with_text(SET, 1, text)
    assert not is_sound(changed, changed.claims[0])


def test_the_command_writes_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = lines(tmp_path, *(claim_set(f"US{number}") for number in range(60)))
    out = tmp_path / "out"
    assert dataset.main(["--claims", str(path), "--out", str(out), "--rows", "200"]) == 0
    manifest = json.loads((out / "manifest.json").read_text())
    for split in dataset.SPLITS:
        members = read_rows(out / f"{split}.jsonl")
        assert len(members) == manifest[split]["rows"]
        assert all(row.split == split for row in members)
    assert manifest == json.loads(capsys.readouterr().err)
