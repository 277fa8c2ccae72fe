"""Clauses that say in other words what a claim already says, so that they limit nothing.

"The ore is ground in a mill" after "grinding the ore in a mill", "the gap is at least 5 mm" after "a gap of
5 mm or more".
"""

from __future__ import annotations

import re

from ace.claims.language.quantities import Quantity, quantities
from ace.claims.language.words import VERB_OF_PARTICIPLE, kept_by_text, root

_quantities = kept_by_text(quantities)

_NOUN = r"(?:the\s)?(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*){0,4}?)"
_DONE = re.compile(rf"{_NOUN}\s(?:is|are)\s(?P<verb>[a-z]+)\s(?P<rest>[^,;:]+)")
_DOING = re.compile(r"\b(?P<verb>[a-z]+ing)\s(?:of\s)?(?:(?:the|an?)\s)?\Z")
_ENDS = re.compile(r"\s?(?:[;.)]|\Z|,?\s(?:and\s)?wherein\b|,\sand\b)")
_MIN_WORDS = 4
"""How many words must follow the verb: fewer are said of many things."""

_MEASURED = re.compile(rf"{_NOUN}\s(?:is|are|has\sa\svalue\sof)\s")
_JOINS = re.compile(r"\s(?:(?:is|are|of|being|that\sis|which\sis|having\sa\svalue\sof)\s)?\Z")
_WIDEST = 40  # characters between a noun and its quantity


def done_again(text: str, clause: str) -> bool:
    """Whether the text has a step of doing what the clause says is done, in the same words.

    Both are in lower case, with "the" for "said".
    """
    done = _DONE.fullmatch(clause)
    if done is None or done["rest"].count(" ") + 1 < _MIN_WORDS:
        return False
    act = f"{done['noun']} {done['rest']}"
    verb = _root(VERB_OF_PARTICIPLE.get(done["verb"], done["verb"]))
    at = text.find(act)
    while at >= 0:
        doing = _DOING.search(text, max(0, at - _WIDEST), at)
        if doing and _root(doing["verb"]) == verb and _ENDS.match(text, at + len(act)):
            return True
        at = text.find(act, at + 1)
    return False


def _root(verb: str) -> str:
    """The root of a form of a verb: "dri" of "dried" and "drying"."""
    found = root(verb)
    return f"{found[:-1]}i" if found.endswith("y") else found


def bounded_again(text: str, clause: str) -> bool:
    """Whether the text gives the quantity of the clause the very same bounds."""
    measured = _MEASURED.match(clause)
    own = quantities(clause) if measured is not None else ()
    if measured is None or len(own) != 1 or (own[0].start, own[0].end) != (measured.end(), len(clause)):
        return False
    noun = measured["noun"]
    return any(
        _same(each, own[0]) and _is_of(text[max(0, each.start - len(noun) - _WIDEST) : each.start], noun)
        for each in _quantities(text)
    )


def _is_of(before: str, noun: str) -> bool:
    """Whether the words before a quantity name this noun as what it measures."""
    head, found, tail = before.lower().rpartition(noun)
    return bool(found) and not head[-1:].isalnum() and _JOINS.fullmatch(tail) is not None


def _same(one: Quantity, other: Quantity) -> bool:
    return (one.low, one.high, one.low_open, one.high_open, one.unit.dimension, one.about) == (
        other.low,
        other.high,
        other.low_open,
        other.high_open,
        other.unit.dimension,
        other.about,
    )
