"""Injectors held apart and placebos, with a judge whose calls are known."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ace_lab.data.rows import Row
from ace_lab.evaluation import robustness, single_claims
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import ClaimVerdicts
from ace_lab.evaluation.splits import Split
from tests.unit.lab.evaluation.made import Knowing, row, run


def verdicts_on(
    folder: Path, rows: Sequence[Row], called: dict[str, str]
) -> tuple[EvaluationRun, ClaimVerdicts]:
    table = run(folder, Knowing(called))
    return table, single_claims.verdicts_on(table, Split("test", list(rows)))


def test_placebos_are_held_against_clean_claims(tmp_path: Path) -> None:
    rows = [
        row("pass", "a/1", text="clean"),
        row("pass", "b/1", text="clean"),
        row("pass", "c/1", text="alarm"),
        row("pass", "d/1", text="clean"),
        row("pass", "e/1", text="alarm", edit="noun_renamed"),
        row("pass", "f/1", text="clean", edit="noun_renamed"),
        row("syntax", "g/1", text="alarm", edit="no_final_period"),
    ]
    table, about = verdicts_on(tmp_path, rows, {"alarm": "syntax"})
    found = robustness.placebo(table, about, {"gatekeeper": about.gatekeeper})
    first = found["rows"][0]
    assert (first["clean"], first["placebo"], first["difference"]) == (0.25, 0.5, 0.25)
    assert (first["n_clean"], first["n_placebo"]) == (4, 2)
    assert found["by_edit"] == [
        {"edit": "none", "n": 4, "false_alarms": 0.25},
        {"edit": "noun_renamed", "n": 2, "false_alarms": 0.5},
    ]


def test_seen_and_held_out_rows_are_compared_at_one_mix(tmp_path: Path) -> None:
    # Both miss half of class syntax and raise no alarm; only their mixes differ.
    few = [row("pass", "a/1", text="sound"), *_half_caught(1)]
    many = [*(row("pass", f"p{at}/1", text="sound") for at in range(9)), *_half_caught(3)]
    called = {"caught": "syntax"}
    table, about = verdicts_on(tmp_path, few, called)
    apart = single_claims.verdicts_on(table, Split("held_out", many))
    found = robustness.held_out(table, about, apart, {"gatekeeper": (about.gatekeeper, apart.gatekeeper)})
    first = found["rows"][0]
    assert first["seen"] == first["held_out"]
    assert first["drop"] == 0.0
    assert (found["n_seen"], found["n_held_out"]) == (3, 15)
    assert [one for one in found["injectors"] if one["held_out"]] == [
        {
            "injector": "odd",
            "label": "syntax",
            "n": 6,
            "held_out": True,
            "caught": 0.5,
            "recall": 0.5,
            "hybrid_caught": 0.5,
            "hybrid_recall": 0.5,
        }
    ]


def test_held_out_rows_find_their_twins_in_the_test_split() -> None:
    held = [row("syntax", "a/1", edit="odd"), row("syntax", "b/1", edit="odd"), row("pass", "b/1")]
    test = [row("pass", "a/1"), row("pass", "b/1"), row("pass", "c/1"), row("logical", "a/1")]
    assert [one.origin for one in robustness.with_twins(held, test)] == ["a/1", "b/1", "b/1", "a/1"]


def _half_caught(times: int) -> list[Row]:
    return [
        row("syntax", f"{text}{at}/1", text=text, edit="odd")
        for at in range(times)
        for text in ("caught", "missed")
    ]


def test_without_placebos_there_is_no_difference() -> None:
    assert np.isnan(robustness._difference(np.ones(2), np.ones(2, bool)))
