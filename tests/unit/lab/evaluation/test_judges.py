"""Calls, hybrids and their rows, on cases worked out by hand."""

import numpy as np
import pytest

from ace.claims.taxonomy import LABELS, Ground
from ace_lab.evaluation.judges import (
    Cases,
    JudgeResult,
    by_class,
    class_of,
    class_of_opinion,
    f1_of_ground,
    hybrid_of,
    interval,
    resampled,
    row,
)
from ace_lab.experts.opinions import Opinion
from ace_lab.measures.metrics import confusion

ANTECEDENT, LOGICAL = LABELS.index("antecedent"), LABELS.index("logical")


def opinion(fail: bool, error_class: str | None = None) -> Opinion:
    return Opinion(fail, error_class, (), 0.1, 0)


P = np.array(
    [
        [0.9, 0.1, 0, 0, 0, 0],
        [0.4, 0.2, 0.1, 0.25, 0.05, 0],  # pass is likeliest, but not likelier than all errors
        [0.5, 0.5, 0, 0, 0, 0],  # a tie is a Pass
        [0.1, 0.0, 0, 0.9, 0, 0],
    ]
)


def test_the_class_called_is_of_the_fast_path_not_of_the_largest_probability() -> None:
    assert class_of(P).tolist() == [0, LOGICAL, 0, LOGICAL]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, 3),
        (opinion(False), 0),
        (opinion(False, "syntax"), 0),
        (opinion(True, "syntax"), LABELS.index("syntax")),
        (opinion(True), 3),
    ],
)
def test_the_class_of_an_opinion(given: Opinion | None, expected: int) -> None:
    assert class_of_opinion(given, 3) == expected


def test_the_expert_has_the_word_only_where_a_claim_is_escalated() -> None:
    opinions = [opinion(True, "syntax"), opinion(False), opinion(True), None]
    up = np.array([False, True, True, True])
    # The first is not asked, the third fails without a class: the gatekeeper's likeliest error; the
    # last examination failed: the gatekeeper's opinion stands.
    assert hybrid_of(P, up, opinions).tolist() == [0, 0, ANTECEDENT, LOGICAL]


def test_a_row_counts_what_was_called() -> None:
    cases = Cases.of(["pass", "pass", "antecedent", "logical"], ["a", "b", "c", "d"])
    judged = JudgeResult("ours", np.array([0, 1, 1, 1]), np.array([0.1, 0.8, 0.9, 0.7]), 0.01, 8.0, 0.2)
    found = row(cases, judged, resamples=50, seed=1)
    assert found["n"] == 4
    assert found["accuracy"] == 0.5
    assert found["accuracy_pass_fail"] == 0.75
    assert found["macro_f1"] == pytest.approx((2 / 3 + 2 / 4 + 0) / 3, abs=1e-4)
    assert found["f1_fail"] == 0.8
    assert (found["f1_rejection"], found["f1_objection"]) == (0.8, 0.0)
    assert found["false_alarms"] == 0.5
    assert found["auc"] == 0.75
    low, high = found["intervals"]["accuracy"]
    assert 0 <= low <= 0.5 <= high <= 1


def test_rejections_and_objections_are_counted_apart() -> None:
    # given a missed objection, another one called a rejection, and one right call of each ground
    cases = Cases.of(["syntax", "syntax", "logical", "syntax"], list("abcd"))
    called = np.array([0, LOGICAL, ANTECEDENT, LABELS.index("syntax")])
    assert f1_of_ground(cases, called, Ground.REJECTION) == pytest.approx(2 / 3)
    assert f1_of_ground(cases, called, Ground.OBJECTION) == pytest.approx(2 / 4)


def test_a_judge_without_scores_has_no_auc() -> None:
    cases = Cases.of(["pass", "logical"], ["a", "b"])
    assert row(cases, JudgeResult("rules", np.array([0, 3])), 10, 1)["auc"] is None


def test_by_class_tells_recall_and_what_is_called_fail_at_all() -> None:
    cases = Cases.of(["antecedent"] * 4 + ["pass"], list("abcde"))
    judged = JudgeResult("ours", np.array([ANTECEDENT, ANTECEDENT, LOGICAL, 0, 0]))
    first, second = by_class(cases, {"gatekeeper": judged}, 50, 1)
    assert (first["label"], first["n"], first["gatekeeper"]["recall"]) == ("pass", 1, 1.0)
    assert second["gatekeeper"]["recall"] == 0.5
    assert second["gatekeeper"]["caught"] == 0.75
    assert second["gatekeeper"]["f1"] == pytest.approx(2 / 3, abs=1e-4)


def test_families_are_drawn_whole() -> None:
    labels = ["pass"] * 6 + ["syntax"] * 2
    cases = Cases.of(labels, ["a"] * 6 + ["b"] * 2)
    called = np.array([0] * 6 + [5] * 2)
    drawn = resampled(cases, called, 200, seed=2)
    # Two draws of two families: all of one, all of the other, or one of each.
    seen = {(int(one[0, 0]), int(one[5, 5])) for one in drawn}
    assert seen == {(12, 0), (6, 2), (0, 4)}
    assert drawn.shape == (200, 6, 6)
    assert np.allclose(drawn.mean(axis=0), confusion(called, cases.labels), atol=1.0)


def test_an_interval_leaves_out_what_is_no_number() -> None:
    assert interval(np.array([np.nan, 1.0, 1.0])) == [1.0, 1.0]
