"""Objects and lines become claim sets to read, or the reason why not; no message quotes a claim."""

import json
from typing import Any

import pytest

from ace.batch.rows import Row, row_of, row_of_line
from ace.claim_work import Unread

ZYZZYVA = "A zyzzyva."


@pytest.mark.parametrize(
    ("claims", "sent"),
    [
        (ZYZZYVA, ZYZZYVA),
        ([{"text": ZYZZYVA}, {"text": "B"}], [(1, ZYZZYVA), (2, "B")]),
        ([{"number": 7, "text": ZYZZYVA}, {"number": None, "text": "B"}], [(7, ZYZZYVA), (2, "B")]),
    ],
)
def test_claims_of_a_row(claims: Any, sent: Any) -> None:
    value = {"claims": claims, "docket": 12, "applicant": {"ignored": True}}
    assert row_of(3, value) == Row(3, "12", Unread(sent))
    assert row_of_line(3, json.dumps(value).encode()) == Row(3, "12", Unread(sent))


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ([ZYZZYVA], "malformed_row: not an object"),
        ({"docket": "d"}, "claims_type: /claims: must be a text or a list of claims"),
        ({"claims": ""}, "claims_type: /claims: must be a text or a list of claims"),
        ({"claims": []}, "claims_type: /claims: must be a text or a list of claims"),
        ({"claims": [{"text": "A"}, ZYZZYVA]}, "claims_type: /claims/1: must be an object with a text"),
        ({"claims": [{"text": 5}]}, "claims_type: /claims/0: must be an object with a text"),
        ({"claims": [{"text": "A", "number": "5"}]}, "claims_type: /claims/0/number: must be a whole number"),
        (
            {"claims": [{"text": "A", "number": True}]},
            "claims_type: /claims/0/number: must be a whole number",
        ),
    ],
)
def test_a_row_that_holds_no_claims_says_why(value: Any, error: str) -> None:
    assert row_of(0, value).error == error
    assert row_of(0, value).claims is None


@pytest.mark.parametrize("line", [b'{"claims": "A zyz', b"\xff\xfe", b"[" * 100_000])
def test_a_line_that_is_not_json(line: bytes) -> None:
    assert row_of_line(4, line) == Row(4, error="malformed_json: the line is not JSON in UTF-8")
