"""How, when and under what conditions a thing is done: "in the absence of oxygen" against "in the presence of
oxygen", "automatically" against "by hand", "A is added before B" against "B is added before A".

Two statements of one act contradict each other if they stand at two poles of one dimension in manners.toml
and agree in all their other words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ace.claims.checks.logical.branches import EXCLUDED
from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.statements import Statement, at_times, staged, statements
from ace.claims.checks.logical.subjects import DETERMINERS, alternatives, clause_start, conditional
from ace.claims.findings import Flaw
from ace.claims.language.expressions import Expressions
from ace.claims.language.tables import table, word_list
from ace.claims.language.words import lemma, root, word_start, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_TABLE = table("manners")
_IN_TURN = frozenset(_TABLE["turns"])
MANNERS: Expressions[tuple[str, str]] = Expressions(
    (expression, (dimension, pole))
    for section in ("manners", "turns")
    for dimension, poles in _TABLE[section].items()
    for pole, written in poles.items()
    for expression in written.split()
)
_DONE = word_list("manners", "done")
_CLAIMED = frozenset({"method", "procedure", "process"})
_STEP = re.compile(
    r"(?:[:;,]|\band|\bcomprising|\bsteps?\sof)\s(?P<gerund>[a-z]{3,20}ing)\s(?:the|an?|said)\s"
)
_STEP_CHARACTERS = 160
_GOING = word_list("manners", "going")
_ORDER = "order"
_WAY = "way"
_FREQUENCY = "frequency"


@dataclass(frozen=True, slots=True)
class Manner:
    """`act` is done at the pole `pole` of `dimension`: text[start:end].

    `act` is what is said with the words of the manner left out; `argument` what follows these ("oxygen").
    """

    act: tuple[str, ...]
    dimension: str
    pole: str
    argument: tuple[str, ...]
    start: int
    end: int
    conditional: bool
    step: bool = False

    def excludes(self, other: Manner) -> bool:
        """Whether both cannot hold of one act."""
        if self.dimension != other.dimension:
            return False
        if self.dimension == _FREQUENCY and self.act[1] in EXCLUDED.get(other.act[1], ()):
            same = self.act[0] == other.act[0] and self.act[2:] == other.act[2:]
            return same and "always" in {self.pole, other.pole}
        if self.act[1:] != other.act[1:]:
            return False
        if self.dimension == _ORDER and (self.act[0], self.argument) == (
            _name(other.argument),
            (other.act[0],),
        ):
            return self.pole == other.pole
        return self.act[0] == other.act[0] and self.argument == other.argument and self.pole != other.pole


def opposed_manners(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Acts of the claim that are done otherwise than it says before, or than an ancestor says."""
    own = stated_manners(reading, claim.text)
    if not own:
        return
    steps = any(each.act[1:] == ("done",) for each in own)
    ancestors = nearest_ancestors(reading, claim)
    before = list(step_manners(reading, claim.text)) if steps else []
    for each in own:
        if each.conditional:
            continue
        found = next((other for other in before if _contradicts(claim.text, each, other)), None)
        holder = claim
        for ancestor in () if found is not None else ancestors:
            found = next(
                (
                    other
                    for other in _manners(reading, ancestor.text, steps)
                    if not other.conditional and each.excludes(other)
                ),
                None,
            )
            holder = ancestor
            if found is not None:
                break
        if found is not None:
            yield _flaw(each, found, claim, holder)
        before.append(each)


def _contradicts(text: str, each: Manner, other: Manner) -> bool:
    return (
        not other.conditional
        and each.dimension not in _IN_TURN
        and each.excludes(other)
        and not alternatives(text, other.end, each.start)
    )


def _manners(reading: Reading, text: str, steps: bool) -> tuple[Manner, ...]:
    return (*stated_manners(reading, text), *(step_manners(reading, text) if steps else ()))


@kept_with_set
def stated_manners(reading: Reading, text: str) -> tuple[Manner, ...]:
    """In what manner a text says that things are done."""
    found = (each for said in statements(reading, text) for each in _of_statement(text, said))
    return tuple(islice(found, MAX_STATEMENTS))


@kept_with_set
def step_manners(_reading: Reading, text: str) -> tuple[Manner, ...]:
    """In what manner the steps of a method are done."""
    return tuple(islice(_of_steps(text), MAX_STATEMENTS))


def _of_statement(text: str, said: Statement) -> Iterator[Manner]:
    if said.able or said.negated or said.open_end or said.scope in {"only", "some"}:
        return
    words = (*said.adverbs, *said.complement)
    limited = None
    for index in range(len(words)):
        found = MANNERS.at(words, index) if words[index] in MANNERS else None
        if found is None:
            continue
        (dimension, pole), end = found
        if limited is None:
            limited = at_times(text, said) or staged(text, said)
        rest = words[end:]
        act = _act(said, (*words[:index], *rest) if dimension == _FREQUENCY else words[:index])
        argument = () if dimension == _FREQUENCY else _plain(rest)
        yield Manner(act, dimension, pole, argument, said.start, said.end, limited)
    yield from _ways(text, said, words)
    words = tuple(word for word in words if word != "only")
    if said.frequency in {"always", "sometimes"} and words:
        act = _act(said, words)
        limited = at_times(text, said) and said.frequency != "sometimes"
        yield Manner(act, _FREQUENCY, said.frequency, (), said.start, said.end, limited)
    elif said.frequency in {"always", "sometimes"}:
        limited = at_times(text, said) and said.frequency != "sometimes"
        yield Manner(_act(said, ()), _FREQUENCY, said.frequency, (), said.start, said.end, limited)


def _ways(text: str, said: Statement, words: Sequence[str]) -> Iterator[Manner]:
    """ "(flows) from the inlet to the outlet": from what, and to what."""
    if said.verb not in _GOING or "from" not in words or "to" not in words:
        return
    start, to = words.index("from"), len(words) - 1 - words[::-1].index("to")
    if start < to:
        ends = _name(_plain(words[start + 1 : to])), _name(_plain(words[to + 1 :]))
        limited = at_times(text, said) or staged(text, said)
        for pole, argument in zip(("there", "back"), (ends, ends[::-1]), strict=True):
            yield Manner(_act(said, words[:start]), _WAY, pole, argument, said.start, said.end, limited)


def _act(said: Statement, words: Sequence[str]) -> tuple[str, ...]:
    """What is done to what: of "the heating is carried out" the step "heat"."""
    name = said.subject.words
    of = said.subject.of
    step = (
        of[1]
        if name == ("step",) and len(of) > 1
        else name[-2]
        if name[-1] == "step" and len(name) > 1
        else name[-1]
    )
    plain = _plain(words)
    does_it = (said.verb == "be" and plain[:1] and plain[0] in _DONE) or said.verb in _DONE
    if does_it and step.endswith("ing"):
        return (root(step), "done")
    if does_it and step in _CLAIMED and not of:
        return ("", "done")
    return (" ".join((*name, *_plain(of))), said.verb, *plain)


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(lemma(word) for word in words if word not in DETERMINERS and word not in _EMPTY)


_EMPTY = frozenset({"out", "place"})


def _name(argument: tuple[str, ...]) -> str:
    return " ".join(argument)


def _of_steps(text: str) -> Iterator[Manner]:
    """ "heating the plate in air": the manner of the only step of its name."""
    steps = list(_STEP.finditer(text))
    if not steps:
        return
    words = words_of(text)
    names = [root(step["gerund"]) for step in steps]
    for step, name in zip(steps, names, strict=True):
        if names.count(name) > 1:
            continue
        at = bisect_left(words, step.end(), key=word_start)
        run: list[str] = []
        while at < len(words) and words[at].start < step.end() + _STEP_CHARACTERS:
            if not words[at].lower[0].isalnum():
                break
            run.append(words[at].lower)
            at += 1
        for index, word in enumerate(run):
            found = MANNERS.at(run, index) if word in MANNERS else None
            if found is not None:
                (dimension, pole), end = found
                span = step.start("gerund"), words[at - 1].end
                limited = conditional(text, clause_start(text, span[0]), span[0], span[1])
                yield Manner((name, "done"), dimension, pole, _plain(run[end:]), *span, limited, step=True)


def _flaw(each: Manner, other: Manner, claim: Claim, holder: Claim) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    signals = ["manner", "same_claim" if holder is claim else "inherited"]
    if other.step:
        signals.append("step")
    if each.dimension in _IN_TURN:
        signals.append("changeable")
    why = f"This contradicts {where}, which says “{holder.text[other.start : other.end]}”."
    return Flaw(CONTRADICTION, each.start, each.end, why, signals=tuple(signals))
