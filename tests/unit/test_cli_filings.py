"""What `ace status` shows of a verdict that somebody should look at."""

from typing import Any

import pytest

from ace.cli.evaluations import COLUMNS, gatekeeper_dispute, row, show_findings, show_verification
from ace_client import Evaluation, Findings, Rationale
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


def test_a_row_says_that_a_verdict_is_disputed_and_what_was_compared_with_tau() -> None:
    shown = dict(zip(COLUMNS, row(changed(disputed=True)), strict=True))
    assert (shown["verdict"], shown["doubt"], shown["tau"]) == ("Fail, disputed", "0.900", "0.400")
    assert row(EVALUATION)[1] == "Fail"
    assert (shown["class"], shown["ground"]) == ("ambiguity", None)
    assert dict(zip(COLUMNS, row(changed(ground="rejection")), strict=True))["ground"] == "rejection"
    assert row(changed(verdict=None, doubt=None))[1:6:4] == [None, None]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "decided"),
        ({"state": "failed", "error": "timeout"}, "failed (timeout)"),
        ({"superseded_by": "e-2"}, "decided, superseded"),
    ],
)
def test_a_row_says_whether_the_evaluation_counts(changes: dict[str, Any], words: str) -> None:
    assert dict(zip(COLUMNS, row(changed(**changes)), strict=True))["state"] == words


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
