"""Turns every error that ACE raises on purpose into its problem document."""

import logging
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from ace.api.codings import GZIP
from ace.api.heads import HEAD
from ace.api.problems import (
    RETRY_AFTER_SECONDS,
    Forbidden,
    excess,
    of_conflict,
    of_refusal,
    problem,
    respond,
    unavailable,
)
from ace.api.validation import Invalid, of_request
from ace.errors import Conflict, NotFound, Refused, TooMuch, Unavailable
from ace.types import outages

log = logging.getLogger(__name__)

_UNROUTED: Final = {404: "not_found", 405: "method_not_allowed"}

REPORT_SECONDS: Final = 10.0  # between two log lines about the same outage, however many ask


def install(app: FastAPI) -> None:
    """Registers a handler for every error that ACE raises on purpose."""
    app.state.reported = {}  # when which outage was last logged
    for kind, answer in ANSWERS.items():
        app.add_exception_handler(kind, _on_the_event_loop(answer))


def answer_to(request: Request, error: Exception) -> Response:
    """The response to an error of one of the kinds in `ANSWERS`."""
    answer = next(answer for kind, answer in ANSWERS.items() if isinstance(error, kind))
    return answer(request, error)


Answer = Callable[[Request, Any], Response]


def _on_the_event_loop(answer: Answer) -> Callable[[Request, Exception], Awaitable[Response]]:
    """The answer as a coroutine: Starlette would give a plain function a thread of the pool."""

    async def handle(request: Request, error: Exception) -> Response:
        return answer(request, error)

    return handle


def _refused(_: Request, error: Any) -> Response:
    document = of_refusal(error)
    status = document["status"]
    taken = {"Accept-Encoding": GZIP} if status == HTTPStatus.UNSUPPORTED_MEDIA_TYPE else {}
    return respond(document, _challenge(status, error) | taken)


def _unavailable(request: Request, error: Any) -> Response:
    if isinstance(error, Unavailable):
        part, cause = error.part, error.cause
    else:
        part, cause = "postgres", outages.of_postgres(error.orig)
    document = unavailable(part, cause)
    now, reported = time.monotonic(), request.app.state.reported
    if now - reported.get((part, cause), -REPORT_SECONDS) >= REPORT_SECONDS:
        reported[part, cause] = now
        told = {"part": part, "cause": cause, "instance": document["instance"]}
        log.warning("a part cannot serve", extra=told)
    return respond(document, {"Retry-After": str(RETRY_AFTER_SECONDS)})


def _unrouted(request: Request, error: Any) -> Response:
    words = HTTPStatus(error.status_code).phrase
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        # The router names the methods of one route only, but a path may have several.
        path = getattr(request.scope.get("route"), "path_format", "")
        if methods := request.app.openapi()["paths"].get(path):
            named = [method.upper() for method in methods]
            headers["Allow"] = ", ".join([*named, *([HEAD] if "GET" in named else [])])
    return respond(problem(_UNROUTED[error.status_code], words), headers)


ANSWERS: Final[dict[type[Exception], Answer]] = {
    Refused: _refused,
    Invalid: lambda _, error: respond(error.document),
    NotFound: lambda *_: respond(problem("not_found", "not found")),
    Conflict: lambda _, error: respond(of_conflict(error)),
    TooMuch: lambda _, error: excess(error),
    Unavailable: _unavailable,
    OperationalError: _unavailable,
    RequestValidationError: lambda _, error: respond(of_request(error.errors())),
    HTTPException: _unrouted,
}


def _challenge(status: int, error: Refused) -> dict[str, str]:
    """The WWW-Authenticate header for a refused key (RFC 6750, section 3)."""
    if isinstance(error, Forbidden):
        words = f'Bearer realm="ace", error="insufficient_scope", scope="{error.scope}"'
        return {"WWW-Authenticate": words}
    return {"WWW-Authenticate": 'Bearer realm="ace"'} if status == 401 else {}
