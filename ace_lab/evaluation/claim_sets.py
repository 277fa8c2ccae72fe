"""The paper's density: whole claim sets with 5 to 15 defects of one class, or none.

ACE judges claims, so the verdict on a set comes from its claims: a small logistic regression over the
verdicts on them, fitted on calibration sets only. The judges differ in these verdicts: the gatekeeper's
probabilities; those and the expert's opinions on the escalated claims; the rules' findings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ace.claims.analysis import with_analysis
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.facts import claim_facts
from ace.routing.policy import doubt
from ace_lab.calibration.routing_curve import tau_for
from ace_lab.data.rows import SetRow
from ace_lab.evaluation.judges import Cases, JudgeResult, by_class, row
from ace_lab.evaluation.rule_scores import rule_scores_of_set
from ace_lab.evaluation.run import EvaluationRun, usd_per_million
from ace_lab.evaluation.single_claims import EXPERT, GATEKEEPER, HYBRID, STRUCTURAL, seconds_per_opinion
from ace_lab.experts.opinions import Opinion, StructuralExpert
from ace_lab.measures.selective import nll

Floats = NDArray[np.float64]

LEAST = 5
"""Minimum defects in a defective set, so about as many of its claims should look like its class."""

ESCALATED_AT_MOST = 0.20
PENALTIES = (0.03, 0.3, 3.0)
FOLDS = 5
CLAIMED = 0.5


@dataclass(frozen=True, slots=True)
class Sets:
    """Claim sets and all their claims in one list; `begins` has the index where each set begins, and the
    number of claims at its end."""

    rows: list[SetRow]
    inputs: list[ClaimInput]
    begins: NDArray[np.intp]

    @classmethod
    def of(cls, rows: Sequence[SetRow]) -> Sets:
        """The claims of all rows."""
        inputs = [row.inputs() for row in rows]
        begins = np.concatenate([[0], np.cumsum([len(claims) for claims in inputs])]).astype(np.intp)
        return cls(list(rows), [claim for claims in inputs for claim in claims], begins)

    @property
    def cases(self) -> Cases:
        """The true classes and the families."""
        return Cases.of([row.label for row in self.rows], [row.family for row in self.rows])

    @property
    def totals(self) -> list[int]:
        """The number of claims in each claim's filing."""
        return [len(row.claims) for row in self.rows for _ in row.claims]

    def pooled(self, p: NDArray[np.floating]) -> Floats:
        """Scores p (claims, K) as one row of 4 K + 1 numbers per set: per class the mean, the largest, the
        LEAST-th largest and the share above a half; and the log of the size."""
        found = []
        for start, end in zip(self.begins, self.begins[1:], strict=False):
            own = np.sort(p[start:end], axis=0)
            fifth = own[max(0, len(own) - LEAST)]
            share = (own > CLAIMED).mean(axis=0)
            found.append(np.concatenate([own.mean(axis=0), own[-1], fifth, share, [np.log(len(own))]]))
        return np.asarray(found)


@dataclass(frozen=True, slots=True)
class SetVerdicts:
    """The verdicts on the claims of some sets: p (claims, 6), which are escalated, the expert's opinions on
    those, and the rules' scores (claims, 6)."""

    sets: Sets
    p: Floats
    up: NDArray[np.bool_]
    opinions: list[Opinion | None]
    rules: Floats

    def gatekeeper(self) -> Floats:
        """Features of the gatekeeper alone."""
        return self.sets.pooled(self.p)

    def hybrid(self) -> Floats:
        """The gatekeeper's features, and those of the expert's opinions on what is escalated."""
        return np.hstack([self.sets.pooled(self.p), self.sets.pooled(_heard(self.p, self.opinions))])

    def structural(self) -> Floats:
        """Features of the rules alone."""
        return self.sets.pooled(self.rules)


def set_verdicts(
    run: EvaluationRun, name: str, rows: Sequence[SetRow], tau: float | None
) -> tuple[SetVerdicts, float]:
    """Asks the gatekeeper about every claim, and the expert about those whose doubt is above tau.

    If `tau` is None it is chosen here: the record's, or a higher one that escalates no more than
    ESCALATED_AT_MOST of these claims. Returns the verdicts and tau.
    """
    sets = Sets.of(rows)
    p = run.scores(f"gatekeeper on {name} sets", sets.inputs)
    calibration = run.engine.calibration
    doubtful = doubt(p, calibration, claim_facts([with_analysis(claim) for claim in sets.inputs]))
    if tau is None:
        tau = max(calibration.tau, tau_for(doubtful, ESCALATED_AT_MOST))
    up = ~(doubtful <= tau)
    opinions: list[Opinion | None] = [None] * len(up)
    chosen = np.flatnonzero(up)
    answers = run.opinions(
        f"expert on {name} sets", [sets.inputs[at] for at in chosen], [sets.totals[at] for at in chosen]
    )
    for at, opinion in zip(chosen, answers, strict=True):
        opinions[at] = opinion
    with run.timed(f"rules on {name} sets"):
        rules = np.concatenate([rule_scores_of_set(row.claims).by_class() for row in rows])
    return SetVerdicts(sets, p, up, opinions, rules), tau


def judged(run: EvaluationRun, calibration: SetVerdicts, test: SetVerdicts) -> list[JudgeResult]:
    """The verdicts on the test sets of every judge that this run has."""
    share = float(test.up.mean())
    gate = run.seconds_per_claim
    expert = seconds_per_opinion(test.opinions)
    learn = partial(_learned, calibration, test)
    found = [
        learn(STRUCTURAL, SetVerdicts.structural),
        learn(GATEKEEPER, SetVerdicts.gatekeeper, gate, usd_per_million(gate, run.usd_per_hour), 0.0),
    ]
    if run.expert is None:
        return found
    hybrid_seconds = None if gate is None else gate + share * (expert or 0.0)
    usd = usd_per_million(gate, run.usd_per_hour)
    added = usd_per_million(share * (expert or 0.0), run.expert_usd_per_hour) or 0.0
    found.append(
        learn(
            HYBRID, SetVerdicts.hybrid, hybrid_seconds, None if usd is None else usd + added, round(share, 4)
        )
    )
    if isinstance(run.expert, StructuralExpert):
        found.append(_expert_only(run, calibration, test))
    return found


def table(run: EvaluationRun, test: SetVerdicts, judges: Sequence[JudgeResult], tau: float) -> dict[str, Any]:
    """The table of results over claim sets."""
    sizes = run.sizes
    return {
        "n": len(test.sets.rows),
        "n_claims": len(test.sets.inputs),
        "split": "test.sets",
        "unit": "claim sets",
        "tau": round(tau, 6),
        "rows": [row(test.sets.cases, one, sizes.resamples, sizes.seed) for one in judges],
    }


def classes(run: EvaluationRun, test: SetVerdicts, judges: Sequence[JudgeResult]) -> dict[str, Any]:
    """Recall and F1 by class over claim sets."""
    keys = {GATEKEEPER: "gatekeeper", HYBRID: "hybrid", STRUCTURAL: "structural"}
    shown = {keys[one.name]: one for one in judges if one.name in keys}
    sizes = run.sizes
    return {
        "n": len(test.sets.rows),
        "split": "test.sets",
        "rows": by_class(test.sets.cases, shown, sizes.resamples, sizes.seed),
    }


def _expert_only(run: EvaluationRun, calibration: SetVerdicts, test: SetVerdicts) -> JudgeResult:
    """Examines every claim; only for an expert that costs nothing but time."""
    found = {}
    for name, said in (("calibration", calibration), ("test", test)):
        opinions = run.opinions(f"expert on all {name} claims", said.sets.inputs, said.sets.totals)
        found[id(said)] = said.sets.pooled(_heard(said.p, opinions))
        seconds = seconds_per_opinion(opinions)
    usd = usd_per_million(seconds, run.expert_usd_per_hour)
    return _learned(calibration, test, EXPERT, lambda said: found[id(said)], seconds, usd, 1.0)


def _learned(
    calibration: SetVerdicts,
    test: SetVerdicts,
    name: str,
    features: Callable[[SetVerdicts], Floats],
    seconds: float | None = None,
    usd: float | None = None,
    escalated: float | None = None,
) -> JudgeResult:
    """Fitted on the calibration sets; the penalty by cross-validation there, families apart."""
    cases, given = calibration.sets.cases, features(calibration)
    with threadpool_limits(1):  # for matrices this small, threads cost more than they gain
        penalty = min(PENALTIES, key=lambda one: _loss(one, given, cases))
        p = _probabilities(_fitted(penalty, given, cases), features(test))
    return JudgeResult(name, p.argmax(axis=1), 1 - p[:, 0], seconds, usd, escalated)


def _loss(penalty: float, given: Floats, cases: Cases) -> float:
    """Cross-entropy of the folds, each by a model that saw only the others."""
    p = np.full((len(cases), len(LABELS)), 1 / len(LABELS))
    folds = StratifiedGroupKFold(FOLDS)
    for others, held in folds.split(given, cases.labels, cases.families):
        p[held] = _probabilities(_fitted(penalty, given[others], cases.of_only(others)), given[held])
    return nll(p, cases.labels)


def _fitted(penalty: float, given: Floats, cases: Cases) -> Any:
    model = make_pipeline(StandardScaler(), LogisticRegression(C=penalty, max_iter=2_000))
    return model.fit(given, cases.labels)


def _probabilities(model: Any, given: Floats) -> Floats:
    """Probabilities over all six classes, even if some were not in the data fitted on."""
    p = np.zeros((len(given), len(LABELS)))
    p[:, model.classes_] = model.predict_proba(given)
    return p


def _heard(p: Floats, opinions: Sequence[Opinion | None]) -> Floats:
    """The expert's opinions as rows like p: 1 for each class named, or for pass. A Fail without a class is
    distributed like the gatekeeper's errors; rows without an opinion are all zero."""
    found = np.zeros_like(p)
    for at, opinion in enumerate(opinions):
        if opinion is not None and not opinion.fail:
            found[at, 0] = 1.0
        elif opinion is not None:
            kinds = {kind for kind, _ in opinion.reasons} | ({opinion.error_class} - {None})
            if kinds:
                found[at, [LABELS.index(str(kind)) for kind in kinds]] = 1.0
            else:
                found[at, 1:] = p[at, 1:] / max(float(p[at, 1:].sum()), 1e-12)
    return found
