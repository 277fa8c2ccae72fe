"""Problem documents: which status, which place, and never a value."""

import json
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from ace.api.intake import MAX_SEPARATORS, BulkLine, FilingIn, KeyIn, ReplaysIn, new_filing, parse
from ace.api.problem_types import NOT_FOUND
from ace.api.problems import (
    RefusedPart,
    example,
    of_conflict,
    of_excess,
    of_refusal,
    respond,
)
from ace.api.validation import LISTED_ERRORS, Invalid, of_validation
from ace.errors import Conflict, Refused, TooMuch

MARKER = "zyzzyva"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("claim_too_long", 413),
        ("set_too_long", 413),
        ("too_many_claims", 413),
        ("body_too_large", 413),
        ("malformed_json", 400),
        ("invalid_utf8", 400),
        ("unauthorised", 401),
        ("forbidden", 403),
        ("too_many_keys", 409),
        ("unsupported_media_type", 415),
        ("empty_claim", 422),
    ],
)
def test_status_follows_the_code(code: str, status: int) -> None:
    document = of_refusal(Refused("words", code=code))
    assert (document["status"], document["type"]) == (status, f"/problems/{code}")
    assert "errors" not in document


def test_refusal_names_its_place_and_limit() -> None:
    document = of_refusal(Refused("too long", code="claim_too_long", pointer="/claims/3/text", limit=5))
    assert document["errors"] == [
        {"pointer": "/claims/3/text", "code": "claim_too_long", "detail": "too long", "limit": 5}
    ]
    part = of_refusal(RefusedPart("no", code="bad_cursor", part="parameter", name="cursor"))
    assert part["errors"] == [{"parameter": "cursor", "code": "bad_cursor", "detail": "no"}]


def test_whole_document_is_a_place_too() -> None:
    assert of_refusal(Refused("no", code="malformed_json", pointer=""))["errors"][0]["pointer"] == ""


def test_every_instance_is_its_own() -> None:
    refused = Refused("no", code="empty_claim")
    assert of_refusal(refused)["instance"] != of_refusal(refused)["instance"]
    assert example(NOT_FOUND) == example(NOT_FOUND)


def test_conflict_names_where_the_key_stood() -> None:
    assert of_conflict(Conflict("used"))["errors"][0]["header"] == "Idempotency-Key"
    assert of_conflict(Conflict("used"), pointer="/idempotency_key")["errors"][0]["pointer"]


@pytest.mark.parametrize(
    ("retry_after", "seconds"), [(0.0, 1), (0.002, 1), (1.0, 1), (1.01, 2), (10, 10), (999.5, 1_000)]
)
def test_excess_says_when_to_come_back(retry_after: float, seconds: int) -> None:
    error = TooMuch("more than 5 claims", code="backlog_full", limit=5, retry_after=retry_after)
    document = of_excess(error)
    assert (document["status"], document["type"]) == (429, "/problems/backlog_full")
    assert document["errors"] == [{"code": "backlog_full", "detail": "more than 5 claims", "limit": 5}]
    assert document["retry_after"] == seconds
    assert isinstance(document["retry_after"], int)


def test_response_is_a_problem_document() -> None:
    response = respond(of_refusal(Refused("no", code="empty_claim")), {"Retry-After": "2"})
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["retry-after"] == "2"
    assert json.loads(bytes(response.body))["title"] == "Empty claim"


def errors_of(model: type[Any], value: Any) -> dict[str, Any]:
    with pytest.raises(Invalid) as refused:
        parse(model, json.dumps(value).encode())
    return refused.value.document


def test_errors_are_listed_up_to_a_bound() -> None:
    document = errors_of(FilingIn, {"docket": "P", "claims": [{"text": 1}] * 100})
    assert document["detail"] == "100 fields do not fit"
    assert len(document["errors"]) == LISTED_ERRORS


@pytest.mark.parametrize("piece", [b"[],", b'{"a":1},', b'"",', b"["])
def test_body_of_too_many_values_is_not_even_read(piece: bytes) -> None:
    with pytest.raises(Refused) as refused:
        parse(FilingIn, b'{"docket":"P","claims":[' + piece * (MAX_SEPARATORS + 1))
    assert of_refusal(refused.value)["status"] == 413


def test_name_of_an_unknown_field_is_cut() -> None:
    document = errors_of(FilingIn, {"docket": "P", "claims": "A b.", "x" * 5_000: 1})
    assert len(document["errors"][0]["pointer"]) <= 101


@pytest.mark.parametrize(
    "value",
    [
        {"docket": f"{MARKER}\n", "claims": {MARKER: 1}, "priority": MARKER, "metadata": MARKER},
        {"docket": [MARKER], "claims": [MARKER, {"text": [MARKER], "number": MARKER}]},
        [MARKER],
        MARKER,
    ],
)
def test_values_are_not_repeated(value: Any) -> None:
    assert MARKER not in json.dumps(errors_of(FilingIn, value))


@pytest.mark.parametrize("field", ["since", "until", "state", "error", "docket"])
@pytest.mark.parametrize("value", [MARKER, [MARKER], {MARKER: 1}, f"{MARKER}\0"])
def test_values_of_filters_are_not_repeated(field: str, value: Any) -> None:
    if field in {"error", "docket"} and value == MARKER:
        return  # those are good
    assert MARKER not in json.dumps(errors_of(ReplaysIn, {"filter": {field: value}}))


def test_words_of_unknown_validators_are_held_back() -> None:
    class Foreign(BaseModel):
        color: Decimal

    with pytest.raises(ValidationError) as refused:
        Foreign.model_validate({"color": MARKER})
    document = of_validation(refused.value.errors())
    assert document["errors"] == [{"pointer": "/color", "code": "decimal_parsing", "detail": "does not fit"}]


# What bodies become


def filing(**fields: Any) -> Any:
    body = {"docket": "P-1", "claims": "1. A bracket.\n2. The bracket of claim 1.", **fields}
    return new_filing(parse(FilingIn, json.dumps(body).encode()), "office", "k")


def test_filing_has_its_defaults() -> None:
    made = filing()
    assert (made.tenant, made.docket, made.priority, made.details) == ("office", "P-1", 5, {})
    assert [claim.number for claim in made.claims] == [1, 2]
    assert made.idempotency_key == "k"


def test_integers_may_be_written_as_json_takes_them() -> None:
    written = b'{"docket":"P-1","claims":[{"number":3.0,"text":"A bracket."}],"priority":2e0}'
    made = new_filing(parse(FilingIn, written), "office", None)
    assert ([claim.number for claim in made.claims], made.priority) == ([3], 2)
    assert made.body_hash == filing(claims=[{"number": 3, "text": "A bracket."}], priority=2).body_hash
    assert parse(ReplaysIn, b'{"filter":{},"limit":5.0}').limit == 5


@pytest.mark.parametrize("priority", ["5.5", "1e400", "-1.0", "10.0", "1e30", '"5"', "true", "null"])
def test_other_numbers_are_refused(priority: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse(FilingIn, b'{"docket":"P-1","claims":"A bracket.","priority":%s}' % priority.encode())
    assert [error["pointer"] for error in refused.value.document["errors"]] == ["/priority"]


def test_hash_tells_bodies_apart_by_what_they_mean() -> None:
    same = [filing(), filing(priority=5), filing(metadata={})]
    assert len({made.body_hash for made in same}) == 1
    assert filing(metadata={"a": 1, "b": 2}).body_hash == filing(metadata={"b": 2, "a": 1}).body_hash
    unlike = [
        filing(),
        filing(docket="P-2"),
        filing(priority=4),
        filing(metadata={"a": 1}),
        filing(metadata={"a": "1"}),
        filing(claims="1. A bracket."),
        filing(claims=[{"text": "A bracket."}]),
        filing(claims=[{"text": "A bracket.", "number": 1}]),
    ]
    assert len({made.body_hash for made in unlike}) == len(unlike)


def test_bulk_line_and_filing_mean_the_same() -> None:
    line = parse(BulkLine, b'{"docket":"P-1","claims":"A bracket.","idempotency_key":"k"}')
    alone = parse(FilingIn, b'{"docket":"P-1","claims":"A bracket."}')
    assert new_filing(line, "office", "k").body_hash == new_filing(alone, "office", "k").body_hash


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": None, "b": True, "c": 1.5, "d": -(2**53) + 1, "e": "tab\tand\nline"},
        {"a": [{"b": [{"c": "four"}]}]},
        {"Ünïcode": "𝄞"},
    ],
)
def test_metadata_may_be_any_json_within_bounds(value: dict[str, Any]) -> None:
    assert filing(metadata=value).details == value


# Keys


def test_key_has_its_defaults() -> None:
    wanted = parse(KeyIn, b'{"label":"docketing"}')
    assert wanted.scopes == ["submit", "read", "text", "replay", "review"]
    assert wanted.requests_per_second is None


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"label": " "}, "/label"),
        ({"label": "a\nb"}, "/label"),
        ({"label": None}, "/label"),
        ({"scopes": []}, "/scopes"),
        ({"scopes": ["read", "read"]}, "/scopes"),
        ({"scopes": ["x"] * 100_000}, "/scopes"),
        ({"scopes": ["read", "root"]}, "/scopes/1"),
        ({"scopes": ["READ"]}, "/scopes/0"),
        ({"scopes": [1]}, "/scopes/0"),
        ({"scopes": "read"}, "/scopes"),
        ({"scopes": None}, "/scopes"),
        ({"requests_per_second": 0}, "/requests_per_second"),
        ({"requests_per_second": -1}, "/requests_per_second"),
        ({"requests_per_second": 1e-40}, "/requests_per_second"),
        ({"requests_per_second": 1e40}, "/requests_per_second"),
        ({"requests_per_second": "5"}, "/requests_per_second"),
        ({"requests_per_second": True}, "/requests_per_second"),
        ({"tenant": "stranger"}, "/tenant"),
    ],
)
def test_unfit_key_names_its_field(change: dict[str, Any], pointer: str) -> None:
    document = errors_of(KeyIn, {"label": "docketing", **change})
    assert [error["pointer"] for error in document["errors"]] == [pointer]
    assert document["status"] == 422
