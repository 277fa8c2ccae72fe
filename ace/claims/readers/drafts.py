"""Drafts of claims, which every reader makes, become a ClaimSet: with their status, and within the limits.

Strict reading refuses what a filing may not contain; partial reading notes it and keeps the rest. Both
refuse whatever exceeds an absolute limit. No message repeats claim text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final, NamedTuple

from ace.claims.language.combining_marks import MAX_MARKS, excess_marks
from ace.claims.model import (
    GONE,
    MAX_CLAIM_CHARACTERS,
    MAX_CLAIM_NUMBER,
    MAX_CLAIMS,
    MAX_SET_CHARACTERS,
    Claim,
    ClaimSet,
    Note,
    Status,
)
from ace.claims.readers.languages import refuse_other_languages
from ace.claims.readers.source import Kept, Piece, Span, evenly_spaced, spans_of, stripped, without
from ace.claims.readers.status import deletions, identifier
from ace.claims.references.claim_references import parents_of
from ace.errors import Refused

_UNFIT: Final = re.compile(r"(?P<half>[\ud800-\udfff])|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_OF_A_RANGE: Final = frozenset({"empty_claim", "text_of_canceled"})


class Draft(NamedTuple):
    """A claim as a reader found it, and the fields to name if its number or its text is refused.

    `start` and `end` are its span in the source, number included; `excess_marks` counts the combining marks
    that were left out.
    """

    number: int
    text: str
    pieces: tuple[Piece, ...]
    status: Status | None
    unknown: bool
    misspelt: bool
    titled: bool
    rest: bool
    excess_marks: int
    start: int
    end: int
    number_pointer: str
    text_pointer: str


def draft(
    number: int,
    kept: Kept,
    span: Span,
    number_pointer: str,
    text_pointer: str,
    *,
    opened: int | None = None,
    status: Status | None = None,
    left_out: Sequence[Span] = (),
) -> Draft:
    """The draft of claim `number` from its span of the kept text, without status identifier and mark-up.

    Its white space is even: each run is one space, or one line end if it holds any. Of more than MAX_MARKS
    combining marks in a row, the first are kept.
    `opened` is the offset of its number, if that is earlier; `status` is the status that mark-up gives it;
    `left_out` are spans of the kept text that are not the claim's.
    """
    start, end = span
    found = identifier(kept.text, start, end)
    begin = found.end if found else start
    if found and found.status:
        status = found.status
    cuts = [*(deletions(kept.text, begin, end) if found and found.amended else ()), *left_out]
    spans = stripped(kept.text, without(begin, end, cuts))
    spaced, even = evenly_spaced("".join(kept.text[low:high] for low, high in spans))
    fit = without(0, len(spaced), excess_marks(spaced))
    text = "".join(spaced[low:high] for low, high in fit)
    gone = status in GONE
    return Draft(
        number=number,
        text="" if gone else text,
        pieces=() if gone else kept.pieces(spans_of(spans_of(fit, even), spans)),
        status=status,
        unknown=bool(found and found.status is None and not found.kind),
        titled=bool(found and found.kind),
        misspelt=bool(found and found.misspelt),
        rest=gone and any(map(str.isalnum, text)),
        excess_marks=0 if gone else len(spaced) - len(text),
        start=kept.at(start if opened is None else opened),
        end=kept.at(end),
        number_pointer=number_pointer,
        text_pointer=text_pointer,
    )


def claim_set(
    drafts: Sequence[Draft],
    pointer: str,
    *,
    partial: bool,
    source: str | None = None,
    notes: Sequence[Note] = (),
    language: str = "",
) -> ClaimSet:
    """The set of these drafts, in their order. Raises Refused.

    `language` is the one that the file states for them, as a code such as "de"; they must be in English.
    """
    if not drafts and not partial:
        raise Refused("a claim set has at least one claim", code="empty_set", pointer=pointer, limit=1)
    refuse_too_many(len(drafts), pointer)
    refuse_other_languages(drafts, pointer, language)
    remarks = list(notes)
    if not drafts:
        remarks.append(Note("no_claims", "no claim was found"))
    given = _numbered(drafts, remarks) if partial else drafts
    claims: list[Claim] = []
    seen: set[int] = set()
    total = 0
    for each in given:
        if not partial:
            _refuse_number(each, seen)
            seen.add(each.number)
        if each.status not in GONE and not any(map(str.isalnum, each.text)):
            message = f"claim {each.number} is empty"
            if not partial:
                raise Refused(message, code="empty_claim", pointer=each.text_pointer)
            remarks.append(_note("empty_claim", message, each))
            continue
        _refuse_length(each)
        total += len(each.text)
        refuse_long_set(total, pointer)
        remarks += _remarks(each)
        parents = parents_of(each.text, each.number)
        claims.append(Claim(each.number, each.text, parents, each.status, each.pieces))
    return ClaimSet(tuple(claims), tuple(_merged(remarks)), source)


def _merged(notes: Sequence[Note]) -> Iterator[Note]:
    """The notes, with one for all claims of a range such as "1-20. (Withdrawn)"."""
    for (code, start, end), group in groupby(notes, key=lambda note: (note.code, note.start, note.end)):
        first, *others = group
        if others and start < end and code in _OF_A_RANGE:
            claims = f"claims {first.claim} to {others[-1].claim} are"
            message = first.message.replace(f"claim {first.claim} is", claims).replace(
                "its text", "their text"
            )
            yield replace(first, message=message)
        else:
            yield from (first, *others)


def _numbered(drafts: Sequence[Draft], notes: list[Note]) -> list[Draft]:
    """The drafts with unique numbers within range."""
    free = max((each.number for each in drafts if _in_range(each.number)), default=0) + 1
    seen: set[int] = set()
    found: list[Draft] = []
    last = 0
    for each in drafts:
        code = ""
        if not _in_range(each.number):
            code, what = "number_out_of_range", f"claim numbers run from 1 to {MAX_CLAIM_NUMBER}"
        elif each.number in seen:
            code, what = "duplicate_number", f"claim number {each.number} is used more than once"
        elif each.number < last:
            message = f"claim {each.number} comes after claim {last}"
            notes.append(_note("disorder", message, each))
        if code:
            notes.append(_note(code, f"{what}; this one is read as claim {free}", each, free))
            each = each._replace(number=free)
            free += 1
        else:
            last = max(last, each.number)
        seen.add(each.number)
        found.append(each)
    return found


def _remarks(each: Draft) -> list[Note]:
    notes = []
    if each.unknown:
        message = f"the status identifier of claim {each.number} is not one of those in 37 CFR 1.121(c)"
        notes.append(_note("unknown_status", message, each))
    if each.misspelt:
        message = f"the status identifier of claim {each.number} is not spelt as in 37 CFR 1.121(c)"
        notes.append(_note("misspelt_status", message, each))
    if each.titled:
        notes.append(_note("title", f"the title of claim {each.number} was left out", each))
    if each.rest:
        message = f"claim {each.number} is {str(each.status).replace('_', ' ')}, and its text was left out"
        notes.append(_note("text_of_canceled", message, each))
    if each.excess_marks:
        message = (
            f"claim {each.number} has more than {MAX_MARKS} combining marks in a row;"
            f" the {each.excess_marks} beyond that were left out"
        )
        notes.append(_note("combining_marks", message, each))
    return notes


def _note(code: str, message: str, each: Draft, number: int | None = None) -> Note:
    return Note(code, message, each.number if number is None else number, each.start, each.end)


def _in_range(number: int) -> bool:
    return 1 <= number <= MAX_CLAIM_NUMBER


def _refuse_number(each: Draft, seen: set[int]) -> None:
    if not _in_range(each.number):
        raise Refused(
            f"claim numbers run from 1 to {MAX_CLAIM_NUMBER}",
            code="number_out_of_range",
            pointer=each.number_pointer,
            limit=MAX_CLAIM_NUMBER,
        )
    if each.number in seen:
        message = f"claim number {each.number} is used more than once"
        raise Refused(message, code="duplicate_number", pointer=each.number_pointer)


def _refuse_length(each: Draft) -> None:
    if len(each.text) > MAX_CLAIM_CHARACTERS:
        raise Refused(
            f"claim {each.number} is longer than {MAX_CLAIM_CHARACTERS} characters",
            code="claim_too_long",
            pointer=each.text_pointer,
            limit=MAX_CLAIM_CHARACTERS,
        )


def refuse_too_many(count: int, pointer: str) -> None:
    """Raises Refused for more claims than a set may have."""
    if count > MAX_CLAIMS:
        message = f"a claim set has at most {MAX_CLAIMS} claims"
        raise Refused(message, code="too_many_claims", pointer=pointer, limit=MAX_CLAIMS)


def refuse_long_set(length: int, pointer: str) -> None:
    """Raises Refused for more characters than a set may have."""
    if length > MAX_SET_CHARACTERS:
        message = f"the claim set is longer than {MAX_SET_CHARACTERS} characters"
        raise Refused(message, code="set_too_long", pointer=pointer, limit=MAX_SET_CHARACTERS)


def refuse_unfit_characters(text: str, pointer: str) -> None:
    """Raises Refused for control characters and halves of surrogate pairs."""
    match = _UNFIT.search(text)
    if match is None:
        return
    message, code = (
        f"half of a surrogate pair at position {match.start()}: the text is not valid Unicode",
        "lone_surrogate",
    )
    if match["half"] is None:
        code = "control_character"
        message = (
            f"control character U+{ord(match.group()):04X} at position {match.start()};"
            " claims may contain only tabs and line ends"
        )
    raise Refused(message, code=code, pointer=pointer)


def unfit_characters(text: str) -> list[Span]:
    """Spans of the characters that `refuse_unfit_characters` refuses.

    A form feed between words counts as white space and is kept.
    """
    return [match.span() for match in _UNFIT.finditer(text) if not _parts_words(text, match.start())]


def harmful_characters(text: str) -> list[Span]:
    """Spans of unfit characters other than form feeds."""
    return [span for span in unfit_characters(text) if text[span[0]] != "\f"]


def _parts_words(text: str, at: int) -> bool:
    around = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    return text[at] == "\f" and not any(not each or each.isspace() for each in around)
