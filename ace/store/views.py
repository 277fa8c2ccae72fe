"""Named queries of the list of filings, which each key keeps for itself."""

from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from ace.store import acts
from ace.store.ids import new_id

MAX_VIEWS: Final = 20
NAME_CHARACTERS: Final = 60

_SAVE: Final = text("""
INSERT INTO views (id, tenant, key_id, name, query) VALUES (:id, :tenant, :key, :name, :query)""")
_NEWEST: Final = text("""
SELECT name, query FROM (
  SELECT DISTINCT ON (name) name, query FROM views
  WHERE tenant = :tenant AND key_id = :key ORDER BY name, id DESC) newest
WHERE query IS NOT NULL ORDER BY name""")


def save(
    connection: Connection, tenant: str, key_id: str, name: str, query: str | None, *, actor: str
) -> UUID:
    """Keeps a query under a name, in place of an earlier one; None removes it. What was there stays on
    record."""
    id_ = new_id(connection)
    connection.execute(_SAVE, {"id": id_, "tenant": tenant, "key": key_id, "name": name, "query": query})
    act = "forget view" if query is None else "save view"
    acts.record(connection, tenant, actor=actor, act=act, target=f"view {id_}", reason="")
    return id_


def of_key(connection: Connection, tenant: str, key_id: str) -> dict[str, str]:
    """The queries of a key by name."""
    rows = connection.execute(_NEWEST, {"tenant": tenant, "key": key_id})
    return {row.name: row.query for row in rows}
