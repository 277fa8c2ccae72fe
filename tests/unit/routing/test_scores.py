"""Scores of doubt: what each sees, what none may say, and how little U differs from confidence."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ace.routing.boosted import Boosted
from ace.routing.score import p_inv, without_stakes
from ace.routing.scores import FACTS, FEATURES, Learned, Score, doubt_of, features
from ace_lab.measures.selective import spearman

SURE = [1.0, 0, 0, 0, 0, 0]
EVEN = [1 / 6] * 6
ONE_ERROR = [0.5, 0.5, 0, 0, 0, 0]
FIVE_ERRORS = [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]


def trees(intercept: float, *names: str) -> Boosted:
    """Trees of depth 2 that ask for a feature, above 0.5, and then, above 1, once more: worth 0, 1, 2 or
    4."""
    asked = tuple((FEATURES.index(name),) * 3 for name in names)
    bounds, values = (0.5, 0.25, 1.0), (0.0, 1.0, 2.0, 4.0)
    return Boosted(intercept, asked, (bounds,) * len(names), (values,) * len(names))


LEARNED = Learned(trees(-3.0, "h6", "margin"), trees(0.5))


def logistic(raw: float) -> float:
    return 1 / (1 + math.exp(-raw))


@pytest.mark.parametrize(
    ("score", "row", "expected"),
    [
        ("u", SURE, 0.0),
        ("u", ONE_ERROR, math.log(2)),
        ("u", FIVE_ERRORS, math.log(2)),  # U cannot tell one rival error from five
        ("h6", ONE_ERROR, math.log(2)),
        ("h6", FIVE_ERRORS, 0.5 * math.log(2) + 0.5 * math.log(10)),
        ("h6", EVEN, math.log(6)),
        ("margin", SURE, 0.0),
        ("margin", ONE_ERROR, 1.0),
        ("margin", FIVE_ERRORS, 0.6),
        ("error", SURE, 0.0),
        ("error", [0.8, 0.1, 0.1, 0, 0, 0], 0.2),
        ("error", [0.3, 0.7, 0, 0, 0, 0], 0.3),
        ("learned", SURE, logistic(-3)),
        ("learned", ONE_ERROR, logistic(-3 + 2 + 2)),
        ("learned", EVEN, logistic(-3 + 4 + 2)),
        ("learned", [0.9, 0.1, 0, 0, 0, 0], logistic(-3 + 1 + 0)),
        ("gain", SURE, logistic(-3) - logistic(0.5)),
    ],
)
def test_known_values(score: str, row: list[float], expected: float) -> None:
    assert doubt_of(np.array([row]), score, LEARNED)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("score", ["u", "h6", "margin", "error", "learned", "gain"])
@pytest.mark.parametrize("row", [[math.nan] * 6, [0.9, 0.9, 0, 0, 0, 0], [math.inf, 0, 0, 0, 0, 0]])
def test_what_is_no_distribution_has_no_doubt_that_is_a_number(score: str, row: list[float]) -> None:
    found = doubt_of(np.array([SURE, row], dtype=np.float32), score, LEARNED)
    assert np.isfinite(found[0])
    assert np.isnan(found[1])


def distributions(draw: st.DrawFn) -> np.ndarray:
    raw = draw(arrays(np.float64, (30, 6), elements=st.floats(0.001, 1)))
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))


@given(st.composite(distributions)())
def test_u_ranks_exactly_as_binary_confidence_does(p: np.ndarray) -> None:
    confidence = np.maximum(p[:, 0], p[:, 1:].sum(axis=1))
    confidence, u = np.round(1 - confidence, 9), np.round(doubt_of(p, "u"), 9)
    order = np.lexsort((u, confidence))
    assert (np.diff(u[order]) >= 0).all()


def test_six_classes_rank_otherwise() -> None:
    p = np.random.default_rng(1).dirichlet(np.full(6, 0.4), 500)
    confidence = 1 - np.maximum(p[:, 0], p[:, 1:].sum(axis=1))
    assert spearman(doubt_of(p, "u"), confidence) == pytest.approx(1.0)
    assert spearman(doubt_of(p, "h6"), confidence) < 0.8


def test_features_have_names_and_the_first_six_are_ordered() -> None:
    found = features(np.array([FIVE_ERRORS, SURE]))
    assert found.shape == (2, len(FEATURES))
    assert (np.diff(found[:, :6], axis=1) <= 0).all()
    assert np.isfinite(found).all()  # log of a zero is bounded
    assert found[0, FEATURES.index("calls_pass")] == 1
    called = [at for at, name in enumerate(FEATURES) if name.startswith("calls_")]
    assert found[:, called].sum(axis=1).tolist() == [1, 1]


def test_a_learned_score_sees_the_facts_of_each_claim() -> None:
    facts = np.zeros((2, len(FACTS)))
    facts[1, FACTS.index("unresolved_phrases")] = 2
    learned = Learned(trees(-3.0, "unresolved_phrases"))
    found = doubt_of(np.array([SURE, SURE]), "learned", learned, facts)
    assert found.tolist() == pytest.approx([logistic(-3), logistic(-3 + 4)])
    assert doubt_of(np.array([SURE]), "learned", learned)[0] == found[0]


def test_an_error_is_as_likely_as_without_the_stakes() -> None:
    # Chances of a defect of 0.4 and 0.2, told as if a missed one counted as 3 and as 1 false alarms.
    told = np.array([[0.6, 3 * 0.4, 0, 0, 0, 0], [0.8, 3 * 0.2, 0, 0, 0, 0]])
    told /= told.sum(axis=1, keepdims=True)
    assert doubt_of(told, "error", stakes=3.0) == pytest.approx([0.6, 0.2])
    assert p_inv(without_stakes(told, 3.0)) == pytest.approx([0.4, 0.2])


def test_gain_takes_the_probabilities_where_nothing_is_learned_of_the_gatekeeper() -> None:
    found = doubt_of(np.array([[0.8, 0.2, 0, 0, 0, 0]]), "gain", Learned(expert_wrong=trees(-3.0)))
    assert found == pytest.approx([0.2 - logistic(-3)])


@pytest.mark.parametrize(
    ("score", "learned"),
    [
        ("learned", None),
        ("learned", Learned(expert_wrong=trees(0.0))),
        ("gain", None),
        ("gain", Learned(trees(0.0))),
    ],
)
def test_a_learned_score_needs_its_trees(score: Score, learned: Learned | None) -> None:
    with pytest.raises(ValueError, match="needs"):
        doubt_of(np.array([SURE]), score, learned)


@pytest.mark.parametrize(
    ("asked", "bounds", "values", "message"),
    [
        ((0, 0), (0.5, 0.5), (0.0, 1.0, 2.0), "complete"),
        ((0, 0, 0), (0.5, 0.5, 0.5), (0.0, 1.0), "complete"),
    ],
)
def test_trees_that_cannot_be_walked_are_refused(
    asked: tuple[int, ...], bounds: tuple[float, ...], values: tuple[float, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Boosted(0.0, (asked,), (bounds,), (values,))


@pytest.mark.parametrize("expert", [False, True])
def test_trees_that_ask_for_what_no_claim_has_are_refused(expert: bool) -> None:
    stray = Boosted(0.0, ((99,),), ((0.5,),), ((0.0, 1.0),))
    with pytest.raises(ValueError, match="features: log_p_1"):
        Learned(trees(0.0), stray) if expert else Learned(stray)


def test_no_sum_of_trees_overflows() -> None:
    assert trees(800.0).probability(features(np.array([SURE])))[0] == 1.0
