"""What `ace demo` shows of its evaluations, and sums up of them."""

import pytest

from ace.cli.demo import _plain, _show_filing, _summary
from ace.local.samples import Sample
from ace_client import Evaluation
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
    _show_filing(sample, {3: "A lamp."}, [changed(disputed=True)])
    assert "Fail, disputed" in capsys.readouterr().out
    assert _plain(changed(disputed=True))["disputed"] is True
