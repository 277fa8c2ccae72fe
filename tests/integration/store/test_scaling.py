"""The queries that KEDA asks, on a real database, by a login that has no other right."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from ace.store.database import connect_engine, transact
from ace.store.endpoints import Declared, settle
from tests import factories

FILES = Path(__file__).parents[3] / "deploy" / "chart" / "files"
FAST, SLOW = ((FILES / f"due-{stage}.sql").read_text() for stage in ("fast", "slow"))
LOGIN = "ace_scaler"


@pytest.fixture
def scaler(db: Engine, postgres_url: str) -> Iterator[Engine]:
    """The login, made as docs/how-to/kubernetes.md says."""
    with db.begin() as connection:
        connection.execute(text(f"CREATE ROLE {LOGIN} LOGIN IN ROLE ace_watch"))
    engine = connect_engine(postgres_url.replace("postgres@", f"{LOGIN}@"), name="tests")
    yield engine
    engine.dispose()
    with db.begin() as connection:
        connection.execute(text(f"DROP ROLE {LOGIN}"))


def asked(scaler: Engine, query: str) -> int:
    """The one number that KEDA reads."""
    with scaler.connect() as connection:
        ((value,),) = connection.execute(text(query)).all()
        return int(value)


def moved(db: Engine, state: str, count: int, *, due: str = "now()") -> None:
    """Puts claims into a state, tallies included, as if they had been moved there."""
    with db.begin() as connection:
        connection.execute(
            text(f"""
            WITH chosen AS (SELECT id, state FROM evaluations WHERE state = 'queued' LIMIT :count),
              moved AS (UPDATE evaluations e SET state = :state, due_at = {due} FROM chosen
                WHERE e.id = chosen.id RETURNING e.id)
            INSERT INTO tallies (tenant, state, decided_by, count)
            SELECT 'office', s.state, '', s.sign * (SELECT count(*) FROM moved)
            FROM (VALUES ('queued', -1), (:state, 1)) AS s(state, sign)"""),
            {"state": state, "count": count},
        )


def endpoint(db: Engine, name: str, slots: float) -> None:
    """An expert's server as a dispatcher declares it, with slots as it has learned them."""
    declared = [Declared(name, 1.0, 8)]
    transact(db, lambda connection: settle(connection, declared, learn=lambda *_args, **_more: None))
    with db.begin() as connection:
        given = {"name": name, "slots": slots}
        connection.execute(text("UPDATE endpoints SET slots = :slots WHERE name = :name"), given)


def test_an_empty_database_needs_nobody(scaler: Engine) -> None:
    assert (asked(scaler, FAST), asked(scaler, SLOW)) == (0, 0)


def test_gatekeepers_follow_what_is_queued_or_in_hand(db: Engine, scaler: Engine) -> None:
    factories.submit(db, *[factories.new_filing() for _ in range(4)])
    assert asked(scaler, FAST) == 12
    moved(db, "screening", 2)
    assert asked(scaler, FAST) == 12
    moved(db, "decided", 3)
    assert asked(scaler, FAST) == 9


def test_expert_workers_follow_due_escalations_within_the_slots(db: Engine, scaler: Engine) -> None:
    factories.submit(db, *[factories.new_filing() for _ in range(4)])
    moved(db, "escalated", 5)
    assert asked(scaler, SLOW) == 0  # no expert, no worker
    endpoint(db, "one", 3.9)
    assert asked(scaler, SLOW) == 3
    endpoint(db, "other", 8)
    assert asked(scaler, SLOW) == 5
    moved(db, "escalated", 2, due="now() + interval '1 hour'")
    assert asked(scaler, SLOW) == 5  # they are not due
    moved(db, "examining", 4)
    assert asked(scaler, SLOW) == 9
    with db.begin() as connection:
        connection.execute(text("UPDATE endpoints SET breaker = 'open' WHERE name = 'other'"))
    assert asked(scaler, SLOW) == 3


def test_the_scaler_sees_counts_and_nothing_else(scaler: Engine) -> None:
    for query in ("SELECT text FROM claims", "SELECT docket FROM filings", "SELECT verdict FROM evaluations"):
        with pytest.raises(DBAPIError, match="permission denied"):
            asked(scaler, query)
    with pytest.raises(DBAPIError, match="permission denied"), scaler.begin() as connection:
        connection.execute(text("UPDATE tallies SET count = 0"))
