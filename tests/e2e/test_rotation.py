"""Secrets, keys and passwords are exchanged one process at a time, while clients never stop asking.

Two processes serve the API, as behind a proxy: what one cannot answer now, the other does.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from ace.local.servers import Postgres, Redis
from ace.processes import free_port
from ace.settings import Settings
from ace.store import keys, migrate
from ace.store.database import connect_engine, transact
from ace.store.scopes import Scope
from patent_ace_client.webhooks import NotVerified, verify
from tests.e2e.rolling import ENOUGH, START_SECONDS, Clients, Service, ready, running
from tests.receivers import Receiver, Sent, receiving
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

OLD, NEW = "o" * 32, "n" * 32


@pytest.fixture(scope="module")
def postgres(data_dir: Path) -> Iterator[Postgres]:
    """A server that asks everybody but its owner for a password."""
    with Postgres(Path(tempfile.mkdtemp(dir=data_dir)) / "postgres") as server:
        migrate.upgrade(server.url)
        with psycopg.connect(server.url, autocommit=True) as connection:
            rules = server.folder / "pg_hba.conf"
            rules.write_text(
                "local all +ace_api scram-sha-256\nlocal all +ace_work scram-sha-256\n" + rules.read_text()
            )
            connection.execute("SELECT pg_reload_conf()")
        yield server


def login(server: Postgres, name: str, password: str, *grants: str) -> SecretStr:
    """Makes a login with these rights; its URL."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN NOINHERIT PASSWORD '{password}'")
        for grant in grants:
            connection.execute(f"GRANT {grant}")
    return SecretStr(server.url.replace("postgres@", f"{name}:{password}@"))


def api_login(server: Postgres, name: str, password: str) -> SecretStr:
    return login(server, name, password, f"ace_api, ace_watch TO {name} WITH INHERIT FALSE, SET TRUE")


def worker_login(server: Postgres, name: str, password: str) -> SecretStr:
    return login(server, name, password, f"ace_work TO {name} WITH INHERIT TRUE")


def good(receiver: Receiver, *secrets: str) -> list[Sent]:
    """The deliveries that one of the secrets verifies; the test fails if another is among them."""
    found = list(receiver.came)
    for sent in found:
        try:
            verify(
                sent.body, sent.headers, secrets, now=lambda sent=sent: int(sent.headers["webhook-timestamp"])
            )
        except NotVerified:
            pytest.fail("a delivery was signed with no secret that its receiver knows")
    return found


def test_nobody_notices_that_secrets_keys_and_passwords_are_exchanged(
    postgres: Postgres, redis_server: Redis, tmp_path: Path
) -> None:
    base = {
        "broker_url": SecretStr(redis_server.url),
        "webhook_http": True,
        "webhook_networks": "127.0.0.0/8",
    }
    ports = [free_port(), free_port()]
    apis = [Service("serve", log=tmp_path / f"api-{port}.log") for port in ports]
    sender = Service("worker", "webhooks", log=tmp_path / "sender.log")
    dispatcher = Service("dispatch", log=tmp_path / "dispatcher.log")
    owner = connect_engine(postgres.url, name="tests")
    _, key = transact(owner, lambda c: keys.create(c, "office", "old", scopes=list(Scope)))

    def settings(database: SecretStr, secret: str, *others: str, **more: object) -> Settings:
        given = {"secret": SecretStr(secret), "other_secrets": SecretStr(",".join(others))}
        return Settings.model_validate({**base, **given, "database_url": database, **more})

    def replace(which: int, database: SecretStr, *secrets: str) -> None:
        """Restarts one process of the API, and waits until it is ready."""
        apis[which].restart(settings(database, *secrets, port=ports[which]))
        wait_for(lambda: ready(ports[which]), "the API", seconds=START_SECONDS)

    def more_deliveries(*secrets: str) -> None:
        before = len(good(receiver, *secrets))
        wait_for(lambda: len(receiver.came) >= before + ENOUGH, "deliveries", seconds=START_SECONDS)
        good(receiver, *secrets)

    with receiving() as receiver, running(*apis, sender, dispatcher):
        first, worker = api_login(postgres, "api_1", "ab12"), worker_login(postgres, "worker_1", "cd34")
        dispatcher.restart(settings(SecretStr(postgres.url), OLD))
        sender.restart(settings(worker, OLD, NEW))
        replace(0, first, OLD)
        with Clients(ports, key) as clients:
            webhook = {"url": receiver.url, "events": ["evaluation.cancelled"]}
            made = clients.ask("webhook", "POST", "/v1/webhooks", json=webhook)
            clients.some_more()

            # The secret: first everybody accepts the new one, then everybody signs with it. Meanwhile the
            # password: a second login beside the first.
            replace(1, first, OLD, NEW)
            clients.some_more()
            second = api_login(postgres, "api_2", "ef56")
            replace(0, second, OLD, NEW)
            clients.some_more()
            replace(1, second, NEW, OLD)
            clients.some_more()
            replace(0, second, NEW, OLD)
            clients.some_more()
            with psycopg.connect(postgres.url, autocommit=True) as connection:
                connection.execute("DROP ROLE api_1")
            more_deliveries(made["secret"])

            # The secrets of webhooks, before the old one goes.
            assert ops_secrets(settings(SecretStr(postgres.url), NEW, OLD)) == 1
            new = clients.ask("rotate", "POST", f"/v1/webhooks/{made['id']}/secrets")["secret"]
            more_deliveries(made["secret"], new)
            sender.restart(settings(worker_login(postgres, "worker_2", "gh78"), NEW))
            with psycopg.connect(postgres.url, autocommit=True) as connection:
                connection.execute("DROP ROLE worker_1")
            replace(1, second, NEW)
            clients.some_more()
            more_deliveries(new, made["secret"])
            assert len(signed_with(receiver, new)) >= ENOUGH

            # The key: a new one beside the old, then the old one goes.
            body = {"label": "new", "scopes": ["submit", "read"]}
            clients.key = clients.ask("key", "POST", "/v1/keys", json=body)["key"]
            clients.some_more()
            transact(owner, lambda c: keys.revoke(c, key.split("_")[1]))
            clients.some_more()
    owner.dispose()
    told = "".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert not [secret for secret in (OLD, NEW, "ab12", "cd34", "ef56", "gh78", key) if secret in told]


def signed_with(receiver: Receiver, secret: str) -> list[Sent]:
    """The deliveries that this secret verifies."""
    found = []
    for sent in list(receiver.came):
        try:
            verify(
                sent.body,
                sent.headers,
                [secret],
                now=lambda sent=sent: int(sent.headers["webhook-timestamp"]),
            )
        except NotVerified:
            continue
        found.append(sent)
    return found


def ops_secrets(settings: Settings) -> int:
    """The exit status of `ace ops secrets`."""
    command = [sys.executable, "-m", "ace", "ops", "secrets"]
    return subprocess.run(
        command, env={**os.environ, **settings.environment()}, capture_output=True, check=False
    ).returncode
