"""What a thing does to another and does not do to it, or does and undoes: "the arm touches the plate", "the
arm never touches the plate"; "the valve allows flow", "the valve prevents flow".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.statements import Statement, at_times, staged, statements
from ace.claims.checks.logical.subjects import (
    DETERMINERS,
    StatementSubject,
    alternatives,
    conditional,
    subject_before,
)
from ace.claims.findings import Flaw
from ace.claims.language.tables import word_groups, word_list
from ace.claims.language.verb_forms import forms_of, gerund_of
from ace.claims.language.words import lemma, root, word_start, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_NO_ACTS = frozenset(
    {"be", "have", *word_list("possessions", "having"), *word_list("possessions", "lacking")}
)
_AFFIRMING = word_list("statements", "affirming")
_DENYING = word_list("statements", "denying")
_OPPOSED = word_groups("predicates", "opposed")
_OPPOSED_DOING = word_groups("predicates", "opposed_doing")
_MAX_OCCURRENCES = 20
_MAX_DENIALS = 8
"""Denied acts of one claim that are looked for in other claims."""


def done_and_not_done(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Acts that the claim denies although it, or an ancestor, requires them, and the other way round."""
    deniers = _deniers(reading)
    if not deniers:
        return
    ancestors = nearest_ancestors(reading, claim)
    for denied in deniers.get(claim.number, ()):
        for holder in (claim, *ancestors):
            end = denied.start if holder is claim else len(holder.text)
            place = _affirmed(holder.text, denied, 0, end)
            if place is None and holder is claim:
                place = _affirmed(claim.text, denied, denied.end, len(claim.text))
            chosen = (
                place is not None and holder is claim and alternatives(claim.text, place[1], denied.start)
            )
            if place is not None and not chosen:
                yield _flaw((denied.start, denied.end), claim, holder, place)
                break
    for ancestor in ancestors:
        for denied in deniers.get(ancestor.number, ()):
            place = _affirmed(claim.text, denied, 0, len(claim.text))
            if place is not None:
                yield _flaw(place, claim, ancestor, (denied.start, denied.end))


@kept_with_set
def _denials(reading: Reading, text: str) -> tuple[Statement, ...]:
    """The acts that a text denies of a known thing with no condition."""
    found = (
        said
        for said in statements(reading, text)
        if said.negated
        and said.subject.definite
        and said.verb not in _NO_ACTS
        and not said.frequency
        and not said.open_end
        and not at_times(text, said)
        and not staged(text, said)
    )
    return tuple(islice(found, _MAX_DENIALS))


@kept_with_set
def _deniers(reading: Reading) -> dict[int, tuple[Statement, ...]]:
    """The claims that deny acts, and which."""
    return {claim.number: found for claim in reading.claims if (found := _denials(reading, claim.text))}


def _affirmed(text: str, denied: Statement, start: int, end: int) -> tuple[int, int] | None:
    """Where text[start:end] says that the subject does what is denied of it."""
    words = words_of(text)
    if denied.verb.removesuffix("e").removesuffix("y") not in text:
        return None
    for match in islice(_occurrences(denied.verb).finditer(text, start, end), _MAX_OCCURRENCES):
        at = bisect_left(words, match.start(), key=word_start)
        left = at
        while left > 0 and (words[left - 1].lower in _AFFIRMING or words[left - 1].lower.endswith("ly")):
            left -= 1
        before = words[left - 1].lower if left else ""
        if before in _DENYING or not _same_object(text, at + 1, denied.complement):
            continue
        subject = subject_before(text, words[left].start)
        if subject is None or subject.opener in _ANOTHER or not _same_thing(subject, denied.subject):
            continue
        stop = words[min(len(words) - 1, at + len(denied.complement))].end
        if not conditional(text, subject.start, match.end(), stop):
            return subject.start, stop
    return None


def steps_denied(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """ "the film is not dried", although a step is "drying the film"."""
    ancestors: tuple[Claim, ...] | None = None
    for said in _undone(reading, claim.text):
        ancestors = nearest_ancestors(reading, claim) if ancestors is None else ancestors
        name = " ".join(said.subject.words)
        step = _step_on(gerund_of(said.complement[0]), name)
        for holder in (claim, *ancestors):
            place = step.search(holder.text, 0, said.start if holder is claim else len(holder.text))
            if place is not None and not conditional(holder.text, place.start(), place.end(), place.end()):
                yield _flaw((said.start, said.end), claim, holder, place.span())
                break


@kept_with_set
def _undone(reading: Reading, text: str) -> tuple[Statement, ...]:
    """Where a text says that something is not done to a known thing, with no condition."""
    found = (
        said
        for said in statements(reading, text)
        if said.negated
        and said.verb == "be"
        and len(said.complement) == 1
        and said.complement[0].endswith("ed")
        and said.subject.definite
        and not (said.subject.of or said.adverbs or said.open_end or said.scope)
        and not at_times(text, said)
    )
    return tuple(islice(found, _MAX_DENIALS))


@lru_cache(maxsize=256)
def _step_on(gerund: str, name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(gerund)}\s(?:the|an?|said)\s{re.escape(name)}(?![\w-])", re.IGNORECASE)


_ANOTHER = frozenset({"another", "one", "other", "some"})


def _same_thing(one: StatementSubject, other: StatementSubject) -> bool:
    return (one.words, one.of) == (other.words, other.of)


def _same_object(text: str, at: int, complement: tuple[str, ...]) -> bool:
    words = words_of(text)
    wanted = [lemma(word) for word in complement if word not in DETERMINERS]
    if not wanted:
        return at >= len(words) or not words[at].lower[0].isalnum()
    given = (
        lemma(word.lower) for word in words[at : at + 2 * len(complement)] if word.lower not in DETERMINERS
    )
    return list(islice(given, len(wanted))) == wanted


@lru_cache(maxsize=256)
def _occurrences(verb: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, forms_of(verb)))})\b", re.IGNORECASE)


def opposed_acts(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Acts of the claim that undo an act of the same thing on the same object."""
    own = _acts(reading, claim.text)
    if not own:
        return
    before: list[Statement] = []
    ancestors = nearest_ancestors(reading, claim)
    for act in own:
        for holder, others in ((claim, before), *((each, _acts(reading, each.text)) for each in ancestors)):
            other = next((other for other in others if _undoes(act, other)), None)
            chosen = other is not None and holder is claim and alternatives(claim.text, other.end, act.start)
            if other is not None and not chosen:
                yield _flaw((act.start, act.end), claim, holder, (other.start, other.end))
                break
        before.append(act)


@kept_with_set
def _acts(reading: Reading, text: str) -> tuple[Statement, ...]:
    found = (
        said
        for said in statements(reading, text)
        if said.verb in _EITHER
        and said.complement
        and not said.negated
        and not said.open_end
        and not at_times(text, said)
    )
    return tuple(islice(found, MAX_STATEMENTS))


_EITHER = frozenset(
    word for table in (_OPPOSED, _OPPOSED_DOING) for one, others in table.items() for word in (one, *others)
)


def _undoes(one: Statement, other: Statement) -> bool:
    mine, theirs = one.subject, other.subject
    if (mine.words, mine.of, _object(one)) != (theirs.words, theirs.of, _object(other)):
        return False
    pairs = [_OPPOSED] if one.able or other.able else [_OPPOSED, _OPPOSED_DOING]
    return any(b in opposed.get(a, ()) for opposed in pairs for a, b in _both_ways(one.verb, other.verb))


def _object(said: Statement) -> tuple[str, ...]:
    """What is acted on: "(allows) water to pass" and "(prevents) water from passing" are the same."""
    return tuple(root(word) for word in said.complement if word not in _JOINS_ACT and word not in DETERMINERS)


_JOINS_ACT = frozenset({"any", "from", "to"})


def _both_ways(one: str, other: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return (one, other), (other, one)


def _flaw(span: tuple[int, int], claim: Claim, holder: Claim, other: tuple[int, int]) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    return Flaw(
        CONTRADICTION,
        *span,
        f"This contradicts {where}, which says “{holder.text[slice(*other)]}”.",
        signals=("act", "same_claim" if holder is claim else "inherited", "element_exact"),
    )
