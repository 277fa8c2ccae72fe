"""Targets met and missed, and what the reasons are computed from."""

from typing import Any

import pytest

from ace_lab.evaluation.targets import targets


def table(judge: str, value: float, **more: Any) -> dict[str, Any]:
    entry = {"name": judge, "macro_f1": value, "escalated": 0.15, "intervals": {"macro_f1": [0.9, 0.99]}}
    return {"rows": [{**entry, **more}]}


def by_label(recall: float, judge: str = "gatekeeper") -> dict[str, Any]:
    figures = {"recall": recall, "f1": recall, "caught": recall + 0.1, "recall_interval": [0.5, 0.9]}
    return {"rows": [{"label": "antecedent", "n": 40, judge: figures}]}


def test_nothing_is_said_of_what_was_not_measured() -> None:
    assert targets({}) == []


@pytest.mark.parametrize(
    ("judge", "value", "met"),
    [
        ("gatekeeper", 0.9400, True),
        ("gatekeeper", 0.9399, False),
        ("hybrid", 0.9700, True),
        ("hybrid", 0.9500, False),
    ],
)
def test_claim_sets(judge: str, value: float, met: bool) -> None:
    found = targets({"sets": table(judge, value), "classes": {"sets": by_label(0.7, judge)}})
    first = found[0]
    assert first["met"] is met
    assert first["target"].startswith(judge)
    assert (first["reason"] == "") is met
    if not met:
        assert "antecedent (F1 70 %, recall 70 %, 20 % called pass)" in first["reason"]


def test_escalation_beyond_its_bound_is_a_miss() -> None:
    found = targets({"sets": table("hybrid", 0.98, escalated=0.25)})
    missed = [one for one in found if not one["met"]]
    assert [one["measured"] for one in missed] == ["25 %"]
    assert missed[0]["reason"].startswith("5 points over")


@pytest.mark.parametrize(("recall", "met"), [(0.83, True), (0.8277, False), (0.5, False)])
def test_recall_must_be_above_the_papers(recall: float, met: bool) -> None:
    found = targets({"classes": {"sets": by_label(recall)}})
    assert [(one["required"], one["met"]) for one in found] == [("> 82.8 %", met)]


def test_a_drop_is_explained_by_the_injectors_that_cost_most_rows() -> None:
    def injector(name: str, n: int, right: float, held_out: bool = True) -> dict[str, Any]:
        shown = {"injector": name, "label": "logical", "n": n, "held_out": held_out}
        return {**shown, "recall": right, "hybrid_recall": right}

    report = {
        "held_out": {
            "rows": [
                {
                    "name": "gatekeeper",
                    "seen": 0.95,
                    "held_out": 0.85,
                    "drop": 0.10,
                    "intervals": {"drop": [0.08, 0.12], "held_out": [0.8, 0.9]},
                }
            ],
            "injectors": [
                injector("rare", 5, 0.0),
                injector("common", 100, 0.6),
                injector("fine", 400, 1.0),
                injector("seen", 900, 0.1, held_out=False),
            ],
        }
    }
    (found,) = targets(report)
    assert not found["met"]
    assert found["measured"] == "10 points (8.0 to 12.0)"
    assert found["reason"].startswith("5 points over; most missed: logical/common (60 % of 100 right)")
    assert "seen" not in found["reason"]


def test_placebo_alarms() -> None:
    report = {
        "placebo": {
            "rows": [{"name": "gatekeeper", "difference": 0.03, "interval": [0.01, 0.05]}],
            "by_edit": [
                {"edit": "none", "n": 100, "false_alarms": 0.5},
                {"edit": "renumbered", "n": 10, "false_alarms": 0.4},
            ],
        }
    }
    (found,) = targets(report)
    assert (found["required"], found["met"]) == ("≤ 1 point", False)
    assert found["reason"] == "2 points over; most alarms: renumbered (40 %)"
