"""From logits to a record: what is fitted on which half, and what is refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ace.claims.taxonomy import ErrorClass
from ace.routing.calibration import Calibration
from ace.routing.fusion import Fusion
from ace.routing.policy import doubt, route
from ace.routing.score import softmax
from ace.routing.scores import Score, calls, features
from ace_lab.calibration.boosting import LEAST
from ace_lab.calibration.fitting import (
    TREES,
    Scored,
    expert_errors,
    fit,
    fit_temperature,
    halves,
    own_errors,
)
from ace_lab.calibration.thresholds import FLambda, Gain, Policy, Quantile, Risk


def some(n: int = 1200, families: int = 150, seed: int = 4, *, sharp: float = 1.5) -> Scored:
    """Logits whose softmax at temperature 2 is true, and an expert that is always right on syntax
    (class 5) and wrong on half of the rest."""
    rng = np.random.default_rng(seed)
    raw = rng.normal(0, sharp, (n, 6)) + np.eye(6)[rng.integers(0, 6, n)] * 3
    p = softmax(raw).astype(float)
    labels = (p.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, 5)
    expert = (raw.argmax(axis=1) != 5) & (rng.random(n) < 0.5)
    return Scored(2 * raw, labels, np.array([f"F{one}" for one in rng.integers(0, families, n)]), expert)


def record(scored: Scored, policy: Policy, score: Score) -> Calibration:
    return fit(scored, policy=policy, score=score, model_revision="rev", data_hash="hash")


@pytest.mark.parametrize(
    ("policy", "score", "halved"),
    [
        (Quantile(0.3), "u", False),
        (Quantile(0.3), "h6", False),
        (FLambda(0.1), "margin", False),
        (Quantile(0.3), "error", False),
        (Quantile(0.3), "learned", True),
        (Risk(0.3), "u", True),
        (Risk(0.3), "learned", True),
        (Gain(10.0, 0.5), "gain", True),
        (Quantile(0.3), "gain", True),
    ],
)
def test_a_record_says_what_it_does(policy: Policy, score: Score, halved: bool, tmp_path: Path) -> None:
    scored = some()
    made = record(scored, policy, score)
    # The file holds all of it,
    made.save(tmp_path / "calibration.json")
    loaded = Calibration.load(tmp_path / "calibration.json")
    assert loaded == made
    # and a worker that loads it escalates the share that it states, of the rows that it states.
    rows = scored.at(~halves(scored.families)) if halved else scored
    routed = route(softmax(rows.logits, loaded.temperature), loaded)
    assert len(rows) == loaded.n
    assert routed.escalate.mean() == pytest.approx(loaded.escalation, abs=1e-6)
    assert (loaded.fitted_on > 0) == halved
    assert loaded.fitted_on + loaded.n == (len(scored) if halved else loaded.n)
    assert loaded.temperature == pytest.approx(2.0, rel=0.15)
    assert (loaded.policy, loaded.score, bool(loaded.promise)) == (policy.name, score, True)


def test_halves_are_of_families_and_the_same_in_every_order() -> None:
    scored = some()
    first = halves(scored.families)
    assert not set(scored.families[first]) & set(scored.families[~first])
    assert 0.4 < first.mean() < 0.6
    shuffled = np.random.default_rng(0).permutation(len(scored))
    assert (halves(scored.families[shuffled]) == first[shuffled]).all()


def test_no_row_both_shapes_a_score_and_vouches_for_it() -> None:
    # When every label of the half that gives tau is turned round, the learned weights are the same.
    scored = some()
    first = halves(scored.families)
    turned = Scored(scored.logits, np.where(first, scored.labels, 5 - scored.labels), scored.families)
    before, after = (record(one, Quantile(0.3), "learned") for one in (scored, turned))
    assert before.learned is not None
    assert before.learned == after.learned
    assert (before.temperature, before.tau) == (after.temperature, after.tau)
    assert before.curve != after.curve


def test_learned_doubt_is_the_rate_of_errors() -> None:
    fitted, fresh = some(20_000, seed=1), some(6000, seed=2)
    made = record(fitted, Quantile(0.2), "learned")
    p = softmax(fresh.logits, made.temperature)
    found, wrong = doubt(p, made), (p[:, 0] < 0.5) != (fresh.labels > 0)
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.6)):
        inside = (found >= low) & (found < high)
        assert wrong[inside].mean() == pytest.approx(found[inside].mean(), abs=0.05)


def test_gain_sends_up_what_the_expert_knows_and_keeps_what_it_does_not() -> None:
    scored = some(4000)
    made = record(scored, Gain(10.0, 0.5), "gain")
    p = softmax(scored.logits, made.temperature)
    up = route(p, made).escalate
    unsure = (p.max(axis=1) > 0.3) & (p.max(axis=1) < 0.7)
    syntax = p.argmax(axis=1) == 5
    assert up[unsure & syntax].mean() > up[unsure & ~syntax].mean() + 0.3


def test_trees_are_those_that_were_fitted() -> None:
    from sklearn.ensemble import GradientBoostingClassifier

    scored = some(600, seed=3)
    seen = features(softmax(scored.logits, 1.0))
    wrong = calls(softmax(scored.logits, 1.0)) != (scored.labels > 0)
    made = own_errors(scored, 1.0).gatekeeper_wrong
    assert made is not None
    theirs = GradientBoostingClassifier(
        n_estimators=TREES.trees,
        learning_rate=TREES.shrinkage,
        max_depth=TREES.depth,
        min_samples_leaf=LEAST,
        random_state=0,
    ).fit(seen, wrong)
    np.testing.assert_allclose(made.probability(seen), theirs.predict_proba(seen)[:, 1], atol=1e-3)


def test_doubt_learns_from_the_lessons() -> None:
    scored, lessons = some(400, seed=4), some(2000, seed=5)
    upside_down = replace(lessons, labels=np.where(lessons.labels > 0, 0, 1))
    made = record(replace(scored, lessons=lessons), Quantile(0.2), "learned")
    turned = record(replace(scored, lessons=upside_down), Quantile(0.2), "learned")
    p = softmax(scored.logits, made.temperature)
    assert np.corrcoef(doubt(p, made), doubt(p, turned))[0, 1] < 0


def test_an_event_that_never_happens_has_a_small_rate_and_no_trees() -> None:
    scored = some(100)
    always_right = Scored(scored.logits, scored.labels, scored.families, np.zeros(100, dtype=bool))
    learned = expert_errors(always_right, 2.0)
    assert learned.expert_wrong is not None
    assert learned.expert_wrong.values == ()
    assert learned.expert_wrong.intercept == pytest.approx(np.log(1 / 101))


@pytest.mark.parametrize(
    ("scored", "policy", "score", "message"),
    [
        (Scored(np.full((2, 6), np.nan), np.zeros(2, int), np.arange(2)), Quantile(), "u", "not numbers"),
        (Scored(np.zeros((0, 6)), np.zeros(0, int), np.arange(0)), Quantile(), "u", "at least one row"),
        (Scored(np.zeros((4, 6)), np.zeros(4, int), np.zeros(4)), Quantile(), "learned", "two families"),
        (some(50), Gain(1, 1), "u", "needs the score gain"),
        (Scored(np.zeros((4, 6)), np.zeros(4, int), np.arange(4)), Gain(1, 1), "gain", "opinions"),
        (some(50), Risk(0.001), "u", "lowest alpha"),
    ],
)
def test_refusals(scored: Scored, policy: Policy, score: Score, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        record(scored, policy, score)


def test_calibrated_logits_keep_their_temperature_and_the_record_its_stakes() -> None:
    fusion = Fusion(1.0, dict.fromkeys(ErrorClass, 1.0), 0.1, dict.fromkeys(ErrorClass, 0.0))
    made = record(replace(some(), fusion=fusion, stakes=2.5), Quantile(0.2), "error")
    assert (made.temperature, made.stakes, made.fusion) == (1.0, 2.5, fusion)
    assert made.method.startswith("Platt scaling")


@pytest.mark.parametrize("factor", [0.25, 1.0, 4.0])
def test_temperature_undoes_a_known_overconfidence(factor: float) -> None:
    # Given labels drawn from the softmax of the logits themselves, the best temperature is 1.
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 2, (20_000, 6))
    p = softmax(logits).astype(np.float64)
    labels = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1).clip(0, 5)
    assert fit_temperature(logits * factor, labels) == pytest.approx(factor, rel=0.05)
