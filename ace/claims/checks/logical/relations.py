"""Comparisons and places of two things that cannot both hold: "A is above B", "B is above A"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.subjects import conditional, statement_end, subject_before
from ace.claims.findings import Flaw
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_FAMILIES: dict[str, tuple[str, str]] = {
    "size": (
        "greater than|larger than|bigger than|more than|in excess of",
        "less than|smaller than|fewer than",
    ),
    "length": ("longer than", "shorter than"),
    "width": ("wider than|broader than", "narrower than"),
    "thickness": ("thicker than", "thinner than"),
    "height": ("higher than|taller than", "lower than"),
    "weight": ("heavier than", "lighter than"),
    "speed": ("faster than|quicker than", "slower than"),
    "heat": ("hotter than|warmer than", "colder than|cooler than"),
    "strength": ("stronger than", "weaker than"),
    "hardness": ("harder than|stiffer than|more rigid than", "softer than|more flexible than"),
    "time": (
        "later than|after|subsequent to|subsequently to|following",
        "earlier than|before|prior to|previously to",
    ),
    "depth": ("deeper than", "shallower than"),
    "distance": (
        "farther from|further from|farther away from|further away from",
        "closer to|nearer to|nearer",
    ),
    "density": ("denser than", "less dense than"),
    "stack": ("above|on top of|atop", "below|beneath|underneath|under"),
    "row": ("in front of|ahead of", "behind"),
    "flow": ("upstream of|upstream from", "downstream of|downstream from"),
    "hand": ("to the left of|left of", "to the right of|right of"),
    "enclosure": ("inside of|inside|within", "outside of|outside"),
    "reach": ("proximal to|proximal of", "distal to|distal of|distal from"),
}
_ANGLES = {"parallel": 0, "perpendicular": 1, "orthogonal": 1, "oblique": 2, "transverse": 1, "normal": 1}
_SAME = {
    "equal to": 0,
    "identical to": 0,
    "the same as": 0,
    "different from": 1,
    "unequal to": 1,
    "distinct from": 1,
}
_WHERE: dict[str, tuple[str, int]] = {
    phrase: (family, sign)
    for family, sides in _FAMILIES.items()
    for sign, side in zip((1, -1), sides, strict=True)
    for phrase in side.split("|")
}
_WORDS = "|".join(
    sorted((re.escape(phrase).replace(r"\ ", r"\s") for phrase in (*_WHERE, *_SAME)), key=len, reverse=True)
)
_ANGLE_WORDS = "|".join(_ANGLES)
_RELATION = re.compile(
    rf"""\s(?:is|are|(?P<bare>being|extending|running|lying|(?=(?:disposed|arranged|oriented|positioned)\s))
            |lies?|runs?|extends?|occurs|happens|sits|stands)\s?
        (?:(?:located|disposed|positioned|arranged|situated|mounted|placed|performed|conducted|carried\sout|executed
            |oriented|done|effected)\s)?
        (?:(?:always|strictly|substantially|directly|entirely|also|immediately|completely|generally|much|fully)\s){{0,2}}
        (?:(?P<relation>{_WORDS})|(?P<angle>{_ANGLE_WORDS})\s(?:to|with))\s
        (?=(?:the|said|a|an|that\sof)\b)""",
    re.VERBOSE,
)
_OBJECT = re.compile(
    r"(?:that\sof\s)?(?:the|said|an?)\s((?:[\w-]+\s){0,5}?[\w-]+)(?=\s?(?:[,;.:)]|\Z|\b(?:and|or|of|wherein|in|when|if|by|while|at|to|for|with|during|from|on|so|such|is|are|than|along|as|that|which)\b))"
)
_OF = re.compile(
    r"\sof\s(?:the|said|an?)\s((?:[\w-]+\s){0,4}?[\w-]+)(?=\s?(?:[,;.:)]|\Z|\b(?:and|wherein|in|when|if|by|while)\b))"
)


@dataclass(frozen=True, slots=True)
class Relation:
    """`one` stands to `other` in the relation `family`, at its side `sign`: text[start:end]."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    family: str
    sign: int
    start: int
    end: int
    conditional: bool

    @property
    def things(self) -> frozenset[tuple[str, ...]]:
        """The two things, whichever comes first."""
        return frozenset({self.one, self.other})

    def excludes(self, earlier: Relation) -> bool:
        """Whether both cannot hold of the same two things."""
        families = {self.family, earlier.family}
        swapped = (self.one, self.other) == (earlier.other, earlier.one)
        if not swapped and (self.one, self.other) != (earlier.one, earlier.other):
            return False
        if families == {"angle"} or families == {"same"}:
            return self.sign != earlier.sign
        if families == {"same", "size"}:
            return (self if self.family == "same" else earlier).sign == 0
        return len(families) == 1 and self.sign == (earlier.sign if swapped else -earlier.sign)


def contradictions(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Relations that the claim states between two things against what it says before or inherits."""
    own = relations(reading, claim.text)
    if not own:
        return
    before: _Stated = {}
    earlier = [(claim, before)]
    earlier += [(holder, _by_things(reading, holder.text)) for holder in nearest_ancestors(reading, claim)]
    for relation in own:
        if relation.conditional:
            continue
        for holder, stated in earlier:
            others = stated.get(relation.things, {}).values()
            excluded = next((other for other in others if relation.excludes(other)), None)
            if excluded is not None:
                yield _flaw(claim, relation, holder, excluded)
                break
        _add(before, relation)


_Stated = dict[frozenset[tuple[str, ...]], dict[tuple[object, ...], Relation]]
"""Relations that hold at all times by the two things; those that say the same only once, as each is compared
with each of the claims that inherit it."""


def _add(stated: _Stated, each: Relation) -> None:
    stated.setdefault(each.things, {}).setdefault((each.one, each.family, each.sign), each)


@kept_with_set
def _by_things(reading: Reading, text: str) -> _Stated:
    stated: _Stated = {}
    for each in relations(reading, text):
        if not each.conditional:
            _add(stated, each)
    return stated


@kept_with_set
def relations(_reading: Reading, text: str) -> tuple[Relation, ...]:
    """The relations between two named things that a text states with a verb."""
    found = (each for match in _RELATION.finditer(text) if (each := _relation(text, match)) is not None)
    return tuple(islice(found, MAX_STATEMENTS))


def _relation(text: str, match: re.Match[str]) -> Relation | None:
    subject = subject_before(text, match.start())
    target = _OBJECT.match(text, match.end(), min(len(text), match.end() + 100))
    if subject is None or target is None or not (subject.definite or match["bare"] is not None):
        return None
    end = target.end()
    owner = _OF.match(text, end, min(len(text), end + 60))
    of = ("of", *_singular(owner[1])) if owner else ()
    end = owner.end() if owner else end
    rest = text[end : statement_end(text, end)]
    other = (*_singular(target[1]), *of, *rest.lower().split())
    if target.group().startswith("that"):
        other = (*subject.words, "of", *other)
    written = " ".join((match["relation"] or "").split())
    if match["angle"]:
        family, sign = "angle", _ANGLES[match["angle"]]
    elif written in _SAME:
        family, sign = "same", _SAME[written]
    else:
        family, sign = _WHERE[written]
    one = (*subject.words, *subject.of)
    return Relation(
        one, other, family, sign, subject.start, end, conditional(text, subject.start, match.end(), end)
    )


def _singular(name: str) -> tuple[str, ...]:
    return tuple(lemma(word) for word in name.lower().split())


def _flaw(claim: Claim, relation: Relation, holder: Claim, other: Relation) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    return Flaw(
        CONTRADICTION,
        relation.start,
        relation.end,
        f"This contradicts {where}, which says “{holder.text[other.start : other.end]}”.",
        signals=("relation", "same_claim" if holder is claim else "inherited", "element_exact"),
    )
