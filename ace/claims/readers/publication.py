"""Claims from the XML of patent offices: USPTO grants and applications, WIPO ST.36 and ST.96.

The formats differ in names more than in structure, so elements are recognised by name, without prefix
and hyphens: claims contain claim elements, and these text, nested blocks and inline mark-up. Each block
becomes a line; superscripts and formulas are written on the line. Some offices put all claims into one
element, or each claim in several languages.
Formats: us-patent-grant and -application v4.x (and ST.36 of EPO and WIPO), patent-application-publication
v1.x (subdoc-claims), PATDOC v2.x (SDOCL, CL, CLM, PDAT), ST.96 (uspat:Claims, pat:ClaimText).
"""

from __future__ import annotations

import re
from typing import Final

from ace.claims.model import ClaimSet, Note, Status
from ace.claims.readers import drafts
from ace.claims.readers.drafts import Draft, claim_set, draft
from ace.claims.readers.lost_parts import unmarked, with_notes
from ace.claims.readers.markers import markers
from ace.claims.readers.markup import parse, refusal
from ace.claims.readers.openings import cites_claim
from ace.claims.readers.plain import read_marked
from ace.claims.readers.publication_parts import ClaimElement, ElementSet, PublicationParts
from ace.claims.readers.source import Kept
from ace.claims.readers.status import says_gone
from ace.claims.references.claim_references import parents_of

_LINE_NUMBER: Final = re.compile(r"^([0-9]{1,4})\s?[.):]\s", re.MULTILINE)
_TEXT_NUMBER: Final = re.compile(
    r"\s*+(?:claims?\s++)?([0-9]{1,9})(?:\s*+\.?\s*+(?:-|–|to|through)\s*+([0-9]{1,9}))?\s*+(?:[.):]+(?=\s|\D)\s*+|(?=[(\[])|\Z)",
    re.IGNORECASE,
)
_BARE_NUMBER: Final = re.compile(r"\s*([0-9]{1,9})()\s+(?=An?\s|The\s)")
_TYPED: Final = re.compile(r"\s*[0-9]{1,4}[.)]\s+(?=[A-Z(])")
_PROLOG: Final = b"<?xml "


def read_publication(data: bytes, *, pointer: str = "/file", partial: bool = False) -> ClaimSet:
    """Claims of one document. Raises Refused: malformed_xml, no_claims, several_documents, several_sets …"""
    notes: list[Note] = []
    second = data.find(_PROLOG, len(_PROLOG))
    if second > 0:
        message = "the file contains several XML documents; split it"
        if not partial:
            raise refusal("several_documents", message, pointer)
        notes.append(
            Note("several_documents", "the file contains several XML documents; only the first was read")
        )
        data = data[:second]
    document = PublicationParts(pointer)
    parse([data], document, pointer=pointer)
    chosen = _choose(document.sets, notes, pointer, partial)
    if document.unknown:
        message = f"{document.unknown} named characters are unknown; each was replaced by U+FFFD"
        notes.append(Note("unknown_character", message))
    whole = _whole(chosen, pointer)
    if whole is not None:
        text, places = unmarked(whole)
        return with_notes(read_marked(text, pointer=pointer, partial=partial, notes=notes), places)
    elements = _separated(chosen.elements)
    drafts.refuse_too_many(len(elements), pointer)
    _settle_numbers(elements, notes)
    source, found, places = _drafts(elements, notes, pointer, partial)
    language = chosen.language
    claims = claim_set(found, pointer, partial=partial, source=source, notes=notes, language=language)
    return with_notes(claims, places)


def _whole(chosen: ElementSet, pointer: str) -> str | None:
    """The text of a set whose claims are not in elements of their own; else None.

    Offices that deliver recognised text put all claims into one claim element.
    """
    if not chosen.elements:
        return "".join(chosen.loose)
    first = chosen.elements[0]
    text = first.text
    if len(chosen.elements) > 1 or first.status is not None:
        return None
    if first.numbers is not None and not (first.numbers[0] == 1 and cites_claim(text, 0, len(text))):
        return None
    if _LINE_NUMBER.findall(text)[:1] == ["2"]:  # the first claim has no number
        text = f"1. {text}"
    read = read_marked(unmarked(text)[0], pointer=pointer, partial=True)
    return text if len(read) > 1 else None


def _separated(elements: list[ClaimElement]) -> list[ClaimElement]:
    """The elements, those that hold several numbered claims cut into one for each claim.

    Only as many numbers are claims as fit before the number of the next element.
    """
    separated: list[ClaimElement] = []
    following = [*(_own_number(element) for element in elements[1:]), None]
    for element, limit in zip(elements, following, strict=True):
        own = _own_number(element)
        room = limit - own if own is not None and limit is not None else 1
        separated += _cut(element, own, room) if own is not None and room > 1 else [element]
    return separated


def _own_number(element: ClaimElement) -> int | None:
    if element.numbers is not None:
        return element.numbers[0] if element.numbers[0] == element.numbers[1] else None
    return _typed_number(element.text)


def _cut(element: ClaimElement, own: int, room: int) -> list[ClaimElement]:
    """The element cut at the lines that begin with the numbers after its own."""
    text = element.text
    starts = [
        marker.start
        for at, marker in enumerate(markers(text, 0)[:room])
        if marker.first == marker.last == own + at and (at == 0 or text[marker.start - 1] == "\n")
    ]
    if len(starts) < 2 or starts[0] != 0:
        return [element]
    slices = (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True))
    first, *others = slices
    return [
        ClaimElement(element.numbers, element.status, element.language, [first]),
        *(ClaimElement(None, None, element.language, [part]) for part in others),
    ]


def _choose(sets: list[ElementSet], notes: list[Note], pointer: str, partial: bool) -> ElementSet:
    given = [each for each in sets if each.elements] or [each for each in sets if "".join(each.loose).strip()]
    if not given:
        raise refusal("no_claims", "the XML contains no claims in a known format", pointer)
    english = [each for each in given if each.language.startswith("en")] or given
    if len(given) > 1:
        alike = len({each.language for each in given}) < len(given)
        if alike and not partial:
            raise refusal("several_sets", "the XML contains several claim sets; keep only one", pointer)
        which = "the English one" if english is not given else "the first"
        code = "several_sets" if alike else "other_languages"
        notes.append(Note(code, f"the XML contains {len(given)} claim sets; {which} was read"))
    return english[0]


def _settle_numbers(elements: list[ClaimElement], notes: list[Note]) -> None:
    """Leaves the numbers to the text if the mark-up has others and the claims cite those of the text."""
    marked = [_own_number(element) for element in elements]
    typed = [_typed_number(element.text) for element in elements]
    if marked == typed or None in typed or typed != sorted(set(typed), key=lambda number: number or 0):
        return
    if _misplaced(elements, typed) < _misplaced(elements, marked):
        for element in elements:
            element.numbers = None
        message = (
            "the mark-up has other numbers than the text; those of the text were used, which claims cite"
        )
        notes.append(Note("numbers_differ", message))


def _typed_number(text: str) -> int | None:
    match = _TEXT_NUMBER.match(text)
    return int(match[1]) if match and match[2] is None else None


def _misplaced(elements: list[ClaimElement], numbers: list[int | None]) -> int:
    """The number of claims that cite no earlier claim, or have the number of one, if they are numbered so."""
    count = 0
    earlier: set[int] = set()
    for element, number in zip(elements, numbers, strict=True):
        own = number or 0
        count += own in earlier or not earlier.issuperset(parents_of(unmarked(element.text)[0], own))
        earlier.add(own)
    return count


def _opened(element: ClaimElement, last: int) -> tuple[tuple[int, int], str, int, bool]:
    """The numbers of an element, its text with a number, the length of that number, and whether another
    number in the text was left out; `last` is the number before it."""
    text = element.text
    match = _TEXT_NUMBER.match(text) or _BARE_NUMBER.match(text)
    written = (int(match[1]), int(match[2] or match[1])) if match else None
    numbers = element.numbers or written or (last + 1, last + 1)
    if match and written and numbers == (written[0], written[0]) and says_gone(text, match.end()):
        numbers = written  # one element for claims that were canceled together
    own = written in (numbers, (numbers[0], numbers[0]))
    if match and own:
        return numbers, text, match.end(), False
    typed = _TYPED.match(text) if written else None
    prefix = f"{numbers[0]}. "
    return numbers, prefix + (text[typed.end() :] if typed else text), len(prefix), bool(typed)


def _drafts(
    elements: list[ClaimElement], notes: list[Note], pointer: str, partial: bool
) -> tuple[str, list[Draft], list[int]]:
    """The source, one claim after the other, its drafts, and the offsets of placeholders in it."""
    rows: list[tuple[tuple[int, int], int, int, int, Status | None]] = []
    parts: list[str] = []
    places: list[int] = []
    at = last = 0
    for element in elements:
        numbers, text, opening, differs = _opened(element, last)
        if differs:
            message = f"claim {numbers[0]} has a different number in its text; that number was left out"
            notes.append(Note("number_differs", message, numbers[0], at, at + 1))
        line, lost = unmarked(f"{text}\n")
        places += (at + place for place in lost)
        begin = at + opening
        rows.append((numbers, at, begin, at + len(line) - 1, element.status))
        parts.append(line)
        at += len(line)
        last = numbers[1]
        drafts.refuse_long_set(at, pointer)
    source = "".join(parts)
    kept = Kept(source, drafts.unfit_characters(source) if partial else ())
    if not partial:
        drafts.refuse_unfit_characters(source, pointer)
    found: list[Draft] = []
    for (low, high), start, begin, end, status in rows:
        span = (kept.offset(begin), kept.offset(end))
        one = draft(low, kept, span, pointer, pointer, opened=kept.offset(start), status=status)
        drafts.refuse_too_many(len(found) + max(0, high - low), pointer)
        found += (one._replace(number=number) for number in range(low, max(low, high) + 1))
    return source, found, places
