"""Claims from a Word document (ECMA-376 Part 1): its paragraphs with the numbers that Word shows.

The paragraphs become plain text, which is read as such, except that automatic numbers are known: those of
the list that numbers the claims open claims, and those of deeper levels and other formats never do.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ace.claims.model import Claim, ClaimSet, Note
from ace.claims.readers import drafts
from ace.claims.readers.archive import Archive
from ace.claims.readers.layout import body, opens_with_number
from ace.claims.readers.lost_parts import only_placeholders, unmarked, with_notes
from ace.claims.readers.markers import Marker, single
from ace.claims.readers.markup import Handler, Limits, parse, refusal
from ace.claims.readers.numbering import Counter, Label, Numbering
from ace.claims.readers.openings import opens_line
from ace.claims.readers.plain import read_marked
from ace.claims.readers.report_lines import VERDICT_STYLE_ID, is_verdict
from ace.claims.readers.symbol_fonts import UNKNOWN
from ace.claims.readers.wordparts import FOOTNOTE, Document, Lists, Paragraph, Relations, StyleSheet
from ace.claims.readers.wordstyles import MAX_BASES, Styles

_LINE_CHARACTERS: Final = 200
_ANY_VERDICT: Final = "Pass"
"""Stands for a verdict with remarks that somebody added, so that it is left out as verdicts are."""
_OFFICE: Final = Limits(elements=1_500_000, attribute_characters=16 << 20, token_bytes=16 << 20)
"""What Word writes may be longer than what offices publish: a drawing is one attribute (o:gfxdata)."""


def read_docx(data: bytes, *, pointer: str = "/file", partial: bool = False) -> ClaimSet:
    """Claims of one document. Raises Refused: malformed_zip, unsupported_type, zip_bomb, malformed_xml …"""
    archive = Archive(data, pointer)
    main = _main_part(archive, pointer)
    folder = main.rpartition("/")[0]
    numbering, sheet = Lists(), StyleSheet()
    related = _relations(archive, f"{folder}/_rels/{main.rpartition('/')[2]}.rels".lstrip("/"), pointer)
    for name, handler in (("numbering", numbering), ("styles", sheet)):
        target = related.parts.get(name, f"{name}.xml")
        part = target.lstrip("/") if target.startswith("/") or not folder else f"{folder}/{target}"
        if part in archive:
            _parse(archive, part, handler, pointer)
    document = Document(pointer, sheet.styles)
    _parse(archive, main, document, pointer)
    if document.embedded:
        message = (
            f"the document shows {document.embedded}, which is not read; open it in Word, save it as a new"
            " document, and send that"
        )
        raise refusal("embedded_document", message, pointer)
    lines = _labelled(document.paragraphs, numbering.numbering, sheet.styles)
    source, certain, never, places = _source(lines, pointer)
    marks = [match.span() for match in re.finditer(FOOTNOTE, source)]
    claims = read_marked(source, pointer=pointer, partial=partial, certain=certain, never=never, cuts=marks)
    claims = with_notes(claims, places)
    return replace(claims, notes=(*claims.notes, *_notes(claims, [start for start, _ in marks])))


def _notes(claims: ClaimSet, footnotes: Sequence[int]) -> Iterator[Note]:
    """Which claims have symbols that cannot be read, or footnotes, by the offsets of their references."""
    for claim in claims:
        unknown = claim.text.count(UNKNOWN)
        if unknown:
            places = "a place" if unknown == 1 else f"{unknown} places"
            message = (
                f"claim {claim.number} has {places} with a symbol, field or empty control that cannot be"
                " read; U+FFFD stands there"
            )
            yield Note("unknown_character", message, claim.number, *_extent(claim))
        start, end = _extent(claim)
        if bisect_left(footnotes, start) < bisect_right(footnotes, end):
            message = f"claim {claim.number} has a footnote or endnote, which was left out"
            yield Note("footnote", message, claim.number, start, end)


def _extent(claim: Claim) -> tuple[int, int]:
    """Where a claim begins and ends in the source."""
    if not claim.pieces:
        return 0, 0
    _, begin, _ = claim.pieces[0]
    _, last, length = claim.pieces[-1]
    return begin, last + length


def _main_part(archive: Archive, pointer: str) -> str:
    relations = _relations(archive, "_rels/.rels", pointer)
    main = (relations.parts.get("officeDocument") or "word/document.xml").lstrip("/")
    if main not in archive or not main.endswith(".xml") or main.startswith(("xl/", "ppt/")):
        raise refusal("unsupported_type", "the archive is not a Word document (.docx)", pointer)
    return main


def _relations(archive: Archive, name: str, pointer: str) -> Relations:
    relations = Relations()
    if name in archive:
        _parse(archive, name, relations, pointer)
    return relations


def _parse(archive: Archive, name: str, handler: Handler, pointer: str) -> None:
    parse(archive.read(name), handler, pointer=pointer, namespaces=True, limits=_OFFICE)


def _labelled(
    paragraphs: list[Paragraph], numbering: Numbering, styles: Styles
) -> list[tuple[Label | None, str]]:
    """Each line with its label.

    A line whose paragraph mark is deleted continues in the next, whose label it takes; if the mark is hidden,
    the line keeps its own.
    """
    counter = Counter(numbering)
    lines: list[tuple[Label | None, str]] = []
    parts: list[str] = []
    kept: Label | None = None
    for paragraph in paragraphs:
        parts += paragraph.parts
        if paragraph.joined:
            continue
        number, level = _list_of(paragraph, styles, counter)
        label = None if number == "0" else counter.label(number, level)
        text = "".join(parts)
        if paragraph.style == VERDICT_STYLE_ID and is_verdict(text):
            text = _ANY_VERDICT
        if styles.hide_mark(paragraph.mark, paragraph.style):
            kept = kept or (label if text.strip() else None)
            continue
        # An empty paragraph of a list is counted, but shows no number.
        lines.append((kept or (label if text.strip() else None), text))
        parts, kept = [], None
    return [*lines, (kept, "".join(parts))] if parts else lines


def _list_of(paragraph: Paragraph, styles: Styles, counter: Counter) -> tuple[str, int]:
    """The list and level of a paragraph: its own, or those of its style or of one that this is based on."""
    number, level = paragraph.number, paragraph.level
    name = paragraph.style or styles.default_paragraph
    for _ in range(MAX_BASES):
        style = styles.by_id.get(name) if name is not None and number is None else None
        if style is None:
            break
        if style.number is not None:
            number = style.number
            tied = counter.level_of_style(number, name or "")
            level = level if level is not None else tied if tied is not None else style.level
        name = style.based_on
    return number or "0", level or 0


def _source(
    lines: list[tuple[Label | None, str]], pointer: str
) -> tuple[str, list[Marker], frozenset[int], list[int]]:
    """The document as text, the markers of its claims, the offsets of numbers that open no claim, and those
    of placeholders."""
    source, labels, places = _joined(lines, pointer)
    possible = [(at, label) for at, label in labels if label.numbers_claims]
    begin = body(source).start if possible else 0
    first = _first(source, possible, begin)
    if first is None or _typed(source, begin, frozenset(at for at, _ in labels)):
        return source, [], frozenset(at for at, _ in labels) - _continuing(source, possible), places
    certain = [
        single(label.value, at, at + len(label.text))
        for at, label in possible
        if (label.definition, label.level) == (first.definition, first.level) and at >= begin
    ]
    # A list that Word broke in two continues in another one; its words show which.
    opening = {marker.start for marker in certain}
    opening |= {
        at
        for at, label in possible
        if label.level == first.level and opens_line(source, at + len(label.text), article=True)
    }
    return source, certain, frozenset(at for at, _ in labels) - opening, places


def _joined(
    lines: list[tuple[Label | None, str]], pointer: str
) -> tuple[str, list[tuple[int, Label]], list[int]]:
    """The lines as one text, with the offsets of their labels and of placeholders."""
    places: list[int] = []
    parts: list[str] = []
    labels: list[tuple[int, Label]] = []
    at = 0
    for label, text in lines:
        if not parts and only_placeholders(text):
            continue  # a picture above all text, such as a logo
        line, lost = unmarked(f"{label.text} {text.lstrip()}\n" if label else f"{text}\n")
        places += (at + place for place in lost)
        if label:
            labels.append((at, label))
        parts.append(line)
        at += len(line)
        drafts.refuse_long_set(at, pointer)
    return "".join(parts), labels, places


def _first(source: str, possible: list[tuple[int, Label]], begin: int) -> Label | None:
    """The first label that numbers a claim. A deeper level does so only if its line opens as claims do;
    otherwise it numbers limbs."""
    for at, label in possible:
        if at >= begin and (label.level == 0 or opens_line(source, at + len(label.text), article=True)):
            return label
    return None


def _continuing(source: str, possible: list[tuple[int, Label]]) -> frozenset[int]:
    """The offsets of automatic numbers that continue typed ones: their list does not begin at 1.

    Word makes such a list of the paragraph that somebody adds to typed claims.
    """
    firsts: dict[tuple[str, int], int] = {}
    for _, label in possible:
        firsts.setdefault((label.definition, label.level), label.value)
    return frozenset(
        at
        for at, label in possible
        if firsts[label.definition, label.level] > 1
        and opens_line(source, at + len(label.text), article=True)
    )


def _typed(source: str, begin: int, labels: frozenset[int]) -> bool:
    """Whether the claims begin with a typed number, so that automatic lists are parts of claims."""
    at = len(source) - len(source[begin:].lstrip())
    line = source[at : at + _LINE_CHARACTERS].partition("\n")[0]
    return at not in labels and opens_with_number(source, at) and any(map(str.isalpha, line))
