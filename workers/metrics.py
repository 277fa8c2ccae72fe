"""What a dispatcher or worker shows of its own work, on a port of its own (ACE_METRICS_PORT).

Every process has one registry; what is counted begins anew with it.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from ace import __version__, metrics, tracing
from ace.errors import NotConfigured, Unavailable
from ace.metrics import Named
from ace.settings import Settings
from ace.store import counts
from ace.store.database import transact
from ace.store.tables import Stage
from ace.workers.messages import Dropped

if TYPE_CHECKING:
    from ace.workers.models import Loaded

log = logging.getLogger(__name__)

TENANTS: Final = 20
OTHER: Final = "other"


class WorkMetrics:
    """Counts and times what a worker does: the observer of its flow."""

    def __init__(self, part: str) -> None:
        self.registry = registry_of(part)
        self._wait = self._histogram(metrics.QUEUE_WAIT)
        self._age = self._histogram(metrics.FILING_TO_VERDICT)
        self._batch_seconds = self._histogram(metrics.BATCH_SECONDS)
        self._batch_claims = self._histogram(metrics.BATCH_CLAIMS)
        self._screened = Counter(*metrics.SCREENED[:3], registry=self.registry)
        self._decisions = Counter(*metrics.DECISIONS[:3], registry=self.registry)
        self._failures = Counter(*metrics.FAILURES[:3], registry=self.registry)
        self._model = Gauge(*metrics.MODEL[:3], registry=self.registry)
        self._share = Gauge(*metrics.CALIBRATED[:3], registry=self.registry)

    def of(self, loaded: "Loaded") -> None:
        """Shows the models that decide in this worker, and what share of the claims the standing one should
        escalate."""
        self._model.clear()
        for each in (loaded.gatekeeper, *([loaded.canary.gatekeeper] if loaded.canary else [])):
            self._model.labels(each.revision, each.calibration.id).set(1)
        calibration = loaded.gatekeeper.calibration
        self._share.clear()
        self._share.labels(calibration.id).set(calibration.escalation)

    def took_up(self, stage: Stage, waited_seconds: Sequence[float]) -> None:
        """See `flow.Observer`."""
        _observe(self._wait.labels(str(stage)), waited_seconds)

    def judged(self, claims: int, escalated: int, decided: int, seconds: float) -> None:
        """See `flow.Observer`."""
        self._batch_claims.observe(claims)
        self._batch_seconds.observe(seconds, tracing.exemplar())
        self._screened.labels("escalated").inc(escalated)
        self._screened.labels("decided").inc(decided)

    def decided(
        self, decided_by: str, verdicts: Mapping[tuple[str, str | None], int], ages_seconds: Sequence[float]
    ) -> None:
        """See `flow.Observer`."""
        for (verdict, error_class), claims in verdicts.items():
            self._decisions.labels(verdict, error_class or "", decided_by).inc(claims)
        _observe(self._age.labels(decided_by), ages_seconds)

    def failed(self, error: str) -> None:
        """See `flow.Observer`."""
        self._failures.labels(error).inc()

    def _histogram(self, named: Named) -> Histogram:
        return Histogram(*named[:3], buckets=named.buckets, registry=self.registry)


def _observe(histogram: Histogram, values: Sequence[float]) -> None:
    """Counts what a message showed. The last value has the exemplar, because checking one for each takes most
    of the time."""
    for value in values[:-1]:
        histogram.observe(value)
    for value in values[-1:]:
        histogram.observe(value, tracing.exemplar())


def count_dropped(registry: CollectorRegistry) -> Dropped:
    """A function that counts messages that were dropped, by queue."""
    counter = Counter(*metrics.DROPPED[:3], registry=registry)
    return lambda queue: counter.labels(queue).inc()


class Backlog(Collector):
    """Claims without a verdict by tenant, read at each scrape; nothing while the database is down."""

    def __init__(self, db: Engine) -> None:
        self._db = db

    def describe(self) -> Iterable[Metric]:
        """Names only, so that registering needs no database."""
        return [_backlog()]

    def collect(self) -> Iterable[Metric]:
        """The tenants with the most claims, and all others as one."""
        found = _backlog()
        try:
            backlogs = transact(self._db, counts.backlogs)
        except (Unavailable, DBAPIError):
            return []
        for tenant, claims in backlogs[:TENANTS]:
            found.add_metric([tenant], claims)
        found.add_metric([OTHER], sum(claims for _, claims in backlogs[TENANTS:]))
        return [found]


def registry_of(part: str) -> CollectorRegistry:
    """A registry that says what this process is."""
    registry = CollectorRegistry()
    Gauge(*metrics.BUILD[:3], registry=registry).labels(__version__, part).set(1)
    return registry


def serve(settings: Settings, registry: CollectorRegistry) -> None:
    """Shows the metrics from now on, if a port is set. Raises NotConfigured if it cannot be had."""
    if not settings.metrics_port:
        return
    try:
        start_http_server(settings.metrics_port, settings.host, registry)
    except OSError as error:
        where = f"{settings.host}:{settings.metrics_port}"
        raise NotConfigured(f"ACE_METRICS_PORT: {where} cannot be had: {error.strerror}") from None
    log.info("metrics are shown", extra={"port": settings.metrics_port})


def _backlog() -> GaugeMetricFamily:
    return GaugeMetricFamily(metrics.BACKLOG.name, metrics.BACKLOG.meaning, labels=metrics.BACKLOG.labels)
