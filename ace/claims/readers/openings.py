"""Whether a number in front of text opens a new claim, rather than standing in one.

The words around the number decide, by cases in a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from ace.claims.readers.markers import Marker

OPENER: Final = r"(?:An?|The|In|One|Use|Apparatus|Method|System)"
"""A word that claims open with."""

# "…of claim⏎2." and "…FIG. 2." end with a number that is not a marker.
_DANGLING: Final = re.compile(
    r"(?:\b(?:(?P<citing>claims?|FIGS?\.?|Nos?\.?|steps?)"
    r"|or|and|to|through|of|about|than|least|most|approximately|between)|[,\-–—])\Z",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    rf"\s*(?:(?P<line>(?P<article>An?|The|In|One)(?=\s)|\([A-Z][a-z]|{OPENER}\b)"
    r"|(?P<small>(?:an?|the|in|one|use|apparatus|method|process|system)\s)"
    r"|(?P<capital>[\"'“(\[]*(?:[A-Z0-9]|[^\x00-\x7f])))"
)
_ABBREVIATION: Final = re.compile(r"\b(?:FIGS?|Nos?|ca|approx|vs|cf|pp|Eqs?|Refs?|U\.?S)\.\Z", re.IGNORECASE)
_DEPENDENT: Final = re.compile(r"\s*(?:(?P<capital>An?|The)|an?|the)\s[^.;:]{1,160}?\sclaims?\s+[0-9]")
_IDENTIFIER_END: Final = re.compile(
    r"[(\[{](?:cancel|delet|not\s+entered|withdrawn)[a-z -]*[)\]}][,;]?\Z|\bcancel(?:l?ed)?;?\Z",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(r"\bclaims?\s+[0-9０-９]|\bpreceding\s+claims?\b", re.IGNORECASE)
_STOPS: Final = frozenset(".;:")
_GROUP: Final = re.compile(
    r"(?<=[.!?])\s*+(?<=\n)(?!The\s)[A-Z][\w ,-]{1,30}\b(?<!\bof\s)(?<!\bin\s)(?<!\bto\s)[Cc]laims:?\Z"
)
"""A line such as "Method claims" after a claim, before the number of the next."""

_GOES_ON: Final = re.compile(
    r"(?:[,:;]|\b(?:and|or|of|the|an?|by|to|with|wherein|comprising))\s*\Z", re.IGNORECASE
)
_CLOSING_MARKS: Final = "\"'”’)]"
_LOOK_BACK_CHARACTERS: Final = 48
_REFERENCE_CHARACTERS: Final = 200
_WORDS_BEFORE_REFERENCE: Final = 120


class Candidate:
    """A number after claim `last`, and the features around it, each computed only when needed."""

    def __init__(
        self, text: str, last: Marker, marker: Marker, identified: bool, at_line_start: bool, small: bool
    ) -> None:
        self._text = text
        self._end = marker.end
        self._small = small
        self.identified = identified
        self.at_line_start = at_line_start
        self.next = marker.first == last.last + 1
        self.higher = marker.first > last.last
        end = marker.start
        while end > last.end and text[end - 1].isspace():
            end -= 1
        before = text[max(last.end, end - _LOOK_BACK_CHARACTERS) : end]
        self.before = _GROUP.sub("", before) if at_line_start else before

    @cached_property
    def ended(self) -> bool:
        """Whether a sentence, or a status identifier, ends before the number."""
        return ends_sentence(self.before) or bool(_IDENTIFIER_END.search(self.before))

    @cached_property
    def abbreviated(self) -> bool:
        """Whether the period before the number is that of an abbreviation: "FIG. 2."."""
        return self.ended and ends_abbreviated(self.before)

    @cached_property
    def dangling(self) -> bool:
        """Whether the words before the number wait for one: "of claim 2."."""
        return self.abbreviated or (not self.ended and waits_for_number(self.before))

    @property
    def citing(self) -> bool:
        """Whether the word before the number cites something by its number."""
        if self.abbreviated:
            return True
        dangling = _DANGLING.search(self.before)
        return dangling is not None and dangling["citing"] is not None

    @property
    def lists(self) -> bool:
        """Whether a semicolon stands before the number."""
        words = self.before.lower().removesuffix("and").removesuffix("or")
        return words.rstrip().endswith(";")

    @property
    def breaks_off(self) -> bool:
        """Whether the words before the number are cut by a mark, and wait for no number."""
        return self.before[-1] in ",;-–—"

    @property
    def opens(self) -> bool:
        """Whether the words after the number open a line as claims do.

        In a set of small letters, also those after a sentence.
        """
        return opens_line(self._text, self._end) or (
            self._small and self.ended and opens_small(self._text, self._end)
        )

    @property
    def introduces(self) -> bool:
        """Whether an indefinite article follows the number."""
        match = _OPENING.match(self._text, self._end)
        return match is not None and match["article"] in ("A", "An")

    @property
    def capital(self) -> bool:
        """Whether a capital follows the number."""
        return opens_with_capital(self._text, self._end)

    @property
    def dependent(self) -> bool:
        """Whether the words after the number open as those of a dependent claim do.

        After a sentence, they may do so in small letters.
        """
        match = _DEPENDENT.match(self._text, self._end)
        return match is not None and (match["capital"] is not None or (self.next and self.ended))

    @property
    def refers(self) -> bool:
        """Whether the words after the number refer to a claim."""
        return refers_to_claim(self._text, self._end)


class _Case(NamedTuple):
    """One kind of candidate, why it is judged so, and whether it opens a claim."""

    why: str
    applies: Callable[[Candidate], bool]
    opens_claim: Callable[[Candidate], bool]


def _always(_: Candidate) -> bool:
    return True


_CASES: Final = (
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


def opens_claim(candidate: Candidate) -> bool:
    """Whether a number in front of text opens a new claim, rather than standing in one."""
    return next(case.opens_claim(candidate) for case in _CASES if case.applies(candidate))


def opens_line(text: str, at: int, *, article: bool = False) -> bool:
    """Whether the words at `at` open a line as claims do; with `article`, by one, "In" or "One"."""
    return _opens(text, at, "article" if article else "line")


def opens_with_capital(text: str, at: int) -> bool:
    """Whether the word at `at` has a capital."""
    return _opens(text, at, "line", "capital")


def opens_small(text: str, at: int) -> bool:
    """Whether a claim opens at `at` in small letters: "an apparatus"."""
    return _opens(text, at, "small")


def _opens(text: str, at: int, *ways: str) -> bool:
    match = _OPENING.match(text, at)
    return match is not None and any(match[way] for way in ways)


def cites_claim(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] refers to a claim."""
    return _REFERENCE.search(text, start, end) is not None


def refers_to_claim(text: str, at: int, end: int | None = None) -> bool:
    """Whether the words at `at` soon refer to a claim."""
    until = min(at + _REFERENCE_CHARACTERS, len(text) if end is None else end)
    match = _REFERENCE.search(text, at, until)
    if match is None or match.start() > at + _WORDS_BEFORE_REFERENCE:
        return False
    return _STOPS.isdisjoint(text[at : match.start()])


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a sentence, perhaps in quotation marks or brackets."""
    return text.rstrip().rstrip(_CLOSING_MARKS).endswith((".", "!", "?"))


def ends_abbreviated(text: str) -> bool:
    """Whether a text ends with an abbreviation such as "FIG."."""
    return _ABBREVIATION.search(text) is not None


def goes_on(text: str, marks: str = "") -> bool:
    """Whether a text breaks off, or with one of `marks`: its last word or mark asks for more."""
    return _GOES_ON.search(text) is not None or text.rstrip().endswith(tuple(marks))


def waits_for_number(text: str) -> bool:
    """Whether the last word of a text asks for a number: "of claim"."""
    return _DANGLING.search(text) is not None
