"""The spans of one process, by OpenTelemetry's SDK. Ids and counts are all that leaves the process."""

import atexit
import threading
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Final

from opentelemetry import context as contexts
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from ace import __version__
from ace.tracing import HEADER, Note

MAX_LINKS: Final = 128
"""Links of one span; SDKs keep as many by default (OpenTelemetry specification, span limits)."""

EXPORT_SECONDS: Final = 5.0
LAST_SECONDS: Final = 2.0
"""How long a process that ends tries to send its last spans: a collector that is away must not hold it up."""

OURS: Final = "ace."
PUBLIC: Final = frozenset(
    {"error.type", "http.request.method", "http.response.status_code", "http.route", "url.scheme"}
)
"""What a span may say beside our own attributes: paths and queries name dockets, and may hold any text."""

_W3C: Final = TraceContextTextMapPropagator()


class Spans:
    """Makes the spans of this process."""

    def __init__(self, exporter: SpanExporter, *, part: str, share: float) -> None:
        resource = Resource.create({"service.name": f"ace-{part}", "service.version": __version__})
        sampler = ParentBased(TraceIdRatioBased(share))
        self.provider = TracerProvider(sampler=sampler, resource=resource, shutdown_on_exit=False)
        self.provider.add_span_processor(BatchSpanProcessor(IdsOnly(exporter)))
        self._tracer = self.provider.get_tracer("ace", __version__)
        atexit.register(self.flush)

    @classmethod
    def to(cls, url: str, *, part: str, share: float) -> "Spans":
        """Spans that go to a collector."""
        return cls(OTLPSpanExporter(url, timeout=EXPORT_SECONDS), part=part, share=share)

    def flush(self) -> None:
        """Sends what waits, or gives up after two seconds."""
        sending = threading.Thread(target=self.provider.force_flush, daemon=True)
        sending.start()
        sending.join(LAST_SECONDS)

    @contextmanager
    def span(self, name: str, of: Iterable[str | None], facts: Mapping[str, str | int]) -> Iterator[Note]:
        """See `ace.tracing.span`."""
        traces = [one for one in map(_context_of, filter(None, dict.fromkeys(of))) if one.is_valid]
        around = get_current_span().get_span_context()
        parent = None
        if around.is_valid:
            traces = [one for one in traces if one.trace_id != around.trace_id]
        elif len(traces) == 1:
            parent = set_span_in_context(NonRecordingSpan(traces.pop()))
        attributes = _attributes(facts)
        if len(traces) > MAX_LINKS:
            attributes |= _attributes({"links_left_out": len(traces) - MAX_LINKS})
        links = [Link(one) for one in traces[:MAX_LINKS]]
        with self._started(name, attributes, parent=parent, links=links) as started:
            yield lambda **more: started.set_attributes(_attributes(more))

    @contextmanager
    def request(self, method: str, headers: MutableMapping[str, str]) -> Iterator[None]:
        """See `ace.tracing.request`."""
        if self.traceparent() is None:
            yield
            return
        with self._started(method, {"http.request.method": method}, kind=SpanKind.CLIENT):
            headers[HEADER] = self.traceparent() or ""
            yield

    @contextmanager
    def continued(self, traceparent: str | None) -> Iterator[None]:
        """See `ace.tracing.continued`."""
        token = contexts.attach(_W3C.extract({HEADER: traceparent or ""}))
        try:
            yield
        finally:
            contexts.detach(token)

    def traceparent(self) -> str | None:
        """See `ace.tracing.traceparent`."""
        carrier: dict[str, str] = {}
        _W3C.inject(carrier)
        return carrier.get(HEADER)

    def trace_id(self) -> str | None:
        """See `ace.tracing.trace_id`."""
        current = get_current_span().get_span_context()
        return f"{current.trace_id:032x}" if current.is_valid and current.trace_flags.sampled else None

    @contextmanager
    def _started(
        self,
        name: str,
        attributes: Mapping[str, str | int],
        *,
        parent: contexts.Context | None = None,
        links: Sequence[Link] = (),
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Iterator[Span]:
        """A span; of an error it says the type alone, because the text may quote a claim."""
        with self._tracer.start_as_current_span(
            name,
            context=parent,
            kind=kind,
            attributes=attributes,
            links=links,
            record_exception=False,
            set_status_on_exception=False,
        ) as started:
            try:
                yield started
            except Exception as error:
                started.set_attribute("error.type", type(error).__name__)
                started.set_status(StatusCode.ERROR)
                raise


class IdsOnly(SpanExporter):
    """Hands spans on to another exporter without whatever might hold a word of a claim, a docket or a URL:
    attributes of others, events, texts of states, and what clients add to a trace's context."""

    def __init__(self, inner: SpanExporter) -> None:
        self._inner = inner

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """See `SpanExporter`."""
        return self._inner.export([_bare(one) for one in spans])

    def shutdown(self) -> None:
        """See `SpanExporter`."""
        self._inner.shutdown()


def _bare(span: ReadableSpan) -> ReadableSpan:
    kept = {
        key: value for key, value in (span.attributes or {}).items() if key.startswith(OURS) or key in PUBLIC
    }
    return ReadableSpan(
        span.name,
        _untold(span.context),
        None if span.parent is None else _untold(span.parent),
        span.resource,
        kept,
        (),
        [Link(_untold(link.context)) for link in span.links],
        span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _untold(context: SpanContext) -> SpanContext:
    """The ids of a span without its `tracestate`, which holds whatever the client wrote there."""
    return SpanContext(context.trace_id, context.span_id, context.is_remote, context.trace_flags)


def _context_of(traceparent: str) -> SpanContext:
    """The span that a traceparent names; an invalid one if it names none."""
    return get_current_span(_W3C.extract({HEADER: traceparent}, contexts.Context())).get_span_context()


def _attributes(facts: Mapping[str, str | int]) -> dict[str, str | int]:
    return {f"{OURS}{name}": value for name, value in facts.items()}
