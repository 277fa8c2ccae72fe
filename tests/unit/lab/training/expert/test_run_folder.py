"""The folder of a run: one run only, whole states only, metrics that never run ahead."""

from pathlib import Path

import pytest

from ace.errors import Refused
from ace_lab.training.expert.run_folder import RunFolder, emptied, replaced

RUN = {"recipe": {"seed": 1}, "base": "a", "data": "0f"}


def state(folder: RunFolder, step: int, *, whole: bool) -> Path:
    path = folder.path / f"checkpoint-{step}"
    path.mkdir()
    if whole:
        folder.mark(step)
    return path


def test_the_last_whole_state_is_gone_on_from_and_broken_ones_are_dropped(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.begin(RUN)
    assert folder.last_state() is None
    state(folder, 9, whole=True)
    last = state(folder, 10, whole=True)  # not the last by name
    broken = state(folder, 11, whole=False)
    assert RunFolder(tmp_path).last_state() == last
    assert not broken.exists()


@pytest.mark.parametrize("changed", [{"recipe": {"seed": 2}}, {"base": "b"}, {"data": "1e"}])
def test_another_run_is_refused_until_the_first_is_forgotten(
    changed: dict[str, object], tmp_path: Path
) -> None:
    RunFolder(tmp_path).begin(RUN)
    with pytest.raises(Refused, match=f"another {next(iter(changed))}: use another --out, or --restart"):
        RunFolder(tmp_path).begin({**RUN, **changed})
    RunFolder(tmp_path).clear()
    RunFolder(tmp_path).begin({**RUN, **changed})


def test_the_end_is_noted_and_drops_the_states(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.begin(RUN)
    state(folder, 3, whole=True)
    folder.note([{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0}])
    assert not RunFolder(tmp_path).ended
    folder.end()
    again = RunFolder(tmp_path)
    again.begin(RUN)
    assert again.ended
    assert again.last_state() is None
    assert [record["loss"] for record in again.metrics()] == [2.0, 1.0]


def test_a_finished_folder_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    target = tmp_path / "adapter"
    target.mkdir()
    (target / "old").touch()
    beside = emptied(target)
    (beside / "new").touch()
    assert emptied(target) == beside  # what a killed process left is not mixed in
    (beside / "newer").touch()
    assert replaced(beside, target) == target
    assert [path.name for path in target.iterdir()] == ["newer"]
    assert not beside.exists()
