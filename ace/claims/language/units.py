"""Units of measure as claims write them, each with its dimension and its factor to a base unit.

The units stand in tables/units.toml.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ace.claims.language.alternatives import alternatives
from ace.claims.language.tables import table


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: value in the base unit = value x factor + shift. The base is SI where there is one."""

    dimension: str
    factor: float = 1.0
    shift: float = 0.0

    def base(self, value: float) -> float:
        """The value in the base unit of the dimension."""
        return value * self.factor + self.shift


NONE: Final = Unit("")
PERCENT: Final = frozenset({"percent", "percent by weight", "percent by volume", "mole percent"})
"""Dimensions of a share: a composition has no more than 100 of them."""


def _read(section: str) -> dict[str, Unit]:
    """The units of a section by each of their spellings; an underscore in the table stands for a space."""
    units: dict[str, Unit] = {}
    for dimension, lines in table("units")[section].items():
        for names, factor in lines.items():
            unit = Unit(dimension, *factor) if isinstance(factor, list) else Unit(dimension, factor)
            units.update(dict.fromkeys(names.split(), unit))
    return {name.replace("_", " "): unit for name, unit in units.items()}


_CASED: Final = _read("symbols")
_NAMED: Final = {name.lower(): unit for name, unit in _read("names").items()}
_FOLDED: Final = {name.lower(): unit for name, unit in _CASED.items() if len(name) > 1}


UNIT_PATTERN: Final = alternatives(
    {*_NAMED, *(name.lower() for name in _CASED)}, {" ": r"[\s-]?", "µ": "[µμ]"}
)
"""A pattern to be matched without regard to case."""


@lru_cache(maxsize=512)
def unit_of(written: str) -> Unit:
    """The unit that is written so, spaces around it ignored; NONE where it is unknown or empty."""
    name = " ".join(written.replace("μ", "µ").replace("-", " ").split()) if written else ""
    if not name:
        return NONE
    cased = _CASED.get(name)
    if cased is not None:
        return cased
    lower = name.lower()
    known = _NAMED.get(lower) or _NAMED.get(lower.replace(" ", "-")) or _NAMED.get(lower.replace(" ", ""))
    if known is not None:
        return known
    if "/" in lower or " per " in lower:
        return Unit(lower)
    return _FOLDED.get(lower, NONE)


def common(one: Unit, other: Unit) -> tuple[Unit, Unit] | None:
    """Both units where they measure the same thing, else None. A bare "%" takes the other's kind:
    "0.5% to 10% by weight"."""
    if one.dimension == other.dimension:
        return one, other
    if one.dimension == "percent" and other.dimension in PERCENT:
        return other, other
    if other.dimension == "percent" and one.dimension in PERCENT:
        return one, one
    return None
