"""Two statements in the same words but for one that excludes the other: "the siren sounds if the door is
forced", "the siren sounds unless the door is forced".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ace.claims.checks.logical.chain import kept_with_set, nearest_ancestors
from ace.claims.checks.logical.meanings import CONDITION, FREQUENCY, RELATION
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.stated_clauses import (
    ADDING,
    NEGATION,
    Clause,
    clauses_of,
    determined,
    meaning,
    phrases_by_root,
)
from ace.claims.checks.logical.subjects import alternatives
from ace.claims.findings import Flaw
from ace.claims.language.noun_phrases import Determiner, Phrase, phrases_of
from ace.claims.language.opposites import changeable
from ace.claims.language.tables import word_list
from ace.claims.language.words import root, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_OPENING = word_list("minimal_pairs", "opening")


def minimal_pairs(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Statements of the claim that an ancestor, or the claim itself before, makes with one word opposed."""
    said = meaning(reading, claim.text)
    holders = [
        each
        for each in (claim, *nearest_ancestors(reading, claim))
        if said.may_exclude(meaning(reading, each.text))
    ]
    taken = 0
    for each in _on_known_things(reading, claim.text) if holders else ():
        if each.start < taken:
            continue
        said = each.meaning
        for holder in holders:
            if not said.may_exclude(meaning(reading, holder.text)):
                continue
            found = _opposed_in(reading, each, claim, holder)
            if found is not None:
                yield _flaw(each, *found, claim, holder)
                taken = each.end
                break


def _opposed_in(reading: Reading, each: Clause, claim: Claim, holder: Claim) -> tuple[Clause, str] | None:
    """A statement of a claim that excludes one, and on what dimension; None if another says the same."""
    found = None
    for other in _by_key(reading, holder.text, each.key[0]).get(each.key, ()):
        differences = each.differences(other)
        if each.way and other.way and differences and differences != [NEGATION]:
            continue  # "is inflated via a lumen", "is deflated via the lumen": one after the other
        if differences is None or (holder is claim and other.end > each.start):
            continue
        if not differences:
            return None
        if len(differences) > 1 or (
            holder is claim
            and (_in_turn(differences[0], each) or alternatives(claim.text, other.end, each.start))
        ):
            continue
        found = other, differences[0]
    return found


def _in_turn(dimension: str, said: Clause) -> bool:
    """Whether one claim may say both, of one time and of another: not if it says when."""
    timed = any(each.root in _AT_TIMES or each.at(CONDITION) is not None for each in said.tokens)
    said_of_one_time = timed and dimension != NEGATION
    return not (said_of_one_time or dimension == FREQUENCY or dimension.startswith(RELATION))


_AT_TIMES = frozenset({root("during")})


@kept_with_set
def _on_known_things(reading: Reading, text: str) -> tuple[Clause, ...]:
    """The statements with which a clause begins, on things that the text speaks of as known."""
    words = words_of(text)

    def opens(phrase: Phrase) -> bool:
        opener = phrase.first - len(phrase.opening) - 1
        known = phrase.definite or "no" in phrase.opening
        return known and opener >= 0 and words[opener].lower in _OPENING

    return tuple(
        clause
        for phrase, clause in clauses_of(reading, text, filter(opens, determined(text)))
        if ADDING.isdisjoint(word.lower for word in words[phrase.first : clause.tokens[-1].last])
    )


@kept_with_set
def _by_key(reading: Reading, text: str, first: str) -> dict[tuple[str, ...], list[Clause]]:
    """The statements of a text that begin with this root by key; none on things of which the text brings in
    several of one name."""
    brought = _brought_in(reading, text)
    phrases = (each for each in phrases_by_root(reading, text).get(first, ()) if brought[each.words] < 2)
    found: dict[tuple[str, ...], list[Clause]] = {}
    for _, clause in clauses_of(reading, text, phrases):
        found.setdefault(clause.key, []).append(clause)
    return found


@kept_with_set
def _brought_in(_reading: Reading, text: str) -> Counter[tuple[str, ...]]:
    """How many things of each name a text brings in."""
    return Counter(each.words for each in phrases_of(text) if each.determiner is Determiner.INDEFINITE)


def _flaw(each: Clause, other: Clause, dimension: str, claim: Claim, holder: Claim) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    signals = ["pair", "same_claim" if holder is claim else "inherited"]
    if dimension == NEGATION:
        signals.append("negation")
    elif changeable(dimension):
        signals.append("changeable")
    why = f"This contradicts {where}, which says “{holder.text[other.start : other.end]}”."
    return Flaw(CONTRADICTION, each.start, each.end, why, signals=tuple(signals))
