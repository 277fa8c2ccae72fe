"""API keys in the database: made, found, revoked, listed.

A key reads `ace_<id>_<secret>` and is shown once, when it is made; the table keeps the SHA-256
of the whole. A plain hash is enough: the secret has 256 bits, which nobody guesses.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, RowMapping, text


def create(
    connection: Connection,
    tenant: str,
    label: str,
    *,
    token_hex: Callable[[int], str] = secrets.token_hex,
) -> tuple[str, str]:
    """Makes a key of `tenant`; returns its id and the whole key, which cannot be had again."""
    key_id = token_hex(6)
    key = f"ace_{key_id}_{token_hex(32)}"
    connection.execute(
        text("INSERT INTO keys (id, tenant, hash, label) VALUES (:id, :tenant, :hash, :label)"),
        {"id": key_id, "tenant": tenant, "hash": digest(key), "label": label},
    )
    return key_id, key


def digest(key: str) -> bytes:
    """What is kept of a key: the SHA-256 of all its characters, 32 bytes."""
    return hashlib.sha256(key.encode()).digest()


def in_force(connection: Connection, key_id: str) -> tuple[str, bytes] | None:
    """Tenant and hash of a key that is not revoked; None where there is none."""
    row = connection.execute(
        text("SELECT tenant, hash FROM keys WHERE id = :id AND revoked_at IS NULL"), {"id": key_id}
    ).first()
    return None if row is None else (row.tenant, bytes(row.hash))


def revoke(connection: Connection, key_id: str) -> bool:
    """Ends a key at once. False: there is no such key, or it was revoked before."""
    row = connection.execute(
        text("UPDATE keys SET revoked_at = now() WHERE id = :id AND revoked_at IS NULL RETURNING id"),
        {"id": key_id},
    ).first()
    return row is not None


def list_all(connection: Connection) -> Sequence[RowMapping]:
    """Every key without its hash, oldest first, revoked ones too."""
    return (
        connection.execute(
            text("SELECT id, tenant, label, created_at, revoked_at FROM keys ORDER BY created_at, id")
        )
        .mappings()
        .all()
    )
