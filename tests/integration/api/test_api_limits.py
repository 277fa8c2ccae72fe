"""Who asks too often, or lets too many claims wait: 429 with Retry-After, and nothing is stored."""

import json
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from ace.api.app import create_app
from ace.api.rates import Rates
from ace.bounded import Bounded
from ace.errors import Unavailable
from ace.settings import Settings
from ace.store import counts, keys
from ace.store.database import transact
from tests.problems import registered

NDJSON = {"Content-Type": "application/x-ndjson"}


def filing(claims: int, **more: Any) -> dict[str, Any]:
    return {
        "docket": "P-1",
        "claims": [{"text": f"A bracket with {n} holes."} for n in range(claims)],
        **more,
    }


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def told(answer: Any) -> str:
    """The code of a 429 that says when to come back."""
    assert answer.status_code == 429
    problem = answer.json()
    assert int(answer.headers["retry-after"]) == problem["retry_after"] >= 1
    assert answer.headers["content-type"] == "application/problem+json"
    (error,) = problem["errors"]
    assert problem["type"] == f"/problems/{error['code']}"
    assert error["limit"] > 0
    return str(error["code"])


# Rates


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spent bucket stays spent, however slow the machine."""
    monkeypatch.setattr(Rates.__init__, "__defaults__", (lambda: 0.0,))


def test_key_that_asks_too_often_is_told_when_to_come_back(
    anonymous: TestClient, new_key: Callable[..., str]
) -> None:
    key = new_key("office", rate=0.05)
    other = new_key("office", rate=0.05)
    assert anonymous.get("/v1/evaluations", headers=bearer(key)).status_code == 200

    refused = anonymous.get("/v1/evaluations", headers=bearer(key))

    assert told(refused) == "too_many_requests"
    assert refused.json()["retry_after"] == 20
    assert refused.json()["errors"][0]["limit"] == pytest.approx(0.05)
    assert anonymous.get("/v1/evaluations", headers=bearer(other)).status_code == 200


def test_usual_rate_is_the_settings(
    settings: Settings, api_db: Engine, watch_db: Engine, rules: Bounded, key: str
) -> None:
    slow = settings.model_copy(update={"key_requests_per_second": 0.05})
    client = TestClient(registered(create_app(slow, api_db, watch_db, rules)), headers=bearer(key))
    assert client.get("/v1/evaluations").status_code == 200
    assert told(client.get("/v1/evaluations")) == "too_many_requests"
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("path", ["/v1/filings", "/v1/filings/bulk", "/v1/replays", "/v1/keys"])
def test_body_of_one_who_asks_too_often_is_not_waited_for(
    live: str, new_key: Callable[..., str], path: str
) -> None:
    key = new_key("office", *keys.Scope, rate=0.05)
    httpx.get(f"{live}/v1/evaluations", headers=bearer(key))
    media = "application/x-ndjson" if path.endswith("bulk") else "application/json"
    place = urlsplit(live)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=60) as connection:
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Type: {media}\r\nContent-Length: 100000\r\n\r\n".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 429 ")


def test_forbidden_requests_count_too(anonymous: TestClient, new_key: Callable[..., str]) -> None:
    key = new_key("office", keys.Scope.READ, rate=0.05)
    assert anonymous.post("/v1/filings", json=filing(1), headers=bearer(key)).status_code == 403
    assert told(anonymous.post("/v1/filings", json=filing(1), headers=bearer(key))) == "too_many_requests"


def test_key_that_is_not_in_force_has_no_rate(
    app: FastAPI, anonymous: TestClient, new_key: Callable[..., str], db: Engine
) -> None:
    key = new_key("office", rate=0.05)
    transact(db, lambda connection: keys.revoke(connection, key.split("_")[1]))
    for wrong in (key, key[:-1] + ("0" if key[-1] != "0" else "1"), "ace_0123456789ab_0"):
        for _ in range(3):
            assert anonymous.get("/v1/evaluations", headers=bearer(wrong)).status_code == 401
    assert len(app.state.parts.rates) == 0


def test_one_who_asks_too_often_costs_no_statement(
    anonymous: TestClient, new_key: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key("office", rate=0.05)
    anonymous.get("/v1/evaluations", headers=bearer(key))

    def never(*_: object) -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(keys, "in_force", never)
    assert told(anonymous.get("/v1/evaluations", headers=bearer(key))) == "too_many_requests"


# Backlogs


@pytest.fixture
def narrow(settings: Settings, api_db: Engine, watch_db: Engine, rules: Bounded, key: str) -> TestClient:
    """An API where five claims of a tenant may wait."""
    five = settings.model_copy(update={"tenant_backlog_claims": 5})
    return TestClient(registered(create_app(five, api_db, watch_db, rules)), headers=bearer(key))


def test_full_backlog_refuses_and_stores_nothing(
    narrow: TestClient, stored: Callable[[], int], stranger: dict[str, str]
) -> None:
    assert narrow.post("/v1/filings", json=filing(3)).status_code == 202
    before = stored()

    refused = narrow.post("/v1/filings", json=filing(3))

    assert told(refused) == "backlog_full"
    assert refused.json()["errors"][0]["limit"] == 5
    assert stored() == before
    assert narrow.post("/v1/filings", json=filing(2)).status_code == 202
    assert narrow.post("/v1/filings", json=filing(5), headers=stranger).status_code == 202


def test_decided_claims_make_room(narrow: TestClient, work: Any) -> None:
    narrow.post("/v1/filings", json=filing(5))
    assert told(narrow.post("/v1/filings", json=filing(1))) == "backlog_full"
    work.decide()
    assert narrow.post("/v1/filings", json=filing(5)).status_code == 202


def test_cancelled_claims_make_room(narrow: TestClient) -> None:
    location = narrow.post("/v1/filings", json=filing(5)).headers["location"]
    narrow.post(f"{location}/cancel")
    assert narrow.post("/v1/filings", json=filing(5)).status_code == 202


def test_known_filing_is_answered_though_the_backlog_is_full(narrow: TestClient) -> None:
    first = narrow.post("/v1/filings", json=filing(5), headers={"Idempotency-Key": "k"})
    again = narrow.post("/v1/filings", json=filing(5), headers={"Idempotency-Key": "k"})
    assert (again.status_code, again.json()) == (202, first.json())


def upload(client: TestClient, lines: list[dict[str, Any]], **headers: str) -> list[dict[str, Any]]:
    content = "\n".join(map(json.dumps, lines))
    sent = {**NDJSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    answer = client.post("/v1/filings/bulk", content=content, headers=sent)
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.parametrize(
    ("claims", "statuses"),
    [
        ([1, 1, 1, 1, 1], [202] * 5),
        ([1, 1, 1, 1, 1, 1], [202] * 5 + [429]),
        ([6, 1, 4], [429, 202, 202]),
        ([3, 3, 2], [202, 429, 202]),
        ([6, 7], [429, 429]),
        ([2] * 300, [202, 202] + [429] * 298),
        ([2, 2, *[6] * 250, 1], [202, 202, *[429] * 250, 202]),
    ],
)
def test_lines_that_do_not_fit_are_refused_and_the_others_are_stored(
    narrow: TestClient, claims: list[int], statuses: list[int]
) -> None:
    results = upload(narrow, [filing(count) for count in claims])
    assert [one["line"] for one in results] == list(range(1, len(claims) + 1))
    assert [one["status"] for one in results] == statuses
    for one in results:
        if one["status"] == 429:
            assert one["problem"]["type"] == "/problems/backlog_full"
            assert one["problem"]["retry_after"] >= 1


def test_upload_goes_on_where_it_was_refused(narrow: TestClient, work: Any) -> None:
    lines = [filing(2) for _ in range(7)]
    seen = [[one["status"] for one in upload(narrow, lines, Idempotency_Key="K")]]
    while 429 in seen[-1]:
        work.decide()
        seen.append([one["status"] for one in upload(narrow, lines, Idempotency_Key="K")])
    assert [statuses.count(202) for statuses in seen] == [2, 4, 6, 7]


def test_lines_are_503_where_the_backlog_cannot_be_asked(
    narrow: TestClient, monkeypatch: pytest.MonkeyPatch, stored: Callable[[], int]
) -> None:
    def backlog(*_: object) -> int:
        raise Unavailable("postgres", "gone")

    monkeypatch.setattr(counts, "backlog", backlog)
    results = upload(narrow, [filing(6), filing(1)])  # there is room for five claims
    assert [one["status"] for one in results] == [503, 503]
    assert stored() == 0


def test_a_bad_line_among_them_is_told_as_such(narrow: TestClient) -> None:
    results = upload(narrow, [filing(5), {"docket": "P"}, filing(1)])
    assert [one["status"] for one in results] == [202, 422, 429]
