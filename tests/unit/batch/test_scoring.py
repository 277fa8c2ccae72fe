"""From rows to results: verdicts, escalations and errors, each row and claim once and in order."""

from typing import Any

import pyarrow as pa
import pytest

from ace.batch.columns import SCHEMA, records, table
from ace.batch.rows import Row, row_of
from ace.batch.scoring import prepare, score
from ace.claims.analysis import VERSION
from ace.errors import Stopped
from tests import fakes
from tests.unit.batch import sets


def rows(*claims: Any) -> list[Row]:
    return [row_of(index, {"claims": each, "docket": f"D{index}"}) for index, each in enumerate(claims)]


def results(*windows: list[Row], checks: fakes.Checks | None = None) -> list[dict[str, Any]]:
    gatekeeper = fakes.Gatekeeper()
    judged = score(gatekeeper, checks or fakes.Checks("nothing stops"), windows)
    return [one for each in judged for one in records("in.jsonl", each, gatekeeper)]


def brief(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    def told(one: dict[str, Any]) -> Any:
        return one.get("error") or ("escalate" if one["escalate"] else one["verdict"])

    return [(one["row"], one["claim"], told(one)) for one in found]


def test_every_pending_claim_and_every_bad_row_is_one_row_in_order() -> None:
    found = results(rows(sets.SOUND, 5, sets.CANCELED), rows(sets.DOUBTFUL, sets.GONE, sets.FAILS))
    assert brief(found) == [
        (0, 1, "Pass"),
        (0, 2, "Pass"),
        (1, None, "claims_type: /claims: must be a text or a list of claims"),
        (2, 2, "Pass"),
        (0, 1, "Pass"),
        (0, 2, "escalate"),
        (1, None, "nothing_pending: every claim is canceled"),
        (2, 1, "Fail"),
    ]


def test_columns_of_a_verdict_and_of_an_escalation() -> None:
    failed, *_, escalated = results(rows(sets.FAILS, sets.DOUBTFUL))
    assert failed == {
        "input": "in.jsonl",
        "row": 0,
        "docket": "D0",
        "claim": 1,
        "escalate": False,
        "verdict": "Fail",
        "error_class": "antecedent",
        "ground": "rejection",
        "disputed": False,
        "p_pass": pytest.approx(0.02),
        "p_antecedent": pytest.approx(0.9),
        **{f"p_{label}": pytest.approx(0.02) for label in ("dependency", "logical", "ambiguity", "syntax")},
        "u": pytest.approx(0.098, abs=1e-3),
        "h6": pytest.approx(0.486, abs=1e-3),
        "doubt": pytest.approx(0.098, abs=1e-3),
        "span_start": None,
        "span_end": None,
        "findings": failed["findings"],
        "model": "model-1",
        "calibration": "calibration-1",
        "rules": VERSION,
    }
    assert [each["rule"] for each in failed["findings"]] == ["antecedent.no_basis"]
    assert "verdict" not in escalated
    assert escalated["doubt"] > 0.3


def test_a_claim_that_breaks_scoring_escalates_without_probabilities() -> None:
    crash, sound = results(rows("1. A pump that may crash.", "1. A pump comprising a valve."))
    assert (crash["escalate"], crash["p_pass"], crash["u"]) == (True, None, None)
    assert sound["verdict"] == "Pass"


def test_results_are_a_table() -> None:
    made = table(results(rows(sets.FAILS, sets.GONE)))
    assert made.schema == SCHEMA
    assert made["error"].to_pylist() == [None, "nothing_pending: every claim is canceled"]
    assert made["p_pass"].type == pa.float32()


def test_a_claim_set_that_is_refused_says_where_and_quotes_nothing() -> None:
    (one,) = results(rows([{"text": "A zyzzyva."}, {"text": "  "}]))
    assert one["error"].startswith("empty_claim: /claims/1/text: ")
    assert "zyzzyva" not in str(one)


def test_a_set_that_takes_the_rules_too_long_costs_its_own_rows_alone() -> None:
    class Slow(fakes.Checks):
        """Stops the analysis, which sees pairs and a term list, and lets the reading be."""

        def _outcome(self, work: Any, item: Any) -> Any:
            slow = isinstance(item, tuple) and any("endless" in text for _, text in item[0])
            return Stopped("check_too_slow", 1) if slow else super()._outcome(work, item)

    found = results(rows(sets.SOUND, sets.ENDLESS, sets.SOUND), checks=Slow("nothing stops"))
    slow = "check_too_slow"
    assert brief(found) == [
        (0, 1, "Pass"),
        (0, 2, "Pass"),
        (1, 1, slow),
        (1, 2, slow),
        (2, 1, "Pass"),
        (2, 2, "Pass"),
    ]


def test_claims_of_a_long_set_beside_one_that_is_stopped_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ace.batch.scoring.CHECKED_SET_CHARACTERS", 10)

    class Slow(fakes.Checks):
        """Stops the analysis of one claim, which comes alone."""

        def _outcome(self, work: Any, item: Any) -> Any:
            slow = isinstance(item, tuple) and getattr(item[0], "number", 0) == 1
            return Stopped("check_too_slow", 1) if slow else super()._outcome(work, item)

    assert brief(results(rows(sets.SOUND), checks=Slow("nothing"))) == [
        (0, 1, "check_too_slow"),
        (0, 2, "Pass"),
    ]


def test_reading_that_is_stopped_costs_its_row() -> None:
    found = results(rows(sets.ENDLESS, sets.SOUND), checks=fakes.Checks())
    assert brief(found) == [(0, None, "check_too_slow"), (1, 1, "Pass"), (1, 2, "Pass")]


def test_the_expert_sees_the_chain_and_the_analysis() -> None:
    prepared = prepare(fakes.Checks(), rows(sets.DOUBTFUL))
    shown = prepared.for_expert(1)
    assert (shown.number, shown.ancestors) == (2, ("1. A pump comprising a housing.",))
    assert shown.analysis.phrases
