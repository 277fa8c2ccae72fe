"""Markdown around claims: its marks, which are no text, and its headings, some of which number a claim.

A heading with the number of a claim opens that claim, whatever style the set is numbered in; its title is no
text of the claim. Underscores stay, because amendments underline with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ace.claims.readers.markers import Marker, single
from ace.claims.readers.openings import GOES_ON, opens_line, opens_small
from ace.claims.readers.source import Span
from ace.claims.readers.status import identifier

_BOLD: Final = 7
_UNMARKED: Final = 8
"""Levels of headings below those of Markdown: a line in bold, and one without marks."""

_HASHED: Final = re.compile(
    r"^[^\S\n]{0,3}(?:>[^\S\n]?)?(?P<marks>#{1,6})[^\S\n]++(?P<words>\S[^\n]*)$", re.MULTILINE
)
_UNDERLINED: Final = re.compile(
    r"^[^\S\n]*+(?P<words>(?!(?:An?|The|In|One)\s)[A-Z][^\n]{0,80})(?<![.;,:])\n(?P<line>[^\S\n]*+(?:=+|-{2,})[^\S\n]*+)$",
    re.MULTILINE,
)
_IN_BOLD: Final = re.compile(
    r"^[^\S\n]*+(?P<marks>\*{2,3}|__)(?P<words>[^\n*_]{1,100})(?P=marks):?[^\S\n]*+$", re.MULTILINE
)
_FRAME: Final = r"(?:\*{3,}|={2,}|-{2,}|~{2,})"
_FRAMED: Final = re.compile(
    rf"^[^\S\n]*+{_FRAME}[^\S\n]*+(?P<words>(?i:claim)[^\n*=~]{{1,60}}[^\s*=~-])[^\S\n]*+{_FRAME}[^\S\n]*+$",
    re.MULTILINE,
)
_NAMED: Final = re.compile(
    r"^[^\S\n]*+(?P<words>C(?:laim|LAIM)[^\S\n]++[0-9]{1,5}[^\S\n]*+[(\[:.–—-][^\n]{1,100})$", re.MULTILINE
)
_RULE: Final = re.compile(
    r"^[^\S\n]*+(?:(?:-[^\S\n]*+){3,}|(?:_[^\S\n]*+){3,}|[=~]{3,}[^\S\n]*+)$"
    r"|^[^\S\n]*+(?:\*[^\S\n]*+){3,}$(?=\n\s*+(?:#|\*\*|(?i:claim\s)?[0-9]))",
    re.MULTILINE,
)
_FENCE: Final = re.compile(r"^[^\S\n]{0,3}(?:`{3,}|~{3,})[^\S\n]*+[\w-]*+[^\S\n]*+$", re.MULTILINE)
_EMPHASIS: Final = re.compile(
    r"\*(?<![^\s(\[\"“>_-].)(?:\*{1,2}(?=[^\s*])[^*\n]*[^\s*]\*{2,3}(?!\*)"
    r"|(?=[\w(“\"])[^*\n]*[\w.,:;)”\"]\*(?![^\s.,;:)!?\]\"”_-]))"
)
_CLAIM: Final = re.compile(
    r"\W*+(?:(?:in)?dependent\s++)?(?:patent\s++)?claim\s*+(?:no\.?|\#)?\s*+"
    r"(?P<number>[0-9]{1,5}+)(?![A-Za-z]|[.,][0-9]|\s*+[-–—]\s*+[0-9])",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"[^\w\n]{0,8}+(?P<number>[0-9]{1,4}+)[.):](?=\s)")
_SECTION: Final = re.compile(
    r"[0-9]{1,2}\.\s++(?:(?:technical\s|detailed\s|brief\s)?(?:abstract|remarks?|arguments?|conclusions?|drawings?"
    r"|description|background|summary|field|notes?|strategy|figures?|examples?|embodiments?|references?)\b[^.]*\Z"
    r"|[\w\s-]*\bclaims\W*\Z)",
    re.IGNORECASE,
)
"""The numbered heading of a section that is no claim."""

_SEPARATOR: Final = re.compile(r"[\s.:)\]|*_–—-]*+")
_CLAIMS: Final = re.compile(r"\bclaims\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?:An?|The|In|One)\s[^\n]*\.[\s*_]*\Z")
_NEXT: Final = re.compile(r"\s*+(?:[*_>\"“-]++[^\S\n]?)?")
_OWN_NUMBER: Final = re.compile(r"(?:[Cc]laim\s)?[(\[]?(?P<number>[0-9]{1,5})[.):\]]")
_BRACKETED: Final = re.compile(r"[\s*_]*+[(\[][^()\[\]\n]*+[)\]][\s*_:.]*+\Z")
_CLAIM_WORDS: Final = re.compile(
    r"\b(?:comprising|comprises|consisting|including|having|wherein|of\sclaim)\b", re.IGNORECASE
)


_LABELLED: Final = re.compile(r"\W*+(?:(?i:claim)\W*+)?[0-9]")
_QUOTED_LINE: Final = re.compile(r"^[^\S\n]{0,3}>[^\S\n]?", re.MULTILINE)
_QUOTED_CLAIM: Final = re.compile(
    r"^[^\S\n]{0,3}>[^\S\n]?(?:[#*_]+[^\S\n]?)?(?:(?i:claim)\s)?[0-9]{1,4}[.):*_]", re.MULTILINE
)
_QUOTATION: Final = re.compile(
    r"^[^\S\n]{0,3}>[^\S\n]?(?=[*_]{0,3}[A-Za-z]{2}|\[!)(?!(?i:claim)\s[0-9])[^\n]*(?:\n[^\S\n]{0,3}>[^\n]*)*",
    re.MULTILINE,
)


class Heading(NamedTuple):
    """A heading or a rule: text[start:end], marks included, and its words. `level` is 0 for a rule."""

    start: int
    end: int
    level: int
    words: Span


class NumberedHeading(NamedTuple):
    """A heading that opens a claim: the marker, which includes the title of the claim, if there is one."""

    marker: Marker
    level: int
    title: bool


class Markdown(NamedTuple):
    """What a text has of Markdown.

    `marks` are no text; `emphasis` are passages that some of them emphasise.
    `breaks` are headings, rules and quotations that open no claim, in order; `never` are
    the offsets of numbers in them.
    """

    marks: list[Span]
    emphasis: list[Span]
    claims: list[NumberedHeading]
    breaks: list[Heading]
    never: list[int]


def markdown(text: str) -> Markdown:
    """What `text` has of Markdown; of other texts, lines such as "Claim 1 (Title)" and rules."""
    headings = sorted({heading.start: heading for heading in _headings(text)}.values())
    claims = _claims(text, headings)
    opening = {at.start for at, _ in claims}
    underlines = {at.words[1] for at in headings}
    rules = [Heading(*match.span(), 0, match.span()) for match in _RULE.finditer(text)]
    rules = [rule for rule in rules if rule.start - 1 not in underlines]
    breaks = [at for at in headings if at.start not in opening and at.level < _UNMARKED]
    quoted, quotations = _quotations(text)
    return Markdown(
        marks=[
            *_marks(headings, rules),
            *_emphasis(text),
            *quoted,
            *(match.span() for match in _FENCE.finditer(text)),
        ],
        emphasis=[at.span() for at in _EMPHASIS.finditer(text) if not _LABELLED.match(text, at.start())],
        claims=[claim for _, claim in claims],
        breaks=sorted([*breaks, *rules, *quotations]),
        never=[
            at.words[0] for at in breaks if _CLAIM.match(text, *at.words) or _SECTION.match(text, *at.words)
        ],
    )


def _claims(text: str, headings: list[Heading]) -> list[tuple[Heading, NumberedHeading]]:
    """The headings that open claims; without the word "claim", only if their numbers run from 1."""
    claims = [(at, claim) for at in headings if (claim := _numbered(text, at, _CLAIM))]
    if claims:
        return claims
    claims = [(at, claim) for at in headings if (claim := _titled(text, at))]
    numbers = [claim.marker.first for _, claim in claims]
    return claims if numbers == list(range(1, len(claims) + 1)) else []


def _quotations(text: str) -> tuple[list[Span], list[Heading]]:
    """The marks of quoted lines if claims are quoted; otherwise the passages that are quoted."""
    if _QUOTED_CLAIM.search(text):
        return [match.span() for match in _QUOTED_LINE.finditer(text)], []
    return [], [Heading(*match.span(), 0, match.span()) for match in _QUOTATION.finditer(text)]


def _headings(text: str) -> Iterator[Heading]:
    """Lines without marks first, so that what has marks takes their place."""
    for match in _NAMED.finditer(text):
        yield Heading(*match.span(), _UNMARKED, match.span("words"))
    for pattern in (_IN_BOLD, _FRAMED):
        for match in pattern.finditer(text):
            if not match["words"].rstrip().endswith("."):
                yield Heading(*match.span(), _BOLD, match.span("words"))
    for match in _UNDERLINED.finditer(text):
        if match.start() == 0 or text[max(0, match.start() - 2) : match.start()] == "\n\n":
            yield Heading(*match.span(), 1 if "=" in match["line"] else 2, match.span("words"))
    for match in _HASHED.finditer(text):
        words = match["words"].rstrip(" \t#")
        start = match.start("words")
        yield Heading(*match.span(), len(match["marks"]), (start, start + len(words)))


def _numbered(text: str, at: Heading, pattern: re.Pattern[str]) -> NumberedHeading | None:
    """The claim that a heading opens; None if it opens none, or if the number can be read without it.

    Words after the number are the title of the claim, or its first words if the text goes on with them.
    """
    number = pattern.match(text, *at.words)
    follows = _NEXT.match(text, at.end)
    below = at.end if follows is None else follows.end()
    if number is None or _repeats(text, below, number["number"]):
        return None
    separator = _SEPARATOR.match(text, number.end(), at.words[1])
    begin = number.end() if separator is None else separator.end()
    words = text[begin : at.words[1]].rstrip(" \t*_")
    whole = single(int(number["number"]), number.start(), at.end)
    marked = at.level < _UNMARKED
    if not words:
        return NumberedHeading(whole, at.level, title=False) if marked else None
    bracketed = _BRACKETED.match(text, number.end(), at.words[1])
    if bracketed is not None and _has_status(text, number.end(), at.end):
        return NumberedHeading(whole._replace(end=number.end()), at.level, title=False) if marked else None
    if _is_title(text, words, below, at, bracketed=bracketed is not None):
        return NumberedHeading(whole, at.level, title=True)
    if marked and (_opens(text, begin) or GOES_ON.search(words)):
        return NumberedHeading(whole._replace(end=begin), at.level, title=False)
    return None


def _has_status(text: str, start: int, end: int) -> bool:
    """Whether the words in brackets after a number are the status identifier of a claim."""
    written = identifier(text, start, end)
    return written is not None and written.status is not None


def _repeats(text: str, below: int, number: str) -> bool:
    """Whether the line below a heading begins with the number that the heading has."""
    own = _OWN_NUMBER.match(text, below)
    return own is not None and own["number"] == number


def _is_title(text: str, words: str, below: int, at: Heading, *, bracketed: bool) -> bool:
    """Whether the words of a heading are a title, below which a claim begins."""
    opens = _opens(text, below)
    if at.level < _UNMARKED:
        opens = opens or text[below : below + 1].isupper()
    elif not bracketed and (_CLAIM_WORDS.search(words) or not _apart(text, words, at)):
        return False
    return opens and not GOES_ON.search(words) and not _SENTENCE.match(words)


def _apart(text: str, words: str, at: Heading) -> bool:
    """Whether a line without marks is a heading: an empty line follows, or it has no article."""
    return text.startswith("\n\n", at.end) or not _opens(words, 0)


def _opens(text: str, at: int) -> bool:
    return opens_line(text, at) or opens_small(text, at)


def _titled(text: str, at: Heading) -> NumberedHeading | None:
    """The claim that a heading with a number and a title opens: "## 1. Kettle"."""
    claim = _numbered(text, at, _NUMBER) if at.level < _UNMARKED else None
    return claim if claim is not None and claim.title and not _CLAIMS.search(text, *at.words) else None


def _marks(headings: Sequence[Heading], rules: Sequence[Heading]) -> Iterator[Span]:
    for start, end, level, words in headings:
        if level < _UNMARKED:
            yield start, words[0]
            yield words[1], end
    for rule in rules:
        yield rule.start, rule.end


def _emphasis(text: str) -> Iterator[Span]:
    """The asterisks on both sides of words."""
    for match in _EMPHASIS.finditer(text):
        inner = match.group().strip("*")
        begin = match.start() + match.group().index(inner)
        yield match.start(), begin
        yield begin + len(inner), match.end()
