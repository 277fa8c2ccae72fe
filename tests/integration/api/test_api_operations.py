"""Health, readiness, metrics and what happens when a part is away."""

import json
import re
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.api.app import create_app
from ace.api.openapi import PROBLEM_TYPES
from ace.api.problem_types import TYPES, ProblemType
from ace.api.problems import problem
from ace.api.schemas import BulkResult
from ace.bounded import Bounded
from ace.claims.model import ClaimInput
from ace.expert.prompt.rationale import Rationale
from ace.expert.prompt.verification import verify
from ace.metrics import API, SHOWN_BY
from ace.settings import Settings
from ace.store import keys
from ace.store.database import connect_engine
from ace.types.rationale import StatedDefect
from tests.files import DOCX, MAKERS, docx
from tests.problems import registered

AWAY = "postgresql://nobody@127.0.0.1:1/nothing"


@pytest.fixture
def without_database(settings: Settings, rules: Bounded) -> Any:
    db = connect_engine(AWAY, name="tests")
    yield TestClient(registered(create_app(settings, db, db, rules)))
    db.dispose()


def broken_ping() -> None:
    raise ConnectionError("no broker")


def lines(client: TestClient) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    shown = [line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in shown}


def test_alive(anonymous: TestClient, without_database: TestClient) -> None:
    assert anonymous.get("/healthz").json() == {"status": "ok"}
    assert without_database.get("/healthz").status_code == 200


def test_ready_when_all_is_there(
    settings: Settings, api_db: Engine, watch_db: Engine, rules: Bounded
) -> None:
    answer = TestClient(registered(create_app(settings, api_db, watch_db, rules, ping=lambda: None))).get(
        "/readyz"
    )
    assert answer.json() == {"status": "ok", "parts": dict.fromkeys(("postgres", "schema", "broker"), "ok")}


def test_not_ready_names_the_broker_while_submissions_go_on(
    settings: Settings, api_db: Engine, watch_db: Engine, rules: Bounded, key: str
) -> None:
    api = TestClient(registered(create_app(settings, api_db, watch_db, rules, ping=broken_ping)))
    answer = api.get("/readyz")
    assert (answer.status_code, answer.json()["missing"]) == (503, ["broker"])
    assert answer.headers["retry-after"].isdecimal()
    filed = api.post(
        "/v1/filings",
        json={"docket": "P", "claims": "A bracket."},
        headers={"Authorization": f"Bearer {key}"},
    )
    assert filed.status_code == 202


def test_not_ready_names_the_schema(anonymous: TestClient, db: Engine) -> None:
    with db.begin() as connection:
        (version,) = connection.execute(
            text(
                "UPDATE alembic_version SET version_num = 'old' RETURNING"
                " (SELECT version_num FROM alembic_version)"
            )
        ).one()
    try:
        answer = anonymous.get("/readyz")
    finally:
        with db.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :v"), {"v": version})
    assert (answer.status_code, answer.json()["missing"]) == (503, ["schema"])
    assert anonymous.get("/readyz").status_code == 200


def test_without_database_everything_that_needs_it_is_503(without_database: TestClient) -> None:
    api = without_database
    assert api.get("/readyz").json()["missing"] == ["postgres"]
    api.headers["Authorization"] = "Bearer ace_000000000000_" + "0" * 64
    for method, path in [
        ("POST", "/v1/filings"),
        ("POST", "/v1/filings/bulk"),
        ("GET", "/v1/evaluations"),
        ("POST", "/v1/replays"),
    ]:
        answer = api.request(method, path)
        assert answer.status_code == 503
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["retry-after"].isdecimal()
        assert "postgres" in answer.json()["detail"]


def test_metrics_count_requests_by_template(api: TestClient) -> None:
    api.get("/v1/filings/01a1fb7f-0da3-7014-8f64-d20e21e5c542")
    api.get("/v1/filings/secret-path")
    api.get("/nothing/here")
    api.request("BREW", "/v1/filings")
    api.get("/openapi.json")
    shown = lines(api)
    assert shown['ace_http_requests_total{method="GET",route="/v1/filings/{id}",status="404"}'] == 1
    assert shown['ace_http_requests_total{method="GET",route="unmatched",status="404"}'] == 2
    assert shown['ace_http_requests_total{method="other",route="/v1/filings",status="405"}'] == 1
    assert shown['ace_http_requests_total{method="GET",route="/openapi.json",status="200"}'] == 1
    assert "secret-path" not in json.dumps(list(shown))


def test_metrics_agree_with_the_database(api: TestClient, work: Any) -> None:
    api.post("/v1/filings", json={"docket": "P", "claims": "1. A bracket.\n2. A hook."})
    work.decide()
    api.post("/v1/filings", json={"docket": "P", "claims": "A marker zyzzyva."})
    shown = lines(api)
    assert shown['ace_evaluations{decided_by="gatekeeper",state="decided"}'] == 2
    assert shown['ace_evaluations{decided_by="",state="queued"}'] == 1
    assert shown['ace_leases{phase="waiting",stage="fast"}'] == 0
    assert shown['ace_oldest_due_seconds{stage="fast"}'] > 0
    assert shown['ace_oldest_due_seconds{stage="slow"}'] == 0
    assert shown["ace_database_up"] == 1
    assert "zyzzyva" not in api.get("/metrics").text


def test_disputes_are_counted_by_kind_and_say_no_word_of_the_claim(api: TestClient, work: Any) -> None:
    api.post("/v1/filings", json={"docket": "P", "claims": "1. A zyzzyva.\n2. A hook."})
    work.escalate()
    unproved = Rationale(reasoning="zyzzyva", verdict="Fail", findings=(StatedDefect(None, "the zyzzyva"),))
    work.examine(verdict="Fail", verified=verify(unproved, ClaimInput(1, "A hook.")))
    shown = lines(api)
    assert shown['ace_expert_disputes_total{kind="unproved"}'] == 2
    assert shown['ace_expert_disputes_total{kind="contradicted"}'] == 0
    assert "zyzzyva" not in api.get("/metrics").text


def test_metrics_without_database_tell_what_they_have(without_database: TestClient) -> None:
    without_database.get("/healthz")
    shown = lines(without_database)
    assert shown["ace_database_up"] == 0
    assert shown['ace_http_requests_total{method="GET",route="/healthz",status="200"}'] == 1


def test_every_metric_is_in_the_table(api: TestClient) -> None:
    api.get("/healthz")
    api.post("/v1/filings", json={"docket": "P", "claims": "A bracket."})
    families = {
        line.split()[2].removesuffix("_total").removesuffix("_created")
        for line in api.get("/metrics").text.splitlines()
        if line.startswith("# TYPE")
    }
    assert families == {metric.name for metric in SHOWN_BY[API]}


# The OpenAPI document and the types of problem


@pytest.mark.parametrize("kind", TYPES.values(), ids=lambda kind: kind.slug)
def test_the_type_of_a_problem_leads_to_its_description(anonymous: TestClient, kind: ProblemType) -> None:
    told = anonymous.get(problem(kind.slug, "words")["type"]).json()
    assert (told["type"], told["status"], told["title"]) == (kind.uri, kind.status, kind.title)
    assert (told["meaning"], told["remedy"]) == (kind.meaning, kind.remedy)


def test_a_type_that_does_not_exist_is_404(anonymous: TestClient) -> None:
    assert anonymous.get("/problems/bad_request").json()["type"] == "/problems/not_found"


def test_the_document_names_every_type_and_no_other(app: FastAPI) -> None:
    named = set(re.findall(r"/problems/(\w+)", json.dumps(app.openapi())))
    unrouted = {"method_not_allowed", "internal_error"}  # of no operation
    of_lines = {"line_too_long"}  # of an upload, whose answer is text to the document
    assert named == TYPES.keys() - unrouted - of_lines


def operations(app: FastAPI) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, item in app.openapi()["paths"].items()
        for method, operation in item.items()
    ]


def test_every_route_is_described(app: FastAPI) -> None:
    told = operations(app)
    assert len(told) == 58
    ids = [operation["operationId"] for _, operation in told]
    assert len(set(ids)) == len(ids)
    for route, operation in told:
        assert operation["summary"], route
        for status, answer in operation["responses"].items():
            if status in {"204", "304"}:
                continue
            if "$ref" in answer:
                assert answer["$ref"] == f"#/components/responses/Problem{status}", (route, status)
                answer = app.openapi()["components"]["responses"][f"Problem{status}"]
                assert operation[PROBLEM_TYPES][status], (route, status)
            content, *others = (one for media, one in answer["content"].items() if media != DOCX)
            assert all("example" in other for other in others), (route, status)
            schema = content["schema"].get("$ref", "").rsplit("/", 1)[-1]
            model = app.openapi()["components"]["schemas"].get(schema, {})
            assert "example" in content or "examples" in model, (route, status)
            if int(status) >= 400:
                assert schema == "Problem", (route, status)
        if route.split()[1].startswith("/v1"):
            ((scheme, scopes),) = operation["security"][0].items()
            assert (scheme, len(operation["security"]), len(scopes)) == ("key", 1, 1), route
            assert set(scopes) <= set(keys.Scope), route
            assert {"401", "403", "429", "503"} <= operation["responses"].keys(), route


def test_each_header_is_spelt_one_way(app: FastAPI) -> None:
    document = app.openapi()
    answers = [*document["components"]["responses"].values()]
    spelt = set()
    for _, operation in operations(app):
        spelt |= {one["name"] for one in operation.get("parameters", ()) if one["in"] == "header"}
        answers += operation["responses"].values()
    spelt |= {name for answer in answers for name in answer.get("headers", ())}
    assert {"If-None-Match", "Prefer", "Last-Event-ID", "Idempotency-Key", "ETag", "Retry-After"} <= spelt
    assert len({name.lower() for name in spelt}) == len(spelt)
    assert not [name for name in spelt if name == name.lower()]


def test_a_problem_is_described_once(app: FastAPI) -> None:
    document = app.openapi()
    described = json.dumps(document["paths"])
    assert "application/problem+json" not in described
    assert document["components"]["responses"]["Problem422"]["content"]["application/problem+json"][
        "schema"
    ] == {"$ref": "#/components/schemas/Problem"}
    for route, operation in operations(app):
        errors = {status for status in operation["responses"] if status >= "400"}
        assert errors == operation[PROBLEM_TYPES].keys(), route


def test_an_upload_says_what_its_lines_are(app: FastAPI) -> None:
    operation = app.openapi()["paths"]["/v1/filings/bulk"]["post"]
    (lines,) = operation["requestBody"]["content"].values()
    (results,) = operation["responses"]["200"]["content"].values()
    found = [media["x-item-schema"]["$ref"].rpartition("/")[2] for media in (lines, results)]
    assert found == ["BulkLine", "BulkResult"]
    assert BulkResult.model_validate_json(results["example"].splitlines()[0]).status == 202


def test_references_of_the_document_lead_somewhere(app: FastAPI) -> None:
    document = app.openapi()
    names = document["components"]["schemas"].keys() | document["components"]["responses"].keys()

    def references(value: Any) -> Any:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for inner in value.values():
                yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    for reference in references(document):
        assert reference.rsplit("/", 1)[-1] in names
    assert "HTTPValidationError" not in names


def test_examples_of_the_document_are_accepted(app: FastAPI, api: TestClient, work: Any) -> None:
    claims = "1. A bracket, comprising a plate and the bracket that holds it."
    filed = api.post("/v1/filings", json={"docket": "P", "claims": claims}).json()
    work.decide()
    webhook = api.post("/v1/webhooks", json={"url": "https://example.org/"}).json()["id"]
    for route, operation in operations(app):
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            example = docx("A bracket.") if media == DOCX else content["example"]
            if route == "POST /v1/reviews":
                example = {**example, "evaluation": filed["evaluations"][0]["id"]}
            sent = json.dumps(example) if isinstance(example, dict) else example
            method, path = route.replace("{id}", webhook).split()
            beside = {"docket": "P"} if media in MAKERS and path == "/v1/filings" else {}
            answer = api.request(method, path, content=sent, params=beside, headers={"Content-Type": media})
            nobodys = "{id}" in route and "webhooks" not in route
            good = {404} if nobodys else {200, 201, 202}
            if route == "POST /v1/models/rollback":
                good = {409}  # nothing was promoted
            assert answer.status_code in good, (route, answer.text)
            if media == "application/x-ndjson":
                assert answer.json()["status"] == 202
