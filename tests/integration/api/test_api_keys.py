"""Keys over HTTP: what each is good for, and how an admin makes, lists and revokes those of its tenant."""

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.api.callers import Tenant
from ace.api.key_uses import KeyUses
from ace.api.keys import MAX_KEYS
from ace.store import keys
from ace.store.database import connect_engine, transact
from ace.store.scopes import Scope

NOTHING = "01a1fb7f-0da3-7014-8f64-d20e21e5c542"
EVENT = "01a1fb7f-0da3-7014-8f64-d20e21e5c543"
FILING = {"docket": "P-1", "claims": "1. A bracket.\n2. The bracket of claim 1, being flat."}
SAMPLE = {"probability": 0.5, "since": "2026-11-20T00:00:00Z"}
# Every route that wants a key, the scope it is for, and what it answers to a key that has it.
ROUTES: list[tuple[str, str, Any, Scope, int]] = [
    ("POST", "/v1/filings", FILING, Scope.SUBMIT, 202),
    ("POST", "/v1/filings/bulk", FILING, Scope.SUBMIT, 200),
    ("POST", f"/v1/filings/{NOTHING}/cancel", None, Scope.SUBMIT, 404),
    ("POST", "/v1/check", {"claims": FILING["claims"]}, Scope.SUBMIT, 200),
    ("GET", "/v1/filings", None, Scope.READ, 200),
    ("GET", f"/v1/filings/{NOTHING}", None, Scope.READ, 404),
    ("GET", f"/v1/filings/{NOTHING}/claims", None, Scope.TEXT, 404),
    ("GET", f"/v1/filings/{NOTHING}/report", None, Scope.TEXT, 403),  # it wants the scope read too
    ("GET", "/v1/evaluations", None, Scope.READ, 200),
    ("GET", f"/v1/evaluations/{NOTHING}", None, Scope.READ, 404),
    ("GET", f"/v1/evaluations/{NOTHING}/findings", None, Scope.READ, 404),
    ("GET", f"/v1/evaluations/{NOTHING}/events", None, Scope.READ, 404),
    ("POST", f"/v1/evaluations/{NOTHING}/replay", None, Scope.REPLAY, 404),
    ("POST", "/v1/replays", {"filter": {}}, Scope.REPLAY, 200),
    ("GET", "/v1/reviews", None, Scope.READ, 200),
    ("GET", "/v1/reviews/queue", None, Scope.READ, 200),
    ("POST", "/v1/reviews", {"evaluation": NOTHING, "answer": "agree"}, Scope.REVIEW, 404),
    ("POST", "/v1/reviews/sample", SAMPLE, Scope.REVIEW, 200),
    ("GET", "/v1/terms", None, Scope.TEXT, 200),
    ("POST", "/v1/terms", {"kind": "ignore", "term": "operator"}, Scope.REVIEW, 201),
    ("DELETE", f"/v1/terms/{NOTHING}", None, Scope.REVIEW, 404),
    ("GET", "/v1/events", None, Scope.READ, 200),
    ("POST", "/v1/webhooks", {"url": "https://example.org/"}, Scope.WEBHOOKS, 201),
    ("GET", "/v1/webhooks", None, Scope.WEBHOOKS, 200),
    ("GET", f"/v1/webhooks/{NOTHING}", None, Scope.WEBHOOKS, 404),
    ("PATCH", f"/v1/webhooks/{NOTHING}", {"enabled": False}, Scope.WEBHOOKS, 404),
    ("DELETE", f"/v1/webhooks/{NOTHING}", None, Scope.WEBHOOKS, 404),
    ("POST", f"/v1/webhooks/{NOTHING}/secrets", None, Scope.WEBHOOKS, 404),
    ("GET", f"/v1/webhooks/{NOTHING}/deliveries", None, Scope.WEBHOOKS, 404),
    ("POST", f"/v1/webhooks/{NOTHING}/deliveries/{EVENT}/replay", None, Scope.WEBHOOKS, 404),
    ("POST", f"/v1/webhooks/{NOTHING}/replays", {"since": "2026-11-20T00:00:00Z"}, Scope.WEBHOOKS, 404),
    ("GET", "/v1/experts", None, Scope.ADMIN, 200),
    ("GET", "/v1/pauses", None, Scope.READ, 200),
    ("POST", "/v1/pauses", {"kind": "tenant", "name": "office", "reason": "r"}, Scope.ADMIN, 200),
    ("POST", f"/v1/pauses/{NOTHING}/resume", {"reason": "r"}, Scope.ADMIN, 404),
    ("GET", "/v1/jobs", None, Scope.READ, 200),
    ("POST", "/v1/jobs", {"filter": {}, "reason": "r"}, Scope.REPLAY, 201),
    ("POST", "/v1/jobs/count", {"filter": {}}, Scope.REPLAY, 200),
    ("POST", "/v1/evaluations/reevaluate", {"filter": {}, "reason": "r"}, Scope.REPLAY, 201),
    ("POST", "/v1/evaluations/reevaluate/count", {"filter": {}}, Scope.REPLAY, 200),
    ("GET", f"/v1/jobs/{NOTHING}", None, Scope.READ, 404),
    ("POST", f"/v1/jobs/{NOTHING}/cancel", {"reason": "r"}, Scope.REPLAY, 404),
    ("GET", "/v1/hints?seconds=0", None, Scope.READ, 200),
    ("GET", "/v1/acts", None, Scope.READ, 200),
    ("GET", "/v1/workers", None, Scope.OPERATE, 200),
    ("GET", "/v1/backlogs", None, Scope.OPERATE, 200),
    ("GET", "/v1/models", None, Scope.OPERATE, 200),
    ("POST", f"/v1/models/{NOTHING}/promote", {"share": 100, "reason": "r"}, Scope.OPERATE, 404),
    ("POST", f"/v1/models/{NOTHING}/shadow", {"share": 5, "reason": "r"}, Scope.OPERATE, 404),
    ("POST", f"/v1/models/{NOTHING}/retire", {"reason": "r"}, Scope.OPERATE, 404),
    ("POST", "/v1/models/rollback", {"reason": "r"}, Scope.OPERATE, 409),
    ("POST", "/v1/keys", {"label": "docketing"}, Scope.ADMIN, 201),
    ("GET", "/v1/keys", None, Scope.ADMIN, 200),
    ("POST", "/v1/keys/0123456789ab/revoke", None, Scope.ADMIN, 404),
]


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def ask(client: TestClient, key: str, method: str, path: str, body: Any) -> Any:
    media = "application/x-ndjson" if path.endswith("bulk") else "application/json"
    sent = {} if body is None else {"content": json.dumps(body)}
    return client.request(method, path, headers={**bearer(key), "Content-Type": media}, **sent)


def kept(db: Engine) -> int:
    """Rows that a refused request must not add to."""
    with db.connect() as connection:
        tables = ("keys", "filings", "webhooks")
        count = "SELECT " + " + ".join(f"(SELECT count(*) FROM {table})" for table in tables)
        return int(connection.execute(text(count)).scalar_one())


# Scopes


@pytest.mark.parametrize("scope", Scope)
def test_key_is_good_for_the_routes_of_its_scope_alone(
    anonymous: TestClient, new_key: Callable[..., str], db: Engine, scope: Scope
) -> None:
    key = new_key("office", scope)
    for method, path, body, needed, status in ROUTES:
        before = kept(db)
        answer = ask(anonymous, key, method, path, body)
        if needed is scope:
            assert answer.status_code == status, (method, path)
            continue
        assert answer.status_code == 403, (method, path)
        assert answer.json()["type"] == "/problems/forbidden"
        assert f"scope {needed}" in answer.json()["detail"]
        challenge = answer.headers["www-authenticate"]
        assert challenge == f'Bearer realm="ace", error="insufficient_scope", scope="{needed}"'
        assert kept(db) == before


def test_every_route_with_a_key_is_in_the_table_and_tells_its_scope(app: FastAPI) -> None:
    told = {
        (method.upper(), path, *operation["security"][0]["key"])
        for path, item in app.openapi()["paths"].items()
        for method, operation in item.items()
        if operation.get("security")
    }
    templates = {NOTHING: "{id}", EVENT: "{event}", "0123456789ab": "{id}"}
    ours = set()
    for method, path, _, scope, _ in ROUTES:
        steps = [templates.get(step, step) for step in path.partition("?")[0].split("/")]
        ours.add((method, "/".join(steps), scope.value))
    assert told == ours


def test_old_key_has_the_scopes_of_old(anonymous: TestClient, db: Engine) -> None:
    # Given a key as version 0001 of the schema made them
    key = f"ace_0123456789ab_{'f' * 64}"
    with db.begin() as connection:
        connection.execute(
            text("INSERT INTO keys (id, tenant, hash, label) VALUES ('0123456789ab', 'office', :hash, '')"),
            {"hash": keys.digest(key)},
        )
    answers = [ask(anonymous, key, *route[:3]).status_code for route in ROUTES]
    assert [status == 403 for status in answers] == [
        route[3] in {Scope.ADMIN, Scope.OPERATE, Scope.WEBHOOKS} for route in ROUTES
    ]


# Making, listing, revoking


def made(api: TestClient, **wanted: Any) -> dict[str, Any]:
    answer = api.post("/v1/keys", json={"label": "docketing", **wanted})
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return dict(answer.json())


def test_made_key_opens_its_makers_tenant_with_its_own_scopes(api: TestClient) -> None:
    filing = api.post("/v1/filings", json=FILING).headers["location"]
    new = made(api, scopes=["read"])

    assert (new["label"], new["scopes"], new["requests_per_second"]) == ("docketing", ["read"], None)
    assert api.get(filing, headers=bearer(new["key"])).status_code == 200
    assert api.post("/v1/filings", json=FILING, headers=bearer(new["key"])).status_code == 403


def test_admin_may_give_what_it_has_not(anonymous: TestClient, new_key: Callable[..., str]) -> None:
    anonymous.headers.update(bearer(new_key("office", Scope.ADMIN)))
    new = made(anonymous)
    assert new["scopes"] == ["submit", "read", "text", "replay", "review"]
    assert anonymous.post("/v1/filings", json=FILING, headers=bearer(new["key"])).status_code == 202


def test_key_is_shown_once_and_kept_as_a_hash(
    api: TestClient, db: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    new = made(api)
    secret = new["key"].rsplit("_", 1)[1]

    listed = api.get("/v1/keys")
    assert new["id"] in [key["id"] for key in listed.json()["keys"]]
    assert secret not in listed.text
    assert secret not in caplog.text
    assert ("a key was made", new["id"]) in [(r.message, r.__dict__.get("key")) for r in caplog.records]
    with db.connect() as connection:
        row = connection.execute(text("SELECT keys::text FROM keys WHERE id = :id"), new).scalar_one()
    assert secret not in row
    assert keys.digest(new["key"]).hex() in row


def test_list_is_of_the_tenants_keys_in_force(api: TestClient, stranger: dict[str, str]) -> None:
    first, second, third = (made(api, label=label, scopes=["read"]) for label in ("a", "b", "c"))
    theirs = api.post("/v1/keys", json={"label": "theirs"}, headers=stranger).json()
    assert api.post(f"/v1/keys/{second['id']}/revoke").json() == {"revoked": [second["id"]]}

    listed = api.get("/v1/keys").json()["keys"]

    assert [key["label"] for key in listed] == ["tests", "a", "c"]
    assert listed[1].keys() == {
        *("id", "label", "scopes", "requests_per_second"),
        *("test", "expires_at", "created_at", "last_used_at"),
    }
    assert [key["id"] for key in listed[1:]] == [first["id"], third["id"]]
    assert theirs["id"] not in [key["id"] for key in listed]


def test_revoked_key_opens_nothing_from_the_next_request_on(api: TestClient) -> None:
    new = made(api)
    assert api.get("/v1/evaluations", headers=bearer(new["key"])).status_code == 200

    assert api.post(f"/v1/keys/{new['id']}/revoke").json() == {"revoked": [new["id"]]}

    assert api.get("/v1/evaluations", headers=bearer(new["key"])).status_code == 401
    assert api.post(f"/v1/keys/{new['id']}/revoke").json() == {"revoked": []}


def expire(db: Engine, key: str) -> None:
    """Lets the time of a key be over."""
    with db.begin() as connection:
        sql = "UPDATE keys SET expires_at = now() - interval '1 second' WHERE id = :id"
        connection.execute(text(sql), {"id": key.split("_")[1]})


def test_a_key_opens_until_it_expires_and_then_says_so(api: TestClient, db: Engine) -> None:
    new = made(api, expires_in_seconds=3_600)
    left = datetime.fromisoformat(new["expires_at"]) - datetime.now(UTC)
    assert timedelta(minutes=59) < left <= timedelta(hours=1)
    assert api.get("/v1/evaluations", headers=bearer(new["key"])).status_code == 200

    expire(db, new["key"])

    refused = api.get("/v1/evaluations", headers=bearer(new["key"]))
    assert (refused.status_code, refused.json()["type"]) == (401, "/problems/key_expired")
    assert refused.headers["www-authenticate"] == 'Bearer realm="ace"'
    assert "expired" in refused.json()["detail"]
    (listed,) = [one for one in api.get("/v1/keys").json()["keys"] if one["id"] == new["id"]]
    assert datetime.fromisoformat(listed["expires_at"]) < datetime.now(UTC)


def test_nobody_learns_of_a_key_that_is_not_theirs_that_it_expired(api: TestClient, db: Engine) -> None:
    new = made(api, expires_in_seconds=60)
    expire(db, new["key"])
    guessed = f"ace_{new['id']}_{'0' * 64}"
    refused = api.get("/v1/evaluations", headers=bearer(guessed))
    assert refused.json()["type"] == "/problems/unauthorised"


@pytest.mark.parametrize("seconds", [0, 59, 1.5, "3600", 10 * 366 * 86_400 + 1])
def test_a_lifetime_has_its_limits(api: TestClient, seconds: Any) -> None:
    answer = api.post("/v1/keys", json={"label": "x", "expires_in_seconds": seconds})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/expires_in_seconds"


def last_used(api: TestClient, id_: str) -> str | None:
    return next(one["last_used_at"] for one in api.get("/v1/keys").json()["keys"] if one["id"] == id_)


def test_the_last_use_is_noted_once_a_minute(
    api: TestClient, app: FastAPI, db: Engine, api_db: Engine
) -> None:
    now = [0.0]
    app.state.parts.key_uses._clock = lambda: now[0]
    new = made(api, scopes=["read"])
    assert last_used(api, new["id"]) is None

    def use_at(seconds: float) -> str | None:
        now[0] = seconds
        assert api.get("/v1/evaluations", headers=bearer(new["key"])).status_code == 200
        app.state.parts.key_uses.flush()
        return last_used(api, new["id"])

    assert use_at(0) is not None
    with db.begin() as connection:
        connection.execute(text("UPDATE keys SET last_used_at = '2026-01-01Z'"))
    of_old = last_used(api, new["id"])
    assert use_at(59.9) == of_old
    assert use_at(60) != of_old

    # Another process has noted it already: the row is left alone.
    first = last_used(api, new["id"])
    other = KeyUses(api_db)
    other.note(Tenant("office", new["id"], frozenset(), None))
    other.close()
    assert last_used(api, new["id"]) == first


def test_a_use_that_cannot_be_noted_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    away = connect_engine("postgresql://nobody@127.0.0.1:1/none", name="tests")
    uses = KeyUses(away)
    uses.note(Tenant("office", "0123456789ab", frozenset(), None))
    uses.close()
    away.dispose()
    assert [record.message for record in caplog.records] == ["the use of a key was not noted"]


def test_a_refused_request_is_no_use(api: TestClient, app: FastAPI) -> None:
    new = made(api, scopes=["read"])
    assert api.get("/v1/keys", headers=bearer(new["key"])).status_code == 403
    app.state.parts.key_uses.flush()
    assert last_used(api, new["id"]) is None


def test_no_key_revokes_itself(api: TestClient, key: str) -> None:
    answer = api.post(f"/v1/keys/{key.split('_')[1]}/revoke")
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/own_key")

    other = made(api, scopes=["admin"])
    assert api.post(f"/v1/keys/{key.split('_')[1]}/revoke", headers=bearer(other["key"])).status_code == 200
    assert api.get("/v1/keys").status_code == 401


@pytest.mark.parametrize("id_", ["0123456789ab", "nothing", "%00", "' OR 1=1 --", "0" * 5_000])
def test_unknown_key_is_404(api: TestClient, id_: str) -> None:
    answer = api.post(f"/v1/keys/{id_}/revoke")
    assert (answer.status_code, answer.json()["type"]) == (404, "/problems/not_found")


def test_key_of_another_tenant_is_not_there(api: TestClient, stranger: dict[str, str]) -> None:
    theirs = api.post("/v1/keys", json={"label": "theirs"}, headers=stranger).json()
    answer = api.post(f"/v1/keys/{theirs['id']}/revoke")
    assert answer.status_code == 404
    assert api.get("/v1/evaluations", headers=bearer(theirs["key"])).status_code == 200


@pytest.mark.parametrize(
    ("wanted", "given"), [(None, None), (2.5, 2.5), (0.001, 0.001), (500, 500), (10_000, 500)]
)
def test_rate_of_a_key_is_held_to_the_usual_one(api: TestClient, wanted: Any, given: Any) -> None:
    new = made(api, requests_per_second=wanted)
    assert new["requests_per_second"] == given
    (listed,) = [key for key in api.get("/v1/keys").json()["keys"] if key["id"] == new["id"]]
    assert listed["requests_per_second"] == given


def test_bad_key_is_refused_and_not_made(api: TestClient, db: Engine) -> None:
    before = kept(db)
    answer = api.post("/v1/keys", json={"label": "x", "scopes": ["root"], "tenant": "stranger"})
    assert answer.status_code == 422
    assert {error["pointer"] for error in answer.json()["errors"]} == {"/scopes/0", "/tenant"}
    assert kept(db) == before


def test_keys_in_force_have_a_bound(api: TestClient, db: Engine, new_key: Callable[..., str]) -> None:
    for _ in range(MAX_KEYS - 1):
        new_key("office")
    expire(db, new_key("office"))  # one that expired takes no room
    answer = api.post("/v1/keys", json={"label": "one more"})
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/too_many_keys")

    oldest = api.get("/v1/keys").json()["keys"][1]["id"]
    api.post(f"/v1/keys/{oldest}/revoke")
    assert api.post("/v1/keys", json={"label": "one more"}).status_code == 201


def test_allow_names_every_method_of_a_path(api: TestClient) -> None:
    answer = api.request("PUT", "/v1/keys")
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


# Row security, the second lock


def test_the_apis_role_finds_no_key_but_the_one_that_is_named(
    api_db: Engine, new_key: Callable[..., str], db: Engine
) -> None:
    one, other = new_key("office"), new_key("office")
    lookups = api_db.execution_options(isolation_level="AUTOCOMMIT")

    for key in (one, other, one):
        found = transact(lookups, lambda connection, key=key: keys.in_force(connection, key.split("_")[1]))
        assert found is not None
        assert found.hash == keys.digest(key)
    assert transact(lookups, keys.list_all) == []  # the name was forgotten with its statement
    assert transact(lookups, lambda connection: keys.in_force(connection, "0" * 12)) is None
