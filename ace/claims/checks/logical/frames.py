"""Values at which a thing is kept, brought or run: "the melt is heated to 200 °C", "the motor runs at 50 Hz";
how often it is given: "twice daily". A dependent claim may not leave what it inherits.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rates import rates
from ace.claims.checks.logical.rules import IMPOSSIBLE_RANGE, RANGE_MISSED, RANGE_WIDENED
from ace.claims.checks.logical.stated_quantities import quantities_of
from ace.claims.checks.logical.statements import Statement, at_times, staged, statements
from ace.claims.checks.logical.subjects import (
    DETERMINERS,
    StatementSubject,
    clause_start,
    conditional,
    statement_end,
    subject_before,
)
from ace.claims.findings import Flaw
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.quantities import Quantity
from ace.claims.language.tables import word_groups, word_list
from ace.claims.language.units import common
from ace.claims.language.words import VERB_OF_PARTICIPLE, lemma, root, word_start, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_GENERIC = word_groups("quantities", "generic")
_LINKS = word_list("quantities", "links") | DETERMINERS
_KEPT = word_list("statements", "kept")
_ACTED = word_list("quantities", "acted")
_AT = frozenset({"at", "between", "in", "under", "within"})
_FREE_TAIL = re.compile(r"\s?(?:for|over|under|by|using|until|in\sorder|prior|so\sas)\b")
_GERUND = re.compile(r"\b(?P<verb>[a-z]{3,}ing)\s(?P<det>the|said|an?)\s", re.IGNORECASE)
_MAX_GAP = 110
_MAX_KEY = 8
_LETTERS = re.compile(r"[a-z]")


@dataclass(frozen=True, slots=True)
class Frame:
    """`thing` is brought to, kept at or runs at `quantity`, as `key` says: ("heat",), ("space", "wall").

    `tail` are the words after the quantity that limit it. `finite` is true for a statement, false for a step.
    """

    thing: tuple[str, ...]
    of: tuple[str, ...]
    key: tuple[str, ...]
    quantity: Quantity
    tail: tuple[str, ...]
    definite: bool
    finite: bool
    conditional: bool

    def matches(self, other: Frame) -> bool:
        """Whether both speak of the same quantity of the same thing."""
        return (self.thing, self.of, self.key, self.tail) == (
            other.thing,
            other.of,
            other.key,
            other.tail,
        ) and common(self.quantity.unit, other.quantity.unit) is not None


def misfitting_frames(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Values of the claim that it, or an ancestor, excludes."""
    own = [
        each for each in frames(reading, claim.text) if each.definite and each.finite and not each.conditional
    ]
    if not own:
        return
    ancestors = nearest_ancestors(reading, claim)
    before: list[Frame] = []
    for each in own:
        at_once = next(
            (other for other in before if each.matches(other) and not each.quantity.meets(other.quantity)),
            None,
        )
        if at_once is not None:
            why = f"No value satisfies both this and “{at_once.quantity.quoted(claim.text)}”."
            yield _flaw(each, why, missed=True, rule=IMPOSSIBLE_RANGE, signals=("frame", "same_claim"))
        else:
            yield from _beyond(reading, each, ancestors)
        before.append(each)


def _beyond(reading: Reading, each: Frame, ancestors: Sequence[Claim]) -> Iterator[Flaw]:
    for ancestor in ancestors:
        rivals = [other for other in frames(reading, ancestor.text) if each.matches(other)]
        if not rivals:
            continue
        allowed = any(
            other.conditional
            or (each.quantity.within(other.quantity) and each.quantity.meets(other.quantity))
            for other in rivals
        )
        if not allowed:
            missed = not any(each.quantity.meets(other.quantity) for other in rivals)
            where = f"the range of claim {ancestor.number} (“{rivals[0].quantity.quoted(ancestor.text)}”)"
            why = f"None of these values lies in {where}." if missed else f"This goes beyond {where}."
            signals = ("frame", "several") if len(rivals) > 1 else ("frame",)
            yield _flaw(each, why, missed=missed, rule=None, signals=signals)
        return


def _flaw(each: Frame, why: str, *, missed: bool, rule: object, signals: tuple[str, ...]) -> Flaw:
    chosen = IMPOSSIBLE_RANGE if rule is IMPOSSIBLE_RANGE else RANGE_MISSED if missed else RANGE_WIDENED
    return Flaw(chosen, each.quantity.start, each.quantity.end, why, signals=signals)


@kept_with_set
def frames(reading: Reading, text: str) -> tuple[Frame, ...]:
    """The values at which a text says that things are kept, brought or run."""
    found = sorted((*quantities_of(reading, text), *rates(text)), key=lambda each: each.start)
    measured = [each for each in found if each.unit.dimension]
    if not measured:
        return ()
    read = (each for quantity in measured if (each := _frame(reading, text, quantity)) is not None)
    return tuple(islice(read, MAX_STATEMENTS))


def _frame(reading: Reading, text: str, quantity: Quantity) -> Frame | None:
    said = statement_at(reading, text, quantity.start)
    if said is not None:
        words = words_of(text)
        key = _key(text, words[said.first].start if said.first < len(words) else 0, quantity, said.verb)
        if key is None:
            return None
        return Frame(
            said.subject.words,
            said.subject.of,
            key,
            quantity,
            _tail(text, quantity),
            said.subject.definite,
            True,
            at_times(text, said) or staged(text, said) or said.open_end,
        )
    return _step(text, quantity)


_statement_start = attrgetter("start")


def statement_at(reading: Reading, text: str, at: int) -> Statement | None:
    """The statement whose verb leads to what stands at `at`."""
    found = statements(reading, text)
    index = bisect_right(found, at, key=_statement_start) - 1
    last = found[index] if index >= 0 else None
    if last is None or last.negated or at - last.start > 2 * _MAX_GAP or clause_start(text, at) > last.start:
        return None
    return last


def _key(text: str, begin: int, quantity: Quantity, verb: str) -> tuple[str, ...] | None:
    """What leads from the verb to the quantity, in few words; None if that is no verb with a value."""
    if not 0 <= quantity.start - begin < _MAX_GAP or re.search(r"[,;:]", text[begin : quantity.start]):
        return None
    words = words_of(text)
    first = bisect_left(words, begin, key=word_start)
    led = [word.lower for word in words[first : bisect_left(words, quantity.start, key=word_start)]]
    if verb == "be":
        if not led:
            return None
        if led[0] in _KEPT or led[0] in _AT:
            verb, led = "keep", led[1:]
        elif word_class_of(led[0]) is WordClass.PARTICIPLE or led[0] in VERB_OF_PARTICIPLE:
            verb, led = root(led[0]), led[1:]
        else:
            return None
    elif verb in _ACTED:
        verb = root(verb)
    else:
        return None
    generic = _GENERIC.get(quantity.unit.dimension, ())
    key = tuple(
        lemma(word) for word in led if word not in _LINKS and word not in generic and _LETTERS.match(word)
    )
    return (verb, *key) if len(key) <= _MAX_KEY else None


def _tail(text: str, quantity: Quantity) -> tuple[str, ...]:
    rest = text[quantity.end : statement_end(text, quantity.end)]
    if _FREE_TAIL.match(rest):
        return ()
    return tuple(word for word in rest.lower().split() if word not in DETERMINERS)


def _step(text: str, quantity: Quantity) -> Frame | None:
    """ "heating the melt to 200 °C"."""
    begin = max(clause_start(text, quantity.start), quantity.start - _MAX_GAP)
    last = None
    for match in _GERUND.finditer(text, begin, quantity.start):
        last = match
    if last is None:
        return None
    words = words_of(text)
    first = bisect_left(words, last.end(), key=word_start)
    end = first
    while end < len(words) and words[end].start < quantity.start and words[end].lower not in _OBJECT_ENDS:
        end += 1
    subject: StatementSubject | None = (
        subject_before(text, words[end].start, through=frozenset()) if end > first else None
    )
    if subject is None or subject.start > last.end():
        return None
    verb = last["verb"].lower()
    key = _key(text, words[end].start, quantity, "operate")
    if key is None:
        return None
    verb = "keep" if root(verb) in _KEEPING else root(verb)
    limited = conditional(text, last.start(), quantity.start, quantity.end)
    return Frame(subject.words, (), (verb, *key[1:]), quantity, _tail(text, quantity), True, False, limited)


_OBJECT_ENDS = word_list("logic", "prepositions") | {"to", "twice", "once", "every"}
_KEEPING = frozenset(
    root(word) for word in ("keeping", "kept", "maintained", "maintaining", "held", "holding")
)
