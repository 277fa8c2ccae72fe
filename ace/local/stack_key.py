"""The API key of a data folder: made with the first start, kept in a private file, replaced on request."""

import json
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from ace.local.private import write_private
from ace.store import keys
from ace.store.database import connect_engine, transact

TENANT: Final = "local"


def stack_key(file: Path, database_url: str, *, new: bool = False) -> str:
    """The key in `file` if the database admits it, or one that is made now; `new` revokes it and makes
    another."""
    db = connect_engine(database_url, name="ace up")
    try:
        kept = str(json.loads(file.read_text())) if file.exists() else ""
        key = transact(db, partial(_in_force, kept=kept, new=new))
    finally:
        db.dispose()
    if key != kept:
        write_private(file, key)
    return key


def _in_force(connection: Connection, *, kept: str, new: bool) -> str:
    key_id = kept.removeprefix("ace_").partition("_")[0]
    found = keys.in_force(connection, key_id)
    if found is not None and found.hash == keys.digest(kept):
        if not new:
            return kept
        keys.revoke(connection, key_id)
    return keys.create(connection, TENANT, "ace up")[1]
