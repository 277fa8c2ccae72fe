"""The extent of the claims in a text: headings before them, and what may follow them.

"What is claimed is:", "Listing of claims", then the claims, then an abstract, remarks or a signature.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final, NamedTuple

from ace.claims.readers.openings import OPENER, cites_claim, ends_sentence, opens_line

_SAYS: Final = r"""(?:having\s++(?:thus\s++)?described\s++[^\n]{0,80})?
            what\s++(?:is|we|i)\s++(?:here(?:in|by)\s++)?claim(?:ed)?
            (?:\s++(?:as|and)\s[^\n:]{0,80}?)?(?:\s++is)?
          |(?:i|we|i/we)\s++(?:here(?:in|by)\s++)?claim|it\s++is\s++claimed|that\s++which\s++is\s++claimed(?:\s++is)?
          |(?:the\s++)?invention\s++claimed\s++is|the\s++claims?\s++defining\s++the\s++invention\s++(?:is|are)\s[^\n:]{0,30}
          |the\s++embodiments?\s++of\s++the\s++invention\s++in\s++which\s[^\n:]{0,120}"""
_NAMES: Final = r"""(?:(?:complete|current|amended|clean|marked[ -]up)\s++)?
            listing\s++of\s++(?:the\s++|all\s++)?claims
          |(?:the\s++|patent\s++|pending\s++|amended\s++|new\s++|current\s++|original\s++)?claims(?:\s++are)?
          |claims?\s++(?:listing|set)|in\s++the\s++claims|(?:amended\s++)?set\s++of\s++claims|claim\(s\)
          |claims\s++as\s++(?:filed|amended|granted)
          |(?:proposed\s++)?(?:amendments?\s++(?:to|of|in)\s++the\s++claims|claim\s++amendments)"""
# "Claims (20)", as search services head them.
_COUNT: Final = r"(?:[^\S\n]*+\([0-9]{1,4}\)(?=[^\S\n]*+[:.]?[^\S\n]*+(?:\n|\Z)))?"
_START: Final = re.compile(
    rf"""\ufeff?\s*+(?:(?P<words>{_SAYS}|{_NAMES})(?!\w){_COUNT}(?P<mark>\s*+[:.])?(?P<space>\s*+)
        (?P<next>(?=[0-9(\[]|claim\b|an?\b))?)?""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADING: Final = re.compile(
    rf"^[^\S\n]*+(?:(?:[IVX]{{1,4}}|[A-H]|[0-9]{{1,2}})\.\s++)?(?:(?P<says>{_SAYS})|{_NAMES}){_COUNT}[^\S\n]*+[:.]?[^\S\n]*+(?:\n|\Z)",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_CLAIM_NEXT: Final = re.compile(
    rf"""\s*+(?:\[?claims?\s++[0-9]
          |1[^\S\n]*+\n\s*+(?-i:{OPENER})\b
          |[(\[]?[0-9]{{1,4}}(?:[^\S\n]?[.):\]]|[^\S\n]++\S|\s*+(?:-|–|to|,)\s*+[0-9]))""",
    re.IGNORECASE | re.VERBOSE,
)
_CLAIM_LINE: Final = re.compile(
    r"""^[^\S\n]*+(?:\[?claims?\s++)?[(\[]?[0-9]{1,4}(?:\s*+[-–]\s*+[0-9]{1,4})?[^\S\n]?[.):\]]{0,2}\s*+
        (?:[(\[][A-Za-z -]{3,40}[)\]]\s*+)?(?:An?|The|In|One|Use|Method|Apparatus|System|\Z|\(?[Cc]ancel)""",
    re.MULTILINE | re.VERBOSE,
)
_LISTING: Final = re.compile(
    r"\s*+(?P<listing>(?:this|the(?:\s++following)?|a(?:\s++complete)?)\s++(?:complete\s++)?(?:listing|amendments?|claims)\s[^\n]{0,200}"
    r"|(?:please|kindly)\s++(?:amend|cancel|replace|add|enter|substitute)\s[^\n]{0,200})"
    r"|\s*+(?!(?-i:An?|The|In|One)\s)[^\n]{1,120}(?<![:;,\r])\r?\n",
    re.IGNORECASE,
)
"""The introduction of a listing of claims, or any other line."""
_ONE_NEXT: Final = re.compile(r"\s*+(?:claim\s++)?[(\[]?1\b", re.IGNORECASE)
_PREAMBLE_CHARACTERS: Final = 1_000
_MAX_HEADINGS: Final = 200
_ARTICLE: Final = re.compile(
    r"\W*(?:claim\s++)?[0-9]{1,4}\W*\s(?:An?|The)\s|[^\n]*[(\[](?:[A-Z]?[a-z]++ ?){1,3}[)\]]"
)

_TAIL: Final = re.compile(
    r"""^[^\S\n]*+(?:
        (?:(?:(?:[IVX]{1,4}|[0-9]{1,2})\.\s++)?
          (?:abstract(?:\s++of\s++(?:the\s++)?(?:disclosure|invention))?
            |remarks?(?:\s*+(?:/|and|&)\s*+arguments?)?|arguments?(?:\s*+(?:/|and|&)\s*+remarks?)?
            |conclusions?|sequence\s++listing|(?:amendments?\s++to\s++the\s++)?(?:drawings?|specification)
            |(?:similar|cited)\s++documents|(?:non-?patent|patent|family-to-family)\s++citations(?:\s*+\([0-9]{1,4}\))?
            |(?:list\s++of\s++)?reference\s++(?:numerals?|signs?|numbers?|characters?)(?:\s++list)?
            |[-\[*\s]{0,4}end\s++of\s++(?:the\s++)?(?:claims|documents?)[-\]*\s]{0,4}|[-–—]{1,3}[^\S\n]*+end[^\S\n]*+[-–—]{1,3}
            |(?:brief\s++)?description(?:\s++of\s++[^\n]{0,60})?)[^\S\n]*+[:.]?[^\S\n]*+(?:\n|\Z))
        |(?P<signed>respectfully\s++submitted|/(?:s/)?[^/\n]{3,60}/[^\S\n]*+(?:\n|\Z))
        |(?:dated?|signed|signature|by)[^\S\n]*+:[^\n]{0,80}(?:\n|\Z)
        |dated?[^\S\n]++[^\n]{0,30}(?:19|20)[0-9]{2}[^\S\n]*+(?:\n|\Z)
        |(?:january|february|march|april|may|june|july|august|september|october|november|december)[^\S\n]++
          [0-9]{1,2},[^\S\n]*+(?:19|20)[0-9]{2}[^\S\n]*+(?:\n|\Z)
        |reg(?:istration|\.)?[^\S\n]*+no\b[^\n]{0,80}(?:\n|\Z)
        |(?:attorneys?|agents?)[^\S\n]++for[^\S\n]++(?:the[^\S\n]++)?applicants?[^\n]{0,80}(?:\n|\Z)
        |\*[^\S\n]*+\*[^\S\n]*+\*[*\s]*(?:\n|\Z)
        )""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


class Body(NamedTuple):
    """The offset at which the claims begin; `before` is that of other text before them, or None."""

    start: int
    before: int | None = None


def body(text: str) -> Body:
    """The beginning of the claims of `text`, after "What is claimed is:" and similar headings."""
    start = _at_start(text)
    if _CLAIM_NEXT.match(text, start) and not _named_later(text, start):
        return Body(start)
    if start and (listing := _LISTING.match(text, start)):
        line = _CLAIM_LINE.search(text, listing.end(), listing.end() + _PREAMBLE_CHARACTERS)
        if line is not None:
            return Body(line.start(), None if listing["listing"] else start)
    for heading in islice(_HEADING.finditer(text, start), _MAX_HEADINGS):
        found = _after(text, heading)
        if found is not None:
            return Body(found, _first_other(text, start, found))
    return Body(start)


def tail(text: str, start: int) -> list[int]:
    """Offsets of lines after `start` that do not belong to claims: abstract, remarks, signature."""
    return [
        match.start()
        for match in _TAIL.finditer(text, start)
        if match["signed"] or _ended(text[max(start, match.start() - 16) : match.start()].rstrip())
    ]


def _ended(text: str) -> bool:
    return not text or text.endswith((")", "]", "/")) or ends_sentence(text)


def opens_with_number(text: str, at: int) -> bool:
    """Whether the text at `at` looks like the number of a claim."""
    return bool(_CLAIM_NEXT.match(text, at))


def _at_start(text: str) -> int:
    start = 0
    while header := _START.match(text, start):
        if header["words"] is None:
            return header.end()
        following = _START.match(text, header.end())
        again = following is not None and following["words"] is not None
        apart = header["mark"] or "\n" in header["space"] or header["next"] is not None
        if not (apart or again):
            return header.start("words")
        start = header.end()
    return start


def _named_later(text: str, start: int) -> bool:
    """Whether the number at `start` may head a description, because a heading announces the claims later."""
    titled = not _ARTICLE.match(text, start)
    for heading in islice(_HEADING.finditer(text, start), _MAX_HEADINGS):
        if not heading["says"] and (not titled or cites_claim(text, start, heading.start())):
            continue
        if _ONE_NEXT.match(text, heading.end()):
            return True
        if heading["says"]:
            break
    return False


def _after(text: str, heading: re.Match[str]) -> int | None:
    """The offset at which claims begin after this heading, or None."""
    end = heading.end()
    following = _HEADING.match(text, end)
    if _CLAIM_NEXT.match(text, end):
        return end
    if following is None and heading["says"] and opens_line(text, end, article=True):
        return end
    line = _CLAIM_LINE.search(text, end, end + _PREAMBLE_CHARACTERS)
    return line.start() if line else None


def _first_other(text: str, start: int, end: int) -> int | None:
    """The first offset between start and end that is not part of a heading, or None."""
    position = start
    while position < end:
        heading = _HEADING.match(text, position)
        if heading is None:
            other = text[position:end].lstrip()
            return end - len(other) if other else None
        position = heading.end()
        position += len(text[position:end]) - len(text[position:end].lstrip())
    return None
