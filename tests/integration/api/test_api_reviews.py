"""Reviews over HTTP: what is recorded, what is refused, what needs eyes, and what stays as it was."""

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.api.review_schemas import Label
from ace.claims.taxonomy import LABELS
from ace.store.purge import purge
from ace.store.scopes import Scope

CLAIMS = "1. A bracket comprising a plate.\n2. The bracket of claim 1, wherein the lever is flat."
LEVER = {"start": 33, "end": 42}


def test_labels_are_those_of_the_gatekeeper() -> None:
    assert set(get_args(Label)) == set(LABELS)


@pytest.fixture
def evaluations(api: TestClient, work: Any) -> list[str]:
    """A claim that passed and one that passed too, both decided by the gatekeeper."""
    made = api.post("/v1/filings", json={"docket": "P-1", "claims": CLAIMS}).json()
    work.decide()
    return [one["id"] for one in made["evaluations"]]


def said(api: TestClient, evaluation: str, **review: Any) -> Any:
    return api.post("/v1/reviews", json={"evaluation": evaluation, **review})


def test_a_review_is_recorded_with_its_reviewer_and_changes_no_prediction(
    api: TestClient, evaluations: list[str], key: str
) -> None:
    before = api.get(f"/v1/evaluations/{evaluations[1]}").json()
    answer = said(
        api,
        evaluations[1],
        answer="disagree",
        label="antecedent",
        span=LEVER,
        reason="no lever",
        blind=True,
        seconds=3.5,
    )
    assert answer.status_code == 201

    (one,) = api.get("/v1/reviews").json()["reviews"]
    assert one["id"] == answer.json()["review"]
    assert (one["reviewer"], one["status"], one["blind"]) == (f"key:{key.split('_')[1]}", "reviewed", True)
    assert (one["label"], one["span"], one["reason"], one["claim"]) == ("antecedent", LEVER, "no lever", 2)
    assert api.get(f"/v1/evaluations/{evaluations[1]}").json() == before
    assert said(api, evaluations[0], answer="agree", seconds=1e-300).status_code == 201
    assert [each["label"] for each in api.get("/v1/reviews").json()["reviews"]] == ["pass", "antecedent"]
    assert len(api.get(f"/v1/reviews?evaluation={evaluations[0]}").json()["reviews"]) == 1


def test_findings_are_reviewed_by_their_rule_and_place(api: TestClient, evaluations: list[str]) -> None:
    finding = {"rule": "antecedent.no_basis", **LEVER}
    assert said(api, evaluations[1], answer="agree", finding=finding).status_code == 201
    (one,) = api.get("/v1/reviews").json()["reviews"]
    assert (one["finding"], one["label"]) == (finding, None)


@pytest.mark.parametrize(
    ("review", "status", "slug"),
    [
        ({"answer": "disagree"}, 422, "label_mismatch"),
        ({"answer": "disagree", "label": "pass"}, 422, "label_mismatch"),
        ({"answer": "agree", "label": "syntax"}, 422, "label_mismatch"),
        ({"answer": "unsure", "label": "syntax"}, 422, "label_mismatch"),
        ({"answer": "agree", "span": {"start": 0, "end": 9_999}}, 422, "span_outside"),
        ({"answer": "agree", "span": {"start": 3, "end": 3}}, 422, "span_outside"),
        ({"answer": "agree", "span": {"start": 5, "end": 3}}, 422, "span_outside"),
        ({"answer": "agree", "span": {"start": 2**40, "end": 2**41}}, 422, "invalid_input"),
        ({"answer": "agree", "status": "adjudicated"}, 409, "nothing_to_adjudicate"),
        ({"answer": "maybe"}, 422, "invalid_input"),
        ({"answer": "agree", "finding": {"rule": "no.rule", **LEVER}}, 422, "invalid_input"),
        ({"answer": "agree", "reason": "x" * 2_001}, 422, "invalid_input"),
        ({"answer": "agree", "reason": "a\u202eb"}, 422, "invalid_input"),
        ({"answer": "agree", "reviewer": "key:somebody"}, 422, "invalid_input"),
    ],
)
def test_what_does_not_fit_is_refused(
    api: TestClient, evaluations: list[str], review: dict[str, Any], status: int, slug: str
) -> None:
    answer = said(api, evaluations[0], **review)
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{slug}")
    assert api.get("/v1/reviews").json()["reviews"] == []


def test_a_claim_without_a_verdict_cannot_be_reviewed(api: TestClient) -> None:
    made = api.post("/v1/filings", json={"docket": "P-1", "claims": CLAIMS}).json()
    answer = said(api, made["evaluations"][0]["id"], answer="agree")
    assert answer.json()["type"] == "/problems/no_verdict"


def test_the_queue_has_what_needs_eyes_and_not_what_you_have_answered(
    api: TestClient, anonymous: TestClient, new_key: Any, work: Any
) -> None:
    made = api.post("/v1/filings", json={"docket": "P-1", "claims": CLAIMS}).json()
    work.decide(fail=True, span=(0, 1))
    first, second = (one["id"] for one in made["evaluations"])

    def queued(kind: str, **headers: str) -> list[str]:
        answer = api.get(f"/v1/reviews/queue?kind={kind}", headers=headers)
        return [one["evaluation"] for one in answer.json()["queue"]]

    assert queued("disputed") == queued("doubtful") == [first, second]
    assert queued("audit") == queued("differing") == []
    said(api, first, answer="agree")
    assert queued("disputed") == [second]
    other = {"Authorization": f"Bearer {new_key('office')}"}
    assert queued("disputed", **other) == [first, second]
    body = {"evaluation": first, "answer": "disagree", "label": "pass"}
    api.post("/v1/reviews", json=body, headers=other)
    assert queued("differing") == [first]
    said(api, first, answer="disagree", label="pass", status="adjudicated")
    assert queued("differing") == []
    assert queued("disputed", **other) == [second]


def test_a_sample_is_drawn_with_its_probability_and_only_grows(
    api: TestClient, db: Engine, work: Any
) -> None:
    claims = "\n".join(f"{number}. A plate with {number} holes." for number in range(1, 201))
    api.post("/v1/filings", json={"docket": "P-1", "claims": claims})
    work.decide()

    def draw(probability: float, since: str = "2026-01-01T00:00:00Z") -> int:
        answer = api.post("/v1/reviews/sample", json={"probability": probability, "since": since})
        return int(answer.json()["drawn"])

    assert draw(1, "2999-01-01T00:00:00Z") == 0
    # Which are drawn follows from their ids, so their number is random here: every draw within six sigmas.
    few = draw(0.25)
    assert 13 <= few <= 87
    assert draw(0.25) == 0
    more = draw(0.5)
    assert more >= few
    assert draw(1) == 200
    queue = api.get("/v1/reviews/queue?kind=audit&limit=200").json()["queue"]
    assert [one["probability"] for one in queue] == [1.0] * 200
    with db.connect() as connection:
        stored = connection.execute(text("SELECT count(*) FROM audit_sample WHERE probability = 0.25"))
        assert stored.scalar_one() == few


def test_filings_are_found_by_what_people_said_and_by_the_model(
    api: TestClient, evaluations: list[str]
) -> None:
    def found(query: str) -> int:
        return len(api.get(f"/v1/filings?{query}").json()["filings"])

    assert (found("reviewed=no"), found("reviewed=yes"), found("model=test-model")) == (1, 0, 1)
    assert found("model=other") == 0
    said(api, evaluations[0], answer="disagree", label="syntax")
    assert (found("reviewed=yes"), found("reviewed=disagree"), found("reviewed=adjudicated")) == (1, 1, 0)
    assert found("reviewed=no") == 1  # the other claim


def test_reasons_are_for_keys_with_the_scope_text_and_go_with_a_purge(
    api: TestClient, evaluations: list[str], new_key: Any, db: Engine
) -> None:
    said(api, evaluations[0], answer="agree", reason="the plate")
    reader = {"Authorization": f"Bearer {new_key('office', Scope.READ)}"}
    assert api.get("/v1/reviews", headers=reader).json()["reviews"][0]["reason"] is None
    assert api.get("/v1/reviews").json()["reviews"][0]["reason"] == "the plate"
    with db.begin() as connection:
        connection.execute(text("UPDATE filings SET created_at = now() - interval '2 days'"))
    purge(db, datetime.now(UTC) - timedelta(days=1))
    (one,) = api.get("/v1/reviews").json()["reviews"]
    assert (one["reason"], one["answer"]) == (None, "agree")


def test_pages_of_reviews_follow_each_other(api: TestClient, evaluations: list[str]) -> None:
    for _ in range(3):
        said(api, evaluations[0], answer="unsure")
    page = api.get("/v1/reviews?limit=2").json()
    assert len(page["reviews"]) == 2
    rest = api.get(f"/v1/reviews?limit=2&cursor={page['next']}").json()
    assert (len(rest["reviews"]), rest["next"]) == (1, None)
    assert api.get(f"/v1/reviews?status=reviewed&cursor={page['next']}").status_code == 422
