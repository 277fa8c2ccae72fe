"""What `ace demo` shows of its evaluations, and sums up of them."""

from pathlib import Path
from typing import Any

import pytest

from ace.claims.taxonomy import ErrorClass
from ace.cli.demo import _about_expert, _compared, _plain, _show_filing, _summary
from ace.local.samples import Sample
from ace.settings import Settings
from patent_ace_client import Evaluation
from tests.unit.test_cli_filings import changed

FAST = changed(decided_by="gatekeeper")
SLOW = changed(decided_by="expert")
FAILED = changed(state="failed", decided_by=None)


@pytest.mark.parametrize(
    ("evaluations", "decided", "failed", "rate"),
    [
        ([], 0, 0, 1),
        ([FAST], 1, 0, 0),
        ([SLOW], 1, 0, 1),
        ([FAST, FAST, FAST, SLOW], 4, 0, 0.25),
        ([FAST, FAILED], 1, 1, 0.5),
    ],
)
def test_table(evaluations: list[Evaluation], decided: int, failed: int, rate: float) -> None:
    told = _summary(evaluations, 1.23456)
    assert (told["claims"], told["decided"], told["failed"]) == (len(evaluations), decided, failed)
    assert (told["escalation_rate"], told["seconds"]) == (rate, 1.235)


def test_a_disputed_verdict_is_shown_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    sample = Sample("P-1", "A lamp", "lighting", "", {})
    _show_filing(sample, {3: "A lamp."}, [changed(disputed=True)], {})
    assert "Fail, disputed" in capsys.readouterr().out
    assert _plain(changed(disputed=True))["disputed"] is True


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        (("Fail", "Pass"), "2 of 2 verdicts agree with what was planted"),
        (("Pass", "Pass"), "1 of 2 verdicts agree with what was planted; the others: P-1, claim 3"),
        (("Fail", None), "1 of 1 verdict agree with what was planted"),
    ],
)
def test_verdicts_are_compared_with_what_was_planted(verdicts: tuple[str | None, ...], words: str) -> None:
    sample = Sample("P-1", "A lamp", "lighting", "", {3: ErrorClass.ANTECEDENT})
    ones = [changed(claim=claim, verdict=verdict) for claim, verdict in zip((3, 4), verdicts, strict=True)]
    assert _compared([(sample, {}, ones)]) == words


@pytest.mark.parametrize(
    ("settings", "words", "silent"),
    [
        ({}, "This demo sends it the most doubtful claims all the same", "ACE_EXPERT_URL"),
        ({"calibration": Path("mine.json")}, "not a language model", "all the same"),
        ({"expert_url": "http://tgi:8080"}, "the server at ACE_EXPERT_URL", "rules"),
    ],
)
def test_the_demo_says_who_the_expert_is_and_why_it_is_asked(
    settings: dict[str, Any], words: str, silent: str
) -> None:
    told = _about_expert(Settings(_env_file=None, **settings))
    assert words in told
    assert silent not in told
