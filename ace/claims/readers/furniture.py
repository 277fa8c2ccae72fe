"""What is printed on pages around the text: page numbers, running headers, line numbers in the margin.

Only clear cases are cut; a number that may belong to a claim is kept. The functions return spans of the text:
whole lines with their line ends, if the line holds nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from ace.claims.readers.layout import body
from ace.claims.readers.openings import ends_sentence, waits_for_number
from ace.claims.readers.source import Span

_PAGE: Final = re.compile(
    r"""^[^\S\n]*+(?:
        (?P<sure>[-–—][^\S\n]*+[0-9]{1,4}[^\S\n]*+[-–—]
          |(?:page|pg\.?|sheet)[^\S\n]++[0-9]{1,4}(?:[^\S\n]*+(?:of|/)[^\S\n]*+[0-9]{1,4})?
          |(?P<of>[0-9]{1,4})[^\S\n]*+/[^\S\n]*+(?P<all>[0-9]{1,4}))
        |(?P<bare>[0-9]{1,4}))[^\S\n]*+(?:\n|\Z)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_HEADER: Final = re.compile(
    r"""^[^\S\n]*+(?:
        (?:(?:attorney(?:['’]?s)?|atty\.?|client|our)[^\S\n/]*+(?:docket|ref(?:erence)?|file|matter)?|docket)
          \.?(?:[^\S\n]++ref(?:erence)?\.?)?[^\S\n]*+(?:no\b|nos\b|number\b|\#|:)
        |(?:in[^\S\n]++re[^\S\n]++)?(?:u\.?s\.?[^\S\n]++)?(?:patent[^\S\n]++)?(?:appl(?:ication|n)?\b|serial\b|s\.?n\b)
          [^\n]{0,24}[0-9]{2}[^\S\n]*+/[^\S\n]*+[0-9]{3}
        |(?:reply|response|amendment)[^\S\n]++(?:to|dated|under)\b[^\n]{0,60}
          (?:office[^\S\n]++action|[0-9]{4}|1\.1[0-9]{2})
        |(?:customer|confirmation)[^\S\n]++(?:no\b|number\b)\.?[^\S\n]*+:?[^\S\n]*+[0-9]{4}
        |art[^\S\n]++unit[^\S\n]*+:?[^\S\n]*+[0-9]{4}
        |(?:examiner|inventors?|applicants?)[^\S\n]*+:
        )[^\n]{0,120}(?:\n|\Z)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_MARGIN: Final = re.compile(
    r"^[^\S\n]*+(?P<number>5|[1-9][05])(?:(?P<space>[^\S\n]++)(?=\S)|[^\S\n]*+(?:\n|\Z))", re.MULTILINE
)
_DIGITS: Final = re.compile(r"[0-9]+")
_ASKING: Final = (*":=<>≤≥", " is", " by")
_CLAIM_NEXT: Final = re.compile(r"\s*(?:\Z|(?:claim[^\S\n]++)?[0-9]{1,4}[.):][^\S\n])", re.IGNORECASE)
_NEAR: Final = 2
_MIN_REPEATS: Final = 3
_MAX_HEADER_CHARACTERS: Final = 120


def furniture(text: str) -> list[Span]:
    """Spans of `text` that belong to its pages and not to its content, in ascending order."""
    cuts = [match.span() for match in _HEADER.finditer(text)]
    margin = _margin(text)
    pages = list(_pages(text, {start for start, _ in margin}))
    if len(pages) > 1:
        cuts += _running(text, pages)
    return sorted([*cuts, *margin, *pages])


def _pages(text: str, taken: set[int]) -> Iterator[Span]:
    bare: list[tuple[int, Span]] = []
    for match in _PAGE.finditer(text):
        if match["sure"] is not None:
            if match["of"] is None or int(match["of"]) <= int(match["all"]):
                yield match.span()
        elif match.start() not in taken:
            bare.append((int(match["bare"]), match.span()))
    if bare and _opens_claims(text, *bare[0]):
        return  # a text that opens with such a number is numbered in this way
    numbers = [number for number, _ in bare]
    series = len(bare) > 1 and numbers == list(range(numbers[0], numbers[0] + len(bare)))
    for number, span in bare:
        if (
            _alone(text, span) or _between_claims(text, span)
            if not series
            else number and not _dangling(text, span)
        ):
            yield span


def _opens_claims(text: str, number: int, span: Span) -> bool:
    """Whether a number on its own line opens the text, or is the first claim after a heading."""
    before = text[: span[0]]
    if not before.strip(" \t\r\n\ufeff"):
        return True
    headed = (
        number == 1 and len(before) <= _MAX_HEADER_CHARACTERS and not before[body(before).start :].strip()
    )
    return headed and not _CLAIM_NEXT.match(text, span[1])


def _alone(text: str, span: Span) -> bool:
    """Whether a number on its own line is between pages: next to a form feed or two empty lines."""
    before, after = text[max(0, span[0] - 2) : span[0]], text[span[1] : span[1] + 1]
    if "\f" in before or after == "\f":
        return True
    return before == "\n\n" and (not after or after == "\n") and not _dangling(text, span)


def _between_claims(text: str, span: Span) -> bool:
    """Whether a number on its own line comes after a sentence, and before a claim or the end."""
    return ends_sentence(text[max(0, span[0] - 24) : span[0]]) and bool(_CLAIM_NEXT.match(text, span[1]))


def _dangling(text: str, span: Span) -> bool:
    before = text[max(0, span[0] - 24) : span[0]].rstrip()
    return waits_for_number(before) or before.lower().endswith(_ASKING)


def _running(text: str, pages: list[Span]) -> Iterator[Span]:
    """Lines that recur, digits aside, at the same distance from more than half of the page numbers."""
    near: dict[Span, tuple[str, int]] = {}
    for page in pages:
        for line, place in _lines_near(text, page):
            near.setdefault(line, (_DIGITS.sub("0", text[line[0] : line[1]].strip()), place))
    often = Counter(near.values())
    for line, shape in near.items():
        meant = shape[0][-1] in ".,;:" or _is_numbered(shape[0])
        if often[shape] >= _MIN_REPEATS and often[shape] * 2 > len(pages) and not meant:
            yield line


def _is_numbered(shape: str) -> bool:
    """Whether a line begins as claims do, with 0 for its number."""
    return shape.lstrip("([").lower().removeprefix("claim").lstrip().startswith("0")


def _lines_near(text: str, page: Span) -> Iterator[tuple[Span, int]]:
    """The nearest lines with words, at most two on each side of a page number, with their distance."""
    end = page[0]
    for place in range(-1, -1 - _NEAR, -1):
        low = max(0, end - _MAX_HEADER_CHARACTERS - 80)
        end = low + len(text[low:end].rstrip())
        start = text.rfind("\n", 0, end) + 1
        if not 0 < end - start <= _MAX_HEADER_CHARACTERS:
            break
        yield (start, min(len(text), end + 1)), place
        end = start
    start = page[1]
    for place in range(1, 1 + _NEAR):
        window = text[start : start + _MAX_HEADER_CHARACTERS + 80]
        start += len(window) - len(window.lstrip())
        end = text.find("\n", start, start + _MAX_HEADER_CHARACTERS + 80)
        end = min(len(text), start + _MAX_HEADER_CHARACTERS + 80) if end < 0 else end
        if not 0 < end - start <= _MAX_HEADER_CHARACTERS:
            break
        yield (start, min(len(text), end + 1)), place
        start = end


def _margin(text: str) -> list[Span]:
    """Numbers 5, 10, 15 … in front of every fifth line, at least three in sequence."""
    marks = [(int(match["number"]), match.span()) for match in _MARGIN.finditer(text)]
    if len(marks) < 3:
        return []
    found: list[Span] = []
    row: list[tuple[int, Span, int]] = []
    line = position = 0
    for number, span in marks:
        line += text.count("\n", position, span[0])
        position = span[0]
        follows = bool(row) and number == row[-1][0] + 5 and line - row[-1][2] in (5, 6, 9, 10)
        again = bool(row) and number == 5 and line - row[-1][2] >= 5
        if not follows and not again:
            found += _row(row)
            row = []
            if number != 5:
                continue
        row.append((number, span, line))
    return found + _row(row)


def _row(row: list[tuple[int, Span, int]]) -> list[Span]:
    return [span for _, span, _ in row] if len(row) >= 3 else []
