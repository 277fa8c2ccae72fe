"""pydantic's validation errors as problem documents: every invalid field, in our words.

pydantic's own messages may quote the input, so only our validators' messages and those in the table
here are sent.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from pydantic_core import ErrorDetails

from ace.api.problems import problem
from ace.errors import AceError
from ace.types.json_text import STEP_CHARACTERS, UnfitValue, pointer_of

LISTED_ERRORS: Final = 20

Part = Literal["pointer", "parameter", "header"]
UNION_TAGS: Final = frozenset({"<text>", "<list>"})  # of `claims` in intake; no part of a pointer

# pydantic's error types and our words for them; any other type reads "is invalid".
_WORDS: Final = {
    "missing": "is required",
    "extra_forbidden": "unknown field",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_parsing": "must be an integer",
    "int_from_float": "must be an integer",
    "bool_type": "must be true or false",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
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
    "greater_than": "is too small",
    "greater_than_equal": "is too small",
    "less_than_equal": "is too large",
    "timezone_aware": "must carry a time zone",
}
_LIMITS: Final = ("max_length", "min_length", "le", "ge", "gt", "limit")


class Invalid(AceError):
    """A body that does not fit its model; `document` is the problem to send."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(document["detail"])
        self.document = document


def of_validation(errors: Iterable[ErrorDetails], *, part: str = "pointer") -> dict[str, Any]:
    """The problem for a validation error of pydantic. `part` is what the first step of a place means."""
    entries = [_entry(error, part) for error in errors]
    large = all(entry["code"] == "too_long" for entry in entries)
    listed = entries[:LISTED_ERRORS]
    count = len(entries)
    detail = f"{count} field does not fit" if count == 1 else f"{count} fields do not fit"
    return problem("input_too_long" if large else "invalid_input", detail, listed)


def of_unfit(unfit: UnfitValue) -> dict[str, Any]:
    """The problem for JSON with a value that no field takes."""
    return of_faulty("pointer", unfit.pointer or "", unfit.code, unfit.message, unfit.limit)


def of_faulty(
    part: Part, name: str, code: str, words: str, limit: float | str | None = None
) -> dict[str, Any]:
    """The problem for one field, parameter or header that does not fit."""
    entry: dict[str, Any] = {part: name, "code": code, "detail": words}
    if limit is not None:
        entry["limit"] = limit
    return problem("invalid_input", "1 field does not fit", [entry])


def _entry(error: ErrorDetails, part: str) -> dict[str, Any]:
    steps = tuple(step for step in error["loc"] if step not in UNION_TAGS)
    context = error.get("ctx", {})
    known = error["type"] in _WORDS
    name = pointer_of(steps) if part == "pointer" else "/".join(str(step)[:STEP_CHARACTERS] for step in steps)
    if error["type"] in {"enum", "literal_error"}:
        words = f"must be one of {context['expected']}"
    elif known:
        words = _WORDS[error["type"]]
    else:
        # Our own validators write their messages; pydantic's may quote the input.
        words = error["msg"] if context.get("ours") else "does not fit"
    entry: dict[str, Any] = {part: name, "code": error["type"], "detail": words}
    limit = next((context[key] for key in _LIMITS if key in context), None)
    return entry if limit is None else {**entry, "limit": limit}


def of_request(errors: Sequence[Any]) -> dict[str, Any]:
    """Query parameters and headers: the first step of their place says which they are."""
    inner = [{**error, "loc": error["loc"][1:]} for error in errors]
    part = "header" if {error["loc"][0] for error in errors} == {"header"} else "parameter"
    return of_validation(inner, part=part)  # type: ignore[arg-type]  # same shape, shorter places
