"""Dockets, labels and metadata that cannot be read as they stand are refused; claims are kept as filed."""

import json
from typing import Any

import pytest

from ace.api.intake import CheckIn, FilingIn, KeyIn, new_filing, parse
from ace.api.validation import Invalid

CONTROLS = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]
MARKS = ["\u200e", "\u200f", "\u061c"]
CLAIM = "A bracket."


def refused(model: type[Any], body: dict[str, Any]) -> dict[str, Any]:
    with pytest.raises(Invalid) as refused:
        parse(model, json.dumps(body).encode())
    (entry,) = refused.value.document["errors"]
    return dict(entry)


@pytest.mark.parametrize("control", CONTROLS)
def test_error_names_the_field_and_the_character(control: str) -> None:
    for model, body, pointer in (
        (FilingIn, {"docket": f"P{control}1", "claims": CLAIM}, "/docket"),
        (FilingIn, {"docket": "P", "claims": CLAIM, "metadata": {"a": [f"b{control}"]}}, "/metadata"),
        (FilingIn, {"docket": "P", "claims": CLAIM, "metadata": {f"a{control}": 1}}, "/metadata"),
        (KeyIn, {"label": f"a{control}"}, "/label"),
    ):
        entry = refused(model, body)
        assert (entry["pointer"], entry["code"]) == (pointer, "bidirectional_control")
        assert f"U+{ord(control):04X} " in entry["detail"]
        assert control not in entry["detail"]


def test_more_combining_marks_than_a_letter_carries_are_refused() -> None:
    many = "e" + "\u0301" * 31
    for model, body, pointer in (
        (FilingIn, {"docket": many, "claims": CLAIM}, "/docket"),
        (FilingIn, {"docket": "P", "claims": CLAIM, "metadata": {"a": [many]}}, "/metadata"),
        (FilingIn, {"docket": "P", "claims": CLAIM, "metadata": {many: 1}}, "/metadata"),
        (KeyIn, {"label": many}, "/label"),
        (CheckIn, {"claims": CLAIM, "terms": {"ignore": [many]}}, "/terms/ignore/0"),
    ):
        entry = refused(model, body)
        assert (entry["pointer"], entry["code"], entry["limit"]) == (pointer, "combining_marks", 30)
        assert many not in entry["detail"]
    assert parse(FilingIn, json.dumps({"docket": many[:-1], "claims": CLAIM}).encode()).docket == many[:-1]


@pytest.mark.parametrize("mark", MARKS)
def test_marks_that_reorder_nothing_are_kept(mark: str) -> None:
    body = {"docket": f"P{mark}1", "claims": CLAIM, "metadata": {"a": mark}}
    filing = parse(FilingIn, json.dumps(body).encode())
    assert (filing.docket, filing.metadata) == (f"P{mark}1", {"a": mark})


def test_claims_are_kept_as_filed() -> None:
    claim = "A bracket that bears the word \u202b\u05d0\u202c."
    body = {"docket": "P", "claims": [{"text": claim}]}
    made = new_filing(parse(FilingIn, json.dumps(body).encode()), "office", None)
    assert [one.text for one in made.claims] == [claim]
