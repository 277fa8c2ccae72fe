"""Test keys: what they file is apart from everything else, costs nothing, and says that it is a test."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace import flow
from ace.store.scopes import Scope
from ace.store.tables import Stage
from ace.types.tenants import for_tests
from tests import factories, fakes
from tests.integration.flow.test_dispatching import LIMITS

FILING = {
    "docket": "P-1",
    "claims": "1. A bracket comprising a plate.\n2. A hook that is about long.\n3. A plate that will crash.",
}
WEBHOOK = {"url": "https://docketing.example/ace"}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture
def testing(api: TestClient) -> dict[str, str]:
    """The header of a test key that a live admin made."""
    scopes = [scope for scope in Scope if scope is not Scope.OPERATE]
    made = api.post("/v1/keys", json={"label": "tests", "scopes": scopes, "test": True})
    assert (made.status_code, made.json()["test"]) == (201, True)
    return bearer(made.json()["key"])


def decide(db: Engine) -> list[str]:
    """Gatekeeper workers do what is due; the queues that got a message, in order."""
    broker, done = fakes.Broker(), 0
    while flow.dispatch(db, broker, LIMITS, actor="d").messages:
        fresh, done = broker.sent[done:], len(broker.sent)
        for token in [leased.token for queue, leased in fresh if queue == Stage.FAST]:
            factories.screen(db, token)
    return [queue for queue, _ in broker.sent]


def test_a_test_is_decided_without_the_expert_and_says_so(
    api: TestClient, db: Engine, testing: dict[str, str]
) -> None:
    api.headers.update(testing)
    filed = api.post("/v1/filings", json=FILING).json()
    assert filed["test"]

    assert set(decide(db)) == {"fast"}

    shown = api.get(f"/v1/filings/{filed['filing']}").json()
    assert (shown["test"], shown["states"]) == (True, {"decided": 2, "failed": 1})
    clear, doubtful, unscored = (
        api.get(f"/v1/evaluations/{one['id']}").json() for one in shown["evaluations"]
    )
    assert (clear["verdict"], clear["would_escalate"], clear["disputed"]) == ("Pass", False, False)
    assert (doubtful["decided_by"], doubtful["would_escalate"], doubtful["disputed"]) == (
        *("gatekeeper", True, True),
    )
    assert doubtful["doubt"] > doubtful["tau"]
    assert (unscored["verdict"], unscored["error"]) == (None, "unscored")


def test_the_same_filing_in_earnest_goes_to_the_expert(api: TestClient, db: Engine) -> None:
    filed = api.post("/v1/filings", json=FILING).json()
    assert not filed["test"]
    assert decide(db).count("slow") == 2
    assert api.get(f"/v1/filings/{filed['filing']}").json()["states"] == {"decided": 1, "examining": 2}


def test_live_and_test_see_nothing_of_each_other(
    api: TestClient, db: Engine, testing: dict[str, str]
) -> None:
    once = {"Idempotency-Key": "once"}
    live = api.post("/v1/filings", json=FILING, headers=once).json()
    test = api.post("/v1/filings", json=FILING, headers={**testing, **once}).json()
    assert live["filing"] != test["filing"]
    assert api.post("/v1/webhooks", json=WEBHOOK).status_code == 201
    assert api.post("/v1/webhooks", json=WEBHOOK, headers=testing).status_code == 201
    decide(db)

    for headers, mine, theirs in (({}, live, test), (testing, test, live)):
        assert api.get(f"/v1/filings/{mine['filing']}", headers=headers).status_code == 200
        assert api.get(f"/v1/filings/{theirs['filing']}", headers=headers).status_code == 404
        (listed,) = api.get("/v1/filings", headers=headers).json()["filings"]
        assert listed["id"] == mine["filing"]
        told = api.get("/v1/events", headers=headers).json()["events"]
        assert {one["data"]["filing"] for one in told} == {mine["filing"]}
        (webhook,) = api.get("/v1/webhooks", headers=headers).json()["webhooks"]
        sent = api.get(f"/v1/webhooks/{webhook['id']}/deliveries", headers=headers).json()["deliveries"]
        assert {one["event"] for one in sent} == {one["id"] for one in told}


def test_no_metric_counts_tests(api: TestClient, db: Engine, testing: dict[str, str]) -> None:
    def counted() -> list[str]:
        return [line for line in api.get("/metrics").text.splitlines() if line.startswith("ace_evaluations")]

    api.post("/v1/filings", json=FILING, headers=testing)
    decide(db)
    assert counted() == []
    api.post("/v1/filings", json=FILING)
    assert counted() == ['ace_evaluations{decided_by="",state="queued"} 3.0']


def test_an_admin_lists_and_revokes_test_keys_and_a_test_admin_no_others(
    api: TestClient, db: Engine, testing: dict[str, str]
) -> None:
    live = [one["id"] for one in api.get("/v1/keys").json()["keys"] if not one["test"]]
    (test,) = [one["id"] for one in api.get("/v1/keys").json()["keys"] if one["test"]]
    made = api.post("/v1/keys", json={"label": "another"}, headers=testing).json()
    assert made["test"]
    assert [one["id"] for one in api.get("/v1/keys", headers=testing).json()["keys"]] == [test, made["id"]]
    assert api.post(f"/v1/keys/{live[0]}/revoke", headers=testing).status_code == 404

    assert api.post(f"/v1/keys/{made['id']}/revoke").json() == {"revoked": [made["id"]]}
    assert api.post(f"/v1/keys/{made['id']}/revoke").json() == {"revoked": []}
    with db.connect() as connection:
        tenants = connection.execute(text("SELECT DISTINCT tenant FROM keys ORDER BY 1")).scalars().all()
    assert tenants == ["office", for_tests("office")]


def test_no_test_key_operates_what_all_tenants_share(
    api: TestClient, testing: dict[str, str], new_key: Callable[..., str]
) -> None:
    wanted: dict[str, Any] = {"label": "x", "scopes": ["operate"]}
    refused = api.post("/v1/keys", json={**wanted, "test": True})
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/operate_for_tests")
    assert api.post("/v1/keys", json=wanted, headers=testing).status_code == 403
