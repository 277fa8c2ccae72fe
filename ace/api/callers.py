"""Who calls: the bearer key of a request, its tenant and its scopes."""

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from ace.api.problems import Forbidden
from ace.errors import Refused
from ace.store import keys
from ace.store.scopes import Scope

_HEADER: Final = re.compile(r"(?i:bearer) +(ace_([0-9a-z]{1,32})_[0-9a-zA-Z]{1,128})")
_NOBODY: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Presented:
    """A key as a request carries it, active or not: its id, and the hash of the whole key."""

    id: str
    hash: bytes


@dataclass(frozen=True, slots=True)
class Tenant:
    """Whom a request acts for, with which key, and the scopes of the key."""

    name: str
    key_id: str
    scopes: frozenset[str]
    requests_per_second: float | None

    @property
    def actor(self) -> str:
        """How the audit trail names the caller."""
        return actor_of(self.key_id)

    @property
    def reads_text(self) -> bool:
        """Whether the caller may read the words of claims."""
        return Scope.TEXT in self.scopes


def actor_of(key_id: str) -> str:
    """How the audit trail names whoever acts with this key."""
    return f"key:{key_id}"


def presented(header: str | None) -> Presented:
    """The key in an `Authorization` header (RFC 6750, section 2.1); raises Refused if there is none."""
    match = _HEADER.fullmatch(header or "")
    if match is None:
        raise _unauthorised()
    key, key_id = match.groups()
    return Presented(key_id, keys.digest(key))


def authenticate(connection: Connection, key: Presented) -> Tenant:
    """The tenant whose key this is.

    Raises Refused, in the same words for an unknown, revoked or wrong key as for a malformed one;
    an unknown id takes as long as a wrong secret. Only who holds an expired key learns that it is expired.
    """
    found = keys.in_force(connection, key.id)
    if not hmac.compare_digest(key.hash, _NOBODY if found is None else found.hash) or found is None:
        raise _unauthorised()
    if found.expired:
        raise Refused("the API key has expired: use another one of the tenant", code="key_expired")
    return Tenant(found.tenant, key.id, found.scopes, found.requests_per_second)


def refuse_beyond(caller: Tenant, scopes: Iterable[str]) -> None:
    """Raises Forbidden if the caller's key lacks one of the scopes."""
    for scope in scopes:
        if scope not in caller.scopes:
            raise Forbidden(scope)


def _unauthorised() -> Refused:
    return Refused("a valid API key is needed: Authorization: Bearer ace_…", code="unauthorised")
