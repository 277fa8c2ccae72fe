"""Cursors of paged lists: opaque, signed, valid for one tenant and one filter.

The first of the secrets signs; a cursor of any of them is accepted, so that a secret can be rotated.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from ace.api.problems import RefusedPart

_ID_BYTES: Final = 16
_MAC_BYTES: Final = 16
CURSOR_CHARACTERS: Final = 43  # of 32 bytes in base64url without padding


def write(secrets: Sequence[bytes], scope: Sequence[str], last: UUID) -> str:
    """The cursor of the page after `last` within `scope` (tenant and filter)."""
    return base64.urlsafe_b64encode(last.bytes + _mac(secrets[0], scope, last)).rstrip(b"=").decode()


def read(secrets: Sequence[bytes], scope: Sequence[str], cursor: str) -> UUID:
    """The id that `cursor` stands for. Raises Refused for a forged cursor or one from another scope."""
    refused = RefusedPart(
        "this cursor does not belong to this list", code="bad_cursor", part="parameter", name="cursor"
    )
    try:
        raw = base64.b64decode(cursor.encode() + b"=", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise refused from None
    if len(raw) != _ID_BYTES + _MAC_BYTES:
        raise refused
    last = UUID(bytes=raw[:_ID_BYTES])
    if not any(hmac.compare_digest(raw[_ID_BYTES:], _mac(one, scope, last)) for one in secrets):
        raise refused
    return last


def _mac(secret: bytes, scope: Sequence[str], last: UUID) -> bytes:
    """HMAC-SHA256, cut to 128 bits. Lengths precede parts, so no two scopes give the same input."""
    digest = hmac.new(secret, b"ace cursor 1", hashlib.sha256)
    for part in scope:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(4, "big") + encoded)
    digest.update(last.bytes)
    return digest.digest()[:_MAC_BYTES]
