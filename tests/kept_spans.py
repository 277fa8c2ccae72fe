"""The spans of this process, kept in memory: for tests that look at what one step makes."""

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from ace import tracing
from ace.tracing.spans import Spans


class Kept:
    """The spans that would have left the process."""

    def __init__(self, *, share: float = 1.0) -> None:
        self._exporter = InMemorySpanExporter()
        self.spans = Spans(self._exporter, part="test", share=share)

    def all(self) -> list[ReadableSpan]:
        self.spans.flush()
        return list(self._exporter.get_finished_spans())

    def __getitem__(self, name: str) -> ReadableSpan:
        (found,) = [one for one in self.all() if one.name == name]
        return found


def tracing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """A fixture: tracing is on in this process."""
    kept = Kept()
    monkeypatch.setattr(tracing, "_spans", kept.spans)
    yield kept
    kept.spans.provider.shutdown()
