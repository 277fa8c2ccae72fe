"""The gatekeeper worker: one model per process, messages of the queue `fast`."""

import threading
from functools import partial

from sqlalchemy import Engine

from ace import flow
from ace.flow.observer import NOBODY
from ace.gatekeeper.engine import HARMLESS
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.loading import load_engine
from ace.gatekeeper.scoring_threads import MAX_THREADS, cores
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import Stage
from workers.app import database_url
from workers.metrics import WorkMetrics
from workers.metrics import serve as serve_metrics
from workers.serving import checks_of, serve, worker_name

# Two messages in hand: while one is scored, the other is read or written.
MESSAGES_IN_HAND = 2


def main(settings: Settings) -> int:
    """The process `ace worker fast`: loads the model once, then serves."""
    gatekeeper = load_engine(
        settings.gatekeeper_model,
        device=settings.gatekeeper_device,
        threads=settings.gatekeeper_threads or None,
    )
    gatekeeper.score([HARMLESS])  # a model that fails even here must not take up claims
    db = connect_engine(database_url(settings), name=worker_name(Stage.FAST))
    seen = WorkMetrics("gatekeeper")
    seen.of(gatekeeper)
    serve_metrics(settings, seen.registry)
    checks = checks_of(settings, settings.gatekeeper_threads or min(cores(), MAX_THREADS))
    try:
        return run(settings, db, gatekeeper, checks, seen)
    finally:
        checks.close()


def run(
    settings: Settings,
    db: Engine,
    gatekeeper: Gatekeeper,
    checks: flow.Checks | None,
    observer: flow.Observer = NOBODY,
) -> int:
    """Serves the queue `fast` until told to stop; returns the exit code.

    The rules run in `checks`; with None, no rule looks at the claims. `observer` counts and times the work.
    """
    screen = partial(
        flow.screen,
        db,
        gatekeeper=gatekeeper,
        checks=checks,
        model_lock=threading.Lock(),
        in_hand=flow.AnalysesInHand(),
        observer=observer,
    )
    return serve(settings, db, Stage.FAST, screen, concurrency=MESSAGES_IN_HAND)
