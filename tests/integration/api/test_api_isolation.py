"""No tenant sees or moves anything of another: every route is asked for another tenant's things.

The routes come from the OpenAPI document. One that is not in the tables below fails a test, so a
new route cannot be left out.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.store import moves, reviews, sessions, views
from ace.store.database import transact
from ace.store.scopes import Scope
from tests import factories

MARKER: Final = "zyzzyva"  # in every text that the other tenant gave or was given
THEM: Final = f"{MARKER} office"
CLAIM: Final = f"A {MARKER} comprising a plate."
KEY: Final = f"key-{MARKER}"
BODY: Final = {"docket": f"D-{MARKER}", "claims": [{"text": CLAIM}], "metadata": {MARKER: MARKER}}
JSON: Final = {"Content-Type": "application/json"}
NDJSON: Final = {"Content-Type": "application/x-ndjson"}
EMPTY_PAGE: Final = {"evaluations": [], "next": None}
NO_REVIEWS: Final = {"reviews": [], "next": None}
NO_FILINGS: Final = {"filings": [], "next": None}

# Findings as they were kept before there were analyses.
MODEL: Final = (
    "INSERT INTO models (id, tenant, digest, model, calibration, record, state, share, actor, reason)"
    " VALUES (gen_random_uuid(), :tenant, 'd', 'm', 'c', '{}', 'proposed', 100, 'a', 'r')"
)
EARLIER: Final = (
    "INSERT INTO findings (evaluation_id, jurisdiction, threshold, rules, found)"
    " SELECT id, 'US', 0.5, 'r', '[]' FROM evaluations"
)


@dataclass(frozen=True)
class Theirs:
    """What the other tenant has, one of each: decided with a rationale, failed, and still waiting."""

    key: str
    decided: dict[str, Any]  # a FilingAccepted, as the next two
    failed: dict[str, Any]
    queued: dict[str, Any]
    cursor: str
    etag: str
    pause: str
    job: str
    webhook: str
    event: str
    term: str

    @property
    def key_id(self) -> str:
        return self.key.split("_")[1]

    def one(self, filing: dict[str, Any]) -> str:
        """The id of its evaluation."""
        return str(filing["evaluations"][0]["id"])

    def traces(self) -> list[str]:
        """Words that nobody else may ever be shown."""
        ids = [
            id_ for one in (self.decided, self.failed, self.queued) for id_ in (one["filing"], self.one(one))
        ]
        ids += [self.pause, self.job, self.webhook, self.event, self.term]
        return [MARKER, self.key_id, self.key.split("_")[2], *ids, *(id_.replace("-", "") for id_ in ids)]


@dataclass(frozen=True)
class Ask:
    """A request with our key for their things, and what must come back.

    `answer` is the whole JSON body, or None where the status says it all.
    """

    path: str
    status: int
    answer: Any = None
    body: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


def lines(*values: Any) -> str:
    return "\n".join(json.dumps(value) for value in values)


def evaluations(theirs: Theirs, suffix: str = "", **headers: str) -> list[Ask]:
    """The same question about each of their evaluations."""
    ids = [theirs.one(filing) for filing in (theirs.decided, theirs.failed, theirs.queued)]
    return [Ask(f"/v1/evaluations/{id_}{suffix}", 404, headers=headers) for id_ in ids]


def order(path: str, status: int, **body: Any) -> Ask:
    """An order with a reason."""
    return Ask(path, status, body=json.dumps({**body, "reason": "because"}), headers=JSON)


def replays(**order: Any) -> Ask:
    return Ask("/v1/replays", 200, {"replayed": []}, json.dumps(order), JSON)


# (method, path of the OpenAPI document) -> what to ask there
ASKED: Final[dict[tuple[str, str], Callable[[Theirs], list[Ask]]]] = {
    ("POST", "/v1/filings"): lambda _: [
        # With another body than theirs it were a conflict, which would tell of their filing.
        Ask(
            "/v1/filings",
            202,
            body=json.dumps({**BODY, "docket": "ours"}),
            headers={**JSON, "Idempotency-Key": KEY},
        )
    ],
    ("POST", "/v1/filings/bulk"): lambda _: [
        Ask("/v1/filings/bulk", 200, body=lines({**BODY, "idempotency_key": KEY}), headers=NDJSON),
        Ask("/v1/filings/bulk", 200, body=lines(BODY), headers={**NDJSON, "Idempotency-Key": KEY}),
    ],
    ("POST", "/v1/check"): lambda _: [
        # It knows of no filing, so what it says of our claims is the same whatever theirs are.
        Ask("/v1/check", 200, body='{"claims":"A hook of claim 1.","graph":true}', headers=JSON),
        Ask("/v1/check", 200, body="1. A hook.", headers={"Content-Type": "text/plain"}),
    ],
    ("GET", "/v1/filings"): lambda theirs: [
        Ask("/v1/filings", 200, NO_FILINGS),
        Ask("/v1/filings?state=failed", 200, NO_FILINGS),
        Ask(f"/v1/filings?docket={BODY['docket']}", 200, NO_FILINGS),
        Ask(f"/v1/filings?limit=1&cursor={theirs.cursor}", 422),
    ],
    ("GET", "/v1/filings/{id}/claims"): lambda theirs: [
        Ask(f"/v1/filings/{filing['filing']}/claims", 404)
        for filing in (theirs.decided, theirs.failed, theirs.queued)
    ],
    ("GET", "/v1/filings/{id}/report"): lambda theirs: [
        Ask(f"/v1/filings/{filing['filing']}/report?format={one}", 404)
        for filing in (theirs.decided, theirs.failed, theirs.queued)
        for one in ("json", "docx", "svg")
    ],
    ("GET", "/v1/filings/{id}"): lambda theirs: [
        Ask(f"/v1/filings/{theirs.decided['filing']}", 404),
        Ask(f"/v1/filings/{theirs.queued['filing']}", 404, headers={"Prefer": "wait=60"}),
    ],
    ("POST", "/v1/filings/{id}/cancel"): lambda theirs: [
        Ask(f"/v1/filings/{filing['filing']}/cancel", 404)
        for filing in (theirs.decided, theirs.failed, theirs.queued)
    ],
    ("GET", "/v1/evaluations"): lambda theirs: [
        Ask("/v1/evaluations", 200, EMPTY_PAGE),
        Ask("/v1/evaluations?state=failed", 200, EMPTY_PAGE),
        Ask("/v1/evaluations?verdict=Pass", 200, EMPTY_PAGE),
        Ask(f"/v1/evaluations?docket={BODY['docket']}", 200, EMPTY_PAGE),
        Ask(f"/v1/evaluations?filing={theirs.decided['filing']}", 200, EMPTY_PAGE),
        Ask(f"/v1/evaluations?limit=1&cursor={theirs.cursor}", 422),
    ],
    ("GET", "/v1/evaluations/{id}"): lambda theirs: [
        *evaluations(theirs),
        *evaluations(theirs, Prefer="wait=60"),
        *evaluations(theirs, **{"If-None-Match": theirs.etag}),
        *evaluations(theirs, **{"If-None-Match": "*"}),
    ],
    ("GET", "/v1/evaluations/{id}/findings"): lambda theirs: evaluations(theirs, "/findings"),
    ("GET", "/v1/evaluations/{id}/events"): lambda theirs: evaluations(theirs, "/events"),
    ("POST", "/v1/evaluations/{id}/replay"): lambda theirs: evaluations(theirs, "/replay"),
    ("POST", "/v1/replays"): lambda _: [
        replays(filter={}),
        replays(filter={"docket": BODY["docket"]}),
        replays(filter={"error": "timeout", "until": "2999-01-01T00:00:00Z"}, limit=10_000),
    ],
    ("POST", "/v1/reviews"): lambda theirs: [
        Ask(
            "/v1/reviews",
            404,
            body=json.dumps({"evaluation": theirs.one(filing), "answer": "unsure", "status": status}),
            headers=JSON,
        )
        for filing in (theirs.decided, theirs.queued)
        for status in ("reviewed", "adjudicated")
    ],
    ("GET", "/v1/reviews"): lambda theirs: [
        Ask("/v1/reviews", 200, NO_REVIEWS),
        Ask(f"/v1/reviews?evaluation={theirs.one(theirs.decided)}", 200, NO_REVIEWS),
        Ask(f"/v1/reviews?limit=1&cursor={theirs.cursor}", 422),
    ],
    ("GET", "/v1/reviews/queue"): lambda _: [
        Ask(f"/v1/reviews/queue?kind={kind}", 200, {"queue": []})
        for kind in ("disputed", "doubtful", "audit", "differing")
    ],
    ("POST", "/v1/reviews/sample"): lambda _: [
        Ask(
            "/v1/reviews/sample",
            200,
            {"drawn": 0},
            json.dumps({"probability": 1, "since": "2020-01-01T00:00:00Z"}),
            JSON,
        )
    ],
    ("GET", "/v1/terms"): lambda _: [Ask("/v1/terms", 200, {"terms": [], "digest": ""})],
    ("POST", "/v1/terms"): lambda _: [
        # Theirs has an id already, which must not be the answer.
        Ask("/v1/terms", 201, body=json.dumps({"kind": "ignore", "term": MARKER}), headers=JSON)
    ],
    ("DELETE", "/v1/terms/{id}"): lambda theirs: [Ask(f"/v1/terms/{theirs.term}", 404)],
    ("GET", "/v1/pauses"): lambda _: [Ask("/v1/pauses", 200, {"pauses": []})],
    ("POST", "/v1/pauses"): lambda _: [
        order("/v1/pauses", 403, kind="tenant", name=THEM),
        order("/v1/pauses", 403, kind="stage", name="fast"),
        order("/v1/pauses", 403, kind="endpoint", name="expert"),
    ],
    ("POST", "/v1/pauses/{id}/resume"): lambda theirs: [order(f"/v1/pauses/{theirs.pause}/resume", 404)],
    ("GET", "/v1/jobs"): lambda _: [Ask("/v1/jobs", 200, {"jobs": []})],
    ("POST", "/v1/jobs"): lambda _: [order("/v1/jobs", 201, filter={})],
    ("POST", "/v1/jobs/count"): lambda _: [
        Ask("/v1/jobs/count", 200, {"matched": 0}, body='{"filter":{}}', headers=JSON),
    ],
    ("POST", "/v1/evaluations/reevaluate"): lambda _: [
        order("/v1/evaluations/reevaluate", 201, filter={}),
    ],
    ("POST", "/v1/evaluations/reevaluate/count"): lambda theirs: [
        Ask(
            "/v1/evaluations/reevaluate/count",
            200,
            {"matched": 0},
            json.dumps({"filter": {"filing": theirs.decided["filing"]}}),
            JSON,
        ),
    ],
    ("GET", "/v1/jobs/{id}"): lambda theirs: [Ask(f"/v1/jobs/{theirs.job}", 404)],
    ("POST", "/v1/jobs/{id}/cancel"): lambda theirs: [order(f"/v1/jobs/{theirs.job}/cancel", 404)],
    ("GET", "/v1/hints"): lambda theirs: [
        Ask("/v1/hints?seconds=0", 200),
        Ask(f"/v1/hints?seconds=1&filing={theirs.queued['filing']}", 200),
    ],
    ("GET", "/v1/acts"): lambda _: [Ask("/v1/acts", 200, {"acts": []})],
    ("GET", "/v1/workers"): lambda _: [Ask("/v1/workers", 403)],
    ("GET", "/v1/backlogs"): lambda _: [Ask("/v1/backlogs", 403)],
    ("GET", "/v1/models"): lambda _: [Ask("/v1/models", 403)],
    ("POST", "/v1/models/{id}/promote"): lambda theirs: [
        order(f"/v1/models/{theirs.job}/promote", 403, share=100)
    ],
    ("POST", "/v1/models/{id}/shadow"): lambda theirs: [
        order(f"/v1/models/{theirs.job}/shadow", 403, share=5)
    ],
    ("POST", "/v1/models/{id}/retire"): lambda theirs: [order(f"/v1/models/{theirs.job}/retire", 403)],
    ("POST", "/v1/models/rollback"): lambda _: [order("/v1/models/rollback", 403)],
    ("GET", "/v1/events"): lambda theirs: [
        Ask("/v1/events?start=latest", 200),
        Ask("/v1/events", 200),
        Ask(f"/v1/events?cursor={theirs.cursor}", 422),
        Ask("/v1/events", 422, headers={"Accept": "text/event-stream", "Last-Event-ID": theirs.cursor}),
    ],
    ("POST", "/v1/webhooks"): lambda _: [
        Ask("/v1/webhooks", 201, body='{"url":"https://example.org/"}', headers=JSON)
    ],
    ("GET", "/v1/webhooks"): lambda _: [Ask("/v1/webhooks", 200, {"webhooks": []})],
    ("GET", "/v1/webhooks/{id}"): lambda theirs: [Ask(f"/v1/webhooks/{theirs.webhook}", 404)],
    ("PATCH", "/v1/webhooks/{id}"): lambda theirs: [
        Ask(f"/v1/webhooks/{theirs.webhook}", 404, body='{"enabled":false}', headers=JSON)
    ],
    ("DELETE", "/v1/webhooks/{id}"): lambda theirs: [Ask(f"/v1/webhooks/{theirs.webhook}", 404)],
    ("POST", "/v1/webhooks/{id}/secrets"): lambda theirs: [
        Ask(f"/v1/webhooks/{theirs.webhook}/secrets", 404)
    ],
    ("GET", "/v1/webhooks/{id}/deliveries"): lambda theirs: [
        Ask(f"/v1/webhooks/{theirs.webhook}/deliveries", 404)
    ],
    ("POST", "/v1/webhooks/{id}/deliveries/{event}/replay"): lambda theirs: [
        Ask(f"/v1/webhooks/{theirs.webhook}/deliveries/{theirs.event}/replay", 404)
    ],
    ("POST", "/v1/webhooks/{id}/replays"): lambda theirs: [
        Ask(
            f"/v1/webhooks/{theirs.webhook}/replays",
            404,
            body='{"since":"2000-01-01T00:00:00Z"}',
            headers=JSON,
        )
    ],
    ("GET", "/v1/experts"): lambda _: [Ask("/v1/experts", 200, {"experts": []})],
    ("POST", "/v1/keys"): lambda _: [
        Ask("/v1/keys", 201, body='{"label":"ours"}', headers=JSON),
        Ask("/v1/keys", 422, body=json.dumps({"label": "ours", "tenant": THEM}), headers=JSON),
    ],
    ("GET", "/v1/keys"): lambda _: [Ask("/v1/keys", 200)],
    ("POST", "/v1/keys/{id}/revoke"): lambda theirs: [Ask(f"/v1/keys/{theirs.key_id}/revoke", 404)],
}
# What needs no key. `/openapi.json` describes the others and itself not.
DESCRIPTION: Final = ("GET", "/openapi.json")
PUBLIC: Final = {
    DESCRIPTION,
    *(("GET", path) for path in ("/healthz", "/readyz", "/metrics", "/problems/{slug}")),
}


@pytest.fixture
def theirs(anonymous: TestClient, app: FastAPI, new_key: Any, work: Any) -> Theirs:
    """Another tenant with work in all states, made through the API."""
    key = new_key(THEM, *Scope)
    anonymous.headers["Authorization"] = f"Bearer {key}"

    def filed(**headers: str) -> dict[str, Any]:
        answer = anonymous.post("/v1/filings", json=BODY, headers=headers)
        assert answer.status_code == 202
        return dict(answer.json())

    webhook = anonymous.post("/v1/webhooks", json={"url": f"https://{MARKER}.example/"}).json()["id"]
    decided = filed(**{"Idempotency-Key": KEY})
    work.escalate()
    work.examine(reasoning=f"a {MARKER} is introduced", raw=f"a {MARKER} is introduced")
    failed = filed()
    work.fail()
    transact(work.db, partial(moves.number_notices, limit=1))
    event = anonymous.get("/v1/events").json()["events"][0]["id"]
    queued = filed()
    with work.db.begin() as connection:
        connection.execute(text(EARLIER))
        connection.execute(text(MODEL), {"tenant": THEM})
        sessions.create(connection, THEM, key.split("_")[1])
        views.save(connection, THEM, key.split("_")[1], MARKER, MARKER, actor=MARKER)
        reviews.draw(connection, THEM, 1.0, since=datetime(2026, 1, 1, tzinfo=UTC), actor=MARKER)
        moves.compact_tallies(connection)
    said = {"evaluation": decided["evaluations"][0]["id"], "answer": "unsure", "reason": MARKER}
    assert anonymous.post("/v1/reviews", json=said).status_code == 201
    listed = {"kind": "ignore", "term": MARKER, "reason": MARKER}
    term = anonymous.post("/v1/terms", json=listed).json()["term"]
    why = {"reason": f"a {MARKER} is late"}
    pause = anonymous.post("/v1/pauses", json={"kind": "tenant", "name": THEM, **why}).json()["id"]
    job = anonymous.post("/v1/jobs", json={"filter": {}, **why}).json()["id"]
    page = anonymous.get("/v1/evaluations?limit=1").json()
    etag = anonymous.get(f"/v1/evaluations/{decided['evaluations'][0]['id']}").headers["etag"]
    app.state.parts.key_uses.flush()  # so that nothing of theirs changes later
    del anonymous.headers["Authorization"]
    return Theirs(key, decided, failed, queued, page["next"], etag, pause, job, webhook, event, term)


def rows(db: Engine, tenant: str) -> dict[str, list[str]]:
    """Every row of a tenant, as text."""
    with db.connect() as connection:
        return {
            table: list(
                connection.execute(
                    text(f"SELECT t::text FROM {table} t WHERE {condition} ORDER BY 1"), {"tenant": tenant}
                ).scalars()
            )
            for table, condition in factories.ROWS.items()
        }


@pytest.mark.parametrize(("method", "path"), sorted(ASKED))
def test_nothing_of_another_tenant_is_shown_or_moved(
    anonymous: TestClient, stranger: dict[str, str], db: Engine, theirs: Theirs, method: str, path: str
) -> None:
    before = rows(db, THEM)
    assert all(before.values())  # nothing is proved about a table without rows

    for ask in ASKED[method, path](theirs):
        answer = anonymous.request(method, ask.path, content=ask.body, headers={**stranger, **ask.headers})

        assert answer.status_code == ask.status, ask
        assert ask.answer is None or answer.json() == ask.answer
        told = f"{answer.text}\n{answer.headers}"
        assert [trace for trace in theirs.traces() if trace in told] == []

    assert rows(db, THEM) == before


def test_a_shared_idempotency_key_is_two_filings(
    anonymous: TestClient, stranger: dict[str, str], theirs: Theirs
) -> None:
    made = anonymous.post("/v1/filings", json=BODY, headers={**stranger, "Idempotency-Key": KEY})
    body = lines({**BODY, "idempotency_key": KEY})
    again = anonymous.post("/v1/filings/bulk", content=body, headers={**stranger, **NDJSON})

    ours = made.json()["filing"]
    assert made.status_code == 202
    assert again.json()["filing"] == ours != theirs.decided["filing"]


@pytest.mark.parametrize(("method", "path"), sorted(PUBLIC))
def test_what_is_public_tells_of_no_tenant(
    anonymous: TestClient, theirs: Theirs, method: str, path: str
) -> None:
    answer = anonymous.request(method, path.format(slug="not_found"))
    assert answer.status_code == 200
    told = f"{answer.text}\n{answer.headers}"
    assert [trace for trace in theirs.traces() if trace in told] == []


def test_every_route_is_in_a_table(app: FastAPI) -> None:
    """A new route fails here until it is asked above for what is another tenant's."""
    described = {
        (method.upper(), path) for path, item in app.openapi()["paths"].items() for method in item
    } | {DESCRIPTION}
    assert described == ASKED.keys() | PUBLIC


def test_every_route_that_is_not_public_wants_a_key_by_its_description(app: FastAPI) -> None:
    keyed = {
        (method.upper(), path)
        for path, item in app.openapi()["paths"].items()
        for method, operation in item.items()
        if operation.get("security")
    }
    assert keyed == ASKED.keys()
