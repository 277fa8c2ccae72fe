"""Claims from a Word document (ECMA-376 Part 1): its paragraphs with the numbers that Word shows.

What comes out is plain text, read as such, but for the numbers, which are known: those of the list that
numbers the claims open claims, and those of deeper levels and of no other digits never do.
"""

from __future__ import annotations

from collections.abc import Mapping

from ace.claims.model import ClaimSet, Note
from ace.claims.readers import drafts
from ace.claims.readers.archive import Archive
from ace.claims.readers.layout import body, opens_claim, opens_with_number
from ace.claims.readers.markers import Marker, single
from ace.claims.readers.markup import parse, refusal
from ace.claims.readers.numbering import Counter, Label, Numbering
from ace.claims.readers.plain import read_marked
from ace.claims.readers.wordparts import Document, Lists, Paragraph, Relations, Style, Styles

_MAX_BASES = 32
_LINE_CHARACTERS = 200


def read_docx(data: bytes, *, pointer: str = "/file", partial: bool = False) -> ClaimSet:
    """Claims of one document. Raises Refused: malformed_zip, unsupported_type, zip_bomb, malformed_xml …"""
    archive = Archive(data, pointer)
    main = _main_part(archive, pointer)
    folder = main.rpartition("/")[0]
    numbering, styles = Lists(), Styles()
    related = _relations(archive, f"{folder}/_rels/{main.rpartition('/')[2]}.rels".lstrip("/"), pointer)
    for name, handler in (("numbering", numbering), ("styles", styles)):
        target = related.parts.get(name, f"{name}.xml")
        part = target.lstrip("/") if target.startswith("/") or not folder else f"{folder}/{target}"
        if part in archive:
            parse(archive.read(part), handler, pointer=pointer, namespaces=True)
    document = Document(pointer)
    parse(archive.read(main), document, pointer=pointer, namespaces=True)
    notes = []
    if document.unknown:
        message = f"{document.unknown} symbols are unknown; each was replaced by U+FFFD"
        notes.append(Note("unknown_character", message))
    lines = _labelled(document.paragraphs, numbering.numbering, styles.styles)
    source, certain, never = _source(lines, pointer)
    return read_marked(source, pointer=pointer, partial=partial, certain=certain, never=never, notes=notes)


def _main_part(archive: Archive, pointer: str) -> str:
    relations = _relations(archive, "_rels/.rels", pointer)
    main = (relations.parts.get("officeDocument") or "word/document.xml").lstrip("/")
    if main not in archive or not main.endswith(".xml") or main.startswith(("xl/", "ppt/")):
        raise refusal("unsupported_type", "the archive is not a Word document (.docx)", pointer)
    return main


def _relations(archive: Archive, name: str, pointer: str) -> Relations:
    relations = Relations()
    if name in archive:
        parse(archive.read(name), relations, pointer=pointer, namespaces=True)
    return relations


def _labelled(
    paragraphs: list[Paragraph], numbering: Numbering, styles: Mapping[str, Style]
) -> list[tuple[Label | None, str]]:
    """Each line with its label; lines whose paragraph mark is deleted go on in the next."""
    counter = Counter(numbering)
    lines: list[tuple[Label | None, str]] = []
    parts: list[str] = []
    for paragraph in paragraphs:
        parts += paragraph.parts
        if paragraph.joined:
            continue
        number, level = _list_of(paragraph, styles, counter)
        label = None if number == "0" else counter.label(number, level)
        text = "".join(parts)
        # An empty paragraph of a list counts, but says nothing.
        lines.append((label if text.strip() else None, text))
        parts = []
    return [*lines, (None, "".join(parts))] if parts else lines


def _list_of(paragraph: Paragraph, styles: Mapping[str, Style], counter: Counter) -> tuple[str, int]:
    """The list and level of a paragraph: its own, or those of its style or a style that is based on."""
    number, level = paragraph.number, paragraph.level
    name = paragraph.style
    for _ in range(_MAX_BASES):
        style = styles.get(name) if name is not None and number is None else None
        if style is None:
            break
        if style.number is not None:
            number = style.number
            tied = counter.level_of_style(number, name or "")
            level = level if level is not None else tied if tied is not None else style.level
        name = style.based_on
    return number or "0", level or 0


def _source(lines: list[tuple[Label | None, str]], pointer: str) -> tuple[str, list[Marker], frozenset[int]]:
    """The document as text, where its claims' numbers stand, and where numbers stand that are none."""
    parts: list[str] = []
    labels: list[tuple[int, Label]] = []
    at = 0
    for label, text in lines:
        line = f"{label.text} {text.lstrip()}\n" if label else f"{text}\n"
        if label:
            labels.append((at, label))
        parts.append(line)
        at += len(line)
        drafts.refuse_long_set(at, pointer)
    source = "".join(parts)
    possible = [(at, label) for at, label in labels if label.numbers_claims]
    begin = body(source).start if possible else 0
    first = next((label for at, label in possible if at >= begin), None)
    if first is None or _typed(source, begin, frozenset(at for at, _ in labels)):
        return source, [], frozenset(at for at, _ in labels)
    certain = [
        single(label.value, at, at + len(label.text))
        for at, label in possible
        if label.definition == first.definition and at >= begin
    ]
    # A list that Word broke in two goes on in another one, and is opening by its words.
    opening = {marker.start for marker in certain}
    opening |= {at for at, label in possible if opens_claim(source, at + len(label.text))}
    return source, certain, frozenset(at for at, _ in labels) - opening


def _typed(source: str, begin: int, labels: frozenset[int]) -> bool:
    """Whether the claims begin with a number that is typed, so that lists are parts of claims."""
    at = len(source) - len(source[begin:].lstrip())
    line = source[at : at + _LINE_CHARACTERS].partition("\n")[0]
    return at not in labels and opens_with_number(source, at) and any(map(str.isalpha, line))
