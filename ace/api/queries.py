"""What no route takes: a query parameter or a header with two values, and a query that is no text.

Frameworks take the first value or the last, and replace what is not UTF-8: either would mean something else
than what was asked.
"""

import re
from typing import Final
from urllib.parse import parse_qsl

from fastapi import Request

from ace.api.validation import Invalid, Part, of_faulty
from ace.types.json_text import STEP_CHARACTERS, pointer_of

SINGLE_HEADERS: Final = ("Content-Type", "Idempotency-Key", "Last-Event-ID")
_NO_TEXT: Final = re.compile(r"[\ud800-\udfff]")


def refuse_ambiguous(request: Request) -> None:
    """Raises Invalid for a parameter or a header with two values, and for a parameter that is not UTF-8."""
    single_values(request.scope["query_string"], "parameter", blank=True)
    for name in SINGLE_HEADERS:
        if len(request.headers.getlist(name)) > 1:
            raise _repeated("header", name)


def single_values(written: bytes, part: Part, *, blank: bool = False) -> dict[str, str]:
    """The values of a query or a form by name; empty ones only with `blank`. Raises Invalid."""
    values: dict[str, str] = {}
    text = written.decode("ascii", errors="surrogateescape")
    for name, value in parse_qsl(text, keep_blank_values=True, errors="surrogateescape"):
        if _NO_TEXT.search(name + value):
            raise _faulty(part, name, "invalid_utf8", "must be percent-encoded UTF-8")
        if name in values:
            raise _repeated(part, name)
        values[name] = value
    return {name: value for name, value in values.items() if blank or value}


def _repeated(part: Part, name: str) -> Invalid:
    return _faulty(part, name, "repeated", "is given more than once", 1)


def _faulty(part: Part, name: str, code: str, words: str, limit: int | None = None) -> Invalid:
    shown = _NO_TEXT.sub("\ufffd", name[:STEP_CHARACTERS])
    place = pointer_of((shown,)) if part == "pointer" else shown
    return Invalid(of_faulty(part, place, code, words, limit))
