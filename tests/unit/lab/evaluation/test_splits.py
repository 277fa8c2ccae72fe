"""Samples that keep twins together, and data directories that are none."""

from pathlib import Path

import pytest

from ace.errors import Refused
from ace_lab.evaluation.run import SampleSizes
from ace_lab.evaluation.splits import Data, Split, counted, sampled
from tests.unit.lab.evaluation.made import data_directory, row

ROWS = [row(label, f"f{at}/1") for at in range(40) for label in ("syntax", "pass")]


def test_a_sample_keeps_twins_together_and_the_order() -> None:
    found = sampled(ROWS, 20, seed=1)
    assert len(found) == 20
    assert [ROWS.index(one) for one in found] == sorted(ROWS.index(one) for one in found)
    assert all([one.label for one in found].count(label) == 10 for label in ("syntax", "pass"))
    assert sampled(ROWS, 20, seed=1) == found
    assert sampled(ROWS, 20, seed=2) != found
    assert sampled(ROWS, 80, seed=1) == ROWS


def test_what_the_expert_is_told_of_the_size_of_a_filing() -> None:
    rows = [row("pass", "a/4", number=4, ancestors=("7. A pump.", "…")), row("pass", "a/1")]
    assert Split("test", rows).totals == [7, 1]


def test_counts() -> None:
    assert counted(ROWS[:3]) == {"rows": 3, "families": 2, "labels": {"syntax": 2, "pass": 1}}


def test_a_folder_without_data_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"has no train\.jsonl: make it with `ace data build"):
        Data(tmp_path, SampleSizes()).check()


def test_a_broken_file_is_refused_without_its_text(tmp_path: Path) -> None:
    folder = data_directory(tmp_path, families=2)
    (folder / "test.jsonl").write_text('{"text": "A secret pump."}\n')
    with pytest.raises(Refused, match=r"test\.jsonl cannot be read") as found:
        Data(folder, SampleSizes()).split("test")
    assert "secret" not in str(found.value)


def test_what_is_not_there_is_empty(tmp_path: Path) -> None:
    data = Data(tmp_path, SampleSizes())
    assert data.held_out() == []
    assert data.sets("test") == []
