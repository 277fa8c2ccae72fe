"""Fields that bodies and queries share. The bodies themselves are in intake.py.

Errors raised here are written for clients and never name a value; problems.py passes them on.
"""

import json
import math
import re
import sys
import unicodedata
from typing import Annotated, Any, Final

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from ace.api.problems import RefusedPart
from ace.claims.language.combining_marks import MAX_MARKS, excess_marks
from ace.types.faults import ERRORS
from ace.types.json_text import MAX_DIGITS

MAX_NAME_CHARACTERS: Final = 200
MAX_KEY_CHARACTERS: Final = 255
MAX_METADATA_CHARACTERS: Final = 16_384
MAX_METADATA_DEPTH: Final = 5
SAFE_INTEGER: Final = 2**53 - 1  # what JSON numbers carry exactly everywhere (RFC 8259, section 6)

# Embeddings, overrides and isolates: they reorder what is shown around them (Unicode TR 36, section 3.2;
# "Trojan Source", CVE-2021-42574). The marks U+200E, U+200F and U+061C reorder nothing beyond their place,
# and right-to-left names need them.
_BIDI: Final = r"\u202a-\u202e\u2066-\u2069"
_REORDERING: Final = re.compile(f"[{_BIDI}]")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROL_NO_LAYOUT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_RFC3339: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII
)
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_VISIBLE: Final = re.compile(r"[\x21-\x7e]+")


def fault(code: str, message: str, **context: Any) -> PydanticCustomError:
    """An error of our own validators, whose message problems.py passes on unchanged."""
    return PydanticCustomError(code, message, {"ours": True, **context})


def line(value: str) -> str:
    """A line of text, unchanged. Raises for control characters, those that reorder text, more combining marks
    than a letter can carry, and a blank line."""
    if _CONTROL.search(value):
        raise fault("control_character", "contains a control character")
    _refuse_unreadable(value)
    if not value.strip():
        raise fault("blank", "is blank")
    return value


def _refuse_unreadable(value: str) -> None:
    """Raises for a bidirectional control, of which it names the first, and for too many combining marks."""
    if found := _REORDERING.search(value):
        name = f"U+{ord(found[0]):04X} {unicodedata.name(found[0])}"
        raise fault("bidirectional_control", f"contains the bidirectional control {name}")
    if excess_marks(value):
        words = f"contains more than {MAX_MARKS} combining marks in a row"
        raise fault("combining_marks", words, limit=MAX_MARKS)


# What a line must not contain, as the OpenAPI document states it.
_UNPRINTED: Final = rf"\u0000-\u001f\u007f-\u009f{_BIDI}"
PRINTED: Final = Field(
    min_length=1,
    json_schema_extra={"pattern": rf"^[^{_UNPRINTED}]*[^\s{_UNPRINTED}][^{_UNPRINTED}]*$"},
)
"""What the OpenAPI document says of a `line`."""
Name = Annotated[str, Field(max_length=MAX_NAME_CHARACTERS), PRINTED, AfterValidator(line)]
"""One non-blank line of text: dockets and the like, never claims."""


_BEYOND: Final = 10**MAX_DIGITS  # an integer beyond every limit


def whole(value: Any) -> Any:
    """A number without a fraction as an integer, as in JSON Schema: 3.0 is 3. An infinite one, as numbers are
    read that are too long, is beyond every limit."""
    if isinstance(value, float) and math.isinf(value):
        return _BEYOND if value > 0 else -_BEYOND
    return int(value) if isinstance(value, float) and value.is_integer() else value


def written(value: Any) -> Any:
    """A number in a query or a form, as JSON would have it: `1_000`, ` 5`, `+5` and `NaN` are none."""
    if isinstance(value, str) and len(value) > MAX_DIGITS:
        raise fault("number_too_long", "has too many digits", limit=MAX_DIGITS)
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise fault("not_a_number", "must be a number in decimal digits")
    return value


def _bounded(value: dict[str, Any]) -> dict[str, Any]:
    _walk(value, MAX_METADATA_DEPTH)
    if len(json.dumps(value, ensure_ascii=False)) > MAX_METADATA_CHARACTERS:
        raise fault("metadata_too_long", "is too long", limit=MAX_METADATA_CHARACTERS)
    return value


def _walk(value: Any, depth: int) -> None:
    """Refuses what PostgreSQL's jsonb or another JSON reader could not return unchanged."""
    if isinstance(value, str):
        if _CONTROL_NO_LAYOUT.search(value):
            raise fault("control_character", "contains a control character")
        _refuse_unreadable(value)
    elif isinstance(value, int | float):
        if not abs(value) <= (SAFE_INTEGER if isinstance(value, int) else sys.float_info.max):
            raise fault("number_too_large", "contains a number that is too large", limit=SAFE_INTEGER)
    elif isinstance(value, dict | list):
        if depth == 0:
            raise fault("metadata_too_deep", "is nested too deeply", limit=MAX_METADATA_DEPTH)
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            _walk(key, 0)
            _walk(inner, depth - 1)


Metadata = Annotated[dict[str, Any], AfterValidator(_bounded)]


def _written(value: Any) -> Any:
    if not isinstance(value, str) or not _RFC3339.fullmatch(value):
        raise fault("not_a_time", "must be an RFC 3339 time with a time zone")
    return value


Moment = Annotated[AwareDatetime, Field(strict=False), BeforeValidator(_written)]


def _known_error(error: str) -> str:
    if error not in ERRORS:
        raise fault("unknown_error", f"must be one of {', '.join(ERRORS)}")
    return error


KnownError = Annotated[str, AfterValidator(_known_error)]
"""The kind of a fault. A mistyped one is refused: it would silently match nothing."""


IDEMPOTENCY_KEY: Final = (
    r'^(?:"(?:\\["\\]|[!-~]){1,255}"'  # quoted
    r'|[!#-~][!-~]{0,254}|"(?:[!-~]{0,253}[!#-~])?)$'  # or bare
)
"""The form of `idempotency_key` in the OpenAPI document."""


def idempotency_key(header: str | None) -> str | None:
    """The key of an `Idempotency-Key` header, bare or as a quoted structured-field string.

    draft-ietf-httpapi-idempotency-key-header; 1 to 255 visible ASCII characters. Raises Refused.
    """
    if header is None:
        return None
    key = header
    if len(header) >= 2 and header[0] == header[-1] == '"':
        key = re.sub(r'\\([\\"])', r"\1", header[1:-1])
    if len(key) > MAX_KEY_CHARACTERS or not _VISIBLE.fullmatch(key):
        raise RefusedPart(
            f"the idempotency key must have 1 to {MAX_KEY_CHARACTERS} visible ASCII characters",
            code="bad_idempotency_key",
            part="header",
            name="Idempotency-Key",
            limit=MAX_KEY_CHARACTERS,
        )
    return key
