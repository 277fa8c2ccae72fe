"""Verifying what ACE sends to a webhook (Standard Webhooks 1.0.0, `v1`). Needs the standard library alone."""

import base64
import binascii
import hmac
import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

TOLERANCE_SECONDS: Final = 300
"""How far the time of a delivery may be from ours: an old one may be a recording."""

_PREFIX: Final = "whsec_"


class NotVerified(Exception):  # named after what happened, as all our errors
    """The delivery does not come from ACE, or is too old; the text says which."""


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secrets: Iterable[str],
    *,
    now: Callable[[], float] = time.time,
) -> dict[str, Any]:
    """The event in `body`, the bytes as they arrived, if one of the `secrets` (whsec_…) has signed it.

    Returns its `type`, `timestamp` and `data`, and as `id` the header `webhook-id`, which is the same each
    time the event is sent: remember it to handle an event once. Raises NotVerified.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        id_, sent_at, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise NotVerified(f"the header {missing} is missing") from None
    if not sent_at.isdecimal() or abs(now() - int(sent_at)) > TOLERANCE_SECONDS:
        raise NotVerified(f"the time of the delivery is more than {TOLERANCE_SECONDS} seconds away")
    signed = b".".join((id_.encode(), sent_at.encode(), body))
    known = [_signature(secret, signed) for secret in secrets]
    # Every pair is compared, so that the time taken shows nothing.
    fits = [hmac.compare_digest(one.encode(), other) for one in signatures.split(" ") for other in known]
    if not any(fits):
        raise NotVerified("no signature fits")
    event: dict[str, Any] = json.loads(body)
    return {"id": id_, **event}


def _signature(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("a secret of a webhook has the form whsec_ and base64") from None
    return b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
