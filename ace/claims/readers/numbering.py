"""The numbers that a word processor shows but does not store: ECMA-376 Part 1, 17.9.

A paragraph names a list and a level; the list's definition says how its numbers run and look.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MAX_LEVELS: Final = 9
_PLACEHOLDER: Final = re.compile(r"%([1-9])")
_CLAIM_NAMES: Final = ("", "claim", "claimno", "claimnumber")
_COUNTING: Final = frozenset(
    {"decimal", "decimalZero", "decimalFullWidth", "decimalHalfWidth", "numberInDash"}
)
"""Formats of numbers that are digits."""
_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


@dataclass(slots=True)
class Level:
    """How the numbers of one level run and look: format (numFmt) and text (lvlText)."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    style: str | None = None
    restart: int | None = None
    """The lowest level, counted from 1, that begins it again; 0 if none does, None if each above does."""


@dataclass(slots=True)
class Numbering:
    """numbering.xml as read: definitions by id, and lists (num) with what they override."""

    definitions: dict[str, dict[int, Level]] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    starts: dict[str, dict[int, int]] = field(default_factory=dict)
    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    style_links: dict[str, str] = field(default_factory=dict)
    linked: dict[str, str] = field(default_factory=dict)


class Label(NamedTuple):
    """What a paragraph's number reads, its value, and whether it can number a claim."""

    text: str
    value: int
    definition: str
    level: int
    numbers_claims: bool


class Counter:
    """Counts the numbered paragraphs of one document."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()

    def label(self, number: str, level: int) -> Label | None:
        """The next label of this list at this level; None if the list does not exist or shows none."""
        level = min(max(level, 0), MAX_LEVELS - 1)
        definition = self._definition(number)
        if definition is None:
            return None
        levels = {**self._numbering.definitions[definition], **self._numbering.levels.get(number, {})}
        found = levels.get(level)
        if found is None:
            return None
        counts = self._counts.setdefault(definition, {})
        first = self._numbering.starts.get(number, {}).get(level)
        if first is not None and (number, level) not in self._begun:
            counts[level] = first
        else:
            counts[level] = counts[level] + 1 if level in counts else found.start
        self._begun.add((number, level))
        for deeper in [each for each in counts if each > level]:
            restart = levels.get(deeper, found).restart
            if restart is None or level < restart:
                del counts[deeper]
        if found.format in ("none", "bullet") or not found.text:
            return None
        text = _PLACEHOLDER.sub(lambda match: _shown(int(match[1]) - 1, counts, levels), found.text)
        return Label(text, counts[level], definition, level, _numbers_claims(found, level))

    def level_of_style(self, number: str, style: str) -> int | None:
        """The level of the list that this paragraph style is tied to."""
        definition = self._definition(number)
        levels = self._numbering.definitions.get(definition or "", {})
        return next((level for level, each in levels.items() if each.style == style), None)

    def _definition(self, number: str) -> str | None:
        definition = self._numbering.lists.get(number)
        style = self._numbering.style_links.get(definition or "")
        if style is not None:
            definition = self._numbering.linked.get(style, definition)
        return definition if definition in self._numbering.definitions else None


def _numbers_claims(at: Level, level: int) -> bool:
    """Whether a level shows its own number alone, or after the word "claim"."""
    before, own, after = at.text.partition(f"%{level + 1}")
    name = "".join(filter(str.isalnum, before.lower()))
    plain = at.format in _COUNTING and own and "%" not in before + after
    return bool(plain) and name in _CLAIM_NAMES and not any(map(str.isalnum, after))


def _shown(level: int, counts: Mapping[int, int], levels: Mapping[int, Level]) -> str:
    known = levels.get(level, Level())
    return formatted(counts.get(level, known.start), known.format)


def formatted(value: int, how: str) -> str:
    """A number in one of the formats of ST_NumberFormat; as digits in formats that claims never use."""
    if value < 1 or value > 10_000:
        return str(value)
    if how in ("lowerLetter", "upperLetter"):
        letter = chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        return letter if how == "lowerLetter" else letter.upper()
    if how in ("lowerRoman", "upperRoman"):
        roman = _roman(value)
        return roman if how == "lowerRoman" else roman.upper()
    return f"{value:02}" if how == "decimalZero" else str(value)


def _roman(value: int) -> str:
    parts = []
    for size, letters in _ROMAN:
        parts.append(letters * (value // size))
        value %= size
    return "".join(parts)
