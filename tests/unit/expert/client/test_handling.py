"""The one table of faults: it knows every kind, and no row contradicts itself."""

from ace.claims.model import ClaimInput
from ace.expert.client.handling import HANDLING, Blame, handling_of
from ace.expert.client.remedies import Question, remedy
from ace.expert.client.retry import MAX_EXAMINATIONS
from ace.expert.prompt.copt import PROMPTS
from ace.types.faults import FaultKind


def test_every_kind_has_its_row() -> None:
    assert HANDLING.keys() == set(FaultKind)
    assert handling_of("unheard of") == handling_of("schema")


def test_no_claim_fails_for_what_is_not_its_own() -> None:
    assert {row.blame for row in HANDLING.values() if row.permanent} == {Blame.ANSWER}
    assert {row.blame for row in HANDLING.values() if not row.spends} == set(Blame) - {Blame.ANSWER}


def test_a_claim_that_breaks_servers_is_not_tried_for_ever() -> None:
    had_it_in_hand = {"generation", "incomplete", "timeout", "dripping"}
    assert all(HANDLING[kind].spends for kind in had_it_in_hand)


def test_what_no_other_question_cured_is_examined_less_often() -> None:
    asked = Question(ClaimInput(1, "A lamp.", ()), 1, PROMPTS["v2"], 1_000)
    remedied = {kind.value for kind in FaultKind if remedy(asked, kind)}
    fewer = {kind: row.examinations for kind, row in HANDLING.items() if row.examinations}
    assert fewer.keys() == remedied
    assert all(1 < most < MAX_EXAMINATIONS for most in fewer.values())
