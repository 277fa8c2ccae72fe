"""The record of what people did: who, what, to what, and why. Written in the transaction of the act.

A target has ids and kinds, never words of a claim: who may not read claims sees acts too.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, RowMapping, text

REASON_CHARACTERS: Final = 500

_RECORD: Final = text("""
INSERT INTO acts (id, tenant, actor, act, target, reason)
VALUES (uuidv7(), :tenant, :actor, :act, :target, :reason)""")
_LATEST: Final = text("""
SELECT id, at, actor, act, target, reason FROM acts WHERE tenant = :tenant ORDER BY id DESC LIMIT :limit""")


def record(connection: Connection, tenant: str, *, actor: str, act: str, target: str, reason: str) -> None:
    """Adds one act of the tenant, or of `ALL_TENANTS`."""
    given = {"tenant": tenant, "actor": actor, "act": act, "target": target, "reason": reason}
    connection.execute(_RECORD, given)


def latest(connection: Connection, tenant: str, *, limit: int) -> Sequence[RowMapping]:
    """The newest acts of the tenant, newest first."""
    return connection.execute(_LATEST, {"tenant": tenant, "limit": limit}).mappings().all()
