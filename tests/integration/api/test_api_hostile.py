"""Bodies and queries that nobody may send: each gets its documented answer; nothing is stored or echoed.

Beside it: keys, ids and cursors (_keys), text (_text), too much (_size), no HTTP or too slow (_wire).
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

pytestmark = pytest.mark.slow

MARKER = "zyzzyva"
JSON = {"Content-Type": "application/json"}
GOOD = {"docket": "P-1", "claims": "1. A bracket comprising a plate."}


def claims(*items: Any) -> dict[str, Any]:
    return {"docket": "P-1", "claims": list(items)}


def filing(**fields: Any) -> dict[str, Any]:
    return {**GOOD, **fields}


def deep(levels: int) -> bytes:
    return b'{"docket":"P","claims":"A b.","metadata":' + b'{"a":' * levels + b"1" + b"}" * (levels + 1)


# what it is, body (JSON value or raw bytes), status, field that is named
BODIES: list[tuple[str, Any, int, str | None]] = [
    ("empty claim in a list", claims({"text": "A b."}, {"text": ""}), 422, "/claims/1/text"),
    ("whitespace claim", claims({"text": " \n\t "}), 422, "/claims/0/text"),
    ("punctuation alone", claims({"text": " .;, "}), 422, "/claims/0/text"),
    ("empty claims text", filing(claims=""), 422, "/claims"),
    ("whitespace claims text", filing(claims=" \n "), 422, "/claims"),
    ("empty list", filing(claims=[]), 422, "/claims"),
    ("numbers without claims", filing(claims="1. 2. A bracket."), 422, "/claims"),
    ("duplicate numbers in a text", filing(claims="1. A bracket.\n1. A hook."), 422, "/claims"),
    (
        "duplicate numbers in a list",
        claims({"number": 4, "text": "A b."}, {"number": 4, "text": "A c."}),
        422,
        "/claims/1/number",
    ),
    ("number 0", claims({"number": 0, "text": "A b."}), 422, "/claims/0/number"),
    ("negative number", claims({"number": -1, "text": "A b."}), 422, "/claims/0/number"),
    ("huge number", claims({"number": 10**30, "text": "A b."}), 422, "/claims/0/number"),
    ("number as text", claims({"number": "1", "text": "A b."}), 422, "/claims/0/number"),
    ("number as fraction", claims({"number": 1.5, "text": "A b."}), 422, "/claims/0/number"),
    ("number as true", claims({"number": True, "text": "A b."}), 422, "/claims/0/number"),
    ("NUL in a text", filing(claims="1. A \0 bracket."), 422, "/claims"),
    ("NUL in a claim", claims({"text": "A \0 bracket."}), 422, "/claims/0/text"),
    ("escape character", claims({"text": "A \x1b[31m bracket."}), 422, "/claims/0/text"),
    ("C1 control", claims({"text": "A \x85 bracket."}), 422, "/claims/0/text"),
    ("lone surrogate", b'{"docket":"P","claims":"A \\ud800 b."}', 422, "/claims"),
    ("lone low surrogate", b'{"docket":"P","claims":"A \\udfff b."}', 422, "/claims"),
    ("surrogates the wrong way round", b'{"docket":"P","claims":"A \\udc00\\ud800 b."}', 422, "/claims"),
    ("surrogate in a docket", b'{"docket":"\\ud83d","claims":"A b."}', 422, "/docket"),
    (
        "surrogate in a metadata name",
        b'{"docket":"P","claims":"A b.","metadata":{"\\ud83d":1}}',
        422,
        "/metadata/\ufffd",
    ),
    ("half an escape", b'{"docket":"P","claims":"A \\ud8"}', 400, None),
    ("overlong NUL in UTF-8", b'{"docket":"P","claims":"A \xc0\x80 b."}', 400, None),
    ("beyond Unicode", b'{"docket":"P","claims":"A \xf4\x90\x80\x80 b."}', 400, None),
    ("UTF-7", b'{"docket":"P","claims":"A +AAA- b.","+AHg-":1}', 422, "/+AHg-"),
    ("UTF-32", json.dumps(GOOD).encode("utf-32"), 400, None),
    ("two byte order marks", b"\xef\xbb\xbf" * 2 + json.dumps(GOOD).encode(), 400, None),
    ("a byte order mark alone", b"\xef\xbb\xbf", 400, ""),
    ("claims a number", filing(claims=5), 422, "/claims"),
    ("claims null", filing(claims=None), 422, "/claims"),
    ("claims an object", filing(claims={"1": "A b."}), 422, "/claims"),
    ("claims a list of texts", filing(claims=["A b."]), 422, "/claims/0"),
    ("claim without text", claims({"number": 1}), 422, "/claims/0/text"),
    ("unknown field of a claim", claims({"text": "A b.", "x": 1}), 422, "/claims/0/x"),
    ("unknown field", filing(state="decided"), 422, "/state"),
    ("unknown field with a slash", filing(**{"a/b~": 1}), 422, "/a~1b~0"),
    ("thousands of unknown fields", {f"f{n}": n for n in range(5_000)}, 422, ""),
    ("no docket", {"claims": "A b."}, 422, "/docket"),
    ("blank docket", filing(docket=" "), 422, "/docket"),
    ("long docket", filing(docket="P" * 201), 422, "/docket"),
    ("NUL in the docket", filing(docket="P\0"), 422, "/docket"),
    ("line end in the docket", filing(docket="P\r\nX: y"), 422, "/docket"),
    ("priority too high", filing(priority=10), 422, "/priority"),
    ("priority negative", filing(priority=-1), 422, "/priority"),
    ("priority as text", filing(priority="5"), 422, "/priority"),
    ("priority null", filing(priority=None), 422, "/priority"),
    ("metadata a list", filing(metadata=[]), 422, "/metadata"),
    ("metadata too long", filing(metadata={"a": "b" * 20_000}), 422, "/metadata"),
    ("NUL in metadata", filing(metadata={"a": ["\0"]}), 422, "/metadata"),
    ("NUL in a metadata name", filing(metadata={"\0": 1}), 422, "/metadata"),
    ("number too large", filing(metadata={"a": 2**53}), 422, "/metadata"),
    ("infinite number", b'{"docket":"P","claims":"A b.","metadata":{"a":1e999}}', 422, "/metadata"),
    ("NaN", b'{"docket":"P","claims":"A b.","metadata":{"a":NaN}}', 422, "/metadata/a"),
    ("metadata too deep", deep(7), 422, "/metadata"),
    ("metadata too deep in lists", filing(metadata={"a": [[[[[[1]]]]]]}), 422, "/metadata"),
    ("DEL in the docket", filing(docket="P\x7f"), 422, "/docket"),
    ("zero-width docket", filing(docket="\u2028"), 422, "/docket"),
    ("numbers that are none", b'{"docket":"P","claims":"A b.","priority":0x5}', 400, None),
    ("number with a sign", b'{"docket":"P","claims":"A b.","priority":+5}', 400, None),
    (
        "a million digits",
        b'{"docket":"P","claims":"A b.","priority":' + b"9" * 150_000 + b"}",
        422,
        "/priority",
    ),
    ("comments", b'{"docket":"P","claims":"A b."/* x */}', 400, None),
    ("single quotes", b"{'docket':'P','claims':'A b.'}", 400, None),
    ("many values", b'{"docket":"P","claims":[' + b"{}," * 60_000 + b"{}]}", 413, "/claims"),
    ("JSON too deep", deep(10_000), 422, ""),
    ("brackets without end", b"[" * 100_000, 422, ""),
    ("no JSON", b"docket=P", 400, None),
    ("half a JSON", b'{"docket":"P","claims":"A b."', 400, None),
    ("two JSONs", b"{} {}", 400, None),
    ("no body", b"", 400, None),
    ("JSON null", b"null", 422, ""),
    ("JSON list", b"[]", 422, ""),
    ("invalid UTF-8", b'{"docket":"P","claims":"A \xff b."}', 400, None),
    ("surrogate in UTF-8", b'{"docket":"P","claims":"A \xed\xa0\x80 b."}', 400, None),
    ("UTF-16", json.dumps(GOOD).encode("utf-16"), 400, None),
    ("claim too long", claims({"text": "A b" + "c" * 50_000}), 413, "/claims/0/text"),
    ("too many claims", claims(*[{"text": "A b."}] * 1_001), 413, "/claims"),
    (
        "too many numbered claims",
        filing(claims="".join(f"{n}. A b.\n" for n in range(1, 1_500))),
        413,
        "/claims",
    ),
    ("body too large", filing(claims="A b" + "c" * 200_000), 413, ""),
]


@pytest.fixture
def silent(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing of what came in may be in the logs."""
    yield
    assert MARKER not in caplog.text


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(
    ("body", "status", "place"), [case[1:] for case in BODIES], ids=[case[0] for case in BODIES]
)
def test_bad_filing_is_refused_with_its_place(
    api: TestClient, stored: Callable[[], int], body: Any, status: int, place: str | None
) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = api.post("/v1/filings", content=content, headers=JSON)

    problem = answer.json()
    assert (answer.status_code, problem["status"]) == (status, status)
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "detail", "instance"} <= problem.keys()
    if place is not None:
        assert place in [error.get("pointer") for error in problem["errors"]]
    assert stored() == 0


ONLY_FILED = ("docket", "priority", "metadata")  # what is no field of a check


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(("body", "status"), [case[1:3] for case in BODIES], ids=[case[0] for case in BODIES])
def test_what_is_no_filing_breaks_no_check(
    api: TestClient, stored: Callable[[], int], body: Any, status: int
) -> None:
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if name not in ONLY_FILED}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = api.post("/v1/check", content=content, headers=JSON)

    assert answer.status_code in {200, 400, 413, 422}
    if status in {400, 413}:
        assert answer.status_code in {status, 422}
    if answer.status_code != 200:
        assert answer.headers["content-type"] == "application/problem+json"
    assert stored() == 0


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(
    "body",
    [
        {"docket": f"{MARKER}\0", "claims": f"{MARKER}\0", "priority": MARKER, "metadata": {MARKER: "\0"}},
        claims({"number": MARKER, "text": f"A {MARKER} \0"}),
        claims({"number": 3, "text": f"A {MARKER}."}, {"number": 3, "text": f"A {MARKER}."}),
        f'{{"docket": {MARKER}}}'.encode(),
        f'{{"docket": "{MARKER}", "claims": "{MARKER} \\ud800"}}'.encode(),
        MARKER.encode() + b"\xff",
    ],
)
def test_no_refusal_repeats_what_came_in(api: TestClient, body: Any) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = api.post("/v1/filings", content=content, headers=JSON)
    assert 400 <= answer.status_code < 500
    assert MARKER not in answer.text


@pytest.mark.parametrize(
    "media",
    [
        *("text/html", "application/x-www-form-urlencoded", "", "*/*"),
        *("application/json; charset=latin-1", "text/plain; charset=utf-16", "application/xml; charset=big5"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/filings", "/v1/check"])
def test_another_media_type_is_415(api: TestClient, stored: Callable[[], int], path: str, media: str) -> None:
    answer = api.post(path, content=json.dumps(GOOD), headers={"Content-Type": media})
    assert answer.status_code == 415
    assert stored() == 0


@pytest.mark.parametrize("length", [None, "10", "999999999999999999999999"])
def test_large_body_is_413_whatever_its_length_says(
    api: TestClient, stored: Callable[[], int], length: str | None
) -> None:
    def body() -> Iterator[bytes]:
        for _ in range(1_000):
            yield b" " * 10_000

    headers = JSON if length is None else {**JSON, "Content-Length": length}
    answer = api.post("/v1/filings", content=body(), headers=headers)
    assert answer.status_code == 413
    assert answer.json()["errors"][0]["limit"] == 200_000
    assert stored() == 0


@pytest.mark.parametrize("sent", ["", " ", "a b", "k" * 256, '""', "k\u00e9y".encode("latin-1"), b"\xff"])
def test_bad_idempotency_key_is_refused(
    api: TestClient, stored: Callable[[], int], sent: str | bytes
) -> None:
    answer = api.post("/v1/filings", json=GOOD, headers={"Idempotency-Key": sent})  # type: ignore[arg-type]
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["header"] == "Idempotency-Key"
    assert stored() == 0


QUERIES = [
    ("state=lost", "state"),
    ("verdict=Maybe", "verdict"),
    ("verdict=pass", "verdict"),
    ("docket=%00", "docket"),
    ("docket=", "docket"),
    ("docket=" + "P" * 201, "docket"),
    ("filing=1", "filing"),
    ("limit=0", "limit"),
    ("limit=201", "limit"),
    ("limit=ten", "limit"),
    ("tenant=stranger", "tenant"),
    ("cursor=", "cursor"),
    ("cursor=AAAA", "cursor"),
    ("cursor=" + "A" * 43, "cursor"),
    ("cursor=" + "A" * 5_000, "cursor"),
    ("cursor=%FF%00", "cursor"),
    ("cursor=' OR 1=1 --", "cursor"),
]


@pytest.mark.parametrize(("query", "parameter"), QUERIES)
def test_bad_query_names_the_parameter(api: TestClient, query: str, parameter: str) -> None:
    answer = api.get(f"/v1/evaluations?{query}")
    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/v1/nothing", 404),
        ("GET", "/v1/filings/", 404),
        ("GET", "/v1//filings", 404),
        ("DELETE", "/v1/filings", 405),
        ("PUT", "/v1/evaluations", 405),
        ("BREW", "/v1/filings", 405),
    ],
)
def test_no_such_route(api: TestClient, method: str, path: str, status: int) -> None:
    answer = api.request(method, path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


REPLAYS = [
    ({}, "/filter"),
    ({"filter": {"state": "decided"}}, "/filter/state"),
    ({"filter": {"state": None}}, "/filter/state"),
    ({"filter": {"docket": "\0"}}, "/filter/docket"),
    ({"filter": {"error": ""}}, "/filter/error"),
    ({"filter": {"error": "timeuot"}}, "/filter/error"),
    ({"filter": {"since": 5}}, "/filter/since"),
    ({"filter": {"since": "5"}}, "/filter/since"),
    ({"filter": {"since": "yesterday"}}, "/filter/since"),
    ({"filter": {"until": "2026-11-20T00:00:00"}}, "/filter/until"),
    ({"filter": {"tenant": "x"}}, "/filter/tenant"),
    ({"filter": {}, "limit": 0}, "/limit"),
    ({"filter": {}, "limit": 10_001}, "/limit"),
    ({"filter": {}, "limit": "5"}, "/limit"),
]


@pytest.mark.parametrize(("body", "pointer"), REPLAYS)
def test_bad_replay_names_the_field(api: TestClient, body: Any, pointer: str) -> None:
    answer = api.post("/v1/replays", json=body)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


@pytest.mark.usefixtures("silent")
def test_a_fault_of_ours_tells_nothing(
    api: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError(MARKER)

    monkeypatch.setattr("ace.flow.submit", broken)
    answer = api.post("/v1/filings", json=GOOD)

    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert MARKER not in answer.text
    assert answer.json()["instance"] in [record.__dict__.get("instance") for record in caplog.records]
