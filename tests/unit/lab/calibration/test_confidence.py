"""The fit finds what was planted, the threshold keeps its precision, the record says what was fitted."""

import gzip
import json
import math
from pathlib import Path

import pytest

from ace.claims.checks import RULES
from ace.claims.taxonomy import ErrorClass
from ace_lab.calibration.confidence import (
    PRECISION,
    Evidence,
    JudgedFlaws,
    Signature,
    Weights,
    class_shifts,
    fit,
    main,
    point_at,
    threshold_on,
)
from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import read_corpus
from ace_lab.readings.records import MODEL, Defect, Edit, SetReading, Source, span_of

FIRST, SECOND, *_ = (rule.id for rule in RULES if rule.error_class is ErrorClass.ANTECEDENT)
OTHER = next(rule.id for rule in RULES if rule.error_class is ErrorClass.DEPENDENCY)
TEXTS = {
    1: "A lantern comprising a base and a lamp on the base.",
    2: "The lantern of claim 1, wherein the mirror is bent.",
    3: "The lantern of claim 1, wherein a tube surrounds the lamp.",
}
BY = Source("examiner", MODEL, "2026-11-28", "sets")


def claims_with(*flaws: Signature, right: int, wrong: int) -> list[JudgedFlaws]:
    kinds = frozenset(flaws)
    return [JudgedFlaws(kinds, True, kinds)] * right + [JudgedFlaws(kinds, False)] * wrong


def test_a_planted_signal_gets_its_weight() -> None:
    # Given flaws that are right mostly where "sure" is seen, and wrong mostly where "doubtful" is
    sure, doubtful = (FIRST, ("sure",)), (FIRST, ("doubtful",))
    made = Evidence(claims_with(sure, right=190, wrong=10) + claims_with(doubtful, right=10, wrong=190))

    # When the weights are fitted
    weights = fit(made)

    # Then both signals point the right way, and the confidence is the share that is right
    assert weights.signals[FIRST, "sure"] > 1.0
    assert weights.signals[FIRST, "doubtful"] < -1.0
    assert weights.confidence([sure]) == pytest.approx(0.95, abs=0.03)
    assert weights.confidence([doubtful]) == pytest.approx(0.05, abs=0.03)
    assert weights.confidence([doubtful, sure]) == weights.confidence([sure])


def test_a_rule_without_evidence_stays_near_its_class() -> None:
    weights = fit(Evidence(claims_with((FIRST, ()), right=180, wrong=20)))
    assert weights.confidence([(SECOND, ())]) > 0.7
    assert weights.confidence([(OTHER, ())]) == pytest.approx(0.5, abs=0.05)


def test_a_flaw_beside_the_words_that_readers_quote_does_not_count() -> None:
    first, second = (FIRST, ()), (SECOND, ())
    both = JudgedFlaws(frozenset({first, second}), True, frozenset({first}))
    passed = claims_with(first, right=0, wrong=50) + claims_with(second, right=0, wrong=50)
    weights = fit(Evidence([*[both] * 100, *passed]))
    assert weights.confidence([first]) > 0.6
    assert weights.confidence([second]) < 0.2


def test_an_edit_counts_less_than_a_real_claim() -> None:
    edited = Evidence(edits=claims_with((FIRST, ()), right=40, wrong=2))
    real = Evidence(claims_with((FIRST, ()), right=40, wrong=2))
    assert 0.7 < fit(edited).confidence([(FIRST, ())]) < fit(real).confidence([(FIRST, ())])


def test_a_class_is_shifted_to_claims_that_were_read_with_more_care() -> None:
    weights = Weights({rule.id: 0.0 for rule in RULES}, {})
    held = Evidence(
        claims_with((FIRST, ()), right=300, wrong=100) + claims_with((OTHER, ()), right=100, wrong=100)
    )
    shifted = weights.shifted(class_shifts(held, weights))
    assert shifted.confidence([(FIRST, ())]) == pytest.approx(0.75, abs=0.02)
    assert shifted.confidence([(OTHER, ())]) == pytest.approx(0.5, abs=0.02)


def test_the_threshold_is_the_lowest_that_keeps_its_precision() -> None:
    # Given two rules, of which one is right 9 times in 10 and the other every other time
    odds = {rule.id: 0.0 for rule in RULES} | {FIRST: math.log(9)}
    weights = Weights(odds, {})
    held = Evidence(
        claims_with((FIRST, ()), right=180, wrong=20) + claims_with((SECOND, ()), right=100, wrong=100)
    )

    # When the threshold is chosen
    point = threshold_on(held, weights)

    # Then it lets through the first alone, and says what it does
    assert point.threshold == pytest.approx(0.51)
    assert (point.reported, point.precision) == (200, 0.9)
    assert point.recall == pytest.approx(180 / 280)
    assert PRECISION <= point.at_least < point.precision
    assert point_at(held, weights, 0.5).at_least < PRECISION


def test_without_a_threshold_that_keeps_it_the_best_is_taken() -> None:
    weights = Weights({rule.id: 0.0 for rule in RULES}, {})
    point = threshold_on(Evidence(claims_with((FIRST, ()), right=10, wrong=10)), weights)
    assert point.at_least < PRECISION
    assert point.reported == 20


def test_the_command_writes_the_record_and_the_page(tmp_path: Path) -> None:
    # Given forty sets, each with a mistake that somebody wrote into it; readers fail a claim in all but some
    path, labels, root = tmp_path / "claims.jsonl.gz", tmp_path / "labels", tmp_path / "root"
    with gzip.open(path, "wt") as file:
        for family in range(40):
            claims = [{"num": number, "text": text} for number, text in TEXTS.items()]
            file.write(json.dumps({"patent": f"US{family}", "kind": "granted", "claims": claims}) + "\n")
    corpus, stored = read_corpus(path), Stored.load(labels)
    start, _end = span_of(TEXTS[2], "the mirror")
    defect = Defect(2, "antecedent", start, "the mirror", "rejection", 0.9, "No mirror.")
    lamp, lamp_end = span_of(TEXTS[3], "the lamp")
    passed = {member.patent for member in corpus.of("train")[::5]}
    for patent in corpus.sets:
        edit = Edit(
            patent, 3, BY, lamp, TEXTS[3][lamp:lamp_end], "the wick", "antecedent", "k", True, "W.", "real"
        )
        stored.add([SetReading(patent, BY, () if patent in passed else (defect,)), edit])
    stored.save()
    page = root / "docs/reference/confidence.md"
    page.parent.mkdir(parents=True)
    page.write_text("Before.\n<!-- fit -->\nstale\n<!-- /fit -->\nAfter.\n")

    # When the command runs
    assert main(["--claims", str(path), "--labels", str(labels), "--out", str(root)]) == 0

    # Then every rule has a weight beside its counts, and the page has the figures between its marks
    record = json.loads((root / "ace/claims/checks/confidence.json").read_text())
    assert set(record["rules"]) == {rule.id for rule in RULES}
    trained = len(corpus.of("train"))
    found = record["rules"]["antecedent.no_basis"]
    assert (found["right"], found["wrong"]) == (trained - len(passed), len(passed))
    assert record["claims"] == {"train": 3 * trained, "calibration": 3 * len(corpus.of("calibration"))}
    written = page.read_text()
    assert written.startswith("Before.")
    assert written.endswith("After.\n")
    assert "stale" not in written
    assert "training families" in written
