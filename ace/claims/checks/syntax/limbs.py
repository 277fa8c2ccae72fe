"""The limbs of a claim: its elements and steps between semicolons, and the lists that they form.

A shallow reader: a limb is known by how it opens ("a rotor": an element; "heating": a step), and a colon in a
limb opens a list within it ("a processor configured to: read ...; and write ...; and a display"). What is
wrong with the limbs is for separators.py, conjunctions.py and labels.py to say.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from ace.claims.checks.syntax.words import NO_STEP
from ace.claims.language.lexicon import NOUN_VERBS, VERBS
from ace.claims.language.words import kept_by_text, word_start, words_of


class Shape(StrEnum):
    """How a limb opens."""

    ELEMENT = "element"  # "a rotor", "one or more pins", "means for"
    STEP = "step"  # "heating the rotor", "simultaneously heating"
    VERB = "verb"  # "receive a signal", after "configured to:"
    DEFINITE = "definite"  # "the rotor is"
    CLAUSE = "clause"  # "wherein the rotor", "such that"
    OTHER = "other"  # "pins on the rotor"


class Limb(NamedTuple):
    """text[start:end], without mark, label and conjunction; `begin` is where these begin.

    words[first:last] of the claim are its words.
    `label` is what numbers it ("a", "iv"), in small letters. `joined` if "and" or "or" joins it to the limb
    before. `opens_list` if a colon in it opens a list whose first limb is the next one.
    """

    begin: int
    start: int
    end: int
    label: str
    joined: bool
    shape: Shape
    opens_list: bool
    first: int
    last: int


class LimbList(NamedTuple):
    """Limbs of one list, in order; `depth` is 0 for the body of the claim, and more for a list in a limb."""

    limbs: tuple[Limb, ...]
    depth: int

    @property
    def shape(self) -> Shape:
        """How the first limb opens."""
        return self.limbs[0].shape


_MARK: Final = re.compile(r"[()\[\]{};:]")
_RATIO: Final = re.compile(r"[0-9]:[0-9]|\w:\w")
_OPENS_BODY: Final = re.compile(
    r"\b(?:compris(?:ing|es)|includ(?:ing|es)|having|consist(?:ing|s)\sof|contain(?:ing|s)|(?:steps?|acts?)\sof)\s"
)
_HEAD: Final = re.compile(
    r"""[\s,]*+(?P<and>(?:and/or|and|or)(?:[,\s]\s?|(?=an?\s|the\s|[a-z]{3,20}ing[\s,]|\(?[a-z0-9]{1,3}\))))?
        (?:(?:steps?\s)?\(?(?P<label>[a-zA-Z]{1,2}|[ivxIVX]{1,5}|[0-9]{1,2})(?:\)|[.:](?=\s))[,\s]?\s?)?
        (?P<then>(?:and|or)\s)?""",
    re.VERBOSE,
)
_ENDS_JOINED: Final = re.compile(r"[\s,;](?:and|or|and/or),?\s?\Z")
_SHAPE: Final = re.compile(
    r"""(?P<clause>(?:where(?:in|by|upon|as|of|at|from|)|such\sthat|so\sthat|so\sas|thereby|(?:in|of|to|for|on)\swhich|if|when|while|with
            |in\sresponse|in\sorder|based\son|provided|characteri[sz]ed|according|except|until|unless)\b)
       |(?P<element>(?:an?|one\sor\smore|at\sleast|two|three|four|several|multiple|first|means|another|plural|optionally\san?)\s)
       |(?P<definite>(?:the|said|each|every|all|both|any|its|their|this|these)\b)
       |(?P<step>(?:(?:[a-z]+ly|then|next|also|further|again),?\s(?:and\s)?)?(?P<gerund>[a-z][a-z-]+ing)\b)""",
    re.VERBOSE,
)
_CAUSES: Final = re.compile(r"\b(?:to|that|causes?|perform|steps\sof|steps)\s?\Z")
_FIRST_WORD: Final = re.compile(r"[a-z]+")
_BASE_FORMS: Final = VERBS | NOUN_VERBS
_LOOK_BACK_CHARACTERS: Final = 40
_TAIL_CHARACTERS: Final = 8
_MAX_DEPTH: Final = 8


@kept_by_text
def limbs_of(text: str) -> Sequence[Limb]:
    """The limbs of a claim in order; none if no semicolon stands between them."""
    if ";" not in text:
        return ()
    marks = _marks(text)
    first = next((at for at in marks if text[at] == ";"), 0)
    begin = _body_start(text, marks, first) if first else 0
    return tuple(_limbs(text, begin, [at for at in marks if at >= begin])) if begin else ()


def _marks(text: str) -> list[int]:
    """Offsets of the colons and semicolons outside brackets; of all of them if the brackets do not pair."""
    found: list[int] = []
    depth = 0
    for match in _MARK.finditer(text):
        mark = match.group()
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth = max(0, depth - 1)
        elif not depth and not (mark == ":" and _RATIO.match(text, match.start() - 1)):
            found.append(match.start())
    return found if not depth else [each.start() for each in re.finditer(r"[;:](?=\s)", text)]


def _body_start(text: str, marks: Sequence[int], first: int) -> int:
    """Where the first limb begins: behind the first colon, or else behind the transition. 0 if neither is
    there before the first semicolon."""
    colon = next((at for at in marks if at < first and text[at] == ":"), None)
    if colon is not None:
        return colon + 1
    opener = _OPENS_BODY.search(text, 0, first)
    return opener.end() if opener else 0


def _limbs(text: str, begin: int, marks: Sequence[int]) -> Iterator[Limb]:
    joined = False
    for mark in (*marks, len(text)):
        opens_list = text[mark : mark + 1] == ":"
        limb = _limb(text, begin, mark, joined=joined, opens_list=opens_list)
        joined = _ENDS_JOINED.search(text, max(begin, mark - _TAIL_CHARACTERS), mark) is not None
        if limb is not None:
            yield limb
        begin = mark + 1


def _limb(text: str, begin: int, end: int, *, joined: bool, opens_list: bool) -> Limb | None:
    head = _HEAD.match(text, begin, end)
    start = head.end() if head else begin
    if not text[start:end].strip(" .,\n"):
        return None
    label = (head["label"] or "").lower() if head else ""
    joined = joined or (head is not None and bool(head["and"] or head["then"]))
    if text.startswith("and", start) and _glued(text, start):
        joined, start = True, start + len("and")
    words = words_of(text)
    first, last = (bisect_left(words, at, key=word_start) for at in (start, end))
    return Limb(begin, start, end, label, joined, _shape(text, begin, start, end), opens_list, first, last)


def _glued(text: str, start: int) -> bool:
    """Whether the limb opens with an "and" that has lost its space: "andstore the key"."""
    word = _FIRST_WORD.match(text, start)
    return word is not None and word.group() not in _BASE_FORMS and word.group()[3:] in _BASE_FORMS


def _shape(text: str, begin: int, start: int, end: int) -> Shape:
    match = _SHAPE.match(text, start, end)
    if match is None:
        before = text[max(0, begin - 1 - _LOOK_BACK_CHARACTERS) : max(0, begin - 1)]
        word = _FIRST_WORD.match(text, start, end)
        known = word is not None and word.group() in _BASE_FORMS
        return Shape.VERB if known or (text[begin - 1] == ":" and _CAUSES.search(before)) else Shape.OTHER
    if match.lastgroup == "gerund" or match["step"]:
        return Shape.CLAUSE if match["gerund"] in NO_STEP else Shape.STEP
    return Shape(match.lastgroup or "other")


class _Open:
    """A list that is being read."""

    def __init__(self, depth: int) -> None:
        self.limbs: list[Limb] = []
        self.closed = False
        self.depth = depth

    def take(self, limb: Limb) -> None:
        self.closed |= limb.joined and bool(self.limbs)
        self.limbs.append(limb)

    def takes(self, limb: Limb) -> bool:
        """Whether the limb opens as the others do."""
        return not self.limbs or limb.shape is self.limbs[0].shape


@kept_by_text
def lists_of(text: str) -> Sequence[LimbList]:
    """The lists that the limbs of a claim form, those in a limb before the list of that limb.

    A limb belongs to the innermost list whose limbs open as it does; a list in a limb ends at its "and".
    """
    found: list[LimbList] = []
    stack = [_Open(0)]
    for limb in limbs_of(text):
        while len(stack) > 1 and (stack[-1].closed or not stack[-1].takes(limb)):
            if not any(each.takes(limb) for each in stack[:-1]):
                break
            if (done := stack.pop()).limbs:
                found.append(_done(done))
        stack[-1].take(limb)
        if limb.opens_list and len(stack) < _MAX_DEPTH:
            stack.append(_Open(len(stack)))
    return (*found, *(_done(each) for each in reversed(stack) if each.limbs))


def _done(opened: _Open) -> LimbList:
    return LimbList(tuple(opened.limbs), opened.depth)
