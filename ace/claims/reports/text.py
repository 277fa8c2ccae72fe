"""A report as text for a person: each finding below the words of the claim that it is about.

Widths are in terminal columns; a wide character takes two. Claim text is shown as it is, except for
characters that would move the cursor or change the reading direction. Colours are ANSI sequences (ECMA-48),
used only on request.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from ace.claims.findings import Finding, Fix, Remark
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references.graph import Mention, Proof
from ace.claims.reports.examiner_words import examiner_words
from ace.claims.reports.report import Report
from ace.claims.rules import Severity
from ace.wording import plural

MIN_WIDTH_COLUMNS: Final = 40
MAX_ROWS: Final = 4
_INDENT: Final = "  "
_ELLIPSIS: Final = "…"
_QUOTED_CHARACTERS: Final = 80

_RESET, _BOLD = "\x1b[0m", "\x1b[1m"
_COLOURS: Final = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.NOTE: "\x1b[1;36m",
}


def render(
    report: Report,
    *,
    name: str | None = None,
    width: int = 80,
    colour: bool = False,
    plain: bool = True,
    examiner: bool = False,
) -> str:
    """The findings claim by claim, then the remarks, the reader's notes and a line with totals; ends with a
    line end.

    `name` is printed first, for a report on several files. `plain` says that the claims were read from
    plain text, so that the line on which each begins can be printed. `examiner` adds an examiner's words.
    """
    width = max(width, MIN_WIDTH_COLUMNS)
    renderer = _Renderer(report, width, colour=colour, plain=plain, examiner=examiner)
    return "\n".join(renderer.lines(name)) + "\n"


def render_proofs(reading: Reading, *, width: int = 80) -> str:
    """What every definite phrase rests on, claim by claim; ends with a line end."""
    lines: list[str] = []
    for claim in reading.filed:
        proofs = reading.graph.proofs.get(claim.number, ())
        if proofs:
            lines.append(f"Claim {claim.number}")
            for proof in proofs:
                phrase = claim.text[proof.mention.start : proof.mention.end]
                lines += _wrapped(f"“{phrase}”: {_ground(reading.filed, proof)}", _INDENT, width)
            lines.append("")
    return "\n".join(lines) + "\n"


def _ground(claims: ClaimSet, proof: Proof) -> str:
    """The basis of a phrase in a few words: which, where, and what speaks against it."""
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
    def __init__(self, report: Report, width: int, *, colour: bool, plain: bool, examiner: bool) -> None:
        self._report = report
        self._examiner = examiner
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
        if self._report.remarks:
            yield self._styled("Remarks, which decide nothing", _BOLD)
            for rule_id, remarks in self._report.remarks_by_rule().items():
                yield from self._remarks(rule_id, remarks)
            yield ""
        for note in self._report.claims.notes:
            claim_named = "" if note.claim is None else f"claim {note.claim}: "
            yield from _wrapped(f"note: {claim_named}{note.message}", "", self._width)
        if self._report.claims.notes:
            yield ""
        yield from (self._styled(row, _BOLD) for row in _wrapped(self._summary(), "", self._width))

    def _line_of(self, claim: Claim) -> str:
        """The line of the source on which the claim begins, if it was read from plain text."""
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
        grade = f"{finding.severity.value}, {finding.ground.value}, {finding.confidence:.0%}"
        wide = len(_INDENT) + len(finding.rule_id) + 2 + len(grade) > self._width
        yield from (f"{_INDENT}{kind}", f"{_INDENT}{grade}") if wide else (f"{_INDENT}{kind}  {grade}",)
        yield from _wrapped(f"{finding.explanation} [{finding.law}]", _INDENT, self._width)
        if self._examiner and (words := examiner_words(finding)) is not None:
            yield from _wrapped(f"Examiner: {words}", _INDENT, self._width)
        if finding.also:
            yield from _wrapped(_also(finding.also), _INDENT, self._width)
        if finding.fix is not None:
            yield from _wrapped(f"Fix: {_advice(claim, finding.fix)}", _INDENT, self._width)

    def _remarks(self, rule_id: str, remarks: list[Remark]) -> Iterator[str]:
        """The remarks of one kind, without excerpts, so that they take little room beside findings."""
        yield f"{_INDENT}{self._styled(rule_id, _COLOURS[Severity.NOTE])}"
        yield from _wrapped(f"{remarks[0].explanation} [{remarks[0].law}]", _INDENT, self._width)
        for each in remarks:
            yield from _wrapped(f"claim {_numbers(each)}: “{_short(each.quote)}”", 2 * _INDENT, self._width)

    def _summary(self) -> str:
        total = len(self._report.findings)
        claims = len(self._report.claims)
        grounds = ", ".join(
            plural(count, ground.value) for ground, count in self._report.by_ground().items() if count
        )
        remarks = f"; {plural(len(self._report.remarks), 'remark')}" if self._report.remarks else ""
        counted = ", ".join(
            f"{count} {error_class.value}" for error_class, count in self._report.by_class().items() if count
        )
        drawn = f" ({grounds}): {counted}" if total else ""
        return f"{plural(claims, 'claim')}, {plural(total, 'finding')}{drawn}{remarks}"

    def _styled(self, text: str, style: str) -> str:
        return f"{style}{text}{_RESET}" if self._colour else text


def _also(numbers: tuple[int, ...]) -> str:
    others = "claim" if len(numbers) == 1 else "claims"
    return f"Also in {others} {', '.join(map(str, numbers))}."


def _numbers(remark: Remark) -> str:
    others = f" (also {', '.join(map(str, remark.also))})" if remark.also else ""
    return f"{remark.claim}{others}"


def _short(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _QUOTED_CHARACTERS else f"{words[:_QUOTED_CHARACTERS]}{_ELLIPSIS}"


def _wrapped(text: str, indent: str, width: int) -> Iterator[str]:
    for row in _rows(text, 0, len(text), width - len(indent)):
        yield indent + visible(text[row.start : row.end])


def excerpt(text: str, start: int, end: int, width: int) -> list[tuple[str, str]]:
    """The rows of a claim that hold text[start:end], each with what underlines it (or "").

    The text's own lines are kept and wrapped at `width` columns. If the line continues, one more row is
    shown on that side. The middle of a very long span is left out.
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
    """The start and end of the line, or lines, that contain text[start:end]."""
    after = text.find("\n", max(start, end - 1))
    return text.rfind("\n", 0, start) + 1, len(text) if after < 0 else after


def _word_near(text: str, line_start: int, start: int, reach: int) -> int:
    """The offset at which to begin in a very long line: a word at most `reach` before `start`."""
    if start - line_start <= reach:
        return line_start
    space = text.find(" ", start - reach, start)
    return start - reach if space < 0 else space + 1


def underlined(text: str, start: int, end: int, width: int) -> list[tuple[str, str]]:
    """All rows of a text, wrapped at `width` columns, each with what underlines text[start:end] (or "")."""
    return [_drawn(text, row, start, end) for row in _rows(text, 0, len(text), width)]


def _cut(drawn: list[tuple[str, str]], *, before: bool, after: bool) -> list[tuple[str, str]]:
    """The rows, with marks if the line begins before them or continues after them."""
    if before:
        text, underline = drawn[0]
        drawn[0] = (_ELLIPSIS + text, " " + underline if underline else "")
    if after:
        text, underline = drawn[-1]
        drawn[-1] = (text + _ELLIPSIS, underline)
    return drawn


def _drawn(text: str, row: _TextRow, start: int, end: int) -> tuple[str, str]:
    """A row as it is printed, and the marks below the part of text[start:end] that it contains."""
    printed = visible(text[row.start : row.end])
    low, high = max(start, row.start), min(end, row.end)
    if start == end and row.start <= start <= row.end:
        return printed, " " * columns(text[row.start : start]) + "^"
    if low >= high:
        return printed, ""
    length = columns(text[low:high])
    return printed, " " * columns(text[row.start : low]) + "^" * max(1, length)


def _rows(text: str, start: int, end: int, width: int) -> Iterator[_TextRow]:
    """text[start:end] in rows of at most `width` columns, broken at spaces if possible."""
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
    """The number of terminal columns that the text takes as `visible` shows it."""
    return sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if character.isascii() or character.isspace():
        return 1
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def visible(text: str) -> str:
    """The text with a replacement for each character that controls a terminal instead of being visible."""
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
