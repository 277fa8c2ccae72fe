"""Migrations: models and schema agree, and every step can be taken back."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text
from sqlmodel import SQLModel

from ace.errors import Refused, Unavailable
from ace.store import migrate, schema
from ace.store.database import driver_url


@pytest.fixture
def empty_url(postgres_url: str) -> Iterator[str]:
    """A database without any table."""
    engine = create_engine(driver_url(postgres_url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CREATE DATABASE migrations_test"))
    yield postgres_url.replace("/postgres?", "/migrations_test?")
    with engine.connect() as connection:
        connection.execute(text("DROP DATABASE migrations_test WITH (FORCE)"))
    engine.dispose()


def tables(url: str) -> set[str]:
    engine = create_engine(driver_url(url))
    found = set(inspect(engine).get_table_names())
    engine.dispose()
    return found


def test_the_revision_that_the_api_waits_for_is_the_last_one(empty_url: str) -> None:
    engine = create_engine(driver_url(empty_url))
    assert ScriptDirectory.from_config(migrate.config("")).get_heads() == [schema.NEWEST]
    for revision, newest in ((None, False), ("0001", False), ("head", True)):
        if revision is not None:
            migrate.upgrade(empty_url, revision)
        with engine.connect() as connection:
            assert schema.is_newest(connection) is newest
    engine.dispose()


def test_models_and_migrations_agree(empty_url: str) -> None:
    migrate.upgrade(empty_url)

    command.check(migrate.config(empty_url))  # raises where they differ, except in primary keys
    engine = create_engine(driver_url(empty_url))
    found = inspect(engine).get_multi_pk_constraint()
    engine.dispose()
    models = {name: table.primary_key.columns.keys() for name, table in SQLModel.metadata.tables.items()}
    assert {name: found[None, name]["constrained_columns"] for name in models} == models


@pytest.mark.slow
def test_a_revision_whose_tables_are_held_is_begun_again(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate.upgrade(empty_url, "0013")
    engine = create_engine(driver_url(empty_url))
    with engine.connect() as holder:
        holder.execute(text("LOCK TABLE filings IN ACCESS SHARE MODE"))
        with monkeypatch.context() as patience:
            patience.setattr(migrate, "ATTEMPTS", 1)
            with pytest.raises(Unavailable, match="tables stay locked"):
                migrate.upgrade(empty_url, "0014")
        release = threading.Timer(6, holder.rollback)  # a revision waits 5 s for a table
        release.start()
        migrate.upgrade(empty_url, "0014")
        release.join()
        assert schema.revision(holder) == "0014"
    engine.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("revision", ["0008", "0012", "0013"])
def test_a_revision_that_was_broken_off_at_an_index_is_begun_again(
    empty_url: str, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    migrate.upgrade(empty_url, f"{int(revision) - 1:04}")
    engine = create_engine(driver_url(empty_url), isolation_level="REPEATABLE READ")
    with engine.connect() as holder:
        holder.execute(text("SELECT count(*) FROM pg_class"))  # an index waits for older snapshots
        with monkeypatch.context() as patience:
            patience.setattr(migrate, "ATTEMPTS", 1)
            with pytest.raises(Unavailable, match="tables stay locked"):
                migrate.upgrade(empty_url, revision)
    migrate.upgrade(empty_url)
    command.check(migrate.config(empty_url))
    engine.dispose()


def test_a_database_that_is_away_or_knows_no_such_revision_is_named(empty_url: str) -> None:
    with pytest.raises(Unavailable, match="postgres cannot be reached"):
        migrate.upgrade("postgresql://127.0.0.1:1/none")
    with pytest.raises(Refused, match="9999") as refused:
        migrate.upgrade(empty_url, "9999")
    assert refused.value.code == "unknown_revision"


def test_up_down_and_up_again(empty_url: str) -> None:
    migrate.upgrade(empty_url)
    full = tables(empty_url)
    migrate.downgrade(empty_url, "base")
    assert tables(empty_url) == {"alembic_version"}

    migrate.upgrade(empty_url)

    assert tables(empty_url) == full


@pytest.mark.slow
def test_two_processes_may_migrate_at_once(empty_url: str) -> None:
    command_line = [sys.executable, "-m", "ace", "db", "upgrade"]
    environment = {**os.environ, "ACE_DATABASE_URL": empty_url}

    both = [subprocess.Popen(command_line, env=environment) for _ in range(2)]

    assert [one.wait(60) for one in both] == [0, 0]
    assert "evaluations" in tables(empty_url)
