"""What is raised, lowered, or set as a formula, written on one line: "10^4", "x^(n+1)", "1 1/2", "CO2".

A superscript that means a power or an index follows "^"; one that is a mark, an ordinal or a charge sign
("1st", "™", "Na+"), that stands before its symbol ("13C"), or that follows an ordinary word (a footnote)
follows as it is. A subscript just follows, as chemistry is read ("CO2", "C1-6", "Vdd"), unless the line would
then read otherwise: "log_10 5", "x_(n+1)". Brackets are added only around several parts.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from string import ascii_lowercase
from typing import Final

from ace.claims.language.units import UNIT_PATTERN


class Script(Enum):
    """How text is set: on the line, above it or below it."""

    NONE = auto()
    RAISED = auto()
    LOWERED = auto()


_MARK: Final = re.compile(r"(?:[™®©℠*†‡§¶#°º˚∘′″‴'’\"”`]|\((?:R|TM|SM)\)|TM|SM|[+−–-])+")
_ONE_PART: Final = re.compile(
    r"[-+−–±]?(?:[0-9]+(?:[.,][0-9]+)?|[^\W\d_]+[0-9]*)[′'*]?|[0-9]{0,2}[-+−–]|\((?:[^()]|\([^()]*\))*\)"
)
_BELOW: Final = re.compile(
    r"[^\W_]+(?:[.,][0-9]+)?[′'*+−-]?|[0-9]+\s?[-–−]\s?[0-9]+|(?P<share>1(?:[-–−][a-z])+)"
)
"""Subscripts that just follow; a `share` ("1-x") only after an element or a bracket."""
_POWERED: Final = re.compile(
    rf"(?:{UNIT_PATTERN}|exp|log|ln|sin|cos|tan|cot|min|max|lim|sum|mod)", re.IGNORECASE
)
_SUFFIX: Final = re.compile(r"(?:st|nd|rd|th|s)\b")
_TEN: Final = re.compile(r"[x×·*∙]\s?10\s\Z")
_CELSIUS: Final = re.compile(r"\s?[CF]\b")
_GOES_ON: Final = re.compile(r"(?P<joined>[-–−/'′*])|(?!A\s)[A-Z](?![a-z]{2})")
"""How a formula goes on after a script: "O" of "H2O", not "The"."""
_DEGREES: Final = frozenset("º°˚∘")
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th", "er"})
_TIGHT_BEHIND: Final = ",;:)]}%’”!?"
_OPENING: Final = "([{“"
_CLOSING: Final = ")]}′'"
_TAIL_CHARACTERS: Final = 40


def marks_only(script: str) -> str:
    """A raised text that is marks ("′", "™", "+", "°"), as it follows its base; "" if it is none."""
    if script in _DEGREES:
        return "°"
    return script if _MARK.fullmatch(script) else ""


def raised(script: str) -> str:
    """A power or an upper index behind its base: "^4", "^-3", "^(n+1)"."""
    return f"^{_grouped(script)}"


def lowered(script: str) -> str:
    """A lower index behind its base: "_i", "_(n+1)"."""
    return f"_{_grouped(script)}"


def _grouped(script: str) -> str:
    return script if _ONE_PART.fullmatch(script) else f"({script})"


def _after(before: str, script: str) -> str:
    """A superscript as it is written after the text `before`."""
    if mark := marks_only(script):
        return mark
    if script == "o" and before[-1:].isdigit():
        return "°"
    counted = before[-1:].isdecimal() or not before[-2:-1].isalnum()  # "4th", "n-th"
    if not _takes_power(before) or (counted and script.lower() in _ORDINALS):
        return script
    index = script[:-1].isdecimal() and len(script) < 4 and script[-1] in "abcdefgh"
    return f"^{script}" if index and before[-1:].isupper() else raised(script)


def _below(before: str, script: str) -> str:
    """A subscript as it is written after the text `before`."""
    if not before[-1:].isalnum() and before[-1:] not in _CLOSING:
        return script
    if before[-1:].isdigit():
        return lowered(script)
    plain = _BELOW.fullmatch(script)
    element = before[-1:] in ")]" or (before[-2:-1].isupper() and before[-1:].islower())
    return script if plain and (element or plain["share"] is None) else lowered(script)


def _takes_power(before: str) -> bool:
    """Whether a superscript after this text belongs to it: a number, a symbol or a unit, not a word."""
    if before[-1:] in _CLOSING:
        return bool(before)
    rest = before.rstrip(ascii_lowercase)
    word = before[len(rest) :]
    ordinary = len(word) > 2 and not rest[-1:].isalpha()
    return before[-1:].isalnum() and (not ordinary or _POWERED.fullmatch(word) is not None)


class LinearText:
    """The text of one claim or paragraph, written part by part to `parts`.

    A script may come in several pieces; it is written when the text goes on, or with `close`.
    """

    def __init__(self, parts: list[str]) -> None:
        self._parts = parts
        self._pieces: list[str] = []
        self._waiting = Script.NONE
        self._loose = False
        """Whether a line end between elements came last, which may be a space or layout."""
        self._last = Script.NONE
        """The kind of script that was written last, NONE if text followed."""
        self._script = self._written = self._between = ""
        """That script, how it was written, and a slash after it."""
        self._apart = False
        """Whether what was written last is kept apart from a word that touches it."""

    def write(self, text: str, script: Script = Script.NONE) -> None:
        """Appends text that is set so."""
        if script is not self._waiting:
            self._settle()
        if script is not Script.NONE:
            self._waiting = script
            self._pieces.append(text)
        elif text:
            self._write_plain(text)

    def write_apart(self, text: str, mark: str = "") -> None:
        """Appends a formula or placeholder, kept apart from words that it touches, with a mark before it."""
        self._settle()
        if self._loose and self._needs_space(text):
            self._append(" ")
        self._loose = False
        if self._tail()[-1:].isalnum() and (text[:1].isalnum() or mark):
            self._append(" ")
        self._append(mark)
        self._append(text)
        self._last = Script.NONE
        self._apart = text[-1:].isalnum() or bool(mark)

    def part_words(self) -> None:
        """Mark-up that is set apart begins or ends here: words that touch there get a space between them."""
        self._settle()
        self._apart = self._tail()[-1:].isalnum() and not self._loose

    @property
    def at_space(self) -> bool:
        """Whether nothing is written yet, or white space came last."""
        return self._waiting is Script.NONE and (not (tail := self._tail()) or tail[-1].isspace())

    def loose_space(self) -> None:
        """A line end beside mark-up: a space, unless the text around it shows that it is layout."""
        self._settle()
        self._loose = True

    def close(self) -> None:
        """Writes a script that still waits, and forgets a line end."""
        self._settle()
        self._loose = False

    def break_line(self, mark: str) -> None:
        """Begins a new line ("\\n") or cell ("\\t"), unless one has just begun or nothing is written."""
        self.close()
        while self._parts:
            trimmed = self._parts[-1].rstrip(" \t" if mark == "\n" else " ")
            if trimmed:
                self._parts[-1] = trimmed
                break
            self._parts.pop()
        if self._parts and self._parts[-1][-1] not in "\n\t":
            self._append(mark)
        self._last = Script.NONE
        self._apart = False

    def _write_plain(self, text: str) -> None:
        if self._loose:
            spaced = not text[0].isspace() and self._needs_space(text)
        else:
            spaced = self._apart and text[0].isalnum() and not _SUFFIX.match(text)
        if spaced:
            self._append(" ")
        elif self._last is not Script.NONE and not self._between:
            self._part_from(text)
        self._loose = self._apart = False
        self._append(text)
        if self._last is Script.RAISED and text.strip() in ("/", "⁄", "∕") and not self._between:
            self._between = text
        else:
            self._last = Script.NONE

    def _needs_space(self, text: str) -> bool:
        """Whether a line end between what is written and `text` is a space."""
        before = self._tail()
        if not before or before[-1].isspace() or before[-1] in _OPENING:
            return False
        if text[0] in _TIGHT_BEHIND or (text[0] == "." and not text[1:2].isdecimal()):
            return False
        if self._last is Script.NONE or self._between:
            return True
        isotope = self._last is Script.RAISED and self._written == self._script and self._script.isdigit()
        goes_on = _GOES_ON.match(text)
        return not goes_on or not (goes_on["joined"] or isotope or self._last is Script.LOWERED)

    def _part_from(self, text: str) -> None:
        """Keeps the script that was written last apart from text that touches it."""
        if self._last is Script.RAISED and self._written == "^0" and _CELSIUS.match(text):
            self._cut(len(self._written))
            if self._tail()[-1:].isdigit():
                self._written = "°"
            self._append(self._written)
        elif not text[0].isalnum() or not self._script[-1].isalnum():
            return
        elif self._last is Script.LOWERED and self._script[-1].isdigit() and text[0].isdigit():
            self._cut(len(self._written))
            self._append(f"{lowered(self._script)} ")
        elif self._written == f"^{self._script}" and (text[0].isdigit() or self._script[-1].isalpha()):
            self._append(" ")

    def _settle(self) -> None:
        """Writes the script that waits."""
        script, self._waiting = self._waiting, Script.NONE
        if script is Script.NONE:
            return
        given = "".join(self._pieces)
        self._pieces.clear()
        text = given.strip()
        if not text:
            self._space(given)
            return
        before, _, behind = given.partition(text)
        self._write_script(script, text.replace("\n", ""), parted=self._loose or bool(before))
        self._space(behind)

    def _space(self, given: str) -> None:
        if " " in given or "\t" in given or "\xa0" in given:
            self._loose = False
            self._append(" ")
        elif given:
            self._loose = True

    def _write_script(self, script: Script, text: str, *, parted: bool) -> None:
        """Writes a script; white space before it (`parted`) counts only if it belongs to nothing."""
        before = self._tail()
        if script is Script.LOWERED and self._ends_fraction(text):
            self._cut(len(self._written) + len(self._between))
            self.write_apart(f"{self._script}/{text}")
            return
        power = text.lstrip("-−–").isdecimal() and len(text) < 5
        if script is Script.RAISED and power and _TEN.search(before):
            self._cut(1)
            before = before[:-1]
        written = _after(before, text) if script is Script.RAISED else _below(before, text)
        attached = script is Script.LOWERED or written != text or not before[-1:].isalnum()
        if parted and not attached and not before[-1:].isspace():
            self._append(" ")
        self._loose = self._apart = False
        self._append(written)
        self._last, self._script, self._written, self._between = script, text, written, ""

    def _ends_fraction(self, text: str) -> bool:
        """Whether the subscript is the denominator of a fraction that is set as 1/2 with small figures."""
        return (
            self._last is Script.RAISED
            and self._between != ""
            and self._script.isdecimal()
            and text.isdecimal()
        )

    def _append(self, text: str) -> None:
        if text:
            self._parts.append(text)

    def _tail(self) -> str:
        """The last characters that are written."""
        tail = ""
        for part in reversed(self._parts):
            tail = part[-_TAIL_CHARACTERS:] + tail
            if len(tail) >= _TAIL_CHARACTERS:
                break
        return tail

    def _cut(self, characters: int) -> None:
        """Takes back the last characters that were written."""
        while characters and self._parts:
            last = self._parts.pop()
            if len(last) > characters:
                self._parts.append(last[:-characters])
            characters -= min(characters, len(last))
