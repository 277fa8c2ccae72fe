"""The elements of a claim set with certain names: introduced with "a", referred to with "the".

A name counts only if the same words, ended by the same kind of mark, follow "a" and also "the" or "said"
somewhere in the set. So the name of an element is read from the claims themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ace.claims.model import ClaimSet
from ace_lab.held_out.edits import DefectPlace, before, body_start

_WORD = r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
_INTRODUCED = re.compile(rf"\b(?P<article>an?) (?P<words>{_WORD}(?: {_WORD}){{0,5}})")
_TAKEN_UP = re.compile(rf"\b(?P<article>the|said) (?P<words>{_WORD}(?: {_WORD}){{0,5}})", re.IGNORECASE)
_END = frozenset(
    """
    of for that which who whose wherein whereby where when while if as at by in into on onto from to
    with within without and or but than then is are was were be been being has have having had can may
    will shall does do not configured adapted arranged operable comprising comprises including includes
    consisting containing contains using via per through between among under over above below about
    against along across after before during until upon a an the said each any all some such so disposed
    positioned located mounted connected coupled attached extending formed further based according
    received defined provided therein thereof thereto relative
    """.split()  # noqa: SIM905  (a list of a hundred quoted words hides what it says)
)
# A property, a part or a place of a thing needs no introduction of its own.
_INHERENT = frozenset(
    """
    amount angle area axis back base beginning bottom boundary center centre circumference color
    concentration content cross-section degree density depth diameter dimension direction distance edge
    end environment exterior face form frequency front height inside interior length level location
    magnitude mass middle number orientation outside part path periphery plane point portion position
    presence pressure quantity radius range rate ratio rear region result section set shape side size
    space speed start state step surface temperature thickness time tip top type value velocity
    viscosity volume wall way weight width combination group method process claim invention difference
    sum average maximum minimum total remainder rest majority user patient subject
    """.split()  # noqa: SIM905  (a list of a hundred quoted words hides what it says)
)
_MANY = re.compile(
    r"\b(?:one or more|at least|plurality|multiple|each|every|another|second|pair|two|three|several|series"
    r"|array|set|group|both|respective|number|any|additional|further|other)\b[^.;]{0,40}$"
)


@dataclass(frozen=True, slots=True)
class Named:
    """One mention: text[start:end] of a claim, article included; `written` without it, head last."""

    claim: int
    article: str
    written: tuple[str, ...]
    start: int
    end: int

    @property
    def words(self) -> tuple[str, ...]:
        """The phrase without its article, in lower case."""
        return tuple(word.lower() for word in self.written)

    @property
    def head(self) -> str:
        """The last word, in lower case."""
        return self.words[-1]

    @property
    def name(self) -> str:
        """The phrase without its article, as written."""
        return " ".join(self.written)

    @property
    def place(self) -> DefectPlace:
        """Where it stands."""
        return DefectPlace(self.claim, self.start, self.end)


class Elements:
    """Every mention of a surely named element: `introduced` by "a", `taken_up` by "the"."""

    def __init__(self, claims: ClaimSet) -> None:
        self.claims = claims
        introduced = _mentions(claims, _INTRODUCED)
        taken_up = _mentions(claims, _TAKEN_UP)
        sure = {each.words for each in introduced} & {each.words for each in taken_up}
        self.introduced = [each for each in introduced if each.words in sure and _names_a_thing(each)]
        self.taken_up = [
            each
            for each in taken_up
            if each.words in sure and _names_a_thing(each) and each.start >= body_start(claims[each.claim])
        ]

    def known_to(self, number: int) -> list[Named]:
        """One mention each of the elements introduced in a claim or in those it depends on."""
        family = {number, *self.claims.ancestors(number)}
        return list({each.words: each for each in self.introduced if each.claim in family}.values())


def orphans(claims: ClaimSet, taken_up: list[Named]) -> tuple[DefectPlace, ...]:
    """Those mentions before which nothing resembles their head, neither in the claim nor above it."""
    return tuple(
        each.place for each in taken_up if unheard(each.head, before(claims, each.claim, each.start))
    )


def mentions_of(claims: ClaimSet, words: tuple[str, ...]) -> list[Named]:
    """Where "the …" stands for exactly these words, openings left out."""
    return [
        each
        for each in _mentions(claims, _TAKEN_UP)
        if each.words == words and each.start >= body_start(claims[each.claim])
    ]


def unheard(word: str, text: str) -> bool:
    """Whether no word of a lower-case text begins as this one does (so "rotation" heeds "rotating")."""
    beginning = word.lower()[: max(3, min(5, len(word) - 1))]
    return re.search(rf"(?<![a-z0-9]){re.escape(beginning)}", text) is None


def is_single(head: str, text: str) -> bool:
    """Whether a lower-case text speaks of this thing in the singular only, and never of one of many."""
    if head.endswith("s") or re.search(rf"\b{re.escape(head)}(?:s|es)\b", text):
        return False
    places = re.finditer(rf"\b{re.escape(head)}\b", text)
    return not any(_MANY.search(text[max(0, place.start() - 60) : place.start()]) for place in places)


def a(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def _names_a_thing(each: Named) -> bool:
    return each.head not in _INHERENT and len(each.head) > 3 and not each.head.endswith(("ing", "ed", "ly"))


def _mentions(claims: ClaimSet, pattern: re.Pattern[str]) -> list[Named]:
    found = []
    for claim in claims:
        for match in pattern.finditer(claim.text):
            words = match["words"].split(" ")
            length = next((at for at, word in enumerate(words) if word.lower() in _END), len(words))
            if length in (0, 6) or claim.text.startswith((" of", "-", "/", " ("), match.end()):
                continue
            name = " ".join(words[:length])
            end = match.start("words") + len(name)
            if claim.text.startswith(" of", end):
                continue
            written = tuple(words[:length])
            found.append(Named(claim.number, match["article"].lower(), written, match.start(), end))
    return found
