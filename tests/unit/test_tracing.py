"""Spans: whose trace they continue, what they link, and that only ids and counts leave the process."""

import sys

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import Link, SpanContext, StatusCode, TraceFlags, TraceState, set_span_in_context
from opentelemetry.trace import NonRecordingSpan as Remote

from ace import tracing
from ace.errors import NotConfigured
from ace.tracing.spans import MAX_LINKS
from tests.kept_spans import Kept, tracing_kept

SECRET = "zirconquilt"
kept = pytest.fixture(tracing_kept)


def traceparent(number: int, *, flags: str = "01") -> str:
    return f"00-{number:032x}-{number:016x}-{flags}"


def facts(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


def linked(span: ReadableSpan) -> list[int]:
    return [one.context.trace_id for one in span.links]


def test_without_tracing_there_is_nothing() -> None:
    headers: dict[str, str] = {}
    with (
        tracing.continued(traceparent(7)),
        tracing.span("file", of=[traceparent(8)], claims=1) as note,
        tracing.request("POST", headers),
    ):
        note(filing="f")
        assert (tracing.on(), tracing.provider(), headers) == (False, None, {})
        assert (tracing.traceparent(), tracing.trace_id()) == (None, None)
    tracing.flush()


def test_without_the_extra_the_setting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ace.tracing.spans", None)
    with pytest.raises(NotConfigured, match="extra `otel`"):
        tracing.install("http://127.0.0.1:1/v1/traces", part="api")
    assert not tracing.on()


@pytest.mark.parametrize(
    ("around", "of", "parent", "links"),
    [
        (None, [], None, []),
        (None, [None, None], None, []),
        (None, ["no traceparent", 7], 7, []),
        (None, [7], 7, []),
        (None, [7, None, 7], 7, []),
        (None, [7, 8, 7], None, [7, 8]),
        (9, [], 9, []),
        (9, [9], 9, []),
        (9, [7], 9, [7]),
        (9, [7, 9, 8], 9, [7, 8]),
    ],
)
def test_whose_trace_a_span_continues(
    kept: Kept, around: int | None, of: list[int | str | None], parent: int | None, links: list[int]
) -> None:
    given = [traceparent(one) if isinstance(one, int) else one for one in of]
    with tracing.continued(traceparent(around) if around else None), tracing.span("screen", of=given):
        pass

    found = kept["screen"]
    assert (found.parent.trace_id if found.parent else None) == parent
    assert linked(found) == links


def test_a_span_links_so_many_traces_and_counts_the_others(kept: Kept) -> None:
    of = [traceparent(number) for number in range(1, MAX_LINKS + 3)]
    with tracing.span("screen", of=of, claims=400):
        pass

    assert linked(kept["screen"]) == list(range(1, MAX_LINKS + 1))
    assert facts(kept["screen"]) == {"ace.claims": 400, "ace.links_left_out": 2}


def test_what_is_sent_on_leads_back_to_the_span(kept: Kept) -> None:
    headers = {"accept": "*/*"}
    with tracing.span("examine"):
        sent = tracing.traceparent()
        with tracing.request("POST", headers):
            pass
    with tracing.continued(sent), tracing.span("deliver"):
        pass

    examine, request, deliver = kept["examine"], kept["POST"], kept["deliver"]
    assert request.parent == examine.context
    assert headers["traceparent"].split("-")[2] == f"{request.context.span_id:016x}"
    assert deliver.parent is not None
    assert (deliver.parent.trace_id, deliver.parent.span_id) == (
        examine.context.trace_id,
        examine.context.span_id,
    )


def test_a_request_outside_any_span_has_none(kept: Kept) -> None:
    headers: dict[str, str] = {}
    with tracing.request("GET", headers):
        pass
    assert (headers, kept.all()) == ({}, [])


def test_whether_a_trace_is_kept_is_decided_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    none = Kept(share=0.0)
    monkeypatch.setattr(tracing, "_spans", none.spans)
    with tracing.span("file"):
        assert tracing.trace_id() is None
        passed_on = tracing.traceparent()
    for number, flags in ((7, "00"), (8, "01")):
        with tracing.span("screen", of=[traceparent(number, flags=flags)]):
            pass

    assert passed_on is not None
    assert not TraceFlags(int(passed_on[-2:], 16)).sampled
    assert [one.context.trace_id for one in none.all()] == [8]
    none.spans.provider.shutdown()


def test_an_error_is_told_by_its_type_alone(kept: Kept) -> None:
    with pytest.raises(ValueError, match=SECRET), tracing.span("examine"):
        raise ValueError(SECRET)

    found = kept["examine"]
    assert facts(found) == {"error.type": "ValueError"}
    assert found.status.status_code is StatusCode.ERROR
    assert SECRET not in found.to_json()


def test_nothing_that_others_write_into_a_span_leaves_the_process(kept: Kept) -> None:
    told = TraceState([("client", SECRET)])
    remote = SpanContext(7, 7, is_remote=True, trace_flags=TraceFlags(1), trace_state=told)
    span = kept.spans.provider.get_tracer("a library").start_span(
        "GET /v1/filings",
        context=set_span_in_context(Remote(remote)),
        attributes={"http.route": "/v1/filings", "url.path": f"/{SECRET}", "url.query": f"docket={SECRET}"},
        links=[Link(remote, {"db.statement": SECRET})],
    )
    span.add_event(SECRET, {"exception.message": SECRET})
    span.set_status(StatusCode.ERROR, SECRET)
    span.end()

    found = kept["GET /v1/filings"]
    assert facts(found) == {"http.route": "/v1/filings"}
    assert (found.context.trace_state, found.links[0].context.trace_state) == (TraceState(), TraceState())
    assert found.status.status_code is StatusCode.ERROR
    assert SECRET not in found.to_json()
