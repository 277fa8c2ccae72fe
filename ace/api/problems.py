"""Refusals and faults as RFC 9457 problem documents; the one place that knows their HTTP statuses.

A problem names the field and the limit, never the value: claims are secret, and whatever a client
sent may be one. `instance` is a fresh id that the log line of a fault carries too.
"""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Literal
from uuid import UUID, uuid4

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from ace.errors import AceError, Conflict, NotFound, Refused, Unavailable

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 2
LISTED_ERRORS: Final = 20
NAME_CHARACTERS: Final = 100  # of an unknown field, which is the client's own text

UNION_TAGS: Final = frozenset({"<text>", "<list>"})  # of `claims` in intake; no part of a pointer

STATUSES: Final[Mapping[str, int]] = {
    "unauthorised": 401,
    "malformed_json": 400,
    "invalid_utf8": 400,
    "unsupported_media_type": 415,
    "slow_body": 408,
    "body_too_large": 413,
    "line_too_long": 413,
    "claim_too_long": 413,
    "set_too_long": 413,
    "too_many_claims": 413,
    "too_many_values": 413,
}
"""Status by code of a refusal; every other refusal is a 422."""

# pydantic's error types: our words for them. What is not here reads "does not fit".
_WORDS: Final = {
    "missing": "is required",
    "extra_forbidden": "is no known field",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_parsing": "must be an integer",
    "int_from_float": "must be an integer",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "uuid_parsing": "must be a UUID",
    "uuid_type": "must be a UUID",
    "string_too_short": "is too short",
    "string_too_long": "is too long",
    "too_long": "has too many entries",
    "too_short": "has too few entries",
    "greater_than_equal": "is too small",
    "less_than_equal": "is too large",
    "timezone_aware": "must carry a time zone",
}
_LIMITS: Final = ("max_length", "min_length", "le", "ge", "limit")


class RefusedPart(Refused):
    """A refusal of a query parameter or a header, which no JSON pointer can name."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        part: Literal["parameter", "header"],
        name: str,
        limit: int | str | None = None,
    ) -> None:
        super().__init__(message, code=code, limit=limit)
        self.part = part
        self.name = name


class Invalid(AceError):
    """A body that breaks its model; `document` is the problem to answer with."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(document["detail"])
        self.document = document


def problem(status: int, code: str, detail: str, errors: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """A problem document (RFC 9457, section 3) with the extension `errors`."""
    document: dict[str, Any] = {
        "type": f"urn:ace:problem:{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "instance": f"urn:uuid:{uuid4()}",
    }
    if errors:
        document["errors"] = list(errors)
    return document


def of_refusal(refused: Refused) -> dict[str, Any]:
    """The problem of bad input at an edge."""
    return problem(STATUSES.get(refused.code, 422), refused.code, refused.message, _entries(refused))


def _entries(refused: Refused) -> list[dict[str, Any]]:
    entry: dict[str, Any] = {}
    if isinstance(refused, RefusedPart):
        entry[refused.part] = refused.name
    elif refused.pointer is not None:
        entry["pointer"] = refused.pointer
    else:
        return []
    entry |= {"code": refused.code, "detail": refused.message}
    if refused.limit is not None:
        entry["limit"] = refused.limit
    return [entry]


def of_validation(errors: Iterable[ErrorDetails], *, part: str = "pointer") -> dict[str, Any]:
    """The problem of what pydantic refused. `part` says what the first step of a place stands for."""
    entries = [_entry(error, part) for error in errors]
    large = all(entry["code"] == "too_long" for entry in entries)
    listed = entries[:LISTED_ERRORS]
    count = len(entries)
    detail = f"{count} field does not fit" if count == 1 else f"{count} fields do not fit"
    return problem(413 if large else 422, "invalid_input", detail, listed)


def _entry(error: ErrorDetails, part: str) -> dict[str, Any]:
    steps = [str(step)[:NAME_CHARACTERS] for step in error["loc"] if step not in UNION_TAGS]
    context = error.get("ctx", {})
    known = error["type"] in _WORDS
    if part == "pointer":
        name = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)
    else:
        name = "/".join(steps)
    if error["type"] in {"enum", "literal_error"}:
        words = f"must be one of {context['expected']}"
    elif known:
        words = _WORDS[error["type"]]
    else:
        # Our own validators word their errors themselves; pydantic's other ones may quote.
        words = error["msg"] if context.get("ours") else "does not fit"
    entry: dict[str, Any] = {part: name, "code": error["type"], "detail": words}
    limit = next((context[key] for key in _LIMITS if key in context), None)
    return entry if limit is None else {**entry, "limit": limit}


def respond(document: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """The HTTP response that carries a problem."""
    return Response(
        json.dumps(document),
        status_code=document["status"],
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def unavailable(part: str) -> dict[str, Any]:
    """The problem of a part that cannot be reached now."""
    return problem(503, "unavailable", f"{part} cannot be reached now; try again")


def unexpected() -> dict[str, Any]:
    """The problem of a fault of ours; what it was stands in the log under the same `instance`."""
    return problem(500, "internal_error", "ACE failed to answer; the fault was logged")


def example(status: int, detail: str) -> dict[str, Any]:
    """A problem as the OpenAPI document shows it: always the same."""
    code = HTTPStatus(status).phrase.lower().replace(" ", "_")
    return {**problem(status, code, detail), "instance": f"urn:uuid:{UUID(int=0)}"}


def install(app: FastAPI) -> None:
    """Lets every error that ACE raises on purpose leave as a problem."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        document = of_refusal(error)
        challenge = {"WWW-Authenticate": 'Bearer realm="ace"'} if document["status"] == 401 else {}
        return respond(document, challenge)

    @app.exception_handler(Invalid)
    async def unfit(_: Request, error: Invalid) -> Response:
        return respond(error.document)

    @app.exception_handler(NotFound)
    async def not_found(_: Request, __: NotFound) -> Response:
        return respond(problem(404, "not_found", "there is no such thing"))

    @app.exception_handler(Conflict)
    async def conflict(_: Request, error: Conflict) -> Response:
        return respond(of_conflict(error))

    @app.exception_handler(Unavailable)
    async def away(_: Request, error: Unavailable) -> Response:
        return respond(unavailable(error.part), {"Retry-After": str(RETRY_AFTER_SECONDS)})

    @app.exception_handler(OperationalError)
    async def collided(_: Request, __: OperationalError) -> Response:
        return respond(unavailable("postgres"), {"Retry-After": str(RETRY_AFTER_SECONDS)})

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return respond(_of_request(error.errors()))

    @app.exception_handler(HTTPException)
    async def routing(_: Request, error: HTTPException) -> Response:
        words = HTTPStatus(error.status_code).phrase
        code = words.lower().replace(" ", "_")
        return respond(problem(error.status_code, code, words), error.headers)


def of_conflict(error: Conflict, **place: str) -> dict[str, Any]:
    """The problem of an idempotency key that was used again with another body.

    `place` is where the key stood, if not in the header: `pointer="/idempotency_key"`.
    """
    where = place or {"header": "Idempotency-Key"}
    entry = {**where, "code": "idempotency_key_reused", "detail": str(error)}
    return problem(422, "idempotency_key_reused", str(error), [entry])


def _of_request(errors: Sequence[Any]) -> dict[str, Any]:
    """Query parameters and headers: the first step of their place says which they are."""
    inner = [{**error, "loc": error["loc"][1:]} for error in errors]
    part = "header" if {error["loc"][0] for error in errors} == {"header"} else "parameter"
    return of_validation(inner, part=part)  # type: ignore[arg-type]  # same shape, shorter places
