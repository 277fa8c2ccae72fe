"""Markdown around claims: its marks, which are no text, and its headings, some of which number a claim.

A heading with the number of a claim opens that claim, whatever style the set is numbered in; its title is no
text of the claim. Underscores stay, because amendments underline with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ace.claims.readers.markers import Marker, single
from ace.claims.readers.openings import goes_on, opens_line, opens_small
from ace.claims.readers.source import Span
from ace.claims.readers.status import identifier

_BOLD: Final = 7
_UNMARKED: Final = 8
"""Levels of headings below those of Markdown: a line in bold, and one without marks."""
_LEVELS: Final = {"hashed": 1, "underlined": 1, "framed": _BOLD, "bold": _BOLD, "named": _UNMARKED}
"""The highest level of each kind of heading."""

_FRAME: Final = r"(?:\*{3,}|={2,}|-{2,}|~{2,})"
_HEADING: Final = re.compile(
    rf"""^[^\S\n]{{0,3}}(?:>[^\S\n]?)?(?P<marks>\#{{1,6}})[^\S\n]++(?P<hashed>\S[^\n]*)$
    |(?:\A|(?<=\n\n))[^\S\n]*+(?P<underlined>(?!(?:An?|The|In|One)\s)[A-Z][^\n]{{0,80}})(?<![.;,:])
      \n[^\S\n]*+(?P<line>=+|-{{2,}})[^\S\n]*+$
    |^[^\S\n]*+{_FRAME}[^\S\n]*+(?P<framed>(?i:claim)[^\n*=~]{{1,60}}[^\s*=~.-])[^\S\n]*+{_FRAME}[^\S\n]*+$
    |^[^\S\n]*+(?P<stars>\*{{2,3}}|__)(?P<bold>[^\n*_]{{1,100}}(?<![.\s]))[^\S\n]*(?P=stars):?[^\S\n]*+$
    |^[^\S\n]*+(?P<named>C(?:laim|LAIM)[^\S\n]++[0-9]{{1,5}}[^\S\n]*+[(\[:.–—-][^\n]{{1,100}})$""",
    re.MULTILINE | re.VERBOSE,
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

_SEPARATORS: Final = " \t\xa0.:)]|*_–—-"
_BELOW: Final = re.compile(
    r"\s*+(?:[*_>\"“-]++[^\S\n]?)?(?P<words>)(?:(?:[Cc]laim\s)?[(\[]?(?P<number>[0-9]{1,5})[.):\]])?"
)
"""The beginning of the text below a heading, and the number that it has."""
_BRACKETED: Final = re.compile(r"[\s*_]*+[(\[][^()\[\]\n]*+[)\]][\s*_:.]*+\Z")
_CLAIM_WORDS: Final = re.compile(
    r"\b(?:comprising|comprises|consisting|including|having|wherein|of\sclaim)\b", re.IGNORECASE
)


_LABELLED: Final = re.compile(r"\W*+(?:(?i:claim)\W*+)?[0-9]")
_QUOTED_LINE: Final = re.compile(
    r"^(?P<mark>[^\S\n]{0,3}>[^\S\n]?)(?P<claim>(?:[#*_]+[^\S\n]?)?(?:(?i:claim)\s)?[0-9]{1,4}[.):*_])?",
    re.MULTILINE,
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
    headings = list(_headings(text))
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
    lines = list(_QUOTED_LINE.finditer(text))
    if any(line["claim"] for line in lines):
        return [line.span("mark") for line in lines], []
    return [], [Heading(*match.span(), 0, match.span()) for match in _QUOTATION.finditer(text)]


_HEADING_SIGNS: Final = ("#", "=", "--", "**", "__", "~~", "Claim", "CLAIM")
"""Any heading has one of these."""


def _headings(text: str) -> Iterator[Heading]:
    if not any(sign in text for sign in _HEADING_SIGNS):
        return
    for match in _HEADING.finditer(text):
        kind = next(kind for kind in _LEVELS if match[kind] is not None)
        level, (start, end) = _LEVELS[kind], match.span(kind)
        if kind == "hashed":
            level, end = len(match["marks"]), start + len(match[kind].rstrip(" \t#"))
        elif kind == "underlined":
            level += "-" in match["line"]
        yield Heading(*match.span(), level, (start, end))


def _numbered(text: str, at: Heading, pattern: re.Pattern[str]) -> NumberedHeading | None:
    """The claim that a heading opens; None if it opens none, or if the number can be read without it.

    Words after the number are the title of the claim, or its first words if the text goes on with them.
    """
    number = pattern.match(text, *at.words)
    following = _BELOW.match(text, at.end)
    if number is None or following is None or following["number"] == number["number"]:
        return None
    below = following.start("words")
    begin = at.words[1] - len(text[number.end() : at.words[1]].lstrip(_SEPARATORS))
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
    if marked and (_opens(text, begin) or goes_on(words)):
        return NumberedHeading(whole._replace(end=begin), at.level, title=False)
    return None


def _has_status(text: str, start: int, end: int) -> bool:
    """Whether the words in brackets after a number are the status identifier of a claim."""
    written = identifier(text, start, end)
    return written is not None and written.status is not None


def _is_title(text: str, words: str, below: int, at: Heading, *, bracketed: bool) -> bool:
    """Whether the words of a heading are a title, below which a claim begins."""
    opens = _opens(text, below)
    if at.level < _UNMARKED:
        opens = opens or text[below : below + 1].isupper()
    elif not bracketed and (_CLAIM_WORDS.search(words) or not _apart(text, words, at)):
        return False
    return opens and not goes_on(words) and not _is_sentence(words)


def _is_sentence(words: str) -> bool:
    return opens_line(words, 0, article=True) and words.rstrip(" \t*_").endswith(".")


def _apart(text: str, words: str, at: Heading) -> bool:
    """Whether a line without marks is a heading: an empty line follows, or it has no article."""
    return text.startswith("\n\n", at.end) or not _opens(words, 0)


def _opens(text: str, at: int) -> bool:
    return opens_line(text, at) or opens_small(text, at)


def _titled(text: str, at: Heading) -> NumberedHeading | None:
    """The claim that a heading with a number and a title opens: "## 1. Kettle"."""
    words = text[slice(*at.words)].lower().split()
    claim = _numbered(text, at, _NUMBER) if at.level < _UNMARKED else None
    return claim if claim is not None and claim.title and "claims" not in words else None


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
