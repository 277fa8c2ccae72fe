"""Verifying what ACE sends to a webhook (Standard Webhooks 1.0.0, `v1`). Needs the standard library alone."""

import base64
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

TOLERANCE_SECONDS: Final = 300
"""How far the time of a delivery may be from ours: an old one may be a recording."""

_PREFIX: Final = "whsec_"
_KEY_BYTES: Final = 24  # at least: the standard's minimum, and what no empty setting has
_SECONDS: Final = re.compile(r"[0-9]{1,12}")
_NAMES: Final = ("webhook-id", "webhook-timestamp", "webhook-signature")


class NotVerified(Exception):  # named after what happened, as all our errors
    """The delivery does not come from ACE, is too old, or cannot be verified; the text says why."""


def verify(
    body: bytes,
    headers: Mapping[str, str],
    secrets: Iterable[str],
    *,
    now: Callable[[], float] = time.time,
) -> dict[str, Any]:
    """The event in `body`, the bytes as they arrived, if one of the `secrets` (whsec_…) has signed it.

    Returns its `type`, `timestamp` and `data`, and as `id` the header `webhook-id`, which is the same each
    time the event is sent: remember it to handle an event once. Raises NotVerified and nothing else, whatever
    arrives; also for a secret that is none.
    """
    if not isinstance(body, bytes | bytearray | memoryview):
        raise NotVerified("the body must be the bytes as they arrived")
    id_, sent_at, signatures = _headers(headers)
    if not _SECONDS.fullmatch(sent_at) or not abs(now() - int(sent_at)) <= TOLERANCE_SECONDS:
        raise NotVerified(f"the time of the delivery is more than {TOLERANCE_SECONDS} seconds away")
    signed = b".".join((id_.encode(), sent_at.encode(), body))
    known = [_signature(key, signed) for key in _keys(secrets)]
    # Every pair is compared, so that the time taken shows nothing.
    fits = [hmac.compare_digest(one.encode(), other) for one in signatures.split(" ") for other in known]
    if not any(fits):
        raise NotVerified("no signature fits")
    return {**_event(bytes(body)), "id": id_}


def _headers(headers: Mapping[str, str]) -> list[str]:
    """The three headers of a delivery. Raises NotVerified."""
    try:
        given = {name.lower(): value for name, value in headers.items() if isinstance(name, str)}
    except (AttributeError, TypeError, ValueError):
        raise NotVerified("the headers must be a mapping of names to texts") from None
    for name in _NAMES:
        value = given.get(name)
        if value is None:
            raise NotVerified(f"the header {name!r} is missing")
        if not isinstance(value, str) or not value.isascii():
            raise NotVerified(f"the header {name!r} must be a text in ASCII")
    return [given[name] for name in _NAMES]


def _keys(secrets: Iterable[str]) -> list[bytes]:
    """The keys that the secrets stand for. Raises NotVerified."""
    if isinstance(secrets, str | bytes) or not isinstance(secrets, Iterable):
        raise NotVerified("the secrets of a webhook must be a list of texts")
    return [_key(secret) for secret in secrets]


def _key(secret: object) -> bytes:
    try:
        if isinstance(secret, str):
            key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
            if len(key) >= _KEY_BYTES:
                return key
    except ValueError:  # not base64, or not ASCII
        pass
    raise NotVerified(
        f"a secret of a webhook has the form {_PREFIX} and base64 of at least {_KEY_BYTES} bytes"
    )


def _signature(key: bytes, signed: bytes) -> bytes:
    return b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))


def _event(body: bytes) -> dict[str, Any]:
    """The object in a body. Raises NotVerified."""
    try:
        event = json.loads(body, object_pairs_hook=_distinct, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise NotVerified("the body is not JSON") from None
    if not isinstance(event, dict):
        raise NotVerified("the body is not a JSON object")
    return event


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name is given twice")
    return made


def _refused(_: str) -> float:
    raise ValueError("NaN and Infinity are no numbers")
