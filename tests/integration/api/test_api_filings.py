"""Submitting, looking at and cancelling filings over HTTP."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

TEXT = "1. A bracket comprising a plate and a hook.\n2. The bracket of claim 1, wherein the hook is flat."
FILING = {"docket": "P-1", "claims": TEXT, "priority": 2, "metadata": {"client": "Orchard"}}


def listed(*texts: str) -> list[dict[str, str]]:
    return [{"text": words} for words in texts]


def test_accepted_filing_is_queued_and_can_be_looked_at(api: TestClient) -> None:
    answer = api.post("/v1/filings", json=FILING)

    assert answer.status_code == 202
    assert answer.headers["retry-after"].isdecimal()
    assert [one["claim"] for one in answer.json()["evaluations"]] == [1, 2]
    found = api.get(answer.headers["location"]).json()
    assert found["id"] == answer.json()["filing"]
    assert (found["docket"], found["priority"], found["metadata"]) == ("P-1", 2, {"client": "Orchard"})
    assert (found["states"], found["settled"], found["claims"]) == ({"queued": 2}, False, 2)


@pytest.mark.parametrize(
    ("claims", "numbers"),
    [
        (listed("A bracket.", "The bracket of claim 1."), [1, 2]),
        ([{"number": 3, "text": "A bracket."}, {"number": 7, "text": "A hook."}], [3, 7]),
        ([{"number": 2, "text": "A bracket."}, {"number": None, "text": "A hook."}], None),
        ("A bracket without a number.", [1]),
    ],
)
def test_claims_come_as_text_or_list(api: TestClient, claims: Any, numbers: list[int] | None) -> None:
    answer = api.post("/v1/filings", json={"docket": "P-1", "claims": claims})

    if numbers is None:  # the second is claim 2 by its place, which the first has taken
        assert answer.json()["errors"][0]["pointer"] == "/claims/1/number"
    else:
        assert [one["claim"] for one in answer.json()["evaluations"]] == numbers


@pytest.mark.parametrize("claims", ["hello world", [{"text": "hello world"}]])
def test_what_reads_like_no_claim_is_accepted_with_a_warning(api: TestClient, claims: Any) -> None:
    body = {"docket": "P", "claims": claims}
    answer = api.post("/v1/filings", json=body)
    assert answer.status_code == 202
    assert [(note["code"], note["claim"]) for note in answer.json()["notes"]] == [("unlike_claims", None)]
    line = json.loads(
        api.post(
            "/v1/filings/bulk", content=json.dumps(body), headers={"Content-Type": "application/x-ndjson"}
        ).text
    )
    assert line["notes"] == answer.json()["notes"]


def test_same_key_and_body_get_the_same_answer(api: TestClient, db: Engine) -> None:
    many = {"docket": "P-1", "claims": listed(*(f"A bracket with {n} holes." for n in range(300)))}
    first = api.post("/v1/filings", json=many, headers={"Idempotency-Key": "k-1"})
    again = api.post("/v1/filings", json=many, headers={"Idempotency-Key": '"k-1"'})

    assert again.status_code == 202
    assert again.json() == first.json()
    assert [one.headers["idempotent-replayed"] for one in (first, again)] == ["false", "true"]
    assert again.headers["location"] == first.headers["location"]
    with db.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM filings")).scalar_one() == 1


def test_same_key_means_the_same_though_fields_are_in_another_order(api: TestClient) -> None:
    first = api.post("/v1/filings", json=FILING, headers={"Idempotency-Key": "k"})
    turned = dict(reversed(FILING.items()))
    assert api.post("/v1/filings", json=turned, headers={"Idempotency-Key": "k"}).json() == first.json()


@pytest.mark.parametrize(
    "change", [{"docket": "P-2"}, {"priority": 3}, {"metadata": {}}, {"claims": TEXT + " "}]
)
def test_same_key_with_another_body_is_refused(api: TestClient, change: dict[str, Any]) -> None:
    api.post("/v1/filings", json=FILING, headers={"Idempotency-Key": "k-1"})
    answer = api.post("/v1/filings", json={**FILING, **change}, headers={"Idempotency-Key": "k-1"})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["header"] == "Idempotency-Key"


def test_same_key_at_the_same_time_makes_one_filing(api: TestClient, db: Engine) -> None:
    def submit(_: int) -> str:
        answer = api.post("/v1/filings", json=FILING, headers={"Idempotency-Key": "k-1"})
        assert answer.status_code == 202
        return str(answer.json())

    with api, ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(submit, range(16)))

    assert len(answers) == 1
    with db.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM filings")).scalar_one() == 1


def test_keys_of_two_tenants_do_not_meet(api: TestClient, stranger: dict[str, str]) -> None:
    ours = api.post("/v1/filings", json=FILING, headers={"Idempotency-Key": "k-1"})
    theirs = api.post(
        "/v1/filings", json={**FILING, "docket": "P-9"}, headers={"Idempotency-Key": "k-1", **stranger}
    )

    assert theirs.status_code == 202
    assert theirs.json()["filing"] != ours.json()["filing"]


def test_without_a_key_every_filing_is_new(api: TestClient) -> None:
    answers = [api.post("/v1/filings", json=FILING).json()["filing"] for _ in range(2)]
    assert answers[0] != answers[1]


def test_settled_filing_says_so(api: TestClient, work: Any) -> None:
    location = api.post("/v1/filings", json=FILING).headers["location"]
    work.decide(fail=True)

    answer = api.get(location, headers={"Prefer": "wait=5"})

    assert answer.headers["preference-applied"] == "wait=5"
    assert answer.json()["settled"] is True
    assert answer.json()["states"] == {"decided": 2}
    assert [(one["claim"], one["verdict"]) for one in answer.json()["evaluations"]] == [
        (1, "Fail"),
        (2, "Fail"),
    ]


def test_a_known_state_of_a_filing_is_304_until_something_moves(api: TestClient, work: Any) -> None:
    location = api.post("/v1/filings", json=FILING).headers["location"]
    first = api.get(location)
    known = {"If-None-Match": first.headers["etag"]}

    same = api.get(location, headers=known)
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", first.headers["etag"])
    work.decide()
    moved = api.get(location, headers=known)
    assert (moved.status_code, moved.json()["settled"]) == (200, True)
    assert moved.headers["etag"] != first.headers["etag"]


def test_cancel_stops_what_has_no_verdict_and_only_once(api: TestClient, work: Any) -> None:
    answer = api.post("/v1/filings", json=FILING).json()
    ids = [one["id"] for one in answer["evaluations"]]

    assert api.post(f"/v1/filings/{answer['filing']}/cancel").json() == {"cancelled": ids}
    assert api.post(f"/v1/filings/{answer['filing']}/cancel").json() == {"cancelled": []}
    work.decide()
    assert api.get(f"/v1/filings/{answer['filing']}").json()["states"] == {"cancelled": 2}


@pytest.mark.parametrize("path", ["/v1/filings/{}", "/v1/filings/{}/cancel"])
@pytest.mark.parametrize("id_", [str(UUID(int=1)), "not-a-uuid", "%00", "' OR 1=1 --"])
def test_unknown_filing_is_404(api: TestClient, path: str, id_: str) -> None:
    method = "POST" if path.endswith("cancel") else "GET"
    answer = api.request(method, path.format(id_))
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
