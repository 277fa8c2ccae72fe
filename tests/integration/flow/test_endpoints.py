"""Endpoints of the expert on a real database: slots, breakers, failover, and dispatchers that agree."""

import random
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.pacing.breaker import FAULTS_IN_A_ROW
from ace.expert.prompt.rationale import Rationale
from ace.store import endpoints, moves
from ace.store.database import transact
from ace.store.endpoints import Declared
from ace.store.tables import Stage
from ace.types.endpoint_state import Breaker
from tests import factories, fakes
from tests.integration.flow.examining import examine_by

PASS: Final = Rationale(reasoning="Step 3 [Verdict]: it passes.", verdict="Pass")
AWAY: Final = ExpertTransient("unreachable", "no")
LIMITS: Final = flow.DispatchLimits(
    fast_lease_seconds=10,
    slow_lease_seconds=10,
    message_budget_tokens=10_000,
    message_max_claims=100,
    fast_waiting_messages=4,
    expert_slots=4,
    max_tries=3,
)
TWO: Final = replace(LIMITS, endpoints=(Declared("east", 1, 4), Declared("west", 1, 4)))


@pytest.fixture(autouse=True)
def seeded_ids(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The same ids in every run: the id of a filing decides which endpoint is its home."""
    dice = random.Random(getattr(request, "param", 1))
    monkeypatch.setattr(
        "ace.store.moves.submission.new_ids",
        lambda _, count: [UUID(int=dice.getrandbits(128), version=4) for _ in range(count)],
    )


def escalated(db: Engine, claims: int, *, filings: int = 1) -> None:
    """So many claims that wait for the expert, in each of so many filings."""
    factories.submit(db, *[factories.new_filing(["A hook."] * claims) for _ in range(filings)])
    while leased := factories.lease(db, Stage.FAST):
        said = factories.verdicts(leased.evaluations, escalate=True)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="t"))


def dispatched(db: Engine, limits: flow.DispatchLimits = LIMITS) -> list[moves.Leased]:
    """What one round sent to the expert's workers."""
    broker = fakes.Broker()
    flow.dispatch(db, broker, limits, actor="d", rng=random.Random(1))
    return [leased for _, leased in broker.sent]


def examine(db: Engine, leased: moves.Leased, outcome: Rationale | Exception, *names: str) -> None:
    """A worker's share; it knows the endpoint, or those that are named."""
    experts = {name: fakes.Expert([outcome]) for name in names or (leased.endpoint or "",)}
    examine_by(db, leased.token, experts)


def examine_all(db: Engine, leased: Sequence[moves.Leased], outcome: Rationale | Exception) -> None:
    for one in leased:
        examine(db, one, outcome)


def at(db: Engine, name: str = "expert") -> Any:
    with db.connect() as connection:
        return next(one for one in endpoints.statuses(connection) if one.state.name == name)


def change(db: Engine, sql: str) -> None:
    with db.begin() as connection:
        connection.execute(text(sql))


def opened(db: Engine, limits: flow.DispatchLimits = LIMITS) -> None:
    """Faults until the breaker of the only endpoint is open."""
    for _ in range(2):
        examine_all(db, dispatched(db, limits), AWAY)
    dispatched(db, limits)
    assert at(db).state.breaker is Breaker.OPEN


def test_while_the_breaker_is_open_claims_wait_unharmed(db: Engine) -> None:
    escalated(db, 20)
    opened(db)
    change(
        db, "UPDATE evaluations SET due_at = now(); UPDATE endpoints SET until = now() + interval '1 hour'"
    )

    assert dispatched(db) == []

    with db.connect() as connection:
        rows = connection.execute(text("SELECT DISTINCT state, examined, tries FROM evaluations")).all()
    assert rows == [("escalated", 0, 0)]


def test_one_claim_tries_it_and_an_answer_lets_the_others_go(db: Engine) -> None:
    escalated(db, 20)
    opened(db)
    change(db, "UPDATE endpoints SET until = now()")

    (probe,) = dispatched(db)
    assert dispatched(db) == []
    assert (at(db).state.breaker, at(db).state.probe) == (Breaker.HALF_OPEN, probe.token)

    examine(db, probe, PASS)
    assert len(dispatched(db)) == 4
    assert at(db).state.breaker is Breaker.CLOSED


def test_a_probe_that_fails_opens_it_again_and_one_whose_worker_is_lost_is_followed_by_another(
    db: Engine,
) -> None:
    escalated(db, 20)
    opened(db)
    change(db, "UPDATE endpoints SET until = now()")
    examine_all(db, dispatched(db), AWAY)
    assert dispatched(db) == []
    assert at(db).state.breaker is Breaker.OPEN

    change(db, "UPDATE endpoints SET until = now()")
    (lost,) = dispatched(db)
    change(db, "UPDATE leases SET until = now() - interval '1 second'")
    (other,) = dispatched(db)
    assert other.token != lost.token
    assert at(db).state.probe == other.token


@pytest.mark.parametrize("kind", ["unauthorised", "redirected", "untrusted"])
def test_what_the_operator_must_mend_fails_no_claim_and_a_worker_that_starts_is_tried(
    db: Engine, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    escalated(db, 5)
    (first, *_) = dispatched(db)
    examine(db, first, ExpertPermanent(kind, "no"))
    dispatched(db)
    assert at(db).state.breaker is Breaker.OPEN
    assert [record.levelname for record in caplog.records if "refuses access" in record.message] == [
        "CRITICAL"
    ]
    assert "failed" not in factories.states(db).values()
    change(db, "DELETE FROM leases; UPDATE evaluations SET state = 'escalated', lease = NULL, due_at = now()")
    assert dispatched(db) == []

    flow.report(db, "expert", max_concurrent=None)

    assert len(dispatched(db)) == 1


def test_the_server_s_own_bound_holds(db: Engine) -> None:
    escalated(db, 20)
    flow.report(db, "expert", max_concurrent=2)

    assert len(dispatched(db)) == 2
    assert (at(db).state.max_concurrent, at(db).in_flight) == (2, 2)


@pytest.mark.parametrize("weights", [(9, 1), (1, 1), (1, 9)])
def test_filings_go_to_endpoints_by_weight(db: Engine, weights: tuple[float, float]) -> None:
    east, west = weights
    limits = replace(LIMITS, endpoints=(Declared("east", east, 200), Declared("west", west, 200)))
    dispatched(db, limits)
    change(db, "UPDATE endpoints SET slots = most")  # room at both for all of them
    escalated(db, 1, filings=200)

    dealt = Counter(one.endpoint for one in dispatched(db, limits))

    assert dealt.total() == 200
    assert dealt["east"] / 200 == pytest.approx(east / (east + west), abs=0.07)


def test_an_endpoint_that_is_full_leaves_claims_to_the_other_whatever_their_weights(db: Engine) -> None:
    escalated(db, 150)
    limits = replace(TWO, endpoints=(Declared("east", 9, 4), Declared("west", 1, 4)))

    assert Counter(one.endpoint for one in dispatched(db, limits)) == {"east": 4, "west": 4}


@pytest.mark.parametrize("seeded_ids", [1, 2, 3], indirect=True)
def test_claims_of_a_filing_follow_one_another_to_one_endpoint_as_slots_come_free(db: Engine) -> None:
    for _ in range(4):
        factories.submit(db, factories.new_filing(["A hook."] * 6))
    while leased := factories.lease(db, Stage.FAST, most=5):  # messages that end within a filing
        said = factories.verdicts(leased.evaluations, escalate=True)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="t"))
    with db.connect() as connection:
        filed = {
            id_: (filing, number)
            for id_, filing, number in connection.execute(
                text("SELECT id, filing_id, claim_number FROM evaluations")
            )
        }

    went: dict[str, list[tuple[Any, int]]] = {"east": [], "west": []}
    sent = dispatched(db, replace(TWO, endpoints=(Declared("east", 1, 2), Declared("west", 1, 2))))
    while sent:
        for one in sent:
            went[one.endpoint or ""].append(filed[one.evaluations[0]])
        examine_all(db, sent, PASS)
        sent = dispatched(db, replace(TWO, endpoints=(Declared("east", 1, 2), Declared("west", 1, 2))))

    assert sum(map(len, went.values())) == 24
    for theirs in went.values():
        filings = [filing for filing, _ in theirs]
        changes = sum(one != other for one, other in pairwise(filings))
        assert changes < len(set(filings)) + 2  # at home first, then where slots would be free
        for each in set(filings):
            numbers = [number for filing, number in theirs if filing == each]
            assert numbers == sorted(numbers)


def test_a_tenant_with_less_on_its_way_is_next(db: Engine) -> None:
    escalated(db, 20)
    assert len(dispatched(db)) == 4
    factories.submit(db, factories.new_filing(["A hook."], tenant="other"))
    single = factories.lease(db, Stage.FAST)
    assert single is not None
    said = factories.verdicts(single.evaluations, escalate=True)
    transact(db, partial(moves.screened, token=single.token, screened=said, actor="t"))
    with db.connect() as connection:
        [first, *_] = connection.execute(text("SELECT token FROM leases WHERE stage = 'slow'")).scalars()
    transact(db, partial(moves.release, tokens=[first], actor="t"))

    assert [one.evaluations for one in dispatched(db)] == [single.evaluations]


def test_a_fault_at_one_endpoint_sends_the_claim_to_the_other_at_once_and_then_it_waits(db: Engine) -> None:
    escalated(db, 1)
    (first,) = dispatched(db, TWO)
    examine(db, first, AWAY)

    (second,) = dispatched(db, TWO)
    assert {first.endpoint, second.endpoint} == {"east", "west"}

    examine(db, second, AWAY)
    assert dispatched(db, TWO) == []
    with db.connect() as connection:
        kept = connection.execute(text("SELECT endpoint, error FROM examinations ORDER BY number")).all()
    assert kept == [(first.endpoint, "unreachable"), (second.endpoint, "unreachable")]


def test_one_endpoint_away_leaves_the_other_its_slots(db: Engine) -> None:
    escalated(db, 30)
    for _ in range(FAULTS_IN_A_ROW):
        for one in dispatched(db, TWO):
            examine(db, one, AWAY if one.endpoint == "east" else PASS)
    assert at(db, "east").state.breaker is not Breaker.CLOSED

    dealt = Counter(one.endpoint for one in dispatched(db, TWO))
    assert dealt["west"] == 4
    assert dealt["east"] <= 1  # where it is time to try it


def test_an_endpoint_that_a_worker_does_not_know_is_told_and_harms_no_claim(
    db: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    escalated(db, 1)
    (leased,) = dispatched(db)

    examine(db, leased, PASS, "another")

    assert set(factories.states(db).values()) == {"escalated"}
    assert "unknown endpoint" in caplog.text


def test_an_outcome_counts_though_its_claim_was_cancelled_meanwhile(db: Engine) -> None:
    factories.submit(db, factories.new_filing(["A hook."]))
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    said = factories.verdicts(leased.evaluations, escalate=True)
    transact(db, lambda c: moves.screened(c, leased.token, said, actor="t"))
    (slow,) = dispatched(db)
    change(db, "UPDATE evaluations SET state = 'cancelled', lease = NULL")
    examination = factories.examination(slow.evaluations[0], "Pass", endpoint=slow.endpoint)

    assert not transact(db, lambda c: moves.examined(c, slow.token, examination, actor="w"))

    dispatched(db)
    assert (at(db).state.answers, at(db).in_flight) == (1, 0)


def test_dispatchers_learn_from_each_outcome_once_and_hold_the_slots_together(db: Engine) -> None:
    escalated(db, 60)
    for _ in range(5):
        with ThreadPoolExecutor(4) as pool:
            rounds = list(pool.map(lambda _: dispatched(db), range(4)))
        leased = [one for each in rounds for one in each]
        assert len(leased) == 4
        examine_all(db, leased, PASS)
    dispatched(db)

    assert at(db).state.answers == 20


def test_an_endpoint_that_the_settings_name_no_more_is_forgotten(db: Engine) -> None:
    dispatched(db, TWO)

    transact(db, lambda c: endpoints.keep_only(c, ["west"]))

    with db.connect() as connection:
        assert [one.state.name for one in endpoints.statuses(connection)] == ["west"]


def test_settings_that_change_are_taken_over(db: Engine) -> None:
    escalated(db, 20)
    dispatched(db)

    dispatched(db, replace(LIMITS, expert_slots=2))

    assert (at(db).state.most, at(db).state.slots) == (2, 2)
