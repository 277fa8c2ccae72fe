"""The API as one ASGI application, and the process that serves it.

Everything is created here and passed down; importing this module has no effect.
"""

import gc
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import uvicorn
from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from sqlalchemy import Engine

import ace
from ace import claim_work, tracing
from ace.api import (
    bulk,
    checks,
    evaluations,
    events,
    experts,
    exports,
    filing_pages,
    filings,
    handlers,
    jobs,
    keys,
    models,
    openapi,
    operations,
    overview,
    pauses,
    reviews,
    terms,
    webhooks,
)
from ace.api.budget import Budget
from ace.api.heads import Heads
from ace.api.key_uses import KeyUses
from ace.api.metrics import HttpMetrics, Observed
from ace.api.parts import Parts
from ace.api.request_ids import RequestIds
from ace.api.turns import Turns
from ace.api.watcher import Watcher
from ace.bounded import Bounded
from ace.errors import NotConfigured
from ace.settings import Settings
from ace.store.database import Announcer, Listener, connect_engine

CONNECTIONS: Final = 20
CHECK_PROCESSES: Final = 2
CHECK_NICENESS: Final = 10  # whoever polls comes first
WATCH_CONNECTIONS: Final = 4
GRACE_SECONDS: Final = 10

DESCRIPTION: Final = """Checks patent claims for defects under 35 U.S.C. 112.

Submit a claim set, then wait for the verdicts of its evaluations; or check claims with the rules alone,
immediately and without filing them. Errors are problem documents (RFC 9457) that name the field and the
limit. An id that does not exist or belongs to another tenant gives 404. Unknown query parameters and
fields are rejected. Keys are scoped: a route outside a key's scopes gives 403. Too many requests,
waiting claims, waits or bytes at once give 429 with Retry-After. Every answer has an X-Request-Id, that of
the request if it has one (1 to 64 letters, digits, `.`, `_`, `:` or `-`)."""


def create_app(
    settings: Settings,
    db: Engine,
    watch: Engine,
    rules: Bounded,
    *,
    ping: Callable[[], None] | None = None,
) -> FastAPI:
    """The API over two engines: `db` sees the rows of one tenant at a time, `watch` all states.

    `rules` reads and checks claims; whoever made it closes it. `ping` raises when the broker cannot serve;
    it is for those who watch, since submissions do not need the broker.
    """
    url = watch.url.set(drivername="postgresql").render_as_string(hide_password=False)
    listener = Listener(url, name="ace api watcher")
    watcher = Watcher(watch, listener, tenant_waits=settings.tenant_waits)
    announcer = Announcer(watch)
    key_uses = KeyUses(db)
    budget = Budget(settings.buffered_bytes, settings.tenant_buffered_bytes)
    metrics = HttpMetrics(watch, budget, ping)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        watcher.start()
        announcer.start()
        try:
            yield
        finally:
            announcer.stop()
            watcher.stop()
            key_uses.close()

    app = FastAPI(
        title="ACE",
        version=ace.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url=None,  # a route of our own serves it
        docs_url=None,  # the default pages load scripts from other hosts; the desk has one that does not
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_telemetry(),
    )
    app.state.parts = Parts(
        settings=settings,
        db=db,
        lookups=db.execution_options(isolation_level="AUTOCOMMIT"),
        watch=watch,
        watcher=watcher,
        announcer=announcer,
        key_uses=key_uses,
        metrics=metrics,
        budget=budget,
        turns=Turns(rules),
        ping=ping,
    )
    app.add_middleware(Heads)
    app.add_middleware(Observed, metrics=metrics, access_log=settings.access_log)
    app.add_middleware(RequestIds)
    handlers.install(app)
    for routes in (
        operations,
        bulk,
        checks,
        filings,
        filing_pages,
        exports,
        evaluations,
        reviews,
        terms,
        events,
        experts,
        keys,
        webhooks,
        pauses,
        jobs,
        models,
        overview,
    ):
        app.include_router(routes.router)
    app.openapi = lambda: openapi.document(app)  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def _telemetry() -> TelemetryConfig:
    """A span for each request if this process makes any, and nothing else: FastAPI's logs quote errors, its
    environment may not name another receiver, and metrics are ours."""
    provider = tracing.provider()
    return {
        "tracing": provider is not None,
        "tracer_provider": provider,
        "operation_spans": False,
        "metrics": False,
        "logs": False,
        "auto_configure": False,
    }


class _Server(uvicorn.Server):
    """Ends long polls before it waits for their requests to end."""

    def __init__(self, config: uvicorn.Config, watcher: Watcher) -> None:
        super().__init__(config)
        self._watcher = watcher

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._watcher.release()
        await super().shutdown(sockets)


def rules_of(settings: Settings) -> Bounded:
    """The processes that read and check claims."""
    return Bounded(
        processes=CHECK_PROCESSES,
        cpu_seconds=settings.check_seconds,
        warm=claim_work.warm,
        niceness=CHECK_NICENESS,
    )


def serve(
    settings: Settings, listeners: list[socket.socket], *, install: Callable[[FastAPI], object]
) -> None:
    """Serves until SIGTERM or SIGINT on these listening sockets. `install` adds the pages of the desk.

    Raises NotConfigured without a database or a private secret.
    """
    if settings.database_url is None:
        raise NotConfigured("ACE_DATABASE_URL is not set")
    settings.private_secrets()
    url = settings.database_url.get_secret_value()
    broker = settings.broker_url
    db = connect_engine(url, name="ace api", pool=CONNECTIONS, role="ace_api")
    watch = connect_engine(url, name="ace api watch", pool=WATCH_CONNECTIONS, role="ace_watch")
    ping = operations.redis_ping(broker.get_secret_value()) if broker else None
    rules = rules_of(settings)
    app = create_app(settings, db, watch, rules, ping=ping)
    install(app)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    gc.collect()
    gc.freeze()  # what is there now stays: looking at it again and again would hold up requests
    try:
        _Server(config, app.state.parts.watcher).run(listeners)
    finally:
        rules.close()
        db.dispose()
        watch.dispose()
