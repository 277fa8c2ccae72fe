"""Calibrating a model that is a table of logits: what is counted as wrong, measured and drawn."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.routing.calibration import Calibration
from ace_lab.calibration.calibration_run import CHUNK, Prices, Split, ablation, draw, score, with_measures
from ace_lab.calibration.fitting import Scored, fit, halves
from ace_lab.calibration.thresholds import Gain, Quantile, Risk
from ace_lab.data.rows import Row
from ace_lab.experts.opinions import Opinion, Progress
from ace_lab.measures import selective


class Table:
    """Logits by claim number."""

    def logits(self, inputs: Sequence[ClaimInput]) -> np.ndarray:
        return np.array([np.eye(6)[claim.number % 6] * claim.number for claim in inputs], dtype=np.float32)


class Scripted:
    """Passes even claims, fails odd ones, and cannot examine each third; remembers the totals."""

    name = "scripted"

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()
        self.totals: list[int] = []

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        self.totals = list(totals)
        if progress is not None:
            progress(len(inputs))
        return [
            None if claim.number % 3 == 0 else Opinion(claim.number % 2 == 1, None, (), 0.1, 1)
            for claim in inputs
        ]


def row(number: int, label: str, *ancestors: str) -> Row:
    family = f"US{number // 2}"
    return Row("calibration", family, "ours", number, "A lid.", ancestors, label, "none", "none", (), family)


def some(n: int = 600, seed: int = 0) -> Scored:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 6, n)
    logits = rng.normal(0, 1.2, (n, 6)) + 2 * np.eye(6)[labels]
    return Scored(logits, labels, rng.integers(0, 60, n), rng.random(n) < 0.2)


def test_scores_and_opinions_keep_the_order_of_the_rows() -> None:
    rows = [row(number, LABELS[number % 2]) for number in range(1, 2 * CHUNK)]
    rows[3] = row(4, "pass", "17. A lid.", "claims 9")
    expert, done = Scripted(), []
    found = score(Split(rows, "hash"), Table(), expert, done.append)
    assert found.logits.argmax(axis=1).tolist() == [one.number % 6 for one in rows]
    assert sum(done) == 2 * len(rows)
    assert expert.totals[3] == 17
    # Odd claims are defective: the expert is right but where it failed to examine.
    assert found.expert_wrong is not None
    assert found.expert_wrong.tolist() == [one.number % 3 == 0 for one in rows]
    # What it called claims of each class is told, and so are its failures, its time and its tokens.
    assert found.expert is not None
    measured = found.expert
    assert (measured.name, measured.seconds, measured.tokens) == ("scripted", 0.1, 1.0)
    assert measured.accuracy == pytest.approx(1 - found.expert_wrong.mean(), abs=1e-6)
    assert measured.confusion["pass"].keys() == {"pass", "failed"}
    assert measured.confusion[LABELS[1]].keys() == {"unnamed", "failed"}
    assert sum(sum(called.values()) for called in measured.confusion.values()) == len(rows)


@pytest.mark.parametrize("policy", [Quantile(0.2), Risk(0.4)])
def test_a_record_is_measured_on_its_own_rows(policy: Quantile | Risk) -> None:
    scored = some()
    plain = fit(scored, policy=policy, score="h6", model_revision="r", data_hash="h")
    record = with_measures(plain, scored)
    rows = scored.at(~halves(scored.families)) if isinstance(policy, Risk) else scored
    seen = rows.calls(record.temperature, "h6", None)
    assert len(seen) == record.n
    assert record.measured["augrc"] == pytest.approx(selective.augrc(seen.doubt, seen.wrong), abs=1e-6)
    assert record.id != plain.id  # what is measured is part of the record
    bins = record.reliability
    assert sum(one.n for one in bins) == record.n
    ece = sum(one.n * abs(one.predicted - one.observed) for one in bins) / record.n
    assert record.measured["ece"] == pytest.approx(ece, abs=1e-5)


def test_gain_wins_by_its_own_measure_where_the_expert_is_blind_in_a_class() -> None:
    scored = some(4000)
    blind = Scored(scored.logits, scored.labels, scored.families, scored.logits.argmax(axis=1) >= 3)
    _, rankings = ablation(blind, draws=40)
    assert list(rankings) == ["u", "h6", "margin", "error", "learned", "gain"]
    less = rankings["gain"].deferral_less_reference
    assert less is not None
    assert less.high < 0
    assert rankings["gain"].augrc.value > rankings["u"].augrc.value  # which AUGRC does not see


def test_prices_add_up() -> None:
    assert Prices(0.005733, 100.0).of(0.2) == pytest.approx(100 + 1146.6)


def test_every_policy_can_be_drawn(tmp_path: Path) -> None:
    scored = some()
    record: Calibration = fit(scored, policy=Gain(1, 0.05), score="gain", model_revision="r", data_hash="h")
    files = draw(record, scored, tmp_path / "new" / "folder", prices=Prices(0.01), expert="scripted")
    assert len(files) == 4
    assert all(path.stat().st_size > 1000 for path in files)
