"""How often something is done: "twice daily", "every two weeks", as a quantity in times a day."""

from __future__ import annotations

import re

from ace.claims.language.quantities import Quantity
from ace.claims.language.tables import table
from ace.claims.language.units import Unit
from ace.claims.language.words import word_set

_TIMES: dict[str, int] = table("quantities")["times"]
_NUMBERS: dict[str, int] = table("quantities")["numbers"]
_DAYS: dict[str, float] = table("quantities")["days"]
RATE, TIMES = Unit("times a day"), Unit("times")
_TRIGGERS = frozenset({"once", "twice", "thrice", "times", "every", "daily", "weekly", "monthly"})
_NUMBER = rf"(?:{'|'.join(_NUMBERS)}|[0-9]{{1,2}})"
_PERIOD = rf"(?P<period>{'|'.join(_DAYS)})"
_BOUND = r"at\sleast|at\smost|no\smore\sthan|not\smore\sthan|up\sto|less\sthan|more\sthan"
_RATE = re.compile(
    rf"""(?:(?P<bound>{_BOUND})\s)?
        (?:(?P<times>{"|".join(_TIMES)})|(?P<number>{_NUMBER})\stimes)\s(?:(?:an?|per|each|every|in\sa)\s)?{_PERIOD}\b""",
    re.VERBOSE | re.IGNORECASE,
)
_EVERY = re.compile(
    rf"\b(?:once\s)?(?:every|each)\s(?:(?P<number>{_NUMBER}|other|second|third)\s)?{_PERIOD}s?\b",
    re.IGNORECASE,
)
_UPPER = frozenset({"at most", "no more than", "not more than", "up to", "less than"})


def rates(text: str) -> tuple[Quantity, ...]:
    """The rates of a text, in order."""
    if _TRIGGERS.isdisjoint(word_set(text)):
        return ()
    found = [_times(match) for match in _RATE.finditer(text)]
    taken = {each.start for each in found}
    every = (_every(match) for match in (*_EVERY.finditer(text), *_PERIODIC.finditer(text)))
    return (*found, *(each for each in every if not any(each.start <= at < each.end for at in taken)))


_PERIODIC = re.compile(
    rf"(?<!\bonce )(?<!\btwice )(?<!\btimes )\b(?P<number>){_PERIOD}(?<=ly)(?=\s?[,;.]|\s(?:and|for)\b)",
    re.IGNORECASE,
)


def repetitions(text: str) -> tuple[Quantity, ...]:
    """How often a text says that something is done, in all: "twice", "at least three times"."""
    if _TRIGGERS.isdisjoint(word_set(text)):
        return ()
    return tuple(_times(match) for match in _REPEATED.finditer(text))


_REPEATED = re.compile(
    rf"""(?:(?P<bound>{_BOUND})\s)?\b(?:(?P<times>{"|".join(_TIMES)})|(?P<number>{_NUMBER})\stimes)(?P<period>)
        (?=\s?[,;.]|\s(?:and|in|using|with)\b)""",
    re.VERBOSE | re.IGNORECASE,
)


def _times(match: re.Match[str]) -> Quantity:
    number = _TIMES[match["times"].lower()] if match["times"] else _number(match["number"])
    unit = RATE if match["period"] else TIMES
    value = number / _DAYS[match["period"].lower()] if match["period"] else float(number)
    bound = " ".join((match["bound"] or "").lower().split())
    low = float("-inf") if bound in _UPPER else value
    high = value if bound in _UPPER or not bound else float("inf")
    open_low, open_high = bound == "more than", bound == "less than"
    return Quantity(*match.span(), low, high, unit, open_low, open_high, word=bound)


def _every(match: re.Match[str]) -> Quantity:
    written = (match["number"] or "1").lower()
    value = 1 / (_number(written) * _DAYS[match["period"].lower()])
    return Quantity(*match.span(), value, value, RATE)


def _number(written: str) -> int:
    lower = written.lower()
    if lower.isdigit():
        return int(lower) or 1
    return {"other": 2, "second": 2, "third": 3}.get(lower) or _NUMBERS[lower]
