"""Settings: from the environment, bounded, and handed on to other processes without loss."""

from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from ace import settings
from ace.settings import Settings


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACE_FAST_LEASE_SECONDS", "3.5")

    assert Settings().fast_lease_seconds == 3.5


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fast_lease_seconds", 0),
        ("port", 70_000),
        ("expert_slots", 0),
        ("log_level", "loud"),
        ("max_tries", -1),
        ("expert_opinions", 2),
        ("expert_opinions", 9),
    ],
)
def test_impossible_values_are_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        Settings.model_validate({name: value})


def test_another_process_gets_the_same_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Settings(database_url=SecretStr("postgresql://a:b@c/d"), expert_slots=3, port=0)

    for name, value in given.environment().items():
        monkeypatch.setenv(name, value)

    assert Settings() == given


def test_secrets_do_not_show() -> None:
    assert "hush" not in repr(Settings(secret=SecretStr("hush"), expert_token=SecretStr("hush")))


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("postgresql://ace@db:5432/ace", "postgresql://ace:a%2Fb@db:5432/ace"),
        ("postgresql://ace@/ace?host=%2Frun", "postgresql://ace:a%2Fb@/ace?host=%2Frun"),
        ("postgresql://ace:own@db/ace", "postgresql://ace:own@db/ace"),
        ("redis://db:6379/0", "redis://:a%2Fb@db:6379/0"),
        ("rediss://:own@db/0?ssl_ca_certs=x", "rediss://:own@db/0?ssl_ca_certs=x"),
    ],
)
def test_a_password_of_its_own_stands_in_the_url(url: str, wanted: str) -> None:
    for part in ("database", "broker"):
        read = Settings.model_validate({f"{part}_url": SecretStr(url), f"{part}_password": "a/b"})
        assert getattr(read, f"{part}_url").get_secret_value() == wanted
        again = Settings.model_validate({f"{part}_url": wanted, f"{part}_password": SecretStr("a/b")})
        assert getattr(again, f"{part}_url").get_secret_value() == wanted


def test_secrets_are_read_from_files_unless_the_environment_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "SECRETS_FOLDER", tmp_path)
    monkeypatch.setenv("ACE_DATABASE_URL", "postgresql://ace@db/ace")
    for name, content in (
        ("secret", "from a file\n"),
        ("database_password", "ab12\n"),
        ("expert_token", "\n"),
    ):
        (tmp_path / f"ace_{name}").write_text(content)

    read = Settings()
    assert read.secret.get_secret_value() == "from a file"
    assert read.database_url == SecretStr("postgresql://ace:ab12@db/ace")
    assert read.expert_token is None
    monkeypatch.setenv("ACE_SECRET", "from the environment")
    assert Settings().secret.get_secret_value() == "from the environment"
