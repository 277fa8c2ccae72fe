"""Every operation of the document against what two readers would understand differently: numbers beyond all
bounds, names and parameters with two values, empty bodies, codings, and the methods that belong together."""

import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ace.api.intake import new_filing

pytestmark = pytest.mark.slow

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
BOM: Final = b"\xef\xbb\xbf"
HOLE: Final = "<hole>"
GOOD: Final = {"docket": "P-1", "claims": "1. A bracket comprising a plate.", "priority": 3}
# As they stand in JSON, and whether they are beyond the limit of any number.
NUMBERS: Final = {
    "1" + "0" * 400: True,
    "-1" + "0" * 400: True,
    "9" * 5_000: True,
    "1e400": True,
    "-1e400": True,
    "9007199254740993000": True,
    "NaN": False,
    "Infinity": False,
    "-Infinity": False,
    "true": False,
    '"5"': False,
}
TEXTS: Final = ('"\\ud800"', '"a\\u0000b"', "5", "1" + "0" * 400, "1e400", "NaN", "[" * 2_000 + "]" * 2_000)


def operations(app: FastAPI, *methods: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each operation of the document: its method, a path to ask for, and what the document says."""
    for path, item in app.openapi()["paths"].items():
        for method, operation in item.items():
            if method in methods:
                asked = path.replace("{slug}", "not_found")
                yield (
                    method,
                    asked.replace("{id}", str(UUID(int=1))).replace("{event}", str(UUID(int=2))),
                    operation,
                )


def bodies(app: FastAPI) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each operation that takes JSON, with the example of its body."""
    for method, path, operation in operations(app, "post", "patch"):
        content = operation.get("requestBody", {}).get("content", {})
        if JSON in content:
            yield method, path, content[JSON]["example"]


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Each value that is neither a list nor an object, with its pointer."""
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if inner is None:
        yield place, value
        return
    for name, found in inner:
        yield from leaves(found, f"{place}/{name}")


def with_hole(value: Any, pointer: str) -> Any:
    """The value with a hole at the pointer."""
    if not pointer:
        return HOLE
    name, _, rest = pointer[1:].partition("/")
    rest = f"/{rest}" if rest else ""
    if isinstance(value, list):
        return [with_hole(found, rest) if str(at) == name else found for at, found in enumerate(value)]
    return {**value, name: with_hole(value[name], rest)}


def filled(example: Any, pointer: str, written: str) -> str:
    return json.dumps(with_hole(example, pointer)).replace(json.dumps(HOLE), written)


# Fields that no example has, and which take a number.
MORE: Final[dict[str, dict[str, Any]]] = {
    "/v1/filings": {**GOOD, "metadata": {"a": [1, {"b": 2.5}]}, "claims": [{"number": 1, "text": "A hook."}]},
    "/v1/check": {"claims": "A hook.", "threshold": 0.5, "graph": True, "terms": {"ignore": ["hook"]}},
    "/v1/keys": {"label": "k", "requests_per_second": 5.5, "expires_in_seconds": 60, "test": False},
    "/v1/reviews": {
        "evaluation": str(UUID(int=1)),
        "answer": "agree",
        "finding": {"rule": "antecedent.no_basis", "start": 0, "end": 3},
        "seconds": 2.5,
    },
}


def test_no_body_of_any_operation_takes_a_value_that_is_none(
    api: TestClient, app: FastAPI, stored: Callable[[], int]
) -> None:
    wrong: list[object] = []
    for method, path, example in bodies(app):
        for given in filter(None, (example, MORE.get(path))):
            for pointer, value in leaves(given):
                number = isinstance(value, int | float) and not isinstance(value, bool)
                for written in NUMBERS if number else TEXTS:
                    if pointer.startswith("/metadata") and written in {"true", '"5"', "5"}:
                        continue  # which metadata may be
                    if (path, pointer, written) == ("/v1/check", "/claims", TEXTS[1]):
                        continue  # which a check reads around, with a note
                    content = filled(given, pointer, written)
                    answer = api.request(method, path, content=content, headers={"Content-Type": JSON})
                    entry: dict[str, Any] = next(iter(answer.json().get("errors", ())), {})
                    at = entry.get("pointer", "?")
                    fits = pointer.startswith(at) and (at != "" or entry["code"] == "too_deep")
                    limited = not NUMBERS.get(written, False) or not number or "limit" in entry
                    if answer.status_code != 422 or not fits or not limited:
                        wrong.append((method, path, pointer, written[:20], answer.status_code, entry))
    assert not wrong, "\n".join(map(str, wrong))
    assert stored() == 0


def test_a_name_that_is_given_twice_is_named(
    api: TestClient, app: FastAPI, stored: Callable[[], int]
) -> None:
    for method, path, example in bodies(app):
        first = next(iter(example))
        content = json.dumps(example)[:-1] + f",{json.dumps(first)}:{json.dumps(example[first])}}}"
        answer = api.request(method, path, content=content, headers={"Content-Type": JSON})
        assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid_input"), path
        (entry,) = answer.json()["errors"]
        assert (entry["pointer"], entry["code"]) == (f"/{first}", "repeated"), path
    assert stored() == 0


def test_a_parameter_that_is_given_twice_is_named(api: TestClient, app: FastAPI) -> None:
    for method, path, operation in operations(app, "get", "post", "patch", "delete"):
        known = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
        for name in [*known, "unheard"]:
            answer = api.request(method, f"{path}?{name}=5&{name}=5")
            assert answer.status_code == 422, (method, path, name)
            (entry,) = answer.json()["errors"]
            assert (entry["parameter"], entry["code"]) == (name, "repeated"), (method, path)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("docket=%FF", "invalid_utf8"),
        ("docket=%ED%A0%80", "invalid_utf8"),
        ("%FF=1", "invalid_utf8"),
        ("docket=", "string_too_short"),
        ("docket=%00", "control_character"),
        ("limit=1_0", "not_a_number"),
        ("limit=%2B5", "not_a_number"),
        ("limit=%205", "not_a_number"),
        ("limit=%EF%BC%95", "not_a_number"),
        ("limit=NaN", "not_a_number"),
        ("limit=true", "not_a_number"),
        ("limit=" + "9" * 5_000, "number_too_long"),
        ("limit=" + "9" * 100, "less_than_equal"),
        ("limit=-1", "greater_than_equal"),
        ("limit=-0", "greater_than_equal"),
    ],
)
def test_a_parameter_is_a_text_or_a_number_as_json_has_them(api: TestClient, query: str, code: str) -> None:
    answer = api.get(f"/v1/evaluations?{query}")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, code)


@pytest.mark.parametrize("query", ["threshold=nan", "threshold=1e400", "threshold=-1", "threshold=1_0"])
def test_a_threshold_of_a_file_is_a_number(api: TestClient, query: str) -> None:
    answer = api.post(f"/v1/check?{query}", content=b"1. A hook.", headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (422, "threshold")


EDGES_OF_TIME: Final = (
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59.999999999-23:59",
    "2026-02-30T00:00:00Z",
    "2026-11-20T23:59:60Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T00:00:00+24:00",
    "２026-11-20T00:00:00Z",
)


@pytest.mark.parametrize("moment", EDGES_OF_TIME)
def test_a_time_at_the_edge_is_read_or_refused(api: TestClient, moment: str) -> None:
    answers = [
        api.get(path, params={"since": moment, "until": moment})
        for path in ("/v1/filings", "/v1/evaluations")
    ]
    within = {"since": moment, "until": moment}
    answers += [
        api.post("/v1/replays", json={"filter": within}),
        api.post("/v1/jobs/count", json={"filter": within}),
        api.post("/v1/jobs", json={"filter": within, "reason": "x"}),
        api.post("/v1/evaluations/reevaluate", json={"filter": within, "reason": "x"}),
        api.post("/v1/reviews/sample", json={"probability": 0.5, "since": moment}),
    ]
    assert {answer.status_code for answer in answers} <= {200, 201, 422}
    assert {answer.status_code for answer in answers} in ({200, 201}, {422})
    assert api.get("/v1/jobs").status_code == 200


def test_a_header_with_two_values_is_named(api: TestClient, stored: Callable[[], int]) -> None:
    headers = [("Idempotency-Key", "a"), ("Idempotency-Key", "b"), ("Content-Type", JSON)]
    answer = api.post("/v1/filings", content=json.dumps(GOOD), headers=headers)
    assert (answer.status_code, answer.json()["errors"][0]["header"]) == (422, "Idempotency-Key")
    assert stored() == 0


def test_without_a_key_nothing_is_said_of_the_query(anonymous: TestClient) -> None:
    assert anonymous.get("/v1/evaluations?limit=5&limit=5").status_code == 401


def test_an_empty_body_has_one_code_everywhere(
    api: TestClient, app: FastAPI, stored: Callable[[], int]
) -> None:
    for method, path, operation in operations(app, "post", "patch"):
        for media_type in operation.get("requestBody", {}).get("content", {}):
            asked = f"{path}?docket=P" if path == "/v1/filings" and media_type != JSON else path
            answer = api.request(method, asked, content=b"", headers={"Content-Type": media_type})
            assert (answer.status_code, answer.json()["type"]) == (400, "/problems/empty_body"), (
                path,
                media_type,
            )
    assert stored() == 0


def test_a_packed_body_is_unpacked(api: TestClient) -> None:
    packed = {"Content-Encoding": "gzip"}
    line = json.dumps(GOOD).encode()
    as_json = api.post("/v1/filings", content=gzip.compress(line), headers={"Content-Type": JSON, **packed})
    as_text = api.post(
        "/v1/filings?docket=P",
        content=gzip.compress(b"1. A hook."),
        headers={"Content-Type": "text/plain", **packed},
    )
    lines = api.post(
        "/v1/filings/bulk",
        content=gzip.compress(line + b"\n" + line),
        headers={"Content-Type": NDJSON, **packed},
    )
    assert (as_json.status_code, as_text.status_code) == (202, 202)
    assert [json.loads(result)["status"] for result in lines.text.splitlines()] == [202, 202]


@pytest.mark.parametrize(("path", "media_type"), [("/v1/filings", JSON), ("/v1/filings/bulk", NDJSON)])
@pytest.mark.parametrize(
    ("coding", "content", "status", "slug"),
    [
        ("br", b"x", 415, "unsupported_media_type"),
        ("gzip, gzip", b"x", 415, "unsupported_media_type"),
        ("gzip", b"x", 400, "malformed_encoding"),
        ("gzip", gzip.compress(b"\n" * 30_000_000), 413, "body_too_large"),
    ],
)
def test_a_coding_that_is_not_taken_is_refused(
    api: TestClient, path: str, media_type: str, coding: str, content: bytes, status: int, slug: str
) -> None:
    headers = {"Content-Type": media_type, "Content-Encoding": coding}
    answer = api.post(path, content=content, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{slug}")
    assert answer.headers.get("Accept-Encoding") == ("gzip" if status == 415 else None)


def test_a_byte_order_mark_before_json_is_no_part_of_it(api: TestClient) -> None:
    line = json.dumps(GOOD).encode()
    filed = api.post("/v1/filings", content=BOM + line, headers={"Content-Type": JSON})
    lines = api.post("/v1/filings/bulk", content=BOM + line + b"\n" + line, headers={"Content-Type": NDJSON})
    assert filed.status_code == 202
    assert [json.loads(result)["status"] for result in lines.text.splitlines()] == [202, 202]


def test_a_line_with_a_number_beyond_all_bounds_is_refused_alone(api: TestClient) -> None:
    bad = [
        filled({**GOOD, "metadata": {"a": 1}}, "/metadata/a", number) for number in NUMBERS if number != '"5"'
    ]
    bad += [json.dumps(GOOD)[:-1] + ',"docket":"P-2"}', '{"docket":"\\ud800","claims":"A hook."}']
    bad.remove(filled({**GOOD, "metadata": {"a": 1}}, "/metadata/a", "true"))
    lines = [json.dumps(GOOD)]
    for line in bad:
        lines += [line, json.dumps(GOOD)]
    answer = api.post("/v1/filings/bulk", content="\n".join(lines), headers={"Content-Type": NDJSON})
    results = [json.loads(result) for result in answer.text.splitlines()]
    assert [result["status"] for result in results] == [202, *[422, 202] * len(bad)]
    assert all(result["problem"]["errors"][0]["pointer"] for result in results[1::2])


def test_a_fault_of_ours_in_one_line_leaves_the_others(
    api: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(line: Any, *more: Any) -> Any:
        if line.docket == "bad":
            raise ArithmeticError("zyzzyva")
        return new_filing(line, *more)

    monkeypatch.setattr("ace.api.storing.new_filing", broken)
    content = "\n".join(json.dumps({**GOOD, "docket": docket}) for docket in ("a", "bad", "b"))
    answer = api.post("/v1/filings/bulk", content=content, headers={"Content-Type": NDJSON})
    assert [json.loads(result)["status"] for result in answer.text.splitlines()] == [202, 500, 202]
    assert "zyzzyva" not in answer.text


def test_head_answers_as_get_does_without_its_body(api: TestClient, app: FastAPI) -> None:
    api.post("/v1/filings", json=GOOD)
    own = {"x-request-id", "date"}
    for _, path, _ in operations(app, "get"):
        asked = f"{path}?seconds=0" if path == "/v1/hints" else path
        got, head = api.get(asked), api.head(asked)
        assert head.content == b"", path
        assert head.status_code == got.status_code, path
        if "content-length" in got.headers and path != "/metrics":
            shown = [
                {name: found for name, found in each.headers.items() if name not in own}
                for each in (got, head)
            ]
            assert shown[0] == shown[1], path
    assert api.head("/v1/nothing").status_code == 404
    refused = api.head("/v1/filings/bulk")
    assert (refused.status_code, refused.headers["Allow"]) == (405, "POST")
    assert "HEAD" in api.put("/v1/filings").headers["Allow"]


@pytest.mark.parametrize(("path", "accept"), [("/v1/hints", "*/*"), ("/v1/events", "text/event-stream")])
def test_head_of_a_stream_ends_with_its_headers(api: TestClient, path: str, accept: str) -> None:
    head = api.head(path, headers={"Accept": accept})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"].startswith("text/event-stream")
