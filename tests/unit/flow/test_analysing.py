"""The analyses of claims in a worker's hand: stored, of their sets, or of their chains; whatever rules do."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any
from uuid import UUID

import pytest

from ace.claim_work import analysed
from ace.claims.analysis import AnalysedClaim, analysis_of
from ace.claims.model import ClaimInput
from ace.claims.terms import NO_TERMS, terms_of
from ace.errors import Unavailable
from ace.flow import analysing
from ace.flow.analysing import Analysed, AnalysesInHand, with_analyses
from ace.store.reads import Held, Taken
from tests import fakes

CLAIMS = [
    (1, "A pump comprising a housing and a valve."),
    (2, "(Canceled)"),
    (3, "The pump of claim 1, wherein the lever is bent."),
    (4, "The pump of claim 2, wherein a port is round."),
]
ENDLESS = [(1, "An endless pump.")]
ONE, OTHER, THIRD = UUID(int=1), UUID(int=2), UUID(int=3)


def held(number: int, filing: UUID = ONE, tenant: str = "office", **more: Any) -> Held:
    claims = dict(CLAIMS)
    chain = (f"1. {claims[1]}",) if number == 3 else ()
    claim = ClaimInput(number, claims[number], chain)
    return Held(UUID(int=100 * filing.int + number), filing, tenant, 0, 0, claim, len(CLAIMS), **more)


def findings(found: Analysed) -> dict[int, list[str]]:
    return {
        one.claim.number: [each.rule_id for each in analysis_of(one.claim).reported()] for one in found.ready
    }


def test_the_claims_of_a_set_get_what_was_found_in_it() -> None:
    found = with_analyses(fakes.Checks(), Taken([held(1), held(3), held(4)], {ONE: CLAIMS}))
    assert findings(found) == {1: [], 3: ["antecedent.no_basis"], 4: ["dependency.canceled"]}
    assert json.loads(found.made[ONE]).keys() == {"1", "2", "3", "4"}
    assert found.new.version == analysing.RULES


def test_what_is_stored_is_not_made_again() -> None:
    stored = json.loads(analysed((CLAIMS, NO_TERMS)))["3"]

    class Idle(fakes.Checks):
        def _outcome(self, work: Any, item: Any) -> Any:
            raise AssertionError("a rule ran")

    found = with_analyses(Idle(), Taken([held(3, analysis=stored)], {}))
    assert findings(found) == {3: ["antecedent.no_basis"]}
    assert found.made == {}


def test_a_claim_of_a_set_that_is_too_long_is_read_with_its_chain() -> None:
    found = with_analyses(fakes.Checks(), Taken([held(1), held(3)], {}))
    assert findings(found) == {1: [], 3: ["antecedent.no_basis"]}
    assert found.made == {}


def test_a_broken_process_costs_the_analyses_of_its_filing_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking(asked: Any) -> str:
        claims, _ = asked
        if len(claims) == 1:
            raise RecursionError(claims[0][1])
        return analysed(asked)

    monkeypatch.setattr(analysing, "analysed", breaking)
    taken = Taken([held(1), held(3, OTHER)], {ONE: [(1, "A zyzzyva.")], OTHER: CLAIMS})
    with caplog.at_level(logging.ERROR):
        found = with_analyses(fakes.Checks(), taken)

    broken, sound = (one.claim for one in found.ready)
    assert isinstance(broken, AnalysedClaim)
    assert broken.analysis.failure == "RecursionError at here"
    assert analysis_of(sound).failure is None
    assert found.made.keys() == {OTHER}
    assert "zyzzyva" not in caplog.text
    assert [record.__dict__["why"] for record in caplog.records] == ["RecursionError at here"]


def test_a_set_that_takes_too_long_stops_its_claims_and_leaves_the_next_of_its_tenant_for_later() -> None:
    claims = [held(1), held(3), held(3, OTHER, "stranger"), held(3, THIRD)]
    found = with_analyses(fakes.Checks(), Taken(claims, {ONE: ENDLESS, OTHER: CLAIMS, THIRD: CLAIMS}))
    assert found.stopped == dict.fromkeys(
        (claims[0].evaluation_id, claims[1].evaluation_id), "check_too_slow"
    )
    assert [one.evaluation_id for one in found.ready] == [claims[2].evaluation_id]
    assert found.made.keys() == {OTHER}


class Counted(fakes.Checks):
    """Counts the sets that it analyses."""

    sets = 0

    def _outcome(self, work: Any, item: Any) -> Any:
        self.sets += 1
        return super()._outcome(work, item)


def test_messages_of_one_filing_share_its_analysis_until_it_is_stored() -> None:
    in_hand, checks = AnalysesInHand(), Counted()

    # Given a message that has not stored its analysis yet, when another one has claims of the same filing
    with (
        in_hand.of(checks, Taken([held(1)], {ONE: CLAIMS})) as first,
        in_hand.of(checks, Taken([held(3)], {ONE: CLAIMS})) as second,
    ):
        # Then one analysis serves both, and either may store it
        assert (findings(first), findings(second)) == ({1: []}, {3: ["antecedent.no_basis"]})
        assert first.made == second.made
    assert checks.sets == 1

    # And nothing is kept of it afterwards
    with in_hand.of(checks, Taken([held(4)], {ONE: CLAIMS})) as third:
        assert findings(third) == {4: ["dependency.canceled"]}
    assert checks.sets == 2


LEVER = terms_of(["lever"])


def test_each_tenant_has_its_own_term_list() -> None:
    claims = [held(3), held(3, OTHER, "stranger")]
    long = [held(3, THIRD), held(3, UUID(int=9), "stranger")]
    lists = {claims[0].tenant: LEVER}

    of_sets = with_analyses(fakes.Checks(), Taken(claims, {ONE: CLAIMS, OTHER: CLAIMS}, lists))
    of_chains = with_analyses(fakes.Checks(), Taken(long, {}, lists))

    for found in (of_sets, of_chains):
        assert [len(analysis_of(one.claim).reported()) for one in found.ready] == [0, 1]
    assert of_sets.new.terms == {ONE: LEVER.digest, OTHER: ""}


def test_messages_that_read_different_lists_share_no_analysis() -> None:
    in_hand, checks = AnalysesInHand(), Counted()
    with (
        in_hand.of(checks, Taken([held(3)], {ONE: CLAIMS})) as before,
        in_hand.of(checks, Taken([held(3)], {ONE: CLAIMS}, {held(3).tenant: LEVER})) as after,
    ):
        assert (findings(before), findings(after)) == ({3: ["antecedent.no_basis"]}, {3: []})
    assert checks.sets == 2


def test_a_message_does_not_wait_for_an_analysis_that_another_one_could_not_make() -> None:
    in_hand, begun, waits = AnalysesInHand(), Event(), Event()

    class Failing(fakes.Checks):
        def _outcome(self, work: Any, item: Any) -> Any:
            begun.set()
            assert waits.wait(60)
            raise KeyboardInterrupt

    class Waiting(fakes.Checks):
        def _outcome(self, work: Any, item: Any) -> Any:
            waits.set()
            return super()._outcome(work, item)

    def fails() -> None:
        with in_hand.of(Failing(), Taken([held(1)], {ONE: CLAIMS})):
            raise AssertionError("it was analysed")

    def shares() -> None:
        assert begun.wait(60)
        taken = Taken([held(3), held(1, OTHER)], {ONE: CLAIMS, OTHER: CLAIMS})
        with in_hand.of(Waiting(), taken):
            raise AssertionError("it was analysed")

    # Given two messages of one filing, when the one that analyses it breaks off
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.submit(fails), pool.submit(shares)

    # Then the other is given up too
    assert isinstance(one.exception(), KeyboardInterrupt)
    assert isinstance(other.exception(), Unavailable)
