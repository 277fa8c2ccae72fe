"""What the OpenAPI document says beyond what FastAPI derives from the routes: bodies, problems, headers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from ace.api import problems
from ace.api.intake import BulkLine, CheckIn, FilingIn, KeyIn, ReplaysIn
from ace.api.schemas import Problem

_OF_EVERY_KEY: Final = frozenset({401, 403, 429, 503})
_REASONS: Final = {
    400: "Not JSON, or not UTF-8.",
    401: "No key, or an invalid one.",
    403: "The key lacks the required scope, which WWW-Authenticate names.",
    404: "It does not exist, or it belongs to another tenant.",
    408: "The body arrived too slowly.",
    409: "The tenant has the maximum number of keys, or the key would revoke itself.",
    413: "A claim, the claim set or the body is too long.",
    415: "The body has an unsupported media type.",
    422: "A field, parameter or header is invalid.",
    429: "Too many requests with this key (`too_many_requests`), too much of the tenant's in this process's"
    " memory (`too_many_bytes`), too many of its requests waiting (`too_many_waits`), or its claims still"
    " being checked (`too_many_checks`); see Retry-After.",
    503: "A required part cannot be reached; see Retry-After.",
}
_BACKLOG: Final = (
    "Too many requests with this key (`too_many_requests`), too much of the tenant's in this process's memory"
    " (`too_many_bytes`), too many claims of the tenant waiting for a verdict (`backlog_full`), or its claims"
    " still being read (`too_many_checks`); see Retry-After."
)
_RETRY_AFTER: Final = {
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
}
_CHALLENGE: Final = {
    "WWW-Authenticate": {
        "description": "The required scheme and scope (RFC 6750).",
        "schema": {"type": "string"},
    }
}
_HEADERS: Final = {401: _CHALLENGE, 403: _CHALLENGE, 429: _RETRY_AFTER, 503: _RETRY_AFTER}


def takes(
    model: str,
    media_type: str = "application/json",
    *,
    files: Mapping[str, str | None] = MappingProxyType({}),
    **more: Any,
) -> dict[str, Any]:
    """`openapi_extra` of a route that reads its own body; `model` is one that `document` tells of.

    `files` are media types that it takes as they are, each with an example where it has one.
    """
    schema = {"$ref": f"#/components/schemas/{model}"}
    content: dict[str, Any] = {media_type: {"schema": schema, **more}}
    for file, example in files.items():
        content[file] = {"schema": {"description": "The file, unchanged.", "contentMediaType": file}}
        if example is not None:
            content[file]["example"] = example
    return {"requestBody": {"required": True, "content": content}}


def answers(
    *refusals: int, headers: dict[str, str] | None = None, status: int = 200, stores: bool = False
) -> dict[Any, Any]:
    """`responses` of a route that wants a key: the headers of its good answer, the problems it may give.

    `stores` where it adds to the backlog, which has a bound.
    """
    schema = {"$ref": "#/components/schemas/Problem"}
    told: dict[Any, Any] = {}
    for code in sorted(_OF_EVERY_KEY.union(refusals)):
        reason = _BACKLOG if stores and code == 429 else _REASONS[code]
        example = problems.example(code, reason)
        told[code] = {
            "description": reason,
            "content": {problems.MEDIA_TYPE: {"schema": schema, "example": example}},
            **({"headers": _HEADERS[code]} if code in _HEADERS else {}),
        }
    if headers:
        told[status] = {
            "headers": {
                name: {"description": words, "schema": {"type": "string"}} for name, words in headers.items()
            }
        }
    return told


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the models of the bodies that routes read by themselves."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        models = [(model, "validation") for model in (FilingIn, CheckIn, BulkLine, ReplaysIn, KeyIn, Problem)]
        _, ours = models_json_schema(models, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
        made["components"]["schemas"].update(ours["$defs"])
        app.openapi_schema = made
    return app.openapi_schema
