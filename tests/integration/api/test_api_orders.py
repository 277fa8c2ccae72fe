"""Pauses and jobs over HTTP: who may order what, what they answer, and what is recorded."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from ace import flow
from ace.store import jobs, moves
from ace.store.database import transact
from ace.store.scopes import DEFAULT_SCOPES, Scope
from ace.store.tables import Stage
from tests import factories, fakes
from tests.integration.flow.test_dispatching import LIMITS

PAUSE = {"kind": "tenant", "name": "office", "reason": "wrong claims were filed"}
FILING = {"docket": "D", "claims": "1. A hook."}
NewKey = Callable[..., str]


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_a_pause_is_shown_obeyed_resumed_and_recorded(api: TestClient, db: Engine) -> None:
    api.post("/v1/filings", json=FILING)
    made = api.post("/v1/pauses", json=PAUSE).json()
    assert (made["kind"], made["name"], made["drain"], made["in_hand"]) == ("tenant", "office", False, 0)
    assert not made["by_operator"]
    assert api.post("/v1/pauses", json=PAUSE).json() == made  # idempotent
    assert api.get("/v1/pauses").json() == {"pauses": [made]}
    assert flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").messages == 0

    resume = f"/v1/pauses/{made['id']}/resume"
    assert api.post(resume, json={"reason": "sorted out"}).json() == {"resumed": [made["id"]]}
    assert api.post(resume, json={"reason": "again"}).status_code == 404
    assert api.get("/v1/pauses").json() == {"pauses": []}
    assert flow.dispatch(db, fakes.Broker(), LIMITS, actor="d").messages == 1
    shown = api.get("/v1/acts").json()["acts"]
    assert [(one["act"], one["target"], one["reason"]) for one in shown] == [
        ("resume", "tenant office", "sorted out"),
        ("pause", "tenant office", "wrong claims were filed"),
    ]
    assert {one["actor"][:4] for one in shown} == {"key:"}


@pytest.mark.parametrize(
    "wanted",
    [
        {"kind": "stage", "name": "fast"},
        {"kind": "tenant", "name": "another"},
        {"kind": "endpoint", "name": "only"},
    ],
)
def test_what_others_share_is_paused_by_operators_alone(
    anonymous: TestClient, new_key: NewKey, db: Engine, wanted: dict[str, Any]
) -> None:
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")  # declares the endpoint
    if wanted["kind"] == "endpoint":
        wanted["name"] = LIMITS.declared[0].name
    new_key("another")
    order = {**wanted, "reason": "maintenance"}
    admin = bearer(new_key("office", Scope.ADMIN, Scope.READ))
    operator = bearer(new_key("operators", Scope.ADMIN, Scope.READ, Scope.OPERATE))

    refused = anonymous.post("/v1/pauses", json=order, headers=admin)
    assert refused.status_code == 403
    assert "operate" in refused.json()["detail"]

    made = anonymous.post("/v1/pauses", json={**order, "drain": True}, headers=operator).json()
    assert made["by_operator"]
    assert made["drain"]
    seen = anonymous.get("/v1/pauses", headers=admin).json()["pauses"]
    assert seen == ([] if wanted["kind"] == "tenant" else [made])
    resume = f"/v1/pauses/{made['id']}/resume"
    assert anonymous.post(resume, json={"reason": "x"}, headers=admin).status_code == 404
    assert anonymous.post(resume, json={"reason": "x"}, headers=operator).status_code == 200


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"kind": "stage", "name": "medium"}, 422, "invalid_input"),
        ({"kind": "endpoint", "name": "nobody"}, 422, "unknown_endpoint"),
        ({"kind": "tenant", "name": "nobody"}, 404, "unknown_tenant"),
        ({"kind": "planet", "name": "x"}, 422, "invalid_input"),
    ],
)
def test_what_is_not_there_cannot_be_paused(
    api: TestClient, wanted: dict[str, str], status: int, code: str
) -> None:
    answer = api.post("/v1/pauses", json={**wanted, "reason": "r"})
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{code}")


def test_a_misspelt_tenant_is_refused_with_the_one_that_is_meant(api: TestClient) -> None:
    answer = api.post("/v1/pauses", json={"kind": "tenant", "name": "offcie", "reason": "r"})
    assert (answer.status_code, answer.json()["detail"]) == (
        404,
        "no tenant has the name 'offcie': did you mean 'office'?",
    )
    assert api.get("/v1/pauses").json()["pauses"] == []


@pytest.mark.parametrize("reason", [None, "", "  ", "x" * 201, "a\x00b"])
def test_every_order_needs_a_reason(api: TestClient, reason: str | None) -> None:
    given = {} if reason is None else {"reason": reason}
    for path, body in {
        "/v1/pauses": {"kind": "tenant", "name": "office"},
        "/v1/jobs": {"filter": {}},
        f"/v1/pauses/{uuid4()}/resume": {},
        f"/v1/jobs/{uuid4()}/cancel": {},
    }.items():
        assert api.post(path, json={**body, **given}).status_code in {413, 422}, path


def test_a_job_is_counted_ordered_followed_and_cancelled(api: TestClient, db: Engine, work: Any) -> None:
    api.post("/v1/filings", json=FILING)
    work.fail()
    which = {"filter": {"error": "timeout"}}
    assert api.post("/v1/jobs/count", json=which).json() == {"matched": 1}
    assert api.post("/v1/jobs/count", json={"filter": {"error": "schema"}}).json() == {"matched": 0}
    first = api.post("/v1/jobs", json={**which, "reason": "the expert is back"}).json()
    second = api.post("/v1/jobs", json={**which, "reason": "by mistake"}).json()
    assert (first["state"], first["matched"], first["replayed"]) == ("running", 1, 0)
    assert first["filter"] == {"error": "timeout"}

    cancel = f"/v1/jobs/{second['id']}/cancel"
    assert api.post(cancel, json={"reason": "twice"}).json()["state"] == "cancelled"
    assert api.post(cancel, json={"reason": "twice"}).json()["state"] == "cancelled"
    flow.dispatch(db, fakes.Broker(), LIMITS, actor="d")

    done = api.get(f"/v1/jobs/{first['id']}").json()
    assert (done["state"], done["replayed"]) == ("done", 1)
    assert [one["id"] for one in api.get("/v1/jobs").json()["jobs"]] == [second["id"], first["id"]]
    acts = [one["act"] for one in api.get("/v1/acts").json()["acts"]]
    assert acts == ["cancel job", "replay", "replay"]


def test_an_operator_sees_workers_and_backlogs(api: TestClient, db: Engine) -> None:
    api.post("/v1/filings", json=FILING)
    (backlog,) = api.get("/v1/backlogs").json()["backlogs"]
    assert (backlog["tenant"], backlog["queued"]) == ("office", 1)
    assert backlog["oldest"] is not None
    assert api.get("/v1/workers").json() == {"workers": []}
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    transact(db, partial(moves.start, token=leased.token, worker="w", lease_seconds=60))
    (worker,) = api.get("/v1/workers").json()["workers"]
    assert (worker["worker"], worker["stage"], worker["messages"], worker["claims"]) == ("w", "fast", 1, 1)


def test_only_an_operator_makes_a_key_of_an_operator(anonymous: TestClient, new_key: NewKey) -> None:
    body = {"label": "x", "scopes": ["operate"]}
    admin = bearer(new_key("office", *DEFAULT_SCOPES, Scope.ADMIN))
    assert anonymous.post("/v1/keys", json=body, headers=admin).status_code == 403
    operator = bearer(new_key("office", Scope.ADMIN, Scope.OPERATE))
    assert anonymous.post("/v1/keys", json=body, headers=operator).status_code == 201


def test_decided_claims_are_counted_and_evaluated_again(api: TestClient, db: Engine, work: Any) -> None:
    (old,) = api.post("/v1/filings", json=FILING).json()["evaluations"]
    api.post("/v1/filings", json={**FILING, "docket": "E"})
    work.decide()
    which = {"filter": {"docket": "D", "model": "test-model", "verdict": "Pass", "decided_by": "gatekeeper"}}
    count = "/v1/evaluations/reevaluate/count"
    assert api.post(count, json=which).json() == {"matched": 1}
    assert api.post(count, json={"filter": {"verdict": "Fail"}}).json() == {"matched": 0}
    tag = api.get(f"/v1/evaluations/{old['id']}").headers["etag"]
    job = api.post("/v1/evaluations/reevaluate", json={**which, "reason": "a new model"}).json()
    assert (job["kind"], job["state"], job["matched"], job["filter"]) == (
        *("reevaluate", "running", 1),
        which["filter"],
    )

    transact(db, jobs.work_off)
    filing = api.get(f"/v1/evaluations/{old['id']}").json()["filing"]
    shown = api.get(f"/v1/filings/{filing}").json()
    assert (shown["settled"], shown["reevaluating"], shown["states"]) == (False, 1, {"decided": 1})
    assert api.get("/v1/filings").json()["filings"][-1]["settled"] is False
    work.decide(fail=True)

    before = api.get(f"/v1/evaluations/{old['id']}", headers={"If-None-Match": tag})
    assert before.status_code == 200  # it has changed: it is superseded
    new = api.get(f"/v1/evaluations/{before.json()['superseded_by']}").json()
    assert (before.json()["verdict"], new["verdict"], new["supersedes"]) == ("Pass", "Fail", old["id"])
    (brief,) = api.get(f"/v1/filings/{filing}").json()["evaluations"]
    assert brief["id"] == new["id"]
    assert api.get("/v1/acts").json()["acts"][0]["act"] == "reevaluate"
    assert api.get(f"/v1/jobs/{job['id']}").json()["state"] == "done"


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"verdict": "pass"}, "/filter/verdict"),
        ({"decided_by": "me"}, "/filter/decided_by"),
        ({"error": "timeout"}, "/filter/error"),
        ({"filing": "nothing"}, "/filter/filing"),
    ],
)
def test_a_filter_that_would_silently_match_nothing_is_refused(
    api: TestClient, wrong: dict[str, str], pointer: str
) -> None:
    answer = api.post("/v1/evaluations/reevaluate", json={"filter": wrong, "reason": "r"})
    assert answer.status_code == 422
    assert [one["pointer"] for one in answer.json()["errors"]] == [pointer]
