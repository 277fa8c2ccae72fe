"""Numbers with units, and the ranges they bound: "from 5 to 10 mm", "at least 5", "≥ 3", "5-10 wt.%".

Powers and fractions are numbers too: "10^-3", "2 x 10^5", "10⁴", "1/2", "1 1/2", "½".

A quantity is an interval in the base unit of its dimension, so that "500 µm" and "0.5 mm" compare.
What the interval belongs to, and whether it is allowed, is for the checks to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Final

from ace.claims.language.tables import word_list
from ace.claims.language.units import UNIT_PATTERN, Unit, common, unit_of
from ace.claims.language.words import LOST, kept_by_text
from ace.claims.language.written_numbers import FRACTIONS, NUMBER, SMALL_FIGURES, value_of

_ABOUT: Final = r"(?:(?:about|approximately|around|roughly|substantially|nearly|circa|ca\.)\s|~\s?)"
_PER: Final = r"(?:/[A-Za-zµμ][\w²³]{0,8}(?:\^[-−]?[1-9])?|\sper\s[a-z]\w{0,12})?"
_UNIT: Final = (
    rf"(?:[\s-]?(?:{UNIT_PATTERN})(?:\^[23])?(?:(?<=°\s[CF]|.°[CF])\.(?=\s[a-z]))?(?![A-Za-z0-9^⁻{SMALL_FIGURES}])"
    rf"(?![−-][123](?!\.?[0-9])){_PER})"
)
_POWERS_OF_UNITS: Final = str.maketrans({"^": None, "²": "2", "³": "3"})
_WRITTEN: Final = re.compile(
    rf"""(?<![\w.,:/^+*×√⁄−-])(?P<low>{NUMBER})(?P<unit>{_UNIT})?
         (?:
           (?P<join>\.?\s(?:to|and|through)\s(?:up\sto\s|an?\s)?|\s?[-–—−~]\s?|\sto\s?)
           (?P<about>{_ABOUT})?(?P<high>{NUMBER})(?P<unit2>{_UNIT})?
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
_DIGIT: Final = re.compile(rf"[0-9{FRACTIONS}](?<!\bclaim [0-9])(?<!\bclaims [0-9])(?<![0-9][0-9])")
_REST: Final = re.compile(r"[0-9.,]*")
_LAST_WORD: Final = re.compile(r"([^\s\d]+)\s?\Z")
_LAST_DIGIT: Final = re.compile(r"[0-9]\s\Z")
_LOST_BEHIND: Final = re.compile(rf"\s?[×x·*∙/+=−–-]?\s?{LOST}")
_LOST_BEFORE: Final = re.compile(rf"{LOST}\s?[×x·*∙/+−–-]?\s?\Z")
"""A formula or image beside a number that the text has lost: the value is then unknown."""
_NUMBERED: Final = word_list("quantities", "numbered")
_LOWER: Final = (
    r"at\sleast|(?:no|not)\s(?:less|fewer|lower|smaller|shorter)\sthan|not\sbelow|not\sunder"
    r"|(?:greater|more|larger|higher|longer)\sthan\sor\s(?:about\s)?equal\sto"
    r"|equal\sto\sor\s(?:greater|more|larger|higher|longer)\sthan"
    r"|minimum(?:\sof)?|lower\s(?:limit|bound)\sof|≥|⩾|>=|≧"
)
_LOWER_OPEN: Final = (
    r"(?:greater|more|larger|higher|longer)\sthan|above|over|exceed(?:s|ing)?|in\sexcess\sof|>"
)
_UPPER: Final = (
    r"at\smost|(?:no|not)\s(?:more|greater|larger|higher|longer|wider|thicker|taller|heavier|faster)\sthan|not\s(?:above|over|to\sexceed)"
    r"|(?:not|no)\sexceed(?:ing)?|(?:less|fewer|lower|smaller|shorter)\sthan\sor\s(?:about\s)?equal\sto"
    r"|equal\sto\sor\s(?:less|fewer|lower|smaller|shorter)\sthan|up\sto|within|maximum(?:\sof)?|upper\s(?:limit|bound)\sof|≤|⩽|<=|≦"
)
_UPPER_OPEN: Final = r"(?:less|fewer|lower|smaller|shorter)\sthan|below|under|<"
_BEFORE: Final = re.compile(
    rf"""(?:(?<![\w])(?:(?P<lower>{_LOWER})|(?P<upper>{_UPPER})|(?P<lower_open>{_LOWER_OPEN})
         |(?P<upper_open>{_UPPER_OPEN})|(?P<ranged>from|between)|(?P<exact>exactly|equal\sto|precisely))
         \s?)?(?P<about>{_ABOUT})?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_COMPARES: Final = word_list("quantities", "compares")
_LESS: Final = word_list("quantities", "less")
_WINDOW: Final = 40


@dataclass(frozen=True, slots=True)
class Quantity:
    """An interval of values: text[start:end], comparison words ("at least about") included.

    `low` and `high` are in the base unit, infinite where unbounded, and always in the order of
    size; `reversed` says that the text has them the other way round. `low_open` and `high_open`
    are true where the bound itself is excluded. `unit.dimension` is "" where no unit is written.
    `ranged` is true where both ends are written, `word` is the comparison in lower case ("from",
    "between", "at least", "" for none), `about` whether the text approximates.
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
    about: bool = False
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
        return replace(self, low=unit.base(self.low), high=unit.base(self.high), unit=unit)

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


_NUMBER_OF_NO_CLAIM: Final = re.compile(rf"[0-9{FRACTIONS}](?<!laim\s.)(?<!laims\s.)(?<![0-9].)")


@kept_by_text
def numbered(text: str) -> bool:
    """Whether a text has a number that is not that of a claim."""
    return _NUMBER_OF_NO_CLAIM.search(text) is not None


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text in order; numbers of claims, steps and figures are none."""
    return _quantities(text) if numbered(text) else ()


def _quantities(text: str) -> tuple[Quantity, ...]:
    found: list[Quantity] = []
    ratios = "ratio" in text
    digit = _DIGIT.search(text)
    while digit is not None:
        at = digit.start()
        ratio = _RATIO.match(text, at) if ratios else None
        if ratio is not None:
            found.append(_ratio(text, ratio))
            digit = _DIGIT.search(text, ratio.end())
            continue
        match = _WRITTEN.match(text, at - 1 if at and text[at - 1] in "-−" else at) or _WRITTEN.match(
            text, at
        )
        if match is not None:
            quantity = _quantity(text, match)
            if quantity is not None:
                found.append(quantity)
            end = match.end()
        else:
            end = _end_of(text, at)
        digit = _DIGIT.search(text, end)
    return tuple(_two_sided(text, found))


_RATIO: Final = re.compile(
    r"(?<![\w.:])([0-9]{1,6}(?:\.[0-9]{1,6})?)\s?:\s?([0-9]{1,6}(?:\.[0-9]{1,6})?)"
    r"(?:(?:\sby\s\w+\sratio|\sratio)?\s?(?:to|and|-|–|—)\s?(?:about\s)?([0-9]{1,6}(?:\.[0-9]{1,6})?)\s?:\s?([0-9]{1,6}(?:\.[0-9]{1,6})?))?(?![\w:]|\.[0-9])"
)


def _ratio(text: str, match: re.Match[str]) -> Quantity:
    """ "2:1 to 3:1" as the numbers 2 to 3. They may fall: "10:1 to 1:10" is usual."""
    first = float(match[1]) / (float(match[2]) or inf)
    if match[3]:
        last = float(match[3]) / (float(match[4]) or inf)
        return Quantity(*match.span(), min(first, last), max(first, last), RATIO, ranged=True)
    before = _compared(text[max(0, match.start() - _WINDOW) : match.start()])
    quantity = Quantity(*match.span(), first, first, RATIO)
    if before is None:
        return quantity
    return replace(_bounded_by(before, quantity), start=match.start() - len(before[0]))


RATIO: Final = Unit("ratio")


def _two_sided(text: str, found: list[Quantity]) -> list[Quantity]:
    """The quantities, with two bounds that words join as one: "at least 5 but no more than 10 mm"."""
    joined: list[Quantity] = []
    for quantity in found:
        whole = _bounded(text, joined[-1], quantity) if joined else None
        if whole is not None:
            joined[-1] = whole
        else:
            joined.append(quantity)
    return joined


def _bounded(text: str, first: Quantity, second: Quantity) -> Quantity | None:
    """Two bounds as one interval, or None if they are none, or no value lies within both."""
    bounds = not (first.ranged or second.ranged or first.value or second.value)
    if not bounds or (first.low == -inf) == (second.low == -inf):
        return None
    if not AND_BOUND.fullmatch(text, first.end, second.start):
        return None
    if first.unit.dimension and common(first.unit, second.unit) is None:
        return None
    one = first if first.unit.dimension else first.in_unit(second.unit)
    if not one.meets(second):
        return None
    low, high = (one, second) if second.low == -inf else (second, one)
    return replace(
        second,
        start=first.start,
        low=low.low,
        high=high.high,
        low_open=low.low_open,
        high_open=high.high_open,
        ranged=True,
        about=first.about or second.about,
        word="between",
    )


AND_BOUND: Final = re.compile(
    r"(?:\s(?:deep|high|long|tall|thick|wide))?\s?,?\s?(?:and|but|yet|while)(?:\s(?:also|simultaneously|at\sthe\ssame\stime|further|still))?"
    r"(?:\s(?:is|are|being|remains|remaining|does|do|an?|of))?\s?\Z"
)
"""What joins two bounds of one quantity."""


def _end_of(text: str, at: int) -> int:
    rest = _REST.match(text, at)
    return max(at + 1, rest.end()) if rest else at + 1


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    start = match.start()
    window = text[max(0, start - _WINDOW) : start]
    if _last_word(window) in _NUMBERED or _NO_QUANTITY.match(text, match.end()) or _LAST_DIGIT.search(window):
        return None
    if "[" in text and (_LOST_BEHIND.match(text, match.end()) or _LOST_BEFORE.search(window)):
        return None
    before = _compared(window)
    if before is not None:
        start -= len(before[0])
    if match["high"] is not None and _joined(match, before):
        return _range(match, start, before)
    return _bound(match, start, before)


def _last_word(window: str) -> str:
    last = _LAST_WORD.search(window)
    return last[1].lower() if last else ""


def _compared(window: str) -> re.Match[str] | None:
    """The words at the end of a window with which the number behind it is compared."""
    return _BEFORE.search(window) if _last_word(window) in _COMPARES else None


def _joined(match: re.Match[str], before: re.Match[str] | None) -> bool:
    """Whether the second number is the other end of a range: "5 to 10", "between 5 and 10"."""
    join = match["join"].strip(" .").split()
    if join and join[0].lower() == "and":
        return before is not None and (before["ranged"] or "").lower() == "between"
    return True


def _finite(number: str, unit: Unit) -> float | None:
    """A number in the base unit; None if it is none or too large."""
    value = value_of(number)
    based = None if value is None else unit.base(value)
    return based if based is not None and isfinite(based) else None


def _range(match: re.Match[str], start: int, before: re.Match[str] | None) -> Quantity | None:
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
    word = "" if before is None else (before["ranged"] or "").lower()
    about = bool(match["about"] or (before is not None and before["about"]))
    low, high_value = min(first, last), max(first, last)
    return Quantity(
        start,
        match.end(),
        low,
        high_value,
        units[1],
        ranged=True,
        reversed=first > last,
        about=about,
        word=word,
    )


def _bound(match: re.Match[str], start: int, before: re.Match[str] | None) -> Quantity | None:
    unit = _unit(match["unit"] or "")
    number = value_of(match["low"])
    if number is None or not isfinite(value := unit.base(number)):
        return None
    end = match.end("unit") if unit.dimension else match.end("low")
    written = Quantity(start, end, value, value, unit)
    quantity = written if before is None else _bounded_by(before, written)
    if not quantity.value or not match["after"] or match["high"] is not None:
        return quantity
    word = " ".join(match["after"].lower().strip(", ").split())
    low, high = (-inf, value) if word.split()[-1] in _LESS else (value, inf)
    return replace(quantity, end=match.end(), low=low, high=high, word=word)


def _bounded_by(before: re.Match[str], quantity: Quantity) -> Quantity:
    """A value as the bound that the words before it make of it."""
    low, high, low_open, high_open = quantity.low, quantity.high, False, False
    if before["lower"] or before["lower_open"]:
        high, low_open = inf, before["lower"] is None
    elif before["upper"] or before["upper_open"]:
        low, high_open = -inf, before["upper"] is None
    return replace(
        quantity,
        low=low,
        high=high,
        low_open=low_open,
        high_open=high_open,
        about=bool(before["about"]),
        word=" ".join(before[0].lower().split()),
    )


def _unit(written: str) -> Unit:
    """The unit that is written so, also with a power on the line: "cm^2"."""
    return unit_of(written.translate(_POWERS_OF_UNITS).rstrip("."))


def _reaches(mine: float, mine_open: bool, theirs: float, theirs_open: bool) -> bool:
    """Whether a lower bound keeps to another lower bound."""
    if _close(mine, theirs):
        return mine_open or not theirs_open
    return mine > theirs


def _close(one: float, other: float) -> bool:
    return one == other or (isfinite(one - other) and abs(one - other) <= 1e-9 * max(abs(one), abs(other)))
