"""Servers that a stack needs beside ACE: what is missing is said before anything is started."""

from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from ace.cli import app
from ace.errors import NotConfigured
from ace.local import embedded
from ace.local.embedded import require_servers
from ace.settings import Settings


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Takes the wheels of servers away, and what the system has."""

    def take(*, postgres: bool = False, redis: bool = False) -> None:
        def nothing() -> None:
            raise NotConfigured("no Valkey or Redis")

        if postgres:
            monkeypatch.setattr(embedded, "find_spec", lambda _: None)
        if redis:
            monkeypatch.setattr(embedded, "find_redis", nothing)

    return take


def test_with_the_extra_nothing_is_missing() -> None:
    require_servers(Settings(_env_file=None))


@pytest.mark.parametrize(
    ("gone", "named", "words"),
    [
        ({"postgres": True}, {}, r"^PostgreSQL must run"),
        ({"redis": True}, {}, r"^Valkey or Redis must run"),
        ({"postgres": True, "redis": True}, {}, r"^PostgreSQL and Valkey or Redis must run"),
        ({"postgres": True, "redis": True}, {"database_url": "postgresql://x"}, r"^Valkey or Redis must run"),
        ({"postgres": True, "redis": True}, {"broker_url": "redis://x"}, r"^PostgreSQL must run"),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(
    without: Callable[..., None], gone: dict[str, bool], named: dict[str, str], words: str
) -> None:
    without(**gone)
    with pytest.raises(NotConfigured, match=words + r".*pip install '.*\[embedded\]'.*ACE_DATABASE_URL"):
        require_servers(Settings(_env_file=None, **named))


def test_servers_of_ones_own_will_do(without: Callable[..., None]) -> None:
    without(postgres=True, redis=True)
    require_servers(Settings(_env_file=None, database_url="postgresql://x", broker_url="redis://x"))


@pytest.mark.parametrize("command", ["demo", "up"])
def test_a_command_says_so_before_anything_else(without: Callable[..., None], command: str) -> None:
    without(postgres=True, redis=True)
    result = CliRunner().invoke(app, [command])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("ace: PostgreSQL and Valkey or Redis must run beside ACE")
    assert len(result.stderr.splitlines()) == 1
