"""One condition with two outcomes that exclude each other: "if the lid is open, the lamp is turned on"
against "if the lid is open, the lamp is turned off".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.statements import Statement, statements
from ace.claims.checks.logical.subjects import DETERMINERS, alternatives
from ace.claims.findings import Flaw
from ace.claims.language.opposites import opposed
from ace.claims.language.tables import word_groups
from ace.claims.language.verb_forms import participle
from ace.claims.language.words import Triggered, root, word_start, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_IF = Triggered(
    r"""\b(?:if|when|whenever|once|upon|(?:in\s)?respons(?:e|ive)\sto|in\s(?:the\s)?(?:case|event)\s(?:of|that)|(?:as|so)\s(?:soon|long)\sas
        |provided\sthat)\b(?:\s(?:it\sis\s)?(?:determin|detect)(?:ed|ing|es)\sthat\b)?\s?""",
    re.VERBOSE,
    triggers=(
        *("if", "when", "whenever", "once", "upon", "response", "responsive", "case", "event", "soon"),
        *("long", "provided"),
    ),
)
_CONDITION_ENDS = re.compile(r"[,;:]|\.\s?\Z|\bthen\b|\b(?:and\s)?wherein\b")
_SUCH_THAT = re.compile(r"\b(?:such|so)\sthat,?\s\Z")
_MAX_CONDITION = 200
_OUTCOMES = word_groups("manners", "outcomes")


def _opposites_of_outcomes() -> dict[str, frozenset[str]]:
    """Every verb, with its participle and particle, to those that exclude it."""
    found: dict[str, set[str]] = {}
    for verb, others in _OUTCOMES.items():
        for other in others:
            for form in (str, participle_of):
                one, two = form(verb), form(other)
                found.setdefault(one, set()).add(two)
                found.setdefault(two, set()).add(one)
    return {verb: frozenset(others) for verb, others in found.items()}


def participle_of(verb: str) -> str:
    """ "turned_off" for "turn_off"."""
    base, _, particle = verb.partition("_")
    return "_".join(filter(None, (participle(base), particle)))


EXCLUDED = _opposites_of_outcomes()
_PARTICLES = frozenset({"off", "on"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """Under `condition`, in its words without articles, `said` holds."""

    condition: tuple[str, ...]
    said: Statement

    def excludes(self, other: Outcome) -> bool:
        """Whether both cannot follow from one condition."""
        mine, theirs = self.said, other.said
        if self.condition != other.condition or mine.subject.words != theirs.subject.words:
            return False
        if mine.subject.of != theirs.subject.of:
            return False
        one, rest = _deed(mine)
        two, other_rest = _deed(theirs)
        if rest != other_rest:
            return False
        if mine.negated != theirs.negated:
            return one == two
        return not mine.negated and (two in EXCLUDED.get(one, ()) or opposed(one, two) is not None)


def _deed(said: Statement) -> tuple[str, tuple[str, ...]]:
    """The verb, or what the thing is, with its particle; and the words after it."""
    words = [word for word in said.complement if word not in DETERMINERS]
    head = said.verb
    if head == "be" and words:
        head, *words = words
    particle = next((word for word in words if word in _PARTICLES), "")
    if particle and (words[0] == particle or words[-1] == particle):
        words.remove(particle)
        head = f"{head}_{particle}"
    return head, tuple(words)


def two_outcomes(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Outcomes of the claim that its own or an ancestor's outcome of the same condition excludes."""
    own = outcomes(reading, claim.text)
    if not own:
        return
    ancestors = nearest_ancestors(reading, claim)
    before: list[Outcome] = []
    for each in own:
        for holder, others in (
            (claim, before),
            *((held, outcomes(reading, held.text)) for held in ancestors),
        ):
            other = next((other for other in others if each.excludes(other)), None)
            if other is None or (
                holder is claim and alternatives(claim.text, other.said.end, each.said.start)
            ):
                continue
            yield _flaw(each, other, claim, holder)
            break
        before.append(each)


@kept_with_set
def outcomes(reading: Reading, text: str) -> tuple[Outcome, ...]:
    """The statements of a text that a condition precedes or follows."""
    conditions = conditions_of(reading, text)
    return tuple(_outcomes(text, conditions, statements(reading, text))) if conditions else ()


class Condition(NamedTuple):
    """text[start:end] says under which condition something holds: `words`, articles left off."""

    words: tuple[str, ...]
    start: int
    end: int


@kept_with_set
def conditions_of(_reading: Reading, text: str) -> tuple[Condition, ...]:
    """The conditions of a text: "when the lid is open", "in response to the alarm"."""
    return tuple(_conditions(text))


def _conditions(text: str) -> Iterator[Condition]:
    for match in islice(_IF.finditer(text), MAX_STATEMENTS):
        if _SUCH_THAT.search(text, max(0, match.start() - 12), match.start()):
            continue  # said of one case of several
        ends = _CONDITION_ENDS.search(text, match.end(), match.end() + _MAX_CONDITION)
        end = ends.start() if ends else min(len(text), match.end() + _MAX_CONDITION)
        condition = _words(text, match.end(), end)
        if condition:
            yield Condition(condition, match.start(), end)


def _outcomes(text: str, conditions: Sequence[Condition], said: Sequence[Statement]) -> Iterator[Outcome]:
    limited = {each.first for each in said if _has_own_condition(each, conditions)}
    for condition, start, end in conditions:
        for each in said:
            near = end <= each.start <= end + _GAP and text[end : end + 1] == ","
            follows = near and each.first not in limited
            precedes = start - 2 <= each.end <= start
            if follows or precedes:
                yield Outcome(condition, each)
            elif each.start < start < each.end:
                words = words_of(text)
                length = bisect_left(words, start, key=word_start) - each.first
                yield Outcome(condition, replace(each, complement=each.complement[: max(0, length)]))


def _has_own_condition(said: Statement, conditions: Sequence[Condition]) -> bool:
    """Whether a condition stands in a statement, or right after it."""
    at = bisect_left(conditions, said.start, key=attrgetter("start"))
    return at < len(conditions) and conditions[at].start <= said.end + 2


_GAP = 7
"""Characters between a condition and its outcome: ", then "."""


_LEFT_OUT = (DETERMINERS | {"of"}) - {"no"}


def _words(text: str, start: int, end: int) -> tuple[str, ...]:
    words = words_of(text)
    first, last = bisect_left(words, start, key=word_start), bisect_left(words, end, key=word_start)
    return tuple(root(word.lower) for word in words[first:last] if word.lower not in _LEFT_OUT)


def _flaw(each: Outcome, other: Outcome, claim: Claim, holder: Claim) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    why = f"Under the same condition {where} says “{holder.text[other.said.start : other.said.end]}”."
    signals = ("branch", "same_claim" if holder is claim else "inherited")
    return Flaw(CONTRADICTION, each.said.start, each.said.end, why, signals=signals)
