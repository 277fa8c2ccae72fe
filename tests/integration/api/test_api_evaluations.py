"""Looking at evaluations, listing them, and running failed ones again over HTTP."""

from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.api.app import create_app
from ace.bounded import Bounded
from ace.settings import Settings
from ace.store import moves
from tests.problems import registered

NOBODY = str(UUID(int=1))


def filed(api: TestClient, docket: str = "P-1", claims: int = 2, **more: Any) -> list[str]:
    """Ids of the evaluations of a new filing."""
    body = {"docket": docket, "claims": [{"text": f"A bracket with {n} holes."} for n in range(claims)]}
    answer = api.post("/v1/filings", json=body, **more)
    return [one["id"] for one in answer.json()["evaluations"]]


# One evaluation


def test_queued_evaluation_has_no_verdict_yet(api: TestClient) -> None:
    (id_,) = filed(api, claims=1)
    found = api.get(f"/v1/evaluations/{id_}").json()
    assert (found["state"], found["verdict"], found["docket"], found["claim"]) == ("queued", None, "P-1", 1)
    assert found["due_at"] is not None


def test_gatekeepers_verdict_comes_with_what_explains_it(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.decide()
    found = api.get(f"/v1/evaluations/{id_}").json()
    assert (found["state"], found["verdict"], found["decided_by"]) == ("decided", "Pass", "gatekeeper")
    assert found["probabilities"].keys() == {
        *("pass", "antecedent", "dependency", "logical", "ambiguity", "syntax")
    }
    assert found["probabilities"]["pass"] == pytest.approx(0.9)
    assert (found["u"], found["tau"], found["model"]) == (0.325, 0.4, "test-model")
    assert (found["score"], found["doubt"], found["certain"]) == ("u", 0.325, 0.9)
    assert (found["disputed"], found["span"]) == (False, None)
    assert found["error_class"] is None  # of a Pass
    assert found["due_at"] is None
    assert found["rationale"] is None


def test_class_of_the_defect_is_told_on_a_fail(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.decide(fail=True)
    found = api.get(f"/v1/evaluations/{id_}").json()
    assert (found["verdict"], found["error_class"], found["ground"]) == ("Fail", "antecedent", "rejection")


def test_fails_are_listed_by_what_they_would_draw(api: TestClient, db: Engine, work: Any) -> None:
    # given a Fail of each ground, one of each class that was stored without a ground, and a Pass
    rejected, objected, old, old_form, unnamed, passed = filed(api, claims=6)
    work.decide(fail=True)
    stored = [
        (objected, "syntax", "objection"),
        (old, "logical", None),
        (old_form, "syntax", None),
        (unnamed, None, None),
    ]
    with db.begin() as connection:
        for id_, error_class, ground in stored:
            connection.execute(
                text("UPDATE evaluations SET error_class = :error_class, ground = :ground WHERE id = :id"),
                {"id": id_, "error_class": error_class, "ground": ground},
            )
        connection.execute(text("UPDATE evaluations SET verdict = 'Pass' WHERE id = :id"), {"id": passed})

    def listed(query: str) -> list[str]:
        return [one["id"] for one in api.get(f"/v1/evaluations?{query}").json()["evaluations"]]

    assert listed("ground=rejection") == [unnamed, old, rejected]
    assert listed("ground=objection") == listed("ground=objection&verdict=Fail") == [old_form, objected]
    assert listed("ground=objection&limit=1") == [old_form]
    assert listed("ground=objection&verdict=Pass") == listed("ground=rejection&state=failed") == []
    assert api.get("/v1/evaluations?ground=doubt").status_code == 422
    assert api.get(f"/v1/evaluations/{passed}").json()["ground"] is None
    filing = api.get(f"/v1/evaluations/{passed}").json()["filing"]
    grounds = [one["ground"] for one in api.get(f"/v1/filings/{filing}").json()["evaluations"]]
    assert grounds == ["rejection", "objection", "rejection", "objection", "rejection", None]


def test_a_dispute_of_the_gatekeepers_fail_says_what_it_is_about(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.decide(fail=True, span=(2, 9))
    found = api.get(f"/v1/evaluations/{id_}").json()
    assert (found["disputed"], found["span"]) == (True, {"start": 2, "end": 9})
    assert [one["id"] for one in api.get("/v1/evaluations?disputed=true").json()["evaluations"]] == [id_]


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_known_etag_is_304_until_something_moves(api: TestClient, work: Any, form: str) -> None:
    (id_,) = filed(api, claims=1)
    etag = api.get(f"/v1/evaluations/{id_}").headers["etag"]
    known = {"If-None-Match": form.format(etag)}

    same = api.get(f"/v1/evaluations/{id_}", headers=known)
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag)
    work.decide()
    if form != "*":
        moved = api.get(f"/v1/evaluations/{id_}", headers=known)
        assert (moved.status_code, moved.headers["etag"] == etag) == (200, False)


def test_events_tell_every_move(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.decide()
    events = api.get(f"/v1/evaluations/{id_}/events").json()["events"]
    assert [(e["number"], e["move"], e["before"], e["after"]) for e in events] == [
        (1, "submit", None, "queued"),
        (2, "dispatch", "queued", "screening"),
        (3, "decide", "screening", "decided"),
    ]
    assert events[0]["actor"].startswith("key:")


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("GET", "/events"), ("POST", "/replay")])
def test_what_is_another_tenants_is_not_there(
    api: TestClient, work: Any, stranger: dict[str, str], method: str, path: str
) -> None:
    (id_,) = filed(api, claims=1)
    work.fail()
    ours = api.request(method, f"/v1/evaluations/{id_}{path}")
    theirs = api.request(method, f"/v1/evaluations/{id_}{path}", headers=stranger)
    nobodys = api.request(method, f"/v1/evaluations/{NOBODY}{path}")
    malformed = api.request(method, f"/v1/evaluations/x{path}")
    assert ours.status_code == 200
    for answer in (theirs, nobodys, malformed):
        assert answer.status_code == 404
    unlike = {"instance"}
    assert {k: v for k, v in theirs.json().items() if k not in unlike} == {
        k: v for k, v in nobodys.json().items() if k not in unlike
    }


def test_filings_of_another_tenant_are_not_there(api: TestClient, stranger: dict[str, str]) -> None:
    answer = api.post("/v1/filings", json={"docket": "P", "claims": "A bracket."}).json()
    path = f"/v1/filings/{answer['filing']}"
    assert api.get(path, headers=stranger).status_code == 404
    assert api.post(f"{path}/cancel", headers=stranger).status_code == 404
    assert api.get(path).json()["states"] == {"queued": 1}
    assert api.get("/v1/evaluations", headers=stranger).json() == {"evaluations": [], "next": None}


# Lists


def all_pages(api: TestClient, **params: Any) -> list[list[str]]:
    pages = []
    while True:
        page = api.get("/v1/evaluations", params=params).json()
        pages.append([one["id"] for one in page["evaluations"]])
        if page["next"] is None:
            return pages
        params["cursor"] = page["next"]


def test_pages_are_newest_first_and_without_gap_or_repetition(api: TestClient) -> None:
    ids = [id_ for n in range(3) for id_ in filed(api, f"P-{n}", claims=3)]
    assert all_pages(api, limit=4) == [ids[:4:-1], ids[4:0:-1], ids[:1]]
    assert all_pages(api, limit=9) == [ids[::-1]]


def test_pages_stay_in_step_while_new_ones_come(api: TestClient) -> None:
    ids = filed(api, claims=4)
    first = api.get("/v1/evaluations", params={"limit": 2}).json()
    filed(api, claims=5)
    second = api.get("/v1/evaluations", params={"limit": 2, "cursor": first["next"]}).json()
    assert [one["id"] for one in second["evaluations"]] == ids[1::-1]


def test_filters_narrow_the_list(api: TestClient, work: Any) -> None:
    decided = filed(api, "P-1", claims=1)
    work.decide(fail=True)
    queued = filed(api, "P-2", claims=2)
    filing = api.get(f"/v1/evaluations/{decided[0]}").json()["filing"]
    for params, expected in [
        ({"state": "decided"}, decided),
        ({"state": "queued"}, queued[::-1]),
        ({"verdict": "Fail"}, decided),
        ({"verdict": "Pass"}, []),
        ({"docket": "P-2"}, queued[::-1]),
        ({"docket": "P-2", "state": "decided"}, []),
        ({"filing": filing}, decided),
        ({"filing": NOBODY}, []),
        ({"disputed": "true"}, []),
        ({"decided_by": "gatekeeper"}, decided),
        ({"decided_by": "expert"}, []),
        ({"error_class": "antecedent"}, decided),
        ({"error_class": "syntax", "state": "decided"}, []),
        ({"error": "timeout"}, []),
        ({"since": "2000-01-01T00:00:00Z"}, queued[::-1] + decided),
        ({"since": "2000-01-01T00:00:00Z", "until": "2001-01-01T00:00:00Z"}, []),
        ({"until": "2999-01-01T00:00:00Z", "verdict": "Fail"}, decided),
    ]:
        assert [id_ for page in all_pages(api, **params) for id_ in page] == expected, params


def test_cursor_is_good_for_its_tenant_and_filter_alone(
    api: TestClient,
    stranger: dict[str, str],
    settings: Settings,
    api_db: Engine,
    watch_db: Engine,
    rules: Bounded,
    key: str,
) -> None:
    filed(api, claims=3)
    cursor = api.get("/v1/evaluations", params={"limit": 1, "state": "queued"}).json()["next"]
    good = {"cursor": cursor, "state": "queued"}
    assert api.get("/v1/evaluations", params=good).status_code == 200
    assert api.get("/v1/evaluations", params={**good, "limit": 200}).status_code == 200

    changed = cursor[:-2] + ("A" if cursor[-2] != "A" else "B") + cursor[-1]
    other_secret = TestClient(
        registered(
            create_app(settings.model_copy(update={"secret": _secret("another")}), api_db, watch_db, rules)
        ),
        headers={"Authorization": f"Bearer {key}"},
    )
    refused = [
        api.get("/v1/evaluations", params={"cursor": cursor}),
        api.get("/v1/evaluations", params={**good, "docket": "P-1"}),
        api.get("/v1/evaluations", params={**good, "state": "decided"}),
        api.get("/v1/evaluations", params={**good, "cursor": changed}),
        api.get("/v1/evaluations", params=good, headers=stranger),
        other_secret.get("/v1/evaluations", params=good),
    ]
    for answer in refused:
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["parameter"] == "cursor"


def _secret(value: str) -> Any:
    return Settings(_env_file=None, secret=value).secret


# Replay


def test_replay_runs_a_failed_evaluation_again_and_only_once(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    assert api.post(f"/v1/evaluations/{id_}/replay").json() == {"replayed": []}
    work.fail("timeout")
    assert api.get(f"/v1/evaluations/{id_}").json()["error"] == "timeout"

    assert api.post(f"/v1/evaluations/{id_}/replay").json() == {"replayed": [id_]}
    assert api.post(f"/v1/evaluations/{id_}/replay").json() == {"replayed": []}
    assert api.get(f"/v1/evaluations/{id_}").json()["state"] == "escalated"
    last = api.get(f"/v1/evaluations/{id_}/events").json()["events"][-1]
    assert (last["move"], last["actor"][:4]) == ("replay", "key:")


def test_a_mistyped_error_is_refused_with_the_known_ones(api: TestClient) -> None:
    answer = api.post("/v1/replays", json={"filter": {"error": "timeuot"}})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["code"] == "unknown_error"
    assert {"timeout", "poison", "check_too_slow"} <= set(error["detail"].replace(",", "").split())


def test_a_filing_tells_why_its_evaluations_failed(api: TestClient, work: Any) -> None:
    filing = api.post("/v1/filings", json={"docket": "P", "claims": "A bracket."}).json()["filing"]
    assert [one["error"] for one in api.get(f"/v1/filings/{filing}").json()["evaluations"]] == [None]
    work.fail("timeout")
    assert [one["error"] for one in api.get(f"/v1/filings/{filing}").json()["evaluations"]] == ["timeout"]


def test_replays_take_what_the_filter_means(api: TestClient, work: Any, stranger: dict[str, str]) -> None:
    timeouts = filed(api, "P-1", claims=3)
    work.fail("timeout")
    schemas = filed(api, "P-2", claims=1)
    work.fail("schema")
    theirs = filed(api, "P-1", claims=1, headers=stranger)
    work.fail("timeout")

    def replayed(limit: int = 1000, **which: Any) -> list[str]:
        answer = api.post("/v1/replays", json={"filter": which, "limit": limit})
        assert answer.status_code == 200
        return list(answer.json()["replayed"])

    assert replayed(until="2000-01-01T00:00:00Z") == []
    assert replayed(docket="P-2", error="timeout") == []
    assert replayed(error="timeout", limit=2) == timeouts[:2]
    assert replayed(error="timeout", state="failed") == timeouts[2:]
    assert replayed(since="2000-01-01T00:00:00+01:00") == schemas
    assert replayed() == []
    assert api.get(f"/v1/evaluations/{theirs[0]}", headers=stranger).json()["state"] == "failed"


def test_revoked_key_opens_nothing_at_once(api: TestClient, db: Engine, key: str) -> None:
    from ace.store import keys
    from ace.store.database import transact

    assert api.get("/v1/evaluations").status_code == 200
    assert transact(db, lambda connection: keys.revoke(connection, key.split("_")[1]))
    assert api.get("/v1/evaluations").status_code == 401
    assert not transact(db, lambda connection: keys.revoke(connection, key.split("_")[1]))


# Waiting


def test_wait_without_news_ends_with_the_state_as_it_is(app: FastAPI, api: TestClient) -> None:
    (id_,) = filed(api, claims=1)
    with api:
        answer = api.get(f"/v1/evaluations/{id_}", headers={"Prefer": "wait=1"})
    assert (answer.status_code, answer.json()["state"]) == (200, "queued")
    assert answer.headers["preference-applied"] == "wait=1"


def test_settled_evaluation_is_not_waited_for(api: TestClient, work: Any) -> None:
    (id_,) = filed(api, claims=1)
    work.examine(moves.examined)  # nothing is due there yet
    work.fail()
    answer = api.get(f"/v1/evaluations/{id_}", headers={"Prefer": "respond-async, wait=60"})
    assert answer.json()["state"] == "failed"
