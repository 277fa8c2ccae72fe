"""Status identifiers of amended claims: "(Currently amended)", "[Cancelled]", and what they mark.

The seven identifiers are those of 37 CFR 1.121(c); the variants are those that the Office accepts
(MPEP 714 II.C) and a few that applicants use. Identifiers stand between number and text.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final, NamedTuple

from ace.claims.language.words import one_slip
from ace.claims.model import GONE, Status
from ace.claims.readers.openings import OPENER, opens_line
from ace.claims.readers.source import Span


class Identifier(NamedTuple):
    """An identifier that ends at `end`. `status` is None if its words are unknown.

    `amended` is true if the text may carry mark-up of deleted matter (37 CFR 1.121(c)(2)). `misspelt` is true
    if the status was guessed from words or brackets that are not as the rule has them. `kind` is true if its
    words only say what kind of claim it is.
    """

    status: Status | None
    amended: bool
    end: int
    misspelt: bool = False
    kind: bool = False


_LEFT: Final = r"cancel(?:led|ed)?|deleted?|not\s+entered|unentered"
OPENING_WORDS: Final = (
    rf"(?:{_LEFT}|original|current|present|previous|new(?:ly)?\b|withdrawn|amended|once|twice|re-?presented"
    r"|reinstated|allowed|un(?:amended|changed))"
)
"""How an identifier begins, ignoring case: for finding numbers before one."""

_BRACKETED: Final = re.compile(r"\s*[(\[{]\s*([^()\[\]{}]{2,80})[)\]}](?:\s*[.:;,–—-](?!\w))?")
_BARE: Final = re.compile(
    rf"\s*+(?:(?:this\s++claim\s++)?(?:has\s++been|is|was|are|were|have\s++been)\s++)?({_LEFT})"
    r"(?:\s++(?:without\s++(?:prejudice|disclaimer)|herein))?\s*+[.;]?\s*+\Z",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z]+|[0-9]+")
_PARTING: Final = dict.fromkeys(map(ord, ",/–—-"), " ")
_MAX_UNKNOWN_WORDS: Final = 5
# Words of identifiers, for guessing what a misspelt one means, and those that stand for a longer one.
_EXACT: Final = (
    *("original", "currently", "amended", "previously", "presented"),
    *("withdrawn", "canceled", "cancelled", "new", "entered"),
)
_CUT_SHORT: Final = frozenset({"current", "present", "previous"})
_CLOSE: Final = 0.8
# An identifier without brackets, or with one of the two.
_UNBRACKETED: Final = re.compile(
    r"\s*[(\[{]?((?:currently|presently)\s+amended|previously\s+presented|original|withdrawn|new)[)\]}]?(?:\s*+[.:;,–—-])?+"
    rf"\s++(?={OPENER}\s)",
    re.IGNORECASE,
)
_CANCELED: Final = frozenset({"cancel", "canceled", "cancelled", "delete", "deleted", "canceling"})
_KNOWN: Final = _CANCELED | frozenset(
    _WORD.findall(
        """original originally currently current presently present previously previous presented new
        newly added submitted withdrawn not entered unentered amended amendment unamended unchanged re
        represented reinstated allowed once twice thrice times time first second third two three four claim
        claims as filed without prejudice or and disclaimer herein hereby from further consideration non
        elected formerly dependent independent number no nos with traverse examination proposed in part"""
    )
)
_KINDS: Final = frozenset(
    _WORD.findall(
        """independent dependent multiple main method process system apparatus device product article
        composition kit medium use claim depends depending on from of 1 2 3 4 5 6 7 8 9"""
    )
)
_PRESENTED: Final = frozenset(
    {"previously", "previous", "represented", "reinstated", "presented", "submitted"}
)


def identifier(text: str, start: int, end: int) -> Identifier | None:
    """The identifier, or the two side by side, that text[start:end] begins with."""
    first = _one(text, start, end)
    if first is None or first.status is None:
        return first
    second = _one(text, first.end, end)
    if second is None or second.status is None:
        return first
    status = first.status if second.status is not Status.WITHDRAWN else second.status
    return Identifier(status, first.amended or second.amended, second.end, first.misspelt or second.misspelt)


def says_gone(text: str, at: int) -> bool:
    """Whether the rest of `text` says that claims are not pending: "(canceled)"."""
    found = identifier(text, at, len(text))
    return found is not None and found.status in GONE


def _one(text: str, start: int, end: int) -> Identifier | None:
    match = _BRACKETED.match(text, start, end)
    if match is None:
        bare = _BARE.match(text, start, end) if end - start < 200 else None
        return Identifier(_status(_words(bare[1])), False, end) if bare else _unbracketed(text, start, end)
    words = _words(match[1])
    status = _status(words)
    if status is not None:
        return Identifier(status, "amended" in words, match.end(), not _CUT_SHORT.isdisjoint(words))
    if _KINDS.issuperset(words):
        return Identifier(None, False, match.end(), kind=True)
    rest = text[match.end() : end].lstrip()
    if not rest or (opens_line(text, match.end()) and rest[0] != "("):
        meant = [_meant(word) for word in words]
        guessed = _status(meant)
        if guessed in GONE and rest:
            guessed = None  # what has text may be pending
        if guessed is not None or _may_be_status(match[1]):
            return Identifier(
                guessed, guessed is not None and "amended" in meant, match.end(), guessed is not None
            )
    return None


def _may_be_status(written: str) -> bool:
    """Whether what stands in brackets has only words, as an identifier that nobody knows."""
    words = written.translate(_PARTING).split()
    worded = all(word.isascii() and word.isalpha() for word in words)
    return worded and 0 < len(words) <= _MAX_UNKNOWN_WORDS and len(words[0]) > 3


def _unbracketed(text: str, start: int, end: int) -> Identifier | None:
    match = _UNBRACKETED.match(text, start, end)
    if match is None:
        return None
    words = _words(match[1])
    return Identifier(_status(words), "amended" in words, match.end(), misspelt=True)


def _meant(word: str) -> str:
    """The word of an identifier that a misspelt one means, or the word itself."""
    if word in _KNOWN:
        return word
    slip = next((exact for exact in _EXACT if one_slip(word, exact)), None)
    return slip or next(iter(get_close_matches(word, _EXACT, 1, _CLOSE)), word)


def _words(written: str) -> list[str]:
    return _WORD.findall(written.lower().replace("re-", "re"))


def _status(words: list[str]) -> Status | None:
    """The status that the words of an identifier mean; None if one of them is not a word of identifiers."""
    said = frozenset(words)
    if not said <= _KNOWN and any(word not in _KNOWN and not word.isdigit() for word in said):
        return None
    if "entered" in said or "unentered" in said:
        return Status.NOT_ENTERED
    if said & _CANCELED:
        return Status.CANCELED
    if "withdrawn" in said:
        return Status.WITHDRAWN
    if said & {"currently", "presently"} and "amended" in said:
        return Status.CURRENTLY_AMENDED
    if said & _PRESENTED:
        return Status.PREVIOUSLY_PRESENTED
    if "amended" in said:
        return Status.CURRENTLY_AMENDED
    if said & {"new", "newly"}:
        return Status.NEW
    return Status.ORIGINAL if said & {"original", "originally", "unamended", "unchanged", "allowed"} else None


def deletions(text: str, start: int, end: int) -> list[Span]:
    """The "[[deleted]]" matter of text[start:end] (37 CFR 1.121(c)(2)), each with a space that it frees.

    Both brackets must close side by side: "[[a]b]", as in chemical names, is not a deletion.
    """
    if text.find("[[", start, end) < 0:
        return []
    opened: list[int] = []
    closed = (-1, -1)
    found: list[Span] = []
    for at in range(start, end):
        if text[at] == "[":
            opened.append(at)
        elif text[at] == "]" and opened:
            begin = opened.pop()
            if (begin + 1, at - 1) == closed:
                while found and found[-1][0] >= begin:
                    found.pop()
                found.append((found.pop()[0] if found and found[-1][1] == begin else begin, at + 1))
            closed = (begin, at)
    return [_with_space(text, start, end, cut) for cut in found]


def _with_space(text: str, start: int, end: int, cut: Span) -> Span:
    opens = cut[0] == start or text[cut[0] - 1].isspace()
    return (cut[0], cut[1] + 1) if opens and cut[1] < end and text[cut[1]].isspace() else cut
