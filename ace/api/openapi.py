"""What the OpenAPI document says beyond what FastAPI derives from the routes: bodies, problems, links."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from ace.api import problems
from ace.api.intake import BulkLine, CheckIn, FilingIn, KeyIn, ReplaysIn
from ace.api.orders import CountIn, JobIn, PauseIn, ReasonIn, ReevaluationCountIn, ReevaluationIn, ShareIn
from ace.api.problem_types import KEYED, ProblemType
from ace.api.review_schemas import ReviewIn, SampleIn
from ace.api.schemas import Problem
from ace.api.term_bodies import TermIn
from ace.api.webhook_bodies import DeliveriesReplay, WebhookChange, WebhookIn

_RETRY_AFTER: Final = {
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
}
_CHALLENGE: Final = {
    "WWW-Authenticate": {
        "description": "The required scheme and scope (RFC 6750).",
        "schema": {"type": "string"},
    }
}
_BODIES: Final = (
    *(FilingIn, CheckIn, BulkLine, ReplaysIn, KeyIn),
    *(WebhookIn, WebhookChange, DeliveriesReplay, PauseIn, ReasonIn, JobIn, CountIn),
    *(ReevaluationIn, ReevaluationCountIn, ReviewIn, SampleIn, ShareIn, TermIn, Problem),
)
# Where a good answer leads: its operation -> those that take the id at this place of it.
_LINKS: Final[Mapping[str, Mapping[str, str]]] = {
    "submit_filing": {
        "get_filing": "/filing",
        "cancel_filing": "/filing",
        "get_evaluation": "/evaluations/0/id",
        "list_findings": "/evaluations/0/id",
    },
    "order_job": dict.fromkeys(("get_job", "cancel_job"), "/id"),
    "reevaluate": dict.fromkeys(("get_job", "cancel_job"), "/id"),
    "pause": {"resume": "/id"},
    "make_key": {"revoke_key": "/id"},
    "make_webhook": dict.fromkeys(
        (
            *("get_webhook", "change_webhook", "delete_webhook"),
            *("rotate_webhook_secret", "list_deliveries", "replay_deliveries"),
        ),
        "/id",
    ),
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
        content[file] = {
            "schema": {"type": "string", "format": "binary", "description": "The file, unchanged."}
        }
        if example is not None:
            content[file]["example"] = example
    return {"requestBody": {"required": True, "content": content}}


def answers(
    *problem_types: ProblemType, headers: Mapping[str, str] = MappingProxyType({}), status: int = 200
) -> dict[Any, Any]:
    """`responses` of a route that wants a key: the headers of its good answer, the problems it may give."""
    told = refusals(*KEYED, *problem_types)
    if headers:
        told[status] = {
            "headers": {
                name: {"description": words, "schema": {"type": "string"}} for name, words in headers.items()
            }
        }
    return told


def refusals(*problem_types: ProblemType) -> dict[Any, Any]:
    """`responses` of a route: for each status, the types of problem that it may have."""
    return {
        status: {
            "description": "\n".join(f"- `{one.slug}`: {one.meaning}" for one in types),
            "content": {problems.MEDIA_TYPE: _of_one(types)},
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        }
        for status in sorted({one.status for one in problem_types})
        if (types := [one for one in problem_types if one.status == status])
    }


def _of_one(types: Sequence[ProblemType]) -> dict[str, Any]:
    """A problem of one of these types."""
    one_of = {"properties": {"type": {"enum": [one.uri for one in types]}}}
    schema = {"allOf": [{"$ref": "#/components/schemas/Problem"}, one_of]}
    return {"schema": schema, "example": problems.example(types[0])}


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the models of the bodies that routes read by themselves."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        models = [(model, "validation") for model in _BODIES]
        _, ours = models_json_schema(models, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
        schemas = made["components"]["schemas"]
        schemas.update(ours["$defs"])
        for schema in schemas.values():
            for one in schema.get("examples", ()):
                _fill_in_nulls(one, schema, schemas)
        _link(made["paths"])
        app.openapi_schema = made
    return app.openapi_schema


def _link(paths: Mapping[str, Any]) -> None:
    """Says where good answers lead (OpenAPI 3.1, section "Link Object")."""
    for operation in (operation for item in paths.values() for operation in item.values()):
        if led := _LINKS.get(operation["operationId"]):
            good = next(answer for status, answer in operation["responses"].items() if status < "300")
            good["links"] = {
                name: {"operationId": name, "parameters": {"id": f"$response.body#{place}"}}
                for name, place in led.items()
            }


def _fill_in_nulls(example: Any, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> None:
    """Puts the nulls back into an example, which FastAPI drops though the schema requires them."""
    schema = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
    if isinstance(example, list):
        for one in example:
            _fill_in_nulls(one, schema.get("items", {}), schemas)
    elif isinstance(example, dict):
        fields = schema.get("properties", {})
        for name in schema.get("required", ()):
            example.setdefault(name, None)
        for name in example.keys() & fields.keys():
            for choice in fields[name].get("anyOf", [fields[name]]):
                _fill_in_nulls(example[name], choice, schemas)
