"""A text with parts left out, and the position of each remaining character in the original.

Readers clean, cut and strip, but findings must point at what was filed. So every reader works on spans,
and only this module joins them and replaces runs of white space.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

Span = tuple[int, int]
Piece = tuple[int, int, int]

_LINE_ENDS: Final = frozenset("\n\r\x85\u2028\u2029")
_UNEVEN: Final = re.compile(r" \s+|[^\S \n]\s*+|\n\s+")
"""White space that is not one space or one line end."""


_FIRST_IN_LINE: Final = re.compile("^\ufeff+", re.MULTILINE)
_OTHER_LINE_ENDS: Final = re.compile(r"\r(?!\n)|[\x0b\x85\u2028\u2029]")


def with_line_feeds(text: str) -> str:
    """The text, as long as it was, with a line feed for each other line end of one character, and a space for
    each byte order mark that a line begins with."""
    return _FIRST_IN_LINE.sub(lambda marks: " " * len(marks[0]), _OTHER_LINE_ENDS.sub("\n", text))


def byte_order_marks(text: str) -> list[Span]:
    """Spans of the byte order marks, which are no text wherever they are."""
    return (
        [(at, at + 1) for at, character in enumerate(text) if character == "\ufeff"]
        if "\ufeff" in text
        else []
    )


class Kept:
    """`source` without the spans in `cuts` (ascending, overlapping allowed).

    `text` is what is left, and `runs` its unbroken stretches: (offset in text, in source, length).
    """

    def __init__(self, source: str, cuts: Iterable[Span] = ()) -> None:
        self.source = source
        self.runs = tuple(_runs(len(source), cuts))
        self._offsets = [run[0] for run in self.runs]
        self._sources = [run[1] for run in self.runs]
        whole = len(self.runs) == 1 and self.runs[0][2] == len(source)
        self.text = source if whole else "".join(source[at : at + size] for _, at, size in self.runs)

    def at(self, offset: int) -> int:
        """The position of text[offset] in the source; the end of the source for the end of the text."""
        if not self.runs:
            return 0
        begin, source, length = self.runs[max(0, bisect_right(self._offsets, offset) - 1)]
        return source + min(offset - begin, length)

    def offset(self, at: int) -> int:
        """The position of source[at] in the text; if it was cut, that of the next character kept."""
        index = bisect_right(self._sources, at) - 1
        if index < 0:
            return 0
        begin, source, length = self.runs[index]
        return begin + min(at - source, length)

    def pieces(self, spans: Sequence[Span]) -> tuple[Piece, ...]:
        """The joined `spans` of the text as pieces: (offset in the joined text, in the source, length)."""
        found: list[Piece] = []
        joined = 0
        for start, end in spans:
            for begin, source, length in self._between(start, end):
                low, high = max(start, begin), min(end, begin + length)
                found.append((joined + low - start, source + low - begin, high - low))
            joined += end - start
        return tuple(found)

    def _between(self, start: int, end: int) -> Iterator[Piece]:
        for index in range(max(0, bisect_right(self._offsets, start) - 1), len(self.runs)):
            if self.runs[index][0] >= end:
                return
            yield self.runs[index]


def _runs(length: int, cuts: Iterable[Span]) -> Iterator[Piece]:
    offset = position = 0
    for start, end in sorted(cuts):
        if start > position:
            yield offset, position, start - position
            offset += start - position
        position = max(position, end)
    if position < length:
        yield offset, position, length - position


def without(start: int, end: int, cuts: Iterable[Span]) -> list[Span]:
    """start:end without `cuts` (ascending, within it)."""
    return [(start + at, start + at + size) for _, at, size in _runs(end - start, _shifted(cuts, -start))]


def _shifted(cuts: Iterable[Span], by: int) -> Iterator[Span]:
    return ((start + by, end + by) for start, end in cuts)


def stripped(text: str, spans: Sequence[Span]) -> list[Span]:
    """`spans` of `text` without the white space at the two outer ends."""
    kept = list(spans)
    while kept:
        start, end = kept[0]
        begin = end - len(text[start:end].lstrip())
        if begin < end:
            kept[0] = (begin, end)
            break
        del kept[0]
    while kept:
        start, end = kept[-1]
        finish = start + len(text[start:end].rstrip())
        if finish > start:
            kept[-1] = (start, finish)
            break
        del kept[-1]
    return kept


def evenly_spaced(text: str) -> tuple[str, list[Span]]:
    """`text` with one space or one line end for each run of white space, and the spans of it that are kept.

    A run that holds a line end becomes one. The first character of a run is kept, so the spans are as long
    as the result.
    """
    if text.isprintable() and "  " not in text:  # then its only white space is single spaces
        return text, [(0, len(text))]
    parts: list[str] = []
    spans: list[Span] = []
    at = begin = 0
    for match in _UNEVEN.finditer(text):
        start, end = match.span()
        parts += text[at:start], " " if _LINE_ENDS.isdisjoint(match.group()) else "\n"
        at = end
        if end > start + 1:
            spans.append((begin, start + 1))
            begin = end
    return "".join(parts) + text[at:], [*spans, (begin, len(text))]


def spans_of(joined: Sequence[Span], spans: Sequence[Span]) -> list[Span]:
    """Where parts of a joined text lie in the text from which `spans` were joined; all are ascending."""
    found: list[Span] = []
    index = begin = 0
    for low, high in joined:
        while low < high:
            start, end = spans[index]
            here = min(high, begin + end - start)
            if low < here:
                found.append((start + low - begin, start + here - begin))
                low = here
            if here < high:
                begin += end - start
                index += 1
    return found
