"""The gatekeeper worker: the models that decide, in one process; messages of the queue `fast`."""

import threading
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

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
from ace.workers.app import database_url
from ace.workers.messages import Dropped
from ace.workers.metrics import WorkMetrics, count_dropped
from ace.workers.metrics import serve as serve_metrics
from ace.workers.models import Models, Shadowing
from ace.workers.serving import checks_of, serve, worker_name

PART: Final = "gatekeeper"

# Two messages in hand: while one is scored, the other is read or written.
MESSAGES_IN_HAND: Final = 2


def main(settings: Settings) -> int:
    """The process `ace worker fast`: loads the models that decide, then serves."""
    db = connect_engine(database_url(settings), name=worker_name(Stage.FAST))
    seen = WorkMetrics(PART)

    def load(directory: Path | None) -> Gatekeeper:
        engine = load_engine(
            directory or settings.gatekeeper_model,
            device=settings.gatekeeper_device,
            threads=settings.gatekeeper_threads or None,
            calibration=settings.calibration if directory is None else None,
        )
        engine.score([HARMLESS])  # a model that fails even here must not take up claims
        return engine

    models = Models(db, settings.models_folder(), load, seen.of)
    models.begin()
    serve_metrics(settings, seen.registry)
    checks = checks_of(settings, settings.gatekeeper_threads or min(cores(), MAX_THREADS))
    try:
        return run(settings, db, models, checks, seen, count_dropped(seen.registry))
    finally:
        checks.close()


def run(
    settings: Settings,
    db: Engine,
    models: Models,
    checks: flow.Checks | None,
    observer: flow.Observer = NOBODY,
    dropped: Dropped | None = None,
) -> int:
    """Serves the queue `fast` until told to stop; returns the exit code.

    The rules run in `checks`; with None, no rule looks at the claims. `observer` counts and times the work.
    """
    model_lock, in_hand = threading.Lock(), flow.AnalysesInHand()
    shadowing = Shadowing(db, rules=checks is not None)
    shadowing.start()

    def screen(*, token: UUID, holding: flow.Holding, lease_seconds: float, worker: str) -> int:
        loaded = models.current()
        return flow.screen(
            db,
            token,
            loaded.gatekeeper,
            holding,
            checks=checks,
            model_lock=model_lock,
            in_hand=in_hand,
            lease_seconds=lease_seconds,
            worker=worker,
            observer=observer,
            canary=loaded.canary,
            audit_share=settings.audit_share,
            committed=partial(shadowing.offer, loaded.shadow),
        )

    return serve(settings, db, Stage.FAST, screen, concurrency=MESSAGES_IN_HAND, dropped=dropped)
