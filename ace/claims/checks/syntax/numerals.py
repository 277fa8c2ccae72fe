"""Reference numerals in brackets: one for each element, in all claims of the set (MPEP 608.01(m))."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import NO_ELEMENT, NO_NOUN
from ace.claims.findings import Flaw
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_NUMERAL = re.compile(
    r"\b(?P<words>(?:[A-Za-z][A-Za-z-]{0,60}\s){0,5})(?P<noun>[A-Za-z][a-z-]{2,60})"
    r"\s?\((?P<numeral>[1-9][0-9]{0,3}[a-z]?['′]?)\)(?!\s?(?:,|and|or|to)\s?\([0-9])"
)
_BRACKETED = re.compile(r"[a-z]\s?\([1-9][0-9]{0,3}[a-z]?['′]?\)")
_DETERMINER = re.compile(
    r"(?:.*\b)?(?P<determiner>an?|the|said|each|one|two|its|of|in|by|with|to|and|or)\s", re.DOTALL
)


class _Use(NamedTuple):
    """A numeral in brackets, the singular of the noun before it, its whole phrase, and the span of both."""

    numeral: str
    noun: str
    phrase: str
    definite: bool
    start: int
    end: int


class _Book(NamedTuple):
    """Uses of numerals in a set by claim, the first noun of each numeral, the numeral of each phrase."""

    uses: dict[int, tuple[_Use, ...]]
    nouns: dict[str, _Use]
    numerals: dict[str, str]
    several: frozenset[str]


def numerals(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Uses in this claim that disagree with the first use of their numeral or phrase in the set."""
    book = reading.kept(_book)
    reported: set[tuple[str, str]] = set()
    for use in book.uses.get(claim.number, ()):
        first = book.nouns[use.numeral]
        if (use.numeral, use.noun) in reported:
            continue
        if first.noun != use.noun and not set(first.phrase.split()) & set(use.phrase.split()):
            reported.add((use.numeral, use.noun))
            why = f"“({use.numeral})” stands for “{first.phrase}” and for “{use.phrase}”."
            yield Flaw(RULE["numerals"], use.start, use.end, why)
        elif use.definite and book.numerals[use.phrase] != use.numeral and use.phrase not in book.several:
            reported.add((use.numeral, use.noun))
            why = f"“{use.phrase}” has the numerals “({book.numerals[use.phrase]})” and “({use.numeral})”."
            yield Flaw(RULE["numerals"], use.start, use.end, why, None, ("two_numerals",))


def _book(reading: Reading) -> _Book:
    uses = {
        claim.number: tuple(_uses(claim.text))
        for claim in reading.claims
        if "(" in claim.text and _BRACKETED.search(claim.text)
    }
    nouns: dict[str, _Use] = {}
    numerals: dict[str, str] = {}
    several: set[str] = set()
    for use in (each for found in uses.values() for each in found):
        nouns.setdefault(use.numeral, use)
        if numerals.setdefault(use.phrase, use.numeral) != use.numeral and not use.definite:
            several.add(use.phrase)
    return _Book(uses, nouns, numerals, frozenset(several))


def _uses(text: str) -> Iterator[_Use]:
    for match in _NUMERAL.finditer(text):
        noun = match["noun"].lower()
        if noun in NO_ELEMENT or noun in NO_NOUN or (noun.endswith(("ing", "ly")) and not match["words"]):
            continue
        determiner = _DETERMINER.match(match["words"])
        words = match["words"][determiner.end() :] if determiner else match["words"]
        definite = determiner is not None and determiner["determiner"] in {"the", "said"}
        phrase = " ".join([*words.lower().split(), lemma(noun)])
        yield _Use(match["numeral"], lemma(noun), phrase, definite, match.start("noun"), match.end())
