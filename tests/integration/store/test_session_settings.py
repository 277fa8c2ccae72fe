"""Sessions of ACE are the same whatever the database, its roles or its server have set as defaults."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, Engine, create_engine, text

from ace.api.app import create_app
from ace.bounded import Bounded
from ace.errors import Unavailable
from ace.settings import Settings
from ace.store import copies, keys, migrate, moves
from ace.store.database import (
    SESSION,
    TIMEOUTS,
    Listener,
    announce,
    connect_engine,
    driver_url,
    refuse_unfit,
    transact,
)
from ace.store.schema import is_newest
from ace.store.scopes import DEFAULT_SCOPES
from ace.store.tables import Stage
from tests import factories
from tests.problems import registered

HOSTILE = {
    "DateStyle": "SQL, DMY",
    "IntervalStyle": "iso_8601",
    "TimeZone": "Pacific/Kiritimati",
    "bytea_output": "escape",
    "extra_float_digits": "-15",
    "standard_conforming_strings": "off",
    "array_nulls": "off",
    "transform_null_equals": "on",
    "quote_all_identifiers": "on",
    "search_path": "nowhere",
    "row_security": "off",
    "default_transaction_isolation": "serializable",
    "default_transaction_deferrable": "on",
    "idle_session_timeout": "1ms",
    "transaction_timeout": "1ms",
    "statement_timeout": "1ms",
    "lock_timeout": "1ms",
    "idle_in_transaction_session_timeout": "1ms",
}
"""A default that would break something, for every setting that a session of ACE makes."""
ENCODING = {"client_encoding": "LATIN1"}
SETTINGS = Settings(_env_file=None, secret="s" * 32)
PLACES = ("DATABASE postgres", "ROLE postgres", "ROLE postgres IN DATABASE postgres")


@contextlib.contextmanager
def defaults(url: str, place: str, settings: dict[str, str]) -> Iterator[None]:
    """New sessions begin with these settings, as an administrator would have it."""
    with psycopg.connect(url, autocommit=True, options="-c statement_timeout=0") as admin:
        for name, value in settings.items():
            admin.execute(f"ALTER {place} SET {name} = '{value}'".encode())
        try:
            yield
        finally:
            admin.execute(f"ALTER {place} RESET ALL".encode())


@pytest.fixture(params=PLACES)
def hostile(request: pytest.FixtureRequest, db: Engine, postgres_url: str) -> Iterator[None]:
    with defaults(postgres_url, request.param, HOSTILE | ENCODING):
        yield


@pytest.fixture
def fresh(postgres_url: str) -> Iterator[Callable[..., Engine]]:
    """Engines whose sessions begin now."""
    with contextlib.ExitStack() as exits:

        def connect(**more: str) -> Engine:
            engine = connect_engine(postgres_url, name="tests", **more)
            exits.callback(engine.dispose)
            return engine

        yield connect


def test_every_setting_of_a_session_is_tried() -> None:
    assert set(HOSTILE) == {*SESSION, *TIMEOUTS}


def test_a_session_has_the_settings_of_ace_whatever_the_defaults_are(
    hostile: None, fresh: Callable[..., Engine]
) -> None:
    wanted = {**SESSION, **TIMEOUTS, "client_encoding": "UTF8"}

    def settings(connection: Connection) -> dict[str, str]:
        names = connection.execute(
            text("SELECT n, current_setting(n) FROM unnest(CAST(:n AS text[])) n"), {"n": list(wanted)}
        )
        return {row.n: row.current_setting for row in names}

    assert transact(fresh(), settings) == wanted
    assert transact(fresh(role="ace_watch"), settings) == wanted


def test_the_api_serves_and_is_ready_whatever_the_defaults_are(
    hostile: None, fresh: Callable[..., Engine], rules: Bounded
) -> None:
    db = fresh()
    key = transact(db, partial(keys.create, tenant="office", label="é", scopes=DEFAULT_SCOPES))[1]
    app = registered(create_app(SETTINGS, fresh(role="ace_api"), fresh(role="ace_watch"), rules))
    client = TestClient(app, headers={"Authorization": f"Bearer {key}"})

    filed = client.post("/v1/filings", json={"docket": "P-é-1", "claims": "1. A 10 µm bracket."}).json()
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    verdicts = factories.verdicts(leased.evaluations)
    transact(db, lambda c: moves.screened(c, leased.token, verdicts, actor="t"))
    answers = [
        client.get(path)
        for path in (
            "/readyz",
            "/v1/evaluations",
            f"/v1/filings/{filed['filing']}",
            f"/v1/evaluations/{filed['evaluations'][0]['id']}/findings",
            f"/v1/evaluations/{filed['evaluations'][0]['id']}/events",
            f"/v1/evaluations/{filed['evaluations'][0]['id']}",
        )
    ]

    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert answers[-1].json()["state"] == "decided"
    assert answers[-1].json()["created_at"].endswith(("Z", "+00:00"))


def test_listeners_hear_and_databases_are_made_and_upgraded_whatever_the_defaults_are(
    hostile: None, fresh: Callable[..., Engine], postgres_url: str
) -> None:
    listener = Listener(postgres_url, name="tests")
    listener.wait(0.01)  # connects
    announce(fresh())
    assert listener.wait(60)
    listener.close()

    migrate.downgrade(postgres_url, "0014")
    migrate.upgrade(postgres_url)
    with copies.scratch(postgres_url) as url:
        migrate.upgrade(url)
        made = connect_engine(url, name="tests")
        assert transact(made, is_newest)
        made.dispose()


def test_a_backup_is_made_and_checked_whatever_the_defaults_are(
    hostile: None, db: Engine, postgres_url: str, tmp_path: Path
) -> None:
    factories.submit(db, factories.new_filing(["A 10 µm hook."]))

    for words in (["backup", "ace.dump"], ["restore", "ace.dump", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ace", *words],
            env={**os.environ, "ACE_DATABASE_URL": postgres_url},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    assert "1 filing, 1 evaluation, nothing wrong" in done.stdout


def test_a_database_that_was_set_to_be_read_only_is_not_ready(
    db: Engine, fresh: Callable[..., Engine], postgres_url: str, rules: Bounded
) -> None:
    with defaults(postgres_url, "DATABASE postgres", {"default_transaction_read_only": "on"}):
        app = registered(create_app(SETTINGS, fresh(role="ace_api"), fresh(role="ace_watch"), rules))
        answer = TestClient(app).get("/readyz")

    assert (answer.status_code, answer.json()["cause"]) == (503, "read_only")


def test_a_session_without_the_settings_of_ace_is_refused(db: Engine, postgres_url: str) -> None:
    bare = create_engine(driver_url(postgres_url))  # what is left behind a pooler that drops options

    with pytest.raises(Unavailable, match="does not keep the settings"):
        transact(bare, refuse_unfit)
    bare.dispose()
    transact(db, refuse_unfit)
