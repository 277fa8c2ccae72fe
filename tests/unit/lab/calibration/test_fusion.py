"""A fusion trusts whoever is right, calls what it has not seen honestly, and knows its stakes."""

from dataclasses import replace

import numpy as np
import pytest

from ace.claims.taxonomy import LABELS, ErrorClass
from ace.routing.fusion import Fusion
from ace.routing.score import p_inv, softmax, without_stakes
from ace.routing.scores import FACTS
from ace_lab.calibration.fusion import best_stakes, cross_fitted, fit_fusion
from ace_lab.measures.metrics import expected_calibration_error, f1


def called(fusion: Fusion, raw: np.ndarray, facts: np.ndarray) -> np.ndarray:
    return fusion.logits(raw, facts).argmax(axis=1)


def cases(n: int, seed: int, *, encoder: float, rules: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Claims of which each of the two recognises a share, and is blind to the rest."""
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random(n) < 0.8, 0, rng.integers(1, 6, n))
    raw = rng.normal(0, 0.5, (n, 6)) + 4 * np.eye(6)[0]
    seen = (rng.random(n) < encoder) & (labels > 0)
    raw[seen] = rng.normal(0, 0.5, (int(seen.sum()), 6)) + 4 * np.eye(6)[labels[seen]]
    facts = np.zeros((n, len(FACTS)))
    facts[:, -10:] = np.where(rng.random((n, 10)) < 0.03, rng.uniform(0, 0.4, (n, 10)), 0.0)
    known = np.flatnonzero((rng.random(n) < rules) & (labels > 0))
    facts[known, FACTS.index("rules_antecedent") + labels[known] - 1] = rng.uniform(0.6, 0.95, len(known))
    return raw, facts, labels


def fitted(raw: np.ndarray, facts: np.ndarray, labels: np.ndarray) -> Fusion:
    return fit_fusion(raw, facts, labels, np.ones(len(labels)))


def test_what_either_sees_is_found() -> None:
    fusion = fitted(*cases(3_000, 1, encoder=0.6, rules=0.6))
    raw, facts, labels = cases(3_000, 2, encoder=0.6, rules=0.6)
    right = called(fusion, raw, facts) == labels
    assert right[labels == 0].mean() > 0.95
    assert right[labels > 0].mean() > 0.8  # each alone sees 0.6, together 0.84


def test_rules_weigh_more_the_more_they_know() -> None:
    good = fitted(*cases(3_000, 1, encoder=0.0, rules=0.9))
    bad = fitted(*cases(3_000, 1, encoder=0.9, rules=0.0))
    assert min(good.rules.values()) > 2 * max(bad.rules.values())


def test_a_class_without_a_row_is_named() -> None:
    raw, facts, labels = cases(300, 1, encoder=0.5, rules=0.5)
    few = labels != LABELS.index(ErrorClass.LOGICAL)
    with pytest.raises(ValueError, match="logical"):
        fitted(raw[few], facts[few], labels[few])


def test_trees_find_what_no_sum_of_evidence_shows() -> None:
    raw, facts, labels = cases(3_000, 1, encoder=0.3, rules=0.3)
    odd = np.flatnonzero(labels == 5)
    raw[odd], facts[odd] = [4.0, 0, 0, 0, 0, -6.0], 0.0  # more against the class than for any sound claim
    fusion = fitted(raw, facts, labels)
    assert (called(fusion, raw[odd], facts[odd]) > 0).mean() > 0.9
    assert (called(replace(fusion, defect=None), raw[odd], facts[odd]) > 0).mean() < 0.1


def test_a_row_that_counts_nothing_teaches_nothing() -> None:
    raw, facts, labels = cases(2_000, 1, encoder=0.5, rules=0.5)
    weights = np.where(np.arange(2_000) < 1_500, 1.0, 0.0)
    turned = np.where(weights > 0, labels, 5 - labels)
    assert fit_fusion(raw, facts, turned, weights) == fit_fusion(raw, facts, labels, weights)


def test_rows_are_called_by_a_fusion_that_has_not_seen_their_family() -> None:
    # One family in five has labels that are noise: seen in training they would be known by heart.
    raw, facts, labels = cases(4_000, 3, encoder=0.0, rules=0.0)
    rng = np.random.default_rng(0)
    families, real = rng.integers(0, 400, 4_000), np.ones(4_000, dtype=bool)
    found = cross_fitted(raw, facts, labels, np.ones(4_000), families, real)
    chance = p_inv(without_stakes(softmax(found.logits), found.stakes))
    assert np.corrcoef(chance, labels > 0)[0, 1] < 0.1
    assert expected_calibration_error(chance, labels > 0) < 0.03


def test_probabilities_are_calibrated_to_real_rows_whatever_the_edits_are() -> None:
    raw, facts, labels = cases(4_000, 1, encoder=0.4, rules=0.4)
    more = cases(2_000, 2, encoder=0.4, rules=0.4)
    defects = more[2] > 0
    both = [
        np.concatenate([one, other[defects]]) for one, other in zip((raw, facts, labels), more, strict=True)
    ]
    real = np.arange(len(both[2])) < 4_000
    found = cross_fitted(*both, np.where(real, 1.0, 0.5), np.arange(len(real)) % 300, real)
    q = without_stakes(softmax(found.logits[real]), found.stakes)
    assert expected_calibration_error(p_inv(q), labels > 0) < 0.04
    # The fusion itself says what its folds say, on the whole.
    own = without_stakes(softmax(found.fusion.logits(raw, facts)), found.stakes)
    assert p_inv(own).mean() == pytest.approx((labels > 0).mean(), abs=0.03)


def test_stakes_put_the_best_cut_where_p_inv_passes_p_valid() -> None:
    rng = np.random.default_rng(1)
    chance = rng.beta(0.6, 1.6, 20_000)
    wrong = rng.random(20_000) < chance
    stakes = best_stakes(chance, wrong)
    cut = 1 / (1 + stakes)
    assert 0.2 < cut < 0.5
    assert f1(chance > cut, wrong) >= max(f1(chance > each, wrong) for each in (0.2, 0.5)) + 0.01
    told = stakes * chance / (1 - chance + stakes * chance)
    assert ((told > 0.5) == (chance > cut)).mean() > 0.999


def test_one_family_is_too_few() -> None:
    raw, facts, labels = cases(300, 1, encoder=0.5, rules=0.5)
    with pytest.raises(ValueError, match="two families"):
        cross_fitted(raw, facts, labels, np.ones(300), np.zeros(300), np.ones(300, dtype=bool))
