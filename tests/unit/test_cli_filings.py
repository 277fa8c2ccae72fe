"""What `ace status` shows of a verdict that somebody should look at."""

from pathlib import Path
from typing import Any

import pytest

from ace.cli.doubt import records
from ace.cli.evaluations import (
    COLUMNS,
    NO_FILINGS,
    failure_line,
    gatekeeper_dispute,
    row,
    show_evaluations,
    show_findings,
    show_verification,
)
from ace.gatekeeper.loading import FOR_ANY_EXPERT, FOR_EXAMINER, SHIPPED_MODEL
from ace.routing.calibration import Calibration, record_file
from ace.routing.doubt_rank import rank_cell, words_of
from ace.types.failure_words import UNKNOWN
from ace.types.faults import ERRORS
from patent_ace_client import Evaluation, Findings, Rationale
from tests.unit.client import test_client as answers

EVALUATION = Evaluation.model_validate(
    {
        **answers.EVALUATION,
        "claim": 3,
        "error_class": "ambiguity",
        "ground": None,
        "score": "h6",
        "doubt": 0.9,
    }
)
FOUND = {
    "class": "antecedent",
    "quote": "the hook",
    "law": "35 U.S.C. 112(b)",
    "explanation": "It has no basis.",
    "start": 4,
    "end": 12,
}
MADE_UP = {**dict.fromkeys(FOUND), "quote": "the lever"}
AGAINST = {"kind": "unproved", "expert": "The expert fails the claim.", "against": "It quotes no defect."}


def changed(**changes: Any) -> Evaluation:
    return Evaluation.model_validate({**EVALUATION.as_dict(), **changes})


def cells(one: Evaluation) -> dict[str, Any]:
    return dict(zip(COLUMNS, row(one, records([one.calibration])), strict=True))


def test_a_row_names_the_docket_a_disputed_verdict_and_the_rank_of_its_doubt() -> None:
    shown = cells(changed(disputed=True))
    assert (shown["docket"], shown["verdict"], shown["doubt"]) == (
        EVALUATION.docket,
        "Fail, disputed",
        "above bound",
    )
    assert cells(EVALUATION)["verdict"] == "Fail"
    assert (shown["class"], shown["ground"]) == ("ambiguity", None)
    assert cells(changed(ground="rejection"))["ground"] == "rejection"
    shown = cells(changed(verdict=None, doubt=None))
    assert (shown["verdict"], shown["doubt"]) == (None, None)


RANKED = [
    (FOR_ANY_EXPERT, 0.05, "claims escalate from 80 %."),
    (FOR_ANY_EXPERT, 0.2, "claims escalate from 80 %."),
    (FOR_EXAMINER, -0.305, "this record asks no expert."),
]


@pytest.mark.parametrize(("named", "doubt", "bound"), RANKED)
def test_a_list_says_what_doubt_means(
    named: Path, doubt: float, bound: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record = Calibration.load(record_file(SHIPPED_MODEL, named))
    show_evaluations([changed(doubt=doubt, tau=record.tau, calibration=record.id)], nothing="")
    shown = capsys.readouterr().out
    assert rank_cell(record, doubt, record.tau) in shown
    assert shown.endswith(f"\nDoubt is {words_of(record).legend}; {bound}\n")


def test_a_list_without_claims_says_so_in_the_place_of_headings(capsys: pytest.CaptureFixture[str]) -> None:
    show_evaluations([], nothing=NO_FILINGS)
    assert capsys.readouterr().out == f"{NO_FILINGS}\n"


def test_what_failed_is_explained_once_for_each_error_with_the_command_that_replays_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lost = {"state": "failed", "verdict": None, "doubt": None}
    several = [changed(id=f"e-{n}", error="timeout", **lost) for n in range(2)]
    show_evaluations([*several, changed(id="e-3", error="poison", **lost)], nothing="")
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("failed")]
    assert len(told) == 2
    assert told[0].startswith(
        "failed (timeout): the expert did not answer in time. Give the expert more capacity"
    )
    assert told[0].endswith("ace replay --error timeout")
    assert told[1].endswith("ace replay e-3")


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_is_explained(error: str) -> None:
    assert "ace replay e-1" in failure_line(error, ["e-1"])
    assert UNKNOWN.happened not in failure_line(error, ["e-1"])
    assert UNKNOWN.happened in failure_line("from a newer version", ["e-1"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "decided"),
        ({"state": "failed", "error": "timeout"}, "failed (timeout)"),
        ({"superseded_by": "e-2"}, "decided, superseded"),
    ],
)
def test_a_row_says_whether_the_evaluation_counts(changes: dict[str, Any], words: str) -> None:
    assert cells(changed(**changes))["state"] == words


def test_the_doubt_of_a_test_is_explained() -> None:
    assert "test claims never go to the expert" in gatekeeper_dispute(changed(would_escalate=True))


def test_findings_are_shown_with_what_they_draw_and_remarks_after_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = {"subtype": "no_period", "class": "syntax", "law": "37 CFR 1.75", "explanation": "No period."}
    found = {**answers.FINDING, **told, "ground": "objection"}
    remark = {
        "kind": "markush",
        "law": "MPEP 2117",
        "start": 0,
        "end": 1,
        "quote": "a group",
        "explanation": "Something follows.",
    }
    both = {"findings": [found, {**found, "ground": None}], "remarks": [remark, {**remark, "quote": None}]}
    show_findings(Findings.model_validate({**answers.FINDINGS, **both}))
    assert capsys.readouterr().out.splitlines() == [
        "warning, objection: syntax.no_period: No period. [37 CFR 1.75]",
        "warning: syntax.no_period: No period. [37 CFR 1.75]",
        "remark: markush: a group: Something follows. [MPEP 2117]",
        "remark: markush: (purged): Something follows. [MPEP 2117]",
    ]


def test_a_dispute_of_the_gatekeeper_s_verdict_is_put_into_words() -> None:
    assert "passes the claim" in gatekeeper_dispute(changed(verdict="Pass"))
    failed = changed(span={"start": 4, "end": 12})
    assert "fails the claim for characters 4 to 12" in gatekeeper_dispute(failed)


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, []),
        ({"opinions": 1, "agreeing": 1}, []),
        (
            {"findings": [FOUND, MADE_UP]},
            [
                "expert: antecedent: 'the hook' (characters 4 to 12) [35 U.S.C. 112(b)]",
                "expert: defect: 'the lever' (not in the claim)",
            ],
        ),
        (
            {"disagreements": [AGAINST], "opinions": 3, "agreeing": 2},
            [
                "disputed, unproved: The expert fails the claim. It quotes no defect.",
                "opinions: 2 of 3 say Fail",
            ],
        ),
    ],
)
def test_the_expert_s_answer_is_shown_with_what_it_is_worth(
    changes: dict[str, object], lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rationale = Rationale.model_validate({**answers.EVALUATION["rationale"], **changes})
    show_verification(EVALUATION, rationale)
    assert capsys.readouterr().out.split("\n") == [*lines, "", ""] if lines else [""]
