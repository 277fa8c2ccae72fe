"""Routes for operators and probes: liveness, readiness, metrics. None needs a key."""

import logging
from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, Response
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import DBAPIError

from ace.api import problems
from ace.api.metrics import fault
from ace.api.parts import Here, Nothing, Parts
from ace.errors import Unavailable
from ace.store.database import transact
from ace.store.schema import is_newest
from ace.types import outages

log = logging.getLogger(__name__)

router = APIRouter(tags=["operations"])

PING_SECONDS: Final = 1.0


class Alive(BaseModel):
    """The process answers."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "ok"}]})

    status: str = "ok"


class Ready(BaseModel):
    """Everything that the API needs can be reached."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "ok", "parts": {"postgres": "ok", "schema": "ok"}}]}
    )

    status: str = "ok"
    parts: dict[str, str]


@router.get("/healthz", operation_id="healthz", summary="Liveness")
async def healthz(_: Nothing) -> Alive:
    """Checks no other part."""
    return Alive()


_NOT_READY: Final = problems.example(503, "not ready: broker cannot be reached now") | {
    "part": "broker",
    "cause": outages.UNREACHABLE,
    "missing": ["broker"],
}


@router.get(
    "/readyz",
    operation_id="readyz",
    summary="Readiness",
    response_model=Ready,
    responses={
        503: {
            "description": "`missing` names the parts that are not ready.",
            "content": {
                problems.MEDIA_TYPE: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "example": _NOT_READY,
                }
            },
        }
    },
)
def readyz(parts: Here, _: Nothing) -> Ready | Response:
    """Checks the database, its schema version, and the broker; submissions need only the first two."""
    states = {"postgres": "ok", "schema": "ok"}
    try:
        if not transact(parts.watch, is_newest):
            states["schema"] = "outdated"
    except Unavailable as error:
        states = {"postgres": error.cause, "schema": "unknown"}
    except DBAPIError as error:
        states = {"postgres": outages.of_postgres(error.orig), "schema": "unknown"}
    if parts.ping is not None:
        states["broker"] = _pinged(parts.ping)
    missing = [part for part, state in states.items() if state not in {"ok", "unknown"}]
    if missing:
        first = missing[0]
        words = ", ".join(outages.words(part, states[part]) for part in missing)
        document = problems.problem(503, "not_ready", f"not ready: {words}")
        headers = {"Retry-After": str(problems.RETRY_AFTER_SECONDS)}
        more = {"part": first, "cause": states[first], "missing": missing}
        return problems.respond({**document, **more}, headers)
    return Ready(parts=states)


def _pinged(ping: Callable[[], None]) -> str:
    try:
        ping()
    except Exception as error:
        cause = outages.of_redis(error)
        log.warning("the broker cannot serve", extra={"cause": cause, **fault(error)})
        return cause
    return "ok"


def redis_ping(url: str) -> Callable[[], None]:
    """A callable that raises when the Redis at `url` does not answer within a second."""
    import redis

    client = redis.Redis.from_url(url, socket_timeout=PING_SECONDS, socket_connect_timeout=PING_SECONDS)

    def ping() -> None:
        client.ping()

    return ping


@router.get(
    "/metrics",
    operation_id="metrics",
    summary="Metrics in the Prometheus text format",
    response_class=Response,
    responses={
        200: {
            "description": "Requests of this process, and evaluations and leases of the database.",
            "content": {
                CONTENT_TYPE_LATEST: {
                    "schema": {"type": "string"},
                    "example": 'ace_evaluations{state="queued",decided_by=""} 12.0\n',
                }
            },
        }
    },
)
def metrics(parts: Here, _: Nothing) -> Response:
    """Also answers while the database is down (`ace_database_up` 0)."""
    return Response(_scraped(parts), media_type=CONTENT_TYPE_LATEST)


def _scraped(parts: Parts) -> bytes:
    return generate_latest(parts.metrics.registry)
