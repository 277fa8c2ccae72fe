"""The API's reference at /docs, made by the server from the OpenAPI document; nothing is loaded from afar."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape

from ace.desk.pages import Page, show

router = APIRouter(route_class=Page, include_in_schema=False)

_CODE: Final = re.compile(r"`([^`\n]+)`")
_ITEM: Final = "- "


class Field(NamedTuple):
    """A parameter of a request, or a field of a model."""

    name: str
    kind: Markup
    required: bool
    place: str  # of a parameter: path, query or header
    meaning: Markup


class Operation(NamedTuple):
    """One thing that the API does."""

    id: str
    method: str
    path: str
    summary: str
    meaning: Markup
    scopes: list[str]
    parameters: list[Field]
    bodies: list[tuple[str, Markup, str]]  # media type, model, example
    answers: list[tuple[str, Markup, Markup]]  # status, model, meaning


class ShownModel(NamedTuple):
    """One kind of JSON object, or the words that a string may be."""

    name: str
    meaning: Markup
    fields: list[Field]
    words: list[str]
    example: str


@router.get("/docs")
def reference(request: Request) -> Response:
    """Needs no session: it shows nothing that is stored."""
    document = request.app.openapi()
    tags: dict[str, list[Operation]] = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            tags.setdefault(operation["tags"][0], []).append(_operation(method, path, operation))
    models = [_model(name, schema) for name, schema in sorted(document["components"]["schemas"].items())]
    about = _worded(document["info"]["description"])
    return show(request, "reference.html", about=about, tags=tags, models=models)


def _operation(method: str, path: str, said: Mapping[str, Any]) -> Operation:
    bodies = said.get("requestBody", {}).get("content", {})
    return Operation(
        id=said["operationId"],
        method=method.upper(),
        path=path,
        summary=said.get("summary", ""),
        meaning=_worded(said.get("description", "")),
        scopes=[
            scope for needed in said.get("security", ()) for scopes in needed.values() for scope in scopes
        ],
        parameters=[
            Field(
                one["name"],
                _kind(one["schema"]),
                one.get("required", False),
                one["in"],
                _worded(one.get("description") or one["schema"].get("description", "")),
            )
            for one in said.get("parameters", ())
        ],
        bodies=[
            (media, _kind(content.get("schema", {})), _example(content.get("example")))
            for media, content in bodies.items()
        ],
        answers=[
            (status, _kind_of_answer(answer), _worded(answer["description"]))
            for status, answer in sorted(said["responses"].items())
        ],
    )


def _kind_of_answer(answer: Mapping[str, Any]) -> Markup:
    kinds = [_kind(content.get("schema", {})) for content in answer.get("content", {}).values()]
    return Markup(", ").join(kinds)


def _model(name: str, schema: Mapping[str, Any]) -> ShownModel:
    required = set(schema.get("required", ()))
    fields = [
        Field(field, _kind(of), field in required, "", _worded(of.get("description", "")))
        for field, of in schema.get("properties", {}).items()
    ]
    example = _example(next(iter(schema.get("examples", ())), None))
    return ShownModel(name, _worded(schema.get("description", "")), fields, schema.get("enum", []), example)


def _kind(schema: Mapping[str, Any]) -> Markup:
    """The type of a value in a few words; models are links."""
    return Markup(" or ").join(dict.fromkeys(_kinds(schema)))


def _kinds(schema: Mapping[str, Any]) -> Iterator[Markup]:
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())[:1]]
    if choices:
        for choice in choices:
            yield from _kinds(choice)
    elif "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield Markup('<a href="#model-{0}">{0}</a>').format(name)
    elif "enum" in schema or "const" in schema:
        words = schema.get("enum", [schema.get("const")])
        yield Markup(" or ").join(
            Markup("<code>{}</code>").format(word) for word in words if word is not None
        )
    elif schema.get("type") == "array":
        yield Markup("list of {}").format(_kind(schema.get("items", {})))
    else:
        yield escape(schema.get("format") or schema.get("type") or "anything")


def _example(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, indent=2)


def _worded(text: str) -> Markup:
    """Paragraphs, lists and code of a description."""
    made = []
    for block in text.split("\n\n"):
        lines = [_CODE.sub(r"<code>\1</code>", str(escape(line))) for line in block.splitlines()]
        if lines and all(line.startswith(_ITEM) for line in lines):
            items = "".join(f"<li>{line.removeprefix(_ITEM)}</li>" for line in lines)
            made.append(f"<ul>{items}</ul>")
        elif lines:
            made.append(f"<p>{' '.join(lines)}</p>")
    return Markup("".join(made))  # noqa: S704  # every line was escaped
