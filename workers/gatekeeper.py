"""The gatekeeper worker: one model per process, messages of the queue `fast`."""

import threading
from uuid import UUID

from sqlalchemy import Engine

from ace import flow
from ace.gatekeeper.engine import HARMLESS
from ace.gatekeeper.engine import Engine as Gatekeeper
from ace.gatekeeper.loading import load_engine
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import Stage
from workers.app import database_url, make_app
from workers.leases import Keeper
from workers.serving import Service, worker_name

# Two messages in hand: while one is scored, the other is read or written.
MESSAGES_IN_HAND = 2


def main(settings: Settings) -> int:
    """The process `ace worker fast`: loads the model once, then serves."""
    gatekeeper = load_engine(
        settings.gatekeeper_model,
        device=settings.gatekeeper_device,
        threads=settings.gatekeeper_threads or None,
    )
    gatekeeper.score([HARMLESS])  # a model that cannot even do this must not take claims up
    db = connect_engine(database_url(settings), name=worker_name(Stage.FAST))
    return run(settings, db, gatekeeper)


def run(settings: Settings, db: Engine, gatekeeper: Gatekeeper) -> int:
    """Serves the queue `fast` until told to stop."""
    name = worker_name(Stage.FAST)
    keeper = Keeper(
        db,
        lease_seconds=settings.fast_lease_seconds,
        hold_seconds=settings.fast_hold_seconds,
        worker=name,
    )
    thinking = threading.Lock()

    def work(token: UUID) -> int:
        return flow.screen(
            db,
            token,
            gatekeeper,
            keeper.holding,
            thinking=thinking,
            lease_seconds=settings.fast_lease_seconds,
            worker=name,
        )

    return Service(
        make_app(settings),
        db,
        keeper,
        work,
        stage=Stage.FAST,
        concurrency=MESSAGES_IN_HAND,
        grace_seconds=settings.shutdown_grace_seconds,
    ).run()
