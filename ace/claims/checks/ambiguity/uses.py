"""How a term stands in its claim: whether that use is clear, how far the unclear words reach, and what
makes them more or less likely a defect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ace.claims.checks.ambiguity.terms import MEASURABLE, OPPOSITES, TERMS, Term, Use
from ace.claims.model import Claim

_BACK = 60


class Spot(NamedTuple):
    """A term in a claim: text[start:end], the text in lower case, what stands before, and all terms of
    the claim."""

    term: Term
    text: str
    lower: str
    start: int
    end: int
    before: str
    others: frozenset[str]


class Place(NamedTuple):
    """text[start:end] is unclear; `signals` are those of a Flaw."""

    start: int
    end: int
    signals: tuple[str, ...] = ()


_NEXT = re.compile(r"[\s-]{1,3}([a-z][a-z-]*)")
_COMPARED = re.compile(r"[^.;:]{0,60}?\b(?:than|compar(?:ed|ison)|relative\s+to|with\s+respect\s+to)\b")
_FIGURE = re.compile(r"[^.;:]{0,40}?\d")
_PURPOSE = re.compile(
    r"(?:[\s-]+[^\s.;:,]+){0,9}?,?\s+(?:to|that|so|for|such|as|until|whereby|enough|in\s+order)\b"
)
_PURPOSE_NEXT = re.compile(r"(?:\s+[^\s.;:,]+){0,2}?\s+(?:for|to|that|so|as)\b")
_WORD_BEFORE = re.compile(r"[a-z-]+\s+$")
_IS = re.compile(r"\b(?:is|are|be|being|was|were|remains?|becomes?|kept|made|stays?|gets?|become)\s+$")
_INTRODUCES = re.compile(r"\b(?:an?|at|of|with|to|for|by|in|having|has|under|on|from|over|than|during)\s+$")
_CONDITION = re.compile(r"\b(?:when|if|while|once|until|whether|whenever|unless|responsive)\b[^,;.]*$")
_LOGIC = re.compile(r"\b(?:signal|logic|output|input|clock|bit|line|enable|gate|level|pin|state)s?\b[^,;.]*$")
_ENDS = re.compile(
    r"\s*(?:[,;.:)]|$|(?:and|or|in|on|of|for|to|from|at|by|with|while|when|during|until|before|after|so|which|that"
    r"|is|are|between|through|into|over|under|within|using|across|per|wherein|where|then|as)\b)"
)
_CLAUSE_ENDS = re.compile(
    r"\s*(?:[,;.:)]|$|(?:and|or|when|while|if|where|during|before|after|but|wherein)\b)"
)
_RESULT = re.compile(r"\s+(?:enough|so\s+(?:that|as)|such\s+that|sufficient)\b")
_SELECTED = re.compile(
    r"\b(?:select\w*|chosen|choos\w+|picked|taken|drawn|(?:one|members?|any)\s+(?:or\s+more\s+)?of|from)\b"
)
_NO_ADJECTIVE = frozenset(
    {"a", "an", "the", "and", "or", "of", "in", "on", "at", "by", "with", "for", "from", "than", "to", "that"}
    | {"which", "is", "are", "be", "as", "if", "when", "not", "first", "second", "it"}
)
_OPINIONS = frozenset({"subjective", "degree"})
_COMPARATIVE = re.compile(r"(?:more|less|fewer|\w+(?:er|ier))$")
_NO_COMPARATIVE = frozenset(
    {"other", "after", "over", "under", "never", "either", "per", "number", "upper", "outer", "inner"}
)
_POINTS_BACK = re.compile(r"\b(?:the|said|such)\s+$")


def spots(claim: Claim, lower: str, matches: Sequence[re.Match[str]]) -> Iterator[Spot]:
    """Each match of a term in the claim's text."""
    words = [" ".join(match.group().split()) for match in matches]
    others = frozenset(words)
    for word, match in zip(words, matches, strict=True):
        start, end = match.span()
        before = lower[max(0, start - _BACK) : start]
        yield Spot(TERMS[word], claim.text, lower, start, end, before, others)


def place_of(spot: Spot) -> Place | None:
    """Where the unclear words stand, or None where this use of the term is clear."""
    term = spot.term
    if term.follows is not None and term.follows.search(spot.before):
        return None
    if term.precedes is not None and term.precedes.match(spot.lower, spot.end):
        return None
    return _USES[term.use](spot)


_MANNER = re.compile(r"\s+(?:way|manner|fashion|style)\b")
_OF = re.compile(r"\b(?:of|has|have|having)\s+(?:an?\s+)?$")


def company(spot: Spot, place: Place) -> tuple[str, ...]:
    """Signals from the term and from what stands around it."""
    found = list(place.signals)
    if spot.term.mild:
        found.append("mild")
        found.extend(_judges(spot, place))
    if _FIGURE.match(spot.lower, place.end):
        found.append("figure_near")
    if _CONDITION.search(spot.before):
        found.append("conditional")
    if points_back(spot.lower, place.start):
        found.append("definite")
    return tuple(found)


def _judges(spot: Spot, place: Place) -> Iterator[str]:
    """How a mild term says no more than an opinion: "works in an optimal way", "is optimal", "of considerable
    size"."""
    if _MANNER.match(spot.lower, place.end):
        yield "manner"
    elif (
        spot.term.subtype in _OPINIONS
        and _IS.search(spot.before)
        and _CLAUSE_ENDS.match(spot.lower, place.end)
    ):
        yield "predicate"
    elif _OF.search(spot.before):
        after = _NEXT.match(spot.lower, place.end)
        if after is not None and after[1] in MEASURABLE and _ENDS.match(spot.lower, after.end()):
            yield "vague_measure"


def points_back(lower: str, start: int) -> bool:
    """Whether the words at `start` belong to a definite phrase: "the relatively thin plate"."""
    return _POINTS_BACK.search(lower[max(0, start - 8) : start]) is not None


def _anywhere(spot: Spot) -> Place:
    return Place(spot.start, spot.end)


def _adverb(spot: Spot) -> Place | None:
    after = _NEXT.match(spot.lower, spot.end)
    if after is None or after[1] in _NO_ADJECTIVE or _COMPARED.match(spot.lower, after.end()):
        return None
    end = after.end()
    if after[1].endswith("ly") and (more := _NEXT.match(spot.lower, end)) and more[1] in OPPOSITES:
        end = more.end()
    comparative = ("comparative",) if _COMPARATIVE.match(after[1]) else ()
    return Place(spot.start, end, comparative + _paired(spot, after[1]))


def _comparative(spot: Spot) -> Place | None:
    """ "much stronger", where nothing says than what."""
    after = _NEXT.match(spot.lower, spot.end)
    if (
        after is None
        or after[1] in _NO_ADJECTIVE
        or not _COMPARATIVE.match(after[1])
        or after[1] in _NO_COMPARATIVE
    ):
        return None
    if _COMPARED.match(spot.lower, after.end()):
        return None
    end = after.end()
    if after[1] in {"more", "less"} and (adjective := _NEXT.match(spot.lower, end)):
        end = adjective.end()
    return Place(spot.start, end)


def _degree_adverb(spot: Spot) -> Place | None:
    after = _NEXT.match(spot.lower, spot.end)
    return _adverb(spot) if after is not None and after[1] in OPPOSITES else None


def _purpose(spot: Spot) -> Place | None:
    if (_PURPOSE if spot.term.subtype == "degree" else _PURPOSE_NEXT).match(spot.lower, spot.end):
        return None
    written = spot.lower[spot.start : spot.end]
    if written == "enough":
        word = _WORD_BEFORE.search(spot.before)
        return Place(spot.start - len(word.group()), spot.end) if word else None
    after = _NEXT.match(spot.lower, spot.end)
    raised = after is not None and written.endswith("ly") and after[1] not in _NO_ADJECTIVE
    return Place(spot.start, after.end() if after and raised else spot.end)


def _degree(spot: Spot) -> Place | None:
    word = spot.lower[spot.start : spot.end]
    paired = _paired(spot, word)
    if _IS.search(spot.before):
        clear = _LOGIC.search(spot.before) or _COMPARED.match(spot.lower, spot.end)
        if clear or _CLAUSE_ENDS.match(spot.lower, spot.end) is None:
            return None
        return Place(spot.start, spot.end, ("predicate", *paired))
    if not _INTRODUCES.search(spot.before):
        return None
    noun = _NEXT.match(spot.lower, spot.end)
    if noun is None or noun[1] not in MEASURABLE or _ENDS.match(spot.lower, noun.end()) is None:
        return None
    if _COMPARED.match(spot.lower, noun.end()) or _RESULT.match(spot.lower, noun.end()):
        return None
    return Place(spot.start, noun.end(), paired)


def _paired(spot: Spot, word: str) -> tuple[str, ...]:
    """Whether the claim has the opposite too, so that the two may only tell one thing from another."""
    return ("paired",) if OPPOSITES.get(word) in spot.others else ()


def _selected(spot: Spot) -> Place | None:
    return Place(spot.start, spot.end) if _SELECTED.search(spot.before) else None


def _proper(spot: Spot) -> Place | None:
    """A capital that begins no sentence; "iOS" has its second letter."""
    capital = any(letter.isupper() for letter in spot.text[spot.start : spot.start + 2])
    return Place(spot.start, spot.end) if spot.before and capital else None


_USES: dict[Use, Callable[[Spot], Place | None]] = {
    Use.ANYWHERE: _anywhere,
    Use.ADVERB: _adverb,
    Use.DEGREE_ADVERB: _degree_adverb,
    Use.COMPARATIVE: _comparative,
    Use.PURPOSE: _purpose,
    Use.DEGREE: _degree,
    Use.SELECTED: _selected,
    Use.PROPER: _proper,
}
