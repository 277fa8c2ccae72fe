"""`ace keys`: keys that expire, test keys, and what the list shows, against a real database."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner, Result

from ace.cli import app
from ace.store import keys
from ace.store.database import transact
from ace.types.tenants import for_tests

Keys = Callable[..., Result]


@pytest.fixture
def command(db: Engine) -> Keys:
    url = db.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["keys", *arguments], env={"ACE_DATABASE_URL": url})

    return run


def made(command: Keys, *arguments: str) -> dict[str, Any]:
    done = command("create", "--tenant", "office", "--json", *arguments)
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def test_a_key_expires_when_it_was_told_to(command: Keys, db: Engine) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    key = made(command, "--expires", tomorrow)
    found = transact(db, partial(keys.in_force, key_id=key["id"]))
    assert found is not None
    assert not found.expired
    assert key["expires_at"].startswith(tomorrow.replace("T", " "))
    assert made(command)["expires_at"] is None


@pytest.mark.parametrize(
    ("given", "words"), [("2026-01-01", "must lie in the future"), ("tomorrow", "YYYY-MM-DD")]
)
def test_a_key_that_would_open_nothing_is_not_made(command: Keys, given: str, words: str) -> None:
    done = command("create", "--tenant", "office", "--expires", given)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_test_key_belongs_to_the_tests_of_its_tenant(command: Keys) -> None:
    assert made(command, "--test")["tenant"] == for_tests("office")
    refused = command("create", "--tenant", "office", "--test", "--scope", "operate")
    assert refused.exit_code == 2
    assert "operate" in refused.stderr


def test_the_list_shows_expiry_and_last_use(command: Keys, db: Engine) -> None:
    key = made(command, "--expires", "2999-01-01")
    transact(db, partial(keys.note_use, key_id=key["id"]))
    (listed,) = json.loads(command("list", "--json").stdout)["keys"]
    assert listed["expires_at"] == "2999-01-01 00:00:00+00:00"
    assert listed["last_used_at"] is not None
    heads, row = command("list").stdout.splitlines()
    assert heads.split() == [
        *("id", "tenant", "label", "scopes", "rate"),
        *("created_at", "last_used_at", "expires_at", "revoked_at"),
    ]
    assert "2999-01-01" in row


@pytest.mark.parametrize("name", [" office", "office ", " ", "", "a\nb", "x" * 101])
def test_what_cannot_name_a_tenant_is_refused(command: Keys, name: str) -> None:
    refused = command("create", "--tenant", name)
    assert (refused.exit_code, "cannot name a tenant" in refused.stderr) == (2, True)


def test_a_revoked_key_is_named(command: Keys) -> None:
    key = made(command)
    assert command("revoke", key["id"]).stdout == f"revoked: {key['id']}\n"
