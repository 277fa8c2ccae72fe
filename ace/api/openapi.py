"""What the OpenAPI document tells beyond what FastAPI reads off the routes: bodies, refusals, headers."""

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
    400: "No JSON, or not in UTF-8.",
    401: "No key, or one that is not in force.",
    403: "The key lacks the scope that this needs; WWW-Authenticate names it.",
    404: "There is no such thing, or it is another tenant's.",
    408: "The body came too slowly.",
    409: "The tenant has as many keys as it may have, or the key is the one that asks.",
    413: "A claim, the claim set or the body is too long.",
    415: "The body is of another media type.",
    422: "A field, parameter or header does not fit.",
    429: "The key asks too often; see Retry-After.",
    503: "A part that is needed cannot be reached; see Retry-After.",
}
_BACKLOG: Final = (
    "The key asks too often (`too_many_requests`), or too many claims of the tenant wait for a verdict"
    " (`backlog_full`); see Retry-After."
)
_RETRY_AFTER: Final = {
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
}
_CHALLENGE: Final = {
    "WWW-Authenticate": {"description": "What is wanted (RFC 6750).", "schema": {"type": "string"}}
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
        content[file] = {"schema": {"description": "The file as it is.", "contentMediaType": file}}
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
