"""The fit of a fusion: it trusts whoever is right, and gives each class the same weight."""

from dataclasses import replace

import numpy as np
import pytest

from ace.claims.taxonomy import LABELS, ErrorClass
from ace.routing.fusion import Fusion
from ace_lab.calibration.fusion import fit_fusion


def called(fusion: Fusion, raw: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    return fusion.logits(raw, evidence).argmax(axis=1)


def cases(n: int, seed: int, *, encoder: float, rules: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Claims of which each of the two recognises a share, and is blind to the rest."""
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random(n) < 0.8, 0, rng.integers(1, 6, n))
    raw = rng.normal(0, 0.5, (n, 6)) + 4 * np.eye(6)[0]
    seen = (rng.random(n) < encoder) & (labels > 0)
    raw[seen] = rng.normal(0, 0.5, (int(seen.sum()), 6)) + 4 * np.eye(6)[labels[seen]]
    evidence = np.where(rng.random((n, 2, 5)) < 0.03, rng.uniform(0, 0.4, (n, 2, 5)), 0.0)
    known = np.flatnonzero((rng.random(n) < rules) & (labels > 0))
    evidence[known, 0, labels[known] - 1] = rng.uniform(0.6, 0.95, len(known))
    return raw, evidence, labels


def test_what_either_sees_is_found() -> None:
    fusion = fit_fusion(*cases(3_000, 1, encoder=0.6, rules=0.6))
    raw, evidence, labels = cases(3_000, 2, encoder=0.6, rules=0.6)
    right = called(fusion, raw, evidence) == labels
    assert right[labels == 0].mean() > 0.95
    assert right[labels > 0].mean() > 0.8  # each alone sees 0.6, together 0.84


def test_rules_weigh_more_the_more_they_know() -> None:
    good = fit_fusion(*cases(3_000, 1, encoder=0.0, rules=0.9))
    bad = fit_fusion(*cases(3_000, 1, encoder=0.9, rules=0.0))
    assert min(good.rules.values()) > 2 * max(bad.rules.values())


def test_a_class_without_a_row_is_named() -> None:
    raw, evidence, labels = cases(300, 1, encoder=0.5, rules=0.5)
    few = labels != LABELS.index(ErrorClass.LOGICAL)
    with pytest.raises(ValueError, match="logical"):
        fit_fusion(raw[few], evidence[few], labels[few])


def test_trees_find_what_no_sum_of_evidence_shows() -> None:
    raw, evidence, labels = cases(3_000, 1, encoder=0.3, rules=0.3)
    odd = np.flatnonzero(labels == 5)
    raw[odd], evidence[odd] = [4.0, 0, 0, 0, 0, -6.0], 0.0  # more against the class than for any sound claim
    fusion = fit_fusion(raw, evidence, labels)
    assert (called(fusion, raw[odd], evidence[odd]) > 0).mean() > 0.9
    assert (called(replace(fusion, defect=None), raw[odd], evidence[odd]) > 0).mean() < 0.1


def test_the_pool_learns_from_new_kinds_alone() -> None:
    raw, evidence, labels = cases(3_000, 1, encoder=0.9, rules=0.9)
    new = np.arange(3_000) % 2 == 0
    found = fit_fusion(raw, evidence, labels, new)
    alone = fit_fusion(raw[new], evidence[new], labels[new])
    assert replace(found, defect=None) == replace(alone, defect=None)
    assert found.defect != alone.defect


def test_twins_show_that_a_faint_finding_is_no_defect() -> None:
    raw, evidence, labels = cases(4_000, 1, encoder=0.95, rules=0.9)
    faint = labels > 0
    evidence[faint, 1, 0] = 0.3  # a note where mistakes fit, whether or not one was made
    twin_raw, twin_evidence = raw[labels == 0][:600], evidence[faint][:600].copy()
    twin_evidence[:, 0] = 0.0
    both = np.concatenate([raw, twin_raw]), np.concatenate([evidence, twin_evidence])
    whole = np.concatenate([labels, np.zeros(len(twin_raw), dtype=int)])
    twins = np.arange(len(whole)) >= len(labels)

    without = fit_fusion(raw, evidence, labels)
    fusion = fit_fusion(*both, whole, twins=twins)

    assert (called(without, twin_raw, twin_evidence) > 0).mean() > 0.9
    assert (called(fusion, twin_raw, twin_evidence) > 0).mean() < 0.3
    assert (called(fusion, raw, evidence) > 0)[labels == 0].mean() < 0.05
