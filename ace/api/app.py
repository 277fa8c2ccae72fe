"""The API as one ASGI application, and the process that serves it.

Everything is made here and handed down; importing this module does nothing.
"""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from sqlalchemy import Engine

import ace
from ace.api import bulk, evaluations, filings, operations, problems
from ace.api.intake import BulkLine, FilingIn, ReplaysIn
from ace.api.metrics import HttpMetrics, Observed
from ace.api.parts import Parts
from ace.api.schemas import Problem
from ace.api.watcher import Watcher
from ace.errors import NotConfigured
from ace.settings import Settings
from ace.store.database import Listener, connect_engine

CONNECTIONS: Final = 20
GRACE_SECONDS: Final = 10

DESCRIPTION: Final = """Checks patent claims for defects under 35 U.S.C. 112.

Submit a claim set, then wait for the verdicts of its evaluations. Errors are problem documents
(RFC 9457) that name the field and the limit. An id that is not yours, or no UUID, is a 404.
Query parameters and fields that are not described here are refused."""


def create_app(settings: Settings, db: Engine, *, ping: Callable[[], None] | None = None) -> FastAPI:
    """The API over `db`. `ping` raises when the broker is away; it is asked by /readyz alone."""
    url = db.url.set(drivername="postgresql").render_as_string(hide_password=False)
    watcher = Watcher(db, Listener(url, name="ace api watcher"))
    metrics = HttpMetrics(db)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        watcher.start()
        try:
            yield
        finally:
            watcher.stop()

    app = FastAPI(
        title="ACE",
        version=ace.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # pages that load scripts from elsewhere have no place beside secrets
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.parts = Parts(settings=settings, db=db, watcher=watcher, metrics=metrics, ping=ping)
    app.add_middleware(Observed, metrics=metrics)
    problems.install(app)
    for routes in (operations, bulk, filings, evaluations):
        app.include_router(routes.router)
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the models of the bodies that routes read by themselves."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        models = [(model, "validation") for model in (FilingIn, BulkLine, ReplaysIn, Problem)]
        _, ours = models_json_schema(models, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
        document["components"]["schemas"].update(ours["$defs"])
        app.openapi_schema = document
    return app.openapi_schema


class _Server(uvicorn.Server):
    """Ends the waits of long polls before it waits for their requests to end."""

    def __init__(self, config: uvicorn.Config, watcher: Watcher) -> None:
        super().__init__(config)
        self._watcher = watcher

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._watcher.release()
        await super().shutdown(sockets)


def serve(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT. Raises NotConfigured where no database is named."""
    if settings.database_url is None:
        raise NotConfigured("ACE_DATABASE_URL is not set")
    broker = settings.broker_url
    db = connect_engine(settings.database_url.get_secret_value(), name="ace api", pool=CONNECTIONS)
    ping = operations.redis_ping(broker.get_secret_value()) if broker else None
    app = create_app(settings, db, ping=ping)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    try:
        _Server(config, app.state.parts.watcher).run()
    finally:
        db.dispose()
