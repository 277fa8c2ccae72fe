"""From what people paste or programs send to a ClaimSet: numbered plain text and explicit lists.

The text of a claim is a slice of what was given, with outer whitespace removed and nothing else
changed. Everything unfit is refused here, once, with the field and the limit (errors.Refused);
no message repeats claim text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ace.claims.model import (
    MAX_CLAIM_CHARACTERS,
    MAX_CLAIM_NUMBER,
    MAX_CLAIMS,
    MAX_SET_CHARACTERS,
    Claim,
    ClaimSet,
)
from ace.claims.references import parents_of
from ace.errors import Refused

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SUBSTANCE = re.compile(r"\w")

_HEADER = re.compile(
    r"""\ufeff?\s*(?:
        (?P<words>what\s+(?:is|we|i)\s+claim(?:ed)?(?:\s+is)?|(?:i|we)\s+claim|it\s+is\s+claimed
          |the\s+invention\s+claimed\s+is|listing\s+of\s+(?:the\s+)?claims
          |(?:the\s+|patent\s+)?claims(?:\s+are)?)\b
        (?P<mark>\s*[:.])?(?P<space>\s*))?""",
    re.IGNORECASE | re.VERBOSE,
)
_AFTER_HEADER = re.compile(r"[0-9]|claim\b|an?\b", re.IGNORECASE)
# A marker's style is fixed by the first one: in a set numbered "1." the "2)" of a list is text.
_STYLES = {
    "dot": r"[0-9]{1,9}[^\S\n]?\.(?=\s|[A-Z(\"“])",
    "parenthesis": r"[0-9]{1,9}[^\S\n]?\)(?=\s|[A-Z(\"“])",
    "word": r"(?:Claim|CLAIM)[^\S\n]+[0-9]{1,9}[^\S\n]*(?:[.:)](?=\s|[A-Z(\"“])|(?=\n))",
}
_FIRST = {style: re.compile(rf"\s*({marker})") for style, marker in _STYLES.items()}
_CANDIDATE = {
    style: re.compile(rf"(?:^[^\S\n]*(?P<line>{marker})|(?<=\s)(?P<inline>{marker}))", re.MULTILINE)
    for style, marker in _STYLES.items()
}
_DIGITS = re.compile(r"[0-9]+")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*$")
# "…of claim⏎2." and "…FIG. 2." end in a number that is no marker.
_DANGLING = re.compile(
    r"(?:\b(?:claims?|or|and|to|through|of|FIGS?\.?|Nos?\.?|step|steps)|[,\-–—])$", re.IGNORECASE
)
_OPENING = re.compile(r"\s*(?:\([A-Z][a-z]|(?:An?|The|In|One|Use|Apparatus|Method|System)\b)")
_DEPENDENT_OPENING = re.compile(r"\s*(?:An?|The)\s[^.;:]{1,80}?\s(?:any\s+(?:one\s+)?of\s+)?claims?\s+[0-9]")
_CAPITAL = re.compile(r"\s*[\"'“(\[]*(?:[A-Z0-9]|[^\x00-\x7f])")
_LOOK_BACK = 48


class _Marker(NamedTuple):
    number: int
    start: int
    end: int


class _Given(NamedTuple):
    """A claim as given, and the fields to name where its number or its text is refused."""

    number: int
    text: str
    number_pointer: str
    text_pointer: str


def read_text(text: str, *, pointer: str = "/text") -> ClaimSet:
    """Claims from one text: "1.", "1)" or "Claim 1." before each, several on a line or wrapped.

    Text without any number is one claim, number 1. Raises Refused; `pointer` is the field that
    its error names.
    """
    if len(text) > MAX_SET_CHARACTERS:
        raise Refused(
            f"the claim set is longer than {MAX_SET_CHARACTERS} characters",
            code="set_too_long",
            pointer=pointer,
            limit=MAX_SET_CHARACTERS,
        )
    _refuse_unfit_characters(text, pointer)
    body = _body(text)
    markers = _markers(text, body)
    if not markers:
        return _claim_set([_Given(1, text[body:], pointer, pointer)], pointer)
    ends = [marker.start for marker in markers[1:]] + [len(text)]
    return _claim_set(
        [
            _Given(marker.number, text[marker.end : end], pointer, pointer)
            for marker, end in zip(markers, ends, strict=True)
        ],
        pointer,
    )


def read_claims(claims: Sequence[tuple[int, str]], *, pointer: str = "/claims") -> ClaimSet:
    """Claims from (number, text) pairs, in their order. Raises Refused ("/claims/3/text")."""
    return _claim_set(
        [
            _Given(number, text, f"{pointer}/{index}/number", f"{pointer}/{index}/text")
            for index, (number, text) in enumerate(claims)
        ],
        pointer,
    )


def _claim_set(given: Sequence[_Given], root: str) -> ClaimSet:
    if not given:
        raise Refused("a claim set has at least one claim", code="empty_set", pointer=root, limit=1)
    if len(given) > MAX_CLAIMS:
        raise Refused(
            f"a claim set has at most {MAX_CLAIMS} claims",
            code="too_many_claims",
            pointer=root,
            limit=MAX_CLAIMS,
        )
    seen: set[int] = set()
    total = 0
    claims: list[Claim] = []
    for number, raw, number_pointer, text_pointer in given:
        _refuse_unfit_number(number, seen, number_pointer)
        seen.add(number)
        _refuse_unfit_characters(raw, text_pointer)
        text = raw.strip()
        _refuse_unfit_length(number, text, text_pointer)
        total += len(text)
        if total > MAX_SET_CHARACTERS:
            raise Refused(
                f"the claim set is longer than {MAX_SET_CHARACTERS} characters",
                code="set_too_long",
                pointer=root,
                limit=MAX_SET_CHARACTERS,
            )
        claims.append(Claim(number, text, parents_of(text, number)))
    return ClaimSet(tuple(claims))


def _refuse_unfit_number(number: int, seen: set[int], pointer: str) -> None:
    if not 1 <= number <= MAX_CLAIM_NUMBER:
        raise Refused(
            f"claim numbers run from 1 to {MAX_CLAIM_NUMBER}",
            code="number_out_of_range",
            pointer=pointer,
            limit=MAX_CLAIM_NUMBER,
        )
    if number in seen:
        raise Refused(f"claim number {number} is there twice", code="duplicate_number", pointer=pointer)


def _refuse_unfit_length(number: int, text: str, pointer: str) -> None:
    if not _SUBSTANCE.search(text):
        raise Refused(f"claim {number} is empty", code="empty_claim", pointer=pointer)
    if len(text) > MAX_CLAIM_CHARACTERS:
        raise Refused(
            f"claim {number} is longer than {MAX_CLAIM_CHARACTERS} characters",
            code="claim_too_long",
            pointer=pointer,
            limit=MAX_CLAIM_CHARACTERS,
        )


def _refuse_unfit_characters(text: str, pointer: str) -> None:
    if match := _CONTROL.search(text):
        raise Refused(
            f"control character U+{ord(match.group()):04X} at position {match.start()};"
            " only tabs and line ends may stand in claims",
            code="control_character",
            pointer=pointer,
        )
    if match := _SURROGATE.search(text):
        raise Refused(
            f"half of a surrogate pair at position {match.start()}: the text is no valid Unicode",
            code="lone_surrogate",
            pointer=pointer,
        )


def _body(text: str) -> int:
    """Where the claims begin, after "What is claimed is:" and its like."""
    header = _HEADER.match(text)
    if header is None:
        return 0
    if header["words"] is None or header["mark"] or "\n" in header["space"]:
        return header.end()
    return header.end() if _AFTER_HEADER.match(text, header.end()) else header.start("words")


def _markers(text: str, body: int) -> list[_Marker]:
    """Where claims begin. Empty where the text does not open with a claim number."""
    firsts = ((style, first.match(text, body)) for style, first in _FIRST.items())
    style, match = next(((style, match) for style, match in firsts if match), ("", None))
    if match is None:
        return []
    found = [_marker(match, 1)]
    for candidate in _CANDIDATE[style].finditer(text, match.end()):
        group = candidate.lastgroup
        if group is None:
            continue
        marker = _marker(candidate, group)
        if _begins_claim(text, found[-1], marker, at_line_start=group == "line"):
            found.append(marker)
    return found


def _marker(match: re.Match[str], group: int | str) -> _Marker:
    digits = _DIGITS.search(match.group(group))
    number = int(digits.group()) if digits else 0
    return _Marker(number, match.start(group), match.end(group))


def _begins_claim(text: str, last: _Marker, marker: _Marker, *, at_line_start: bool) -> bool:
    """Whether a number in front of text opens a new claim, rather than standing in one."""
    if not at_line_start and marker.number <= last.number:
        return False
    end = marker.start
    while end > last.end and text[end - 1].isspace():
        end -= 1
    before = text[max(last.end, end - _LOOK_BACK) : end]
    ended = bool(_SENTENCE_END.search(before))
    if not before:
        # An empty claim ("1. 2. A…") is seen as such, so that it can be refused.
        return at_line_start or marker.number == last.number + 1
    if marker.number == last.number + 1 and _DEPENDENT_OPENING.match(text, marker.end):
        return True
    if not ended and _DANGLING.search(before):
        opens = at_line_start and before[-1] in ",;-–—"
        return opens and marker.number > last.number and bool(_OPENING.match(text, marker.end))
    if at_line_start and marker.number > last.number:
        return ended or bool(_CAPITAL.match(text, marker.end))
    if at_line_start:
        # Not increasing: a duplicate or a disorder only where a new claim plainly begins.
        return ended and bool(_OPENING.match(text, marker.end))
    if marker.number == last.number + 1:
        return ended and bool(_CAPITAL.match(text, marker.end))
    return ended and bool(_OPENING.match(text, marker.end))
