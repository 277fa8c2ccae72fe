"""Opposed properties: what one thing cannot be at once ("rigid", "flexible"), by dimension.

The words stand in tables/opposites.toml. The poles of a dimension in STATES may hold one after the other
(a valve is open, later closed), so a check asks for more proof there.
"""

from __future__ import annotations

from functools import lru_cache

from ace.claims.language.materials import MATERIALS, excluding, is_kind, names_of_kinds
from ace.claims.language.tables import table, word_list


def _read(section: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    lines: dict[str, str] = table("opposites")[section]
    return {name: tuple(tuple(pole.split()) for pole in poles.split("|")) for name, poles in lines.items()}


STATES = _read("conditions")
"""Dimensions along which one thing may change: name to poles."""

DIMENSIONS = {**_read("properties"), **STATES}
"""Every dimension: name to poles, each pole the words that mean it."""


def _poles() -> dict[str, dict[str, int]]:
    poles_of: dict[str, dict[str, int]] = {}
    for dimension, poles in DIMENSIONS.items():
        for index, pole in enumerate(poles):
            for word in pole:
                poles_of.setdefault(word, {}).setdefault(dimension, index)
    return poles_of


POLES = _poles()
"""Every word: dimension to the pole at which it lies."""


NAMING = word_list("materials", "naming")
"""Materials by which things are called after what they are made of: "a steel disc"."""


@lru_cache(maxsize=4_096)
def opposed(one: str, other: str) -> str | None:
    """The dimension on which two lower-case words exclude each other, or None.

    A word also excludes its own negation: "porous" and "non-porous" need no line in the table.
    """
    mine, theirs = POLES.get(one, {}), POLES.get(other, {})
    agree = any(theirs.get(dimension) == pole for dimension, pole in mine.items())
    for dimension, pole in mine.items():
        if not agree and theirs.get(dimension, pole) != pole:
            return dimension
    plain, theirs_plain = unnegated(one), unnegated(other)
    if plain == other or theirs_plain == one:
        return "negation"
    none_of_it = (plain and is_kind(other, plain)) or (theirs_plain and is_kind(one, theirs_plain))
    return "material" if not agree and (none_of_it or excluding(one, other)) else None


def opposites(word: str) -> frozenset[str]:
    """The words that exclude a lower-case word, its own negation included."""
    found = {
        other
        for dimension, pole in POLES.get(word, {}).items()
        for index, others in enumerate(DIMENSIONS[dimension])
        if index != pole
        for other in others
        if opposed(word, other)
    }
    if word in MATERIALS:
        found |= {other for other in NAMING if opposed(word, other)}
        found |= {f"non{link}{kind}" for kind in names_of_kinds(word) for link in ("", "-")}
    plain = unnegated(word)
    return frozenset(found | ({plain} if plain else {f"non-{word}", f"non{word}", f"un{word}"}))


def agree(one: str, other: str) -> bool:
    """Whether two words mean the same on some dimension, or one of two materials is a kind of the other."""
    mine, theirs = POLES.get(one, {}), POLES.get(other, {})
    if any(theirs.get(dimension) == pole for dimension, pole in mine.items()):
        return True
    return one in MATERIALS and other in MATERIALS and not excluding(one, other)


def unnegated(word: str) -> str | None:
    """ "porous" for "non-porous" and "nonporous", "heated" for "unheated", else None."""
    if word.startswith("non") and len(word) >= 6:
        return word[4:] if word[3] == "-" else word[3:]
    if (
        word.startswith("un")
        and not word.startswith(_NO_UN)
        and (word[2:] in POLES or _is_participle(word[2:]))
    ):
        return word[2:]
    return None


_NO_UN = ("under", "uni")
"""Beginnings of words in which "un" denies nothing."""


def _is_participle(word: str) -> bool:
    return word.endswith("ed") and len(word) > 4


def changeable(dimension: str) -> bool:
    """Whether one thing may be at one pole now and at another later."""
    return dimension in STATES
