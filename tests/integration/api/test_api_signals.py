"""What operators see of a request to the API: a span, an exemplar, a line of log; nothing that it holds."""

import json
import logging
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from sqlalchemy import Engine

from ace.api.app import create_app
from ace.bounded import Bounded
from ace.settings import Settings
from ace.telemetry import JsonLines
from tests.kept_spans import Kept, tracing_kept

WORD = "zirconquilt"
FILING = {"docket": WORD, "claims": f"1. A {WORD} comprising a plate."}
OPENMETRICS = {"accept": "application/openmetrics-text; version=1.0.0"}

kept = pytest.fixture(tracing_kept)


@pytest.fixture
def logging_api(settings: Settings, api_db: Engine, watch_db: Engine, rules: Bounded, key: str) -> TestClient:
    """A client of an API with an access log, made after tracing was turned on, if a test does that."""
    app: FastAPI = create_app(settings.model_copy(update={"access_log": True}), api_db, watch_db, rules)
    return TestClient(app, headers={"Authorization": f"Bearer {key}"}, raise_server_exceptions=False)


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What the API logs, as it would stand in the log."""

    class Written(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(self.format(record))

    found: list[str] = []
    handler, log = Written(), logging.getLogger("ace")
    handler.setFormatter(JsonLines())
    log.addHandler(handler)
    before = log.level
    log.setLevel("INFO")
    yield found
    log.setLevel(before)
    log.removeHandler(handler)


def test_a_request_s_span_and_line_say_where_it_went_and_nothing_more(
    kept: Kept, logging_api: TestClient, lines: list[str], key: str
) -> None:
    headers = {"X-Request-Id": "r-1", "tracestate": f"client={WORD}", "user-agent": WORD}
    for method, path, more in (
        ("POST", "/v1/filings", {"json": FILING}),
        ("GET", f"/v1/filings?docket={WORD}", {}),
        ("GET", f"/{WORD}", {}),
        ("POST", "/v1/filings", {"content": WORD}),
    ):
        logging_api.request(method, path, headers=headers, **more)

    told = [json.loads(line) for line in lines]
    assert [
        (line["method"], line["route"], line["status"]) for line in told if line["message"] == "request"
    ] == [
        ("POST", "/v1/filings", 202),
        ("GET", "/v1/filings", 200),
        ("GET", "unmatched", 404),
        ("POST", "/v1/filings", 415),
    ]
    assert {line["request_id"] for line in told} == {"r-1"}
    assert {line["key"] for line in told if line["route"] != "unmatched"} == {key.split("_")[1]}
    spans = kept.all()
    assert {f"{span.context.trace_id:032x}" for span in spans} == {line["trace_id"] for line in told}
    assert [span.name for span in spans] == [
        "file",
        "POST /v1/filings",
        "GET /v1/filings",
        "GET",
        "POST /v1/filings",
    ]
    everything = "".join(lines) + "".join(span.to_json() for span in spans)
    assert WORD not in everything
    assert key not in everything


def test_without_tracing_the_line_names_no_trace_and_nothing_is_kept(
    logging_api: TestClient, lines: list[str], db: Engine
) -> None:
    logging_api.post("/v1/filings", json=FILING, headers={"traceparent": f"00-{7:032x}-{7:016x}-01"})
    (line,) = [json.loads(one) for one in lines]
    assert "trace_id" not in line
    with db.connect() as connection:
        stored = connection.exec_driver_sql("SELECT request_id, traceparent FROM filings").one()
    assert tuple(stored) == (line["request_id"], None)


def test_no_line_is_logged_unless_it_is_wanted(api: TestClient, lines: list[str]) -> None:
    api.get("/v1/filings")
    assert lines == []


def test_figures_come_as_openmetrics_too_and_then_with_traces(kept: Kept, logging_api: TestClient) -> None:
    logging_api.post("/v1/filings", json=FILING)
    plain = logging_api.get("/metrics")
    shown = logging_api.get("/metrics", headers=OPENMETRICS)

    assert plain.headers["content-type"].startswith("text/plain")
    assert "trace_id" not in plain.text
    assert shown.headers["content-type"].startswith("application/openmetrics-text")
    families = {family.name: family for family in text_string_to_metric_families(shown.text)}
    trace = f"{kept['file'].context.trace_id:032x}"
    exemplars = [
        sample.exemplar.labels
        for sample in families["ace_http_request_seconds"].samples
        if sample.exemplar and sample.labels["route"] == "/v1/filings"
    ]
    assert exemplars == [{"trace_id": trace}]
    assert families["ace_evaluations"].samples
