"""What a thing has, how many of it, and what it lacks: "the frame has exactly two arms" against "three arms",
"the frame has no lid" against "a frame having a lid".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf

from ace.claims.checks.logical.brought_in import BroughtIn, brought_in
from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.counting import Counted, counted_things, had, is_bare
from ace.claims.checks.logical.rules import CONTRADICTION, PRESENT_AND_ABSENT
from ace.claims.checks.logical.statements import Statement, at_times, staged, statements
from ace.claims.checks.logical.subjects import (
    alternatives,
    conditional,
    statement_end,
    step_between,
    subject_before,
)
from ace.claims.findings import Flaw
from ace.claims.language.opposites import unnegated
from ace.claims.language.subject_matter import subject_of
from ace.claims.language.tables import word_list
from ace.claims.language.words import is_plural, lemma, root, word_set, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_PARTICIPLES = word_list("possessions", "participles")
_WEAK = word_list("logic", "weak_adverbs") | {"substantially", "essentially", "nearly", "virtually"}


@dataclass(frozen=True, slots=True)
class Possession:
    """`owner` has between `low` and `high` of `thing`: text[start:end]. `implied` if an adjective says so:
    "windowless", "uncoated", "threaded"; `bare` if a number stands alone, `numbering` if all are counted,
    `plain` if a number and a name are all that is said, `least` if it is the fewest that there may be."""

    owner: tuple[str, ...]
    of: tuple[str, ...]
    thing: tuple[str, ...]
    low: float
    high: float
    start: int
    end: int
    conditional: bool
    staged: bool
    brings_in: bool = False
    implied: bool = False
    bare: bool = False
    numbering: bool = False
    plain: bool = False
    least: bool = False

    @property
    def closed(self) -> bool:
        """Whether it says that there is no more of it."""
        return self.high < inf

    def excludes(self, other: Possession, *, here: bool = False) -> bool:
        """Whether both cannot hold of one owner; `here` if one claim says both."""
        if self.of != other.of:
            return False
        if self.low <= other.high and other.low <= self.high:
            whole = other.bare and ((here and self.bare) or self.numbering)
            fewer = self.plain and (other.least or not here) and self.low < other.low
            return (whole or fewer) and self.thing == other.thing and self.low != other.low
        absent, present = (self, other) if self.high == 0 else (other, self)
        if absent.high == 0:
            if absent.implied or present.implied:
                return len(absent.thing) == 1 and root(absent.thing[0]) == root(present.thing[-1])
            return present.thing[-len(absent.thing) :] == absent.thing
        return self.thing == other.thing


def misfitting_possessions(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """What the claim says a thing has against what it says before or inherits."""
    own = [each for each in possessions(reading, claim.text) if not each.conditional]
    if not own:
        return
    ancestors = nearest_ancestors(reading, claim)
    before: dict[tuple[str, ...], list[Possession]] = {}
    for each in own:
        if each.brings_in:
            before.setdefault(each.owner, []).append(each)
            continue
        found = _first_excluded(each, before.get(each.owner, ()), here=True)
        holder: Claim = claim
        for ancestor in () if found is not None else ancestors:
            found = _first_excluded(each, _by_owner(reading, ancestor.text).get(each.owner, ()))
            if found is None:
                found = _first_excluded(each, _told(reading, ancestor.text, each, here=False))
            holder = ancestor
            if found is not None:
                break
        if found is None:
            found = _first_excluded(each, _told(reading, claim.text, each, here=True), here=True)
            holder = claim
        if found is not None and not (holder is claim and _may_differ(claim.text, each, found)):
            yield _flaw(each, found, claim, holder)
        before.setdefault(each.owner, []).append(each)


def _may_differ(text: str, one: Possession, other: Possession) -> bool:
    """Whether two statements of one claim are alternatives, or states with a step between them."""
    if alternatives(text, other.end, one.start):
        return True
    return one.implied and step_between(text, other.end, one.start)


def _told(reading: Reading, text: str, each: Possession, *, here: bool) -> tuple[Possession, ...]:
    """What a text says of the same without a statement of its own; `here` if it is the text of `each`."""
    if each.owner:
        return _qualified(reading, text, each.owner) if each.closed or each.bare else ()
    return tuple(
        _of_the_claimed(other)
        for other in brought_in(reading, text)
        if other.counted.thing == each.thing
        and not (here and other.start == each.start)
        and (
            other.counted.low > 1
            if each.closed and each.high
            else other.whole and (other.counted.closed or (each.plain and other.counted.low > 1))
        )
    )


def _of_the_claimed(there: BroughtIn) -> Possession:
    return Possession((), (), *there.counted, there.start, there.end, False, False, bare=there.bare)


def _first_excluded(
    each: Possession, others: Sequence[Possession], *, here: bool = False
) -> Possession | None:
    for other in islice(others, MAX_STATEMENTS):
        if not (each.staged and other.staged) and each.excludes(other, here=here):
            return other
    return None


@kept_with_set
def _by_owner(reading: Reading, text: str) -> dict[tuple[str, ...], list[Possession]]:
    found: dict[tuple[str, ...], list[Possession]] = {}
    for each in possessions(reading, text):
        if not each.conditional:
            found.setdefault(each.owner, []).append(each)
    return found


@kept_with_set
def possessions(reading: Reading, text: str) -> tuple[Possession, ...]:
    """What the statements of a text say that a known thing has or lacks."""
    return tuple(islice(_possessions(reading, text), MAX_STATEMENTS))


def _possessions(reading: Reading, text: str) -> Iterator[Possession]:
    if "here " in text:
        yield from _there(text)
    if not _NUMBERING.isdisjoint(word_set(text)):
        yield from _numbered(text)
    yield from _several(text)
    for said in statements(reading, text):
        if said.open_end or said.scope in {"only", "some"} or said.frequency == "sometimes":
            continue
        implied = _implied(said)
        if implied is not None:
            yield _possession(text, said, implied, implied=True)
        elsewhere = _somewhere(text, said)
        if elsewhere is not None:
            yield elsewhere
        words, lacks = had(said)
        if words is None or not _WEAK.isdisjoint(said.adverbs) or not _PER.isdisjoint(words):
            continue
        counted = counted_things(words, lacks=lacks)
        if counted is not None:
            bare = not lacks and is_bare(words)
            alone = statement_end(text, said.end) <= said.end + 1
            plain = bare and alone and lemma(words[-1]) == counted.thing[-1]
            least = not bare and counted.low > 1 and not counted.closed
            yield replace(_possession(text, said, counted), bare=bare, plain=plain, least=least)


_PER = frozenset({"each", "every", "per"})
"""What counts by another thing: "has one pore per cell"."""


def _possession(text: str, said: Statement, counted: Counted, *, implied: bool = False) -> Possession:
    whole = subject_of(text)
    claimed = whole is not None and said.subject.words in ((whole.head,), whole.words)
    return Possession(
        () if claimed else said.subject.words,
        said.subject.of,
        *counted,
        said.start,
        said.end,
        at_times(text, said),
        staged(text, said),
        said.brings_in,
        implied,
    )


def _implied(said: Statement) -> Counted | None:
    """What an adjective says that a thing has or lacks: "windowless", "solvent-free", "uncoated"."""
    words = said.complement
    more = len(words) > 1 and words[0] in _GIVEN_MORE and not said.negated
    if said.verb != "be" or not (len(words) == 1 or more):
        return None
    word = words[0]
    without = word.removesuffix("less") if len(word) > _SHORTEST_LESS else word
    without = without.removesuffix("-free")
    plain = unnegated(word)
    if without != word:
        high, thing = 0.0, without
    elif plain is not None and plain.endswith("ed"):
        high, thing = 0.0, plain
    elif word.endswith("ed"):
        high, thing = inf, word
    else:
        return None
    if said.negated:
        high = inf - high if high == 0 else 0.0
    return Counted((thing,), 0 if high == 0 else 1, high)


_SHORTEST_LESS = 6
_GIVEN_MORE = word_list("possessions", "given_more")


def _somewhere(text: str, said: Statement) -> Possession | None:
    """ "a lid is absent from the jar", of the jar."""
    words = said.complement
    if said.negated and not said.subject.definite and words[:1] in {("in",), ("on",), ("within",)}:
        words = ("present", "in", *words[1:])  # "no groove is in the lid"
    there = _WHERE.get(words[0]) if said.verb == "be" and len(words) > 3 else None
    if there is None or words[1] not in {"from", "in", "within"} or words[2] not in {"the", "said"}:
        return None
    present = there != said.negated
    owner = tuple(lemma(word) for word in words[3:])
    limited = at_times(text, said)
    low, high = (1.0, inf) if present else (0.0, 0.0)
    return Possession(
        owner, (), said.subject.words, low, high, said.start, said.end, limited, staged(text, said)
    )


_WHERE = {"absent": False, "contained": True, "missing": False, "omitted": False, "present": True}


_THERE = re.compile(r"\bthere\s(?:is|are|being)\s", re.IGNORECASE)
_NEXT_WORDS = re.compile(r"[\w-]+(?:\s[\w-]+){0,8}")


def _there(text: str) -> Iterator[Possession]:
    """ "there is exactly one lid", of the claimed thing."""
    for match in _THERE.finditer(text):
        after = _NEXT_WORDS.match(text, match.end())
        words = after[0].lower().split() if after is not None else []
        counted = counted_things(words, lacks=False)
        if after is not None and counted is not None and (counted.closed or counted.low > 1):
            limited = conditional(text, match.start(), after.end(), after.end())
            yield Possession((), (), *counted, match.start(), after.end(), limited, False)


_NUMBERING = frozenset({"all", "amount", "number", "pair", "plurality", "total"})
_NAME = r"[a-z-]+(?:\s[a-z-]+){0,3}?"
_COUNT = r"[a-z]+|[0-9]{1,3}"
_BOUND = r"(?:at\sleast|at\smost|no\sfewer\sthan|no\sless\sthan|no\smore\sthan|more\sthan|up\sto)"
_NUMBERED = re.compile(
    rf"""\b(?:(?:a|the)\s(?:total\s)?number\sof\s(?:the\s|said\s)?(?P<counted>{_NAME})(?:\s(?:in|of|on)\sthe\s[a-z-]+)?
             \s(?:is|equals|are)\s(?:equal\sto\s|exactly\s)?(?P<number>(?:{_BOUND}\s)?(?:{_COUNT}))(?=\s?[.,;]|\sand\b)
          |a\stotal\sof\s(?P<total>{_COUNT})\s(?P<things>{_NAME})\s(?:is|are)\b
          |the\s(?:plurality|pair)\sof\s(?P<many>{_NAME})\s(?:is|are|consists\sof|comprises|includes|has)
             \s(?:exactly\s|only\s)?(?P<several>(?:a\s)?single|{_COUNT})\s(?P<same>{_NAME})(?=\s?[.,;]|\sand\b|\sthat\b|\swhich\b)
          |(?<=wherein\s)all\s(?:of\sthe\s|the\s)?(?P<all>{_COUNT})\s(?P<alike>{_NAME})\s(?:is|are|have|has|extend|comprise|include|rotate|project)\b
          |the\s(?P<they>{_NAME})\s(?:(?:are|total)\s(?:exactly\s)?(?P<in_number>{_COUNT})\sin\snumber\b
             |(?:amount\sto|number|total)\s(?:exactly\s)?(?P<amounting>{_COUNT})(?=\s?[.,;]|\sand\b)))""",
    re.VERBOSE,
)


def _numbered(text: str) -> Iterator[Possession]:
    """ "the number of arms is three", "a total of three arms is", "the arms are three in number"."""
    for match in _NUMBERED.finditer(text):
        how_many = ("number", "total", "several", "all", "in_number", "amounting")
        written = next(filter(None, map(match.group, how_many)))
        name = match["counted"] or match["things"] or match["many"] or match["alike"] or match["they"]
        if match["they"] and not is_plural(name.split()[-1]):
            continue  # "the diodes on the board total eight"
        if match["same"] and lemma(match["same"].split()[-1]) != lemma(name.split()[-1]):
            continue
        written = "one" if written.endswith("single") else written
        bounded = " " in written
        exactly = () if bounded else ("exactly",)
        counted = counted_things((*exactly, *written.split(), *name.split()), lacks=False)
        if counted is not None and (bounded or counted.closed):
            limited = conditional(text, match.start(), match.end(), match.end())
            start, end = match.span()
            yield Possession((), (), *counted, start, end, limited, False, numbering=True)


_SEVERAL = re.compile(
    rf"\bwherein\s(?P<number>(?:(?:{_BOUND}|exactly|only)\s)?(?:{_COUNT}))\s(?P<things>{_NAME})\s(?:are|have|extend|project|rotate)\s(?!each\b)"
)


def _several(text: str) -> Iterator[Possession]:
    """ "wherein seven blades are attached to the hub": at least so many, of the claimed thing."""
    for match in _SEVERAL.finditer(text):
        counted = counted_things((*match["number"].split(), *match["things"].split()), lacks=False)
        if counted is not None and (counted.low > 1 or counted.closed):
            limited = conditional(text, match.start(), match.end(), match.end())
            start, end = match.span("number")[0], match.end("things")
            yield Possession((), (), *counted, start, end, limited, False)


@kept_with_set
def _qualified(_reading: Reading, text: str, owner: tuple[str, ...]) -> tuple[Possession, ...]:
    """What a text says that things of this name have, where it brings them in: "a frame having a lid"."""
    found: list[Possession] = []
    words = words_of(text) if owner[-1].removesuffix("y") in text.lower() else ()
    for index, word in enumerate(words):
        made_up = word.lower == "of" and is_bare([each.lower for each in words[index + 1 : index + 3]])
        if not (made_up or word.lower in _PARTICIPLES):
            continue
        if not index or lemma(words[index - 1].lower) != owner[-1]:
            continue
        subject = subject_before(text, word.start, through=frozenset())
        if subject is None or subject.words != owner:
            continue
        after = [each.lower for each in words[index + 1 : index + 10]]
        counted = counted_things(after, lacks=word.lower == "without")
        if counted is not None and "or" not in after[: len(counted[0]) + 3]:
            end = words[min(len(words) - 1, index + 1 + len(counted[0]))].end
            thing, low, high = counted
            start, bare = subject.start, word.lower != "without" and is_bare(after)
            found.append(Possession(owner, (), thing, low, high, start, end, False, False, bare=bare))
    return tuple(found[:MAX_STATEMENTS])


def _flaw(each: Possession, other: Possession, claim: Claim, holder: Claim) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    absent = each.high == 0 or other.high == 0
    rule = PRESENT_AND_ABSENT if absent else CONTRADICTION
    signals = ("part" if absent else "count", "same_claim" if holder is claim else "inherited")
    why = f"This contradicts {where}, which says “{holder.text[other.start : other.end]}”."
    return Flaw(rule, each.start, each.end, why, signals=signals)
