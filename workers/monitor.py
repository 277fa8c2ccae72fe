"""The dispatcher's look at the standing model: does it still fit what is filed, and how often is it wrong?

A look reads a whole day of claims, so it is rare, and in a thread of its own. What the last one found is
shown.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from ace import metrics
from ace.errors import Unavailable
from ace.metrics import Named
from ace.settings import Settings
from ace.store.database import clock, transact

if TYPE_CHECKING:
    from ace.flow.monitoring import Health

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 3_600.0
DAYS: Final = 30


class Monitor(Collector):
    """Looks at the standing model now and then; shows nothing before its first look has succeeded."""

    def __init__(self, db: Engine, settings: Settings, today: Callable[[], date] | None = None) -> None:
        self._db = db
        self._settings = settings
        self._today = today or (lambda: transact(db, clock).date())
        self._found: Health | None = None

    def start(self, stop: threading.Event) -> None:
        """Looks at once and then every hour, in a thread of its own, until `stop` is set."""
        threading.Thread(target=self._run, args=[stop], name="monitor", daemon=True).start()

    def _run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self.look()
            except (Unavailable, DBAPIError) as error:
                log.warning("the model could not be looked at", extra={"why": type(error).__name__})
            stop.wait(LOOK_SECONDS)

    def look(self) -> None:
        """Reads the days up to yesterday, of which those before are kept."""
        from ace.flow import monitoring  # with numpy, which a dispatcher does not wait for

        settings = self._settings
        record = monitoring.record_in_force(self._db, settings.gatekeeper_model, settings.calibration)
        if record is None:
            log.warning(
                "the model could not be looked at", extra={"why": "no calibration record can be read"}
            )
            return
        today, alpha = self._today(), self._settings.audit_alpha
        last = today - timedelta(days=1)
        self._found = monitoring.health(self._db, record, last=last, days=DAYS, today=today, alpha=alpha)
        drifts = self._found.days[-1].drifts
        if drifts or self._found.alarm is not None:
            alarm = self._found.alarm and self._found.alarm.isoformat()
            log.warning("the model fits no longer", extra={"drifts": drifts, "audit_alarm": alarm})

    def describe(self) -> Iterable[Metric]:
        """Names only, so that registering needs no look."""
        return [
            _gauge(named) for named in (metrics.DRIFT, metrics.DRIFTS, metrics.AUDIT, metrics.AUDIT_ALARM)
        ]

    def collect(self) -> Iterable[Metric]:
        """What the last look found of yesterday, and of the audit of thirty days."""
        if self._found is None:
            return
        drift, drifts = _gauge(metrics.DRIFT), _gauge(metrics.DRIFTS)
        for one in self._found.days[-1].differences:
            drifts.add_metric([one.characteristic.value], int(one.drifts))
            if one.psi is not None:
                drift.add_metric([one.characteristic.value], one.psi)
        audit, alarm = _gauge(metrics.AUDIT), _gauge(metrics.AUDIT_ALARM)
        found = self._found.audit
        bounds = {"estimate": found.estimate, "low": found.low, "tolerated": found.tolerated}
        for bound, value in bounds.items():
            if value is not None:
                audit.add_metric([bound], value)
        alarm.add_metric([], int(self._found.alarm is not None))
        yield from (drift, drifts, audit, alarm)


def _gauge(named: Named) -> GaugeMetricFamily:
    return GaugeMetricFamily(named.name, named.meaning, labels=named.labels)
