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

from ace.claims.analysis import with_analysis
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS, PASS
from ace.errors import Refused
from ace.gatekeeper.facts import claim_facts
from ace.routing.calibration import Calibration, ExpertMeasured, ReliabilityBin
from ace.routing.score import p_inv, softmax, without_stakes
from ace.routing.scores import Score
from ace_lab.calibration.fitting import Scored, expert_errors, halves, own_errors
from ace_lab.calibration.fusion import cross_fitted
from ace_lab.calibration.guarantee import RoutingRows
from ace_lab.calibration.routing_curve import tau_for
from ace_lab.data.rows import LABELLED, WRITTEN, Row, read_rows
from ace_lab.experts.opinions import Expert, Opinion
from ace_lab.measures import selective
from ace_lab.measures.metrics import expected_calibration_error, f1, reliability_bins
from ace_lab.reports import figures

SPLIT = "calibration.jsonl"
LABELLED_SPLIT = f"calibration.{LABELLED}.jsonl"
CHUNK = 256
DRAWS = 500
EDIT_WEIGHT = 0.5
"""What a written mistake or a sound edit counts beside a real claim: they are not as frequent among real
claims as among the rows."""
SHARES = np.linspace(0.0, 0.95, 20)
PLAIN: tuple[Score, ...] = ("u", "h6", "margin", "error")
"""The scores that nothing is learned for."""

Progress = Callable[[int], None]


class Scoring(Protocol):
    """The part of an engine that calibration needs."""

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Raw output, shape (N, 6)."""


@dataclass(frozen=True, slots=True)
class Split:
    """The calibration split: its rows, the SHA-256 of its file, and further rows to learn from. `labelled`
    says that readers labelled them."""

    rows: list[Row]
    data_hash: str
    lessons: tuple[Row, ...] = ()
    labelled: bool = False

    @classmethod
    def read(cls, data: Path) -> "Split":
        """The split of a data directory: what readers labelled, or else the rows that programs made. Raises
        Refused if it cannot be read."""
        path = data / LABELLED_SPLIT
        labelled = path.is_file() and path.stat().st_size > 0
        path = path if labelled else data / SPLIT
        try:
            rows, data_hash = read_rows(path), hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise Refused(f"{path} cannot be read: {error.strerror}", code="no_data") from error
        except (TypeError, ValueError) as error:
            raise Refused(f"{path} is not a data split: {error}", code="bad_data") from error
        if not rows:
            raise Refused(f"{path} has no rows", code="bad_data")
        split = cls(rows, data_hash, labelled=labelled)
        return split.only(lambda row: row.edit != WRITTEN) if labelled else split

    def only(self, wanted: Callable[[Row], bool]) -> "Split":
        """The split with these rows; the others remain lessons. Raises Refused if no row is left."""
        rows = [row for row in self.rows if wanted(row)]
        if not rows:
            raise Refused("no row of the calibration split is one that is wanted", code="no_data")
        others = tuple(row for row in self.rows if not wanted(row))
        return replace(self, rows=rows, lessons=self.lessons + others)

    def sample(self, count: int) -> "Split":
        """The split with `count` of its rows, drawn at random but the same each time; the others remain
        lessons."""
        drawn = set(np.random.default_rng(0).permutation(len(self.rows))[:count].tolist())
        kept = {id(row) for at, row in enumerate(self.rows) if at in drawn}
        return self.only(lambda row: id(row) in kept)


def score(split: Split, engine: Scoring, expert: Expert | None, progress: Progress) -> Scored:
    """The gatekeeper's output on every row and, with an expert, whether the expert is wrong. If readers
    labelled the rows, rules and encoder are joined by a fusion that is fitted on them and the lessons; each
    row has its logits under a fusion that has not seen its family.

    `progress` is called with the number of rows scored or examined since the last call.
    """
    every = [*split.rows, *split.lessons]
    inputs = _inputs(every)
    logits, facts = _logits(inputs, engine, progress), claim_facts(inputs)
    scored = Scored(logits, _labels(every), _families(every), facts=facts)
    measured = np.arange(len(every)) < len(split.rows)
    scored = _fused(scored, facts, every, measured) if split.labelled else scored.at(measured)
    if expert is None:
        return scored
    totals = [_total(row) for row in split.rows]
    opinions = expert.examine(inputs[: len(scored)], totals, progress=progress)
    # A failed examination costs a call and gives no verdict, so it counts as wrong.
    wrong = np.array(
        [
            opinion is None or opinion.fail != (label > 0)
            for opinion, label in zip(opinions, scored.labels, strict=True)
        ]
    )
    return replace(scored, expert_wrong=wrong, expert=_measured(expert.name, opinions, scored.labels, wrong))


def _fused(
    scored: Scored, facts: NDArray[np.float64], rows: Sequence[Row], measured: NDArray[np.bool_]
) -> Scored:
    """The rows that are `measured`, under the fusion of all, which are their lessons."""
    real = np.array([row.edit != WRITTEN for row in rows])
    weights = np.array([row.weight for row in rows]) * np.where(real, 1.0, EDIT_WEIGHT)
    found = cross_fitted(scored.logits, facts, scored.labels, weights, scored.families, real)
    every = replace(scored, logits=found.logits, fusion=found.fusion, stakes=found.stakes, weights=weights)
    return replace(every.at(measured), lessons=every)


def _measured(
    name: str, opinions: Sequence[Opinion | None], labels: NDArray[np.integer], wrong: NDArray[np.bool_]
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
    p = without_stakes(softmax(rows.logits, record.temperature), record.stakes)
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
    temperature = earlier.temperature()
    doubts: dict[str, NDArray[np.float64]] = {
        name: rows.calls(temperature, name, None).doubt for name in PLAIN
    }
    learned = own_errors(earlier, temperature)
    doubts["learned"] = rows.calls(temperature, "learned", learned).doubt
    if earlier.expert_wrong is not None:
        doubts["gain"] = rows.calls(temperature, "gain", expert_errors(earlier, temperature)).doubt
    p = softmax(rows.logits, temperature)
    rankings = selective.compare(
        doubts,
        rows.calls(temperature, "u", None).wrong,
        rows.families,
        reference="u",
        confidence=np.minimum(p[:, 0], 1.0 - p[:, 0]),
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
    chance = p_inv(without_stakes(softmax(rows.logits, record.temperature), record.stakes))
    seen = rows.calls(record.temperature, record.score, record.learned)
    doubts: dict[str, NDArray[np.float64]] = {
        record.score: seen.doubt,
        **{name: rows.calls(record.temperature, name, None).doubt for name in PLAIN},
    }
    wrong = np.zeros(len(rows), dtype=bool) if rows.expert_wrong is None else rows.expert_wrong
    hybrid = "hybrid with an expert that is never wrong" if expert is None else f"hybrid, expert {expert}"
    kept, together = zip(*(_f1_at(seen, share, wrong) for share in SHARES), strict=True)
    cost = [prices.of(share) for share in SHARES]
    text = f"tau {record.tau:.3g}: {100 * record.escalation:.1f} % escalated"
    at = record.escalation
    drawn = {
        "risk-coverage": figures.risk_coverage_figure(doubts, seen.wrong, tau=figures.Mark(1 - at, text)),
        "reliability": figures.reliability_figure(chance, seen.invalid),
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
