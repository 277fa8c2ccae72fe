"""What is kept of an examination, whether it ends in an answer or in a fault."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from ace.claims.model import ClaimInput
from ace.errors import ExpertTransient
from ace.expert.client.opinions import NO_SECOND
from ace.expert.prompt.rationale import Rationale
from ace.flow.examining import _examination
from ace.store.reads import Held
from tests import fakes

PASS = Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass")
HELD = Held(
    evaluation_id=UUID(int=1),
    filing_id=UUID(int=2),
    examined=0,
    outages=0,
    claim=ClaimInput(1, "A hook."),
    total=1,
    endpoint="east",
)


@dataclass
class Slow(fakes.Expert):
    """Takes seven seconds of a clock that only it moves."""

    now: float = 100.0

    def examine(self, *arguments: Any, **options: Any) -> Any:
        self.now += 7
        return super().examine(*arguments, **options)


@pytest.mark.parametrize(
    ("outcome", "error"),
    [(PASS, None), (ExpertTransient("timeout", "late"), "timeout")],
    ids=["answer", "fault"],
)
def test_the_seconds_of_an_examination_are_those_that_passed(outcome: Any, error: str | None) -> None:
    expert = Slow([outcome])

    examination, _ = _examination(HELD, {"east": expert}, opinions=NO_SECOND, clock=lambda: expert.now)

    assert (examination.seconds, examination.error) == (7, error)
