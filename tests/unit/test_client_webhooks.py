"""Verifying deliveries: against another implementation of Standard Webhooks, and against forgers."""

import base64
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from ace.webhooks import signing
from ace_client.webhooks import TOLERANCE_SECONDS, NotVerified, verify

KEY = bytes(range(32))
SECRET = signing.shown(KEY)
OTHER = signing.shown(bytes(32))
AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
BODY = b'{"type":"filing.settled","timestamp":"2026-11-20T09:30:00Z","data":{}}'
ID = "01999f3e-5a1c-7c3e-9d2b-3f1a2b4c5d6e"


def now() -> float:
    return AT.timestamp()


def signed(body: bytes = BODY, secret: str = SECRET) -> dict[str, str]:
    """As another library signs."""
    signature = Webhook(secret).sign(ID, AT, body.decode())
    return {
        "Webhook-Id": ID,
        "Webhook-Timestamp": str(int(AT.timestamp())),
        "Webhook-Signature": signature,
    }


def test_what_another_library_signs_is_verified() -> None:
    event = verify(BODY, signed(), [SECRET], now=now)
    assert event == {"id": ID, **json.loads(BODY)}


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()), st.binary(min_size=24, max_size=64))
def test_what_we_sign_is_what_another_library_signs(data: dict[str, Any], key: bytes) -> None:
    from uuid import UUID

    body = json.dumps(data).encode()
    ours = signing.headers(UUID(ID), AT, body, [key])
    theirs = signed(body, signing.shown(key))
    assert ours == {name.lower(): value for name, value in theirs.items()}
    assert verify(body, ours, [signing.shown(key)], now=now) == {"id": ID, **data} or "id" in data


def test_one_of_several_secrets_and_signatures_is_enough() -> None:
    both = {**signed(), "Webhook-Signature": f"{signed(secret=OTHER)['Webhook-Signature']} v1a,x v1,"}
    assert verify(BODY, both, [SECRET, OTHER], now=now)["id"] == ID
    with pytest.raises(NotVerified, match="no signature"):
        verify(BODY, both, [SECRET], now=now)


@pytest.mark.parametrize(
    "changed",
    [
        {"Webhook-Id": "another"},
        {"Webhook-Timestamp": str(int(AT.timestamp()) + 1)},
        {"Webhook-Signature": ""},
        {"Webhook-Signature": "v1,"},
        {"Webhook-Signature": "v1,ä"},
        {"Webhook-Signature": signed()["Webhook-Signature"].replace("v1,", "v2,")},
    ],
)
def test_a_forged_delivery_is_not_verified(changed: dict[str, str]) -> None:
    with pytest.raises(NotVerified):
        verify(BODY, {**signed(), **changed}, [SECRET], now=now)


def test_another_body_is_not_verified() -> None:
    with pytest.raises(NotVerified):
        verify(BODY + b" ", signed(), [SECRET], now=now)


@pytest.mark.parametrize(("seconds", "good"), [(0, True), (-1, True), (1, False)])
@pytest.mark.parametrize("direction", [1, -1])
def test_an_old_delivery_is_not_verified(seconds: int, good: bool, direction: int) -> None:
    away = direction * (TOLERANCE_SECONDS + seconds)
    if good:
        verify(BODY, signed(), [SECRET], now=lambda: now() + away)
        return
    with pytest.raises(NotVerified, match="300 seconds"):
        verify(BODY, signed(), [SECRET], now=lambda: now() + away)


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
def test_a_header_that_is_missing_is_named(name: str) -> None:
    headers = signed()
    del headers[name]
    with pytest.raises(NotVerified, match=name.lower()):
        verify(BODY, headers, [SECRET], now=now)


def test_a_time_that_is_none_is_refused() -> None:
    for wrong in ("", "soon", "-1", "1e9"):
        with pytest.raises(NotVerified, match="seconds away"):
            verify(BODY, {**signed(), "Webhook-Timestamp": wrong}, [SECRET], now=now)


def test_a_secret_that_is_none_is_an_error_of_the_receiver() -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify(BODY, signed(), ["not base64!"], now=now)


def test_secrets_have_the_form_of_the_standard() -> None:
    assert SECRET.startswith("whsec_")
    assert 24 <= len(base64.b64decode(SECRET.removeprefix("whsec_"))) <= 64
