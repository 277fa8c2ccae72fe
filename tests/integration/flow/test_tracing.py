"""Spans of the verbs, exemplars of what is measured in them, and the request that log lines name."""

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from sqlalchemy import Engine

from ace import flow, telemetry, tracing
from ace.store.moves import Leased
from ace.tracing.spans import MAX_LINKS
from ace.workers.metrics import WorkMetrics
from tests import factories, fakes
from tests.integration.flow.test_flow import CLEAR, DOUBTFUL, FAIL, LIMITS, examine
from tests.kept_spans import Kept, tracing_kept

kept = pytest.fixture(tracing_kept)


@dataclass
class Carrier(fakes.Broker):
    """A broker that also keeps where the sender of each message stood."""

    def __post_init__(self) -> None:
        self.headers: list[str | None] = []

    def publish(self, queue: str, leased: Leased) -> None:
        super().publish(queue, leased)
        self.headers.append(tracing.traceparent())


def submit(db: Engine, text: str, request_id: str) -> None:
    """Files one claim, as a request of its own."""
    with telemetry.about([request_id]):
        flow.submit(db, [factories.new_filing([text])], actor="api")


def test_a_message_of_many_filings_links_their_traces_and_counts_the_rest(db: Engine, kept: Kept) -> None:
    filings = MAX_LINKS + 2
    for number in range(filings):
        submit(db, CLEAR, f"r-{number}")
    broker = Carrier()
    flow.dispatch(
        db, broker, replace(LIMITS, message_max_claims=1_000, message_budget_tokens=100_000), actor="d"
    )
    [(_, leased)] = broker.sent
    with tracing.continued(broker.headers[0]):
        assert factories.screen(db, leased.token) == filings

    files = {one.context.trace_id for one in kept.all() if one.name == "file"}
    dispatch, screened = kept["dispatch"], kept["screen"]
    assert len(files) == filings
    for span in (dispatch, screened):
        linked = {one.context.trace_id for one in span.links}
        assert len(linked) == MAX_LINKS
        assert linked < files
        assert (span.attributes or {})["ace.links_left_out"] == 2
    assert dispatch.parent is None
    assert screened.parent is not None
    assert screened.parent.span_id == dispatch.context.span_id


def test_an_escalated_claim_goes_on_in_the_trace_of_its_filing_alone(db: Engine, kept: Kept) -> None:
    submit(db, DOUBTFUL, "r-1")
    submit(db, CLEAR, "r-2")
    broker = Carrier()
    flow.dispatch(db, broker, LIMITS, actor="d")
    factories.screen(db, broker.sent[0][1].token)
    flow.dispatch(db, broker, LIMITS, actor="d")
    with tracing.continued(broker.headers[1]):
        moved, _ = examine(db, broker.sent[1][1].token, FAIL)

    filed = next(one for one in kept.all() if one.name == "file")  # the first
    assert moved
    assert kept["examine"].context.trace_id == filed.context.trace_id
    assert kept["examine"].links == ()


def test_without_tracing_nothing_is_asked_or_kept_of_traces(db: Engine) -> None:
    submit(db, CLEAR, "r-1")
    broker = Carrier()
    flow.dispatch(db, broker, LIMITS, actor="d")
    factories.screen(db, broker.sent[0][1].token)
    with db.connect() as connection:
        stored = connection.exec_driver_sql("SELECT request_id, traceparent FROM filings").one()
    assert (tuple(stored), broker.headers) == (("r-1", None), [None])


def test_figures_carry_the_trace_that_they_come_from(db: Engine, kept: Kept) -> None:
    metrics = WorkMetrics("gatekeeper")
    submit(db, CLEAR, "r-1")
    broker = Carrier()
    flow.dispatch(db, broker, LIMITS, actor="d")
    factories.screen(db, broker.sent[0][1].token, observer=metrics)

    shown = generate_latest(metrics.registry).decode()
    exemplars = {
        family.name: {sample.exemplar.labels["trace_id"] for sample in family.samples if sample.exemplar}
        for family in text_string_to_metric_families(shown)
    }
    trace = {f"{kept['screen'].context.trace_id:032x}"}
    for name in ("ace_queue_wait_seconds", "ace_filing_to_verdict_seconds", "ace_gatekeeper_batch_seconds"):
        assert exemplars[name] == trace


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What the logger `ace` writes."""
    log, written = logging.getLogger("ace"), io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(telemetry.JsonLines())
    log.addHandler(handler)
    yield written
    log.removeHandler(handler)


class Talking(fakes.Gatekeeper):
    """Logs a line while it scores."""

    def score(self, inputs: object) -> object:  # type: ignore[override]
        logging.getLogger("ace.tests").warning("scoring")
        return super().score(inputs)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ids", "told"), [(["r-1"], "r-1"), (["r-1", "r-1"], "r-1"), (["r-1", "r-2"], None)])
def test_a_worker_s_line_names_the_request_that_handed_its_message_in(
    db: Engine, lines: io.StringIO, ids: list[str], told: str | None
) -> None:
    for one in ids:
        submit(db, CLEAR, one)
    broker = Carrier()
    flow.dispatch(db, broker, LIMITS, actor="d")
    factories.screen(db, broker.sent[0][1].token, Talking())

    (line,) = [json.loads(one) for one in lines.getvalue().splitlines()]
    assert (line["message"], line.get("request_id")) == ("scoring", told)
    assert telemetry.request_id.get() is None
