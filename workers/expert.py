"""The expert worker: threads that wait for the expert, one claim per message of the queue `slow`."""

import random
from uuid import UUID

from sqlalchemy import Engine

from ace import flow
from ace.errors import NotConfigured
from ace.expert.client import ExpertClient
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import Stage
from workers.app import database_url, make_app
from workers.leases import Keeper
from workers.serving import Service, worker_name


def main(settings: Settings) -> int:
    """The process `ace worker slow`."""
    if settings.expert_url is None:
        raise NotConfigured(
            "ACE_EXPERT_URL is not set: name a TGI server, or use `ace up`, which starts an examiner"
        )
    expert = ExpertClient(
        settings.expert_url,
        token=settings.expert_token.get_secret_value() if settings.expert_token else None,
        ca_file=settings.expert_ca_file,
        timeout_seconds=settings.expert_timeout_seconds,
        max_tokens=settings.expert_max_tokens,
        attempts=settings.expert_attempts,
        budget_seconds=settings.expert_budget_seconds,
    )
    # A connection for every thread, and one for the keeper of their leases.
    db = connect_engine(
        database_url(settings), name=worker_name(Stage.SLOW), pool=settings.expert_threads + 1
    )
    return run(settings, db, expert)


def run(settings: Settings, db: Engine, expert: flow.Expert) -> int:
    """Serves the queue `slow` until told to stop."""
    name = worker_name(Stage.SLOW)
    keeper = Keeper(
        db,
        lease_seconds=settings.slow_lease_seconds,
        hold_seconds=settings.slow_hold_seconds,
        worker=name,
    )
    rng = random.Random()

    def work(token: UUID) -> bool:
        return flow.examine(
            db,
            token,
            expert,
            keeper.holding,
            lease_seconds=settings.slow_lease_seconds,
            worker=name,
            rng=rng,
        )

    return Service(
        make_app(settings),
        db,
        keeper,
        work,
        stage=Stage.SLOW,
        concurrency=settings.expert_threads,
        grace_seconds=settings.shutdown_grace_seconds,
    ).run()
