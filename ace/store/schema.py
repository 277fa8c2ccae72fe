"""The schema revision that this version of ACE is made for, without Alembic, which is slow to import."""

from typing import Final

from sqlalchemy import Connection, inspect, text

NEWEST: Final = "0017"
"""The last revision in `migrations`; a test compares them."""

_TABLE: Final = "alembic_version"


def is_newest(connection: Connection) -> bool:
    """Whether the database has exactly this revision; a database without any schema has not."""
    return revision(connection) == NEWEST


def revision(connection: Connection) -> str | None:
    """The revision of the database, or None without any schema."""
    if not inspect(connection).has_table(_TABLE):
        return None
    found: str | None = connection.scalar(text(f"SELECT version_num FROM {_TABLE}"))
    return found
