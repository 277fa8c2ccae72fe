"""The fit finds what was planted, the threshold keeps its limit, the table says what was fitted."""

import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from ace.claims.checks import RULES, confidence_table
from ace.claims.taxonomy import ErrorClass
from ace_lab.calibration.confidence import (
    PREVALENCE,
    ROOT,
    Evidence,
    FlawSignature,
    false_share,
    fit,
    gather,
    main,
    measured,
)
from ace_lab.calibration.confidence_weights import ConfidenceWeights, page_part, table_source
from ace_lab.calibration.precision_recall import ALL, Curve, Point, curve_of, drawn, threshold_of
from ace_lab.data.filed_sets import SPLITS, FiledSet, read_filed, split_of

ANTECEDENT = ErrorClass.ANTECEDENT
SHARES = {ANTECEDENT: 0.05}
FIRST, SECOND, *_ = (rule.id for rule in RULES if rule.error_class is ANTECEDENT)
OTHER = next(rule.id for rule in RULES if rule.error_class is ErrorClass.DEPENDENCY)
CLAIMS = 2_000

SPOILT = (
    (1, "A pump comprising a housing, a rotor in the housing, and a motor (3) that drives the rotor."),
    (2, "The pump of claim 1, further comprising a lid, wherein the lid covers the housing."),
    (3, "The pump of claim 2, wherein the gasket seals the lid."),
)


def evidence(
    alarms: dict[FlawSignature, int], hits: dict[ErrorClass, list[tuple[FlawSignature, ...]]]
) -> Evidence:
    made = Evidence(sets=100, claims=CLAIMS, alarms=Counter(alarms))
    made.hits.update(hits)
    return made


def test_a_planted_signal_gets_its_weight() -> None:
    # Given flaws that are true mostly where "sure" is seen, and false mostly where "doubtful" is
    made = evidence(
        {(FIRST, ("doubtful",)): 200, (FIRST, ("sure",)): 10},
        {ANTECEDENT: [((FIRST, ("sure",)),)] * 95 + [((FIRST, ("doubtful",)),)] * 5},
    )

    # When the weights are fitted
    weights = fit(made)

    # Then both signals point the right way, and the confidence is the share of defects at the prevalence
    assert weights.signals[FIRST, "sure"] > 1.0
    assert weights.signals[FIRST, "doubtful"] < -1.0
    defects, false = PREVALENCE[ANTECEDENT] * CLAIMS, false_share(FIRST)
    assert weights.confidence(FIRST, ("sure",)) == pytest.approx(
        0.95 * defects / (0.95 * defects + 10 * false), abs=0.05
    )
    assert weights.confidence(FIRST, ("doubtful",)) == pytest.approx(
        0.05 * defects / (0.05 * defects + 200 * false), abs=0.05
    )


def test_a_rule_without_false_alarms_is_nearly_certain_and_one_with_only_those_is_not() -> None:
    made = evidence(
        {(SECOND, ()): 300},
        {ErrorClass.DEPENDENCY: [((OTHER, ()),)] * 10, ANTECEDENT: [()] * 10},
    )
    weights = fit(made)
    assert weights.confidence(OTHER, ()) > 0.9
    assert weights.confidence(SECOND, ()) < 0.05
    assert weights.rules[OTHER][1:] == (10, 0)
    assert weights.rules[SECOND][1:] == (0, 300)


def test_every_rule_has_a_weight_even_without_any_evidence() -> None:
    weights = fit(evidence({}, {}))
    assert set(weights.rules) == {rule.id for rule in RULES}
    assert all(0.0 < weights.confidence(rule.id, ()) < 1.0 for rule in RULES)


def test_twice_as_many_false_alarms_never_raise_a_confidence() -> None:
    def sure(alarms: int) -> float:
        hits = {ANTECEDENT: [((FIRST, ()),)] * 40}
        return fit(evidence({(FIRST, ()): alarms}, hits)).confidence(FIRST, ())

    told = [sure(alarms) for alarms in (5, 50, 100, 200, 400)]
    assert told == sorted(told, reverse=True)
    assert told[0] > told[-1] + 0.3


def test_precision_is_told_at_the_prevalence_and_recall_counts_what_was_missed() -> None:
    # Given a class of which 8 in 10 defects are found above 0.6, with 30 false alarms over 1,000 claims
    best = {ANTECEDENT: [0.9] * 6 + [0.6] * 2 + [0.0] * 2}
    told = {ANTECEDENT: [(0.6, 1.0)] * 20 + [(0.9, 1.0)] * 10}
    curve = curve_of(told, best, SHARES, sets=50, claims=1_000)

    # When the two thresholds are read off
    low, high = curve.lines["antecedent"]

    # Then 0.05 defects per claim at that recall stand against the false alarms per claim
    assert (low.threshold, low.recall, low.findings_per_set) == (0.6, pytest.approx(0.8), pytest.approx(0.6))
    assert low.precision == pytest.approx(0.04 / (0.04 + 0.03))
    assert (high.recall, high.precision) == (pytest.approx(0.6), pytest.approx(0.03 / (0.03 + 0.01)))


def points(*of: tuple[float, float, float, float]) -> Curve:
    line = tuple(Point(*each) for each in of)
    return Curve(dict.fromkeys((ALL, *(each.value for each in ErrorClass)), line))


def test_the_threshold_is_the_lowest_within_the_limit() -> None:
    curve = points((0.2, 0.5, 0.95, 1.4), (0.4, 0.6, 0.9, 0.8), (0.8, 0.9, 0.3, 0.1))
    assert threshold_of(curve, antecedent_limit=2.0) == 0.2
    assert threshold_of(curve, antecedent_limit=1.0) == 0.4
    assert threshold_of(curve, antecedent_limit=0.5) == 0.8
    with pytest.raises(ValueError, match="limit"):
        threshold_of(curve, antecedent_limit=0.05)


def test_the_figure_is_an_image_that_names_every_class_and_the_threshold() -> None:
    drawing = drawn(points((0.2, 0.5, 0.95, 1.4), (0.4, 0.6, 0.9, 0.8)), 0.4)
    root = ET.fromstring(drawing)  # noqa: S314  (our own drawing)
    said = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {ALL, *(each.value for each in ErrorClass), "recall", "precision"} <= set(said)
    assert "dots: threshold 0.40" in said


def test_the_table_gives_the_weights_back() -> None:
    # Given fitted weights with a threshold
    weights = fit(evidence({(FIRST, ("doubtful",)): 200}, {ANTECEDENT: [((FIRST, ("sure",)),)] * 20}))
    counts = dict.fromkeys(("fit_sets", "fit_claims", "fit_defects"), 1)
    curve = points((0.2, 0.5, 0.95, 1.4), (0.4, 0.6, 0.9, 0.8))
    shares = {"antecedent": 0.05}
    weights = weights.at(0.4, curve, fitted="2026-01-01", data="0" * 64, counts=counts, prevalence=shares)

    # When the module that ships them is run
    shipped: dict[str, object] = {}
    exec(table_source(weights), shipped)  # noqa: S102  (the source was written a line above)

    # Then it says the same
    assert shipped["THRESHOLD"] == 0.4
    assert shipped["SIGNALS"] == {key: round(value, 2) for key, value in weights.signals.items()}
    assert shipped["RULES"] == {key: (round(w, 2), d, f) for key, (w, d, f) in weights.rules.items()}
    assert shipped["AT_THRESHOLD"]["antecedent"] == (0.6, 0.9, 0.8)  # type: ignore[index]


def test_the_page_says_the_numbers_of_the_table() -> None:
    at = {name: Point(0.0, *each) for name, each in confidence_table.AT_THRESHOLD.items()}
    weights = ConfidenceWeights(
        rules=confidence_table.RULES,
        signals=confidence_table.SIGNALS,
        threshold=confidence_table.THRESHOLD,
        at_threshold=at,
        fitted=confidence_table.FITTED,
        data=confidence_table.DATA_SHA256,
        counts=confidence_table.COUNTS,
        prevalence=confidence_table.PREVALENCE,
    )
    assert page_part(weights) in (ROOT / "docs/reference/confidence.md").read_text(encoding="utf-8")


def test_what_is_gathered_is_counted_by_rule_and_class() -> None:
    # Given a set in which claim 3 lacks a basis
    made = gather([FiledSet("a", True, SPOILT)], seed=1)

    # Then that flaw is a false alarm, as the set is taken for granted, and defects were injected and hit
    assert (made.sets, made.claims) == (1, 3)
    assert any(rule_id.startswith("antecedent.") for rule_id, _ in made.alarms)
    assert made.hits[ErrorClass.DEPENDENCY]
    assert all(made.hits[ErrorClass.DEPENDENCY])
    curve = measured(made, fit(made))
    assert curve.lines["dependency"][0].recall == 1.0


def test_the_same_seed_gathers_the_same() -> None:
    assert gather([FiledSet("a", True, SPOILT)], seed=3) == gather([FiledSet("a", True, SPOILT)], seed=3)


def test_the_command_writes_table_and_figure(tmp_path: Path) -> None:
    # Given a file of granted sets in both splits, and a project to write into
    data = tmp_path / "sets.jsonl"
    rows = [
        {"patent": f"p{at}", "kind": "granted", "claims": [{"num": n, "text": t} for n, t in SPOILT]}
        for at in range(20)
    ]
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    (tmp_path / "ace/claims/checks").mkdir(parents=True)

    # When the command is run
    assert main(["--data", str(data), "--out", str(tmp_path)]) == 0

    # Then the table and the figure are there
    assert "THRESHOLD = " in (tmp_path / "ace/claims/checks/confidence_table.py").read_text(encoding="utf-8")
    assert (tmp_path / "docs/figures/confidence.svg").read_text(encoding="utf-8").startswith("<svg")


def test_splits_share_the_families_five_to_two_to_three() -> None:
    counted = Counter(split_of(f"US{number}") for number in range(5_000))
    assert [round(counted[split] / 500) for split in SPLITS] == [5, 2, 3]


def test_a_line_that_is_no_claim_set_is_refused_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "sets.jsonl"
    path.write_text('{"claims": []}\n{"claims": [{"num": "one"}]}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 2 of sets\.jsonl"):
        list(read_filed(path))


@pytest.mark.parametrize(
    ("row", "granted"),
    [
        ({"kind": "granted"}, True),
        ({"kind": "granted", "complete": False}, False),
        ({"kind": "application"}, False),
    ],
)
def test_only_complete_granted_sets_are_granted(
    tmp_path: Path, row: dict[str, object], granted: bool
) -> None:
    path = tmp_path / "sets.jsonl"
    path.write_text(json.dumps({**row, "claims": [{"num": 1, "text": "A pump."}]}) + "\n", encoding="utf-8")
    (filed,) = read_filed(path)
    assert filed.granted is granted
    assert filed.claims()[1].text == "A pump."
