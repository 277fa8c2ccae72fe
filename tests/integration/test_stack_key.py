"""The key of a data folder over several starts."""

import json
from pathlib import Path

from sqlalchemy import Engine

from ace.local.stack_key import sign_in_link, stack_key
from ace.store import keys, sessions


def in_force(db: Engine, key: str) -> bool:
    with db.connect() as connection:
        return keys.in_force(connection, key.split("_")[1]) is not None


def test_a_key_is_kept_until_another_is_wanted(db: Engine, postgres_url: str, tmp_path: Path) -> None:
    file = tmp_path / "key"
    first = stack_key(file, postgres_url)
    assert stack_key(file, postgres_url) == first
    assert file.stat().st_mode & 0o777 == 0o600

    second = stack_key(file, postgres_url, new=True)

    assert second != first
    assert (in_force(db, first), in_force(db, second)) == (False, True)
    assert stack_key(file, postgres_url) == second


def test_a_key_that_the_database_does_not_admit_is_replaced(
    db: Engine, postgres_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "key"
    revoked = stack_key(file, postgres_url)
    with db.begin() as connection:
        keys.revoke(connection, revoked.split("_")[1])
    replaced = stack_key(file, postgres_url)
    assert replaced != revoked

    forged = replaced[:-1] + ("0" if replaced[-1] != "0" else "1")
    file.write_text(json.dumps(forged))
    assert stack_key(file, postgres_url) not in {forged, replaced}


def test_a_link_opens_one_session_of_the_key(db: Engine, postgres_url: str, tmp_path: Path) -> None:
    key = stack_key(tmp_path / "key", postgres_url)
    link = sign_in_link("http://127.0.0.1:8000", postgres_url, key)
    path, _, token = link.rpartition("/")
    assert path == "http://127.0.0.1:8000/sign-in"
    with db.begin() as connection:
        found = sessions.opened(connection, token, once=True)
        assert found is not None
        assert (found.key_id, found.key.hash) == (key.split("_")[1], keys.digest(key))
        assert sessions.end(connection, token)
        assert not sessions.end(connection, token)
    with db.begin() as connection:
        assert sessions.opened(connection, token, once=True) is None
