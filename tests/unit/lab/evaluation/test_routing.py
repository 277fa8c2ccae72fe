"""Thresholds, mixes and folds, with calls and opinions that are known."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.routing.score import binary_entropy
from ace.routing.scores import FACTS
from ace_lab.evaluation import routing
from ace_lab.evaluation.judges import Cases
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import ClaimVerdicts
from ace_lab.experts.opinions import Opinion, StructuralExpert
from tests.unit.lab.evaluation.made import Knowing, row, run

RIGHT = {False: Opinion(False, None, (), 3.6, 0), True: Opinion(True, "syntax", (), 3.6, 0)}


def verdicts_on(p_inv: np.ndarray, invalid: np.ndarray) -> ClaimVerdicts:
    """Rows with that much P_inv, half of them families of two, and an expert who is always right."""
    p = np.zeros((len(p_inv), 6))
    p[:, 0], p[:, 5] = 1 - p_inv, p_inv
    labels = ["syntax" if one else "pass" for one in invalid]
    rows = [row(label, f"f{at // 2}/{at}") for at, label in enumerate(labels)]
    cases = Cases.of(labels, [one.family for one in rows])
    opinions: list[Opinion | None] = [RIGHT[bool(one)] for one in invalid]
    inputs = [ClaimInput(1, "text")] * len(rows)
    facts = np.zeros((len(rows), len(FACTS)))
    return ClaimVerdicts(rows, inputs, cases, p, facts, np.zeros(len(rows), bool), opinions)


def with_expert(folder: Path) -> EvaluationRun:
    table = run(folder, Knowing({}), StructuralExpert())
    table.scored, table.scoring_seconds = 10, 3.6
    return table


def test_more_escalation_to_a_better_expert_costs_more_and_errs_less(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    invalid = rng.random(400) < 0.5
    about = verdicts_on(np.clip(np.where(invalid, 0.7, 0.3) + rng.normal(0, 0.25, 400), 0.01, 0.99), invalid)
    found = routing.sensitivity(with_expert(tmp_path), about, binary_entropy(about.p))["rows"]
    assert [one["escalation"] for one in found] == list(routing.ESCALATIONS)
    # The calibration rows are the test rows here, so the share is what was asked for.
    assert [one["escalated"] for one in found] == pytest.approx(routing.ESCALATIONS, abs=0.01)
    accuracies = [one["accuracy"] for one in found]
    assert accuracies == sorted(accuracies)
    assert accuracies[0] < accuracies[-1]
    # 0.36 s a claim for the gatekeeper and 3.6 s an opinion, both at $3 an hour: $300 and $3,000.
    assert found[1]["usd_per_million"] == pytest.approx(300 + found[1]["escalated"] * 3_000, rel=1e-3)


def test_rarer_defects_mean_more_false_ones_among_the_alarms(tmp_path: Path) -> None:
    invalid = np.arange(400) % 2 == 0
    alarmed = np.where(invalid, 0.9, np.where(np.arange(400) % 20 == 1, 0.9, 0.1))  # 10 % false alarms
    found = routing.mixes(with_expert(tmp_path), verdicts_on(alarmed, invalid))["rows"]
    gate = {one["mix"]: one for one in found if one["judge"] == "gatekeeper"}
    assert set(gate) == {"1:1", "9:1", "19:1"}
    for mix, times in (("1:1", 1), ("9:1", 9), ("19:1", 19)):
        assert gate[mix]["precision"] == pytest.approx(1 / (1 + 0.1 * times), abs=0.03)
        assert gate[mix]["recall"] == 1.0
        low, high = gate[mix]["intervals"]["precision"]
        assert low < gate[mix]["precision"] < high
    assert [one["judge"] for one in found if one["mix"] == "1:1"] == ["gatekeeper", "hybrid"]


def test_each_fold_is_measured_with_what_the_others_say(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    labels = np.tile(np.arange(6), 50)
    logits = rng.normal(0, 1, (300, 6)).astype(np.float32)
    logits[np.arange(300), labels] += 3
    cases = Cases.of([LABELS[label] for label in labels], [f"f{at // 3}" for at in range(300)])
    found = routing.cross_validation(run(tmp_path, Knowing({})), logits, np.zeros((300, len(FACTS))), cases)
    assert [one["fold"] for one in found["rows"]] == [1, 2, 3, 4, 5]
    assert sum(one["n"] for one in found["rows"]) == found["n"] == 300
    assert found["mean"]["macro_f1"] > 0.6
    assert 0 < found["sigma"]["aurc"] < 0.05
    assert found["sigma"]["aurc"] == pytest.approx(
        np.std([one["aurc"] for one in found["rows"]], ddof=1), abs=1e-6
    )


def test_an_expert_is_worth_asking_if_it_is_right_more_often_than_the_gatekeeper(tmp_path: Path) -> None:
    invalid = np.arange(400) % 2 == 0
    p_inv = np.where(invalid, 0.9, 0.1)
    p_inv[:80] = np.where(invalid[:80], 0.45, 0.55)  # wrong, doubtful and escalated
    about = replace(verdicts_on(p_inv, invalid), up=np.arange(400) < 80)
    found = {one["expert"]: one for one in routing.worth(with_expert(tmp_path), about)["rows"]}
    assert [one["accuracy"] for one in found.values()] == pytest.approx(
        [0.8, 0.9, 0.97, 0.98, 0.99, 1.0, 1.0]
    )
    assert (found["nobody"]["recall"], found["nobody"]["escalated"]) == (0.8, 0.0)
    assert found["a coin"]["false_alarms"] == pytest.approx(0.1)
    assert found["right on 95 %"]["escalated"] == 0.2


def test_long_claims_have_figures_of_their_own(tmp_path: Path) -> None:
    invalid = np.arange(400) % 2 == 0
    about = verdicts_on(np.where(invalid & (np.arange(400) >= 100), 0.9, 0.1), invalid)
    inputs = [ClaimInput(1, "x" * (1_200 if at < 100 else 100)) for at in range(400)]
    found = routing.lengths(with_expert(tmp_path), replace(about, inputs=inputs))["rows"]
    by_band = {one["band"]: one for one in found}
    assert by_band["0 to 249"]["gatekeeper_recall"] == 1.0
    assert by_band["1,200 and more"]["gatekeeper_recall"] == 0.0
    assert by_band["1,200 and more"]["gatekeeper_false_alarms"] == 0.0
    assert (by_band["250 to 599"]["n"], by_band["250 to 599"]["hybrid_recall"]) == (0, None)
