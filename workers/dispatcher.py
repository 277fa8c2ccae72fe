"""The dispatcher process: rounds of `flow.dispatch`, started by announcements or by the clock.

Any number may run: rows are taken with SKIP LOCKED, so no two lease the same evaluation.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Engine

from ace import flow
from ace.errors import Unavailable
from ace.processes import until_signalled
from ace.settings import Settings
from ace.store import endpoints, moves
from ace.store.database import Listener, News, connect_engine, transact
from ace.store.operating_tables import Part
from ace.store.purge import PURGED_AT_ONCE, purge_tests
from ace.store.tables import WEBHOOKS, Stage
from ace.workers.app import CeleryBroker, database_url, make_app
from ace.workers.heartbeat import Heartbeat
from ace.workers.metrics import Backlog, registry_of
from ace.workers.metrics import serve as serve_metrics
from ace.workers.monitor import Monitor

log = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS: Final = 1.0
ROUND_SECONDS: Final = 0.02  # between two rounds: what is announced meanwhile is done together
SLOT_SECONDS: Final = 0.002  # the same if the expert has a free slot, which costs money while it waits
COMPACT_SECONDS: Final = 1.0
PURGE_SECONDS: Final = 60.0  # between two looks for test filings to purge
BROKER_SECONDS: Final = 1.0  # short, because nothing is taken back while it waits for a frozen broker
SMALLEST_BUDGET_TOKENS: Final = 512


@dataclass
class Pace:
    """The size of fast messages: as large as workers take up in time.

    Small messages cost throughput; large ones make later claims wait behind them. So the budget
    doubles while messages are taken up at once and more is due, and halves when one waits for longer
    than `target_seconds`. It changes only after the effect of the last change can be seen.
    """

    target_seconds: float
    max_tokens: int
    budget_tokens: int = SMALLEST_BUDGET_TOKENS
    changed_at: float = float("-inf")

    def learn(self, done: flow.Round, now: float) -> None:
        """Takes one round into account; `now` in monotonic seconds."""
        settled = now - self.changed_at
        if done.waited_seconds > self.target_seconds < settled:
            self._change(self.budget_tokens // 2, now)
        elif done.full and done.waited_seconds < self.target_seconds / 2 < settled:
            self._change(self.budget_tokens * 2, now)

    def _change(self, budget_tokens: int, now: float) -> None:
        self.budget_tokens = min(max(budget_tokens, SMALLEST_BUDGET_TOKENS), self.max_tokens)
        self.changed_at = now


def limits(settings: Settings) -> flow.DispatchLimits:
    """The dispatcher's limits, from the settings."""
    return flow.DispatchLimits(
        fast_lease_seconds=settings.fast_lease_seconds,
        slow_lease_seconds=settings.slow_lease_seconds,
        message_budget_tokens=settings.message_budget_tokens,
        message_max_claims=settings.message_max_claims,
        fast_waiting_messages=settings.fast_waiting_messages,
        expert_slots=settings.expert_slots,
        max_tries=settings.max_tries,
        endpoints=tuple(
            endpoints.Declared(one.name, one.weight, one.slots or settings.expert_slots)
            for one in settings.endpoints()
        ),
    )


def run(
    db: Engine,
    broker: flow.Broker,
    listener: Listener,
    limits: flow.DispatchLimits,
    *,
    waiting_seconds: float,
    poll_seconds: float,
    actor: str,
    stop: threading.Event,
    clock: Callable[[], float] = time.monotonic,
    beat: Callable[[], object] = lambda: None,
) -> None:
    """Dispatches until `stop` is set. Waits for a missing database or broker, at growing intervals."""
    pace = Pace(waiting_seconds, limits.message_budget_tokens)
    compact_at, purge_at = clock(), clock() + PURGE_SECONDS
    unsummed = True  # something may have moved since tallies were summed up
    pause = poll_seconds
    seen_at = clock()  # when the database last answered
    outage = False  # it was unavailable, so that no worker could renew its leases
    while not stop.is_set():
        began = clock()
        try:
            if outage:
                _extend_leases(db, limits, away_seconds=clock() - seen_at)
                outage = False
            beat()
            done = flow.dispatch(db, broker, limits, actor=actor, budget_tokens=pace.budget_tokens)
            pace.learn(done, clock())
            unsummed = unsummed or done.more
            if unsummed and clock() >= compact_at:
                transact(db, moves.compact_tallies, durable=False)
                compact_at, unsummed = clock() + COMPACT_SECONDS, False
            if clock() >= purge_at:
                purge_at = _purge_tests(db, clock)
        except Exception as fault:
            away = isinstance(fault, Unavailable)
            outage = outage or (isinstance(fault, Unavailable) and fault.part == "postgres")
            log.warning(
                "the dispatcher waits", exc_info=not away, extra={"why": str(fault) if away else None}
            )
            stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        else:
            pause = poll_seconds
            if not done.more:
                news = listener.wait(poll_seconds, sleep=stop.wait)
                unsummed = unsummed or news is not None
                while news is not News.SLOT and (rest := began + ROUND_SECONDS - clock()) > 0:
                    news = listener.wait(rest, sleep=stop.wait)
                stop.wait(max(0.0, began + SLOT_SECONDS - clock()))
        if not outage:
            seen_at = clock()


def _extend_leases(db: Engine, limits: flow.DispatchLimits, *, away_seconds: float) -> None:
    for queue, seconds in (
        (Stage.FAST, limits.fast_lease_seconds),
        (Stage.SLOW, limits.slow_lease_seconds),
        (WEBHOOKS, limits.slow_lease_seconds),
    ):
        extend = partial(moves.extend_leases, queue=queue, lease_seconds=seconds, away_seconds=away_seconds)
        transact(db, extend, durable=False)


def _purge_tests(db: Engine, clock: Callable[[], float]) -> float:
    """Purges some test filings; returns when to look again: at once if there may be more."""
    more = purge_tests(db).filings == PURGED_AT_ONCE
    return clock() + (0.0 if more else PURGE_SECONDS)


def main(settings: Settings) -> None:
    """The process `ace dispatch`."""
    url = database_url(settings)
    name = f"dispatcher@{socket.gethostname()}:{os.getpid()}"
    stop = until_signalled()
    db, held = connect_engine(url, name=name), limits(settings)
    with suppress(Unavailable):  # then they stay, and no claims are assigned to them
        transact(db, partial(endpoints.keep_only, names=[one.name for one in held.declared]))
    broker = CeleryBroker(make_app(settings, patience_seconds=BROKER_SECONDS))
    try:
        broker.waiting(Stage.FAST)
    except Unavailable as fault:  # reported now: rounds ask it only when claims are due
        log.warning("the dispatcher waits", extra={"why": str(fault)})
    registry = registry_of("dispatcher")
    registry.register(Backlog(db))
    monitor = Monitor(db, settings)
    registry.register(monitor)
    monitor.start(stop)
    serve_metrics(settings, registry)
    heartbeat = Heartbeat(db, Part.DISPATCHER, name)
    heartbeat.begin()
    log.info("dispatcher ready", extra={"actor": name})
    run(
        db,
        broker,
        Listener(url, name=name),
        held,
        waiting_seconds=settings.fast_waiting_seconds,
        poll_seconds=settings.poll_seconds,
        actor=name,
        stop=stop,
        beat=heartbeat.beat,
    )
    heartbeat.end()
