"""Turns every error that ACE raises on purpose into its problem document."""

from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from ace.api.problems import (
    RETRY_AFTER_SECONDS,
    Forbidden,
    of_conflict,
    of_excess,
    of_refusal,
    problem,
    respond,
    unavailable,
)
from ace.api.validation import Invalid, of_request
from ace.errors import Conflict, NotFound, Refused, TooMuch, Unavailable


def install(app: FastAPI) -> None:
    """Registers a handler for every error that ACE raises on purpose."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        document = of_refusal(error)
        return respond(document, _challenge(document["status"], error))

    @app.exception_handler(Invalid)
    async def unfit(_: Request, error: Invalid) -> Response:
        return respond(error.document)

    @app.exception_handler(NotFound)
    async def not_found(_: Request, __: NotFound) -> Response:
        return respond(problem(404, "not_found", "not found"))

    @app.exception_handler(Conflict)
    async def conflict(_: Request, error: Conflict) -> Response:
        return respond(of_conflict(error))

    @app.exception_handler(TooMuch)
    async def too_much(_: Request, error: TooMuch) -> Response:
        document = of_excess(error)
        return respond(document, {"Retry-After": str(document["retry_after"])})

    @app.exception_handler(Unavailable)
    async def away(_: Request, error: Unavailable) -> Response:
        return respond(unavailable(error.part), {"Retry-After": str(RETRY_AFTER_SECONDS)})

    @app.exception_handler(OperationalError)
    async def collided(_: Request, __: OperationalError) -> Response:
        return respond(unavailable("postgres"), {"Retry-After": str(RETRY_AFTER_SECONDS)})

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return respond(of_request(error.errors()))

    @app.exception_handler(HTTPException)
    async def routing(request: Request, error: HTTPException) -> Response:
        words = HTTPStatus(error.status_code).phrase
        code = words.lower().replace(" ", "_")
        headers = dict(error.headers or {})
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            # The router names the methods of one route only, but a path may have several.
            path = getattr(request.scope.get("route"), "path_format", "")
            if told := app.openapi()["paths"].get(path):
                headers["Allow"] = ", ".join(method.upper() for method in told)
        return respond(problem(error.status_code, code, words), headers)


def _challenge(status: int, error: Refused) -> dict[str, str]:
    """The WWW-Authenticate header for a refused key (RFC 6750, section 3)."""
    if isinstance(error, Forbidden):
        words = f'Bearer realm="ace", error="insufficient_scope", scope="{error.scope}"'
        return {"WWW-Authenticate": words}
    return {"WWW-Authenticate": 'Bearer realm="ace"'} if status == 401 else {}
