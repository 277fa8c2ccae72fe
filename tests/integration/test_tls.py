"""TLS and passwords of PostgreSQL and Redis by setting: what fits works, the rest is shut out.

Nothing that is told about it holds a secret. The expert's TLS: test_tls_expert.py.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import text

from ace.api.operations import redis_ping
from ace.errors import Unavailable
from ace.local.servers import Postgres, Redis
from ace.processes import stop_process
from ace.settings import Settings
from ace.store import migrate
from ace.store.database import Listener, announce, connect_engine, transact
from ace.store.tables import Stage
from ace.workers.app import CeleryBroker, make_app
from tests import factories, tls
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

PASSWORD = "correct-horse-battery"


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> tls.Authorities:
    return tls.authorities(tmp_path_factory.mktemp("authorities"))


@pytest.fixture(scope="module")
def postgres(data_dir: Path) -> Iterator[Path]:
    """The socket of a migrated PostgreSQL that asks for a password."""
    with Postgres(Path(tempfile.mkdtemp(dir=data_dir)) / "postgres") as server:
        migrate.upgrade(server.url)
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE ace LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
            rules = server.folder / "pg_hba.conf"
            rules.write_text("local all ace scram-sha-256\n" + rules.read_text())
            connection.execute("SELECT pg_reload_conf()")
        yield server.folder / ".s.PGSQL.5432"


@pytest.fixture(scope="module")
def redis_socket(data_dir: Path) -> Iterator[Path]:
    """The socket of a Redis that asks for a password."""
    import redis

    with Redis(Path(tempfile.mkdtemp(dir=data_dir)) / "redis") as server:
        with redis.Redis.from_url(server.operator_url) as client:
            client.acl_setuser("default", True, passwords=[f"+{PASSWORD}"], keys="*", commands=["+@all"])
        yield server.socket


def database_url(port: int, options: str, *, password: str = PASSWORD, host: str = "localhost") -> str:
    return f"postgresql://ace:{password}@{host}:{port}/postgres?{options}"


def verified(authority: tls.Authority) -> str:
    return f"sslmode=verify-full&sslrootcert={quote(str(authority.file))}"


def broker_url(port: int, authority: tls.Authority | None, *, password: str = PASSWORD) -> str:
    options = f"?ssl_ca_certs={quote(str(authority.file))}" if authority else ""
    return f"rediss://:{password}@localhost:{port}/0{options}"


def broker_of(url: str) -> CeleryBroker:
    """A broker of little patience: who asks for it here will get no answer."""
    return CeleryBroker(make_app(Settings.model_validate({"broker_url": url}), patience_seconds=1))


def silent(fault: BaseException) -> None:
    """Nothing that a traceback would print of our own error holds a secret."""
    seen: BaseException | None = fault
    while seen is not None:
        assert PASSWORD not in f"{seen!s}{seen!r}"
        seen = seen.__cause__ if seen.__suppress_context__ else (seen.__cause__ or seen.__context__)


def test_claims_are_screened_over_tls_and_with_passwords(
    postgres: Path, redis_socket: Path, ours: tls.Authorities
) -> None:
    certificate = tls.context(ours.trusted.signs("localhost"))
    with (
        tls.front(postgres, certificate, postgres=True) as database,
        tls.front(redis_socket, certificate) as broker,
    ):
        settings = Settings.model_validate(
            {
                "database_url": database_url(database.port, verified(ours.trusted)),
                "broker_url": broker_url(broker.port, ours.trusted),
            }
        )
        assert settings.database_url is not None
        db = connect_engine(settings.database_url.get_secret_value(), name="tests")
        migrate.upgrade(settings.database_url.get_secret_value())
        factories.submit(db)
        with process(settings, "dispatch"), process(settings, "worker", "fast"):
            waiting = {"queued", "screening"}
            wait_for(lambda: waiting.isdisjoint(factories.states(db).values()), "the screening")
        db.dispose()

        assert min(database.heard, broker.heard) > 1_000


def test_an_announcement_is_heard_over_tls(postgres: Path, ours: tls.Authorities) -> None:
    with tls.front(postgres, tls.context(ours.trusted.signs("localhost")), postgres=True) as front:
        url = database_url(front.port, verified(ours.trusted))
        listener, db = Listener(url, name="tests"), connect_engine(url, name="tests")
        listener.wait(0.1)
        announce(db)
        assert listener.wait(60)
        listener.close()
        db.dispose()


@contextlib.contextmanager
def process(settings: Settings, *command: str, log: Any = subprocess.DEVNULL) -> Iterator[None]:
    """One process of ACE with these settings; stopped at the end."""
    running = subprocess.Popen(
        [sys.executable, "-m", "ace", *command],
        env={**os.environ, **settings.environment()},
        stdout=log,
        stderr=log,
    )
    try:
        yield
    finally:
        stop_process(running, seconds=20)


# What is wrong with the server or with how we know it: names of its certificate (None: it speaks
# no TLS), which authority signed it, days until it expires, the password we give.
WRONG: dict[str, tuple[tuple[str, ...] | None, str, int, str]] = {
    "signed by another authority": (("localhost",), "foreign", 30, PASSWORD),
    "another host's": (("db.example.org",), "trusted", 30, PASSWORD),
    "expired": (("localhost",), "trusted", -1, PASSWORD),
    "no TLS": (None, "trusted", 30, PASSWORD),
    "wrong password": (("localhost",), "trusted", 30, "wrong-" + PASSWORD),
}
wrong = pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)


def certificate_of(ours: tls.Authorities, case: tuple[tuple[str, ...] | None, str, int, str]) -> Any:
    names, signer, days, _ = case
    return None if names is None else tls.context(getattr(ours, signer).signs(*names, days=days))


@wrong
def test_a_database_that_is_not_what_it_should_be_is_shut_out(
    postgres: Path, ours: tls.Authorities, case: Any
) -> None:
    with tls.front(postgres, certificate_of(ours, case), postgres=True) as front:
        url = database_url(front.port, verified(ours.trusted), password=case[-1])
        db = connect_engine(url, name="tests")
        with pytest.raises(Unavailable) as caught:
            transact(db, lambda connection: connection.execute(text("SELECT 1")))
        assert not Listener(url, name="tests").wait(0.01)
        db.dispose()

    assert caught.value.part == "postgres"
    assert (front.heard > 0) == ("wrong" in case[-1])
    silent(caught.value)


@wrong
def test_a_broker_that_is_not_what_it_should_be_is_shut_out(
    redis_socket: Path, ours: tls.Authorities, case: Any
) -> None:
    import redis

    with tls.front(redis_socket, certificate_of(ours, case)) as front:
        url = broker_url(front.port, ours.trusted, password=case[-1])
        broker = broker_of(url)
        with pytest.raises(Unavailable) as caught:
            broker.waiting(Stage.FAST)
        with pytest.raises(redis.RedisError) as pinged:
            redis_ping(url)()

    for fault in (caught.value, pinged.value):
        silent(fault)


def test_a_broker_of_no_known_authority_is_shut_out_too(redis_socket: Path, ours: tls.Authorities) -> None:
    # kombu's own way with rediss:// and nothing more is to trust anybody.
    with tls.front(redis_socket, tls.context(ours.trusted.signs("localhost"))) as front:
        broker = broker_of(broker_url(front.port, None))
        with pytest.raises(Unavailable):
            broker.waiting(Stage.FAST)
        assert front.heard == 0


def test_no_log_tells_a_password(
    postgres: Path, redis_socket: Path, ours: tls.Authorities, tmp_path: Path
) -> None:
    certificate = tls.context(ours.trusted.signs("localhost"))
    bad, log = "wrong-" + PASSWORD, tmp_path / "log"
    with (
        tls.front(postgres, certificate, postgres=True) as database,
        tls.front(redis_socket, certificate) as broker,
        contextlib.ExitStack() as running,
        log.open("wb") as output,
    ):
        for password, commands in (
            (PASSWORD, [["dispatch"], ["worker", "slow"], ["serve", "--port", "0"]]),
            (bad, [["dispatch"]]),
        ):
            settings = Settings.model_validate(
                {
                    "database_url": database_url(database.port, verified(ours.trusted), password=password),
                    "broker_url": broker_url(broker.port, ours.trusted, password=bad),
                    "expert_url": f"https://localhost:{broker.port}",
                    "expert_token": bad,
                    "secret": bad + bad,
                }
            )
            for command in commands:
                running.enter_context(process(settings, *command, log=output))
        upgrade = subprocess.run(
            [sys.executable, "-m", "ace", "db", "upgrade"],
            env={**os.environ, **settings.environment()},
            stdout=output,
            stderr=output,
            timeout=600,
            check=False,
        )
        expected = ("postgres rejects the login", "redis rejects the login", "Cannot connect to rediss")
        wait_for(lambda: all(one in log.read_text() for one in expected), "the complaints")

    assert upgrade.returncode != 0
    assert PASSWORD not in log.read_text()
