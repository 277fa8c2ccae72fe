"""Values at which a step is done, however the step is named: "annealing the strip in air at 500 to 600 °C",
"the annealing is carried out at 650 °C", "the annealing temperature is 650 °C".

Read of temperatures, times, pressures, rates and the like only, where a preposition leads to the value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.frames import statement_at
from ace.claims.checks.logical.rates import RATE, TIMES, rates, repetitions
from ace.claims.checks.logical.rules import IMPOSSIBLE_RANGE, RANGE_MISSED, RANGE_WIDENED
from ace.claims.checks.logical.stated_quantities import quantities_of, stated_quantities
from ace.claims.checks.logical.statements import Statement, at_times, staged
from ace.claims.checks.logical.subjects import clause_start, conditional, statement_end, subject_before
from ace.claims.findings import Flaw
from ace.claims.language.noun_phrases import PARTICIPIAL, phrases_of, word_class_of
from ace.claims.language.quantities import Quantity
from ace.claims.language.tables import table, word_groups, word_list
from ace.claims.language.units import common
from ace.claims.language.words import VERB_OF_PARTICIPLE, lemma, root, word_start, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_GENERIC = word_groups("quantities", "generic")
_MEASURES = frozenset(word for words in _GENERIC.values() for word in words)
_DIMENSIONS = frozenset(
    {"flow rate", "frequency", "power", "pressure", "rotation", "temperature", "time", "voltage"}
    | {RATE.dimension, TIMES.dimension}
)
_DONE = word_list("manners", "done")
_LED = re.compile(
    rf"\b(?:at|for|under|during|over|to)\s(?:(?:an?|the)\s)?(?:[a-z]+ing\s)?(?:(?:{'|'.join(sorted(_MEASURES))})\s)?"
    r"(?:(?:of|in\s(?:the|a)\srange\s(?:of|from)|ranging)\s)?\Z"
)
_LED_CHARACTERS = 60
_MARKS = re.compile(r"[;:.]")
_MAX_GAP = 160
_NUMBERED = frozenset(table("quantities")["numbers"]) | {"first", "second", "third", "further", "additional"}


class StepValue(NamedTuple):
    """The step of the root `verb` is done to `thing` at `quantity`: `said` by a statement or by the step of a
    method. `thing` is () if only the step is named."""

    verb: str
    thing: tuple[str, ...]
    quantity: Quantity
    said: bool
    conditional: bool

    def of_the_same(self, other: StepValue) -> bool:
        """Whether both speak of one step and of comparable values."""
        things = not self.thing or not other.thing or self.thing == other.thing
        units = common(self.quantity.unit, other.quantity.unit) is not None
        return self.verb == other.verb and things and units

    def allows(self, quantity: Quantity) -> bool:
        """Whether a claim that inherits this value may state another."""
        return self.conditional or (quantity.within(self.quantity) and quantity.meets(self.quantity))


def misfitting_steps(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Values that the claim states of a step, against those that it gives before, or else against those of
    the nearest ancestor that has some."""
    values = step_values(reading, claim.text)
    own = [each for each in values if each.said and not each.conditional]
    ancestors = nearest_ancestors(reading, claim) if own else ()
    for each in own:
        before = [
            other
            for other in values
            if other.quantity.end <= each.quantity.start and each.of_the_same(other) and not other.conditional
        ]
        if len(before) == 1 and not each.quantity.meets(before[0].quantity):
            why = f"No value satisfies both this and “{before[0].quantity.quoted(claim.text)}”."
            place = each.quantity.start, each.quantity.end
            yield Flaw(IMPOSSIBLE_RANGE, *place, why, signals=("frame", "same_claim", "step"))
            continue
        for ancestor in ancestors:
            rivals = [other for other in step_values(reading, ancestor.text) if each.of_the_same(other)]
            if not rivals:
                continue
            if not any(other.allows(each.quantity) for other in rivals):
                yield _flaw(each.quantity, rivals, ancestor)
            break


def _flaw(mine: Quantity, rivals: list[StepValue], ancestor: Claim) -> Flaw:
    quote = rivals[0].quantity.quoted(ancestor.text)
    signals = ("frame", "step") if len(rivals) == 1 else ("frame", "several", "step")
    if any(mine.meets(other.quantity) for other in rivals):
        why = f"This goes beyond the range of claim {ancestor.number} (“{quote}”)."
        return Flaw(RANGE_WIDENED, mine.start, mine.end, why, signals=signals)
    why = f"None of these values lies in the range of claim {ancestor.number} (“{quote}”)."
    return Flaw(RANGE_MISSED, mine.start, mine.end, why, signals=signals)


@kept_with_set
def step_values(reading: Reading, text: str) -> tuple[StepValue, ...]:
    """The values at which a text says that steps are done."""
    found = sorted(
        (*quantities_of(reading, text), *rates(text), *repetitions(text)), key=lambda each: each.start
    )
    fitting = [each for each in found if each.unit.dimension in _DIMENSIONS | _MASSES]
    if not fitting:
        return ()
    read = (value for each in fitting for value in _values(reading, text, each))
    return tuple(islice((*read, *_named(reading, text)), MAX_STATEMENTS))


def _values(reading: Reading, text: str, quantity: Quantity) -> Iterator[StepValue]:
    if quantity.unit.dimension in _MASSES:
        yield from _of_amount(text, quantity)
        yield from _in_an_amount(reading, text, quantity)
    else:
        yield from _read(reading, text, quantity)


def _of_amount(text: str, quantity: Quantity) -> Iterator[StepValue]:
    """ "(administering) 5 to 10 mg of a drug", "20 mg of the drug (is administered)"."""
    amount = _AMOUNT.match(text, quantity.end)
    phrases = phrases_of(text) if amount is not None else ()
    at = bisect_left(phrases, amount.end(), key=_phrase_start) if amount is not None else 0
    if amount is None or at >= len(phrases) or phrases[at].start != amount.end():
        return
    said = _SAID.search(text, max(0, quantity.start - _LED_CHARACTERS), quantity.start) is not None
    if _SHARED_OUT.search(text, phrases[at].end, statement_end(text, phrases[at].end)):
        return
    thing = tuple(map(lemma, phrases[at].words))
    yield StepValue("", thing, quantity, said and phrases[at].definite, False)


def _in_an_amount(reading: Reading, text: str, quantity: Quantity) -> Iterator[StepValue]:
    """ "the drug is administered in an amount of 20 mg"."""
    if not _IN_AN_AMOUNT.search(text, max(0, quantity.start - _LED_CHARACTERS), quantity.start):
        return
    said = statement_at(reading, text, quantity.start)
    shared = _SHARED_OUT.search(text, quantity.end, statement_end(text, quantity.end))
    if said is not None and said.verb == "be" and shared is None:
        yield StepValue("", said.subject.words, quantity, said.subject.definite, at_times(text, said))


_IN_AN_AMOUNT = re.compile(r"\b(?:in\san\samount|at\sa\sdose)\sof\s\Z")
_AMOUNT = re.compile(r"\sof\s(?=(?:the|said|an?)\s)")
_SAID = re.compile(r"\bwherein\s\Z")
_SHARED_OUT = re.compile(r"\b(?:a\s(?:day|month|week)|daily|each|every|monthly|per|weekly)\b")
_MASSES = frozenset({"dose", "mass", "volume"})
_phrase_start = attrgetter("start")


def _read(reading: Reading, text: str, quantity: Quantity) -> Iterator[StepValue]:
    at = quantity.start
    if quantity.unit not in {RATE, TIMES} and not _LED.search(text, max(0, at - _LED_CHARACTERS), at):
        return
    said = statement_at(reading, text, at)
    if said is not None and said.verb in _DONE:
        verb = _gerund(said.subject.words, said.subject.of)
        if verb:
            yield StepValue(verb, (), quantity, True, at_times(text, said) or staged(text, said))
        return
    if said is None or said.verb != "be":
        yield from _with_object(text, quantity, said)
        return
    words = words_of(text)
    first = words[said.first] if said.first < len(words) else None
    if first is None or not 0 <= at - first.start < _MAX_GAP or _MARKS.search(text, first.start, at):
        return
    limited = at_times(text, said) or staged(text, said) or said.open_end or said.scope == "some"
    done = first.lower
    if done in _DONE:
        verb = _gerund(said.subject.words, said.subject.of)
        if verb:
            yield StepValue(verb, (), quantity, True, limited)
    elif done.endswith("ed") or done in VERB_OF_PARTICIPLE:
        yield StepValue(_verb(done), said.subject.words, quantity, True, limited)


def _verb(done: str) -> str:
    """The root of the verb of a participle: that of its gerund."""
    verb = VERB_OF_PARTICIPLE.get(done)
    return root(verb) if verb else root(done.removesuffix("ied") + "ying" if done.endswith("ied") else done)


def _gerund(name: tuple[str, ...], of: tuple[str, ...]) -> str:
    """The root of the step that a phrase names: "annealing", "annealing step", "step of annealing"."""
    if name == ("step",) and len(of) > 1:
        named = of[1]
    elif name[-1] in {"process", "step"} and len(name) == _OF_TWO:
        named = name[0]
    else:
        named = name[-1] if len(name) == 1 else ""
    return root(named) if named.endswith("ing") else ""


_OF_TWO = 2


def _with_object(text: str, quantity: Quantity, said: Statement | None) -> Iterator[StepValue]:
    """ "annealing the strip in air at 500 °C", "the furnace (is configured to) heat the strip to 500 °C"."""
    begin = max(clause_start(text, quantity.start), quantity.start - _MAX_GAP)
    act = None
    for match in _ACT.finditer(text, begin, quantity.start):
        act = match
    if act is None or _MARKS.search(text, act.end(), quantity.start):
        return
    words = words_of(text)
    first = bisect_left(words, act.end(), key=word_start)
    between = [word.lower for word in words[first : bisect_left(words, quantity.start, key=word_start)]]
    if not _NUMBERED.isdisjoint(between) or any(map(_is_another_step, between[1:])):
        return
    ends = next((index for index, word in enumerate(between) if word in _OBJECT_ENDS), len(between))
    thing = subject_before(text, words[first + ends].start, through=frozenset())
    doer = said.subject if said is not None else subject_before(text, act.start("verb"), through=frozenset())
    step = act["verb"].endswith("ing")
    if thing is None or (doer is None and not (step or act["to"])):
        return
    finite = doer is not None and doer.definite and not step
    limited = conditional(text, act.start(), quantity.start, quantity.end)
    yield StepValue(root(act["verb"].lower()), thing.words, quantity, finite, limited)


_ACT = re.compile(
    r"\b(?P<to>to\s)?(?P<verb>[a-z]{3,20}(?:ing|s)|(?<=\bto\s)[a-z]{3,20})\s(?:to\s(?:the|said|an?)\s(?:[a-z]+\s){1,3}?(?:in\sneed\sthere\s?of\s)?)?(?:the|said|an?)\s"
)


def _is_another_step(word: str) -> bool:
    return word not in _MEASURES and word_class_of(word) in PARTICIPIAL


_OBJECT_ENDS = word_list("logic", "prepositions") | {"to", ",", "once", "twice", "thrice", "every", "daily"}


def _named(reading: Reading, text: str) -> Iterator[StepValue]:
    """ "the annealing temperature is 650 °C", "the temperature of the annealing is 650 °C"."""
    for each in stated_quantities(reading, text):
        words, of = each.subject.words, each.subject.of
        if words[-1] not in _MEASURES or each.quantity.unit.dimension not in _DIMENSIONS:
            continue
        named = words[0] if len(words) == _OF_TWO else of[1] if len(words) == 1 and of[:1] == ("of",) else ""
        if named.endswith("ing"):
            yield StepValue(root(named), (), each.quantity, each.predicative, each.conditional)
