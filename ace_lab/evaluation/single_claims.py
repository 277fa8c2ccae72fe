"""Claims with one defect: the verdicts of every judge on the test split, and the main table."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.analysis import analysis_of, with_analysis
from ace.claims.model import ClaimInput
from ace.gatekeeper.facts import claim_facts
from ace.routing.policy import route
from ace.routing.score import p_inv, top_error
from ace_lab.data.rows import Row
from ace_lab.evaluation import baselines
from ace_lab.evaluation.judges import Cases, JudgeResult, by_class, class_of, class_of_opinion, hybrid_of, row
from ace_lab.evaluation.run import EvaluationRun, usd_per_million
from ace_lab.evaluation.splits import Split
from ace_lab.experts.opinions import Opinion, StructuralExpert

Floats = NDArray[np.float64]
GATEKEEPER, HYBRID, EXPERT, STRUCTURAL = "gatekeeper", "hybrid", "expert only", "structural only"


@dataclass(frozen=True, slots=True)
class ClaimVerdicts:
    """The gatekeeper's and the expert's verdicts on some rows: p (N, 6), the facts of its doubt, whether each
    row is escalated at the record's tau, and the expert's opinion on each."""

    rows: Sequence[Row]
    inputs: Sequence[ClaimInput]
    cases: Cases
    p: Floats
    facts: Floats
    up: NDArray[np.bool_]
    opinions: list[Opinion | None]

    @property
    def gatekeeper(self) -> NDArray[np.intp]:
        """The classes that the gatekeeper calls."""
        return class_of(self.p)

    @property
    def hybrid(self) -> NDArray[np.intp]:
        """The classes called with the expert deciding what is escalated."""
        return hybrid_of(self.p, self.up, self.opinions)

    @property
    def expert(self) -> NDArray[np.intp]:
        """The expert's classes. A Fail without a class gets the gatekeeper's likeliest error; a failed
        examination counts as Pass."""
        likeliest = top_error(self.p)
        called = [
            0 if opinion is None else class_of_opinion(opinion, int(likeliest[at]))
            for at, opinion in enumerate(self.opinions)
        ]
        return np.asarray(called, np.intp)


def verdicts_on(run: EvaluationRun, split: Split) -> ClaimVerdicts:
    """Asks the gatekeeper and the expert about every row of the split."""
    inputs = split.inputs
    p = run.scores(f"gatekeeper on {split.name}", inputs)
    analysed = [with_analysis(claim) for claim in inputs]
    sure, facts = [analysis_of(claim).sure for claim in analysed], claim_facts(analysed)
    up = route(p, run.engine.calibration, sure, facts).escalate
    opinions = run.opinions(f"expert on {split.name}", inputs, split.totals)
    return ClaimVerdicts(split.rows, inputs, split.cases, p, facts, up, opinions)


def baselines_of(run: EvaluationRun, train: Split, test: Split) -> list[JudgeResult]:
    """The judges that learn from training rows, with the cost of a million claims at their speed."""
    given, labels, asked = train.inputs, train.cases.labels, test.inputs
    found = [baselines.majority(labels, len(asked))]
    for learn in (
        baselines.length_only,
        baselines.tfidf,
        baselines.frozen_encoder,
        baselines.rules_as_features,
    ):
        with run.timed(f"baseline: {learn.__name__.replace('_', ' ')}"):
            found.append(learn(given, labels, asked))
    return [
        JudgeResult(
            one.name,
            one.called,
            one.invalid,
            one.seconds_per_claim,
            usd_per_million(one.seconds_per_claim, run.usd_per_hour),
        )
        for one in found
    ]


def structural_only(run: EvaluationRun, about: ClaimVerdicts, totals: Sequence[int]) -> JudgeResult:
    """The deterministic checks alone: Fail with the class of the gravest finding."""
    began = time.perf_counter()
    opinions = StructuralExpert().examine(about.inputs, totals)
    seconds = (time.perf_counter() - began) / max(1, len(about.inputs))
    called = np.asarray([class_of_opinion(opinion, 0) for opinion in opinions], np.intp)
    return JudgeResult(
        STRUCTURAL,
        called,
        seconds_per_claim=seconds,
        usd_per_million=usd_per_million(seconds, run.usd_per_hour),
    )


def systems(run: EvaluationRun, about: ClaimVerdicts) -> list[JudgeResult]:
    """The gatekeeper and, with an expert, the hybrid and the expert alone."""
    gate_seconds = run.seconds_per_claim
    gate_usd = usd_per_million(gate_seconds, run.usd_per_hour)
    gate = JudgeResult(GATEKEEPER, about.gatekeeper, p_inv(about.p), gate_seconds, gate_usd, 0.0)
    if run.expert is None:
        return [gate]
    share = float(about.up.mean())
    expert_seconds = seconds_per_opinion(about.opinions)
    expert_usd = usd_per_million(expert_seconds, run.expert_usd_per_hour)
    failed = sum(opinion is None for opinion in about.opinions)
    return [
        gate,
        JudgeResult(
            HYBRID,
            about.hybrid,
            seconds_per_claim=_sum(gate_seconds, expert_seconds, share),
            usd_per_million=_sum(gate_usd, expert_usd, share),
            escalated=round(share, 4),
        ),
        JudgeResult(
            EXPERT,
            about.expert,
            seconds_per_claim=expert_seconds,
            usd_per_million=expert_usd,
            escalated=1.0,
            fields={"failed_examinations": failed},
        ),
    ]


def seconds_per_opinion(opinions: Sequence[Opinion | None]) -> float | None:
    """Mean over the opinions received."""
    seconds = [opinion.seconds for opinion in opinions if opinion is not None]
    return float(np.mean(seconds)) if seconds else None


def table(run: EvaluationRun, about: ClaimVerdicts, judges: Sequence[JudgeResult]) -> dict[str, Any]:
    """The main table: a row for each judge."""
    sizes = run.sizes
    return {
        "n": len(about.rows),
        "split": "test",
        "unit": "claims",
        "rows": [row(about.cases, judged, sizes.resamples, sizes.seed) for judged in judges],
    }


def classes(run: EvaluationRun, about: ClaimVerdicts, judges: Sequence[JudgeResult]) -> dict[str, Any]:
    """Recall and F1 by class of the gatekeeper, the hybrid and the rules alone."""
    chosen = {"gatekeeper": GATEKEEPER, "hybrid": HYBRID, "structural": STRUCTURAL}
    by_name = {judged.name: judged for judged in judges}
    shown = {key: by_name[name] for key, name in chosen.items() if name in by_name}
    sizes = run.sizes
    return {
        "n": len(about.rows),
        "split": "test",
        "rows": by_class(about.cases, shown, sizes.resamples, sizes.seed),
    }


def _sum(gatekeeper: float | None, expert: float | None, share: float) -> float | None:
    if gatekeeper is None or expert is None:
        return None
    return gatekeeper + share * expert
