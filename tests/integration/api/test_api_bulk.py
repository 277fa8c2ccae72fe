"""Many filings in one upload: results in order, bad lines alone, nothing made twice."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlalchemy.exc import DataError

from ace import flow
from ace.errors import Unavailable

NDJSON = {"Content-Type": "application/x-ndjson"}
GOOD = b'{"docket":"P-1","claims":"1. A bracket.\\n2. The bracket of claim 1, being flat."}'


def upload(api: TestClient, *lines: bytes, **headers: str) -> list[dict[str, Any]]:
    sent = {**NDJSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    answer = api.post("/v1/filings/bulk", content=b"\n".join(lines), headers=sent)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def filings(db: Engine) -> int:
    with db.connect() as connection:
        return int(connection.execute(text("SELECT count(*) FROM filings")).scalar_one())


def test_every_line_gets_its_result_in_order(api: TestClient, db: Engine) -> None:
    results = upload(api, *[GOOD] * 450)
    assert [(one["line"], one["status"]) for one in results] == [(n, 202) for n in range(1, 451)]
    assert [one["claim"] for one in results[-1]["evaluations"]] == [1, 2]
    assert len({one["filing"] for one in results}) == filings(db) == 450
    assert api.get(f"/v1/filings/{results[7]['filing']}").json()["docket"] == "P-1"


BAD: list[tuple[str, bytes, int, str | None]] = [
    ("no JSON", b"nonsense", 400, ""),
    ("invalid UTF-8", b'{"docket":"P","claims":"A \xff"}', 400, ""),
    ("a list", b"[]", 422, ""),
    ("unknown field", GOOD[:-1] + b',"x":1}', 422, "/x"),
    ("empty claim", b'{"docket":"P","claims":[{"text":" "}]}', 422, "/claims/0/text"),
    ("NUL", b'{"docket":"P","claims":"A \\u0000 b"}', 422, "/claims"),
    ("bad key", GOOD[:-1] + b',"idempotency_key":"a b"}', 422, "/idempotency_key"),
    ("empty key", GOOD[:-1] + b',"idempotency_key":""}', 422, "/idempotency_key"),
    ("claim too long", b'{"docket":"P","claims":"A' + b"b" * 60_000 + b'"}', 413, "/claims"),
    ("line too long", b'{"docket":"P","claims":"A' + b"b" * 250_000 + b'"}', 413, ""),
    ("a very long line", b"x" * 3_000_000, 413, ""),
]


@pytest.mark.parametrize(
    ("line", "status", "pointer"), [case[1:] for case in BAD], ids=[case[0] for case in BAD]
)
def test_bad_line_is_refused_alone(
    api: TestClient, db: Engine, line: bytes, status: int, pointer: str
) -> None:
    results = upload(api, GOOD, line, GOOD)
    assert [one["status"] for one in results] == [202, status, 202]
    problem = results[1]["problem"]
    assert problem["status"] == status
    assert problem["errors"][0]["pointer"] == pointer
    assert filings(db) == 2


def test_blank_lines_count_and_have_no_result(api: TestClient) -> None:
    results = upload(api, b"", GOOD + b"\r", b"  ", b"{}", b"")
    assert [(one["line"], one["status"]) for one in results] == [(2, 202), (4, 422)]


@pytest.mark.parametrize("content", [b"\n", b"\n\n \n", b"\xef\xbb\xbf\n"])
def test_nothing_in_nothing_out(api: TestClient, content: bytes) -> None:
    assert upload(api, content) == []


def test_upload_that_is_repeated_makes_nothing_twice(api: TestClient, db: Engine) -> None:
    lines = [GOOD, b"nonsense", GOOD, GOOD[:-1] + b',"idempotency_key":"own"}']
    first = upload(api, *lines, Idempotency_Key="K")
    again = upload(api, *lines, Idempotency_Key="K")
    more = upload(api, *lines, GOOD, Idempotency_Key="K")

    assert filings(db) == 4
    for results in (again, more[:4]):
        assert [one.get("filing") for one in results] == [one.get("filing") for one in first]
    single = api.post(
        "/v1/filings", content=GOOD, headers={"Content-Type": "application/json", "Idempotency-Key": "own"}
    )
    assert single.json()["filing"] == first[3]["filing"]


def test_same_key_on_several_lines_is_one_filing(api: TestClient, db: Engine) -> None:
    keyed = GOOD[:-1] + b',"idempotency_key":"z"}'
    other = keyed.replace(b"P-1", b"P-2")
    for _ in range(2):
        results = upload(api, keyed, keyed, keyed, other, GOOD)
        assert [one["status"] for one in results] == [202, 202, 202, 422, 202]
        assert len({str(one["evaluations"]) for one in results[:3]}) == 1
        assert results[3]["problem"]["errors"][0]["pointer"] == "/idempotency_key"
    assert filings(db) == 3


def test_without_any_key_a_repeated_upload_is_new(api: TestClient, db: Engine) -> None:
    upload(api, GOOD)
    upload(api, GOOD)
    assert filings(db) == 2


def test_lines_after_a_lost_database_are_503(
    api: TestClient, db: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Callable[..., Any] = flow.submit
    calls = []

    def flaky(*arguments: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise Unavailable("postgres", "gone")
        return real(*arguments, **more)

    monkeypatch.setattr("ace.flow.submit", flaky)
    results = upload(api, *[GOOD] * 500, b"nonsense", Idempotency_Key="K")
    accepted = [one["line"] for one in results if one["status"] == 202]
    assert 0 < len(accepted) < 500
    assert [one["line"] for one in results] == list(range(1, 502))
    assert {one["status"] for one in results[len(accepted) :]} == {503}
    assert len(calls) == 2  # what is lost is not asked again and again

    monkeypatch.setattr("ace.flow.submit", real)
    upload(api, *[GOOD] * 500, Idempotency_Key="K")
    assert filings(db) == 500


def test_line_that_breaks_the_statement_is_refused_alone(
    api: TestClient, db: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real: Callable[..., Any] = flow.submit

    def picky(engine: Engine, new: Any, **more: Any) -> Any:
        if any(filing.docket == "bad" for filing in new):
            raise DataError("INSERT", {}, Exception("zyzzyva"))
        return real(engine, new, **more)

    monkeypatch.setattr("ace.flow.submit", picky)
    results = upload(api, GOOD, GOOD.replace(b"P-1", b"bad"), GOOD)
    assert [one["status"] for one in results] == [202, 500, 202]
    assert "zyzzyva" not in json.dumps(results)
    assert filings(db) == 2
