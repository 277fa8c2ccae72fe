"""The one table of faults: it knows every kind, and no row contradicts itself."""

from ace.claims.model import ClaimInput
from ace.expert.client.handling import HANDLING, MAX_EXAMINATIONS, Blame, Suspicion, handling_of
from ace.expert.client.remedies import Question, remedy
from ace.expert.prompt.copt import PROMPTS
from ace.types.faults import FaultKind


def test_every_kind_has_its_row() -> None:
    assert HANDLING.keys() == set(FaultKind)


def test_what_is_none_of_the_expert_s_fails_a_claim_at_once() -> None:
    other = handling_of("check_too_slow")
    assert (other.suspicion, other.examinations) == (Suspicion.NONE, 1)


def test_no_claim_is_suspected_that_the_endpoint_never_saw() -> None:
    unsuspected = {kind for kind, row in HANDLING.items() if row.suspicion is Suspicion.NONE}
    assert unsuspected == {FaultKind.UNREACHABLE, FaultKind.UNTRUSTED}


def test_an_endpoint_that_a_claim_may_have_broken_is_given_time() -> None:
    had_it_in_hand = {"generation", "incomplete", "reset", "timeout", "dripping"}
    given_time = {kind for kind, row in HANDLING.items() if row.suspicion is Suspicion.NEXT_TIME}
    assert given_time == had_it_in_hand


def test_a_busy_endpoint_is_asked_nothing_more_at_once() -> None:
    busy = {kind for kind, row in HANDLING.items() if row.blame is Blame.LOAD}
    assert {HANDLING[kind].suspicion for kind in busy} == {Suspicion.IN_THE_END}


def test_what_no_other_question_cured_is_examined_less_often() -> None:
    asked = Question(ClaimInput(1, "A lamp.", ()), 1, PROMPTS["v2"], 1_000)
    remedied = {kind.value for kind in FaultKind if remedy(asked, kind)}
    fewer = {kind: row.examinations for kind, row in HANDLING.items() if row.examinations < MAX_EXAMINATIONS}
    assert fewer.keys() == remedied | {FaultKind.TOO_LONG, FaultKind.VALIDATION}
    assert all(examinations > 2 for examinations in fewer.values())
