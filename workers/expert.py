"""The expert worker: threads that wait for the expert, one claim per message of the queue `slow`."""

import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from sqlalchemy import Engine

from ace import flow
from ace.errors import ExpertPermanent, ExpertTransient, NotConfigured, Unavailable
from ace.expert.client.control import ControlledExpert
from ace.expert.client.dialects import Dialect
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.opinions import Expert, Opinions
from ace.expert.prompt.copt import PROMPT, PROMPTS
from ace.flow.observer import NOBODY
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import Stage
from ace.types.endpoints import Endpoint
from ace.workers.app import database_url
from ace.workers.messages import Dropped
from ace.workers.metrics import WorkMetrics, count_dropped
from ace.workers.metrics import serve as serve_metrics
from ace.workers.serving import checks_of, serve, worker_name

log = logging.getLogger(__name__)

PART: Final = "expert-worker"

CHECK_PROCESSES: Final = 2
"""The rules run once beside each examination, which takes much longer: one that takes long leaves one."""

LOOK_AGAIN_SECONDS: Final = 30.0
"""How long a worker waits before it looks again at a server that did not answer."""


def main(settings: Settings) -> int:
    """The process `ace worker slow`."""
    experts = {endpoint.name: expert_of(settings, endpoint) for endpoint in settings.endpoints()}
    if not experts:
        raise NotConfigured(
            "ACE_EXPERT_URL is not set: name an LLM server, or use `ace up`, which starts an examiner"
        )
    # A connection for every thread, and one for the keeper of their leases.
    db = connect_engine(
        database_url(settings), name=worker_name(Stage.SLOW), pool=settings.expert_threads + 1
    )
    threading.Thread(target=introduce, args=(db, experts), name="introduce", daemon=True).start()
    seen = WorkMetrics(PART)
    serve_metrics(settings, seen.registry)
    return run(settings, db, experts, seen, count_dropped(seen.registry))


def introduce(
    db: Engine, experts: Mapping[str, ExpertClient], sleep: Callable[[float], None] = time.sleep
) -> None:
    """Reports what each server says about itself: all of them at once, and silent ones when they answer."""
    silent = dict(experts)
    first = True
    while silent:
        for name, expert in list(silent.items()):
            try:
                max_concurrent = expert.served().max_concurrent
                del silent[name]
            except (ExpertTransient, ExpertPermanent) as fault:
                log.warning("the expert does not answer", extra={"endpoint": name, "fault": fault.kind})
                if not first:
                    continue
                max_concurrent = None
            with suppress(Unavailable):  # until it is reported, the settings apply
                flow.report(db, name, max_concurrent=max_concurrent)
        first = False
        if silent:
            sleep(LOOK_AGAIN_SECONDS)


def expert_of(settings: Settings, endpoint: Endpoint) -> ExpertClient:
    """The client of one server of the expert. Raises NotConfigured if a setting cannot be used."""
    prompt = PROMPTS[settings.expert_prompt]
    token = settings.expert_token.get_secret_value() if settings.expert_token else None
    dialect = endpoint.dialect or settings.expert_dialect
    if dialect not in {"auto", *Dialect}:
        raise NotConfigured(
            f"endpoint {endpoint.name}: the dialect must be auto or one of {', '.join(Dialect)}"
        )
    return ExpertClient(
        endpoint.url,
        dialect="auto" if dialect == "auto" else Dialect(dialect),
        model=settings.expert_model or None,
        token=endpoint.token or token,
        ca_file=settings.expert_ca_file,
        timeout_seconds=settings.expert_timeout_seconds,
        max_tokens=settings.expert_max_tokens,
        max_answer_bytes=settings.expert_max_answer_bytes,
        attempts=settings.expert_attempts,
        budget_seconds=settings.expert_budget_seconds,
        prompt=prompt,
        shorter=None if prompt is PROMPT else PROMPT,
    )


def run(
    settings: Settings,
    db: Engine,
    experts: Mapping[str, Expert],
    observer: flow.Observer = NOBODY,
    dropped: Dropped | None = None,
) -> int:
    """Serves the queue `slow` until told to stop; `experts` are the servers by name."""
    controlled = {name: ControlledExpert(expert, name) for name, expert in experts.items()}
    checks = checks_of(settings, CHECK_PROCESSES)
    examine = partial(
        flow.examine,
        db,
        experts=controlled,
        checks=checks,
        rng=random.Random(),
        opinions=Opinions(settings.expert_opinions, settings.expert_budget_seconds),
        observer=observer,
    )
    try:
        return serve(settings, db, Stage.SLOW, examine, concurrency=settings.expert_threads, dropped=dropped)
    finally:
        checks.close()
