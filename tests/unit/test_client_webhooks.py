"""Verifying deliveries: against another implementation of Standard Webhooks, and against forgers."""

import base64
import hmac
import json
import math
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook

from ace.webhooks import signing
from patent_ace_client.webhooks import TOLERANCE_SECONDS, NotVerified, verify

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


@pytest.mark.parametrize(
    "secret",
    [
        "not base64!",
        "whsec_",
        "",
        "whsec_é",
        "whsec_" + "A" * 28 + "=",
        "whsec_AAAA",
        "\udcff",
        b"whsec_",
        None,
        5,
    ],
)
def test_a_secret_that_is_none_verifies_nothing(secret: Any) -> None:
    with pytest.raises(NotVerified, match="whsec_"):
        verify(BODY, signed(), [SECRET, secret], now=now)


@pytest.mark.parametrize("secrets", [None, 5, SECRET, SECRET.encode(), [], {}, {SECRET: 1}.values()])
def test_secrets_of_another_type_verify_nothing(secrets: Any) -> None:
    with pytest.raises(NotVerified):
        verify(BODY, signed(), secrets, now=now)


def test_an_empty_secret_lets_no_forger_in() -> None:
    """A setting that is missing must not become a key that everybody knows."""
    signature = base64.b64encode(hmac.digest(b"", f"{ID}.{int(now())}.".encode() + BODY, "sha256")).decode()
    with pytest.raises(NotVerified):
        verify(BODY, {**signed(), "Webhook-Signature": f"v1,{signature}"}, ["whsec_"], now=now)


@pytest.mark.parametrize(
    "headers", [None, 5, [], [("webhook-id", "a")], "webhook-id", b"", {}, {b"webhook-id": "a"}]
)
def test_headers_of_another_type_verify_nothing(headers: Any) -> None:
    with pytest.raises(NotVerified, match="header"):
        verify(BODY, headers, [SECRET], now=now)


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
@pytest.mark.parametrize("value", [None, 5, b"1", ["1"], "é", "\ud800", "１", "\0"])
def test_a_header_that_is_no_text_in_ascii_verifies_nothing(name: str, value: Any) -> None:
    with pytest.raises(NotVerified):
        verify(BODY, {**signed(), name: value}, [SECRET], now=now)


@pytest.mark.parametrize(
    "sent_at", ["1" * 4_301, "9" * 30, "١٢٣", "-5", "1e9", "", " 1", "+1", "1_0", "0x1", "²"]
)
def test_a_time_that_is_no_number_of_seconds_verifies_nothing(sent_at: str) -> None:
    with pytest.raises(NotVerified, match=r"seconds away|ASCII"):
        verify(BODY, {**signed(), "Webhook-Timestamp": sent_at}, [SECRET], now=now)


def test_a_clock_that_stands_still_verifies_nothing() -> None:
    with pytest.raises(NotVerified, match="seconds away"):
        verify(BODY, signed(), [SECRET], now=lambda: math.nan)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"5",
        b"null",
        b"{",
        b"\xff",
        b'{"a":' + b"9" * 5_000 + b"}",
        b"[" * 100_000,
        b'{"a":1,"a":2}',
        b'{"a":NaN}',
        b'{"a":-Infinity}',
    ],
)
def test_a_signed_body_that_is_no_event_is_not_verified(body: bytes) -> None:
    ours = signing.headers(UUID(ID), AT, body, [KEY])
    with pytest.raises(NotVerified, match="JSON"):
        verify(body, ours, [SECRET], now=now)


@pytest.mark.parametrize("body", [None, 5, BODY.decode(), [BODY], {"a": 1}])
def test_a_body_that_is_no_bytes_is_not_verified(body: Any) -> None:
    with pytest.raises(NotVerified, match="bytes"):
        verify(body, signed(), [SECRET], now=now)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_bytes_may_be_of_any_kind(kind: type) -> None:
    assert verify(kind(BODY), signed(), [SECRET], now=now)["id"] == ID


def test_the_id_is_that_of_the_header_whatever_the_body_says() -> None:
    body = b'{"id":"another"}'
    assert verify(body, signing.headers(UUID(ID), AT, body, [KEY]), [SECRET], now=now) == {"id": ID}


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.binary()
    | st.text(st.characters())
    | st.sampled_from([ID, SECRET, "v1,AAAA", str(int(AT.timestamp())), "1" * 4_301]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*signed()]) | st.text(st.characters()), inner, max_size=4)
    ),
)


@given(ANYTHING | st.just(BODY), ANYTHING, ANYTHING | st.just([SECRET]))
def test_nothing_but_a_refusal_comes_of_anything(body: Any, headers: Any, secrets: Any) -> None:
    with pytest.raises(NotVerified):
        verify(body, headers, secrets, now=now)


@given(st.dictionaries(st.sampled_from([*signed()]), ANYTHING, min_size=1))
def test_nothing_but_a_refusal_comes_of_any_header(changed: dict[str, Any]) -> None:
    with suppress(NotVerified):
        assert verify(BODY, {**signed(), **changed}, [SECRET], now=now)["id"] == ID


def test_secrets_have_the_form_of_the_standard() -> None:
    assert SECRET.startswith("whsec_")
    assert 24 <= len(base64.b64decode(SECRET.removeprefix("whsec_"))) <= 64
