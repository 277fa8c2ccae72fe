"""The smaller sections of a report: model, data, calibration, speed, notes and figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ace.claims.analysis import with_analysis
from ace.gatekeeper.facts import claim_facts
from ace.routing.policy import doubt
from ace.routing.score import p_inv, softmax
from ace.routing.scores import Score, calls, doubt_of
from ace_lab.calibration.calibration_run import ablation
from ace_lab.calibration.fitting import Scored
from ace_lab.calibration.routing_curve import tau_for
from ace_lab.evaluation.judges import hybrid_of, rounded
from ace_lab.evaluation.probes import figures_of
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import EXPERT, ClaimVerdicts
from ace_lab.evaluation.splits import HELD_OUT, Data, Split, counted
from ace_lab.measures.metrics import expected_calibration_error, f1
from ace_lab.measures.selective import Interval, augrc, aurc, bootstrap, brier, e_aurc, nll
from ace_lab.reports import figures

PLAIN_SCORES: tuple[Score, ...] = ("u", "h6", "margin")
A_FIFTH = 0.2


@dataclass(frozen=True, slots=True)
class Known:
    """The calibration split, what the gatekeeper says of it, and its doubt with the facts behind it."""

    split: Split
    logits: NDArray[np.float32]
    p: NDArray[np.float64]
    facts: NDArray[np.float64]
    doubt: NDArray[np.float64]


def known(run: EvaluationRun, data: Data) -> Known:
    """Asks the gatekeeper about the calibration split."""
    split = data.split("calibration")
    logits = run.logits("gatekeeper on calibration", split.inputs)
    p = softmax(logits, run.engine.calibration.temperature).astype(np.float64)
    facts = claim_facts([with_analysis(claim) for claim in split.inputs])
    return Known(split, logits, p, facts, doubt(p, run.engine.calibration, facts))


def calibration(run: EvaluationRun, about: ClaimVerdicts, known: Known) -> dict[str, Any]:
    """How well the calibration record does on the test split, and how the scores compare.

    The scores are compared on the half of the calibration split that the learned ones have not seen.
    """
    record = run.engine.calibration
    invalid, probability = about.cases.labels > 0, p_inv(about.p)
    doubtful, wrong = doubt(about.p, record, about.facts), calls(about.p) != (about.cases.labels > 0)
    draws = run.sizes.resamples // 5

    def measured(statistic: Any, *values: NDArray[Any]) -> dict[str, Any]:
        return _interval(bootstrap(statistic, about.cases.families, *values, draws=draws))

    split = known.split
    families = np.asarray([row.family for row in split.rows])
    compared_on, rankings = ablation(
        Scored(known.logits, split.cases.labels, families, facts=known.facts), draws=draws
    )
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
        "scores_split": "calibration",
        "scores_n": compared_on,
        "scores": [
            {
                "score": name,
                "aurc": rounded(ranking.aurc.value, 6),
                "augrc": rounded(ranking.augrc.value, 6),
                "augrc_less_u": _interval(ranking.augrc_less_reference),
                "spearman_with_confidence": rounded(ranking.spearman),
                **(_at_a_fifth(run, about, known, name) if name in PLAIN_SCORES else {}),
            }
            for name, ranking in rankings.items()
        ],
    }


def _at_a_fifth(run: EvaluationRun, about: ClaimVerdicts, known: Known, score: Score) -> dict[str, float]:
    """F1 of Fail on the test split at the tau that escalates a fifth of the calibration split by this
    score."""
    up = ~(doubt_of(about.p, score) <= tau_for(doubt_of(known.p, score), A_FIFTH))
    invalid, fail = about.cases.labels > 0, calls(about.p)
    found = {"f1_at_20": rounded(f1(fail[~up], invalid[~up])), "escalated_at_20": rounded(up.mean())}
    if run.expert is not None:
        found["hybrid_f1_at_20"] = rounded(f1(hybrid_of(about.p, up, about.opinions) > 0, invalid))
    return found


def model(run: EvaluationRun, folder: Path) -> dict[str, Any]:
    """The model measured, and the expert."""
    about = json.loads((folder / "gatekeeper.json").read_text(encoding="utf-8"))
    record = run.engine.calibration
    return {
        "name": folder.name,
        "base": about.get("base"),
        "revision": run.engine.revision,
        "quantisation": about.get("quantisation"),
        "hints": about.get("hints") is True,
        "max_tokens": about.get("max_tokens"),
        "bytes": sum(path.stat().st_size for path in folder.iterdir() if path.is_file()),
        "calibration": record.id,
        "tau": rounded(record.tau, 6),
        "expert": run.expert_name,
    }


def speed(run: EvaluationRun, report: Mapping[str, Any]) -> dict[str, Any]:
    """Claims per second in this run, and the hourly rates."""
    seconds = run.seconds_per_claim
    rows = [{"name": "gatekeeper", "claims_per_second": _rate(seconds)}]
    rows += [
        {"name": "expert, one at a time", "claims_per_second": _rate(row["seconds_per_claim"])}
        for row in report["main"]["rows"]
        if row["name"] == EXPERT
    ]
    return {
        "rows": rows,
        "claims_scored": run.scored,
        "usd_per_hour": run.usd_per_hour,
        "expert_usd_per_hour": run.expert_usd_per_hour,
        "threads": "as many as there are cores",
    }


def about_data(data: Data, splits: Mapping[str, Split]) -> dict[str, Any]:
    """Digests of the files, and how much of each split was used."""
    return {**data.about(), "splits": {name: counted(split.rows) for name, split in splits.items()}}


def probes(folder: Path) -> dict[str, Any]:
    """The artifact probes of the data set as one table, from its probes.json."""
    path = folder / "probes.json"
    if not path.is_file():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    rows = [
        {
            "name": f"{probe} / {way} / {label}".replace("_", " "),
            "auc": figure["auc"],
            "interval": [figure.get("low"), figure.get("high")],
            "chance": found.get("chance", 0.5),
            "note": "; ".join(filter(None, (figure.get("verdict"), figure.get("by_nature")))),
        }
        for probe, way, label, figure in figures_of(found)
    ]
    return {"rows": rows, "leaks": found.get("leaks")}


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


def drawn(run: EvaluationRun, about: ClaimVerdicts, report: Mapping[str, Any]) -> dict[str, Figure]:
    """Risk-coverage with tau, reliability, and the hybrid's F1 by escalation, all on the test split."""
    record = run.engine.calibration
    wrong = calls(about.p) != (about.cases.labels > 0)
    share = float(about.up.mean())
    doubts: dict[str, NDArray[np.floating]] = {record.score: doubt(about.p, record, about.facts)}
    doubts |= {name: doubt_of(about.p, name) for name in PLAIN_SCORES}
    words = f"tau {record.tau:.3g}: {100 * share:.1f} % escalated"
    found = {
        "risk_coverage": figures.risk_coverage_figure(doubts, wrong, tau=figures.Mark(1 - share, words)),
        "reliability": figures.reliability_figure(p_inv(about.p), about.cases.labels > 0),
    }
    if report.get("sensitivity"):
        rows = report["sensitivity"]["rows"]
        lines = {
            f"hybrid, expert {run.expert_name}": [row["f1_fail"] for row in rows],
            "fast path alone": [row["retained_f1"] for row in rows],
        }
        found["escalation"] = figures.escalation_figure(
            [row["escalated"] for row in rows], lines, tau=figures.Mark(share, words)
        )
    return found


def _interval(found: Interval) -> dict[str, Any]:
    return {"value": rounded(found.value, 6), "interval": [rounded(found.low, 6), rounded(found.high, 6)]}


def _rate(seconds: float | None) -> float | None:
    return rounded(1 / seconds, 1) if seconds else None
