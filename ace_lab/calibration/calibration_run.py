"""What `ace calibrate` does: scores the calibration split, compares the scores, and draws the figures.

Whatever the policy, all scores are compared on the same rows: the half of the split that the learned
scores were not fitted on.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold

from ace.claims.analysis import with_analysis
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS, PASS
from ace.errors import Refused
from ace.gatekeeper.facts import claim_facts, rule_confidences
from ace.routing.calibration import Calibration, ExpertMeasured, ReliabilityBin
from ace.routing.score import p_inv, p_valid, softmax
from ace.routing.scores import Score, doubt_of
from ace_lab.calibration.fitting import Scored, fit_temperature, halves, learn
from ace_lab.calibration.fusion import fit_fusion
from ace_lab.calibration.guarantee import RoutingRows
from ace_lab.calibration.routing_curve import tau_for
from ace_lab.data import fusion_rows
from ace_lab.data.rows import Row, read_rows
from ace_lab.experts.opinions import Expert, Opinion
from ace_lab.held_out.mistakes import STUDIED
from ace_lab.measures import selective
from ace_lab.measures.metrics import expected_calibration_error, f1, reliability_bins
from ace_lab.reports import figures

SPLIT = "calibration.jsonl"
FUSION = f"{fusion_rows.SPLIT}.jsonl"
CHUNK = 256
DRAWS = 500
FOLDS = 5
SHARES = np.linspace(0.0, 0.95, 20)

Progress = Callable[[int], None]


class Scoring(Protocol):
    """The part of an engine that calibration needs."""

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Raw output, shape (N, 6)."""


@dataclass(frozen=True, slots=True)
class Split:
    """The calibration split: its rows, the SHA-256 of its file, and the rows to fit a fusion on, if any."""

    rows: list[Row]
    data_hash: str
    fusion: tuple[Row, ...] = ()

    @classmethod
    def read(cls, data: Path) -> "Split":
        """The split of a data directory. Raises Refused if it cannot be read."""
        path = data / SPLIT
        try:
            rows, data_hash = read_rows(path), hashlib.sha256(path.read_bytes()).hexdigest()
            fusion = tuple(read_rows(data / FUSION)) if (data / FUSION).is_file() else ()
        except OSError as error:
            raise Refused(f"{path} cannot be read: {error.strerror}", code="no_data") from error
        except (TypeError, ValueError) as error:
            raise Refused(f"{path} is not a data split: {error}", code="bad_data") from error
        if not rows:
            raise Refused(f"{path} has no rows", code="bad_data")
        return cls(rows, data_hash, fusion)


def score(split: Split, engine: Scoring, expert: Expert | None, progress: Progress) -> Scored:
    """The gatekeeper's output on every row and, with an expert, whether the expert is wrong. If the split has
    rows for it, rules and encoder are joined by a fusion that is fitted on them.

    `progress` is called with the number of rows scored or examined since the last call.
    """
    inputs, labels = _inputs(split.rows), _labels(split.rows)
    lessons = _lessons(split.fusion, engine, progress) if split.fusion else None
    fusion = None if lessons is None else lessons.fusion
    logits = _logits(inputs, engine, progress)
    if fusion is not None:
        logits = fusion.logits(logits, rule_confidences(inputs))
    families, facts = _families(split.rows), claim_facts(inputs)
    if expert is None:
        return Scored(logits, labels, families, fusion=fusion, lessons=lessons, facts=facts)
    opinions = expert.examine(inputs, [_total(row) for row in split.rows], progress=progress)
    # A failed examination costs a call and gives no verdict, so it counts as wrong.
    wrong = np.array(
        [
            opinion is None or opinion.fail != (label > 0)
            for opinion, label in zip(opinions, labels, strict=True)
        ]
    )
    measured = _measured(expert.name, opinions, labels, wrong)
    return Scored(logits, labels, families, wrong, fusion, measured, lessons, facts)


def _measured(
    name: str, opinions: Sequence[Opinion | None], labels: NDArray[np.intp], wrong: NDArray[np.bool_]
) -> ExpertMeasured:
    confusion: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for opinion, label in zip(opinions, labels, strict=True):
        confusion[LABELS[label]][_called(opinion)] += 1
    given = [opinion for opinion in opinions if opinion is not None]
    return ExpertMeasured(
        name=name,
        accuracy=round(float(1 - wrong.mean()), 6),
        confusion={label: dict(sorted(called.items())) for label, called in confusion.items()},
        seconds=round(sum(each.seconds for each in given) / max(1, len(given)), 6),
        tokens=round(sum(each.tokens for each in given) / max(1, len(given)), 1),
    )


def _called(opinion: Opinion | None) -> str:
    if opinion is None:
        return "failed"
    return (opinion.error_class or "unnamed") if opinion.fail else PASS


def _lessons(rows: Sequence[Row], engine: Scoring, progress: Progress) -> Scored:
    """The rows but twins under the fusion that is fitted on all: each family as it looks to a fusion that has
    not seen it, for the doubt learns from what is wrong there. Twins would teach it to trust a Pass."""
    inputs, labels = _inputs(rows), _labels(rows)
    logits, confidences = _logits(inputs, engine, progress), rule_confidences(inputs)
    studied = np.isin([row.edit for row in rows], [family.name for family in STUDIED])
    new, twins = ~studied, studied & (labels == 0)
    families = _families(rows)
    fused = np.empty((len(rows), len(LABELS)))
    for others, held in GroupKFold(min(FOLDS, len(set(families)))).split(logits, labels, families):
        without = fit_fusion(logits[others], confidences[others], labels[others], new[others], twins[others])
        fused[held] = without.logits(logits[held], confidences[held])
    fusion = fit_fusion(logits, confidences, labels, new, twins)
    return Scored(fused, labels, families, fusion=fusion, facts=claim_facts(inputs)).at(~twins)


def _inputs(rows: Sequence[Row]) -> list[ClaimInput]:
    return [with_analysis(row.claim()) for row in rows]


def _logits(inputs: Sequence[ClaimInput], engine: Scoring, progress: Progress) -> NDArray[np.floating]:
    found = []
    for start in range(0, len(inputs), CHUNK):
        chunk = inputs[start : start + CHUNK]
        found.append(engine.logits(chunk))
        progress(len(chunk))
    return np.concatenate(found)


def _families(rows: Sequence[Row]) -> NDArray[np.str_]:
    return np.array([row.family for row in rows])


def _labels(rows: Sequence[Row]) -> NDArray[np.intp]:
    return np.array([LABELS.index(row.label) for row in rows])


def with_measures(record: Calibration, scored: Scored) -> Calibration:
    """The record with how well its score ranks, and how well P_inv is calibrated, on its own rows."""
    rows = _own(record, scored)
    seen = rows.calls(record.temperature, record.score, record.learned)
    p = softmax(rows.logits, record.temperature)
    probability, truth = p_inv(p), rows.labels > 0
    measured = {
        "aurc": selective.aurc(seen.doubt, seen.wrong),
        "e_aurc": selective.e_aurc(seen.doubt, seen.wrong),
        "augrc": selective.augrc(seen.doubt, seen.wrong),
        "ece": expected_calibration_error(probability, truth),
        "equal_mass_ece": selective.equal_mass_ece(probability, truth),
        "brier": selective.brier(probability, truth),
        "nll": selective.nll(p, rows.labels),
    }
    rounded = {name: round(value, 6) for name, value in measured.items()}
    bins = [
        ReliabilityBin(
            round(one.low, 6), round(one.high, 6), one.n, round(one.predicted, 6), round(one.observed, 6)
        )
        for one in reliability_bins(probability, truth)
    ]
    return replace(record, measured=rounded, reliability=tuple(bins)).sealed()


def ablation(scored: Scored, *, draws: int = DRAWS) -> tuple[int, dict[str, selective.Ranking]]:
    """The number of rows that the scores were compared on, and how well each score ranks them.

    The rows belong to one half of the families; the temperature and the learned scores are fitted on the
    other half.
    """
    first = halves(scored.families)
    earlier, rows = scored.at(first), scored.at(~first)
    temperature = fit_temperature(earlier.logits, earlier.labels)
    learned = learn(earlier, temperature)
    p = softmax(rows.logits, temperature)
    names: tuple[Score, ...] = ("u", "h6", "margin", "learned")
    if learned.expert_wrong is not None:
        names += ("gain",)
    rankings = selective.compare(
        {name: doubt_of(p, name, learned, rows.facts) for name in names},
        rows.calls(temperature, "u", None).wrong,
        rows.families,
        reference="u",
        confidence=1.0 - np.maximum(p_valid(p), p_inv(p)),
        expert_wrong=rows.expert_wrong,
        draws=draws,
    )
    return len(rows), rankings


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars per examination, and per million claims that the gatekeeper screens."""

    usd_per_call: float
    usd_per_million_screened: float = 0.0

    def of(self, escalation: float) -> float:
        """Dollars per million claims if this share of them is examined."""
        return self.usd_per_million_screened + escalation * 1e6 * self.usd_per_call


def draw(
    record: Calibration, scored: Scored, folder: Path, *, prices: Prices, expert: str | None
) -> list[Path]:
    """Draws the four figures of a record, on its own rows, as SVG into a folder; returns the files."""
    rows = _own(record, scored)
    p = softmax(rows.logits, record.temperature)
    seen = rows.calls(record.temperature, record.score, record.learned)
    plain: tuple[Score, ...] = ("u", "h6", "margin")
    doubts: dict[str, NDArray[np.float64]] = {
        record.score: seen.doubt,
        **{name: doubt_of(p, name) for name in plain},
    }
    wrong = np.zeros(len(rows), dtype=bool) if rows.expert_wrong is None else rows.expert_wrong
    hybrid = "hybrid with an expert that is never wrong" if expert is None else f"hybrid, expert {expert}"
    kept, together = zip(*(_f1_at(seen, share, wrong) for share in SHARES), strict=True)
    cost = [prices.of(share) for share in SHARES]
    text = f"tau {record.tau:.3g}: {100 * record.escalation:.1f} % escalated"
    at = record.escalation
    drawn = {
        "risk-coverage": figures.risk_coverage_figure(doubts, seen.wrong, tau=figures.Mark(1 - at, text)),
        "reliability": figures.reliability_figure(p_inv(p), seen.invalid),
        "escalation-f1": figures.escalation_figure(
            SHARES.tolist(), {hybrid: together, "fast path alone": kept}, tau=figures.Mark(at, text)
        ),
        "cost-f1": figures.cost_figure(cost, {hybrid: together}, tau=figures.Mark(prices.of(at), text)),
    }
    folder.mkdir(parents=True, exist_ok=True)
    return [figures.save(figure, folder / name) for name, figure in drawn.items()]


def _own(record: Calibration, scored: Scored) -> Scored:
    """The rows that a record's tau comes from."""
    return scored.at(~halves(scored.families)) if record.fitted_on else scored


def _f1_at(seen: RoutingRows, share: float, expert_wrong: NDArray[np.bool_]) -> tuple[float, float]:
    """F1 of class Fail if this share is escalated: of the kept claims, and of all claims with the expert."""
    up = seen.doubt > tau_for(seen.doubt, share)
    final = np.where(up, seen.invalid ^ expert_wrong, seen.called)
    return f1(seen.called[~up], seen.invalid[~up]), f1(final, seen.invalid)


def _total(row: Row) -> int:
    """The number of claims in the filing, as far as the row shows."""
    numbers = [ancestor.partition(".")[0].strip() for ancestor in row.ancestors]
    return max([row.number, *(int(number) for number in numbers if number.isdecimal())])
