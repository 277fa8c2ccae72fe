"""The schema that a request asks for, in the form that the server of each dialect enforces, and in no other.

A schema in another server's form is silently ignored, as the real servers do: `json_object` alone means any
JSON, and unknown fields mean nothing.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from ace.expert.client.dialects import Dialect
from ace.expert.protocol.chat import ChatRequest
from ace.expert.protocol.refusals import Refusal


class FreeForm(Enum):
    """What is answered if no schema is in force."""

    TEXT = "text"
    JSON = "json"


def schema_in_force(dialect: Dialect, request: ChatRequest) -> dict[str, Any] | FreeForm:
    """The schema in force. Raises Refusal if the server would reject the form."""
    fields = request.model_extra or {}
    if dialect is Dialect.VLLM and isinstance(outputs := fields.get("structured_outputs"), dict):
        return _object(outputs.get("json"), "structured_outputs.json")
    if request.response_format is None:
        return FreeForm.TEXT
    if dialect is Dialect.TGI:
        return tgi_schema(request.response_format)
    return _openai_schema(dialect, request.response_format)


def tgi_schema(form: dict[str, Any]) -> dict[str, Any]:
    """The schema in TGI's grammar form, such as {"type": "json", "value": schema}."""
    match form:
        case {"type": "json" | "json_object", "value": schema}:
            return _object(schema, "response_format.value")
        case {"type": "json_schema", "value": {"schema": schema}}:
            return _object(schema, "response_format.value.schema")
        case {"type": "json" | "json_object" | "json_schema"}:
            raise Refusal("validation", "response_format: missing field `value`")
    raise Refusal("validation", "response_format: unknown variant, expected `json` or `json_schema`")


def _openai_schema(dialect: Dialect, form: dict[str, Any]) -> dict[str, Any] | FreeForm:
    match form:
        case {"type": "json_schema", "json_schema": {"schema": schema, **rest}}:
            if dialect is not Dialect.LLAMACPP and not isinstance(rest.get("name"), str):
                raise Refusal("validation", "response_format.json_schema.name: Field required")
            return _object(schema, "response_format.json_schema.schema")
        case {"type": "json_schema"}:
            raise Refusal("validation", "response_format.json_schema.schema: Field required")
        case {"type": "json_object", "schema": schema} if dialect is Dialect.LLAMACPP:
            return _object(schema, "response_format.schema")
        case {"type": "json_object"}:
            return FreeForm.JSON
        case {"type": "text"}:
            return FreeForm.TEXT
    raise Refusal(
        "validation", "response_format.type: Input should be 'text', 'json_object' or 'json_schema'"
    )


def _object(schema: Any, where: str) -> dict[str, Any]:
    if not isinstance(schema, dict):
        raise Refusal("validation", f"{where}: Input should be a valid dictionary")
    return schema
