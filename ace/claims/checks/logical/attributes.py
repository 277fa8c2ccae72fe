"""Opposed attributes of one element: "a transparent housing … wherein the housing is opaque"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.stated_attributes import Attribute, stated_attributes
from ace.claims.checks.logical.subjects import (
    alternatives,
    same_part,
    step_between,
    subject_before,
)
from ace.claims.findings import Flaw
from ace.claims.language.opposites import agree, changeable, opposed, opposites, unnegated
from ace.claims.language.tables import word_list
from ace.claims.model import Claim
from ace.claims.reading import Reading

_NO_MODIFIER = word_list("logic", "no_modifier")
_COMPOUNDS = word_list("logic", "compounds")
_ALTOGETHER = word_list("logic", "altogether")


def contradictions(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Attributes that the claim states of an element and that it, or an ancestor, also denies."""
    own = stated_attributes(reading, claim.text)
    if not own:
        return
    ancestors = nearest_ancestors(reading, claim)
    inherited = [_by_subject(reading, ancestor.text) for ancestor in ancestors]
    before: _Stated = {}
    for attribute in own:
        if attribute.conditional:
            continue
        if attribute.relative:
            _add(before, attribute)
            continue
        if attribute.second:
            yield _flaw(attribute, attribute.second, claim, ("same_claim", "element_exact"))
        else:
            found = _against_statements(claim.text, attribute, before, inherited) or _against_names(
                reading, attribute, claim, ancestors
            )
            if found is not None:
                yield _flaw(attribute, found[0], claim, found[1])
        _add(before, attribute)


_Stated = dict[tuple[str, ...], dict[tuple[object, ...], Attribute]]
"""Attributes that hold at all times by the words of their subject; those that say the same only once, as each
is compared with each of the claims that inherit it."""


def _add(stated: _Stated, each: Attribute) -> None:
    said = (
        each.subject.of,
        each.word,
        each.negated,
        each.domain,
        each.rest,
        each.staged,
        each.frequency,
        each.scope,
    )
    stated.setdefault(each.subject.words, {}).setdefault(said, each)


@kept_with_set
def _by_subject(reading: Reading, text: str) -> _Stated:
    stated: _Stated = {}
    for each in stated_attributes(reading, text):
        if not each.conditional:
            _add(stated, each)
    return stated


def _against_statements(
    text: str, attribute: Attribute, before: _Stated, inherited: list[_Stated]
) -> tuple[str, tuple[str, ...]] | None:
    for stated in (before, *inherited):
        for other in stated.get(attribute.subject.words, {}).values():
            if not same_part(attribute.subject, other.subject):
                continue
            if stated is before and alternatives(text, other.end, attribute.subject.start):
                continue
            dimension = attribute.excludes(other)
            in_turn = dimension is not None and (changeable(dimension) or attribute.act or other.act)
            may_change = stated is before and (in_turn or dimension == "negation")
            if may_change and step_between(text, other.end, attribute.subject.start):
                continue
            if dimension is not None and not (in_turn and (attribute.staged or other.staged)):
                word = f"not {other.word}" if other.negated else other.word
                return word, _signals(dimension, stated is not before, exact=True, named=False)
    return None


def _against_names(
    reading: Reading, attribute: Attribute, claim: Claim, ancestors: tuple[Claim, ...]
) -> tuple[str, tuple[str, ...]] | None:
    """Against what the element is called: "a transparent housing"."""
    if not _of_the_named(attribute):
        return None
    excluded = frozenset({attribute.word}) if attribute.negated else opposites(attribute.word)
    own = excluded.intersection(attribute.subject.words[:-1])
    if own and not _compounds(attribute.subject.words).intersection(own):
        dimension = opposed(attribute.word, min(own)) or "negation"
        return min(own), _signals(dimension, False, exact=True, named=True)
    names = [
        (claim is not holder, name)
        for holder in (claim, *ancestors)
        for name in _names(reading, holder.text, attribute.subject.head)
    ]
    if any(_speaks(attribute, name) for _, name in names):
        return None
    mine = frozenset(attribute.subject.words[:-1]) - {attribute.word}
    introduced = {frozenset(name) for _, name in names}
    for inherited, name in names:
        met = excluded.intersection(name)
        rest = frozenset(name) - met
        if met and (rest == mine or (mine < rest and len(introduced) == 1)):
            dimension = opposed(attribute.word, min(met)) or "negation"
            if attribute.staged and changeable(dimension):
                continue
            return min(met), _signals(dimension, inherited, exact=rest == mine, named=True)
    return None


def _of_the_named(attribute: Attribute) -> bool:
    """Whether the attribute is one of the whole element, always, and so one that a name may deny."""
    if attribute.subject.of or attribute.scope or attribute.frequency == "sometimes":
        return False
    return not attribute.rest or attribute.word in _ALTOGETHER


def _speaks(attribute: Attribute, name: tuple[str, ...]) -> bool:
    """Whether an element of this name has the attribute: there are two, one of each kind."""
    if attribute.negated:
        return any(unnegated(word) == attribute.word for word in name)
    return attribute.word in name or any(
        not opposed(attribute.word, word) and agree(attribute.word, word) for word in name
    )


def _compounds(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for word, following in pairwise(words) if f"{word}-{following}" in _COMPOUNDS)


@kept_with_set
def _names(reading: Reading, text: str, head: str) -> tuple[tuple[str, ...], ...]:
    """What modifies the occurrences of an element's head in a text."""
    names: list[tuple[str, ...]] = []
    for match in islice(_occurrences(reading, head).finditer(text), MAX_STATEMENTS):
        name = subject_before(text, match.end(), through=frozenset())
        if name is None or name.head != head or name.opener in _NO_MODIFIER or name.opener == ",":
            continue
        loose = _compounds(name.words)
        names.append(tuple(word for word in name.words[:-1] if word not in loose))
    return tuple(dict.fromkeys(names))


@kept_with_set
def _occurrences(_reading: Reading, head: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(head.removesuffix('y'))}(?:y|ies|es|s)?\b", re.IGNORECASE)


def _signals(dimension: str, inherited: bool, *, exact: bool, named: bool) -> tuple[str, ...]:
    signals = ["inherited" if inherited else "same_claim"]
    if exact:
        signals.append("element_exact")
    if named:
        signals.append("named")
    if changeable(dimension):
        signals.append("changeable")
    if dimension == "negation":
        signals.append("negation")
    return tuple(signals)


def _flaw(attribute: Attribute, other: str, claim: Claim, signals: tuple[str, ...]) -> Flaw:
    statement = claim.text[attribute.subject.start : attribute.end]
    where = "a claim that it depends on" if "inherited" in signals else "the claim"
    return Flaw(
        CONTRADICTION,
        attribute.subject.start,
        attribute.end,
        f"“{statement}” is a contradiction: {where} also describes it as {other}.",
        signals=signals,
    )
