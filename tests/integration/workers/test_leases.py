"""The keeper of leases: what a process holds stays its own while it lives, and not longer."""

import threading
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, text

from ace.store import moves
from ace.store.database import transact
from ace.store.tables import Stage, State
from ace.workers.leases import Keeper
from tests import factories
from tests.waiting import wait_for


def taken_up(db: Engine, seconds: float) -> UUID:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST, seconds=seconds)
    assert leased is not None
    transact(db, lambda c: moves.start(c, leased.token, worker="w", lease_seconds=seconds))
    return leased.token


def until(db: Engine, token: UUID) -> datetime:
    with db.connect() as connection:
        lease = connection.execute(text("SELECT until FROM leases WHERE token = :token"), {"token": token})
        return lease.scalar_one()


def wait_for_renewal(db: Engine, token: UUID) -> None:
    before = until(db, token)
    wait_for(lambda: until(db, token) > before, "a renewal")


def test_a_lease_is_renewed_while_it_is_held_and_no_longer(db: Engine) -> None:
    token, other = taken_up(db, 0.4), taken_up(db, 0.4)
    keeper = Keeper(db, lease_seconds=0.4, hold_seconds=60, worker="w")
    keeper.begin(hung=lambda: None)
    with keeper.holding(other):
        with keeper.holding(token):
            wait_for_renewal(db, token)
        wait_for_renewal(db, other)  # the first may have begun before
        last = until(db, token)
        wait_for_renewal(db, other)
        assert until(db, token) == last
        keeper.end()
        assert not keeper._thread.is_alive()


def test_what_is_given_back_waits_again_and_counts_no_try(db: Engine) -> None:
    token = taken_up(db, 60)
    keeper = Keeper(db, lease_seconds=60, hold_seconds=60, worker="w")
    with keeper.holding(token):
        assert keeper.give_back() == 3

    assert set(factories.states(db).values()) == {State.QUEUED}
    with db.connect() as connection:
        assert connection.execute(text("SELECT sum(tries) FROM evaluations")).scalar_one() == 0
        assert connection.execute(text("SELECT count(*) FROM leases")).scalar_one() == 0


def test_what_is_held_for_too_long_is_renewed_no_more_and_not_given_back(db: Engine) -> None:
    token = taken_up(db, 0.4)
    now = [0.0]
    hung = threading.Event()
    keeper = Keeper(db, lease_seconds=0.4, hold_seconds=60, worker="w", clock=lambda: now[0])
    keeper.begin(hung=hung.set)

    with keeper.holding(token):
        wait_for_renewal(db, token)
        assert not hung.is_set()
        now[0] = 61
        assert hung.wait(60)
        assert keeper.give_back() == 0
    keeper.end()

    # Its lease runs out like that of a lost worker, and counts a try.
    with db.begin() as connection:
        connection.execute(text("UPDATE leases SET until = now() - interval '1 second'"))
        assert moves.expire(connection, max_tries=3, actor="t") == 3
        assert connection.execute(text("SELECT DISTINCT tries FROM evaluations")).scalar_one() == 1
