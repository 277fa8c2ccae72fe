"""Relations between two named things that a text states: "A is above B", "A and B are parallel"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set
from ace.claims.checks.logical.statements import Statement, at_times, staged, statements
from ace.claims.checks.logical.subjects import DETERMINERS, StatementSubject, subject_before
from ace.claims.language.expressions import Expressions
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.opposites import POLES
from ace.claims.language.tables import table, word_groups, word_list
from ace.claims.language.words import lemma
from ace.claims.reading import Reading

_TABLE = table("relations")
_SAME_MEASURE = [
    {"equality", "size"},
    *({f"equality of {family}", family} for family in set(_TABLE["measures"].values())),
]
"""Families of which one says that something is the same that the other says differs."""
_TIME = "time"
_CODES = {"one": 1, "other": -1, "third": 2}
_MUTUAL = frozenset({*_TABLE["mutual"], *_TABLE["angle"]})
IN_TURN = frozenset({"contact", "joining", "nearness", "overlap", "distance"})
"""Families in which two things may stand otherwise at another time."""


def _expressions() -> Expressions[tuple[str, int]]:
    return Expressions(
        (expression, (family, _CODES[pole]))
        for kind in ("order", "mutual", "angle", "enclosure")
        for family, poles in _TABLE[kind].items()
        for pole, written in poles.items()
        for expression in written.split()
    )


RELATIONS = _expressions()
_VERBS = {
    verb: (family, _CODES[pole])
    for family, poles in _TABLE["verbs"].items()
    for pole, verbs in poles.items()
    for verb in verbs.split()
}
_MOVING = word_list("relations", "moving")
_STANDING = {"be", *word_list("relations", "standing")}
_GERUNDS = word_groups("relations", "gerunds")
_PLACED = word_list("relations", "placed")
_MEASURES: dict[str, str] = _TABLE["measures"]
_DIRECTLY = word_list("relations", "directly")
_DOMAINS = word_list("logic", "domains")
_WEAK = word_list("logic", "weak_adverbs")
_EDGES = word_list("relations", "edges")
_SIDES = frozenset({"place", "place-inside", "side", "front", "nearness"})
_FEW = frozenset({"only", "some"})
_AT = frozenset({"at", "in", "near", "on", "within"})
_PLACES = 10
"""The least code of a place on the other thing."""


@dataclass(frozen=True, slots=True)
class Relation:
    """`one` stands to `other` in the relation `family`, at its pole `code`: text[start:end].

    `domain` is the respect ("electrically"), `frequency` how often it holds, `place` where the other thing is
    said to be: the conduit of "upstream of the filter in the conduit".
    """

    one: tuple[str, ...]
    other: tuple[str, ...]
    family: str
    code: int
    negated: bool
    domain: str
    frequency: str
    start: int
    end: int
    conditional: bool
    staged: bool
    scope: str = ""
    place: tuple[str, ...] = ()

    @property
    def things(self) -> frozenset[tuple[str, ...]]:
        """The two things, whichever comes first."""
        return frozenset({self.one, self.other})

    def excludes(self, earlier: Relation) -> bool:
        """Whether both cannot hold of the same two things."""
        if (self.code >= _PLACES and self.one != earlier.one) or self._is_elsewhere(earlier):
            return False
        scopes = {self.scope, earlier.scope}
        if not scopes.isdisjoint(_FEW) and "all" not in scopes:
            return False
        if self.domain != earlier.domain and (self.family == "joining" or (self.domain and earlier.domain)):
            return False
        if self.family in IN_TURN and (self.staged or earlier.staged):
            return False
        mine, theirs = self._from(self.one), earlier._from(self.one)
        frequencies = {self.frequency, earlier.frequency}
        if self.family != earlier.family:
            return "same" in {mine, theirs} and {self.family, earlier.family} in _SAME_MEASURE
        if frequencies == {"always", "sometimes"}:
            return self.negated == earlier.negated or mine == theirs
        if self.negated != earlier.negated:
            return mine == theirs
        return not self.negated and "sometimes" not in frequencies and mine != theirs

    def _is_elsewhere(self, earlier: Relation) -> bool:
        return bool(self.place and earlier.place) and self.place != earlier.place

    def _from(self, thing: tuple[str, ...]) -> int | str:
        """The pole as seen from one of the two things."""
        if self.family.startswith("equality"):
            return "same" if self.code == 1 else "different"
        turns = self.one != thing and self.family not in _MUTUAL and self.code in {1, -1}
        return -self.code if turns else self.code


@kept_with_set
def relations(reading: Reading, text: str) -> tuple[Relation, ...]:
    """The relations between two named things that a text states."""
    return tuple(islice(_relations(reading, text), MAX_STATEMENTS))


def _relations(reading: Reading, text: str) -> Iterator[Relation]:
    for said in statements(reading, text):
        if said.open_end or not _WEAK.isdisjoint(said.adverbs) or _denied_in_part(said):
            continue
        for family, code, one, other, start in (*_apart(said), *_together(text, said)):
            other, place = _placed_thing(other)
            if one and other and one != other:
                yield Relation(
                    one,
                    other,
                    family,
                    code,
                    said.negated,
                    _respect(said, family),
                    said.frequency,
                    start,
                    said.end,
                    at_times(text, said),
                    staged(text, said),
                    said.scope,
                    place,
                )


_WITHIN = frozenset({"in", "inside", "through", "to", "within"})


def _placed_thing(name: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A thing, and where or for what it is: "filter in conduit", "casing to drive impeller"."""
    at = next((index for index, word in enumerate(name) if index and word in _WITHIN), len(name))
    return name[:at], name[at:]


_MEANS = frozenset({"by", "through", "using", "via", "with"})


def _denied_in_part(said: Statement) -> bool:
    """Whether only a way of standing so is denied: "is not attached to the frame by glue"."""
    return said.negated and not _MEANS.isdisjoint(said.complement[3:])


def _respect(said: Statement, family: str) -> str:
    """In which respect a relation holds: "electrically", or what is done before another thing is."""
    if family == _TIME and said.verb == "be" and word_class_of(said.complement[0]) is WordClass.PARTICIPLE:
        return said.complement[0]
    return next((adverb for adverb in said.adverbs if adverb in _DOMAINS), "")


_Read = tuple[str, int, tuple[str, ...], tuple[str, ...], int]
"""Family and pole, the two things, and where the statement begins."""


def _apart(said: Statement) -> Iterator[_Read]:
    for family, code, at in _read(said):
        one, other, family = _things(said, family, said.complement[at:])
        yield family, code, one, other, said.start


def _together(text: str, said: Statement) -> Iterator[_Read]:
    """ "the rail and the post are parallel", "… are spaced from each other", "… have the same width"."""
    words = said.complement
    if not words or not text.startswith(("the ", "said "), said.subject.start):
        return
    before = _AND.search(text, max(0, said.subject.start - 5), said.subject.start)
    first = subject_before(text, before.start()) if before is not None else None
    if first is None or not first.definite:
        return
    one = (*first.words, *_without_determiners(first.of))
    other = (*said.subject.words, *_without_determiners(said.subject.of))
    for family, code in _reciprocal(said.verb, words):
        yield family, code, one, other, first.start


_AND = re.compile(r"\sand\s\Z")
_EACH_OTHER = frozenset({("each", "other"), ("one", "another")})


def _reciprocal(verb: str, words: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    if verb == "have" and len(words) == 3 and words[1] in _EQUAL:
        yield _MEASURES.get(words[2], f"measure {words[2]}"), 0
    if verb != "be":
        return
    for (family, code), at in RELATIONS.all_at(words):
        if family in _MUTUAL and words[at:] in _EACH_OTHER:
            yield family, code
    if len(words) == 1 or words[1:] in {("to",), ("from",)}:
        yield from _RECIPROCAL.get(words[0], ())
    measured = _equal_in(words)
    if measured is not None and len(words) == _EQUAL_WORDS:
        yield measured


def _equal_in(words: Sequence[str]) -> tuple[str, int] | None:
    """The family and the pole of "equal in length"."""
    if len(words) < _EQUAL_WORDS or words[1] != "in" or words[0] not in _EQUAL | _UNEQUAL:
        return None
    code = 1 if words[0] in _EQUAL else -1
    if words[2] == "size":
        return "equality", code
    return (f"equality of {_MEASURES[words[2]]}", code) if words[2] in _MEASURES else None


_EQUAL_WORDS = 3
_UNEQUAL = frozenset({"different", "differing", "unequal"})


def _reciprocal_adjectives() -> dict[str, list[tuple[str, int]]]:
    """ "parallel" from "parallel to"."""
    found: dict[str, list[tuple[str, int]]] = {}
    for family, poles in {**_TABLE["mutual"], **_TABLE["angle"]}.items():
        for pole, written in poles.items():
            for expression in written.split():
                words = expression.split("_")
                if len(words) == 2 and words[1] in {"to", "from", "with"}:
                    found.setdefault(words[0], []).append((family, _CODES[pole]))
    return found


_RECIPROCAL = _reciprocal_adjectives()


def _read(said: Statement) -> Iterator[tuple[str, int, int]]:
    """(family, pole, where in the complement the other thing begins)."""
    words = said.complement
    if said.verb == "have":
        yield from _compared(words)
    if said.verb in _VERBS:
        yield (*_VERBS[said.verb], int(said.verb == "differ" and words[:1] == ("from",)))
    moves = _ALONG.at(words) if said.verb in _MOVING else None
    if moves is not None:
        yield "mobility", 1, moves[1]
    if said.verb not in _STANDING or not words:
        return
    if words[0] == "at":
        yield from ((family, code, at + 1) for family, code, at in _compared(words[1:]))
    measured = _equal_in(words)
    if measured is not None and words[3:4] in {("to",), ("from",), ("with",)}:
        yield (*measured, 4)
    if words[0] in _GERUNDS:
        yield (*_VERBS[_GERUNDS[words[0]][0]], 1)
        return
    yield from _placed(said)


def _placed(said: Statement) -> Iterator[tuple[str, int, int]]:
    """The same after "is": "is (located) above the lid", "is added before the salt"."""
    words = said.complement
    begin = int(words[0] in _PLACED)
    while begin < len(words) and (words[begin] in _DIRECTLY or _is_plain_adverb(words[begin])):
        begin += 1
    domain = begin < len(words) and words[begin] in _DOMAINS
    found = RELATIONS.all_at(words, begin + domain)
    if said.adverbs:
        found += [(each, at - 1) for each, at in RELATIONS.all_at((said.adverbs[-1], *words))]
    if not begin and word_class_of(words[0]) is WordClass.PARTICIPLE:
        found += [each for each in RELATIONS.all_at(words, 1) if each[0][0] == _TIME]
    for (family, code), at in found:
        yield family, code, at
    yield from _place(words, begin)


def _compared(words: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """ "the same width as", "a greater width than"."""
    if len(words) > 3 and words[0] in {"a", "an", "the"} and words[3] in {"as", "than"}:
        code = 0 if words[1] in _EQUAL else _MORE.get(words[1])
        if code is not None and (code == 0) == (words[3] == "as"):
            yield _MEASURES.get(words[2], f"measure {words[2]}"), code, 4


def _is_plain_adverb(word: str) -> bool:
    return word.endswith("ly") and word not in _DOMAINS and word not in RELATIONS


_ALONG = Expressions(
    (each, True) for each in ("along", "in_relation_to", "over", "relative_to", "with_respect_to")
)
_EQUAL = frozenset({"equal", "identical", "same"})
_MORE = {
    expression: _CODES[pole]
    for pole, written in _TABLE["comparatives"].items()
    for expression in written.split()
}


def _place(words: Sequence[str], at: int) -> Iterator[tuple[str, int, int]]:
    """ "at a distal end of the tube": the dimension, its pole, and where the tube begins."""
    if at >= len(words) or words[at] not in _AT:
        return
    at += 1 + (words[at + 1 : at + 2] != () and words[at + 1] in DETERMINERS)
    if at >= len(words) or words[at] not in POLES:
        return
    end = at + 1 + (len(words) > at + 1 and words[at + 1] in _EDGES)
    if words[end : end + 1] == ("of",):
        for dimension, pole in POLES[words[at]].items():
            if dimension in _SIDES:
                yield f"place {dimension}", _PLACES + pole, end + 1


def _things(
    said: Statement, family: str, words: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The two things, and the family; a measure of each thing stands for the thing."""
    one = (*said.subject.words, *_without_determiners(said.subject.of))
    if not words or words[0] not in _OPENERS:
        return (), (), family
    if words[:2] == ("that", "of"):
        words = (*said.subject.words, "of", *words[2:])
    cut = next((index for index, word in enumerate(words) if word in _MEANS), len(words))
    words = words[:cut]
    other = tuple(lemma(word) for word in _without_determiners(words))
    measure = _measure(said.subject)
    if measure and other[:2] == (said.subject.head, "of"):
        compared = {"size": measure, "equality": f"equality of {measure}"}
        return one[len(said.subject.words) + 1 :], other[2:], compared.get(family, family)
    return one, other, family


_MEANS = frozenset({"by", "using", "via"})
_OPENERS = frozenset({"the", "said", "a", "an", "each", "its", *word_list("relations", "measured")})


def _measure(subject: StatementSubject) -> str:
    """The family of comparisons that a measure of a thing belongs to."""
    return _MEASURES.get(subject.head, "") if len(subject.words) == 1 and subject.of[:1] == ("of",) else ""


def _without_determiners(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in DETERMINERS)
