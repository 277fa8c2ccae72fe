"""Who calls: the bearer key of a request and the tenant it opens. Keys live in store/keys.py."""

import hmac
import re
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from ace.errors import Refused
from ace.store import keys

_HEADER: Final = re.compile(r"(?i:bearer) +(ace_([0-9a-z]{1,32})_[0-9a-zA-Z]{1,128})")
_NOBODY: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Tenant:
    """Whom a request acts for, and with which key."""

    name: str
    key_id: str

    @property
    def actor(self) -> str:
        """How the audit trail names the caller."""
        return f"key:{self.key_id}"


def authenticate(connection: Connection, header: str | None) -> Tenant:
    """The tenant whose key an `Authorization` header carries (RFC 6750, section 2.1).

    Raises Refused, in the same words for a malformed, unknown, revoked or wrong key;
    an unknown id takes as long as a wrong secret.
    """
    match = _HEADER.fullmatch(header or "")
    key, key_id = match.groups() if match else ("", "")
    found = keys.in_force(connection, key_id) if match else None
    tenant, kept = found or ("", _NOBODY)
    if not hmac.compare_digest(keys.digest(key), kept) or found is None:
        raise Refused("a valid API key is needed: Authorization: Bearer ace_…", code="unauthorised")
    return Tenant(tenant, key_id)
