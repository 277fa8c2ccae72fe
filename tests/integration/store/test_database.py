"""How transactions reach the server: through closed connections, under a role, for a tenant."""

from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from ace.errors import Unavailable
from ace.store import moves, reads
from ace.store.database import Announcer, Listener, connect_engine, transact
from tests import factories

FIRST_PAGE: dict[str, Any] = {"which": reads.Filter(), "after": None, "limit": 9}


def test_connections_that_the_server_closed_are_replaced_before_they_are_used(db: Engine) -> None:
    def pid() -> int:
        return transact(db, lambda c: c.execute(text("SELECT pg_backend_pid()")).scalar_one())

    first = pid()
    other = connect_engine(db.url.render_as_string(hide_password=False), name="other")
    with other.begin() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": first})
    other.dispose()

    assert pid() != first


def test_a_server_that_is_not_there_is_unavailable() -> None:
    nowhere = connect_engine("postgresql://nobody@/none?host=/nowhere", name="tests")

    with pytest.raises(Unavailable):
        transact(nowhere, lambda connection: connection.execute(text("SELECT 1")))


def test_a_bound_role_works_for_the_tenant_that_the_transaction_names(db: Engine, postgres_url: str) -> None:
    api = connect_engine(postgres_url, name="tests", role="ace_api")
    mine, others = factories.new_filing(tenant="mine"), factories.new_filing(tenant="others")
    factories.submit(db, others)

    accepted = transact(api, lambda c: moves.submit(c, [mine], actor="t", backlog=10), tenant="mine")
    seen = [
        transact(api, partial(reads.evaluations, tenant=tenant, **FIRST_PAGE), tenant="mine")
        for tenant in ("mine", "others")
    ]
    with pytest.raises(ProgrammingError, match="row-level security"):
        transact(api, lambda c: moves.submit(c, [others], actor="t"), tenant="mine")
    api.dispose()

    assert {row["id"] for row in seen[0]} == {id_ for _, id_ in accepted[0].evaluations}
    assert seen[1] == []


def test_an_announcer_announces_once_for_many_wishes_and_before_it_stops(
    db: Engine, postgres_url: str
) -> None:
    listener = Listener(postgres_url, name="tests")
    listener.wait(0.01)  # connects
    announcer = Announcer(db)
    announcer.start()

    for _ in range(100):
        announcer.wake()
    announcer.stop()

    assert listener.wait(60)
    heard = 1
    while listener.wait(0.2):
        heard += 1
    listener.close()
    assert heard < 100
