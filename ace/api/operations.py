"""Routes for operators and programs: liveness, readiness, metrics, descriptions. None needs a key."""

import logging
from collections.abc import Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client.exposition import CONTENT_TYPE_LATEST, choose_encoder
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ace.api import problems
from ace.api.metrics import fault
from ace.api.openapi import refusals
from ace.api.parts import Here, Nothing, Parts
from ace.api.problem_types import NOT_FOUND, TYPES, ProblemType, named
from ace.api.queries import refuse_ambiguous
from ace.errors import NotFound, Unavailable
from ace.store.database import refuse_unfit, transact
from ace.store.schema import is_newest
from ace.store.tables import QUEUES
from ace.types import outages

log = logging.getLogger(__name__)

router = APIRouter(tags=["operations"], dependencies=[Depends(refuse_ambiguous)])

OK: Final = "ok"
PING_SECONDS: Final = 1.0
PROBE: Final = "ace.probe"
"""The key that is written, and deleted at once, to see whether the broker takes messages."""
_QUERY: Final = named("invalid_input")


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


@router.get("/healthz", operation_id="healthz", summary="Liveness", responses=refusals(*_QUERY))
async def healthz(_: Nothing) -> Alive:
    """Checks no other part."""
    return Alive()


@router.get(
    "/readyz",
    operation_id="readyz",
    summary="Readiness",
    response_model=Ready,
    responses=refusals(*_QUERY, *named("not_ready")),
)
def readyz(parts: Here, _: Nothing) -> Ready | Response:
    """Checks the database (whether it can be reached, keeps ACE's settings and took the last filing), its
    schema version, and the broker; submissions need only the first two."""
    states = {"postgres": OK, "schema": OK}
    try:
        if not transact(parts.watch, _usable):
            states["schema"] = "outdated"
    except Unavailable as error:
        states = {"postgres": error.cause, "schema": "unknown"}
    except DBAPIError as error:
        states = {"postgres": outages.of_postgres(error.orig), "schema": "unknown"}
    if states["postgres"] == OK:
        states["postgres"] = parts.refused_writes.cause() or OK
    broker = broker_state(parts)
    if broker is not None:
        states["broker"] = broker
    missing = [part for part, state in states.items() if state not in {OK, "unknown"}]
    if missing:
        first = missing[0]
        words = ", ".join(outages.words(part, states[part]) for part in missing)
        document = problems.problem("not_ready", f"not ready: {words}")
        headers = {"Retry-After": str(problems.RETRY_AFTER_SECONDS)}
        more = {"part": first, "cause": states[first], "missing": missing}
        return problems.respond({**document, **more}, headers)
    return Ready(parts=states)


def _usable(connection: Connection) -> bool:
    """Whether the schema is the newest. Raises Unavailable if the database would not do as ACE asks."""
    refuse_unfit(connection)
    return is_newest(connection)


def broker_state(parts: Parts) -> str | None:
    """`OK`, or why the broker cannot serve (a cause of types.outages); None if none is set."""
    if parts.ping is None:
        return None
    try:
        parts.ping()
    except Exception as error:
        cause = outages.of_redis(error)
        log.warning("the broker cannot serve", extra={"cause": cause, **fault(error)})
        return cause
    return OK


def redis_ping(url: str) -> Callable[[], None]:
    """A callable that raises when the Redis at `url` does not answer within a second, takes no messages, or
    holds something else than messages under the name of a queue."""
    import redis

    client = redis.Redis.from_url(url, socket_timeout=PING_SECONDS, socket_connect_timeout=PING_SECONDS)

    def ping() -> None:
        with client.pipeline(transaction=True) as asked:  # nobody sees what it writes, and it leaves nothing
            asked.delete(PROBE)
            asked.lpush(PROBE, "")
            asked.delete(PROBE)
            for queue in QUEUES:
                asked.llen(queue)
            asked.execute()

    return ping


@router.get(
    "/metrics",
    operation_id="metrics",
    summary="Metrics in the Prometheus text format",
    response_class=Response,
    responses={
        **refusals(*_QUERY),
        200: {
            "description": "Requests of this process, and evaluations and leases of the database.",
            "content": {
                CONTENT_TYPE_LATEST: {
                    "schema": {"type": "string"},
                    "example": 'ace_evaluations{state="queued",decided_by=""} 12.0\n',
                }
            },
        },
    },
)
def metrics(request: Request, parts: Here, _: Nothing) -> Response:
    """Also answers while the database is down (`ace_database_up` 0). Whoever accepts OpenMetrics gets that,
    with traces as exemplars."""
    encode, media_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(parts.metrics.registry), media_type=media_type)


def _described(kind: ProblemType) -> dict[str, Any]:
    shown = {"type": kind.uri, **kind._asdict()}
    del shown["slug"]
    return shown


class ProblemDescription(BaseModel):
    """One type of problem."""

    model_config = ConfigDict(json_schema_extra={"examples": [_described(NOT_FOUND)]})

    type: str = Field(description="The `type` of problems of this kind.")
    title: str
    status: int
    meaning: str
    remedy: str = Field(description="What the client can do.")


@router.get(
    "/problems/{slug}",
    operation_id="describe_problem",
    summary="What a type of problem means",
    responses=refusals(NOT_FOUND, *_QUERY),
)
async def describe(slug: Annotated[str, Path(examples=[NOT_FOUND.slug])], _: Nothing) -> ProblemDescription:
    """The `type` of a problem document leads here."""
    if slug not in TYPES:
        raise NotFound("no such type of problem")
    return ProblemDescription.model_validate(_described(TYPES[slug]))


@router.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request) -> Response:
    """The description of this API. A route like the others, so that it is counted like them."""
    return JSONResponse(request.app.openapi())
