"""The feed of events: reading it from a place on, and how far it goes."""

from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import Connection, RowMapping, text

_AFTER: Final = text("""
SELECT number, id, kind, at, filing_id, evaluation_id, claim_number, verdict, error_class, error, webhook_id
FROM notices WHERE tenant = :tenant AND number > :after ORDER BY number LIMIT :limit""")
_HEADS: Final = text("""
SELECT t.tenant, n.number FROM unnest(CAST(:tenants AS text[])) AS t (tenant) CROSS JOIN LATERAL (
  SELECT number FROM notices WHERE tenant = t.tenant ORDER BY number DESC LIMIT 1) n""")


def after(connection: Connection, tenant: str, number: int, *, limit: int) -> Sequence[RowMapping]:
    """The events of a tenant after one number, in order. None is ever added before one that was read."""
    given = {"tenant": tenant, "after": number, "limit": limit}
    return connection.execute(_AFTER, given).mappings().all()


def heads(connection: Connection, tenants: Collection[str]) -> dict[str, int]:
    """The number of each tenant's last event; tenants without any are left out."""
    return {row.tenant: row.number for row in connection.execute(_HEADS, {"tenants": list(tenants)})}
