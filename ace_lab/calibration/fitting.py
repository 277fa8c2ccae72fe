"""From the gatekeeper's raw output on a calibration split to the record that workers load.

If a score is learned or an error rate promised, the split is halved by family: one half gives the
temperature and the weights, the other half tau, so that no row both shapes a score and vouches for it.
Nothing here sees the training or the test split.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from ace.routing.calibration import Calibration, ExpertMeasured
from ace.routing.fusion import Fusion
from ace.routing.score import softmax
from ace.routing.scores import Learned, Score, calls, doubt_of, features
from ace_lab.calibration.boosting import Shape, boosted
from ace_lab.calibration.guarantee import RoutingRows, counted
from ace_lab.calibration.routing_curve import cascade_curve, routing_curve
from ace_lab.calibration.thresholds import Policy

TREES = Shape(depth=4, trees=120, shrinkage=0.05)
TEMPERATURES = (0.05, 20.0)
"""The range that a temperature is searched in."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A gatekeeper's output on N rows: logits (N, 6), class indices, family ids, facts (N, len(FACTS)) for
    the learned doubt, and, if an `expert` examined them, whether it was wrong (a failed examination counts
    as wrong).

    With a `fusion`, the logits are joined to what the rules found, calibrated, and count a missed defect as
    `stakes` false alarms. `lessons` are then these rows and further ones of the same families, from which the
    doubt learns, and `weights` (N,) what each of those counts.
    """

    logits: NDArray[np.floating]
    labels: NDArray[np.integer]
    families: NDArray[Any]
    expert_wrong: NDArray[np.bool_] | None = None
    fusion: Fusion | None = None
    expert: ExpertMeasured | None = None
    lessons: Scored | None = None
    facts: NDArray[np.float64] | None = None
    stakes: float = 1.0
    expert_assumed: bool = False
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def at(self, rows: NDArray[np.bool_]) -> Scored:
        """Some of the rows."""
        wrong = None if self.expert_wrong is None else self.expert_wrong[rows]
        facts = None if self.facts is None else self.facts[rows]
        logits, labels, families = self.logits[rows], self.labels[rows], self.families[rows]
        lessons = self.lessons
        if lessons is not None:
            lessons = lessons.at(np.isin(lessons.families, np.unique(families)))
        weights = None if self.weights is None else self.weights[rows]
        return replace(
            self,
            logits=logits,
            labels=labels,
            families=families,
            expert_wrong=wrong,
            lessons=lessons,
            facts=facts,
            weights=weights,
        )

    def temperature(self) -> float:
        """The best one; that of calibrated logits is 1."""
        return fit_temperature(self.logits, self.labels) if self.fusion is None else 1.0

    def calls(self, temperature: float, score: Score, learned: Learned | None) -> RoutingRows:
        """The rows as a policy sees them."""
        p = softmax(self.logits, temperature)
        doubt = doubt_of(p, score, learned, self.facts, self.stakes)
        return RoutingRows(doubt, calls(p), self.labels > 0, self.families, self.expert_wrong, self.stakes)


def halves(families: NDArray[Any]) -> NDArray[np.bool_]:
    """True for the rows of one half of the families, shape (N,): the same half in every run.

    Raises ValueError if there are fewer than two families.
    """
    names = sorted(set(families.tolist()), key=lambda name: hashlib.sha256(str(name).encode()).digest())
    if len(names) < 2:
        raise ValueError(
            "a calibration split needs claims of at least two families, because it is halved by family"
        )
    return np.isin(families, names[::2])


def fit_temperature(logits: NDArray[np.floating], labels: NDArray[np.integer]) -> float:
    """The temperature that minimises the cross-entropy of logits (N, 6) for class indices (N,).

    Guo et al. 2017. The loss is convex in 1/T, so it has a single minimum in log T, which Brent's bounded
    method finds. Raises ValueError without rows.
    """
    if len(logits) == 0:
        raise ValueError("a temperature needs at least one row")
    rows = np.arange(len(labels))

    def loss(log_temperature: float) -> float:
        p = softmax(logits, float(np.exp(log_temperature)))[rows, labels]
        return float(-np.log(np.maximum(p.astype(np.float64), 1e-12)).mean())

    found = minimize_scalar(loss, bounds=np.log(TEMPERATURES), method="bounded", options={"xatol": 1e-9})
    return float(np.exp(found.x))


def fit(scored: Scored, *, policy: Policy, score: Score, model_revision: str, data_hash: str) -> Calibration:
    """The record of a policy with a score.

    Raises ValueError if a logit is not a number, if there are too few rows, or if the policy finds no tau
    (guarantee.NoThreshold).
    """
    if not np.isfinite(scored.logits).all():
        raise ValueError("some logits are not numbers: repair the model before calibrating it")
    if len(scored) == 0:
        raise ValueError("a calibration needs at least one row")
    if policy.name in {"gain", "pays"} and score != "gain":
        raise ValueError(f"policy {policy.name} needs the score gain")
    if score in {"learned", "gain"} or policy.name == "risk":
        first = halves(scored.families)
        earlier, rows = scored.at(first), scored.at(~first)
    else:
        earlier = rows = scored
    temperature = earlier.temperature()
    learned = _weights(earlier, temperature, score)
    seen = rows.calls(temperature, score, learned)
    found = policy.find(seen, earlier.calls(temperature, score, learned))
    p = softmax(rows.logits, temperature)
    return Calibration(
        id="",
        method=f"{'Platt' if scored.fusion else 'temperature'} scaling, then {found.method} of {score}",
        score=score,
        tau=found.tau,
        escalation=round(float((seen.doubt > found.tau).mean()), 6),
        temperature=temperature,
        model_revision=model_revision,
        data_hash=data_hash,
        n=len(rows),
        curve=routing_curve(p, rows.labels > 0, doubt=seen.doubt),
        policy=policy.name,
        parameters=found.parameters,
        promise=found.promise,
        fitted_on=0 if earlier is rows else len(earlier),
        learned=learned,
        fusion=scored.fusion,
        expert=scored.expert,
        stakes=scored.stakes,
        expert_assumed=scored.expert_assumed,
        cascade=cascade_curve(seen),
        defective=round(float(seen.invalid.mean()), 6),
    ).sealed()


def own_errors(scored: Scored, temperature: float) -> Learned:
    """A model of when the gatekeeper's call is wrong, which learns from the `lessons` if there are any."""
    taught = scored.lessons or scored
    p = softmax(taught.logits, temperature)
    weights = np.ones(len(taught)) if taught.weights is None else taught.weights
    wrong = calls(p) != (taught.labels > 0)
    return Learned(gatekeeper_wrong=boosted(features(p, taught.facts), wrong, weights, TREES))


def expert_errors(scored: Scored, temperature: float) -> Learned:
    """A model of when the expert is wrong, a missed defect counting as `stakes` false alarms. Raises
    ValueError without its opinions."""
    if scored.expert_wrong is None:
        raise ValueError("the score gain needs the opinions of an expert")
    seen = features(softmax(scored.logits, temperature), scored.facts)
    weights = counted(scored.labels > 0, scored.stakes)
    return Learned(expert_wrong=boosted(seen, scored.expert_wrong, weights, TREES))


def _weights(scored: Scored, temperature: float, score: Score) -> Learned | None:
    """The learned weights that the score needs, if any."""
    needed = {"learned": own_errors, "gain": expert_errors}.get(score)
    return None if needed is None else needed(scored, temperature)
