"""API keys in the database: creating, finding, revoking and listing them.

A key has the form `ace_<id>_<secret>` and is shown once, when it is created; the table keeps the
SHA-256 of the whole. A plain hash is enough: the secret has 256 bits, which nobody guesses.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, RowMapping, text

from ace.errors import Refused
from ace.store.operating_tables import ALL_TENANTS
from ace.store.scopes import DEFAULT_SCOPES, Scope


@dataclass(frozen=True, slots=True)
class InForce:
    """A key that is not revoked."""

    tenant: str
    hash: bytes
    scopes: frozenset[str]
    requests_per_second: float | None  # None: the limit of the settings


def create(
    connection: Connection,
    tenant: str,
    label: str,
    *,
    scopes: Iterable[Scope] = DEFAULT_SCOPES,
    requests_per_second: float | None = None,
    token_hex: Callable[[int], str] = secrets.token_hex,
) -> tuple[str, str]:
    """Creates a key of `tenant`; returns its id and the whole key, which cannot be read again.

    Raises Refused for `ALL_TENANTS`, which is no tenant.
    """
    if tenant == ALL_TENANTS:
        raise Refused(f"{ALL_TENANTS} stands for all tenants, and can be none", code="reserved_tenant")
    key_id = token_hex(6)
    key = f"ace_{key_id}_{token_hex(32)}"
    connection.execute(
        text("""
        INSERT INTO keys (id, tenant, hash, label, scopes, requests_per_second)
        VALUES (:id, :tenant, :hash, :label, :scopes, :rate)"""),
        {
            "id": key_id,
            "tenant": tenant,
            "hash": digest(key),
            "label": label,
            "scopes": [scope.value for scope in Scope if scope in set(scopes)],
            "rate": requests_per_second,
        },
    )
    return key_id, key


def digest(key: str) -> bytes:
    """What is stored of a key: the SHA-256 of all its characters, 32 bytes."""
    return hashlib.sha256(key.encode()).digest()


# One statement, because every request runs it. Row security shows a key to whoever sets its id in
# `ace.key`. The inner query needs the id from the outer one, so it cannot run first.
_IN_FORCE: Final = text("""
SELECT found.* FROM (SELECT set_config('ace.key', :id, true) AS id) named
CROSS JOIN LATERAL (
  SELECT tenant, hash, scopes, requests_per_second FROM keys
  WHERE id = named.id AND revoked_at IS NULL OFFSET 0) found""")


def in_force(connection: Connection, key_id: str) -> InForce | None:
    """The key with this id, unless there is none or it is revoked."""
    row = connection.execute(_IN_FORCE, {"id": key_id}).first()
    if row is None:
        return None
    return InForce(row.tenant, bytes(row.hash), frozenset(row.scopes), row.requests_per_second)


def count_in_force(connection: Connection, tenant: str) -> int:
    """How many keys of the tenant are not revoked."""
    return int(
        connection.execute(
            text("SELECT count(*) FROM keys WHERE tenant = :tenant AND revoked_at IS NULL"),
            {"tenant": tenant},
        ).scalar_one()
    )


def exists(connection: Connection, key_id: str, tenant: str) -> bool:
    """Whether the tenant has, or had, a key with this id."""
    found = connection.execute(
        text("SELECT 1 FROM keys WHERE id = :id AND tenant = :tenant"), {"id": key_id, "tenant": tenant}
    )
    return found.first() is not None


def revoke(connection: Connection, key_id: str, *, tenant: str | None = None) -> bool:
    """Revokes a key at once. False: there is no such key (of the tenant), or it was already revoked."""
    row = connection.execute(
        text("""
        UPDATE keys SET revoked_at = now()
        WHERE id = :id AND revoked_at IS NULL AND tenant = coalesce(:tenant, tenant) RETURNING id"""),
        {"id": key_id, "tenant": tenant},
    ).first()
    return row is not None


_LISTED: Final = "SELECT id, tenant, label, scopes, requests_per_second, created_at, revoked_at FROM keys"


def list_all(connection: Connection) -> Sequence[RowMapping]:
    """Every key without its hash, oldest first, revoked ones too."""
    return connection.execute(text(f"{_LISTED} ORDER BY created_at, id")).mappings().all()


def of_tenant(connection: Connection, tenant: str) -> Sequence[RowMapping]:
    """The tenant's keys that are not revoked, without their hashes, oldest first."""
    return (
        connection.execute(
            text(f"{_LISTED} WHERE tenant = :tenant AND revoked_at IS NULL ORDER BY created_at, id"),
            {"tenant": tenant},
        )
        .mappings()
        .all()
    )
