"""The API key of a data folder: made with the first start, kept in a private file, replaced on request; and
the link that signs in to the desk with it."""

from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from ace.local.private import read_secret, write_private
from ace.store import keys, sessions
from ace.store.database import connect_engine, transact
from ace.store.scopes import Scope

TENANT: Final = "local"


def stack_key(file: Path, database_url: str, *, new: bool = False) -> str:
    """The key in `file` if the database admits it, or one that is made now; `new` revokes it and makes
    another."""
    db = connect_engine(database_url, name="ace up")
    try:
        kept = read_secret(file) if file.exists() else ""
        key = transact(db, partial(_in_force, kept=kept, new=new))
    finally:
        db.dispose()
    if key != kept:
        write_private(file, key)
    return key


def sign_in_link(url: str, database_url: str, key: str) -> str:
    """A link to the desk at `url` that signs in once with this key, within `sessions.LINK_SECONDS`."""
    db = connect_engine(database_url, name="ace up")
    try:
        work = partial(sessions.create, tenant=TENANT, key_id=_id_of(key), once=True)
        return f"{url}/sign-in/{transact(db, work)}"
    finally:
        db.dispose()


def _id_of(key: str) -> str:
    return key.removeprefix("ace_").partition("_")[0]


def _in_force(connection: Connection, *, kept: str, new: bool) -> str:
    key_id = _id_of(kept)
    found = keys.in_force(connection, key_id)
    if found is not None and found.hash == keys.digest(kept):
        if not new:
            return kept
        keys.revoke(connection, key_id)
    # Whoever starts the stack owns the machine, and looks after its work too.
    return keys.create(connection, TENANT, "ace up", scopes=Scope)[1]
