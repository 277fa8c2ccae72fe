"""JSON from outside: what is read, and what is refused with its place."""

import json
import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.errors import Refused
from ace.types.json_text import MAX_DEPTH, MAX_DIGITS, UnfitValue, read_json

BOM = b"\xef\xbb\xbf"
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@given(VALUES, st.booleans(), st.booleans())
def test_what_json_writes_is_read_back(value: Any, mark: bool, escaped: bool) -> None:
    try:
        written = json.dumps(value, ensure_ascii=escaped, allow_nan=False).encode()
    except ValueError:  # an infinite number
        return
    assert read_json(BOM * mark + written) == value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"-0", 0),
        (b"-0.0", -0.0),
        (b"1e0", 1.0),
        (b"9" * MAX_DIGITS, int("9" * MAX_DIGITS)),
        (b"9" * (MAX_DIGITS + 1), math.inf),
        (b"-" + b"9" * 5_000, -math.inf),
        (b"1e400", math.inf),
        (b"1e-400", 0.0),
        (b'"\\ud83d\\ude00"', "😀"),
        (b" [ ] ", []),
    ],
)
def test_numbers_and_pairs_are_read(raw: bytes, value: object) -> None:
    assert repr(read_json(raw)) == repr(value)


@pytest.mark.parametrize(
    ("raw", "code", "pointer"),
    [
        (b'{"a":1,"a":1}', "repeated", "/a"),
        (b'[{"b/c~":[{},{"x":1,"y":2,"x":3}]}]', "repeated", "/0/b~1c~0/1/x"),
        (b'{"a":{"x":1,"x":2},"a":3}', "repeated", "/a"),
        (b'{"a":[1,NaN]}', "not_finite", "/a/1"),
        (b"Infinity", "not_finite", ""),
        (b'{"a":-Infinity}', "not_finite", "/a"),
        (b'{"a":"\\ud800"}', "lone_surrogate", "/a"),
        (b'{"a":["b","\\uDFFF"]}', "lone_surrogate", "/a/1"),
        (b'{"\\uD800":1}', "lone_surrogate", "/\ufffd"),
        (b'{"\\ud800":1,"\\ud800":1}', "repeated", "/\ufffd"),
        (b"[" * 100_000, "too_deep", ""),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "too_deep", ""),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, "too_deep", ""),
    ],
)
def test_what_two_readers_would_read_differently_is_refused_with_its_place(
    raw: bytes, code: str, pointer: str
) -> None:
    with pytest.raises(UnfitValue) as refused:
        read_json(raw)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


def test_what_is_as_deep_as_may_be_is_read() -> None:
    assert read_json(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "malformed_json"),
        (BOM + BOM + b"{}", "malformed_json"),
        (b"{} {}", "malformed_json"),
        (b'{"a":1,}', "malformed_json"),
        (b"01", "malformed_json"),
        (b'"\x00"', "malformed_json"),
        (b"nan", "malformed_json"),
        (b'"\xff"', "invalid_utf8"),
        ('{"a":1}'.encode("utf-16"), "invalid_utf8"),
    ],
)
def test_what_is_not_json_is_refused(raw: bytes, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_json(raw)
    assert refused.value.code == code


@given(st.binary(max_size=60) | st.text('{}[]":,\\ud8001eE+-.NaN Infity', max_size=40).map(str.encode))
def test_nothing_but_a_refusal_comes_of_anything(raw: bytes) -> None:
    with suppress(Refused):
        read_json(raw)
