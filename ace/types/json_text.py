"""JSON that comes from outside, read alike wherever it comes in: bodies, lines of uploads, batch files.

RFC 8259 in UTF-8, with or without a byte order mark. What two readers would understand differently is
refused with its place: a name that is given twice, half of a surrogate pair, and the words NaN and Infinity,
which some writers add. An integer of more digits than any limit is read as infinite, as 1e400 is, so that
the limit of its field refuses it.
"""

import json
import math
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from ace.errors import Refused

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
MAX_DEPTH: Final = 100  # levels of lists and objects
MAX_DIGITS: Final = 300  # of an integer: all of these fit into a double
STEP_CHARACTERS: Final = 100  # of a name in a pointer, which is the client's own text

_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class UnfitValue(Refused):
    """JSON with a value that no field takes; `pointer` says where it is."""


def pointer_of(steps: Iterator[object] | tuple[object, ...]) -> str:
    """A JSON pointer (RFC 6901). Long names are cut, and what is no text in them is replaced."""
    return "".join("/" + _step(step) for step in steps)


def _step(step: object) -> str:
    name = _SURROGATE.sub("\ufffd", str(step)[:STEP_CHARACTERS])
    return name.replace("~", "~0").replace("/", "~1")


def read_json(raw: bytes) -> Any:
    """The value in `raw`.

    Raises Refused (`malformed_json`, `invalid_utf8`) for what is not JSON, and UnfitValue (`repeated`,
    `not_finite`, `lone_surrogate`, `too_deep`) for JSON that is ambiguous. No message quotes a value.
    """
    try:
        text = raw.removeprefix(BYTE_ORDER_MARK).decode()
    except UnicodeDecodeError as broken:
        raise Refused(f"not UTF-8 at byte {broken.start}", code="invalid_utf8", pointer="") from None
    reader = _Reader()
    try:
        value = reader.decoder.decode(text)
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:  # the parser says what it missed and where, and quotes nothing
        raise Refused(f"malformed JSON: {error}", code="malformed_json", pointer="") from None
    if reader.repeated or reader.not_finite or _SURROGATE_ESCAPE.search(text):
        _refuse_unfit(value, reader.repeated)
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        raise _too_deep()
    return value


class _Reader:
    """A parser, and what it noticed on the way: objects with a repeated name, and words for no number."""

    def __init__(self) -> None:
        self.repeated: dict[int, str] = {}  # by the identity of the object
        self.not_finite = False
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_int=_integer, parse_constant=self._constant
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            names = [name for name, _ in pairs]
            self.repeated[id(made)] = next(name for name in names if names.count(name) > 1)
        return made

    def _constant(self, _: str) -> float:
        self.not_finite = True
        return math.nan


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_DIGITS else math.copysign(math.inf, float(digits[:2]))


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for found in level
            if isinstance(found, dict | list)
            for inner in (found.values() if isinstance(found, dict) else found)
        ]
    return any(isinstance(found, dict | list) for found in level)


def _refuse_unfit(value: Any, repeated: dict[int, str]) -> None:
    """Raises UnfitValue for the first value that no field takes."""
    left: list[tuple[tuple[object, ...], Any]] = [((), value)]
    while left:
        place, found = left.pop()
        if isinstance(found, str):
            _refuse_surrogate(place, found)
        elif isinstance(found, float) and math.isnan(found):
            words = "must be a finite number, which NaN and Infinity are not"
            raise _unfit(place, words, "not_finite", sys.float_info.max)
        elif isinstance(found, list):
            left.extend(((*place, at), found[at]) for at in reversed(range(len(found))))
        elif isinstance(found, dict):
            if (name := repeated.get(id(found))) is not None:
                raise _unfit((*place, name), "is given more than once", "repeated", 1)
            for name in found:
                _refuse_surrogate((*place, name), name)
            left.extend(((*place, name), found[name]) for name in reversed(found))


def _refuse_surrogate(place: tuple[object, ...], text: str) -> None:
    if _SURROGATE.search(text):
        raise _unfit(
            place, "contains half of a surrogate pair, which is no character", "lone_surrogate", None
        )


def _too_deep() -> UnfitValue:
    return _unfit((), f"is nested more than {MAX_DEPTH} levels deep", "too_deep", MAX_DEPTH)


def _unfit(place: tuple[object, ...], words: str, code: str, limit: float | None) -> UnfitValue:
    return UnfitValue(words, code=code, pointer=pointer_of(place), limit=limit)
