"""Lists of filings with their counts, the claims of one, and whom the words of claims are shown to."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.store.scopes import Scope
from patent_ace_client import Client
from tests import factories

BRACKET = "1. A bracket comprising a plate and a hook.\n2. The bracket of claim 1, wherein the pin is flat."


def file(api: TestClient, docket: str, claims: str = BRACKET) -> str:
    answer = api.post("/v1/filings", json={"docket": docket, "claims": claims})
    assert answer.status_code == 202
    return str(answer.json()["filing"])


def dockets(api: TestClient, query: str = "") -> list[str]:
    answer = api.get(f"/v1/filings{query}")
    assert answer.status_code == 200, answer.text
    return [one["docket"] for one in answer.json()["filings"]]


def test_filings_are_listed_newest_first_with_their_counts(api: TestClient, work: Any) -> None:
    file(api, "P-1")
    work.decide(fail=True, span=(0, 1))
    newest = file(api, "P-2")

    second, first = api.get("/v1/filings").json()["filings"]
    assert (second["id"], second["docket"], second["settled"]) == (newest, "P-2", False)
    assert (second["states"], second["verdicts"], second["disputed"]) == ({"queued": 2}, {}, 0)
    assert (first["states"], first["verdicts"], first["settled"]) == ({"decided": 2}, {"Fail": 2}, True)
    assert (first["claims"], first["disputed"]) == (2, 2)
    assert first["updated_at"] > first["created_at"]


def test_filters_select_filings_with_one_evaluation_to_which_all_apply(api: TestClient, work: Any) -> None:
    file(api, "passed")
    work.decide()
    file(api, "failed")
    work.decide(fail=True, span=(0, 1))
    file(api, "examined")
    work.escalate()
    work.examine()
    file(api, "stuck")
    work.fail("timeout")
    file(api, "waiting")

    for query, found in {
        "verdict=Pass": ["examined", "passed"],
        "verdict=Fail": ["failed"],
        "decided_by=expert": ["examined"],
        "verdict=Fail&decided_by=expert": [],
        "state=queued": ["waiting"],
        "error=timeout": ["stuck"],
        "error_class=antecedent": ["failed"],
        "error_class=syntax": [],
        "disputed=true": ["failed"],
        "docket=stuck": ["stuck"],
        "docket=stu": [],
        "since=2999-01-01T00:00:00Z": [],
        "since=2026-01-01T00:00:00Z&state=failed": ["stuck"],
        "until=2026-01-01T00:00:00Z": [],
    }.items():
        assert dockets(api, f"?{query}") == found, query


@pytest.mark.parametrize(
    "query", ["state=lost", "verdict=maybe", "since=yesterday", "disputed=no", "colour=red", "error=timeuot"]
)
def test_unknown_filters_are_refused(api: TestClient, query: str) -> None:
    assert api.get(f"/v1/filings?{query}").status_code == 422


def test_pages_follow_each_other_within_one_filter(api: TestClient) -> None:
    for number in range(5):
        file(api, f"P-{number}")
    seen, path = [], "/v1/filings?limit=2"
    cursor = ""
    while True:
        page = api.get(f"{path}{cursor}").json()
        seen.append([one["docket"] for one in page["filings"]])
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == [["P-4", "P-3"], ["P-2", "P-1"], ["P-0"]]
    foreign = api.get(f"/v1/filings?limit=2&state=queued{cursor}")
    assert foreign.status_code == 422
    assert foreign.json()["type"] == "/problems/bad_cursor"


def test_claims_are_shown_as_they_are_stored(api: TestClient, db: Engine) -> None:
    filing = file(
        api, "P-1", f"{BRACKET}\n3. (Canceled)\n4. The bracket of claim 2, wherein the hook is red."
    )

    answer = api.get(f"/v1/filings/{filing}/claims")

    assert answer.headers["cache-control"] == "no-store"
    found = answer.json()["claims"]
    assert [one["number"] for one in found] == [1, 2, 3, 4]
    assert found[0]["text"] == "A bracket comprising a plate and a hook."
    assert found[3]["ancestors"] == [2, 1]
    assert (found[2]["text"], found[2]["evaluation"]) == ("(Canceled)", None)
    evaluation = api.get(f"/v1/evaluations/{found[1]['evaluation']}").json()
    assert (evaluation["filing"], evaluation["claim"]) == (filing, 2)

    with db.begin() as connection:  # as a purge does
        connection.execute(text("UPDATE claims SET text = ''"))
    assert {one["text"] for one in api.get(f"/v1/filings/{filing}/claims").json()["claims"]} == {None}


def test_words_of_claims_are_for_keys_with_the_scope_text(
    anonymous: TestClient, api: TestClient, new_key: Any, work: Any
) -> None:
    filing = file(api, "P-1")
    work.escalate()
    work.examine(verdict="Fail", reasoning="the pin is not introduced")
    evaluation = api.get(f"/v1/filings/{filing}").json()["evaluations"][1]["id"]

    def shown(*scopes: Scope) -> tuple[dict[str, Any], dict[str, Any], int]:
        given = {"Authorization": f"Bearer {new_key('office', *scopes)}"}
        paths = (f"/v1/evaluations/{evaluation}", f"/v1/evaluations/{evaluation}/findings")
        one, found = (anonymous.get(path, headers=given).json() for path in paths)
        listed = anonymous.get("/v1/evaluations?verdict=Fail", headers=given).json()["evaluations"]
        assert [each["rationale"] for each in listed if each["id"] == evaluation] == [one["rationale"]]
        claims = anonymous.get(f"/v1/filings/{filing}/claims", headers=given).status_code
        return one, found, claims

    one, found, claims = shown(Scope.READ, Scope.TEXT)
    (finding,) = found["findings"]
    text_of_claim = "The bracket of claim 1, wherein the pin is flat."
    assert finding["quote"] == text_of_claim[finding["start"] : finding["end"]]
    assert claims == 200
    assert one["rationale"]["reasoning"] == "the pin is not introduced"

    one, found, claims = shown(Scope.READ)
    (bare,) = found["findings"]
    hidden = {"quote": None, "explanation": None, "examiner": None, "fix": None}
    assert bare == finding | hidden
    assert (one["rationale"], one["verdict"], claims) == (None, "Fail", 403)


def test_client_reads_filings_and_claims(live: str, key: str, db: Engine) -> None:
    for number in range(3):
        factories.submit(db, factories.new_filing(docket=f"D-{number}"))
    with Client(live, key) as client:
        listed = list(client.filings(state="queued"))
        assert [one.docket for one in listed] == ["D-2", "D-1", "D-0"]
        assert listed[0].states == {"queued": 3}
        assert list(client.filings(disputed=True)) == []
        claims = client.claims(listed[0].id)
    assert [one.text for one in claims] == list(factories.BRACKET)
    assert claims[2].ancestors == (2, 1)
