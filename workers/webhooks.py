"""The webhook worker: threads that send deliveries, the messages of the queue `webhooks`."""

import random
from functools import partial
from typing import Final

from ace import flow
from ace.processes import give_way
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import WEBHOOKS
from ace.webhooks.addresses import networks_of
from ace.webhooks.schedule import pauses_of
from ace.webhooks.sending import Reach, Receiver
from ace.workers.app import database_url
from ace.workers.metrics import count_dropped, registry_of
from ace.workers.metrics import serve as serve_metrics
from ace.workers.serving import serve, worker_name

PART: Final = "webhook-worker"
NICENESS: Final = 10
"""Deliveries may be late while claims are decided: on a busy machine, this process gets a tenth of what one
that decides gets."""


def main(settings: Settings) -> int:
    """The process `ace worker webhooks`. Raises NotConfigured without a private ACE_SECRET, which secrets of
    webhooks come from."""
    give_way(NICENESS)  # before threads are started, and after what takes long has been imported
    # A connection for every thread, and one for the keeper of their leases.
    db = connect_engine(database_url(settings), name=worker_name(WEBHOOKS), pool=settings.webhook_threads + 1)
    registry = registry_of(PART)
    dropped = count_dropped(registry)
    serve_metrics(settings, registry)
    deliver = partial(
        flow.deliver,
        db,
        reached=partial(Receiver, reach=reach_of(settings)),
        masters=settings.private_secrets(),
        schedule=pauses_of(settings.webhook_retry_seconds),
        rng=random.Random(),
    )
    return serve(settings, db, WEBHOOKS, deliver, concurrency=settings.webhook_threads, dropped=dropped)


def reach_of(settings: Settings) -> Reach:
    """What may be reached, by the settings."""
    return Reach(
        http=settings.webhook_http,
        networks=networks_of(settings.webhook_networks),
        ca_file=settings.webhook_ca_file,
        timeout_seconds=settings.webhook_timeout_seconds,
    )
