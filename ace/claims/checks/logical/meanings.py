"""What the words of a claim mean to those who look for opposites: roots, the poles at which words lie, verbs
that undo each other, and words that deny.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain, pairwise, zip_longest
from typing import NamedTuple

from ace.claims.checks.logical.manners import MANNERS
from ace.claims.checks.logical.stated_relations import RELATIONS
from ace.claims.checks.logical.subjects import DETERMINERS
from ace.claims.checks.logical.verb_groups import FREQUENCIES
from ace.claims.language.expressions import Expressions
from ace.claims.language.opposites import POLES, unnegated
from ace.claims.language.tables import table, word_list
from ace.claims.language.verb_forms import forms_of, participle
from ace.claims.language.words import root

_TABLE = table("minimal_pairs")
_EMPTY = word_list("minimal_pairs", "empty") | DETERMINERS
_ABLE = Expressions((each, True) for each in table("statements")["able"].split())
_DENYING = Expressions(
    (each, True) for each in (*_TABLE["denying"].split(), *table("statements")["unable"].split())
)
_ENDING = word_list("minimal_pairs", "ending")
_TIMES = (["during"], ["if"], ["when"], ["while"])
_MARKS = frozenset(".,;:()[]")
CONDITION, FREQUENCY, RELATION, VERB = "condition", "frequency", "relation", "verb"
"""Dimensions: under which condition, how often, how two things stand to each other (with its family), and of
verbs that exclude each other."""


class Pole(NamedTuple):
    """At which end of a dimension a word lies."""

    dimension: str
    at: str | int


def _poles() -> Iterator[tuple[str, tuple[Pole, ...]]]:
    """Every expression that has an opposite, with its poles."""
    found: dict[str, list[Pole]] = {}
    for word, dimensions in POLES.items():
        found[word] = [Pole(*each) for each in dimensions.items()]
    for name, poles in _TABLE["poles"].items():
        for pole, written in poles.items():
            for each in written.split():
                found.setdefault(each, []).append(Pole(name, pole))
    for expressions, kind in ((RELATIONS, RELATION), (MANNERS, "manner")):
        for written, (name, pole) in expressions.items():
            found.setdefault(written, []).append(Pole(f"{kind} {name}", pole))
    for written, word in _states():
        found.setdefault(written, []).extend(Pole(*each) for each in POLES.get(word, {}).items())
    for written, how in FREQUENCIES.items():
        if how != "never":
            found.setdefault(written, []).append(Pole(FREQUENCY, how))
    return ((each, tuple(poles)) for each, poles in found.items())


def _acts() -> Iterator[tuple[str, str]]:
    """The verbs of motion and the like, and the word for what does so."""
    for word, written in table("predicates")["acts"].items():
        yield from ((verb, word) for verb in written.split() if "_" not in verb)


ACTS = frozenset(form for verb, _ in _acts() for form in forms_of(verb))
"""Forms of the verbs of motion and the like."""


def _states() -> Iterator[tuple[str, str]]:
    """Expressions of a state or an act, such as "stands still" and "oscillates", and the word for it."""
    for word, written in table("predicates")["states"].items():
        yield from ((each, word) for each in written.split())
    for verb, word in _acts():
        yield from ((form, word) for form in forms_of(verb))


WITH_OPPOSITES = Expressions(_poles())
"""Every expression that has an opposite, with its poles."""


def _excluded() -> dict[str, frozenset[str]]:
    """Every verb to those that exclude it, whichever of them stands first in the tables."""
    found: dict[str, set[str]] = {}
    predicates = table("predicates")
    for listed in (table("manners")["outcomes"], predicates["opposed"], predicates["opposed_doing"]):
        for one, others in listed.items():
            for other in others.split():
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return {verb: frozenset(others) for verb, others in found.items() if "_" not in verb}


EXCLUDED = _excluded()
"""Every verb to those that exclude it."""
_VERBS = {form: verb for verb in sorted(EXCLUDED) for form in (*forms_of(verb), participle(verb))}


class Token(NamedTuple):
    """What words[first:last] of a claim mean: a root, the poles at which it lies, and the base form of a verb
    that has an opposite. `denies` is true of a word that denies, `ends` of a mark or conjunction."""

    root: str
    first: int
    last: int
    poles: tuple[Pole, ...] = ()
    verb: str = ""
    denies: bool = False
    ends: bool = False

    @property
    def key(self) -> str:
        """The root, or a star if an opposite may stand in its place."""
        return "*" if self.poles or self.verb else self.root

    def at(self, dimension: str) -> str | int | None:
        """Its pole on a dimension, if it has one."""
        return next((pole for name, pole in self.poles if name == dimension), None)

    def opposes(self, other: Token) -> str | None:
        """The dimension on which both exclude each other, "" if they mean the same, else None."""
        if self.root == other.root or (self.verb and self.verb == other.verb):
            return ""
        shared = [
            (name, pole == theirs) for name, pole in self.poles if (theirs := other.at(name)) is not None
        ]
        if any(same for _, same in shared):
            return ""
        if shared:
            return shared[0][0]
        return VERB if other.verb in EXCLUDED.get(self.verb, ()) else None


_BEGINNINGS = frozenset(
    {
        *(("only", time) for (time,) in _TIMES),
        *chain.from_iterable(each.beginnings() for each in (_DENYING, _ABLE, WITH_OPPOSITES)),
    }
)
"""Two words of which the first means something else before the second than alone."""
_new_token = partial(tuple.__new__, Token)  # quicker than Token(…)


class Meaning(NamedTuple):
    """What of some tokens others may exclude: poles by dimension, and verbs. `turned` says whether a word
    denies something, or says how often it holds."""

    poles: Mapping[str, frozenset[str | int]]
    verbs: frozenset[str]
    turned: bool

    def may_exclude(self, other: Meaning) -> bool:
        """Whether statements in the two may exclude each other."""
        return (
            self.turned
            or other.turned
            or any(
                len(poles | other.poles[name]) > 1
                for name, poles in self.poles.items()
                if name in other.poles
            )
            or any(not EXCLUDED[verb].isdisjoint(other.verbs) for verb in self.verbs)
        )


def meaning_in(words: list[str]) -> Meaning:
    """What the lower-case words of a claim may exclude, those within longer expressions included."""
    longer = [at for at, pair in enumerate(pairwise(words)) if pair in _BEGINNINGS]
    return meaning_of((*filter(None, map(_telling, words)), *(_token(words, at) for at in longer)))


@lru_cache(maxsize=16_384)
def _telling(word: str) -> Token | None:
    """What a word means whatever follows it, if another word may exclude that."""
    token = _alone(word)
    return token if token is not None and (token.poles or token.verb or token.denies) else None


def meaning_of(tokens: Iterable[Token], *, turned: bool = False) -> Meaning:
    """What of these tokens others may exclude."""
    poles: dict[str, set[str | int]] = {}
    verbs: set[str] = set()
    for token in tokens:
        turned = turned or token.denies
        if token.verb:
            verbs.add(token.verb)
        for name, pole in token.poles:
            poles.setdefault(name, set()).add(pole)
    turned = turned or FREQUENCY in poles
    return Meaning({name: frozenset(at) for name, at in poles.items()}, frozenset(verbs), turned)


def tokens_of(words: list[str]) -> Iterator[Token]:
    """What the lower-case words of a claim mean, in order; words that say nothing left out."""
    after = 0
    for at, pair in enumerate(zip_longest(words, words[1:])):
        if at < after:
            continue
        if pair in _BEGINNINGS:
            token = _token(words, at)
            after = token.last
            if token.root or token.denies:
                yield token
        elif (meaning := _alone(pair[0])) is not None:
            yield _new_token((meaning.root, at, at + 1, *meaning[3:]))


@lru_cache(maxsize=16_384)
def _alone(word: str) -> Token | None:
    """What a word means whatever follows it; None if it says nothing."""
    token = _token([word], 0)
    return token if token.root or token.denies else None


def _token(words: list[str], at: int) -> Token:
    """What the longest expression at words[at] means; a token without a root if it says nothing."""
    word = words[at]
    if word in _ENDING or word in _MARKS or (word == "only" and words[at + 1 : at + 2] in _TIMES):
        return Token(word, at, at + 1, ends=True)
    denying, able = _DENYING.at(words, at), _ABLE.at(words, at)
    if denying is not None:
        return Token("", at, denying[1], denies=True)
    if able is not None:
        return Token("", at, able[1])
    found = WITH_OPPOSITES.at(words, at)
    verb = _VERBS.get(word, "")
    if found is not None:
        poles, last = found
        return Token(" ".join(words[at:last]), at, last, poles, verb)
    if word in _EMPTY:
        return Token("", at, at + 1)
    plain = unnegated(word)
    if plain is not None:
        return Token(root(plain), at, at + 1, denies=True)
    return Token(root(word), at, at + 1, verb=verb)
