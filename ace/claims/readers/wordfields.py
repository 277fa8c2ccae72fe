"""Fields of a Word document (ECMA-376 Part 1, 17.16): what they show, and what only says how to make it.

A field's result is text of the document, its instruction is not. Word keeps no result of some fields; the
numbers of AUTONUM are counted here, a simple fraction (EQ \\f) is written, and a placeholder stands for what
another one would show.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ace.claims.readers.lost_parts import Lost
from ace.claims.readers.symbol_fonts import UNKNOWN

_COUNTING: Final = frozenset({"AUTONUM", "AUTONUMLGL"})
_SHOWN: Final = frozenset(
    {"AUTONUMOUT", "INCLUDETEXT", "LISTNUM", "NOTEREF", "REF", "SEQ", "STYLEREF", "SYMBOL"}
)
"""Fields that show text although the document may contain no result of them."""
_FRACTION: Final = re.compile(r"\s?EQ\s+\\f\s?\(\s?([\w.]+)\s?[,;]\s?([\w.]+)\s?\)\s*", re.IGNORECASE)
_MAX_INSTRUCTION: Final = 200


@dataclass(slots=True)
class _Field:
    instruction: str = ""
    has_result: bool = False
    shows: bool = False


class Fields:
    """The fields that are open at a place of the document."""

    def __init__(self) -> None:
        self.instruction_open = False
        self._open: list[_Field] = []
        self._instructions = 0
        """How many of them are still at their instruction."""
        self._counted = 0

    @property
    def hide(self) -> bool:
        """Whether text at this place belongs to an instruction."""
        return self._instructions > 0

    def begin(self) -> None:
        """A field opens, with its instruction."""
        self._open.append(_Field())
        self._instructions += 1

    def instruct(self, text: str) -> None:
        """Text of the instruction."""
        if self._open:
            self._open[-1].instruction = (self._open[-1].instruction + text)[:_MAX_INSTRUCTION]

    def separate(self) -> None:
        """The result follows."""
        if self._open and not self._open[-1].has_result:
            self._open[-1].has_result = True
            self._instructions -= 1

    def show(self) -> None:
        """Something of the result is read."""
        for field in reversed(self._open):
            if field.shows:  # and so do those around it
                break
            field.shows = True

    def end(self) -> str | Lost:
        """The field closes; what stands for a result that the document does not contain."""
        if not self._open:
            return ""
        self.separate()
        field = self._open.pop()
        words = field.instruction.split()
        kind = words[0].upper() if words else ""
        if kind in _COUNTING and not field.shows:
            self._counted += 1
            return f"{self._counted}. "
        if kind == "EQ" and not field.shows:
            fraction = _FRACTION.fullmatch(field.instruction)
            return f"{fraction[1]}/{fraction[2]}" if fraction else Lost.FORMULA
        silent = kind == "SEQ" and "\\h" in words
        shown = kind in _SHOWN or kind.startswith("=")
        return UNKNOWN if shown and not silent and not field.shows else ""

    def character(self, kind: str) -> str | Lost:
        """One of the three characters of a field; as `end` for the last of them."""
        if kind == "begin":
            self.begin()
        elif kind == "separate":
            self.separate()
        elif kind == "end":
            return self.end()
        return ""
