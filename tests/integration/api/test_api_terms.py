"""The term list over HTTP: what is added and refused, and that checks, findings and files obey it at once."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.claims.terms import MAX_TERMS, TERM_CHARACTERS
from ace.store.scopes import Scope
from tests.integration.api.conftest import NewKey

CLAIMS = (
    "1. A press comprising a lever and a good enough filter, wherein the flange is flat.\n"
    "2. The press of claim 1, wherein the crank is bent."
)
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def put(api: TestClient, term: str, kind: str = "ignore", **more: Any) -> str:
    answer = api.post("/v1/terms", json={"kind": kind, "term": term, **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["term"])


def quotes(report: dict[str, Any]) -> list[str]:
    return [each["quote"] for claim in report["claims"] for each in claim["findings"]]


def test_a_term_is_added_once_listed_and_removed(api: TestClient, db: Engine) -> None:
    assert api.get("/v1/terms").json() == {"terms": [], "digest": ""}

    flange = put(api, "the Flange", reason="a brand")
    assert put(api, "flange", reason="again") == flange
    filter_ = put(api, "good enough filter", "keep_together")
    both = put(api, "good enough filter", "ignore")

    listed = api.get("/v1/terms").json()
    shown = [(one["id"], one["kind"], one["term"], one["reason"]) for one in listed["terms"]]
    assert shown == [
        (flange, "ignore", "flange", "a brand"),
        (both, "ignore", "good enough filter", ""),
        (filter_, "keep_together", "good enough filter", ""),
    ]
    assert all(one["actor"].startswith("key:") for one in listed["terms"])
    assert len(listed["digest"]) == 16
    assert api.delete(f"/v1/terms/{flange}").status_code == 204
    assert api.delete(f"/v1/terms/{flange}").status_code == 404
    assert [one["id"] for one in api.get("/v1/terms").json()["terms"]] == [both, filter_]
    assert put(api, "flange") != flange  # what was the list before can still be told
    with db.connect() as connection:
        removed = connection.execute(
            text("SELECT id, removed_by FROM terms WHERE removed_at IS NOT NULL")
        ).one()
    assert (str(removed.id), removed.removed_by[:4]) == (flange, "key:")


@pytest.mark.parametrize(
    ("body", "status", "slug", "pointer", "limit"),
    [
        (
            {"kind": "ignore", "term": "x" * (TERM_CHARACTERS + 1)},
            422,
            "invalid_input",
            "/term",
            TERM_CHARACTERS,
        ),
        ({"kind": "ignore", "term": "(12)"}, 422, "bad_term", "/term", None),
        ({"kind": "keep_together", "term": "flange"}, 422, "bad_term", "/term", None),
        ({"kind": "keep_together", "term": "b c d e f g h i j"}, 422, "bad_term", "/term", 8),
        ({"kind": "drop", "term": "flange"}, 422, "invalid_input", "/kind", None),
        ({"kind": "ignore", "term": "a\nb"}, 422, "invalid_input", "/term", None),
    ],
)
def test_what_is_no_term_is_refused(
    api: TestClient, body: dict[str, str], status: int, slug: str, pointer: str, limit: int | None
) -> None:
    answer = api.post("/v1/terms", json=body)

    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (status, f"/problems/{slug}")
    (error,) = problem["errors"]
    assert (error["pointer"], error.get("limit")) == (pointer, limit)
    assert body["term"] not in answer.text


def test_a_list_is_bounded(api: TestClient, db: Engine) -> None:
    with db.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO terms (id, tenant, kind, term, reason, actor)"
                " SELECT uuidv7(), 'office', 'ignore', 'lever ' || n || 'a', '', 't'"
                " FROM generate_series(1, :n) n"
            ),
            {"n": MAX_TERMS},
        )
    answer = api.post("/v1/terms", json={"kind": "ignore", "term": "flange"})
    assert (answer.status_code, answer.json()["type"], answer.json()["errors"][0]["limit"]) == (
        409,
        "/problems/too_many_terms",
        MAX_TERMS,
    )
    put(api, "good enough filter", "keep_together")  # a kind of its own


def test_a_check_obeys_the_list_of_its_tenant_or_one_of_its_own(
    api: TestClient, stranger: dict[str, str]
) -> None:
    def checked(**more: Any) -> list[str]:
        return quotes(api.post("/v1/check", json={"claims": CLAIMS, **more}).json())

    assert {"the flange", "the crank", "good", "good enough"} == set(checked())
    put(api, "flange")
    put(api, "good enough filter", "keep_together")

    assert checked() == ["the crank"]
    assert checked(terms={"ignore": ["crank"]}) == ["good", "good enough", "the flange"]
    assert set(checked(terms={})) == {"the flange", "the crank", "good", "good enough"}
    plain = api.post("/v1/check", content=CLAIMS, headers={"Content-Type": "text/plain"})
    assert quotes(plain.json()) == ["the crank"]
    theirs = api.post("/v1/check", json={"claims": CLAIMS}, headers=stranger)
    assert len(quotes(theirs.json())) == 4


def test_a_check_refuses_a_list_that_is_wrong_and_names_the_term(api: TestClient) -> None:
    wrong = api.post("/v1/check", json={"claims": CLAIMS, "terms": {"keep_together": ["heat pump", "pump"]}})
    long = api.post("/v1/check", json={"claims": CLAIMS, "terms": {"ignore": ["lever"] * (MAX_TERMS + 1)}})

    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/terms/keep_together/1")
    assert (long.status_code, long.json()["errors"][0]["limit"]) == (413, MAX_TERMS)
    assert "pump" not in wrong.text


def test_a_changed_list_shows_at_once_in_findings_and_files_and_changes_no_verdict(
    api: TestClient, work: Any, db: Engine
) -> None:
    filed = api.post("/v1/filings", json={"docket": "P", "claims": CLAIMS}).json()
    first, second = (one["id"] for one in filed["evaluations"])
    work.decide(fail=True)  # with a finding of the tests in the place of the rules'
    before = api.get(f"/v1/evaluations/{first}/findings").json()
    assert (before["origin"], before["terms"]) == ("stored", "")

    put(api, "the flange")
    put(api, "crank")

    digest = api.get("/v1/terms").json()["digest"]
    after = api.get(f"/v1/evaluations/{first}/findings").json()
    assert (after["origin"], after["terms"], after["at"]) == ("computed", digest, None)
    assert [each["quote"] for each in after["findings"]] == ["good", "good enough"]
    assert api.get(f"/v1/evaluations/{second}/findings").json()["findings"] == []
    report = api.get(f"/v1/filings/{filed['filing']}/report?format=json").json()
    assert "the flange" not in {each["quote"] for one in report["claims"] for each in one["findings"]}
    assert api.get(f"/v1/evaluations/{first}").json()["verdict"] == "Fail"
    with db.connect() as connection:
        assert connection.execute(text("SELECT terms FROM analyses")).scalars().all() == [""]


def test_terms_are_words_of_claims_and_want_the_scope_text(anonymous: TestClient, new_key: NewKey) -> None:
    def ask(*scopes: Scope) -> list[int]:
        headers = {"Authorization": f"Bearer {new_key('office', *scopes)}"}
        body = {"kind": "ignore", "term": "lever"}
        return [
            anonymous.get("/v1/terms", headers=headers).status_code,
            anonymous.post("/v1/terms", json=body, headers=headers).status_code,
        ]

    assert ask(Scope.READ, Scope.SUBMIT, Scope.ADMIN) == [403, 403]
    assert ask(Scope.TEXT) == [200, 403]
    assert ask(Scope.REVIEW) == [403, 201]
