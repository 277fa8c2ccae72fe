"""The smallest JSON that fits a schema, and JSON that does not fit it."""

from __future__ import annotations

import json
from typing import Any, Final

_SAID: Final = "This answer is simulated: no model has read the claim."


def smallest_instance(schema: dict[str, Any], root: dict[str, Any] | None = None) -> Any:
    """A value that fits the schema, the same for every call: the first of an enumeration, the shortest text
    or list. Knows the keywords of small flat schemas; properties keep the schema's order."""
    root = schema if root is None else root
    match schema:
        case {"const": value}:
            return value
        case {"enum": [value, *_]}:
            return value
        case {"$ref": str(path)}:
            return smallest_instance(_pointed(root, path), root)
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]} | {"allOf": [first, *_]}:
            return smallest_instance(first, root)
    return _typed(schema, root)


def _typed(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            properties = schema.get("properties", {})
            required = [name for name in properties if name in schema.get("required", [])]
            return {name: smallest_instance(properties[name], root) for name in required}
        case "array":
            return [smallest_instance(schema.get("items", {}), root)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return True
        case "null":
            return None
    return _text(schema.get("minLength", 0), schema.get("maxLength"))


def _text(least: int, most: int | None) -> str:
    return _SAID.ljust(least, ".")[:most]


def _pointed(root: dict[str, Any], path: str) -> dict[str, Any]:
    found: Any = root
    for step in path.removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)


def other_json() -> str:
    """JSON that fits no schema of ACE."""
    return json.dumps({"answer": _SAID, "confidence": 0.5})


def prose() -> str:
    """Text that is not JSON."""
    return f"Sure! Here is my analysis of the claim. {_SAID}"


def with_renamed_fields(content: str) -> str:
    """The answer with its fields under other names: it parses, but fits no schema of ACE."""
    try:
        answer = json.loads(content)
    except ValueError:
        return other_json()
    return json.dumps({f"{name}_": value for name, value in answer.items()}) if answer else other_json()
