"""Numbers with units, and the ranges they bound: "from 5 to 10 mm", "at least 5", "≥ 3", "5-10 wt.%".

Powers and fractions are numbers too: "10^-3", "2 x 10^5", "10⁴", "1/2", "1 1/2", "½".

A quantity is an interval in the base unit of its dimension, so that "500 µm" and "0.5 mm" compare.
What the interval belongs to, and whether it is allowed, is for the checks to say.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import product
from math import inf, isfinite
from typing import Final, NamedTuple

from ace.claims.language.tables import table, word_list
from ace.claims.language.units import NONE, UNIT_PATTERN, Unit, common, unit_of
from ace.claims.language.words import LOST, lower_words_of, word_start, words_of
from ace.claims.language.written_numbers import FRACTIONS, NUMBER, SMALL_FIGURES, value_of

_ABOUT: Final = frozenset(
    {"about", "approximately", "around", "circa", "nearly", "roughly", "substantially", "~"}
)
_PER: Final = r"(?:/[A-Za-zµμ][\w²³]{0,8}(?:\^[-−]?[1-9])?|\sper\s[a-z]\w{0,12})?"
_UNIT: Final = (
    rf"(?:[\s-]?{UNIT_PATTERN}(?:\^[23])?(?:(?<=°\s[CF]|.°[CF])\.(?=\s[a-z]))?(?![A-Za-z0-9^⁻{SMALL_FIGURES}])"
    rf"(?![−-][123](?!\.?[0-9])){_PER})"
)
_POWERS_OF_UNITS: Final = str.maketrans({"^": None, "²": "2", "³": "3"})
_WRITTEN: Final = re.compile(
    rf"""(?<![\w.,:/^+*×√⁄−-])(?P<low>{NUMBER})(?P<unit>{_UNIT})?
         (?:
           (?P<join>\.?\s(?:to|and|through)\s(?:up\sto\s|an?\s)?|\s?[-–—−~]\s?|\sto\s?)
           (?:(?:about|approximately|around|roughly|substantially|nearly|circa|ca\.)\s|~\s?)?
           (?P<high>{NUMBER})(?P<unit2>{_UNIT})?
         )?
         (?P<after>,?\s(?:or|and)\s
            (?:more|greater|higher|above|over|larger|longer|less|lower|below|fewer|smaller|shorter|under)
            (?!\s(?:than|[a-z]+\sthan))\b)?""",
    re.VERBOSE | re.IGNORECASE,
)
_NO_QUANTITY: Final = re.compile(
    rf"\s?(?:[x×*·]\s?10|\^|[⁻⁺ⁿ{SMALL_FIGURES}]|[:/]\s?[0-9]|['′’\"″]|\s?(?:st|nd|rd|th)\b|d\b)",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(rf"[0-9{FRACTIONS}](?<!\bclaim [0-9])(?<!\bclaims [0-9])(?<![0-9][0-9])[0-9.,]*")
_LOST_BEHIND: Final = re.compile(rf"\s?[×x·*∙/+=−–-]?\s?{LOST}")
_LOST_BEFORE: Final = re.compile(rf"{LOST}\s?[×x·*∙/+−–-]?\s?\Z")
"""A formula or image beside a number that the text has lost: the value is then unknown."""
_WINDOW: Final = 40
"""Characters before a number in which that may end."""
_NUMBERED: Final = word_list("quantities", "numbered")
_LESS: Final = word_list("quantities", "less")
_COMPARISONS: Final = {
    words: kind
    for phrase, kind in table("quantities")["comparisons"].items()
    for words in product(*(words.split("/") for words in phrase.split()))
}
_COMPARING: Final = frozenset(words[-1] for words in _COMPARISONS)
_LONGEST: Final = max(map(len, _COMPARISONS))


class Quantity(NamedTuple):
    """An interval of values: text[start:end], comparison words ("at least about") included.

    `low` and `high` are in the base unit, infinite where unbounded, and always in the order of
    size; `reversed` says that the text has them the other way round. `low_open` and `high_open`
    are true where the bound itself is excluded. `unit.dimension` is "" where no unit is written.
    `ranged` is true where both ends are written, `word` is the comparison in lower case ("from",
    "between", "at least", "" for none).
    """

    start: int
    end: int
    low: float
    high: float
    unit: Unit
    low_open: bool = False
    high_open: bool = False
    ranged: bool = False
    reversed: bool = False
    word: str = ""

    @property
    def value(self) -> bool:
        """Whether it is a single value rather than an interval."""
        return self.low == self.high

    def quoted(self, text: str) -> str:
        """Its words in the text that it was read from."""
        return text[self.start : self.end]

    def in_unit(self, unit: Unit) -> Quantity:
        """The same numbers taken to be written in `unit`: "10 and more than 14 mA"."""
        return self._replace(low=unit.base(self.low), high=unit.base(self.high), unit=unit)

    def within(self, other: Quantity) -> bool:
        """Whether every value it states on either side is one that `other` allows.

        A side that this quantity leaves open ("at least 8" against "5 to 10") widens nothing: what
        is inherited still bounds it.
        """
        low_fits = self.low == -inf or _reaches(self.low, self.low_open, other.low, other.low_open)
        high_fits = self.high == inf or _reaches(-self.high, self.high_open, -other.high, other.high_open)
        return low_fits and high_fits

    def meets(self, other: Quantity) -> bool:
        """Whether some value satisfies both."""
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        high, high_closed = min((self.high, not self.high_open), (other.high, not other.high_open))
        if _close(low, high):
            return not low_open and high_closed
        return low < high


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text in order; numbers of claims, steps and figures are none."""
    digit = _DIGIT.search(text)
    if digit is None:
        return ()
    numbers = _Numbers(text)
    found: list[Quantity] = []
    while digit is not None:
        quantity, end = numbers.read(digit)
        if quantity is not None:
            joined = _joined(text, found[-1], quantity) if found else None
            found[-1:] = [joined] if joined is not None else [*found[-1:], quantity]
        digit = _DIGIT.search(text, end)
    return tuple(found)


def _joined(text: str, first: Quantity, second: Quantity) -> Quantity | None:
    """Two bounds as one interval: "at least 5 but no more than 10 mm"; None if no value lies within both."""
    first_bound = other_bound(text, first, second)
    if first_bound is None or not first_bound.meets(second):
        return None
    low, high = (first_bound, second) if second.low == -inf else (second, first_bound)
    return second._replace(
        start=first.start,
        low=low.low,
        high=high.high,
        low_open=low.low_open,
        high_open=high.high_open,
        ranged=True,
        word="between",
    )


def other_bound(text: str, first: Quantity, second: Quantity) -> Quantity | None:
    """The first of two bounds that words join as those of one quantity, in units like those of the second;
    None if the two are no such bounds."""
    if first.ranged or second.ranged or first.value or second.value:
        return None
    if (first.low == -inf) == (second.low == -inf) or not _AND_BOUND.fullmatch(text, first.end, second.start):
        return None
    if not first.unit.dimension:
        return first.in_unit(second.unit)
    return first if common(first.unit, second.unit) else None


_AND_BOUND: Final = re.compile(
    r"(?:\s(?:deep|high|long|tall|thick|wide))?\s?,?\s?(?:and|but|yet|while)(?:\s(?:also|simultaneously|at\sthe\ssame\stime|further|still))?"
    r"(?:\s(?:is|are|being|remains|remaining|does|do|an?|of))?\s?\Z"
)


class _Comparison(NamedTuple):
    """What the words before a number make of it: its kind in the table, and where they begin."""

    kind: str
    start: int
    word: str

    def applied(self, quantity: Quantity) -> Quantity:
        """A value as the bound that it is."""
        kind = self.kind
        return quantity._replace(
            start=self.start,
            low=-inf if kind.startswith("high") else quantity.low,
            high=inf if kind.startswith("low") else quantity.high,
            low_open=kind == "low_open",
            high_open=kind == "high_open",
            word=self.word,
        )


class _Numbers:
    """The numbers of a text, which are read with the words before them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words, self._lowers = words_of(text), lower_words_of(text)
        self._ratios = "ratio" in text
        self._lost = "[" in text

    def read(self, digit: re.Match[str]) -> tuple[Quantity | None, int]:
        """The quantity whose number begins with a digit, if it is one, and where to read on."""
        text, at = self._text, digit.start()
        ratio = _RATIO.match(text, at) if self._ratios else None
        if ratio is not None:
            return self._ratio(ratio), ratio.end()
        signed = _WRITTEN.match(text, at - 1) if at and text[at - 1] in "-−" else None
        match = signed or _WRITTEN.match(text, at)
        return (None, digit.end()) if match is None else (self._quantity(match), match.end())

    def _ratio(self, match: re.Match[str]) -> Quantity:
        """ "2:1 to 3:1" as the numbers 2 to 3. They may fall: "10:1 to 1:10" is usual."""
        start, end = match.span()
        first = float(match[1]) / (float(match[2]) or inf)
        if match[3]:
            last = float(match[3]) / (float(match[4]) or inf)
            return Quantity(start, end, min(first, last), max(first, last), _RATIO_UNIT, ranged=True)
        before = self._compared(bisect_left(self._words, start, key=word_start), start)
        return before.applied(Quantity(start, end, first, first, _RATIO_UNIT))

    def _quantity(self, match: re.Match[str]) -> Quantity | None:
        start = match.start()
        at = bisect_left(self._words, start, key=word_start)
        if self._is_other(at, match):
            return None
        before = self._compared(at, start)
        # "between 5 and 10" is a range, "5 and 10" is none
        ranged = match["high"] is not None and (
            match["join"].strip(" .").lower() != "and" or before.word.startswith("between")
        )
        return _range(match, before) if ranged else _bound(match, before)

    def _is_other(self, at: int, match: re.Match[str]) -> bool:
        """Whether a number at lowers[at] numbers something, is part of another, or lost a part."""
        text, start, end = self._text, match.start(), match.end()
        last = self._lowers[at - 1] if at else ""
        if last in {".", ":"} and at > 1:
            last = self._lowers[at - 2] + last
        if last in _NUMBERED or _NO_QUANTITY.match(text, end):
            return True
        if start > 1 and text[start - 1].isspace() and text[start - 2] in "0123456789":
            return True
        return self._lost and bool(
            _LOST_BEHIND.match(text, end) or _LOST_BEFORE.search(text, max(0, start - _WINDOW), start)
        )

    def _compared(self, at: int, start: int) -> _Comparison:
        """What is compared with the number at lowers[at] and text[start]."""
        lowers = self._lowers
        last = at - 2 if lowers[max(0, at - 2) : at] == ("ca", ".") else at
        if last and lowers[last - 1] in _ABOUT:
            last -= 1
        size, kind = 0, ""
        if last and lowers[last - 1] in _COMPARING:
            for size in range(min(_LONGEST, last), 0, -1):
                kind = _COMPARISONS.get(tuple(lowers[last - size : last]), "")
                if kind:
                    break
        first = last - size if kind else last
        return _Comparison(
            kind, self._words[first].start if first < at else start, " ".join(lowers[first:at])
        )


_RATIO: Final = re.compile(
    r"(?<![\w.:])([0-9]{1,6}(?:\.[0-9]{1,6})?)\s?:\s?([0-9]{1,6}(?:\.[0-9]{1,6})?)"
    r"(?:(?:\sby\s\w+\sratio|\sratio)?\s?(?:to|and|-|–|—)\s?(?:about\s)?([0-9]{1,6}(?:\.[0-9]{1,6})?)\s?:\s?([0-9]{1,6}(?:\.[0-9]{1,6})?))?(?![\w:]|\.[0-9])"
)
_RATIO_UNIT: Final = Unit("ratio")


def _range(match: re.Match[str], before: _Comparison) -> Quantity | None:
    written = (match["unit"] or "", match["unit2"] or "")
    if written[1].startswith((f"{written[0]} per ", f"{written[0]}/")):
        written = (written[1], written[1])
    units = common(_unit(written[0] or written[1]), _unit(written[1] or written[0]))
    if units is None:
        return None
    dashed = not match["join"].strip().isalpha() and "to" not in match["join"]
    first = _finite(match["low"], units[0])
    last = _finite(match["high"].lstrip("-−") if dashed else match["high"], units[1])
    if first is None or last is None:
        return None
    if dashed and first > last and (match["low"] == "10" or units[1].dimension in {"", "concentration"}):
        return None  # "10-5 M" is a power that lost its superscript, "5-1" a name
    word = before.word.split()[0] if before.kind == "range" else ""
    low, high = min(first, last), max(first, last)
    return Quantity(
        before.start, match.end(), low, high, units[1], ranged=True, reversed=first > last, word=word
    )


def _bound(match: re.Match[str], before: _Comparison) -> Quantity | None:
    unit = _unit(match["unit"] or "")
    value = _finite(match["low"], unit)
    if value is None:
        return None
    end = match.end("unit") if unit.dimension else match.end("low")
    quantity = before.applied(Quantity(before.start, end, value, value, unit))
    if not quantity.value or not match["after"] or match["high"] is not None:
        return quantity
    word = " ".join(match["after"].lower().strip(", ").split())
    low, high = (-inf, value) if word.split()[-1] in _LESS else (value, inf)
    return quantity._replace(end=match.end(), low=low, high=high, word=word)


def _finite(number: str, unit: Unit) -> float | None:
    """A number in the base unit; None if it is none or too large."""
    value = value_of(number)
    based = None if value is None else unit.base(value)
    return based if based is not None and isfinite(based) else None


def _unit(written: str) -> Unit:
    """The unit that is written so, also with a power on the line: "cm^2"."""
    return unit_of(written.translate(_POWERS_OF_UNITS).rstrip(".")) if written else NONE


def _reaches(mine: float, mine_open: bool, theirs: float, theirs_open: bool) -> bool:
    """Whether a lower bound keeps to another lower bound."""
    if _close(mine, theirs):
        return mine_open or not theirs_open
    return mine > theirs


def _close(one: float, other: float) -> bool:
    return one == other or (isfinite(one - other) and abs(one - other) <= 1e-9 * max(abs(one), abs(other)))
