"""Numbers that open claims in plain text, as opposed to numbers inside a claim.

A set is numbered in one style ("1.", "1)", "Claim 1.", …), that of its first number; numbers in other styles
are text. A number with a status identifier counts in any style.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from ace.claims.model import MAX_CLAIMS
from ace.claims.readers.status import OPENING_WORDS

MAX_RANGE = 1_000
_MAX_MARKERS = 5 * MAX_CLAIMS
"""How many markers are read, including those in remarks after the claims; a set with more is refused."""

_NEXT = r"(?=\s|[A-Z(\[\"“]|\Z)"
_OPENER = r"(?:An?|The|In|One|Use|Method|Apparatus|System)"
_WIDE = "0-9０-９"
# «#» stands for the condition on what is before the marker. It follows the first character, because searching
# is ten times faster for expressions that begin with a character or a set of them.
_N = "[0-9]#[0-9]{0,8}"
_STYLES = {
    "dot": rf"{_N}[^\S\n]?\.\)?{_NEXT}",
    "parenthesis": rf"{_N}[^\S\n]?\){_NEXT}",
    "word": r"C#(?:laim|LAIM)[^\S\n]+[0-9]{1,9}[^\S\n]*(?:[.:)\-–—]" + _NEXT + r"|(?=\n)|(?=\())",
    "bracket": r"\[#(?:Claim|CLAIM)[^\S\n]*[0-9]{1,9}[^\S\n]*\]",
    "enclosed": rf"\(#[0-9]{{1,9}}\){_NEXT}",
    "square": rf"\[#[0-9]{{1,9}}\]{_NEXT}",
    "dashed": rf"{_N}\.[-–—]{_NEXT}",
    "escaped": rf"{_N}\\[.)]{_NEXT}",
    "wide": rf"[{_WIDE}]#[{_WIDE}]{{0,8}}[．、）]",
    "bold": rf"\*#\*[0-9]{{1,9}}(?:[.):]\*\*|\*\*[.):]){_NEXT}",
    "listed": rf"[-*>]#[^\S\n]?[0-9]{{1,9}}[.)]{_NEXT}",
    "named": rf"C#(?:laim|LAIM)[^\S\n]+[0-9]{{1,9}}[^\S\n]+(?={_OPENER}\s)",
    "colon": rf"{_N}[^\S\n]?[:\-–—](?=\s)",
    "line": rf"{_N}[^\S\n]*(?=\n\s*{_OPENER}\b)",
    "spaced": rf"{_N}[^\S\n]+(?=\([A-Z][a-z])",
    "bare": rf"{_N}[^\S\n]+(?={_OPENER}\s)",
}
_ONLY_AT_LINE_START = frozenset({"line", "bare", "spaced", "colon", "dashed", "listed", "named"})
_FIRST = {style: re.compile(rf"\s*({marker.replace('#', '')})") for style, marker in _STYLES.items()}
_CANDIDATE = {style: re.compile(marker.replace("#", r"(?<!\S.)")) for style, marker in _STYLES.items()}
_DIGITS = re.compile(rf"[{_WIDE}]{{1,9}}")
_SEPARATOR = r"(?:\s*[-–—]\s*|\s+(?:to|through|thru|and|&)\s+|\s*,\s*(?:and\s+)?)"
# Possessive, and matched whether or not a status follows, so that a long list is read only once.
_LIST = rf"[0-9]{{1,9}}+\.?+(?:{_SEPARATOR}[0-9]{{1,9}}+\.?+){{0,60}}+"
_STATUS = re.compile(
    rf"""(?:(?P<line>^[^\S\n]*)|(?<=[\s.)\]]))(?P<marker>(?:claims?[^\S\n]+)?(?P<list>{_LIST})[^\S\n]?[.:)]?)
        (?P<said>(?=\s*(?:[(\[{{]\s*{OPENING_WORDS}
          |(?:(?:is|are|was|were|has\s+been|have\s+been)\s+)?cancel)))?""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_STATUS_WORD = re.compile(rf"[(\[{{]\s*(?i:{OPENING_WORDS})|(?:c|C)(?i:ancel)")
_NUMBERS = re.compile(r"(?P<number>[0-9]{1,9})|(?P<to>[-–—]|to|thr)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*$")
# "…of claim⏎2." and "…FIG. 2." end with a number that is not a marker.
_DANGLING = re.compile(
    r"(?:\b(?:claims?|or|and|to|through|of|about|than|least|most|approximately|between|FIGS?\.?|Nos?\.?|steps?)"
    r"|[,\-–—])$",
    re.IGNORECASE,
)
_OPENS_LINE = re.compile(r"\s*(?:\([A-Z][a-z]|(?:An?|The|In|One|Use|Apparatus|Method|System)\b)")
_ABBREVIATION = re.compile(r"\b(?:FIGS?|Nos?|ca|approx|vs|cf|pp|Eqs?|Refs?|U\.?S)\.$", re.IGNORECASE)
_DEPENDENT = re.compile(r"\s*(?:An?|The)\s[^.;:]{1,160}?\s(?:any\s+(?:one\s+)?of\s+)?claims?\s+[0-9]")
_CITING = re.compile(r"\b(?:claims?|FIGS?\.?|Nos?\.?|steps?)$", re.IGNORECASE)
_INTRODUCES = re.compile(r"\s*An?\s")
_CAPITAL = re.compile(r"\s*[\"'“(\[]*(?:[A-Z0-9]|[^\x00-\x7f])")
_IDENTIFIER_END = re.compile(
    r"[(\[{](?:cancel|delet|not\s+entered|withdrawn)[a-z -]*[)\]}]\Z|\bcancel(?:l?ed)?;?\Z", re.IGNORECASE
)
_REFERS = re.compile(
    r"[^.;:]{0,120}\bclaims?\s+[0-9０-９]|[^.;:]{0,80}\bpreceding\s+claims?\b", re.IGNORECASE
)
_LISTED_ON = re.compile(r";\s*(?:and|or)?\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"[,:;]\s*\Z|\b(?:and|or|of|by|to|with|wherein|comprising)\s*\Z", re.IGNORECASE)
_SIGNS = r"[!-/:-@\[-`{-~°]"
_NUMBER_LINE = re.compile(
    rf"^[^\S\n]*(?:{_SIGNS}{{1,3}}[^\S\n]?)?(?:claim[^\S\n]*|[a-z]{{1,2}})?[0-9]{{1,4}}{_SIGNS}{{1,4}}\s*(?=(?-i:[A-Z]))",
    re.IGNORECASE | re.MULTILINE,
)
_MAX_OPENINGS = 50
_LOOK_BACK_CHARACTERS = 48


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
    opening = [each.start for each in (first, *(marker for marker, _ in known[:1])) if each is not None]
    if not certain and (not opening or text[begin : min(opening)].strip()):
        return []
    if style is None and known:
        style = _style_after(text, known[0][0])
    known += [(marker, True) for marker in certain]
    taken = {marker.start for marker in certain}
    opening_at = len(text) - len(text[begin:].lstrip())
    found: list[Marker] = []
    free = begin
    for marker, at_line_start, identified in _candidates(text, begin, style, known):
        if marker.start < free or marker.start in never:
            continue
        sure = marker.start == opening_at or marker.start in taken
        if sure or (found and _opens_claim(_Candidate(text, found[-1], marker, identified, at_line_start))):
            found.append(marker)
            free = marker.end
            if len(found) > _MAX_MARKERS:
                break
    return found


def later_opening(text: str, begin: int, never: frozenset[int] = frozenset()) -> int | None:
    """The offset of the first claim in a text that opens with something else; None if it is not clear.

    It is a line with number 1 that is followed by a line with number 2 in the same style, or a line whose
    number has a status identifier.
    """
    found = [marker.start for marker, at_line_start in _with_status(text, begin) if at_line_start][:1]
    for style in _STYLES:
        found += _series(text, begin, style, never)
    return min((at for at in found if at not in never), default=None)


def number_lines(text: str, begin: int, *, referring: bool) -> int:
    """The number of lines that begin with what looks like the number of a claim, in any style.

    `referring` counts only lines whose words refer to a claim, which steps of a method do not.
    """
    lines = _NUMBER_LINE.finditer(text, begin)
    return sum(1 for match in lines if not referring or _REFERS.match(text, match.end(), match.end() + 200))


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
        if marker.first == 1 and _CAPITAL.match(text, marker.end):
            first = marker
            tried += 1
        elif first is not None and marker.first == 2:
            refers = bool(_REFERS.match(text, marker.end, marker.end + 200))
            opens = bool(_OPENS_LINE.match(text, first.end))
            if refers or (opens and not _GOES_ON.search(text[max(begin, first.start - 48) : first.start])):
                return [first.start]
            first = None
        if tried > _MAX_OPENINGS:
            break
    return []


def _first(text: str, begin: int) -> tuple[str | None, Marker | None]:
    for style in _FIRST:
        if match := _FIRST[style].match(text, begin):
            return style, _marker(match, 1)
    return None, None


def _style_after(text: str, first: Marker) -> str | None:
    """The style of a set that opens with "1-3. (Canceled)": that of the number which follows."""
    for style, pattern in _CANDIDATE.items():
        match = pattern.search(text, first.end)
        if match and _at_line_start(text, match.start()) and _marker(match, 0).first > first.last:
            return style
    return None


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


class _Candidate:
    """A number after claim `last`, and the features around it, each computed only when needed."""

    def __init__(
        self, text: str, last: Marker, marker: Marker, identified: bool, at_line_start: bool
    ) -> None:
        self._text = text
        self._end = marker.end
        self.identified = identified
        self.at_line_start = at_line_start
        self.next = marker.first == last.last + 1
        self.higher = marker.first > last.last
        end = marker.start
        while end > last.end and text[end - 1].isspace():
            end -= 1
        self.before = text[max(last.end, end - _LOOK_BACK_CHARACTERS) : end]

    @cached_property
    def ended(self) -> bool:
        """Whether a sentence, or a status identifier, ends before the number."""
        return bool(_SENTENCE_END.search(self.before) or _IDENTIFIER_END.search(self.before))

    @cached_property
    def abbreviated(self) -> bool:
        """Whether the period before the number is that of an abbreviation: "FIG. 2."."""
        return self.ended and bool(_ABBREVIATION.search(self.before))

    @cached_property
    def dangling(self) -> bool:
        """Whether the words before the number wait for one: "of claim 2."."""
        return self.abbreviated or (not self.ended and bool(_DANGLING.search(self.before)))

    @property
    def citing(self) -> bool:
        """Whether the word before the number cites something by its number."""
        return self.abbreviated or bool(_CITING.search(self.before))

    @property
    def lists(self) -> bool:
        """Whether a semicolon stands before the number."""
        return bool(_LISTED_ON.search(self.before))

    @property
    def breaks_off(self) -> bool:
        """Whether the words before the number are cut by a mark, and wait for no number."""
        return self.before[-1] in ",;-–—"

    @cached_property
    def opens(self) -> bool:
        """Whether the words after the number open a line as claims do."""
        return bool(_OPENS_LINE.match(self._text, self._end))

    @property
    def introduces(self) -> bool:
        """Whether an indefinite article follows the number."""
        return bool(_INTRODUCES.match(self._text, self._end))

    @property
    def capital(self) -> bool:
        """Whether a capital follows the number."""
        return bool(_CAPITAL.match(self._text, self._end))

    @property
    def dependent(self) -> bool:
        """Whether the words after the number open as those of a dependent claim do."""
        return bool(_DEPENDENT.match(self._text, self._end))

    @property
    def refers(self) -> bool:
        """Whether the words after the number refer to a claim."""
        return bool(_REFERS.match(self._text, self._end))


class _Case(NamedTuple):
    """One kind of candidate, why it is judged so, and whether it opens a claim."""

    why: str
    applies: Callable[[_Candidate], bool]
    opens_claim: Callable[[_Candidate], bool]


def _always(_: _Candidate) -> bool:
    return True


_CASES = (
    _Case(
        "within a line, a number that does not count on belongs to the text",
        lambda it: not it.at_line_start and not it.higher,
        lambda it: False,
    ),
    _Case(
        "a claim without text (“1. 2. A…”) is kept, so that it can be refused",
        lambda it: not it.before,
        lambda it: it.at_line_start or it.next,
    ),
    _Case(
        "a status identifier belongs to a claim, unless the words before wait for a number",
        lambda it: (
            it.identified
            and (it.at_line_start or it.ended)
            and (not it.dangling or (it.at_line_start and it.next))
        ),
        _always,
    ),
    _Case(
        "words that refer to a claim open a dependent one",
        lambda it: it.higher and (it.at_line_start or it.next or not it.dangling) and it.dependent,
        _always,
    ),
    _Case(
        "after a semicolon, steps may be numbered as claims are",
        lambda it: it.lists,
        lambda it: (it.next or (it.at_line_start and it.higher)) and (it.opens or it.refers),
    ),
    _Case(
        "“of claim 2.” and “FIG. 2.” cite a number; only an abbreviation may also end a claim",
        lambda it: it.dangling and it.citing,
        lambda it: it.abbreviated and it.next and it.opens,
    ),
    _Case(
        "other words that wait for a number: a claim only if the text was broken off before it",
        lambda it: it.dangling,
        lambda it: (
            it.at_line_start and it.higher and it.opens and (it.breaks_off or it.next or it.introduces)
        ),
    ),
    _Case(
        "the next number needs one sign of a beginning",
        lambda it: it.next,
        lambda it: (
            it.opens or (it.at_line_start and it.ended) or ((it.at_line_start or it.ended) and it.capital)
        ),
    ),
    _Case(
        "a higher number at the start of a line: some numbers were left out",
        lambda it: it.at_line_start and it.higher,
        lambda it: it.opens or it.ended,
    ),
    _Case(
        "a duplicate, or numbers out of order: only if a sentence ends and a claim plainly begins",
        _always,
        lambda it: it.ended and it.opens,
    ),
)
"""In this order: the first case that applies decides."""


def _opens_claim(candidate: _Candidate) -> bool:
    """Whether a number in front of text opens a new claim, rather than standing in one."""
    return next(case.opens_claim(candidate) for case in _CASES if case.applies(candidate))
