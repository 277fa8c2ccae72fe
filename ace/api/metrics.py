"""What `/metrics` shows: this process's requests, and what the database holds at each scrape."""

import logging
import math
import time
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ace import __version__, tracing
from ace.api import problems
from ace.api.budget import Budget
from ace.errors import Unavailable
from ace.metrics import (
    BREAKER,
    BROKER_UP,
    BUFFERED,
    BUILD,
    DATABASE_UP,
    DELIVERY_DUE,
    DISPUTES,
    EVALUATIONS,
    EXPERT_SECONDS,
    FAULTS,
    IN_FLIGHT,
    LEASES,
    OLDEST_DUE,
    OUTBOX,
    REQUESTS,
    SECONDS,
    SLOTS,
    STORED,
    WEBHOOKS,
    Named,
)
from ace.store import counts, endpoints
from ace.store.database import transact
from ace.types.endpoint_state import BUCKETS, Breaker
from ace.types.verification import Dispute

log = logging.getLogger(__name__)

KEY: Final = "ace.key"
"""In the scope of a request: the id of the key that it came with, once that is known to be valid."""

GONE: Final = 499  # in place of a status: the client hung up before there was one, as nginx counts it
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class HttpMetrics:
    """Counts and times requests, in its own registry."""

    def __init__(self, db: Engine, budget: Budget, ping: Callable[[], None] | None = None) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(*REQUESTS[:3], registry=self.registry)
        self.seconds = Histogram(*SECONDS[:3], buckets=SECONDS.buckets, registry=self.registry)
        Gauge(*BUFFERED[:3], registry=self.registry).set_function(lambda: budget.held)
        Gauge(*BUILD[:3], registry=self.registry).labels(__version__, "api").set(1)
        Gauge(*BROKER_UP[:3], registry=self.registry).set_function(partial(_serves, ping))
        self.registry.register(StoreCollector(db))


def _serves(ping: Callable[[], None] | None) -> float:
    """1 or 0; not a number for a process that knows no broker."""
    if ping is None:
        return math.nan
    try:
        ping()
    except Exception:  # /readyz says why
        return 0.0
    return 1.0


class StoreCollector(Collector):
    """Reads counters from the database at each scrape; reports as much as it can read."""

    def __init__(self, db: Engine) -> None:
        self._db = db

    def describe(self) -> Iterable[Metric]:
        """Names only, so that registering needs no database."""
        gauges = [_gauge(metric) for metric in (DATABASE_UP, *STORED)]
        return [*gauges, _counter(FAULTS), _counter(DISPUTES), _expert_seconds()]

    def collect(self) -> Iterable[Metric]:
        """The gauges; if the database is down, only that."""
        up = _gauge(DATABASE_UP)
        try:
            gauges = transact(self._db, _from_store)
        except (Unavailable, DBAPIError):
            gauges = []
        up.add_metric([], 1 if gauges else 0)
        return [up, *gauges]


def _from_store(connection: Connection) -> list[Metric]:
    evaluations, leases, oldest = _gauge(EVALUATIONS), _gauge(LEASES), _gauge(OLDEST_DUE)
    for (state, by), count in counts.state_counts(connection, tests=False).items():
        evaluations.add_metric([state, by], count)
    for stage, (waiting, running) in counts.waiting_and_running(connection).items():
        leases.add_metric([stage, "waiting"], waiting)
        leases.add_metric([stage, "running"], running)
    for stage, seconds in counts.oldest_due_seconds(connection).items():
        oldest.add_metric([stage], seconds)
    return [
        *(evaluations, leases, oldest, _disputes(connection)),
        *_of_endpoints(connection),
        *_of_webhooks(connection),
    ]


def _of_webhooks(connection: Connection) -> list[Metric]:
    webhooks, outbox, due = _gauge(WEBHOOKS), _gauge(OUTBOX), _gauge(DELIVERY_DUE)
    for state, count in counts.webhook_states(connection).items():
        webhooks.add_metric([state], count)
    for gauge, seconds in zip((outbox, due), counts.told_late_seconds(connection), strict=True):
        gauge.add_metric([], seconds)
    return [webhooks, outbox, due]


def _disputes(connection: Connection) -> Metric:
    disputes = _counter(DISPUTES)
    counted = counts.disputes(connection)
    for kind in Dispute:
        disputes.add_metric([kind], counted.get(kind, 0))
    return disputes


def _of_endpoints(connection: Connection) -> list[Metric]:
    slots, in_flight, breaker = _gauge(SLOTS), _gauge(IN_FLIGHT), _gauge(BREAKER)
    faults, seconds = _counter(FAULTS), _expert_seconds()
    for one in endpoints.statuses(connection):
        at = one.state
        slots.add_metric([at.name], int(at.slots))
        in_flight.add_metric([at.name], one.in_flight)
        for state in Breaker:
            breaker.add_metric([at.name, state], int(at.breaker is state))
        for kind, count in at.faults.items():
            faults.add_metric([at.name, kind], count)
        bounds = [*map(str, BUCKETS), "+Inf"]
        counted = zip(bounds, accumulate(at.seconds_buckets), strict=True)
        seconds.add_metric([at.name], list(counted), sum_value=at.seconds_sum)
    return [slots, in_flight, breaker, faults, seconds]


def _counter(metric: Named) -> CounterMetricFamily:
    return CounterMetricFamily(metric.name, metric.meaning, labels=metric.labels)


def _expert_seconds() -> HistogramMetricFamily:
    return HistogramMetricFamily(EXPERT_SECONDS.name, EXPERT_SECONDS.meaning, labels=EXPERT_SECONDS.labels)


def _gauge(metric: Named) -> GaugeMetricFamily:
    return GaugeMetricFamily(metric.name, metric.meaning, labels=metric.labels)


class Observed:
    """Outermost ASGI layer: counts every request and hides the text of unexpected errors.

    An unexpected exception's text may quote claims, so it is never shown: the log has its type and
    place, the client gets a problem with the same `instance`.
    """

    def __init__(
        self,
        app: ASGIApp,
        metrics: HttpMetrics,
        clock: Callable[[], float] = time.perf_counter,
        *,
        access_log: bool = False,
    ) -> None:
        self.app = app
        self.metrics = metrics
        self.access_log = access_log
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        began = self.clock()
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except ClientDisconnect:  # no fault of ours, and nobody is there to be told of it
            status = status or GONE
        except Exception as error:
            document = problems.unexpected()
            log.error("a request failed", extra={"instance": document["instance"], **fault(error)})
            if status:
                raise BrokenOffError("an answer was cut short; the error was logged") from None
            await problems.respond(document)(scope, receive, watched)
        finally:
            self._count(scope, status, self.clock() - began)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = getattr(scope.get("route"), "path_format", "unmatched")
        self.metrics.requests.labels(method, route, str(status)).inc()
        self.metrics.seconds.labels(method, route).observe(seconds, tracing.exemplar())
        if self.access_log:  # never the path or the query, which may hold anything
            answered = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
            log.info("request", extra={**answered, "key": scope.get(KEY)})


def fault(error: BaseException) -> dict[str, str]:
    """What a log may say about an unexpected exception: its type and place, never its text."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return {"error": type(error).__name__, "at": f"{frame.filename}:{frame.lineno}"}


class BrokenOffError(Exception):
    """An answer that had begun could not be finished; the server closes the connection."""
