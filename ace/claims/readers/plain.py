"""Claims from plain text, numbered in any of the usual styles or not at all, and from lists.

Page furniture is removed first; claims are the slices between numbers, without the numbers, headings and
status identifiers.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from ace.claims.model import ClaimSet, Note
from ace.claims.readers import drafts
from ace.claims.readers.between import Omission, ends_claim, extent, omission_notes
from ace.claims.readers.commentary import comments
from ace.claims.readers.drafts import Draft, claim_set, draft
from ace.claims.readers.formats import foreign_text, refuse_foreign
from ace.claims.readers.furniture import furniture
from ace.claims.readers.layout import body, tail
from ace.claims.readers.markdown import Heading, Markdown, NumberedHeading, markdown
from ace.claims.readers.markers import Marker, later_opening, lettered_number, markers, number_lines, single
from ace.claims.readers.openings import ends_sentence, goes_on, refers_to_claim
from ace.claims.readers.report_lines import report_lines, report_note
from ace.claims.readers.source import Kept, Span, byte_order_marks, with_line_feeds
from ace.claims.readers.tables import table
from ace.claims.references.claim_references import parents_of
from ace.errors import Refused

_PARAGRAPH: Final = re.compile(r"\S[^\n]*(?:\n(?![^\S\n]*(?:\n|\Z))[^\n]*)*")
_TITLE: Final = re.compile(r"\s*+(?P<words>[A-Z][^\n]{0,100})(?<![.,:;])[^\S\n]*\n[^\S\n]*\n\s*+")
_LINE: Final = re.compile(r"\S[^\n]*")
_OPENING: Final = re.compile(
    r"[\"“(]?(?:An?|The|In\s+an?|One|Use|Apparatus|Method|Process|System|Device|Composition|[A-Z][a-z]+\s+according)\s"
)
_SEVERAL: Final = 2
_LAZY: Final = 3
"""How many claims must all have the number 1, until it stands for whatever number is next."""

_ONE: Final = (range(1, 2),)
_DASHES: Final = "-–—"


class _Page(NamedTuple):
    """What is left of a text, and what is known of it before the claims are told apart.

    Offsets are those of the text that is left, but those of `omissions` are of the source. `claims` are the
    claims that headings open, `breaks` all other headings and rules, `level` is the highest of the former.
    """

    kept: Kept
    source: str
    claims: list[Marker]
    breaks: list[Heading]
    never: frozenset[int]
    level: int
    omissions: list[Omission]
    notes: list[Note]


def read_text(text: str, *, pointer: str = "/text", partial: bool = False) -> ClaimSet:
    """Claims from one text: "1.", "1)", "Claim 1." … before each, several on a line or wrapped.

    Text without any number is one claim, number 1, or one claim for each paragraph if all open as claims
    do. Raises Refused, also for a text in another format; `pointer` is the field that its error names. With
    `partial`, duplicates, disorder, empty claims, stray characters and numbers that separate no claims become
    notes; a number with a letter ("1A") is refused all the same.
    """
    refuse_foreign(foreign_text(text), pointer)
    return read_marked(text, pointer=pointer, partial=partial)


def read_marked(
    text: str,
    *,
    pointer: str,
    partial: bool,
    certain: Sequence[Marker] = (),
    never: frozenset[int] = frozenset(),
    cuts: Sequence[Span] = (),
    notes: Sequence[Note] = (),
) -> ClaimSet:
    """As `read_text`, with numbers that certainly open a claim (`certain`) or do not (offsets `never`), and
    without the spans in `cuts`."""
    drafts.refuse_long_set(len(text), pointer)
    if not partial:
        drafts.refuse_unfit_characters(text, pointer)
    page = _page(text, cuts, list(notes), headings=not certain)
    kept = page.kept
    certain = [*page.claims, *(_moved(marker, kept) for marker in certain)]
    hidden = frozenset(kept.offset(at) for at in never) | page.never
    return _read(page, certain, hidden, pointer, partial=partial)


def _page(text: str, cuts: Sequence[Span], notes: list[Note], *, headings: bool) -> _Page:
    """What is left of `text` without what is printed, marked up and noted around the claims.

    `cuts` are spans that are left out as well; `headings`: whether headings may number claims.
    """
    even = with_line_feeds(text)
    remarks, layout, listed, added = comments(even), markdown(even), table(even), report_lines(even)
    cuts = [
        *cuts,
        *added,
        *furniture(even),
        *byte_order_marks(even),
        *drafts.unfit_characters(even),
        *layout.marks,
        *remarks,
    ]
    cuts += listed.marks if listed else ()
    kept = Kept(even, cuts)
    titled = [claim for claim in layout.claims if headings and not _within(remarks, claim.marker.start)]
    claims = [claim.marker for claim in titled] or (listed.claims if listed else [])
    omissions = _omissions(remarks, layout, titled)
    omissions += [Omission("text_between_claims", span) for span in (listed.left_out if listed else ())]
    return _Page(
        kept,
        text,
        [_moved(marker, kept) for marker in claims],
        [_shifted(at, kept) for at in layout.breaks if not _within(remarks, at.start)],
        frozenset(kept.offset(at) for at in layout.never),
        min((claim.level for claim in titled), default=0),
        omissions,
        [*notes, *([report_note(len(added))] if added else ()), *_unfit_note(text)],
    )


def _omissions(
    remarks: Sequence[Span], layout: Markdown, titled: Sequence[NumberedHeading]
) -> list[Omission]:
    """What comments and Markdown are left out."""
    return [
        *(Omission("comment", span) for span in remarks),
        *(Omission("emphasis", span) for span in layout.emphasis if not _within(remarks, span[0])),
        *(Omission("title", (claim.marker.start, claim.marker.end)) for claim in titled if claim.title),
    ]


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
        kept = Kept(text, [*byte_order_marks(text), *(drafts.unfit_characters(text) if partial else ())])
        one = draft(number, kept, (0, len(kept.text)), number_pointer, text_pointer)
        found.append(one._replace(pieces=(), start=0, end=0))
    return claim_set(found, pointer, partial=partial)


def _read(
    page: _Page, certain: Sequence[Marker], never: frozenset[int], pointer: str, *, partial: bool
) -> ClaimSet:
    kept, notes = page.kept, page.notes
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
        found, end = _before_tail(text, found, page.breaks)
    _refuse_lettered(text, begin, end, pointer)
    opens_later = inside and found and found[0].start > begin and before is None
    if opens_later and text[begin : found[0].start].strip():
        before, begin = begin, found[0].start
    if before is not None:
        notes.append(_note(kept, "text_before_claims", "text before the claims was left out", before, begin))
    if text[end:].strip():
        notes.append(_note(kept, "text_after_claims", "text after the claims was left out", end, len(text)))
    if found:
        if len(found) >= _LAZY and {marker.numbers for marker in found} == {_ONE}:
            found = [single(number, *marker[1:]) for number, marker in enumerate(found, start=1)]
            message = "every claim has the number 1, as in Markdown; they were numbered in their order"
            notes.append(_note(kept, "lazy_numbers", message, found[0].start, end))
        read = _numbered(page, found, end, pointer)
    else:
        read = _unnumbered(kept, begin, notes, pointer, partial)
    notes += omission_notes(page.omissions, page.source, read)
    return claim_set(read, pointer, partial=partial, source=page.source, notes=notes)


def _numbered(page: _Page, found: Sequence[Marker], end: int, pointer: str) -> list[Draft]:
    kept = page.kept
    read: list[Draft] = []
    ends = [marker.start for marker in found[1:]] + [end]
    for marker, stop in zip(found, ends, strict=True):
        drafts.refuse_too_many(len(read) + sum(map(len, marker.numbers)), pointer)
        until, headings = extent(kept.text, marker.end, stop, page.breaks, page.level)
        for low, high in (*headings, (until, stop)):
            page.omissions.append(Omission("text_between_claims", (kept.at(low), kept.at(high))))
        span = (marker.end, until)
        one = draft(marker.first, kept, span, pointer, pointer, opened=marker.start, left_out=headings)
        read += (one._replace(number=number) for numbers in marker.numbers for number in numbers)
    return read


def _before_tail(text: str, found: list[Marker], breaks: Sequence[Heading]) -> tuple[list[Marker], int]:
    """The markers of the claims proper, and the offset of the text after the claims."""
    starts = [marker.start for marker in found]
    highest = list(accumulate((marker.last for marker in found), max))
    latest = {marker.first: index for index, marker in enumerate(found)}
    below = [at.start for at in breaks if ends_claim(text, found[0].end, at.start)]
    for start in sorted([*tail(text, found[0].end), *below]):
        count = bisect_left(starts, start)
        if latest.get(highest[count - 1] + 1, -1) < count:
            return found[:count], start
    return found, len(text)


def _refuse_lettered(text: str, begin: int, end: int, pointer: str) -> None:
    number = lettered_number(text, begin, end)
    if number is not None:
        message = f"“{number}” is not the number of a claim; number the claims consecutively, without letters"
        raise Refused(message, code="lettered_number", pointer=pointer)


def _unnumbered(kept: Kept, begin: int, notes: list[Note], pointer: str, partial: bool) -> list[Draft]:
    text = kept.text
    end = min(tail(text, begin), default=len(text)) if text[begin:].strip() else len(text)
    end = end if text[begin:end].strip() else len(text)
    title = _title(text, begin, end)
    if title is not None:
        notes.append(_note(kept, "text_before_claims", "text before the claims was left out", begin, title))
        begin = title
    complete = _OPENING.match(text, len(text) - len(text[begin:].lstrip())) is not None
    spans = list(_paragraphs(text, begin, end))
    unread = number_lines(text, begin, referring=complete) >= (1 if complete else _SEVERAL)
    unread = unread or (len(spans) == 1 and not complete and 1 in parents_of(text[begin:end], 1))
    if unread and not partial:
        message = (
            "the claims are numbered, but not in a form that claims use, so they cannot be separated;"
            " begin each with its number and a period"
        )
        raise Refused(message, code="no_claim_numbers", pointer=pointer)
    if text[end:].strip():
        notes.append(_note(kept, "text_after_claims", "text after the claims was left out", end, len(text)))
    if len(spans) > 1:
        message = "the claims have no numbers; each paragraph was read as a claim, numbered from 1"
        notes.append(_note(kept, "unnumbered", message, begin, end))
    elif partial and text[begin:end].strip() and (unread or not _opens(text, spans, begin)):
        message = "no claim number was found; the whole text was read as one claim"
        notes.append(_note(kept, "not_understood", message, begin, end))
    if partial and not text[begin:end].strip():
        return []
    drafts.refuse_too_many(len(spans), pointer)
    spans = spans or [(begin, end)]
    return [draft(number, kept, span, pointer, pointer) for number, span in enumerate(spans, start=1)]


def _opens(text: str, spans: Sequence[Span], begin: int) -> bool:
    return _OPENING.match(text, spans[0][0] if spans else begin) is not None


def _title(text: str, begin: int, end: int) -> int | None:
    """The offset of the first claim below a title on a line of its own, or None."""
    title = _TITLE.match(text, begin, end)
    if title is None or _OPENING.match(text, title.start("words")) or not _OPENING.match(text, title.end()):
        return None
    return title.end()


def _paragraphs(text: str, begin: int, end: int) -> Iterator[Span]:
    """Spans of claims without numbers: paragraphs that open as claims do, or else lines that all do."""
    blocks = [match.span() for match in _PARAGRAPH.finditer(text, begin, end)]
    if len(blocks) == 1:
        lines = [match.span() for match in _LINE.finditer(text, begin, end)]
        if all(
            _OPENING.match(text, start) and ends_sentence(text[max(start, stop - 8) : stop])
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
    if ends_sentence(window):
        first = text[start : start + 2].lstrip('"“(')[:1]
        return first.isascii() and (first.isupper() or first.isdigit())
    if not _OPENING.match(text, start):
        return False
    return refers_to_claim(text, start, end) or not goes_on(window, _DASHES)


def _moved(marker: Marker, kept: Kept) -> Marker:
    return Marker(marker.numbers, kept.offset(marker.start), kept.offset(marker.end))


def _shifted(heading: Heading, kept: Kept) -> Heading:
    start, end, level, (first, last) = heading
    return Heading(kept.offset(start), kept.offset(end), level, (kept.offset(first), kept.offset(last)))


def _within(spans: Sequence[Span], at: int) -> bool:
    """Whether one of the spans, which are in order, holds the offset."""
    index = bisect_left(spans, (at + 1,)) - 1
    return index >= 0 and spans[index][0] <= at < spans[index][1]


def _note(kept: Kept, code: str, message: str, start: int, end: int) -> Note:
    return Note(code, message, None, kept.at(start), kept.at(end))


def _unfit_note(text: str) -> list[Note]:
    harmful = drafts.harmful_characters(text)
    if not harmful:
        return []
    message = f"{len(harmful)} control characters or halves of surrogate pairs were left out"
    return [Note("control_character", message, None, harmful[0][0], harmful[-1][1])]
