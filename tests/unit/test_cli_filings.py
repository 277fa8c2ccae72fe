"""What `ace status` shows of a verdict that somebody should look at."""

from dataclasses import replace

import pytest

from ace.cli.evaluations import COLUMNS, gatekeeper_dispute, row, show_findings, show_verification
from ace.client import Disagreement, Evaluation, ExpertFinding, Finding, Findings, Remark

EVALUATION = Evaluation(
    id="e-1",
    filing="f-1",
    docket="P-1",
    claim=3,
    state="decided",
    verdict="Fail",
    decided_by="expert",
    error_class="ambiguity",
    probabilities=None,
    u=0.6,
    h6=0.9,
    tau=0.4,
    model="m",
    calibration="c",
    rationale="Step 1.",
    expert_model="x",
    prompt_version="v",
    examined=1,
    error=None,
    moves=5,
    created_at="",
    updated_at="",
    score="h6",
    doubt=0.9,
)
FOUND = ExpertFinding("antecedent", "the hook", "35 U.S.C. 112(b)", "It has no basis.", 4, 12)
MADE_UP = ExpertFinding(None, "the lever", None, None, None, None)
AGAINST = Disagreement("unproved", "The expert fails the claim.", "It quotes no defect.")


def test_a_row_says_that_a_verdict_is_disputed_and_what_was_compared_with_tau() -> None:
    shown = dict(zip(COLUMNS, row(replace(EVALUATION, disputed=True)), strict=True))
    assert (shown["verdict"], shown["doubt"], shown["tau"]) == ("Fail, disputed", "0.900", "0.400")
    assert row(EVALUATION)[1] == "Fail"
    assert (shown["class"], shown["ground"]) == ("ambiguity", None)
    assert (
        dict(zip(COLUMNS, row(replace(EVALUATION, ground="rejection")), strict=True))["ground"] == "rejection"
    )
    assert row(replace(EVALUATION, verdict=None, doubt=None))[1:6:4] == [None, None]


def test_findings_are_shown_with_what_they_draw_and_remarks_after_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    of_old = Finding(1, "syntax", "no_period", "37 CFR 1.75", "warning", 0, 1, "a", "No period.", 0.9)
    found = replace(of_old, ground="objection")
    remark = Remark(1, "markush", "MPEP 2117", 0, 1, "a group", "Something follows.")
    show_findings(
        Findings(
            "e-1", 1, "stored", "US", 0.5, "r", None, (found, of_old), (remark, replace(remark, quote=None))
        )
    )
    assert capsys.readouterr().out.splitlines() == [
        "warning, objection: syntax.no_period: No period. [37 CFR 1.75]",
        "warning: syntax.no_period: No period. [37 CFR 1.75]",
        "remark: markush: a group: Something follows. [MPEP 2117]",
        "remark: markush: (purged): Something follows. [MPEP 2117]",
    ]


def test_a_dispute_of_the_gatekeeper_s_verdict_is_put_into_words() -> None:
    assert "passes the claim" in gatekeeper_dispute(replace(EVALUATION, verdict="Pass"))
    failed = replace(EVALUATION, span={"start": 4, "end": 12})
    assert "fails the claim for characters 4 to 12" in gatekeeper_dispute(failed)


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({}, []),
        ({"opinions": 1, "agreeing": 1}, []),
        (
            {"expert_findings": (FOUND, MADE_UP)},
            [
                "expert: antecedent: 'the hook' (characters 4 to 12) [35 U.S.C. 112(b)]",
                "expert: defect: 'the lever' (not in the claim)",
            ],
        ),
        (
            {"disagreements": (AGAINST,), "opinions": 3, "agreeing": 2},
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
    show_verification(replace(EVALUATION, **changes))
    assert capsys.readouterr().out.split("\n") == [*lines, "", ""] if lines else [""]
