"""Whose fault it is: the control question tells, when it is asked and how often."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.answer import Answer
from ace.expert.client.control import CONTROL, ControlledExpert, suspected
from ace.expert.client.handling import HANDLING, MAX_EXAMINATIONS, Suspicion
from ace.expert.prompt.rationale import Rationale

SECRET = "zirconium"
CLAIM = ClaimInput(2, f"The lamp of claim 1, wherein the base is of {SECRET}.", ("1. A lamp.",))
GOOD = Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass")


@dataclass
class Server:
    """An expert that fails with `kind` on the claims that `bad` names."""

    kind: str
    bad: Callable[[ClaimInput], bool]
    prompt_version: str = "copt-test"
    asked: list[ClaimInput] = field(default_factory=list)

    def examine(
        self, claim: ClaimInput, total: int, *, opinion: int = 0, budget_seconds: float | None = None
    ) -> Answer:
        del total, opinion, budget_seconds
        self.asked.append(claim)
        if self.bad(claim):
            raise ExpertTransient(self.kind, "no")
        return Answer(
            raw="{}", rationale=GOOD, model="m", prompt_tokens=None, completion_tokens=None, seconds=0.1
        )


def everything(_claim: ClaimInput) -> bool:
    return True


def this_claim(claim: ClaimInput) -> bool:
    return claim == CLAIM


def examined(server: Server, controlled: ControlledExpert, suspect: str | None = None) -> Any:
    """The fault that an examination of the claim ends in."""
    with pytest.raises((ExpertTransient, ExpertPermanent)) as caught:
        controlled.examined(partial(server.examine, CLAIM, 2), suspect=suspect)
    return caught.value


AT_ONCE = [kind for kind, row in HANDLING.items() if row.suspicion is Suspicion.AT_ONCE]
NEXT_TIME = [kind for kind, row in HANDLING.items() if row.suspicion is Suspicion.NEXT_TIME]


@pytest.mark.parametrize("kind", AT_ONCE)
def test_a_fault_is_the_claim_s_own_if_the_control_question_is_answered(kind: str) -> None:
    for bad, own in ((this_claim, True), (everything, False)):
        server = Server(kind, bad)
        fault = examined(server, ControlledExpert(server))
        assert (fault.kind, fault.own) == (kind, own)
        assert server.asked == [CLAIM, CONTROL]


@pytest.mark.parametrize("kind", NEXT_TIME)
def test_an_endpoint_that_the_claim_may_have_broken_is_asked_before_the_next_examination(kind: str) -> None:
    for bad, own, asked in ((this_claim, True, [CONTROL, CLAIM]), (everything, False, [CONTROL])):
        server = Server(kind, bad)
        controlled = ControlledExpert(server)
        assert not examined(server, controlled).own
        assert server.asked == [CLAIM]
        server.asked.clear()
        assert examined(server, controlled, suspected(kind, 1)).own is own
        assert server.asked == asked


@pytest.mark.parametrize("kind", ["unreachable", "untrusted"])
def test_what_never_reached_the_endpoint_is_not_the_claim_s(kind: str) -> None:
    server = Server(kind, this_claim)
    assert not examined(server, ControlledExpert(server)).own
    assert server.asked == [CLAIM]


def test_a_busy_endpoint_is_asked_only_after_many_refusals_of_one_claim() -> None:
    server = Server("overloaded", this_claim)
    controlled = ControlledExpert(server)
    assert not examined(server, controlled, suspected("overloaded", MAX_EXAMINATIONS - 1)).own
    assert server.asked == [CLAIM]
    assert examined(server, controlled, suspected("overloaded", MAX_EXAMINATIONS)).own
    # and a busy moment right after another fault is nobody's fault
    assert not examined(server, controlled, suspected("timeout", 1)).own


def test_a_claim_that_was_never_asked_about_has_no_control_question() -> None:
    server = Server("schema", everything)

    def stopped() -> None:
        raise ExpertPermanent("check_too_slow", "no", own=True)

    with pytest.raises(ExpertPermanent) as caught:
        ControlledExpert(server).examined(stopped)
    assert caught.value.own
    assert server.asked == []


@pytest.mark.parametrize("bad", [this_claim, everything])
def test_threads_that_fail_together_ask_one_control_question(bad: Callable[[ClaimInput], bool]) -> None:
    server, threads = Server("schema", bad), 8
    controlled, all_failed = ControlledExpert(server), Barrier(threads)

    def examine() -> None:
        all_failed.wait(20)
        server.examine(CLAIM, 2)

    def run(_: int) -> bool:
        with pytest.raises(ExpertTransient) as caught:
            controlled.examined(examine)
        return caught.value.own

    with ThreadPoolExecutor(threads) as pool:
        own = list(pool.map(run, range(threads)))

    assert own == [bad is this_claim] * threads
    assert 1 <= server.asked.count(CONTROL) <= threads
    assert bad is this_claim or server.asked.count(CONTROL) == 1


def test_an_endpoint_that_answers_nobody_is_logged_once_until_it_answers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = Server("refused", everything)
    controlled = ControlledExpert(server, "east")
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            examined(server, controlled)
        (first,) = caplog.records
        server.bad = lambda _claim: False
        controlled.examined(partial(server.examine, CLAIM, 2))
        server.bad = everything
        examined(server, controlled)

    assert (first.levelname, first.__dict__["endpoint"], first.__dict__["fault"]) == (
        "ERROR",
        "east",
        "refused",
    )
    assert len(caplog.records) == 2
    assert SECRET not in caplog.text
