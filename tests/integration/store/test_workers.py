"""Which processes are known to run: idle and busy ones, lost ones, and those of an older version."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import Engine, text

from ace.store import moves, workers
from ace.store.database import transact
from ace.store.operating_tables import Part
from ace.store.tables import Stage
from ace.store.workers import KnownWorker, missed
from ace.workers.heartbeat import Heartbeat
from ace.workers.leases import Keeper
from tests import factories

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def listed(db: Engine) -> list[KnownWorker]:
    return transact(db, workers.listed)


def aged(db: Engine, name: str, seconds: int) -> None:
    """As if the process had been silent for so long."""
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE workers SET seen_at = seen_at - :past, started_at = started_at - :past"
                " WHERE name = :name"
            ),
            {"past": timedelta(seconds=seconds), "name": name},
        )


def test_an_idle_worker_is_listed_until_it_stops_in_order(db: Engine) -> None:
    heartbeat = Heartbeat(db, Part.GATEKEEPER, "fast@machine:1")
    keeper = Keeper(db, lease_seconds=60, hold_seconds=60, worker="fast@machine:1", heartbeat=heartbeat)

    keeper.begin(hung=lambda: None)

    (idle,) = listed(db)
    assert (idle.name, idle.part, idle.lives, idle.claims, idle.since) == (
        *("fast@machine:1", Part.GATEKEEPER),
        *(True, 0, None),
    )
    assert idle.started_at is not None
    assert idle.host
    keeper.end()
    assert listed(db) == []


def test_a_worker_shows_what_it_holds_also_if_it_is_of_a_version_that_does_not_report_itself(
    db: Engine,
) -> None:
    factories.submit(db)
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    transact(db, partial(moves.start, token=leased.token, worker="fast@old:7", lease_seconds=60))
    Heartbeat(db, Part.GATEKEEPER, "fast@new:7").begin()

    new, old = sorted(listed(db), key=lambda one: one.name)

    assert (new.claims, old.claims) == (0, 3)
    assert (old.part, old.host, old.started_at, old.lives) == (Part.GATEKEEPER, "old", None, True)


def test_a_silent_process_is_lost_and_then_forgotten(db: Engine) -> None:
    now = [0.0]
    heartbeat = Heartbeat(db, Part.DISPATCHER, "dispatcher@machine:1", clock=lambda: now[0])
    heartbeat.begin()
    aged(db, "dispatcher@machine:1", 60)
    assert [one.lives for one in listed(db)] == [False]

    heartbeat.beat()  # too soon after the last one
    assert [one.lives for one in listed(db)] == [False]
    now[0] = 11
    heartbeat.beat()  # it was only frozen
    assert [one.lives for one in listed(db)] == [True]

    aged(db, "dispatcher@machine:1", 2 * 3_600)
    assert listed(db) == []
    Heartbeat(db, Part.GATEKEEPER, "fast@machine:2").begin()
    with db.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM workers")).scalar() == 1


def test_a_process_reports_itself_when_the_database_is_there_again(db: Engine) -> None:
    with db.begin() as connection:
        connection.execute(text("ALTER TABLE workers RENAME TO away"))  # an older schema, too
    heartbeat = Heartbeat(db, Part.GATEKEEPER, "fast@machine:1", clock=iter((0.0, 11.0, 11.0)).__next__)
    heartbeat.begin()
    with db.begin() as connection:
        connection.execute(text("ALTER TABLE away RENAME TO workers"))
    heartbeat.beat()
    assert [one.name for one in listed(db)] == ["fast@machine:1"]


def known(name: str, part: Part, *, started: int, seen: int | None = None) -> KnownWorker:
    """A process that started so many minutes ago, and was lost so many minutes ago if it does not live."""
    return KnownWorker(
        name=name,
        part=part,
        host="machine",
        started_at=NOW - timedelta(minutes=started),
        seen_at=NOW - timedelta(minutes=seen or 0),
        messages=0,
        claims=0,
        since=None,
        lives=seen is None,
    )


LOST = known("lost", Part.GATEKEEPER, started=60, seen=10)
EARLIER = known("earlier", Part.GATEKEEPER, started=60, seen=20)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([], ["earlier", "lost"]),
        ([known("a", Part.GATEKEEPER, started=30)], ["earlier", "lost"]),  # it ran before they were lost
        ([known("a", Part.GATEKEEPER, started=15)], ["lost"]),
        ([known("a", Part.EXPERT_WORKER, started=1)], ["earlier", "lost"]),
        ([known("a", Part.GATEKEEPER, started=1)], ["lost"]),  # one replaces one
        ([known("a", Part.GATEKEEPER, started=1), known("b", Part.GATEKEEPER, started=2)], []),
        # b replaced the earlier one, was lost as well, and is replaced by a: only the other is missed.
        ([known("a", Part.GATEKEEPER, started=1), known("b", Part.GATEKEEPER, started=15, seen=5)], ["b"]),
        (
            [
                known("a", Part.GATEKEEPER, started=1),
                known("b", Part.GATEKEEPER, started=15, seen=5),
                known("c", Part.GATEKEEPER, started=2),
            ],
            [],
        ),
    ],
)
def test_a_lost_process_is_missed_until_another_has_replaced_it(
    others: list[KnownWorker], expected: list[str]
) -> None:
    assert [one.name for one in missed([*others, LOST, EARLIER])] == expected
