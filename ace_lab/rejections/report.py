"""One evaluation on real rejections: the file, the judges, and a report of plain numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from ace import __version__
from ace.gatekeeper.engine import LoadedEngine
from ace_lab.evaluation.paper_results import PAPER_REJECTIONS
from ace_lab.experts.opinions import Expert, StructuralExpert
from ace_lab.rejections.bootstrap import DRAWS, Bootstrap
from ace_lab.rejections.judgements import (
    Judgement,
    OnProgress,
    examined,
    findings_of,
    gatekept,
    hybrid,
    subjects_of,
)
from ace_lab.rejections.rejection_file import Rejections
from ace_lab.rejections.scoring import (
    Truth,
    misses,
    ranking,
    score_escalation,
    score_findings,
    score_judge,
    truth_of,
)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """`report` holds numbers and names only; `misses` quote claims and are only for people."""

    report: dict[str, Any]
    misses: list[dict[str, Any]]


def evaluate(
    rejections: Rejections,
    engine: LoadedEngine,
    expert: Expert | None,
    on_progress: OnProgress = lambda _step, _done, _of: None,
    *,
    draws: int = DRAWS,
) -> Evaluated:
    """Judges every claim of the file once and scores the judges. Deterministic except for an expert's answers
    and the seconds."""
    subjects = subjects_of(rejections)
    truth = truth_of(rejections, subjects)
    bootstrap = Bootstrap(len(subjects.applications), draws=draws)
    gate = gatekept(engine, subjects.subjects, on_progress)
    structural, understood = examined(
        expert if isinstance(expert, StructuralExpert) else StructuralExpert(), subjects.subjects, on_progress
    )
    judgements: dict[str, Judgement] = {"gatekeeper": gate.judgement, "structural": structural}
    report: dict[str, Any] = {}
    if expert is not None:
        asked, answered = structural, understood
        if not isinstance(expert, StructuralExpert):
            asked, answered = examined(expert, subjects.subjects, on_progress)
        judgements["expert"] = asked
        judgements["hybrid"] = hybrid(gate, asked, answered, gate.escalate)
        report["escalation"] = score_escalation(truth, gate, asked, answered, bootstrap)
    report = {
        "version": __version__,
        "model": gate.revision,
        "calibration": {
            "id": gate.calibration,
            "tau": gate.tau,
            "escalated": round(float(gate.escalate.mean()), 4) if len(gate.escalate) else None,
            "escalated_of_rejected": _share(gate.escalate[truth.rejected]),
        },
        "expert": None if expert is None else expert.name,
        "file": _file(rejections, truth),
        "judges": {name: score_judge(truth, judged, bootstrap) for name, judged in judgements.items()},
        **report,
        "ranking_within_application": ranking(truth, gate, bootstrap),
        "findings": score_findings(
            truth, rejections, findings_of(rejections.filings, on_progress), bootstrap
        ),
        "bootstrap": {"draws": draws, "over": "applications", "level": 0.95},
        "paper": PAPER_REJECTIONS,
    }
    best = "hybrid" if "hybrid" in judgements else "gatekeeper"
    return Evaluated(report, misses(truth, rejections, judgements, best))


def _file(rejections: Rejections, truth: Truth) -> dict[str, Any]:
    kinds = Counter(each.category for each in truth.objections)
    return {
        "sha256": rejections.sha256,
        "applications": len(truth.subjects.applications),
        "claim_sets": len(rejections.filings),
        "claims": len(truth.subjects.subjects),
        "rejected_claims": int(truth.rejected.sum()),
        "clean_claims": int(truth.clean.sum()),
        "set_aside": int((~truth.rejected & ~truth.clean).sum()),
        "objections": len(truth.objections),
        "objections_with_reason_to_match": len(truth.with_reason),
        "by_category": dict(kinds.most_common()),
        "reading": {name: count for name, count in sorted(rejections.counts.items()) if count},
        "bad_lines": [at for at, _ in rejections.bad],
    }


def _share(chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> float | None:
    return round(float(chosen.mean()), 4) if len(chosen) else None
