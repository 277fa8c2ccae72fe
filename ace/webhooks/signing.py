"""Secrets and signatures of webhooks, as Standard Webhooks 1.0.0 has them: `v1`, HMAC with SHA-256.

Secrets are not stored: each is derived from ACE_SECRET and the random id of its row, so that a copy of the
database opens nothing. A fingerprint beside the id shows when ACE_SECRET has changed.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from ace.errors import NotConfigured

PREFIX: Final = "whsec_"
FINGERPRINT_BYTES: Final = 8


def secret_of(master: bytes, secret_id: UUID) -> bytes:
    """The 32 bytes of a secret: HMAC-SHA256 under ACE_SECRET."""
    return hmac.digest(master, b"ace webhook secret 1" + secret_id.bytes, "sha256")


def fingerprint(secret: bytes) -> bytes:
    """What is stored to recognise a secret; 64 of its 256 bits' hash, which lead nowhere."""
    return hashlib.sha256(b"ace webhook fingerprint 1" + secret).digest()[:FINGERPRINT_BYTES]


def shown(secret: bytes) -> str:
    """A secret as receivers configure it."""
    return PREFIX + base64.b64encode(secret).decode()


def secrets_of(masters: Sequence[bytes], stored: Sequence[tuple[UUID, bytes]]) -> list[bytes]:
    """The secrets behind (id, fingerprint) that values of ACE_SECRET give. Raises NotConfigured if none."""
    valid = [
        secret_of(masters[origin], id_)
        for id_, known in stored
        if (origin := origin_of(masters, id_, known)) is not None
    ]
    if not valid:
        raise NotConfigured("ACE_SECRET has changed since this webhook's secret was made: rotate the secret")
    return valid


def origin_of(masters: Sequence[bytes], secret_id: UUID, known: bytes) -> int | None:
    """Which of the values of ACE_SECRET a stored secret comes from; None if from none of them."""
    derived = (fingerprint(secret_of(master, secret_id)) for master in masters)
    return next((at for at, found in enumerate(derived) if hmac.compare_digest(found, known)), None)


def headers(event_id: UUID, at: datetime, body: bytes, secrets: Sequence[bytes]) -> dict[str, str]:
    """The three headers of a delivery, signed with each secret."""
    seconds = str(int(at.timestamp()))
    signed = b".".join((str(event_id).encode(), seconds.encode(), body))
    signatures = (base64.b64encode(hmac.digest(secret, signed, "sha256")).decode() for secret in secrets)
    return {
        "webhook-id": str(event_id),
        "webhook-timestamp": seconds,
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
