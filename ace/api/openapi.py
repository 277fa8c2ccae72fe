"""What the OpenAPI document says beyond what FastAPI derives from the routes: bodies, problems, links."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from ace.api import problems
from ace.api.intake import BulkLine, CheckIn, FilingIn, KeyIn, ReplaysIn
from ace.api.orders import CountIn, JobIn, PauseIn, ReasonIn, ReevaluationCountIn, ReevaluationIn, ShareIn
from ace.api.problem_types import KEYED, TYPES, ProblemType
from ace.api.review_schemas import ReviewIn, SampleIn
from ace.api.schemas import BulkResult, Problem
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
    *(ReevaluationIn, ReevaluationCountIn, ReviewIn, SampleIn, ShareIn, TermIn, BulkResult, Problem),
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
_BY_LINE: Final = "x-item-schema"
"""Of a media type of lines: the schema of each. OpenAPI 3.2 calls it `itemSchema`."""

PROBLEM_TYPES: Final = "x-problem-types"
"""Of an operation: the types of problem that each status may have."""

_CODINGS: Final = {
    "Accept-Encoding": {
        "description": "The `Content-Encoding` that a body may have (RFC 9110, section 12.5.3).",
        "schema": {"type": "string"},
    }
}
_HEADERS: Final = {
    401: _CHALLENGE,
    403: _CHALLENGE,
    415: _CODINGS,
    429: _RETRY_AFTER,
    503: _RETRY_AFTER,
}


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
    content: dict[str, Any] = {media_type: {"schema": _of_model(model), **more}}
    for file, example in files.items():
        content[file] = {
            "schema": {"type": "string", "format": "binary", "description": "The file, unchanged."}
        }
        if example is not None:
            content[file]["example"] = example
    return {"requestBody": {"required": True, "content": content}}


def lines(model: str, example: str) -> dict[str, Any]:
    """A media type of lines, each of which is a model as JSON."""
    words = f"One `{model}` as JSON in each line."
    schema = {"type": "string", "format": "binary", "description": words}
    return {"schema": schema, _BY_LINE: _of_model(model), "example": example}


def _of_model(model: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{model}"}


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
            "$ref": f"#/components/responses/{_problem_name(status)}",
            "description": "\n".join(f"- `{kind.slug}`: {kind.meaning}" for kind in types),
            PROBLEM_TYPES: [kind.uri for kind in types],  # `document` moves it to the operation
        }
        for status in sorted({kind.status for kind in problem_types})
        if (types := [kind for kind in problem_types if kind.status == status])
    }


def _problem_name(status: int) -> str:
    return f"Problem{status}"


def _problem_responses() -> dict[str, Any]:
    """The one response of each status that a problem may have."""
    examples = {kind.status: problems.example(kind) for kind in reversed([*TYPES.values()])}
    return {
        _problem_name(status): {
            "description": f"{HTTPStatus(status).phrase}: a problem document (RFC 9457).",
            "content": {problems.MEDIA_TYPE: {"schema": _of_model("Problem"), "example": example}},
            **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
        }
        for status, example in sorted(examples.items())
    }


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
        _name_problems(made)
        app.openapi_schema = made
    return app.openapi_schema


def _name_problems(made: dict[str, Any]) -> None:
    """Describes each response with a problem once, and says at the operations which problems they are."""
    used = set()
    for operation in (operation for item in made["paths"].values() for operation in item.values()):
        named = operation[PROBLEM_TYPES] = {}
        for status, answer in operation["responses"].items():
            if types := answer.pop(PROBLEM_TYPES, None):
                named[status] = types
                used.add(_problem_name(int(status)))
    shared = _problem_responses()
    made["components"]["responses"] = {name: shared[name] for name in shared if name in used}


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
