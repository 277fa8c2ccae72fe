"""One round of dispatching: how much it publishes, and to which endpoints."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.flow.dispatching import SLOW_AT_ONCE
from ace.store import moves
from ace.store.assignment import Assignment
from ace.store.database import transact
from ace.store.endpoints import Declared
from ace.store.moves.leases import EXPIRED_AT_ONCE
from ace.store.tables import Stage
from tests import factories, fakes

LIMITS = flow.DispatchLimits(
    fast_lease_seconds=10,
    slow_lease_seconds=10,
    message_budget_tokens=10_000,
    message_max_claims=1,
    fast_waiting_messages=2,
    expert_slots=4,
    max_tries=3,
)


@dataclass
class Emptied(fakes.Broker):
    """A broker whose workers take every message up at once."""

    db: Engine | None = None

    def publish(self, queue: str, leased: moves.Leased) -> None:
        super().publish(queue, leased)
        assert self.db is not None
        transact(self.db, partial(moves.start, token=leased.token, worker="w", lease_seconds=9))


@dataclass
class Examined(Emptied):
    """A broker whose workers examine every claim at once."""

    def publish(self, queue: str, leased: moves.Leased) -> None:
        super().publish(queue, leased)
        assert self.db is not None
        examination = factories.examination(leased.evaluations[0], "Pass", endpoint=leased.endpoint)
        transact(self.db, partial(moves.examined, token=leased.token, examination=examination, actor="w"))


def escalated(db: Engine, claims: int) -> None:
    """Claims that wait for the expert, each in a filing of its own."""
    factories.submit(db, *[factories.new_filing(["A hook."]) for _ in range(claims)])
    while leased := factories.lease(db, Stage.FAST):
        said = factories.verdicts(leased.evaluations, escalate=True)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="t"))


@pytest.mark.parametrize("due", [False, True], ids=["nothing is due", "no slot is free"])
def test_a_round_that_can_send_nothing_asks_no_broker_and_wants_no_other(db: Engine, due: bool) -> None:
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")  # declares the endpoint
    if due:
        escalated(db, 1)
        with db.begin() as connection:
            connection.execute(text("UPDATE endpoints SET slots = 0"))

    done = flow.dispatch(db, fakes.Broker(down=True), LIMITS, actor="d")

    assert (done.messages, done.more) == (0, False)


@pytest.mark.parametrize(("untaken", "sent"), [(LIMITS.slots - 1, 1), (LIMITS.slots, 0)])
def test_examinations_that_no_worker_has_taken_up_are_bounded(db: Engine, untaken: int, sent: int) -> None:
    escalated(db, 1)

    assert flow.dispatch(db, fakes.Broker(untaken=untaken), LIMITS, actor="d").messages == sent


def test_a_round_that_leaves_lapsed_leases_behind_wants_another(db: Engine) -> None:
    with db.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO leases (token, stage, until)"
                " SELECT gen_random_uuid(), 'fast', now() - interval '1 s' FROM generate_series(1, :leases)"
            ),
            {"leases": EXPIRED_AT_ONCE + 1},
        )

    assert flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").more
    assert not flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").more


def test_a_round_ends_however_fast_workers_empty_the_queue(db: Engine) -> None:
    factories.submit(db, factories.new_filing(["A hook."] * 5))
    broker = Emptied(db=db)

    done = flow.dispatch(db, broker, LIMITS, actor="d")

    assert done.messages == len(broker.sent) == LIMITS.fast_waiting_messages
    assert done.more


def test_a_round_ends_however_fast_the_expert_answers(db: Engine) -> None:
    limits = replace(LIMITS, expert_slots=SLOW_AT_ONCE)
    flow.dispatch(db, fakes.Broker(), limits, actor="d")  # declares the endpoint
    escalated(db, SLOW_AT_ONCE + 1)
    with db.begin() as connection:
        connection.execute(text("UPDATE endpoints SET slots = :slots"), {"slots": SLOW_AT_ONCE})

    done = flow.dispatch(db, Examined(db=db), limits, actor="d")

    assert done.messages == SLOW_AT_ONCE
    assert done.more


def test_an_endpoint_without_room_does_not_stop_the_others(db: Engine) -> None:
    limits = replace(LIMITS, endpoints=(Declared("east", 1, 4), Declared("west", 1, 4)))
    flow.dispatch(db, fakes.Broker(), limits, actor="d")  # declares the endpoints
    escalated(db, 4)
    with db.begin() as connection:
        connection.execute(text("UPDATE endpoints SET slots = 0 WHERE name = 'east'"))
    broker = fakes.Broker()

    flow.dispatch(db, broker, limits, actor="d", rng=random.Random(1))

    assert Counter(leased.endpoint for _, leased in broker.sent) == {"west": 4}


def test_claims_are_leased_in_the_order_of_their_assignment(db: Engine) -> None:
    escalated(db, 12)
    with db.begin() as connection:
        waiting = moves.waiting_claims(connection, each=100)
        random.Random(7).shuffle(waiting)
        # A plan that would return them in the order of their ids, if the statement did not order them.
        connection.execute(text("SET LOCAL enable_nestloop = off; SET LOCAL enable_hashjoin = off"))
        assigned = [Assignment(claim, "east") for claim in waiting]
        leased = moves.lease_assigned(connection, assigned, lease_seconds=9, max_tries=3, actor="d")

    assert [one.evaluations for one in leased] == [(claim.id,) for claim in waiting]


@pytest.mark.parametrize(
    ("tries", "max_tries", "alone"), [(0, 3, False), (1, 3, False), (2, 3, True), (0, 1, False)]
)
def test_only_the_last_try_of_an_examination_is_made_alone(
    db: Engine, tries: int, max_tries: int, alone: bool
) -> None:
    escalated(db, 1)
    with db.begin() as connection:
        connection.execute(text("UPDATE evaluations SET tries = :tries"), {"tries": tries})
        assigned = [Assignment(claim, "east") for claim in moves.waiting_claims(connection, each=1)]
        leased = moves.lease_assigned(connection, assigned, lease_seconds=9, max_tries=max_tries, actor="d")

    assert [one.alone for one in leased] == [alone]
