"""What `ace serve` wants before it serves: a database, and a secret that nobody else knows."""

import pytest
from pydantic import SecretStr

from ace.api.app import serve
from ace.errors import NotConfigured
from ace.settings import SECRET_CHARACTERS, Settings

URL = "postgresql://nobody@127.0.0.1:1/nothing"


@pytest.mark.parametrize(
    ("secret", "fault"),
    [
        ("development-only", "is not set"),
        ("", "shorter than 16"),
        ("s" * (SECRET_CHARACTERS - 1), "shorter than 16"),
        ("change-me", "the example value"),
        ("CHANGE_ME_to_something_long_and_random", "the example value"),
        ("change-me-0123456789abcdef0123456789abcdef", "the example value"),
    ],
)
def test_weak_secret_is_refused(secret: str, fault: str) -> None:
    with pytest.raises(NotConfigured, match=fault) as refused:
        Settings(_env_file=None, secret=SecretStr(secret)).private_secrets()
    assert "ACE_SECRET" in str(refused.value)
    assert not secret or secret not in str(refused.value)


@pytest.mark.parametrize("secret", ["s" * SECRET_CHARACTERS, "8f" * 32, "do-not-change-me-0123456789"])
def test_secret_of_ones_own_is_good(secret: str) -> None:
    assert Settings(_env_file=None, secret=SecretStr(secret)).private_secrets() == (secret.encode(),)


def test_the_secrets_that_are_accepted_too_stand_behind_it_and_must_be_as_good() -> None:
    given = {"secret": SecretStr("n" * 32), "other_secrets": SecretStr(f" {'o' * 32}, ,{'p' * 16}")}
    assert Settings(_env_file=None, **given).private_secrets() == (b"n" * 32, b"o" * 32, b"p" * 16)
    for weak, fault in (
        ("short", "is shorter than 16 characters"),
        ("change-me-0123456789abcdef", "is still the example value"),
        ("development-only", "is the default of ACE_SECRET"),
    ):
        given["other_secrets"] = SecretStr(f"{'o' * 32},{weak}")
        with pytest.raises(NotConfigured, match=f"one of ACE_OTHER_SECRETS {fault}"):
            Settings(_env_file=None, **given).private_secrets()


def test_without_a_database_it_does_not_serve() -> None:
    with pytest.raises(NotConfigured, match="ACE_DATABASE_URL"):
        serve(Settings(_env_file=None, secret=SecretStr("s" * 32)), [], install=print)


@pytest.mark.parametrize("given", [{}, {"secret": SecretStr("short")}])
def test_without_a_secret_of_its_own_it_does_not_serve(given: dict[str, SecretStr]) -> None:
    with pytest.raises(NotConfigured, match="ACE_SECRET"):
        serve(Settings(_env_file=None, database_url=SecretStr(URL), **given), [], install=print)
