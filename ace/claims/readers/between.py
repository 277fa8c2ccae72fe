"""What stands between the claims and is left out: headings, rules, and what comes below them.

A claim ends before a heading if a sentence has ended there. Inside a claim, only the heading goes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ace.claims.model import Note
from ace.claims.readers.drafts import Draft
from ace.claims.readers.markdown import Heading
from ace.claims.readers.openings import ends_sentence
from ace.claims.readers.source import Span

_GROUP: Final = re.compile(
    r"(?:^|(?<=[.!?]))[^\S\n]*(?P<words>(?!(?:An?|In|One)\s)[A-Z][^\n.;]{0,60}?\b(?i:claims)\b[^\n.;,]{0,40})\s*\Z",
    re.MULTILINE,
)
"""A line such as "Dependent claims:" at the end of a claim."""

_OF_A_CLAIM: Final = re.compile(r"\b(?:wherein|comprising|according)\b|\bclaims?\s[0-9]+\s?,", re.IGNORECASE)
_LOOK_BACK_CHARACTERS: Final = 160
_MESSAGES: Final = {
    "comment": "a comment in or after claim {} was left out",
    "emphasis": "marks of emphasis in claim {} were left out",
    "title": "the title of claim {} was left out",
    "text_between_claims": "headings in or after claim {}, and other text that is no claim, were left out",
}
"""By code: what a note on an omission says of a claim."""

_COMMENT_BEFORE: Final = "a comment before the claims was left out"


class Omission(NamedTuple):
    """What is left out of the source at `span`; `code` is that of its note."""

    code: str
    span: Span


class Extent(NamedTuple):
    """The end of a claim's text, and the spans of headings inside it."""

    end: int
    inside: list[Span]


def ends_claim(text: str, start: int, at: int) -> bool:
    """Whether a sentence ends before `at`, in text[start:at]."""
    return ends_sentence(text[max(start, at - _LOOK_BACK_CHARACTERS) : at])


def extent(text: str, start: int, stop: int, breaks: Sequence[Heading], level: int) -> Extent:
    """How far the claim goes that text[start:stop] begins with.

    `breaks` are all headings and rules of the text, in order; `level` is that of headings which open claims.
    """
    inside: list[Span] = []
    for at in range(bisect_left(breaks, (start,)), len(breaks)):
        heading = breaks[at]
        if heading.start >= stop:
            break
        higher = 0 < heading.level <= level and bool(text[start : heading.start].strip())
        if higher or ends_claim(text, start, heading.start) or not text[heading.end : stop].strip():
            return Extent(_without_group(text, start, heading.start), inside)
        inside.append((heading.start, heading.end))
    return Extent(_without_group(text, start, stop), inside)


def _without_group(text: str, start: int, stop: int) -> int:
    """The end of text[start:stop] without the name of the group of claims that follows it."""
    group = _GROUP.search(text, max(start, stop - _LOOK_BACK_CHARACTERS), stop)
    if (
        group is None
        or _OF_A_CLAIM.search(group["words"])
        or not ends_claim(text, start, group.start("words"))
    ):
        return stop
    return group.start("words")


def omission_notes(omissions: Iterable[Omission], source: str, drafts: Sequence[Draft]) -> list[Note]:
    """A note for each claim and each kind of what was left out of it, or after it, if that has words.

    Other text before the claims has a note of its own.
    """
    starts = [each.start for each in drafts]
    merged: dict[tuple[int | None, str], Note] = {}
    for code, (start, end) in omissions:
        if not any(map(str.isalnum, source[start:end])):
            continue
        at = bisect_left(starts, start + 1) - 1
        claim = drafts[at].number if at >= 0 else None
        if claim is None and code != "comment":
            continue
        message = _COMMENT_BEFORE if claim is None else _MESSAGES[code].format(claim)
        before = merged.get((claim, code))
        first = start if before is None else before.start
        merged[claim, code] = Note(code, message, claim, first, end)
    return list(merged.values())
