"""Claims from plain text, numbered in any of the usual shapes or not at all, and from lists.

The text is read without the furniture of its pages; claims are its slices between numbers. Numbers,
headings and status identifiers are no part of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from ace.claims.model import ClaimSet, Note
from ace.claims.readers import drafts
from ace.claims.readers.drafts import Draft, claim_set, draft
from ace.claims.readers.furniture import furniture
from ace.claims.readers.layout import body, tail
from ace.claims.readers.markers import Marker, later_opening, markers, number_lines
from ace.claims.readers.source import Kept, Span
from ace.errors import Refused

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n(?![^\S\n]*(?:\n|\Z))[^\n]*)*")
_LINE = re.compile(r"\S[^\n]*")
_OPENING = re.compile(
    r"[\"“(]?(?:An?|The|In\s+an?|One|Use|Apparatus|Method|Process|System|Device|Composition|[A-Z][a-z]+\s+according)\s"
)
_CAPITAL = re.compile(r"[\"“(]?[A-Z0-9]")
_REFERS = re.compile(r"[^.;:]{0,120}\bclaims?\s+[0-9]|[^.;:]{0,80}\bpreceding\s+claims?\b", re.IGNORECASE)
_SEVERAL = 2
_ENDED = re.compile(r"[.][\"”’)\]]*\s*\Z")
_OPEN = re.compile(
    r"(?:[,:;\-–—]|\b(?:and|or|of|the|a|an|by|to|with|wherein|comprising))\s*\Z", re.IGNORECASE
)


def read_text(text: str, *, pointer: str = "/text", partial: bool = False) -> ClaimSet:
    """Claims from one text: "1.", "1)", "Claim 1." … before each, several on a line or wrapped.

    Text without any number is one claim, number 1, or one claim a paragraph where each opens as claims
    do. Raises Refused; `pointer` is the field that its error names. With `partial`, duplicates, disorder,
    empty claims and stray characters become notes.
    """
    return read_marked(text, pointer=pointer, partial=partial)


def read_marked(
    text: str,
    *,
    pointer: str,
    partial: bool,
    certain: Sequence[Marker] = (),
    never: frozenset[int] = frozenset(),
    notes: Sequence[Note] = (),
) -> ClaimSet:
    """As `read_text`, with claim numbers that are known (`certain`) or known to be none (offsets `never`)."""
    drafts.refuse_long_set(len(text), pointer)
    remarks = list(notes)
    cuts = furniture(text)
    if partial:
        unfit = drafts.unfit_characters(text)
        cuts += unfit
        remarks += _unfit_note(text, unfit)
    else:
        drafts.refuse_unfit_characters(text, pointer)
    kept = Kept(text, cuts)
    moved = [_moved(marker, kept) for marker in certain] if certain else []
    hidden = frozenset(kept.offset(at) for at in never) if never else never
    return _read(kept, moved, hidden, remarks, pointer, partial)


def read_claims(
    claims: Sequence[tuple[int, str]], *, pointer: str = "/claims", partial: bool = False
) -> ClaimSet:
    """Claims from (number, text) pairs, in their order. Raises Refused ("/claims/3/text")."""
    drafts.refuse_too_many(len(claims), pointer)
    found: list[Draft] = []
    total = 0
    for index, (number, text) in enumerate(claims):
        number_pointer, text_pointer = f"{pointer}/{index}/number", f"{pointer}/{index}/text"
        if not partial:
            drafts.refuse_unfit_characters(text, text_pointer)
        total += len(text)
        drafts.refuse_long_set(total, pointer)
        kept = Kept(text, drafts.unfit_characters(text) if partial else ())
        one = draft(number, kept, (0, len(kept.text)), number_pointer, text_pointer)
        found.append(one._replace(pieces=(), start=0, end=0))
    return claim_set(found, pointer, partial=partial)


def _read(
    kept: Kept, certain: list[Marker], never: frozenset[int], notes: list[Note], pointer: str, partial: bool
) -> ClaimSet:
    text = kept.text
    begin, before = body(text)
    inside = tuple(marker for marker in certain if marker.start >= begin)
    found = markers(text, begin, inside, never)
    if not found and (later := later_opening(text, begin, never)) is not None:
        found = markers(text, later, (), never)
        if found:
            before, begin = begin if before is None else before, later
    end = len(text)
    if found:
        found, end = _before_tail(text, found)
        if inside and found[0].start > begin and before is None and text[begin : found[0].start].strip():
            before, begin = begin, found[0].start
    if before is not None:
        notes.append(_note(kept, "text_before_claims", "text before the claims was left out", before, begin))
    if text[end:].strip():
        notes.append(_note(kept, "text_after_claims", "text after the claims was left out", end, len(text)))
    if not found:
        return claim_set(
            _unnumbered(kept, begin, notes, pointer, partial),
            pointer,
            partial=partial,
            source=kept.source,
            notes=notes,
        )
    read: list[Draft] = []
    ends = [marker.start for marker in found[1:]] + [end]
    for marker, stop in zip(found, ends, strict=True):
        drafts.refuse_too_many(len(read) + sum(map(len, marker.numbers)), pointer)
        one = draft(marker.first, kept, (marker.end, stop), pointer, pointer, opened=marker.start)
        read += (one._replace(number=number) for numbers in marker.numbers for number in numbers)
    return claim_set(read, pointer, partial=partial, source=kept.source, notes=notes)


def _before_tail(text: str, found: list[Marker]) -> tuple[list[Marker], int]:
    """The markers of the claims proper, and where what follows the claims begins."""
    starts = [marker.start for marker in found]
    highest = list(accumulate((marker.last for marker in found), max))
    latest = {marker.first: index for index, marker in enumerate(found)}
    for start in tail(text, found[0].end):
        count = bisect_left(starts, start)
        if latest.get(highest[count - 1] + 1, -1) < count:
            return found[:count], start
    return found, len(text)


def _unnumbered(kept: Kept, begin: int, notes: list[Note], pointer: str, partial: bool) -> list[Draft]:
    text = kept.text
    end = min(tail(text, begin), default=len(text)) if text[begin:].strip() else len(text)
    end = end if text[begin:end].strip() else len(text)
    stands = _OPENING.match(text, len(text) - len(text[begin:].lstrip())) is not None
    if not partial and number_lines(text, begin, referring=stands) >= (1 if stands else _SEVERAL):
        message = (
            "lines begin with numbers, but not in a form that claims use, so the claims cannot be separated"
        )
        raise Refused(message, code="no_claim_numbers", pointer=pointer)
    spans = list(_paragraphs(text, begin, end))
    if text[end:].strip():
        notes.append(_note(kept, "text_after_claims", "text after the claims was left out", end, len(text)))
    if len(spans) > 1:
        message = "the claims have no numbers; each paragraph was read as a claim, numbered from 1"
        notes.append(_note(kept, "unnumbered", message, begin, end))
    elif partial and text[begin:end].strip() and not _OPENING.match(text, spans[0][0] if spans else begin):
        message = "no claim number was found; the whole text was read as one claim"
        notes.append(_note(kept, "not_understood", message, begin, end))
    if partial and not text[begin:end].strip():
        return []
    drafts.refuse_too_many(len(spans), pointer)
    spans = spans or [(begin, end)]
    return [draft(number, kept, span, pointer, pointer) for number, span in enumerate(spans, start=1)]


def _paragraphs(text: str, begin: int, end: int) -> Iterator[Span]:
    """Spans of claims without numbers: paragraphs that open as claims do, or else lines that all do."""
    blocks = [match.span() for match in _PARAGRAPH.finditer(text, begin, end)]
    if len(blocks) == 1:
        lines = [match.span() for match in _LINE.finditer(text, begin, end)]
        if all(
            _OPENING.match(text, start) and _ENDED.search(text, max(start, stop - 8), stop)
            for start, stop in lines
        ):
            blocks = lines
    start: int | None = None
    last = begin
    for low, high in blocks:
        if start is not None and _opens_claim(text, last, low, high):
            yield start, last
            start = low
        start = low if start is None else start
        last = high
    if start is not None:
        yield start, end


def _opens_claim(text: str, before: int, start: int, end: int) -> bool:
    window = text[max(0, before - 24) : before]
    if _ENDED.search(window):
        return bool(_CAPITAL.match(text, start))
    if not _OPENING.match(text, start):
        return False
    return bool(_REFERS.match(text, start, end) or not _OPEN.search(window))


def _moved(marker: Marker, kept: Kept) -> Marker:
    return Marker(marker.numbers, kept.offset(marker.start), kept.offset(marker.end))


def _note(kept: Kept, code: str, message: str, start: int, end: int) -> Note:
    return Note(code, message, None, kept.at(start), kept.at(end))


def _unfit_note(text: str, unfit: list[Span]) -> list[Note]:
    harmful = [span for span in unfit if text[span[0]] != "\f"]
    if not harmful:
        return []
    message = f"{len(harmful)} control characters or halves of surrogate pairs were left out"
    return [Note("control_character", message, None, harmful[0][0], harmful[-1][1])]
