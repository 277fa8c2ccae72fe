"""Spans over the way of a filing: file, dispatch, screen, examine, deliver.

There are none unless `install` was called: until then the functions here do nothing, and nothing of
OpenTelemetry is imported. spans.py makes the spans.
"""

from collections.abc import Iterable, MutableMapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Final, Protocol

from ace.errors import NotConfigured

if TYPE_CHECKING:
    from ace.tracing.spans import Spans

HEADER: Final = "traceparent"
"""The header of W3C Trace Context, over HTTP and in messages."""

_spans: "Spans | None" = None  # of this process; None: tracing is off


class Note(Protocol):
    """What a block may say of its span while that is under way."""

    def __call__(self, **facts: str | int) -> None:
        """Adds ids and counts, as attributes `ace.…`."""


def _nothing(**_: str | int) -> None:
    """See `Note`."""


def install(url: str, *, part: str, share: float = 1.0) -> None:
    """Sends the spans of this process to `url` from now on, as OTLP over HTTP; `part` is the process's name.

    `share` of the traces that begin here are kept; one that began elsewhere is kept if it was kept there.
    Raises NotConfigured without the extra `otel`.
    """
    global _spans  # one for the process, like its log
    try:
        from ace.tracing.spans import Spans
    except ImportError:
        raise NotConfigured("ACE_TRACES_URL is set: install the extra `otel` too") from None
    _spans = Spans.to(url, part=part, share=share)


def on() -> bool:
    """Whether this process makes spans."""
    return _spans is not None


def provider() -> Any:
    """The provider, for libraries that make spans by themselves; None if tracing is off."""
    return None if _spans is None else _spans.provider


def flush() -> None:
    """Sends what waits to be sent, for a process that is about to end without its exit handlers."""
    if _spans is not None:
        _spans.flush()


def span(name: str, *, of: Iterable[str | None] = (), **facts: str | int) -> AbstractContextManager[Note]:
    """A span around a block about filings with the traceparents `of`; `facts` are ids and counts.

    It continues the span around it; without one, the trace of its filings if that is the same for all. Other
    traces are linked, 128 at most; `ace.links_left_out` counts the rest.
    """
    return nullcontext(_nothing) if _spans is None else _spans.span(name, of, facts)


def request(method: str, headers: MutableMapping[str, str]) -> AbstractContextManager[None]:
    """A span around a request to another server, if a span is around it; `headers` get its traceparent."""
    return nullcontext() if _spans is None else _spans.request(method, headers)


def continued(traceparent: str | None) -> AbstractContextManager[None]:
    """Lets a block go on where the sender of a message stood."""
    return nullcontext() if _spans is None else _spans.continued(traceparent)


def traceparent() -> str | None:
    """The current span for whoever continues it; None without one."""
    return None if _spans is None else _spans.traceparent()


def trace_id() -> str | None:
    """The id of the current trace if it is kept."""
    return None if _spans is None else _spans.trace_id()


def exemplar() -> dict[str, str] | None:
    """The current trace, as the exemplar of a figure that is measured in it."""
    trace = trace_id()
    return None if trace is None else {"trace_id": trace}
