"""What `ace db status` shows, on a real database, with a schema and without one."""

import json

import psycopg
import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from ace.cli import app
from ace.store.condition import LARGEST, condition
from ace.store.database import connect_engine, transact
from ace.store.schema import NEWEST
from tests import factories


def test_the_condition_of_a_database_with_work(db: Engine) -> None:
    factories.submit(db, factories.new_filing(), factories.new_filing())
    found = transact(db, condition)
    assert (found.revision, found.newest) == (NEWEST, NEWEST)
    assert found.evaluations == {"queued": 6}
    assert found.due_seconds["fast"] >= 0
    assert found.due_seconds["slow"] == 0
    assert len(found.tables) == LARGEST
    assert sum(one["bytes"] for one in found.tables) < found.bytes
    assert 0 < found.connections <= found.max_connections


def test_a_transaction_that_stays_open_is_seen(db: Engine) -> None:
    with db.connect() as idle, idle.begin():
        idle.exec_driver_sql("SELECT pg_sleep(0.2)")
        assert transact(db, condition).longest_transaction_seconds >= 0.2


def test_the_command_shows_it_and_fails_without_the_schema(
    db: Engine, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACE_DATABASE_URL", postgres_url)
    shown = CliRunner().invoke(app, ["db", "status"])
    assert shown.exit_code == 0, shown.output
    assert f"{NEWEST}, this version's is {NEWEST}" in shown.stdout

    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("CREATE DATABASE bare")
    bare = connect_engine(postgres_url, name="tests").url.set(database="bare")
    monkeypatch.setenv("ACE_DATABASE_URL", bare.render_as_string(hide_password=False).replace("+psycopg", ""))
    empty = CliRunner().invoke(app, ["db", "status", "--json"])
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("DROP DATABASE bare WITH (FORCE)")
    assert empty.exit_code == 1
    found = json.loads(empty.stdout)
    assert (found["revision"], found["evaluations"], found["due_seconds"]) == (None, {}, {})
