"""Steps in an order that a dependent claim reverses: "sealing the filled bag", then "the bag is sealed before
being filled".

The order of two steps is known if a word says so ("and then", "after step (a)"), if the later one works on
what the earlier one has done ("the filled bag") or made ("to form a film … drying the film"), and through
steps between them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from operator import attrgetter
from typing import NamedTuple

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.findings import Flaw
from ace.claims.language.noun_phrases import PARTICIPIAL, Determiner, Phrase, phrases_of, word_class_of
from ace.claims.language.tables import word_list
from ace.claims.language.verb_forms import gerund_of
from ace.claims.language.words import VERB_OF_PARTICIPLE, lemma, root
from ace.claims.model import Claim
from ace.claims.reading import Reading

_STEP = re.compile(
    r"""(?:[;:,\n]|\bcomprising|\bincluding|\bsteps?\sof|\band|\bbefore|\bprior\sto|\bfollowed\sby)\s?(?:and\s)?
        (?:\(?(?P<label>[a-z]|[0-9]{1,2}|[ivx]{1,4})[).]\s)?
        (?P<then>(?:then|subsequently|thereafter|next|afterwards?|finally)\s?,?\s)?
        (?:after\s(?:the\s)?steps?\s\(?(?P<after>[a-z]|[0-9]{1,2}|[ivx]{1,4})\)?\s?,?\s)?
        (?:(?:a|the)\sstep\sof\s)?
        (?P<verb>[a-z]{3,20}ing)\s(?=(?:the|an?|said|at\sleast|one|each|all)\s)""",
    re.VERBOSE,
)
_LEADING_ON = ("before", "prior to", "followed by")
_MADE = re.compile(
    r"\b(?:to|thereby|thus|so\sas\sto)\s(?:create|creating|form|forming|generate|generating|give|giving"
    r"|obtain|obtaining|produce|producing|provide|providing|yield|yielding)\s\Z"
)
_MADE_CHARACTERS = 32
_SAID = re.compile(
    r"""\b(?:wherein|where|whereby|and)\s(?P<first>(?:(?:[a-z]{3,20}ing\s)?(?:the|said)\s|step\s)[^,;:.]{3,120}?)\s
        (?P<how>before|prior\sto|precedes|after|following|follows|subsequent\sto|subsequently\sto)\s
        (?P<second>[^,;:.]{4,80})""",
    re.VERBOSE,
)
_LATER = frozenset({"after", "following", "follows", "subsequent to", "subsequently to"})
_REPEATED = word_list("logic", "repeating")
_LABELLED = re.compile(r"\bstep\s\(?([a-z]|[0-9]{1,2}|[ivx]{1,4})\)?(?![a-z])")
_MAX_STEPS = 20


class Step(NamedTuple):
    """A step of a method, text[start:end]: its label, the root of its verb, and what it is done to.

    `then` says that it follows the step before it, `after` is the label of a step that it follows.
    """

    label: str
    verb: str
    thing: tuple[str, ...]
    start: int
    end: int
    then: bool
    after: str


class Side(NamedTuple):
    """What is said to come before or after: roots of verbs, names of things and the label of a step."""

    verbs: frozenset[str]
    things: frozenset[tuple[str, ...]]
    label: str

    def names(self, step: Step, verbs: frozenset[str]) -> bool:
        """Whether it speaks of a step, whose verb it may leave out if that is one of `verbs`."""
        if self.label:
            return self.label == step.label
        if self.verbs:
            return step.verb in self.verbs and (not self.things or step.thing in self.things)
        return step.verb in verbs and step.thing in self.things


class Order(NamedTuple):
    """A statement that `first` comes before `second`: text[start:end]."""

    first: Side
    second: Side
    start: int
    end: int

    def reverses(self, other: Order) -> bool:
        """Whether another statement has the same two steps the other way round."""
        swapped = self.first.verbs == other.second.verbs and self.second.verbs == other.first.verbs
        return (
            swapped and bool(self.first.verbs and self.second.verbs) and self.first.verbs != self.second.verbs
        )


def reversed_steps(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Where the claim says that a step comes before one that must precede it in the claim or an ancestor."""
    said = _said(reading, claim.text)
    holders = (claim, *nearest_ancestors(reading, claim)) if said else ()
    for each in said:
        for holder in holders:
            reverses = _reverses(each, _known_order(reading, holder.text))
            if reverses or any(map(each.reverses, _said(reading, holder.text))):
                yield _flaw(each, claim, holder)
                break


def _reverses(said: Order, known: frozenset[tuple[Step, Step]]) -> bool:
    """Whether the only steps that a statement may mean are in the reverse order."""
    verbs = said.first.verbs | said.second.verbs
    steps = {step for pair in known for step in pair}
    first, second = (
        [step for step in steps if side.names(step, verbs)] for side in (said.first, said.second)
    )
    return len(first) == len(second) == 1 and (second[0], first[0]) in known


@kept_with_set
def _said(_reading: Reading, text: str) -> tuple[Order, ...]:
    """What a text says of the order of steps."""
    return tuple(_orders(text))


def _orders(text: str) -> Iterator[Order]:
    for match in islice(_SAID.finditer(text), MAX_STATEMENTS):
        if not _REPEATED.isdisjoint(match[0].lower().split()):
            continue
        first, second = (_side(text, *match.span(side)) for side in ("first", "second"))
        if " ".join(match["how"].split()) in _LATER:
            first, second = second, first
        yield Order(first, second, match.start("first"), match.end("second"))


def _side(text: str, start: int, end: int) -> Side:
    labelled = _LABELLED.search(text, start, end)
    verbs = frozenset(_verbs(text[start:end]))
    things = frozenset(_name(phrase, end) for phrase in _between(text, start, end)) - {()}
    return Side(verbs, things, labelled[1] if labelled is not None else "")


def _name(phrase: Phrase, end: int) -> tuple[str, ...]:
    """The words of a phrase up to `end` without what is done to the thing: the bag of "the filled bag"."""
    return tuple(
        lemma(word)
        for word, last in zip(phrase.words, phrase.ends, strict=False)
        if last <= end
        and not word.endswith("ing")
        and word != "step"
        and word_class_of(word) not in PARTICIPIAL
    )


def _verbs(words: str) -> Iterator[str]:
    """The roots of the gerunds and participles among some words."""
    for word in words.lower().split():
        if word.endswith("ing") and word != "being":
            yield root(word)
        elif word in VERB_OF_PARTICIPLE:
            yield root(VERB_OF_PARTICIPLE[word])
        elif word.endswith("ed") and word not in _DONE:
            yield root(gerund_of(word))


_DONE = word_list("manners", "done")


@kept_with_set
def _known_order(_reading: Reading, text: str) -> frozenset[tuple[Step, Step]]:
    """Pairs of steps of which the first must come before the second; both the only ones of verb and thing."""
    steps = _steps(text)
    follows = [set[int]() for _ in steps]
    for later in range(1, len(steps)):
        for earlier in range(later):
            told = (steps[later].then and earlier == later - 1) or steps[later].after == steps[
                earlier
            ].label != ""
            if told or _works_on(text, steps[earlier], steps[later]):
                follows[later] |= {earlier} | follows[earlier]
    return frozenset(
        (steps[earlier], steps[later]) for later, befores in enumerate(follows) for earlier in befores
    )


def _steps(text: str) -> list[Step]:
    found = list(islice(_STEP.finditer(text), _MAX_STEPS))
    starts = [*(match.start("verb") for match in found), len(text)]
    return [_step(text, match, end) for match, (_, end) in zip(found, pairwise(starts), strict=True)]


def _step(text: str, match: re.Match[str], end: int) -> Step:
    start = match.start("verb")
    thing = next((_name(phrase, end) for phrase in _between(text, start, end) if phrase.determiner), ())
    then = match["then"] is not None or match[0].startswith(_LEADING_ON)
    return Step(match["label"] or "", root(match["verb"]), thing, start, end, then, match["after"] or "")


def _works_on(text: str, earlier: Step, later: Step) -> bool:
    """Whether a step works on what an earlier one has done or made."""
    on = [phrase for phrase in _between(text, later.start, later.end) if phrase.definite]
    if any(len(phrase.words) > 1 and earlier.verb in _verbs(phrase.words[0]) for phrase in on):
        return True
    made = {
        phrase.words
        for phrase in _between(text, earlier.start, earlier.end)
        if phrase.determiner is Determiner.INDEFINITE
        and _MADE.search(text, max(earlier.start, phrase.start - _MADE_CHARACTERS), phrase.start)
    }
    return any(phrase.words in made for phrase in on)


_start = attrgetter("start")


def _between(text: str, start: int, end: int) -> Sequence[Phrase]:
    phrases = phrases_of(text)
    first = bisect_left(phrases, start, key=_start)
    return phrases[first : bisect_left(phrases, end, key=_start)]


def _flaw(said: Order, claim: Claim, holder: Claim) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    signals = ("sequence", "same_claim" if holder is claim else "inherited")
    why = f"By {where} these steps follow each other the other way round."
    return Flaw(CONTRADICTION, said.start, said.end, why, signals=signals)
