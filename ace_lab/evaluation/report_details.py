"""The smaller sections of a report: model, data, calibration, notes and figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ace.routing.policy import doubt
from ace.routing.score import p_inv
from ace.routing.scores import Score, calls, doubt_of
from ace_lab.evaluation.judges import rounded
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import ClaimVerdicts
from ace_lab.evaluation.splits import HELD_OUT, Data, Split, counted
from ace_lab.measures.metrics import expected_calibration_error
from ace_lab.measures.selective import Interval, augrc, aurc, bootstrap, brier, e_aurc, nll
from ace_lab.reports import figures

PLAIN_SCORES: tuple[Score, ...] = ("u", "h6", "margin")


def calibration(run: EvaluationRun, about: ClaimVerdicts) -> dict[str, Any]:
    """How well the calibration record does on the test split."""
    record = run.engine.calibration
    invalid, probability = about.cases.labels > 0, p_inv(about.p)
    doubtful, wrong = doubt(about.p, record, about.facts), calls(about.p) != (about.cases.labels > 0)
    draws = run.sizes.resamples // 5

    def measured(statistic: Any, *values: NDArray[Any]) -> dict[str, Any]:
        return _interval(bootstrap(statistic, about.cases.families, *values, draws=draws))

    return {
        "split": "test",
        "n": len(about.rows),
        "id": record.id,
        "score": record.score,
        "policy": record.policy,
        "promise": record.promise or None,
        "temperature": rounded(record.temperature),
        "tau": rounded(record.tau, 6),
        "gamma": rounded(record.escalation),
        "metrics": {
            "aurc": measured(aurc, doubtful, wrong),
            "e_aurc": measured(e_aurc, doubtful, wrong),
            "augrc": measured(augrc, doubtful, wrong),
            "ece": measured(expected_calibration_error, probability, invalid),
            "brier": measured(brier, probability, invalid),
            "nll": measured(nll, about.p, about.cases.labels),
        },
    }


def model(run: EvaluationRun, folder: Path) -> dict[str, Any]:
    """The model measured, which `ace models promote` compares with its own, and the expert."""
    return {
        "name": folder.name,
        "revision": run.engine.revision,
        "calibration": run.engine.calibration.id,
        "expert": run.expert_name,
    }


def about_data(data: Data, splits: Mapping[str, Split]) -> dict[str, Any]:
    """Digests of the files, and how much of each split was used."""
    return {**data.about(), "splits": {name: counted(split.rows) for name, split in splits.items()}}


def notes(run: EvaluationRun, data: Data) -> list[str]:
    """What a reader needs to know to judge the figures."""
    sizes = run.sizes
    found = [
        (
            "Programs put the defects in, and no examiner has seen the claims: the figures say how well "
            "those defects are found, not how well an examiner would agree."
        ),
        (
            f"Baselines learn from up to {sizes.train} training rows; the other splits are sampled to at "
            f"most {sizes.claims} claims and {sizes.sets} claim sets."
        ),
    ]
    if run.expert is None:
        found.append("The run had no expert, so there is no hybrid.")
    if not (data.folder / HELD_OUT).is_file():
        found.append(f"Without {HELD_OUT}, injectors held out of training were not measured.")
    if not data.sets("test") or not data.sets("calibration"):
        found.append("Without claim sets at the paper's density, the targets for them were not measured.")
    return found


FIGURES: Final = ("risk_coverage", "reliability")
"""The names of what `drawn` makes."""


def drawn(run: EvaluationRun, about: ClaimVerdicts) -> dict[str, Figure]:
    """Risk-coverage with tau, and reliability, both on the test split."""
    record = run.engine.calibration
    wrong = calls(about.p) != (about.cases.labels > 0)
    share = float(about.up.mean())
    doubts: dict[str, NDArray[np.floating]] = {record.score: doubt(about.p, record, about.facts)}
    doubts |= {name: doubt_of(about.p, name) for name in PLAIN_SCORES}
    words = f"tau {record.tau:.3g}: {100 * share:.1f} % escalated"
    return {
        "risk_coverage": figures.risk_coverage_figure(doubts, wrong, tau=figures.Mark(1 - share, words)),
        "reliability": figures.reliability_figure(p_inv(about.p), about.cases.labels > 0),
    }


def _interval(found: Interval) -> dict[str, Any]:
    return {"value": rounded(found.value, 6), "interval": [rounded(found.low, 6), rounded(found.high, 6)]}
