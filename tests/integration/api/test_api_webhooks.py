"""Webhooks over HTTP: making, changing and deleting them, their secrets, and what was delivered."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from standardwebhooks import Webhook

from ace.api.webhooks import MAX_WEBHOOKS
from ace.settings import Settings
from ace.store import moves
from ace.store.database import transact
from ace.types.notices import NoticeKind
from tests import factories
from tests.integration.api.conftest import MAX_BODY_BYTES
from tests.integration.flow.test_delivering import AT_ONCE, drain
from tests.receivers import Reply, receiving

URL = "https://docketing.example/ace"
FILING = {"docket": "P-1", "claims": "1. A bracket.\n2. The bracket of claim 1, being flat."}


@pytest.fixture
def settings() -> Settings:
    return Settings(
        _env_file=None,
        secret=factories.MASTER.decode(),
        max_body_bytes=MAX_BODY_BYTES,
        webhook_http=True,
        webhook_networks="127.0.0.0/8",
    )


def made(api: TestClient, url: str = URL, **wanted: Any) -> dict[str, Any]:
    answer = api.post("/v1/webhooks", json={"url": url, **wanted})
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return dict(answer.json())


def deliveries(api: TestClient, id_: str, **query: Any) -> list[dict[str, Any]]:
    answer = api.get(f"/v1/webhooks/{id_}/deliveries", params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["deliveries"])


def test_the_secret_of_a_new_webhook_is_shown_once(api: TestClient) -> None:
    new = made(api, description="docketing")
    secret = new.pop("secret")

    assert secret.startswith("whsec_")
    assert api.get(f"/v1/webhooks/{new['id']}").json() == new
    assert api.get("/v1/webhooks").json() == {"webhooks": [new]}
    assert (new["events"], new["enabled"], new["secrets"]) == (list(NoticeKind), True, [{"until": None}])


def test_no_secret_is_stored(api: TestClient, db: Engine) -> None:
    secret = made(api)["secret"].removeprefix("whsec_")
    with db.connect() as connection:
        rows = connection.execute(text("SELECT s::text, w::text FROM webhook_secrets s, webhooks w")).all()
    assert secret not in str(rows)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"url": "ftp://example.org/"}, "url_refused"),
        ({"url": "https://10.0.0.1/"}, "url_refused"),
        ({"url": "https://[::ffff:169.254.169.254]/"}, "url_refused"),
        ({"url": "https://user:pass@example.org/"}, "url_refused"),
        ({"url": ""}, "invalid_input"),
        ({"url": f"https://example.org/{'a' * 2_048}"}, "invalid_input"),
        ({"url": URL, "events": []}, "invalid_input"),
        ({"url": URL, "events": ["evaluation.moved"]}, "invalid_input"),
        ({"url": URL, "events": ["filing.settled", "filing.settled"]}, "invalid_input"),
        ({"url": URL, "tenant": "stranger"}, "invalid_input"),
        ({}, "invalid_input"),
    ],
)
def test_what_no_webhook_can_be_is_refused(api: TestClient, body: dict[str, Any], kind: str) -> None:
    answer = api.post("/v1/webhooks", json=body)
    assert answer.json()["type"] == f"/problems/{kind}", answer.text
    assert api.get("/v1/webhooks").json() == {"webhooks": []}


def test_there_are_so_many_and_no_more(api: TestClient) -> None:
    for _ in range(MAX_WEBHOOKS):
        last = made(api)
    assert api.post("/v1/webhooks", json={"url": URL}).json()["type"] == "/problems/too_many_webhooks"
    assert api.delete(f"/v1/webhooks/{last['id']}").status_code == 204
    made(api)


def test_a_change_leaves_what_it_does_not_name(api: TestClient) -> None:
    id_ = made(api, description="docketing")["id"]

    changed = api.patch(f"/v1/webhooks/{id_}", json={"events": ["filing.settled"]}).json()
    assert (changed["events"], changed["url"], changed["description"]) == (
        ["filing.settled"],
        URL,
        "docketing",
    )
    changed = api.patch(f"/v1/webhooks/{id_}", json={"url": f"{URL}/2", "enabled": False}).json()
    assert (changed["url"], changed["enabled"], changed["disabled_by"]) == (f"{URL}/2", False, "owner")
    changed = api.patch(f"/v1/webhooks/{id_}", json={"enabled": True}).json()
    assert (changed["enabled"], changed["disabled_at"], changed["disabled_by"]) == (True, None, None)
    assert api.patch(f"/v1/webhooks/{id_}", json={}).status_code == 422
    assert (
        api.patch(f"/v1/webhooks/{id_}", json={"url": "https://127.0.0.1.example@10.0.0.1/"}).status_code
        == 422
    )


def test_a_deleted_webhook_is_gone(api: TestClient, work: Any) -> None:
    with receiving() as receiver:
        id_ = made(api, receiver.url)["id"]
        api.post("/v1/filings", json=FILING)
        work.decide()
        transact(work.db, moves.number_notices)
        assert api.delete(f"/v1/webhooks/{id_}").status_code == 204
        drain(work.db)
    assert receiver.came == []
    assert api.get(f"/v1/webhooks/{id_}").status_code == 404
    assert api.delete(f"/v1/webhooks/{id_}").status_code == 404
    assert api.get("/v1/webhooks").json() == {"webhooks": []}


def test_a_rotated_secret_signs_beside_the_old_one_for_a_day(api: TestClient, work: Any, db: Engine) -> None:
    with receiving() as receiver:
        webhook = made(api, receiver.url, events=["filing.settled"])
        path = f"/v1/webhooks/{webhook['id']}/secrets"
        rotated = api.post(path).json()
        api.post("/v1/filings", json=FILING)
        work.decide()
        drain(db)
        with db.begin() as connection:
            connection.execute(text("UPDATE webhook_secrets SET until = now() WHERE until IS NOT NULL"))
        api.post("/v1/filings", json=FILING)
        work.decide()
        drain(db)

    old, new = (Webhook(one["secret"]) for one in (webhook, rotated))
    both, alone = receiver.came
    for key in (old, new):
        key.verify(both.body, both.headers)
    new.verify(alone.body, alone.headers)
    assert len(alone.headers["webhook-signature"].split(" ")) == 1
    assert [one["until"] is None for one in rotated["secrets"]] == [False, True]


def test_attempts_are_seen_and_failures_are_replayed(api: TestClient, work: Any, db: Engine) -> None:
    with receiving(lambda _: Reply(500)) as receiver:
        id_ = made(api, receiver.url)["id"]
        api.post("/v1/filings", json=FILING)
        work.decide()
        drain(db, schedule=AT_ONCE[:1])
        failed = deliveries(api, id_, state="failed")
        assert [len(one["attempts"]) for one in failed] == [2, 2, 2]
        assert failed[0]["attempts"][0]["status"] == 500
        assert deliveries(api, id_, state="delivered") == []
        health = api.get(f"/v1/webhooks/{id_}").json()
        assert (health["enabled"], health["failing_since"] is None) == (True, False)

        receiver.reply = lambda _: Reply(204)
        receiver.came.clear()
        one = f"/v1/webhooks/{id_}/deliveries/{failed[0]['event']}/replay"
        assert [api.post(one).json() for _ in range(2)] == [{"replayed": 1}, {"replayed": 0}]
        rest = f"/v1/webhooks/{id_}/replays"
        assert api.post(rest, json={"since": "2999-01-01T00:00:00Z"}).json() == {"replayed": 0}
        assert api.post(rest, json={"since": "2020-01-01T00:00:00Z", "limit": 1}).json() == {"replayed": 1}
        assert api.post(rest, json={"since": "2020-01-01T00:00:00Z"}).json() == {"replayed": 1}
        drain(db)
    assert {sent.id for sent in receiver.came} == {one["event"] for one in failed}
    assert deliveries(api, id_, state="failed") == []


def test_disabling_fails_what_waits_and_enabling_begins_anew(api: TestClient, work: Any, db: Engine) -> None:
    with receiving() as receiver:
        id_ = made(api, receiver.url)["id"]
        api.post("/v1/filings", json=FILING)
        work.decide()
        transact(db, moves.number_notices)
        api.patch(f"/v1/webhooks/{id_}", json={"enabled": False})
        assert [one["state"] for one in deliveries(api, id_)] == ["failed"] * 3
        api.post("/v1/filings", json=FILING)
        work.decide()
        drain(db)
        api.patch(f"/v1/webhooks/{id_}", json={"enabled": True})
        drain(db)
        assert receiver.came == []
        api.post(f"/v1/webhooks/{id_}/replays", json={"since": "2020-01-01T00:00:00Z"})
        drain(db)
    assert len(receiver.came) == 3


def test_deliveries_have_pages(api: TestClient, work: Any, db: Engine) -> None:
    id_ = made(api)["id"]
    api.post("/v1/filings", json=FILING)
    work.decide()
    transact(db, moves.number_notices)
    everything = [one["event"] for one in deliveries(api, id_)]
    path, found, cursor = f"/v1/webhooks/{id_}/deliveries", [], None
    while True:
        page = api.get(path, params={"limit": 1, **({"cursor": cursor} if cursor else {})}).json()
        found += [one["event"] for one in page["deliveries"]]
        if (cursor := page["next"]) is None:
            break
    assert found == everything == sorted(everything, reverse=True)
    assert api.get(path, params={"cursor": "A" * 43}).json()["type"] == "/problems/bad_cursor"


def test_nothing_is_sent_where_the_secret_of_the_service_has_changed(
    api: TestClient, work: Any, db: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving() as receiver:
        id_ = made(api, receiver.url, events=["filing.settled"])["id"]
        with db.begin() as connection:
            connection.execute(text("UPDATE webhook_secrets SET fingerprint = 'of another'"))
        api.post("/v1/filings", json=FILING)
        work.decide()
        drain(db, schedule=())
        assert receiver.came == []
        assert deliveries(api, id_)[0]["attempts"][0]["fault"] == "no_secret"
        assert "rotate the secret" in str([record.__dict__ for record in caplog.records])


def test_nothing_of_claims_or_secrets_is_logged(
    api: TestClient, work: Any, db: Engine, caplog: pytest.LogCaptureFixture, new_key: Callable[..., str]
) -> None:
    caplog.set_level("DEBUG", logger="ace")
    with receiving(lambda _: Reply(410)) as receiver:
        webhook = made(api, f"{receiver.url}?token=zyzzyva")
        api.post("/v1/filings", json={"docket": "P", "claims": "1. A zyzzyva."})
        work.decide()
        drain(db)
    logged = json.dumps([str(record.__dict__) for record in caplog.records])
    assert "a webhook was disabled" in logged
    assert "zyzzyva" not in logged
    assert webhook["secret"] not in logged
