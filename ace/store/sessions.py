"""Sessions of the desk: tokens that stand for an API key in a browser, and links that open one session.

A token is shown once and stored as its SHA-256; a plain hash is enough for 256 random bits. A session ends
when it expires or is signed out, and when its key expires or is revoked. A purge removes what has ended.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, text

from ace.store.keys import InForce, digest
from ace.store.statements import statement

SESSION_SECONDS: Final = 12 * 3_600
LINK_SECONDS: Final = 3_600

TokenHex = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Opened:
    """What a session or a link stands for: a key that is in force."""

    key_id: str
    key: InForce


_CREATE: Final = text("""
INSERT INTO sessions (hash, tenant, key_id, once, until)
VALUES (:hash, :tenant, :key_id, :once, now() + make_interval(secs => :seconds))""")
_END: Final = text("UPDATE sessions SET until = now() WHERE hash = :hash AND until > now() RETURNING hash")


def create(
    connection: Connection,
    tenant: str,
    key_id: str,
    *,
    once: bool = False,
    token_hex: TokenHex = secrets.token_hex,
) -> str:
    """Opens a session of a key that the caller has proved to hold, or with `once` makes a link that opens
    one; returns its token."""
    token = token_hex(32)
    seconds = LINK_SECONDS if once else SESSION_SECONDS
    given = {"hash": digest(token), "tenant": tenant, "key_id": key_id, "once": once, "seconds": seconds}
    connection.execute(_CREATE, given)
    return token


def opened(connection: Connection, token: str, *, once: bool = False) -> Opened | None:
    """What the session with this token stands for, or with `once` the link; None if it is over."""
    row = connection.execute(statement("session"), {"hash": digest(token).hex(), "once": once}).first()
    if row is None:
        return None
    key = InForce(row.tenant, bytes(row.key_hash), frozenset(row.scopes), row.requests_per_second)
    return Opened(row.id, key)


def end(connection: Connection, token: str) -> bool:
    """Ends a session, or uses up a link. False: it was over; of two at once, one alone ends it."""
    return connection.execute(_END, {"hash": digest(token)}).first() is not None
