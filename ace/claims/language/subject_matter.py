"""What a claim is directed to: its category and subject, read from the words it opens with, and what
"the method of claim 1" calls the claim it refers to.

A shallow reading: the subject is the first noun phrase, its head the last word before a preposition,
a verb or a mark. If the words leave the category open ("the invention", "a treatment") it is
UNKNOWN, and nothing should be concluded from it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ace.claims.language.noun_phrases import phrase_before, phrases_of
from ace.claims.language.tables import word_list
from ace.claims.language.words import Word, kept_by_text, lemma, word_start, words_of

_LOOK_BACK: Final = 200
"""How many characters before a reference are searched for what it modifies."""
_LONGEST_SUBJECT: Final = 25
"""How many words of a claim's beginning are read for its subject."""
_JOINED: Final = 5
"""How many words after the subject may join another one to it: "a method and an apparatus"."""


class ClaimCategory(StrEnum):
    """The category of a claim, finer than the statutory classes of 35 U.S.C. 101."""

    METHOD = "method"
    USE = "use"
    APPARATUS = "apparatus"
    MEDIUM = "medium"  # a program, or what carries it
    COMPOSITION = "composition"
    PRODUCT = "product"  # some other thing
    UNKNOWN = "unknown"

    @property
    def activity(self) -> bool:
        """Whether something is done rather than a thing claimed."""
        return self in _ACTIVITIES

    @property
    def thing(self) -> bool:
        """Whether it is a machine, manufacture or composition of matter."""
        return self is not ClaimCategory.UNKNOWN and self not in _ACTIVITIES


_ACTIVITIES: Final = frozenset({ClaimCategory.METHOD, ClaimCategory.USE})


@dataclass(frozen=True, slots=True)
class Subject:
    """A noun phrase text[start:end] that names what is claimed, determiner left out.

    `words` are lower case; `head` is the singular of the last one. `definite` for "the" and "said".
    """

    category: ClaimCategory
    words: tuple[str, ...]
    head: str
    start: int
    end: int
    definite: bool


_METHOD: Final = word_list("claim_categories", "method")
_USE: Final = word_list("claim_categories", "use")
_MEDIUM: Final = word_list("claim_categories", "medium")
_APPARATUS: Final = word_list("claim_categories", "apparatus")
_COMPOSITION: Final = word_list("claim_categories", "composition")
_OPEN: Final = word_list("claim_categories", "open")
_OPEN_ENDINGS: Final = ("ing", "ed", "tion", "ment", "therapy", "lysis", "scopy", "graphy")
_SURE_THINGS: Final = word_list("claim_categories", "sure_things")
_GENERIC: Final = word_list("claim_categories", "generic")

_STOPS: Final = word_list("claim_categories", "stops")
_DETERMINERS: Final = frozenset({"a", "an", "the", "said", "any", "each", "one", "at", "some", "this"})
_AFTER_PARTICIPLE: Final = word_list("claim_categories", "after_participle")
# Words that lost the space after them.
_RUN_ON: Final = ("comprising", "wherein")
_LATIN: Final = frozenset({"vitro", "vivo", "situ", "silico"})
_JOINS: Final = frozenset({"and", "or", "and/or"})
_DEFINITE: Final = frozenset({"the", "said"})
_FORTH: Final = frozenset({"forth", "out"})
_ARTICLES: Final = _DEFINITE | {"a", "an"}
_OPENING: Final = re.compile(
    r"""\W*(?:(?:what|that\swhich)\sis\sclaimed(?:\sis)?\W*|(?:i|we)\sclaim\W*)?
        (?:(?:in|within|for)\s[^;:]{1,300}?,\s?(?=(?:an?|the)\s(?:[\w-]+\s){0,3}(?:method|process)\b))?
        (?P<determiner>(?:the|said|an?|one\sor\smore|at\sleast\sone|one|any|each)\b\s?)?
        (?P<rest>[^,;:.]{1,300})""",
    re.IGNORECASE | re.VERBOSE,
)
_LINK: Final = re.compile(
    r"""(?<![^\s,)])
        (?:(?:which\sis|as|being)\s)?
        (?:of|in|by|from|under|per|according(?:\sto)?|in\saccordance\swith|pursuant\sto|as
           |(?:claimed|recited|defined|described|set\sforth|set\sout|disclosed|specified|stated|presented|provided
              |mentioned|characteri[sz]ed|cited|given|further\sdefined)(?:\s(?:in|by|according\sto|under|with|as))?)
        \s(?:(?:any(?:one)?|either|one|some|or|more|several|each|all|both|at|least|of|the|in|said|preceding|previous|foregoing
            |prior|above|claims?)\s){0,24}\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_BODY: Final = re.compile(
    r"\b(?:(?:compris|contain|includ|consist|us|utili[sz]|employ|perform|execut|administer)(?:es|ing)"
    r"|carrying|produced|prepared|obtained|obtainable|made|manufactured)\b",
    re.IGNORECASE,
)


def category_of(words: tuple[str, ...]) -> ClaimCategory:
    """The category that a noun phrase (lower case, head last) names."""
    if not words:
        return ClaimCategory.UNKNOWN
    head = lemma(words[-1])
    last = head.rpartition("-")[2]
    if last in _METHOD:
        return ClaimCategory.METHOD
    if last in _USE:
        return ClaimCategory.USE
    if last in _MEDIUM or ("program" in words and head in {"product", "code", "element"}):
        return ClaimCategory.MEDIUM
    if last in _APPARATUS:
        storage = len(words) > 1 and words[-2].endswith(("storage", "memory", "readable", "recording"))
        return ClaimCategory.MEDIUM if storage and head == "device" else ClaimCategory.APPARATUS
    if last in _COMPOSITION:
        return ClaimCategory.COMPOSITION
    if last in _OPEN or (last.endswith(_OPEN_ENDINGS) and last not in _SURE_THINGS):
        return ClaimCategory.UNKNOWN
    return ClaimCategory.PRODUCT


def generic(head: str) -> bool:
    """Whether the noun may stand for nearly any thing that is claimed ("the device of claim 1")."""
    return head in _GENERIC


@kept_by_text
def subject_of(text: str) -> Subject | None:
    """What the claim opens with, or None if it does not open with a noun phrase."""
    match = _OPENING.match(text)
    if match is None:
        return None
    every = words_of(text)
    first, last = (bisect_left(every, edge, key=word_start) for edge in match.span("rest"))
    words = every[first : min(last, first + _LONGEST_SUBJECT)]
    end = next((index for index in range(len(words)) if _stops(words, index)), len(words))
    name = tuple(word.lower for word in words[:end] if word.lower[0].isalnum())
    if not name:
        return None
    category = category_of(name)
    joined = [word.lower for word in words[end : end + _JOINED]]
    if (
        joined
        and joined[0] in _JOINS
        and (len(joined) == 1 or category.activity or not _METHOD.isdisjoint(joined))
    ):
        category = ClaimCategory.UNKNOWN
    definite = (match["determiner"] or "").strip().lower() in _DEFINITE
    return Subject(category, name, lemma(name[-1]), words[0].start, words[end - 1].end, definite)


def _stops(words: Sequence[Word], index: int) -> bool:
    """Whether the noun phrase that opens at words[0] ends before the word at `index`."""
    word = words[index].lower
    following = words[index + 1].lower if index + 1 < len(words) else ""
    if word in _STOPS or word.startswith(_RUN_ON):
        return following not in _LATIN and (index > 0 or not word.endswith("ing"))
    return index > 0 and (
        (word.endswith("ing") and following in _DETERMINERS)
        or (word.endswith("ed") and following in _AFTER_PARTICIPLE)
        or (word == "set" and following in _FORTH)
    )


def modified_by(text: str, start: int) -> Subject | None:
    """The noun phrase with a determiner that the reference at `start` modifies: "the method" of "using
    the method of claim 1"; None if no such phrase stands right before it."""
    link = _LINK.search(text, max(0, start - _LOOK_BACK), start)
    if link is None:
        return None
    words = words_of(text)
    end = bisect_left(words, link.start(), key=word_start)
    phrase = phrase_before(phrases_of(text), end)
    if phrase is None or not phrase.first or words[phrase.first - 1].lower not in _DETERMINERS:
        return None
    name = tuple(word.lower for word in words[phrase.first : end] if word.lower[0].isalnum())
    if not name or not _STOPS.isdisjoint(name):
        return None
    definite = words[phrase.first - 1].lower in _DEFINITE
    return Subject(
        category_of(name), name, lemma(name[-1]), words[phrase.first].start, words[end - 1].end, definite
    )


def own_subject(text: str, subject: Subject, start: int) -> bool:
    """Whether the reference at `start` stands right behind the claim's subject: "The pump of claim 1"."""
    if not 0 < start - subject.end <= _LOOK_BACK:
        return False
    at = subject.end
    while at < start and text[at] in " ,)\n\t":
        at += 1
    return _LINK.match(text, at, start) is not None


def opening_before(text: str, subject: Subject, start: int) -> str:
    """What the reference at `start` follows from the claim's subject on, in lower case and without articles:
    "lid for jar" of "A lid for the jar according to claim 1"; "" where no link joins the two."""
    link = _LINK.search(text, max(subject.start, start - _LOOK_BACK), start)
    return bare(text[subject.start : link.start()]) if link and link.start() > subject.start else ""


def bare(text: str) -> str:
    """The words in lower case, articles and marks left out."""
    words = (word.strip(".,;:()[]") for word in text.lower().split())
    return " ".join(word for word in words if word and word not in _ARTICLES)


def refers_to_another(text: str, subject: Subject, start: int) -> bool:
    """Whether the reference at `start` is to something else than the subject of the claim: "A system for
    performing the method of claim 1". False where the words leave it open."""
    if own_subject(text, subject, start):
        return False
    named = modified_by(text, start)
    if named is None:
        return _BODY.search(text, max(min(subject.end, start), start - _LOOK_BACK), start) is not None
    return named.head != subject.head
