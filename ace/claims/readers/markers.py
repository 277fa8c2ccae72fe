"""Numbers that open claims in plain text, as opposed to numbers inside a claim.

A set is numbered in one style ("1.", "1)", "Claim 1.", …), that of its first number; numbers in other styles
are text. A number with a status identifier counts in any style.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from ace.claims.model import MAX_CLAIMS
from ace.claims.readers.openings import (
    OPENER,
    Candidate,
    ends_abbreviated,
    ends_sentence,
    goes_on,
    opens_claim,
    opens_line,
    opens_small,
    opens_with_capital,
    refers_to_claim,
)
from ace.claims.readers.status import OPENING_WORDS

MAX_RANGE: Final = 1_000
_MAX_MARKERS: Final = 5 * MAX_CLAIMS
"""How many markers are read, including those in remarks after the claims; a set with more is refused."""

_NEXT: Final = r"(?=\s|[A-Z(\[\"“]|\Z)"
_WIDE: Final = "0-9０-９"
# «#» stands for the condition on what is before the marker. It follows the first character, because searching
# is ten times faster for expressions that begin with a character or a set of them.
_N: Final = "[0-9]#[0-9]{0,8}"
_STYLES: Final = {
    "dot": rf"{_N}[^\S\n]?\.\)?{_NEXT}",
    "parenthesis": rf"{_N}[^\S\n]?\){_NEXT}",
    "word": r"C#(?:laim|LAIM)[^\S\n]+[0-9]{1,9}[^\S\n]*(?:[.:)\-–—]" + _NEXT + r"|(?=\n)|(?=\())",
    "small": rf"c#laim[^\S\n]+[0-9]{{1,9}}[^\S\n]*[.:)\-–—]{_NEXT}",
    "bracket": r"\[#(?:Claim|CLAIM)[^\S\n]*[0-9]{1,9}[^\S\n]*\]",
    "enclosed": rf"\(#[0-9]{{1,9}}\){_NEXT}",
    "square": rf"\[#[0-9]{{1,9}}\]{_NEXT}",
    "dashed": rf"{_N}\.[-–—]{_NEXT}",
    "escaped": rf"{_N}\\[.)]{_NEXT}",
    "wide": rf"[{_WIDE}]#[{_WIDE}]{{0,8}}[．、）]",
    "listed": rf"[-*>•·]#[^\S\n]?[0-9]{{1,9}}[.)]{_NEXT}",
    "named": rf"C#(?:laim|LAIM)[^\S\n]+[0-9]{{1,9}}[^\S\n]+(?={OPENER}\s)",
    "colon": rf"{_N}[^\S\n]?[:\-–—](?=\s)",
    "line": rf"{_N}[^\S\n]*(?=\n\s*{OPENER}\b)",
    "spaced": rf"{_N}[^\S\n]+(?=\([A-Z][a-z])",
    "bare": rf"{_N}[^\S\n]+(?={OPENER}\s)",
}
_ONLY_AT_LINE_START: Final = frozenset(
    {"line", "bare", "spaced", "colon", "dashed", "listed", "named", "small"}
)
_FIRST: Final = {style: re.compile(rf"\s*({marker.replace('#', '')})") for style, marker in _STYLES.items()}
_CANDIDATE: Final = {style: re.compile(marker.replace("#", r"(?<!\S.)")) for style, marker in _STYLES.items()}
_DIGITS: Final = re.compile(rf"[{_WIDE}]{{1,9}}")
_SEPARATOR: Final = r"(?:\s*[-–—]\s*|\s+(?:to|through|thru|and|&)\s+|\s*,\s*(?:and\s+)?)"
# Possessive, and matched whether or not a status follows, so that a long list is read only once.
_LIST: Final = rf"[0-9]{{1,9}}+\.?+(?:{_SEPARATOR}[0-9]{{1,9}}+\.?+){{0,60}}+"
_STATUS: Final = re.compile(
    rf"""(?:(?P<line>^[^\S\n]*)|(?<=[\s.)\]]))(?P<marker>(?:claims?[^\S\n]+)?(?P<list>{_LIST})[^\S\n]?[.:)]?)
        (?P<said>(?=\s*(?:[(\[{{]\s*{OPENING_WORDS}
          |(?:(?:is|are|was|were|has\s+been|have\s+been)\s+)?cancel)))?""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_STATUS_WORD: Final = re.compile(rf"[(\[{{]\s*(?i:{OPENING_WORDS})|(?:c|C)(?i:ancel)")
_NUMBERS: Final = re.compile(r"(?P<number>[0-9]{1,9})|(?P<to>[-–—]|to|thr)", re.IGNORECASE)
_SIGNS: Final = r"[!-/:-@\[-`{-~°]"
_NUMBER_LINE: Final = re.compile(
    rf"^[^\S\n]*(?:{_SIGNS}{{1,3}}[^\S\n]?)?(?:claim[^\S\n]*|[a-z]{{1,2}})?[0-9]{{1,4}}{_SIGNS}{{1,4}}\s*(?=(?-i:[A-Z]))"
    rf"|^[^\S\n]*\|[^\S\n]*(?:claim[^\S\n]*)?[0-9]{{1,4}}[^\S\n]*\|"
    rf"|^[^\S\n]*(?:{_SIGNS}[^\S\n]?){{0,6}}claim[^\S\n]*[0-9]{{1,4}}(?=[^\S\n]*(?:\n|{_SIGNS}{{2}}|[(\[–—]))",
    re.IGNORECASE | re.MULTILINE,
)
_CLAIM_WORDS: Final = re.compile(
    r"\b(?:comprising|comprises|consisting|wherein|characteri[sz]ed)\b", re.IGNORECASE
)
_LETTERED: Final = re.compile(
    r"(?P<number>[0-9](?<!\S.)[0-9]{0,3}-?(?:(?P<capital>[A-Z])|[a-z]|['′]|\s?(?:bis|ter)))"
    r"(?:[^\S\n]?[.):–—-](?=\s)|[^\S\n]*\n)"
)
_LOOK_BACK_CHARACTERS: Final = 48
_MAX_TITLE_CHARACTERS: Final = 400
_MAX_OPENINGS: Final = 50


class Marker(NamedTuple):
    """The number or numbers ("2-5, 7") that open a claim, written in text[start:end]."""

    numbers: tuple[range, ...]
    start: int
    end: int

    @property
    def first(self) -> int:
        """The first of the numbers."""
        return self.numbers[0][0]

    @property
    def last(self) -> int:
        """The last of the numbers."""
        return self.numbers[-1][-1]


def single(number: int, start: int, end: int) -> Marker:
    """A marker of one number."""
    return Marker((range(number, number + 1),), start, end)


def markers(
    text: str, begin: int, certain: tuple[Marker, ...] = (), never: frozenset[int] = frozenset()
) -> list[Marker]:
    """The markers of the claims in text[begin:]; empty if it does not open with a claim number.

    `certain` markers are taken as they are, and no number at an offset of `never` is one: automatic
    numbering of a word processor is more reliable than its text.
    """
    known = _with_status(text, begin)
    style, first = _first(text, begin)
    if not certain and not _opens(text, begin, [first, *(marker for marker, _ in known[:1])]):
        return []
    if known and (style is None or first is None or _ranges(known[0][0], first)):
        style = _style_after(text, known) or style
    known += [(marker, True) for marker in certain]
    taken = {marker.start for marker in certain}
    opening_at = len(text) - len(text[begin:].lstrip())
    small = opens_small(text, first.end if first else begin)
    found: list[Marker] = []
    free = begin
    for marker, at_line_start, identified in _candidates(text, begin, style, known):
        if marker.start < free or marker.start in never:
            continue
        if not (marker.start == opening_at or marker.start in taken) and not (
            found and opens_claim(Candidate(text, found[-1], marker, identified, at_line_start, small))
        ):
            continue
        found.append(marker)
        free = marker.end
        if len(found) > _MAX_MARKERS:
            break
    return found


def _opens(text: str, begin: int, firsts: list[Marker | None]) -> bool:
    """Whether text[begin:] begins with one of these markers."""
    starts = [marker.start for marker in firsts if marker is not None]
    return bool(starts) and not text[begin : min(starts)].strip()


def later_opening(text: str, begin: int, never: frozenset[int] = frozenset()) -> int | None:
    """The offset of the first claim in a text that opens with something else; None if it is not clear.

    It is a line with number 1 that is followed by a line with number 2 in the same style, a line whose
    number has a status identifier, or the first line that opens as a claim after a title.
    """
    found = [marker.start for marker, at_line_start in _with_status(text, begin) if at_line_start][:1]
    for style in _STYLES:
        found += _series(text, begin, style, never)
    found = [at for at in found if at not in never] or _after_title(text, begin, never)
    return min(found, default=None)


def lettered_number(text: str, begin: int, end: int) -> str | None:
    """The first number with a letter ("1A") that opens a claim in text[begin:end], or None."""
    for match in _LETTERED.finditer(text, begin, end):
        before = text[max(begin, match.start() - _LOOK_BACK_CHARACTERS) : match.start()].rstrip()
        if before[-5:].lower() == "claim":
            before = before[:-5].rstrip()
        at = match.end()
        opens = refers_to_claim(text, at) or (match["capital"] and opens_line(text, at))
        if opens and (not before or ends_sentence(before)) and not ends_abbreviated(before):
            return match["number"]
    return None


def number_lines(text: str, begin: int, *, referring: bool) -> int:
    """The number of lines that begin with what looks like the number of a claim, in any style.

    `referring` counts only lines whose words refer to a claim, which steps of a method do not.
    """
    lines = _NUMBER_LINE.finditer(text, begin)
    return sum(1 for match in lines if not referring or refers_to_claim(text, match.end()))


def _series(text: str, begin: int, style: str, never: frozenset[int]) -> list[int]:
    """The offset of a line with number 1 before one with number 2, both opening as claims do; or nothing."""
    lines = (
        _marker(match, 0)
        for match in _CANDIDATE[style].finditer(text, begin)
        if match.start() not in never and _at_line_start(text, match.start())
    )
    first: Marker | None = None
    tried = 0
    for marker in lines:
        if marker.first == 1 and (opens_with_capital(text, marker.end) or opens_small(text, marker.end)):
            first = marker
            tried += 1
        elif first is not None and marker.first == 2:
            refers = refers_to_claim(text, marker.end)
            opens = opens_line(text, first.end)
            if refers or (opens and not goes_on(text[max(begin, first.start - 48) : first.start])):
                return [first.start]
            first = None
        if tried > _MAX_OPENINGS:
            break
    return []


def _after_title(text: str, begin: int, never: frozenset[int]) -> list[int]:
    """The offset of the first line whose number opens a claim, if only a title is before it; or nothing."""
    until = begin + _MAX_TITLE_CHARACTERS
    found = [
        match.start()
        for pattern in _CANDIDATE.values()
        for match in islice(pattern.finditer(text, begin, until), _MAX_OPENINGS)
        if match.start() not in never
        and _at_line_start(text, match.start())
        and (opens_line(text, _marker(match, 0).end) or opens_small(text, _marker(match, 0).end))
    ]
    first = min(found, default=begin)
    return [first] if _is_title(text[begin:first]) else []


def _is_title(text: str) -> bool:
    """Whether a text is a few lines of a heading, none of which goes on in the next or is a claim."""
    lines = text.strip().splitlines()
    return bool(lines) and not any(goes_on(line) or _CLAIM_WORDS.search(line) for line in lines)


def _first(text: str, begin: int) -> tuple[str | None, Marker | None]:
    for style in _FIRST:
        if match := _FIRST[style].match(text, begin):
            return style, _marker(match, 1)
    return None, None


def _ranges(known: Marker, first: Marker) -> bool:
    """Whether `first` is the beginning of the several numbers of a marker: "1 -" of "1 - 20. (Canceled)"."""
    return known.start == first.start and known.last > known.first


def _style_after(text: str, known: list[tuple[Marker, bool]]) -> str | None:
    """The style of a set that opens with "1-3. (Canceled)": that of the first number after such ranges which
    opens a claim."""
    first, taken = known[0][0], {marker.start for marker, _ in known}
    nearest: tuple[int, str] | None = None
    for style, pattern in _CANDIDATE.items():
        for match in islice(pattern.finditer(text, first.end), _MAX_OPENINGS):
            if match.start() not in taken and _follows(text, first, style, match):
                nearest = min(nearest or (match.start(), style), (match.start(), style))
                break
    return nearest[1] if nearest else None


def _follows(text: str, first: Marker, style: str, match: re.Match[str]) -> bool:
    """Whether a number opens a claim after the canceled ones at the beginning of a set."""
    marker = _marker(match, 0)
    at_line_start = _at_line_start(text, marker.start)
    if marker.first <= first.last or (style in _ONLY_AT_LINE_START and not at_line_start):
        return False
    candidate = Candidate(text, first, marker, identified=False, at_line_start=at_line_start, small=False)
    return at_line_start or (candidate.ended and candidate.opens)


def _candidates(
    text: str, begin: int, style: str | None, known: list[tuple[Marker, bool]]
) -> Iterator[tuple[Marker, bool, bool]]:
    """Markers that may open a claim, in order, with whether each begins its line and whether it is known."""
    plain = {marker.start: (marker, at_line_start, True) for marker, at_line_start in known}
    if style is not None:
        first = _FIRST[style].match(text, begin)
        if first is not None:
            plain.setdefault(first.start(1), (_marker(first, 1), True, False))
        for match in _CANDIDATE[style].finditer(text, first.end() if first else begin):
            at_line_start = _at_line_start(text, match.start())
            if at_line_start or style not in _ONLY_AT_LINE_START:
                plain.setdefault(match.start(), (_marker(match, 0), at_line_start, False))
    for start in sorted(plain):
        yield plain[start]


def _with_status(text: str, begin: int) -> list[tuple[Marker, bool]]:
    """Numbers that a status identifier follows, and whether each begins its line."""
    if not _STATUS_WORD.search(text, begin):
        return []
    return [
        (Marker(_numbers(match["list"]), *match.span("marker")), match["line"] is not None)
        for match in _STATUS.finditer(text, begin)
        if match["said"] is not None
    ]


def _numbers(written: str) -> tuple[range, ...]:
    """The numbers of "2-5" or "2, 4 and 6"; a range that is reversed or too long gives only its ends."""
    found: list[range] = []
    ranged = False
    for match in _NUMBERS.finditer(written):
        if match["number"] is None:
            ranged = True
            continue
        number = int(match["number"])
        low = found[-1][-1] if ranged and found else number
        if low < number <= low + MAX_RANGE:
            found[-1] = range(found[-1][0], number + 1)
        elif not ranged or low != number or not found:
            found.append(range(number, number + 1))
        ranged = False
    return tuple(found)


def _marker(match: re.Match[str], group: int) -> Marker:
    digits = _DIGITS.search(match.group(group))
    return single(int(digits.group()) if digits else 0, match.start(group), match.end(group))


def _at_line_start(text: str, at: int) -> bool:
    while at and text[at - 1] != "\n":
        at -= 1
        if not text[at].isspace():
            return False
    return True
