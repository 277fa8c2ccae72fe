"""The webhook worker: threads that send deliveries, the messages of the queue `webhooks`."""

import random
from functools import partial

from ace import flow
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import WEBHOOKS
from ace.webhooks.addresses import networks_of
from ace.webhooks.schedule import pauses_of
from ace.webhooks.sending import Reach, Receiver
from workers.app import database_url
from workers.metrics import registry_of
from workers.metrics import serve as serve_metrics
from workers.serving import serve, worker_name


def main(settings: Settings) -> int:
    """The process `ace worker webhooks`. Raises NotConfigured without a private ACE_SECRET, which secrets of
    webhooks come from."""
    # A connection for every thread, and one for the keeper of their leases.
    db = connect_engine(database_url(settings), name=worker_name(WEBHOOKS), pool=settings.webhook_threads + 1)
    serve_metrics(settings, registry_of("webhook-worker"))
    deliver = partial(
        flow.deliver,
        db,
        reached=partial(Receiver, reach=reach_of(settings)),
        master=settings.private_secret().encode(),
        schedule=pauses_of(settings.webhook_retry_seconds),
        rng=random.Random(),
    )
    return serve(settings, db, WEBHOOKS, deliver, concurrency=settings.webhook_threads)


def reach_of(settings: Settings) -> Reach:
    """What may be reached, by the settings."""
    return Reach(
        http=settings.webhook_http,
        networks=networks_of(settings.webhook_networks),
        ca_file=settings.webhook_ca_file,
        timeout_seconds=settings.webhook_timeout_seconds,
    )
