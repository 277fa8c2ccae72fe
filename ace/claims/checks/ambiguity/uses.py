"""How a term is used in its claim: whether that use is clear, which words are unclear, and what makes them
more or less likely a defect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from ace.claims.checks.ambiguity.terms import MEASURABLE, OPPOSITES, TERMS, Term, Use

_LOOK_BACK_CHARACTERS: Final = 60


class TermUse(NamedTuple):
    """A term in a claim: lower[start:end] of the claim in lower case, the words before it, and all terms of
    the claim."""

    term: Term
    lower: str
    start: int
    end: int
    before: str
    others: frozenset[str]


class UnclearWords(NamedTuple):
    """text[start:end] is unclear; `signals` are those of a Flaw."""

    start: int
    end: int
    signals: tuple[str, ...] = ()


_NEXT: Final = re.compile(r"[\s-]{1,3}([a-z][a-z-]*)")
_COMPARED: Final = re.compile(r"[^.;:]{0,60}?\b(?:than|compar(?:ed|ison)|relative\sto|with\srespect\sto)\b")
_FIGURE: Final = re.compile(r"[^.;:]{0,40}?\d")
_PURPOSE: Final = re.compile(
    r"(?:[\s-]{1,3}+[^\s.;:,]++(?:\s[^\s.;:,]++){0,8}?)??,?\s(?:to|that|so|for|such|as|until|whereby|enough|in\sorder)\b"
)
_PURPOSE_NEXT: Final = re.compile(r"(?:\s[^\s.;:,]+){0,2}?\s(?:for|to|that|so|as)\b")
_WORD_BEFORE: Final = re.compile(r"(?<![a-z-])[a-z-]+\s$")
_IS: Final = re.compile(r"\b(?:is|are|be|being|was|were|remains?|becomes?|kept|made|stays?|gets?|become)\s$")
_INTRODUCES: Final = re.compile(
    r"\b(?:an?|at|of|with|to|for|by|in|having|has|under|on|from|over|than|during)\s$"
)
_CONDITION: Final = re.compile(
    r"\b(?:when|if|while|once|until|whether|whenever|unless|responsive)\b[^,;.]{0,160}$"
)
_LOGIC: Final = re.compile(
    r"\b(?:signal|logic|output|input|clock|bit|line|enable|gate|level|pin|state)s?\b[^,;.]{0,160}$"
)
_ENDS: Final = re.compile(
    r"\s?(?:[,;.:)]|$|(?:and|or|in|on|of|for|to|from|at|by|with|while|when|during|until|before|after|so|which|that"
    r"|is|are|between|through|into|over|under|within|using|across|per|wherein|where|then|as)\b)"
)
_CLAUSE_ENDS: Final = re.compile(
    r"\s?(?:[,;.:)]|$|(?:and|or|when|while|if|where|during|before|after|but|wherein)\b)"
)
_RESULT: Final = re.compile(r"\s(?:enough|so\s(?:that|as)|such\sthat|sufficient)\b")
_SELECTED: Final = re.compile(
    r"\b(?:select\w*|chosen|choos\w+|picked|taken|drawn|(?:one|members?|any)\s(?:or\smore\s)?of|from)\b"
)
_HAD: Final = frozenset({"high", "low"})
_WITH: Final = re.compile(r"\bwith\s(?:an?\s)?$")
_NO_ADJECTIVE: Final = frozenset(
    {"a", "an", "the", "and", "or", "of", "in", "on", "at", "by", "with", "for", "from", "than", "to", "that"}
    | {"which", "is", "are", "be", "as", "if", "when", "not", "first", "second", "it", "into", "onto"}
)
_COMPARATIVE: Final = re.compile(r"(?:more|less|fewer|\w+(?:er|ier))$")
_POINTS_BACK: Final = re.compile(r"\b(?:the|said|such)\s$")


def term_uses(lower: str, matches: Sequence[re.Match[str]]) -> Iterator[TermUse]:
    """Each match of a term in the claim's text."""
    words = [" ".join(match.group().split()) for match in matches]
    others = frozenset(words)
    for word, match in zip(words, matches, strict=True):
        start, end = match.span()
        before = lower[max(0, start - _LOOK_BACK_CHARACTERS) : start]
        yield TermUse(TERMS[word], lower, start, end, before, others)


def unclear_words(use: TermUse) -> UnclearWords | None:
    """The unclear words, or None if this use of the term is clear."""
    term = use.term
    if term.follows is not None and term.follows.search(use.before):
        return None
    if term.precedes is not None and term.precedes.match(use.lower, use.end):
        return None
    return _USES[term.use](use)


def signals_of(use: TermUse, unclear: UnclearWords) -> tuple[str, ...]:
    """Signals from the term and from the words around it."""
    signals = list(unclear.signals)
    if use.term.mild:
        signals.append("mild")
    if _FIGURE.match(use.lower, unclear.end):
        signals.append("figure_near")
    if _CONDITION.search(use.before):
        signals.append("conditional")
    if points_back(use.lower, unclear.start):
        signals.append("definite")
    return tuple(signals)


def points_back(lower: str, start: int) -> bool:
    """Whether the words at `start` belong to a definite phrase: "the relatively thin plate"."""
    return _POINTS_BACK.search(lower[max(0, start - 8) : start]) is not None


def _anywhere(use: TermUse) -> UnclearWords:
    return UnclearWords(use.start, use.end)


_COMPARING: Final = frozenset({"comparatively", "rather", "relatively"})
"""What is compared with something has a standard; "considerably larger than" still has none."""


def _adverb(use: TermUse) -> UnclearWords | None:
    after = _NEXT.match(use.lower, use.end)
    comparing = use.lower[use.start : use.end] in _COMPARING
    if after is None or after[1] in _NO_ADJECTIVE:
        alone = use.lower[use.end - 2 : use.end] == "ly" and not (comparing or use.term.mild)
        return UnclearWords(use.start, use.end, ("alone",)) if alone else None
    end = after.end()
    if comparing and _COMPARED.match(use.lower, end):
        return None
    if after[1].endswith("ly") and (more := _NEXT.match(use.lower, end)) and more[1] in OPPOSITES:
        end = more.end()
    comparative = ("comparative",) if _COMPARATIVE.match(after[1]) else ()
    return UnclearWords(use.start, end, comparative + _paired(use, after[1]))


def _purpose(use: TermUse) -> UnclearWords | None:
    degree = use.term.subtype == "degree"
    if _PURPOSE.match(use.lower, use.end) if degree else _PURPOSE_NEXT.match(use.lower, use.end):
        return None
    written = use.lower[use.start : use.end]
    if written == "enough":
        word = _WORD_BEFORE.search(use.before)
        return UnclearWords(use.start - len(word.group()), use.end) if word else None
    after = _NEXT.match(use.lower, use.end)
    raised = after is not None and written.endswith("ly") and after[1] not in _NO_ADJECTIVE
    return UnclearWords(use.start, after.end() if after and raised else use.end)


def _degree(use: TermUse) -> UnclearWords | None:
    word = use.lower[use.start : use.end]
    paired = _paired(use, word)
    if _IS.search(use.before):
        clear = _LOGIC.search(use.before) or _COMPARED.match(use.lower, use.end)
        if clear or _CLAUSE_ENDS.match(use.lower, use.end) is None:
            return None
        return UnclearWords(use.start, use.end, ("predicate", *paired))
    if not _INTRODUCES.search(use.before):
        return None
    noun = _NEXT.match(use.lower, use.end)
    if noun is None:
        return None
    had = word in _HAD and noun[1] not in _NO_ADJECTIVE and _WITH.search(use.before) is not None
    if not had and (noun[1] not in MEASURABLE or _ENDS.match(use.lower, noun.end()) is None):
        return None
    if _COMPARED.match(use.lower, noun.end()) or _RESULT.match(use.lower, noun.end()):
        return None
    return UnclearWords(use.start, noun.end(), ("had", *paired) if had else paired)


def _paired(use: TermUse, word: str) -> tuple[str, ...]:
    """Whether the claim has the opposite too, so that the two may only distinguish one thing from another."""
    return ("paired",) if OPPOSITES.get(word) in use.others else ()


def _selected(use: TermUse) -> UnclearWords | None:
    """A group from which something is selected, and no thing that a name calls so: "a lens group having"."""
    selected = _SELECTED.search(use.before) and _FROM.search(use.before)
    return UnclearWords(use.start, use.end) if selected else None


_FROM: Final = re.compile(
    r"\b(?:from|of|among|amongst|between|within|in)\s(?:(?:a|the|an|any|one|said|this)\s)?(?:(?:above|below|following|whole)\s)?$"
)


_USES: Final[dict[Use, Callable[[TermUse], UnclearWords | None]]] = {
    Use.ANYWHERE: _anywhere,
    Use.ADVERB: _adverb,
    Use.PURPOSE: _purpose,
    Use.DEGREE: _degree,
    Use.SELECTED: _selected,
}
