"""Routing with the same scores: other thresholds, other mixes of claims, other calibrations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold

from ace.routing.policy import doubt
from ace.routing.score import softmax
from ace.routing.scores import calls, doubt_of
from ace_lab.calibration.fitting import fit_temperature
from ace_lab.calibration.guarantee import RoutingRows
from ace_lab.calibration.routing_curve import tau_for
from ace_lab.calibration.thresholds import FLambda
from ace_lab.evaluation.judges import Cases, hybrid_of, interval, rounded
from ace_lab.evaluation.run import EvaluationRun, usd_per_million
from ace_lab.evaluation.single_claims import ClaimVerdicts, seconds_per_opinion
from ace_lab.measures.metrics import confusion, f1, macro_f1
from ace_lab.measures.selective import aurc

Floats = NDArray[np.float64]

ESCALATIONS = (0.1, 0.2, 0.3, 0.4, 0.5)
MIXES = (1, 9, 19)
"""Sound claims for each defective one."""

SIMULATED = {
    "a coin": 0.5,
    "right on 85 %": 0.85,
    "right on 90 %": 0.9,
    "right on 95 %": 0.95,
    "never wrong": 1.0,
}
"""Experts that are right on this share of claims, whichever they are."""

BANDS = (250, 600, 1_200)
"""Characters at which a longer kind of claims begins."""

DRAWS = 300
FOLDS = 5
PRICE_OF_ESCALATION = 0.2
"""Lambda in F(gamma) - lambda gamma; the paper does not give its value."""


def sensitivity(run: EvaluationRun, about: ClaimVerdicts, known: Floats) -> dict[str, Any]:
    """The hybrid at 10 to 50 % escalation. Each tau is the quantile of the doubts `known` on the calibration
    split, so that the share escalated on the test split is measured, not set (paper, appendix H)."""
    record = run.engine.calibration
    doubtful = doubt(about.p, record, about.facts)
    invalid = about.cases.labels > 0
    gate_usd = usd_per_million(run.seconds_per_claim, run.usd_per_hour)
    expert_usd = usd_per_million(seconds_per_opinion(about.opinions), run.expert_usd_per_hour)
    rows = []
    for asked in ESCALATIONS:
        tau = tau_for(known, asked)
        up = ~(doubtful <= tau)
        called = hybrid_of(about.p, up, about.opinions)
        kept_called = calls(about.p)[~up]
        share = float(up.mean())
        known_cost = gate_usd is not None and expert_usd is not None
        rows.append(
            {
                "escalation": asked,
                "escalated": rounded(share),
                "tau": rounded(tau, 6),
                "accuracy": rounded((called == about.cases.labels).mean()),
                "macro_f1": rounded(macro_f1(confusion(called, about.cases.labels))),
                "recall": rounded((called[invalid] > 0).mean()) if invalid.any() else None,
                "f1_fail": rounded(f1(called > 0, invalid)),
                "retained_f1": rounded(f1(kept_called, invalid[~up])),
                "false_alarms": rounded((called[~invalid] > 0).mean()) if (~invalid).any() else None,
                "usd_per_million": rounded((gate_usd or 0) + share * (expert_usd or 0), 2)
                if known_cost
                else None,
            }
        )
    return {"n": len(about.rows), "split": "test", "rows": rows}


def worth(run: EvaluationRun, about: ClaimVerdicts) -> dict[str, Any]:
    """What the hybrid makes of each expert, at the record's tau: the simulated ones by expectation, the run's
    as it answered; and the gatekeeper alone."""
    invalid, fail, up = about.cases.labels > 0, calls(about.p), about.up
    likely = {"nobody": fail.astype(float)}
    for name, accuracy in SIMULATED.items():
        likely[name] = np.where(up, np.where(invalid, accuracy, 1 - accuracy), fail)
    if run.expert is not None:
        likely[str(run.expert_name)] = (about.hybrid > 0).astype(float)
    rows = [
        {
            "expert": name,
            "escalated": 0.0 if name == "nobody" else rounded(up.mean()),
            "accuracy": rounded(np.where(invalid, failed, 1 - failed).mean()),
            "recall": rounded(failed[invalid].mean()) if invalid.any() else None,
            "false_alarms": rounded(failed[~invalid].mean()) if (~invalid).any() else None,
        }
        for name, failed in likely.items()
    ]
    return {"n": len(about.rows), "split": "test", "rows": rows}


def lengths(run: EvaluationRun, about: ClaimVerdicts) -> dict[str, Any]:
    """Recall and false alarms of gatekeeper and hybrid on claims of each band of length."""
    invalid = about.cases.labels > 0
    length = np.array([len(claim.text) for claim in about.inputs])
    judges = {"gatekeeper": about.gatekeeper} | ({} if run.expert is None else {"hybrid": about.hybrid})
    rows = []
    for low, high in zip((0, *BANDS), (*BANDS, None), strict=True):
        inside = (length >= low) & (length < (high or np.inf))
        wrong, sound = inside & invalid, inside & ~invalid
        row: dict[str, Any] = {
            "band": f"{low:,} and more" if high is None else f"{low:,} to {high - 1:,}",
            "n": int(inside.sum()),
        }
        for name, called in judges.items():
            row[f"{name}_recall"] = rounded((called[wrong] > 0).mean()) if wrong.any() else None
            row[f"{name}_false_alarms"] = rounded((called[sound] > 0).mean()) if sound.any() else None
        rows.append(row)
    return {"n": len(about.rows), "split": "test", "rows": rows}


def mixes(run: EvaluationRun, about: ClaimVerdicts) -> dict[str, Any]:
    """Precision of Fail, and escalation, for mixes with more sound claims, at the record's tau.

    Each of DRAWS draws is a bootstrap sample of the sound rows and a random part of the defective ones. The
    figures are means over the draws, with their intervals.
    """
    sound, wrong = np.flatnonzero(about.cases.labels == 0), np.flatnonzero(about.cases.labels > 0)
    rng = np.random.default_rng(run.sizes.seed)
    judges = {"gatekeeper": about.gatekeeper}
    if run.expert is not None:
        judges["hybrid"] = about.hybrid
    gate_usd = usd_per_million(run.seconds_per_claim, run.usd_per_hour)
    expert_usd = usd_per_million(seconds_per_opinion(about.opinions), run.expert_usd_per_hour)
    rows = []
    for times in MIXES:
        count = round(len(sound) / times)
        if not 0 < count <= max(len(wrong), 1) * times or not len(wrong):
            continue
        chosen = [
            np.concatenate([rng.choice(sound, len(sound)), rng.choice(wrong, count)]) for _ in range(DRAWS)
        ]
        share = np.asarray([about.up[one].mean() for one in chosen])
        for name, called in judges.items():
            drawn = [_alarms(about.cases, called, one) for one in chosen]
            usd = None
            if gate_usd is not None:
                usd = gate_usd + (float(share.mean()) * (expert_usd or 0) if name == "hybrid" else 0)
            rows.append(
                {
                    "mix": f"{times}:1",
                    "judge": name,
                    "n": len(sound) + count,
                    "escalated": rounded(share.mean()),
                    **{key: _mean([one[key] for one in drawn]) for key in drawn[0]},
                    "usd_per_million": None if usd is None else rounded(usd, 2),
                    "intervals": {
                        "escalated": interval(share),
                        **{key: interval(np.asarray([one[key] for one in drawn])) for key in drawn[0]},
                    },
                }
            )
    return {"n": len(about.rows), "split": "test", "rows": rows}


def cross_validation(
    run: EvaluationRun, logits: NDArray[np.floating], facts: Floats, cases: Cases, folds: int = FOLDS
) -> dict[str, Any]:
    """The calibration repeated on all but one fold of its split, and measured on that fold.

    Folds are stratified by class and keep families together. Per fold: AURC of the record's score
    there, and from the others gamma*, with the macro-F1 that the gatekeeper has on the fold.
    """
    record = run.engine.calibration
    parts = StratifiedGroupKFold(folds, shuffle=True, random_state=run.sizes.seed)
    rows = []
    for fold, (others, held) in enumerate(parts.split(logits, cases.labels, cases.families), start=1):
        temperature = fit_temperature(logits[others], cases.labels[others])
        p_others, p_held = softmax(logits[others], temperature), softmax(logits[held], temperature)
        invalid = cases.labels > 0
        fitted = RoutingRows(
            doubt_of(p_others, record.score, record.learned, facts[others]),
            calls(p_others),
            invalid[others],
            cases.families[others],
        )
        tau = FLambda(PRICE_OF_ESCALATION).find(fitted, fitted).tau
        held_doubt = doubt_of(p_held, record.score, record.learned, facts[held])
        rows.append(
            {
                "fold": fold,
                "n": len(held),
                "temperature": rounded(temperature),
                "aurc": rounded(aurc(held_doubt, calls(p_held) != invalid[held]), 6),
                "gamma": rounded((fitted.doubt > tau).mean()),
                "escalated": rounded((held_doubt > tau).mean()),
                "macro_f1": rounded(macro_f1(confusion(p_held.argmax(axis=1), cases.labels[held]))),
            }
        )
    names = ("aurc", "gamma", "escalated", "macro_f1")
    by_name = {name: [one[name] for one in rows] for name in names}
    return {
        "folds": folds,
        "n": len(cases),
        "split": "calibration",
        "lambda": PRICE_OF_ESCALATION,
        "rows": rows,
        "sigma": {name: rounded(np.std(values, ddof=1), 6) for name, values in by_name.items()},
        "mean": {name: rounded(np.mean(values), 6) for name, values in by_name.items()},
    }


def _mean(values: list[float]) -> float | None:
    """The mean of the draws that gave a number: without an alarm there is no precision."""
    sound = [value for value in values if value == value]
    return rounded(np.mean(sound)) if sound else None


def _alarms(cases: Cases, called: NDArray[np.intp], chosen: NDArray[np.intp]) -> dict[str, float]:
    fail, invalid = called[chosen] > 0, cases.labels[chosen] > 0
    hits = float((fail & invalid).sum())
    counts = confusion(called[chosen], cases.labels[chosen])
    return {
        "precision": hits / fail.sum() if fail.any() else float("nan"),
        "recall": hits / max(1, int(invalid.sum())),
        "f1_fail": f1(fail, invalid),
        "false_alarms": float(fail[~invalid].mean()),
        "macro_f1": float(macro_f1(counts)),
    }
