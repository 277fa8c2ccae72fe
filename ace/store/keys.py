"""API keys in the database: creating, finding, revoking and listing them.

A key has the form `ace_<id>_<secret>` and is shown once, when it is created; the table keeps the
SHA-256 of the whole. A plain hash is enough: the secret has 256 bits, which nobody guesses.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, RowMapping, text

from ace.errors import Refused
from ace.store.operating_tables import ALL_TENANTS
from ace.store.scopes import DEFAULT_SCOPES, Scope
from ace.types.tenants import is_for_tests

LONGEST_TENANT: Final = 100
TENANT_NAME: Final = re.compile(rf"(?!\s)[^\x00-\x1f\x7f-\x9f]{{1,{LONGEST_TENANT}}}(?<!\s)")

USE_SECONDS: Final = 60
"""How exactly the last use of a key is known."""


@dataclass(frozen=True, slots=True)
class InForce:
    """A key that is not revoked."""

    tenant: str
    hash: bytes
    scopes: frozenset[str]
    requests_per_second: float | None  # None: the limit of the settings
    expired: bool = False


def create(
    connection: Connection,
    tenant: str,
    label: str,
    *,
    scopes: Iterable[Scope] = DEFAULT_SCOPES,
    requests_per_second: float | None = None,
    expires_at: datetime | None = None,
    token_hex: Callable[[int], str] = secrets.token_hex,
) -> tuple[str, str]:
    """Creates a key of `tenant`; returns its id and the whole key, which cannot be read again.

    Without `expires_at` (aware) it never expires. Raises Refused for what cannot name a tenant, and for a
    test key with the scope operate.
    """
    if is_for_tests(tenant) and Scope.OPERATE in scopes:
        raise Refused(
            "a test key cannot have the scope operate, which reaches beyond tests", code="operate_for_tests"
        )
    if not TENANT_NAME.fullmatch(tenant):
        raise Refused(
            f"{tenant!r} cannot name a tenant: 1 to {LONGEST_TENANT} printable characters,"
            " no space at the ends",
            code="tenant_name",
        )
    if tenant == ALL_TENANTS:
        raise Refused(f"{ALL_TENANTS} stands for all tenants, and can be none", code="reserved_tenant")
    key_id = token_hex(6)
    key = f"ace_{key_id}_{token_hex(32)}"
    connection.execute(
        text("""
        INSERT INTO keys (id, tenant, hash, label, scopes, requests_per_second, expires_at)
        VALUES (:id, :tenant, :hash, :label, :scopes, :rate, :expires)"""),
        {
            "id": key_id,
            "tenant": tenant,
            "hash": digest(key),
            "label": label,
            "scopes": [scope.value for scope in Scope if scope in set(scopes)],
            "rate": requests_per_second,
            "expires": expires_at,
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
  SELECT tenant, hash, scopes, requests_per_second, coalesce(expires_at <= now(), false) AS expired FROM keys
  WHERE id = named.id AND revoked_at IS NULL OFFSET 0) found""")


def in_force(connection: Connection, key_id: str) -> InForce | None:
    """The key with this id, expired or not; None if there is none or it is revoked."""
    row = connection.execute(_IN_FORCE, {"id": key_id}).first()
    if row is None:
        return None
    return InForce(row.tenant, bytes(row.hash), frozenset(row.scopes), row.requests_per_second, row.expired)


def note_use(connection: Connection, key_id: str) -> None:
    """Keeps that the key was used just now, unless that is known to the minute already."""
    connection.execute(_NOTE_USE, {"id": key_id, "seconds": USE_SECONDS})


_NOTE_USE: Final = text("""
UPDATE keys SET last_used_at = now()
WHERE id = :id AND coalesce(last_used_at <= now() - make_interval(secs => :seconds), true)""")


def count_in_force(connection: Connection, tenant: str) -> int:
    """How many keys of the tenant are neither revoked nor expired."""
    return int(
        connection.execute(
            text(
                "SELECT count(*) FROM keys WHERE tenant = :tenant AND revoked_at IS NULL"
                " AND coalesce(expires_at > now(), true)"
            ),
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


_LISTED: Final = """
SELECT id, tenant, label, scopes, requests_per_second, created_at, revoked_at, expires_at, last_used_at
FROM keys"""


def list_all(connection: Connection) -> Sequence[RowMapping]:
    """Every key without its hash, oldest first, revoked ones too."""
    return connection.execute(text(f"{_LISTED} ORDER BY created_at, id")).mappings().all()


def of_tenant(connection: Connection, tenant: str) -> Sequence[RowMapping]:
    """The tenant's keys that are not revoked, expired ones too, without their hashes, oldest first."""
    return (
        connection.execute(
            text(f"{_LISTED} WHERE tenant = :tenant AND revoked_at IS NULL ORDER BY created_at, id"),
            {"tenant": tenant},
        )
        .mappings()
        .all()
    )
