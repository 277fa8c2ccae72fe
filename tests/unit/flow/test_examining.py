"""What is kept of an examination, whether it ends in an answer or in a fault."""

import random
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest

from ace.claims.model import ClaimInput
from ace.errors import ExpertTransient
from ace.expert.client.control import ControlledExpert
from ace.expert.client.opinions import NO_SECOND
from ace.expert.prompt.rationale import Rationale
from ace.flow.analysing import with_analyses
from ace.flow.examining import _delay, _examination, _ground
from ace.store.reads import Held, Taken
from tests import fakes

PASS = Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass")
HELD = Held(
    evaluation_id=UUID(int=1),
    filing_id=UUID(int=2),
    tenant="office",
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

    analysed = with_analyses(fakes.Checks(), Taken([HELD], {}))

    examination, _ = _examination(
        HELD, analysed, {"east": ControlledExpert(expert)}, opinions=NO_SECOND, clock=lambda: expert.now
    )

    assert (examination.seconds, examination.error) == (7, error)


@pytest.mark.parametrize(
    ("text", "answer", "ground"),
    [
        ("A hook.", {"verdict": "Pass"}, None),
        ("A hook.", {"verdict": "Fail", "reasoning": "[antecedent] defect"}, "rejection"),
        ("A hook", {"verdict": "Fail", "reasoning": "The [syntax] is wrong."}, "objection"),
        (
            "A hook, wherein the lever",
            {"verdict": "Fail", "reasoning": "The [syntax] is wrong."},
            "rejection",
        ),
    ],
    ids=["Pass", "by class", "by finding", "another finding draws more"],
)
def test_a_fail_of_the_expert_draws_what_the_findings_do_or_its_class(
    text: str, answer: dict[str, Any], ground: str | None
) -> None:
    held = replace(HELD, claim=ClaimInput(1, text))
    analysed = with_analyses(fakes.Checks(), Taken([held], {}))
    expert = fakes.Expert([Rationale(**{"reasoning": "Step 3 [Verdict]: it passes."} | answer)])
    examination, _ = _examination(
        held, analysed, {"east": ControlledExpert(expert)}, opinions=NO_SECOND, clock=lambda: 1.0
    )
    assert _ground(examination, analysed) == ground


def test_each_refusal_of_a_busy_expert_doubles_the_wait() -> None:
    # Given refusals in a row, and a rng that draws the shortest wait
    dice = random.Random()
    dice.uniform = lambda low, _: low  # type: ignore[method-assign]
    busy = ExpertTransient("overloaded", "busy")

    waits = [_delay(busy, replace(HELD, outages=outages), dice) for outages in (0, 1, 2, 30)]

    # Then they double, and a claim is given up at no number of them
    assert waits == [2.5, 5.0, 10.0, 160.0]
