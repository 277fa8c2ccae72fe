"""Numbers as claims write them, with their values: "1,000", "0.5", "10^-3", "2 x 10⁵", "1 1/2", "½"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import Final
from unicodedata import normalize

SMALL_FIGURES: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_FRACTION_OF: Final[Mapping[str, Fraction]] = {
    mark: Fraction(normalize("NFKC", mark).replace("⁄", "/")) for mark in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
}
FRACTIONS: Final = "".join(_FRACTION_OF)
"""The characters that are fractions."""
_DENOMINATORS: Final = frozenset({2, 3, 4, 5, 6, 8, 10, 16, 32, 64})
"""Of fractions that are greater than one: "3/2"."""
_SIGNED: Final = r"[-−–+]?[0-9]{1,3}"
_PLAIN: Final = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})(?:\.[0-9]{1,15})?"
_EXPONENT: Final = (
    rf"(?:(?:\^|\*\*)(?:{_SIGNED}(?![0-9]|[./][0-9])|\({_SIGNED}\)|\{{{_SIGNED}\}})"
    rf"|[⁻⁺]?[{SMALL_FIGURES}]{{1,3}}(?![{SMALL_FIGURES}⁄/]))"
)
_FACTOR: Final = r"\s?[x×·*∙]\s?"
_SLASH: Final = "[/⁄∕]"
NUMBER: Final = (
    rf"[-−]?(?:(?:{_PLAIN}{_FACTOR})?[0-9]{{1,4}}{_EXPONENT}"
    rf"|(?:[0-9]{{1,3}}[\s-])?[0-9]{{1,3}}{_SLASH}[0-9]{{1,4}}(?![0-9/⁄∕]|\.[0-9])"
    rf"|(?:[0-9]{{1,3}}[\s-]?)?[{FRACTIONS}]|{_PLAIN})"
)
"""Pattern of a number; the longest reading comes first."""
_PARTS: Final = re.compile(
    rf"(?P<sign>[-−])?(?:(?:(?P<factor>{_PLAIN}){_FACTOR})?(?P<base>[0-9]{{1,4}})(?P<exponent>{_EXPONENT})"
    rf"|(?:(?P<whole>[0-9]{{1,3}})[\s-])?(?P<above>[0-9]{{1,3}}){_SLASH}(?P<below>[0-9]{{1,4}})"
    rf"|(?:(?P<ones>[0-9]{{1,3}})[\s-]?)?(?P<fraction>[{FRACTIONS}])|(?P<plain>{_PLAIN}))"
)


def value_of(written: str) -> float | None:
    """The value of a text that NUMBER matches; None for a pair such as "138/146", or a power too large."""
    parts = _PARTS.fullmatch(written)
    if parts is None:
        return None
    if parts["plain"]:
        value: float | None = float(parts["plain"].replace(",", ""))
    elif parts["base"]:
        value = _power(int(parts["base"]), parts["exponent"], parts["factor"] or "1")
    elif parts["fraction"]:
        value = float(int(parts["ones"] or 0) + _FRACTION_OF[parts["fraction"]])
    else:
        value = _part(parts["whole"], int(parts["above"]), int(parts["below"]))
    return -value if value is not None and parts["sign"] else value


def _power(base: int, exponent: str, factor: str) -> float | None:
    figures = normalize("NFKC", exponent).strip("^*(){}").replace("−", "-").replace("–", "-")
    try:
        return float(factor.replace(",", "")) * float(base) ** int(figures)
    except (OverflowError, ZeroDivisionError):
        return None


def _part(whole: str | None, above: int, below: int) -> float | None:
    """A fraction behind a whole number, if there is one. Other pairs name two things: "12/14", "24/7"."""
    if below < 2 or gcd(above, below) > 1:
        return None
    if above > below and (whole or below not in _DENOMINATORS):
        return None
    return float(int(whole or 0) + Fraction(above, below))
