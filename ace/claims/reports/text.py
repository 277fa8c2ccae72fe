"""A report as text for a person: each finding beneath the words of the claim that it is about.

Widths are in terminal columns, where a wide character takes two. Claim text is shown as it is but
for characters that would move the cursor or turn the reading direction. Colours are given as ANSI
sequences (ECMA-48) and only where asked for.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from ace.claims.findings import Finding, Fix
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.graph import Mention, Proof
from ace.claims.reports.report import Report
from ace.claims.rules import Severity

MIN_WIDTH_COLUMNS: Final = 40
MAX_ROWS: Final = 4
_INDENT: Final = "  "
_ELLIPSIS: Final = "…"

_RESET, _BOLD = "\x1b[0m", "\x1b[1m"
_COLOURS: Final = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.NOTE: "\x1b[1;36m",
}


def render(
    report: Report, *, name: str | None = None, width: int = 80, colour: bool = False, plain: bool = True
) -> str:
    """The findings claim by claim, the reader's notes and a line that counts; ends with a line end.

    `name` stands before everything where several files are parts of. `plain` says that the claims were
    read from a text of lines, so that each can say where it begins.
    """
    renderer = _Renderer(report, max(width, MIN_WIDTH_COLUMNS), colour=colour, plain=plain)
    return "\n".join(renderer.lines(name)) + "\n"


def render_proofs(reading: Reading, *, width: int = 80) -> str:
    """What every definite phrase rests on, claim by claim; ends with a line end."""
    lines: list[str] = []
    for claim in reading.claims:
        proofs = reading.graph.proofs.get(claim.number, ())
        if proofs:
            lines.append(f"Claim {claim.number}")
            for proof in proofs:
                phrase = claim.text[proof.mention.start : proof.mention.end]
                lines += _wrapped(f"“{phrase}”: {_ground(reading.claims, proof)}", _INDENT, width)
            lines.append("")
    return "\n".join(lines) + "\n"


def _ground(claims: ClaimSet, proof: Proof) -> str:
    """The basis of a phrase in a few words: which, where, and what stands in the way."""
    parts = [proof.basis.value.replace("_", " ")]
    if proof.source is not None:
        parts.append(f"{_mentioned(claims, proof.source)}{_path_of(proof.path)}")
    parts += [f"see {_mentioned(claims, candidate)}" for candidate in proof.candidates]
    parts += [f"not along {_arrows(path)}" for path in proof.missing]
    return "; ".join(parts)


def _mentioned(claims: ClaimSet, mention: Mention) -> str:
    return f"“{claims[mention.claim].text[mention.start : mention.end]}” in claim {mention.claim}"


def _path_of(path: tuple[int, ...]) -> str:
    return f" ({_arrows(path)})" if len(path) > 2 else ""


def _arrows(path: tuple[int, ...]) -> str:
    return " → ".join(map(str, path))


class _TextRow(NamedTuple):
    """One row of a wrapped text: text[start:end]."""

    start: int
    end: int


class _Renderer:
    def __init__(self, report: Report, width: int, *, colour: bool, plain: bool) -> None:
        self._report = report
        self._width = width
        self._colour = colour
        source = report.claims.source if plain else None
        self._line_ends = None if source is None else [end.start() for end in re.finditer("\n", source)]

    def lines(self, name: str | None) -> Iterator[str]:
        if name is not None:
            yield self._styled(visible(name), _BOLD)
            yield ""
        by_claim = self._report.by_claim()
        for claim in self._report.claims:
            if findings := by_claim.get(claim.number):
                yield self._styled(f"Claim {claim.number}{self._line_of(claim)}", _BOLD)
                for finding in findings:
                    yield ""
                    yield from self._finding(claim, finding)
                yield ""
        for note in self._report.claims.notes:
            claim_named = "" if note.claim is None else f"claim {note.claim}: "
            yield from _wrapped(f"note: {claim_named}{note.message}", "", self._width)
        if self._report.claims.notes:
            yield ""
        yield self._summary()

    def _line_of(self, claim: Claim) -> str:
        """The line of the source that the claim begins on, where it was read from lines."""
        if self._line_ends is None or not claim.pieces:
            return ""
        return f" (line {bisect_left(self._line_ends, claim.pieces[0][1]) + 1})"

    def _finding(self, claim: Claim, finding: Finding) -> Iterator[str]:
        colour = _COLOURS[finding.severity]
        for text, underline in excerpt(claim.text, finding.start, finding.end, self._width - len(_INDENT)):
            yield _INDENT + text
            if underline:
                yield _INDENT + self._styled(underline, colour)
        kind = self._styled(finding.rule_id, colour)
        yield f"{_INDENT}{kind}  {finding.severity.value}, {finding.confidence:.0%}"
        yield from _wrapped(f"{finding.explanation} [{finding.law}]", _INDENT, self._width)
        if finding.also:
            others = "claim" if len(finding.also) == 1 else "claims"
            yield from _wrapped(
                f"Also in {others} {', '.join(map(str, finding.also))}.", _INDENT, self._width
            )
        if finding.fix is not None:
            yield from _wrapped(f"Fix: {_advice(claim, finding.fix)}", _INDENT, self._width)

    def _summary(self) -> str:
        total = len(self._report.findings)
        claims = len(self._report.claims)
        counted = ", ".join(
            f"{count} {error_class.value}" for error_class, count in self._report.by_class().items() if count
        )
        totals = f"{_number(claims, 'claim')}, {_number(total, 'finding')}"
        return self._styled(f"{totals}: {counted}" if counted else totals, _BOLD)

    def _styled(self, text: str, style: str) -> str:
        return f"{style}{text}{_RESET}" if self._colour else text


def _wrapped(text: str, indent: str, width: int) -> Iterator[str]:
    for row in _rows(text, 0, len(text), width - len(indent)):
        yield indent + visible(text[row.start : row.end])


def excerpt(text: str, start: int, end: int, width: int) -> list[tuple[str, str]]:
    """The rows of a claim that hold text[start:end], each with what underlines it (or "").

    The text's own lines are kept and wrapped at `width` columns; one row more is shown on either
    side where the line goes on, and the middle of a very long span is left out.
    """
    line_start, line_end = _line(text, start, end)
    begin = _word_near(text, line_start, start, MAX_ROWS * width)
    rows = list(_rows(text, begin, min(line_end, end + MAX_ROWS * width), width - 2))
    starts = [row.start for row in rows]
    first = max(0, bisect_right(starts, start) - 1)
    last = max(first, bisect_right(starts, max(start, end - 1)) - 1)
    low, high = max(0, first - 1), min(len(rows), last + 2)
    drawn = [_drawn(text, row, start, end) for row in rows[low:high]]
    if last - first >= MAX_ROWS:
        kept = MAX_ROWS // 2
        drawn[first - low + kept : last - low - kept + 1] = [(_ELLIPSIS, "")]
    return _cut(drawn, before=rows[low].start > line_start, after=rows[high - 1].end < line_end)


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the line, or the lines, that text[start:end] stands in begin and end."""
    after = text.find("\n", max(start, end - 1))
    return text.rfind("\n", 0, start) + 1, len(text) if after < 0 else after


def _word_near(text: str, line_start: int, start: int, reach: int) -> int:
    """Where to begin in a line much longer than is shown: at a word at most `reach` before `start`."""
    if start - line_start <= reach:
        return line_start
    space = text.find(" ", start - reach, start)
    return start - reach if space < 0 else space + 1


def underlined(text: str, start: int, end: int, width: int) -> list[tuple[str, str]]:
    """All rows of a text, wrapped at `width` columns, each with what underlines text[start:end] (or "")."""
    return [_drawn(text, row, start, end) for row in _rows(text, 0, len(text), width)]


def _cut(drawn: list[tuple[str, str]], *, before: bool, after: bool) -> list[tuple[str, str]]:
    """The rows, with marks where the line began before them or goes on after them."""
    if before:
        text, underline = drawn[0]
        drawn[0] = (_ELLIPSIS + text, " " + underline if underline else "")
    if after:
        text, underline = drawn[-1]
        drawn[-1] = (text + _ELLIPSIS, underline)
    return drawn


def _drawn(text: str, row: _TextRow, start: int, end: int) -> tuple[str, str]:
    """A row as it is printed, and the marks beneath text[start:end] as far as that stands in it."""
    printed = visible(text[row.start : row.end])
    low, high = max(start, row.start), min(end, row.end)
    if start == end and row.start <= start <= row.end:
        return printed, " " * columns(text[row.start : start]) + "^"
    if low >= high:
        return printed, ""
    length = columns(text[low:high])
    return printed, " " * columns(text[row.start : low]) + "^" * max(1, length)


def _rows(text: str, start: int, end: int, width: int) -> Iterator[_TextRow]:
    """text[start:end] in rows of at most `width` columns, broken at spaces where there are some."""
    room = max(width, 2)
    position = start
    while position < end:
        used, at, space = 0, position, -1
        while at < end and text[at] != "\n":
            used += _columns_of(text[at])
            if used > room:
                break
            if text[at].isspace():
                space = at
            at += 1
        if at == end or text[at].isspace():
            yield _TextRow(position, at)
            position = at + 1
        elif space > position:
            yield _TextRow(position, space)
            position = space + 1
        else:
            at = max(at, position + 1)
            yield _TextRow(position, at)
            position = at
    if start == end:
        yield _TextRow(start, end)


def columns(text: str) -> int:
    """How many columns a terminal takes for the text as `visible` shows it."""
    return sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if character.isascii() or character.isspace():
        return 1
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def visible(text: str) -> str:
    """The text with a mark in place of each character that steers a terminal instead of being seen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_seen, text))


def _seen(character: str) -> str:
    if character in "\t\n\r\x0b\x0c" or character.isspace():
        return " "
    if unicodedata.category(character) in {"Cc", "Cf", "Cn", "Cs"}:
        return "\N{REPLACEMENT CHARACTER}"
    return character


def _advice(claim: Claim, fix: Fix) -> str:
    there = claim.text[fix.start : fix.end]
    if not there:
        return f"insert “{fix.replacement}”"
    return f"“{there}” → “{fix.replacement}”" if fix.replacement else f"delete “{there}”"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
