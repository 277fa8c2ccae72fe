"""A dispatcher's look: it says what there is to do, and no more."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from sqlalchemy import Engine, text

from ace.expert.pacing.learning import learn
from ace.store import endpoints, moves, pending
from ace.store.database import ask, transact
from ace.store.endpoints import Declared
from ace.store.tables import Stage
from tests import factories

DECLARED = [Declared("east", 2.0, 4)]
SETTLE = partial(endpoints.settle, declared=DECLARED, learn=partial(learn, rng=Random(0)))


def change(db: Engine, sql: str) -> None:
    with db.begin() as connection:
        connection.execute(text(sql))


def test_an_empty_store_gives_a_dispatcher_nothing_to_do(db: Engine) -> None:
    seen = ask(db, pending.look)

    assert seen == pending.Pending(
        lapsed=False,
        due=frozenset(),
        drained=False,
        jobs=False,
        came=False,
        endpoints=frozenset(),
        room=False,
        waiting=0,
        waited_seconds=0,
        told=False,
        webhooks=False,
    )


@pytest.mark.parametrize("stage", list(Stage))
def test_a_stage_is_due_when_one_of_its_claims_is(db: Engine, stage: Stage) -> None:
    factories.submit(db, factories.new_filing(tenant="office"), factories.new_filing(tenant="other"))
    change(db, f"UPDATE evaluations SET state = '{stage.due}', due_at = now() + interval '1 hour'")
    assert ask(db, pending.look).due == set()

    change(db, "UPDATE evaluations SET due_at = now() WHERE tenant = 'other' AND claim_number = 2")

    assert ask(db, pending.look).due == {stage}


def test_messages_that_wait_and_leases_that_ran_out_are_seen(db: Engine) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    change(db, "UPDATE leases SET made_at = now() - interval '7 seconds'")
    seen = ask(db, pending.look)
    assert (seen.waiting, round(seen.waited_seconds), seen.due, seen.lapsed) == (1, 7, frozenset(), False)

    transact(db, partial(moves.start, token=leased.token, worker="w", lease_seconds=9))
    assert ask(db, pending.look).waiting == 0

    change(db, "UPDATE leases SET until = now() - interval '1 second'")
    assert ask(db, pending.look).lapsed


@pytest.mark.parametrize(
    ("change_to", "room"),
    [
        ("slots = 1", True),
        ("slots = 1.9", True),
        ("slots = 0.9", False),
        ("breaker = 'open', until = now() + interval '1 hour'", False),
        ("breaker = 'open', until = now()", True),
    ],
)
def test_there_is_room_where_a_slot_is_free_or_an_endpoint_is_to_be_tried(
    db: Engine, change_to: str, room: bool
) -> None:
    transact(db, SETTLE)
    change(db, f"UPDATE endpoints SET {change_to}")

    assert ask(db, pending.look).room is room

    change(
        db,
        "INSERT INTO leases (token, stage, until, endpoint)"
        " VALUES (gen_random_uuid(), 'slow', now() + interval '1 hour', 'east')",
    )
    assert ask(db, pending.look).room is (room and "breaker" in change_to)


def _outcome(db: Engine) -> None:
    change(
        db,
        "INSERT INTO outcomes (endpoint, token, seconds, at) VALUES ('east', gen_random_uuid(), 1, now())",
    )


@pytest.mark.parametrize(
    ("happens", "declared", "news"),
    [
        (lambda _: None, DECLARED, False),
        (_outcome, DECLARED, True),
        (lambda _: None, [], False),
        (lambda _: None, [Declared("east", 2.0, 5)], True),
        (lambda _: None, [Declared("east", 1.0, 4)], True),
        (lambda _: None, [*DECLARED, Declared("west", 1.0, 1)], True),
    ],
)
def test_outcomes_and_other_settings_are_news(
    db: Engine, happens: Callable[[Engine], None], declared: list[Declared], news: bool
) -> None:
    transact(db, SETTLE)
    happens(db)

    assert endpoints.has_news(ask(db, pending.look), declared) is news
