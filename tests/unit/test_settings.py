"""Settings: from the environment, bounded, and handed on to other processes without loss."""

import pytest
from pydantic import SecretStr, ValidationError

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
