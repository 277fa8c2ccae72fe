"""A collector of spans on loopback, which keeps what processes send it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.receivers import Receiver, Reply, receiving


@dataclass(frozen=True)
class Seen:
    """One span as it came."""

    process: str  # service.name
    name: str
    trace: str
    id: str
    parent: str | None
    began: int  # nanoseconds
    ended: int
    facts: dict[str, str | int]
    linked: tuple[str, ...]  # traces


@dataclass
class Collector:
    """Where spans go, and what came."""

    receiver: Receiver

    @property
    def url(self) -> str:
        return self.receiver.url

    @property
    def bodies(self) -> bytes:
        """All that came, as it came."""
        return b"".join(one.body for one in self.receiver.came)

    def spans(self) -> list[Seen]:
        """Every span, in the order of their beginnings."""
        found = [span for one in list(self.receiver.came) for span in _spans(one.body)]
        return sorted(found, key=lambda span: span.began)


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that takes everything."""
    with receiving(lambda _: Reply(200)) as receiver:
        yield Collector(receiver)


def _spans(body: bytes) -> Iterator[Seen]:
    for process in ExportTraceServiceRequest.FromString(body).resource_spans:
        (name,) = [one.value.string_value for one in process.resource.attributes if one.key == "service.name"]
        for scope in process.scope_spans:
            for span in scope.spans:
                yield Seen(
                    name,
                    span.name,
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex() or None,
                    span.start_time_unix_nano,
                    span.end_time_unix_nano,
                    {one.key: one.value.string_value or one.value.int_value for one in span.attributes},
                    tuple(link.trace_id.hex() for link in span.links),
                )
