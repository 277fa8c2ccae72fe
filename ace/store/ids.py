"""Ids of rows whose order is that of their making: version 7 of RFC 9562, by the clock of the database.

The clocks of processes differ, and lists and pages of them are in the order of ids.
"""

from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

_NEW: Final = text("SELECT uuidv7() FROM generate_series(1, :count)")


def new_ids(connection: Connection, count: int) -> list[UUID]:
    """Ids in ascending order, later than all that this server has made."""
    return list(connection.execute(_NEW, {"count": count}).scalars())


def new_id(connection: Connection) -> UUID:
    """One of them."""
    (id_,) = new_ids(connection, 1)
    return id_
