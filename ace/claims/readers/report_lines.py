"""Lines that ACE itself adds to claims in a report, which come back when the report is edited and read again.

The report as a Word document (reports/docx_comments.py) opens with docket and time, and has the verdict below
each claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.model import Note
from ace.claims.readers.openings import goes_on
from ace.claims.readers.source import Span

VERDICT_STYLE: Final = "ACE Verdict"
VERDICT_STYLE_ID: Final = "ACEVerdict"
"""The style of the paragraphs with verdicts, and its id in the file."""
MAX_VERDICT_CHARACTERS: Final = 120
_RESTING: Final = r";[^\S\n]depends[^\S\n]on[^\S\n]claims?[^\S\n][0-9, andmore]{1,40}which[^\S\n]fails?"
_JUDGED: Final = r"(?:Pass|Fail)(?::[^\S\n](?:rejection|objection))?(?:,[^\S\n]disputed)?"
_STATES: Final = r"(?:queued|screening|escalated|examining|failed|decided|cancelled|not[^\S\n]evaluated)"
_HEADER: Final = re.compile(
    r"\s*+(?:[^\n]*\n\s*+)?Filed[^\S\n][0-9T:. +-]{16,40}[^\S\n]UTC\.[^\S\n][0-9]{1,4}[^\S\n]claims?\."
    r"[^\n]*(?:\n|\Z)"
)
_VERDICT: Final = re.compile(
    rf"^[^\S\n]*+(?:(?P<judged>{_JUDGED})|{_STATES})(?:{_RESTING})?+\b(?P<alone>[^\S\n]*+(?:\n|\Z))?",
    re.MULTILINE,
)
_NEXT: Final = re.compile(r"\s*+(?:(?:claim[^\S\n])?[0-9]{1,4}[^\S\n]?[.):]|\Z)", re.IGNORECASE)
_BEFORE_CHARACTERS: Final = 24


def report_lines(text: str) -> list[Span]:
    """Spans of the lines of `text` that ACE added, in order.

    Without the opening of a report, a verdict is one only if it stands alone between the end of a claim and
    the next number.
    """
    header = _HEADER.match(text)
    if header is None:
        return list(_verdicts(text, 0, sure=False))
    return [header.span(), *_verdicts(text, header.end(), sure=True)]


def _verdicts(text: str, begin: int, *, sure: bool) -> Iterator[Span]:
    last = -1
    for line in _VERDICT.finditer(text, begin):
        if line["alone"] is None:
            continue
        before = text[max(begin, line.start() - _BEFORE_CHARACTERS) : line.start()]
        follows_claim = before.strip() != "" and last != line.start() and not goes_on(before, "–-")
        if sure or (line["judged"] and follows_claim and _NEXT.match(text, line.end())):
            yield line.span()
        last = line.end()


def is_verdict(text: str) -> bool:
    """Whether a paragraph in the style of verdicts is one, perhaps with remarks that somebody added."""
    return len(text) <= MAX_VERDICT_CHARACTERS and "\n" not in text and bool(_VERDICT.match(text))


def report_note(lines: int) -> Note:
    """The note that so many lines were left out."""
    what = "a line" if lines == 1 else f"{lines} lines"
    return Note("report", f"left out {what} that ACE itself adds to a report, such as verdicts")
