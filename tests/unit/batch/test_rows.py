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


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'{"claims": "A zyz', "malformed_json: malformed JSON"),
        (b"\xff\xfe", "invalid_utf8: not UTF-8 at byte 0"),
        (b"[" * 100_000, "too_deep: is nested"),
        (b'{"claims": "A hook.", "claims": "A zyz."}', "repeated: /claims: is given more than once"),
        (b'{"claims": "A hook.", "score": NaN}', "not_finite: /score: must be a finite number"),
        (b'{"claims": "A zyz \\ud800"}', "lone_surrogate: /claims: contains half"),
        (b'{"claims": [{"text": "A zyz.", "number": 1e400}]}', "claims_type: /claims/0/number"),
        (
            b'{"claims": [{"text": "A zyz.", "number": ' + b"9" * 5_000 + b"}]}",
            "claims_type: /claims/0/number",
        ),
    ],
)
def test_a_line_that_is_not_json_or_ambiguous(line: bytes, error: str) -> None:
    row = row_of_line(4, line)
    assert (row.index, row.claims) == (4, None)
    assert row.error is not None
    assert row.error.startswith(error)
    assert "zyz" not in row.error


def test_a_line_is_read_as_the_api_reads_it() -> None:
    line = b'\xef\xbb\xbf{"claims": [{"text": "A hook.", "number": 3.0}], "docket": ' + b"9" * 5_000 + b"}"
    row = row_of_line(0, line)
    assert row.error is None
    assert row.claims == Unread([(3, "A hook.")])
    assert (
        row_of(0, {"claims": "A hook.", "docket": 10**5_000}).error == "docket_type: /docket: must be a text"
    )
