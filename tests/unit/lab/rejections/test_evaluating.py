"""Two applications worked out by hand: recall, reasons, false alarms, escalation, findings."""

import json
from pathlib import Path
from typing import Any

import pytest

from ace_lab.experts.opinions import Opinion
from ace_lab.rejections.rejection_file import read_rejections
from ace_lab.rejections.report import Evaluated, evaluate
from ace_lab.rejections.tables import page, tables

from .scripted import ScriptedEngine, ScriptedExpert

PUMP = [
    "A pump comprising a lever and a rod.",
    "The pump of claim 1, wherein the spring is steel.",
    "The pump of claim 1, wherein the rod is substantially long.",
    "The pump of claim 2, wherein the rod is round.",
]
LAMP = [
    "A lamp comprising a bulb.",
    "The lamp of claim 1, wherein the bulb is red.",
    "The lamp of claim 1, wherein the spoke is flat.",
]
PASS = Opinion(False, None, (), 0.1, 10)

GATEKEEPER = {
    PUMP[1]: (0.99, "antecedent", "spring"),  # found, sure
    PUMP[2]: (0.45, "ambiguity", ""),  # missed, in great doubt
    PUMP[3]: (0.99, "syntax", ""),  # a Fail that counts for nothing: rejected for its parent
    LAMP[1]: (0.30, "logical", ""),  # missed, in doubt
    LAMP[2]: (0.10, "antecedent", ""),  # rightly passed, in a little doubt
}
EXPERT = {
    PUMP[0]: PASS,
    PUMP[1]: PASS,
    PUMP[2]: Opinion(
        True, "ambiguity", ("substantially long",), 0.1, 10, (("ambiguity", "substantially long"),)
    ),
    PUMP[3]: PASS,
    LAMP[0]: PASS,
    LAMP[2]: Opinion(True, "antecedent", ("the spoke",), 0.1, 10, (("antecedent", "the spoke"),)),
}
TAU = 0.5  # U of P_inv 0.45 is 0.688, of 0.30 0.611, of 0.10 0.325


def line(
    application: str, texts: list[str], number: Any, category: str | None, quote: str | None
) -> dict[str, Any]:
    claims = [{"num": at, "text": text} for at, text in enumerate(texts, start=1)]
    return {
        "application": application,
        "claims": claims,
        "claim_num": number,
        "reason": "because",
        "category": category,
        "quote": quote,
    }


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(
        tmp_path / "real.jsonl",
        {**line("1", PUMP, 2, "antecedent", "the spring"), "dependent_on": [4]},
        line("1", PUMP, 2, "antecedent", "said Spring"),  # the same objection again
        line("1", PUMP, "3", "ambiguity", "substantially long"),
        line("2", LAMP, 2, "other", None),
    )


@pytest.fixture
def evaluated(file: Path) -> Evaluated:
    return evaluate(read_rejections(file), ScriptedEngine(GATEKEEPER, TAU), ScriptedExpert(EXPERT), draws=200)


def test_the_file_is_counted(evaluated: Evaluated) -> None:
    file = evaluated.report["file"]
    assert (file["applications"], file["claim_sets"], file["claims"]) == (2, 2, 7)
    assert (file["rejected_claims"], file["clean_claims"], file["set_aside"]) == (3, 3, 1)
    assert (file["objections"], file["objections_with_reason_to_match"]) == (3, 2)


@pytest.mark.parametrize(
    ("judge", "recall", "alarms", "precision", "reasons"),
    [
        ("gatekeeper", (1, 3), (0, 3), (1, 1), (1, 2)),
        ("expert", (1, 3), (1, 3), (1, 2), (1, 2)),
        ("hybrid", (2, 3), (0, 3), (2, 2), (2, 2)),
    ],
)
def test_each_judge(
    evaluated: Evaluated,
    judge: str,
    recall: tuple[int, int],
    alarms: tuple[int, int],
    precision: tuple[int, int],
    reasons: tuple[int, int],
) -> None:
    found = evaluated.report["judges"][judge]
    shares = (found["recall"], found["false_alarms"], found["precision"], found["reason_match"]["all"])
    assert [(share["hits"], share["of"]) for share in shares] == [recall, alarms, precision, reasons]
    for share in shares:
        assert share["low"] <= share["value"] <= share["high"]


def test_recall_by_category(evaluated: Evaluated) -> None:
    judges = evaluated.report["judges"]
    by_category = {name: judge["recall_by_category"] for name, judge in judges.items()}
    assert {kind: share["value"] for kind, share in by_category["hybrid"].items()} == {
        "antecedent": 1.0,
        "ambiguity": 1.0,
        "other": 0.0,
    }
    assert by_category["structural"]["antecedent"]["value"] == 1.0
    assert judges["expert"]["failed_examinations"] == {"timeout": 1}


def test_escalation(evaluated: Evaluated) -> None:
    """Of 7 claims 30 % are 2: the two in most doubt; of the 3 rejected ones 40 % are 1."""
    rows = {row["escalation"]: row for row in evaluated.report["escalation"]}
    assert [rows[share]["escalated"] for share in (0.0, 0.1, 0.3, 0.5, 1.0)] == [0, 0, 2, 3, 7]
    assert [rows[share]["recall_of_file"]["hits"] for share in (0.0, 0.3, 0.5, 1.0)] == [1, 2, 2, 1]
    assert [rows[share]["recall_of_rejected"]["hits"] for share in (0.1, 0.3, 0.4, 0.5)] == [1, 1, 2, 2]
    assert [rows[share]["false_alarms"]["hits"] for share in (0.3, 0.5, 1.0)] == [0, 1, 1]
    assert evaluated.report["calibration"]["escalated"] == round(2 / 7, 4)


def test_findings_per_application(evaluated: Evaluated) -> None:
    """The rules see the spring and the spoke: one antecedent finding in each application."""
    findings = evaluated.report["findings"]
    assert findings["per_application"]["antecedent"]["value"] == 1.0
    assert findings["objections_matched"]["antecedent"]["hits"] == 1


def test_ranking_within_an_application(evaluated: Evaluated) -> None:
    """Pump: both rejected claims above the only clean one. Lamp: above both."""
    share = evaluated.report["ranking_within_application"]
    assert (share["hits"], share["of"]) == (4, 4)


def test_misses_are_for_people_and_the_report_holds_no_text(evaluated: Evaluated) -> None:
    (miss,) = evaluated.misses
    assert (miss["application"], miss["claim_num"], miss["text"]) == ("2", 2, LAMP[1])
    shown = json.dumps(evaluated.report) + page(evaluated.report) + str(tables(evaluated.report))
    assert not any(word in shown for word in ("spring", "gasket", "bulb", "because"))


def test_a_gatekeeper_that_points_at_nothing_has_no_reasons_to_match(file: Path) -> None:
    silent = {text: (invalid, kind, "") for text, (invalid, kind, _) in GATEKEEPER.items()}
    report = evaluate(read_rejections(file), ScriptedEngine(silent, TAU), None, draws=50).report
    assert report["judges"]["gatekeeper"]["reason_match"]["antecedent"]["value"] is None
    assert report["judges"]["gatekeeper"]["recall"]["hits"] == 1
    assert tables(report)


def test_without_an_expert(file: Path) -> None:
    report = evaluate(read_rejections(file), ScriptedEngine(GATEKEEPER, TAU), None, draws=50).report
    assert set(report["judges"]) == {"gatekeeper", "structural"}
    assert "escalation" not in report
    assert [each.title for each in tables(report)]


def test_a_claim_unchanged_in_a_later_version_is_scored_once(tmp_path: Path) -> None:
    amended = [*PUMP[:3], "The pump of claim 1, wherein the rod is square."]
    engine = ScriptedEngine(GATEKEEPER, TAU)
    path = written(
        tmp_path / "two.jsonl",
        line("1", PUMP, 2, "antecedent", "the spring"),
        line("1", amended, 2, "antecedent", "the spring"),
    )
    report = evaluate(read_rejections(path), engine, None, draws=50).report
    assert len(engine.scored) == report["file"]["claims"] == 5
    assert (
        report["file"]["claim_sets"],
        report["file"]["rejected_claims"],
        report["file"]["objections"],
    ) == (2, 1, 1)
    assert report["findings"]["per_application"]["antecedent"]["value"] == 1.0


def test_a_file_without_clean_claims_has_no_false_alarms_to_count(tmp_path: Path) -> None:
    path = written(tmp_path / "one.jsonl", line("1", PUMP[:1], 1, None, ""))
    report = evaluate(read_rejections(path), ScriptedEngine({}, TAU), ScriptedExpert(EXPERT), draws=50).report
    assert report["judges"]["hybrid"]["false_alarms"]["value"] is None
    assert page(report)
