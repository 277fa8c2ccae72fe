"""Claims from the XML of patent offices: USPTO grants and applications, WIPO ST.36 and ST.96.

The formats differ in names more than in structure, so elements are recognised by name, without prefix
and hyphens: claims contain claim elements, and these text, nested blocks and inline mark-up. Each block
becomes a line.
Formats: us-patent-grant and -application v4.x (and ST.36 of EPO and WIPO), patent-application-publication
v1.x (subdoc-claims), PATDOC v2.x (SDOCL, CL, CLM, PDAT), ST.96 (uspat:Claims, pat:ClaimText).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ace.claims.model import ClaimSet, Note, Status
from ace.claims.readers import drafts
from ace.claims.readers.drafts import Draft, claim_set, draft
from ace.claims.readers.markup import parse, refusal
from ace.claims.readers.plain import read_marked
from ace.claims.readers.source import Kept
from ace.claims.readers.status import identifier, says_gone

_SETS = frozenset({"claims", "subdocclaims", "cl"})
_CLAIMS = frozenset({"claim", "clm", "implicitclaim"})
_NUMBERS = frozenset({"claimnumber"})
_STATUSES = frozenset({"claimstatuscategory", "claimstatus", "claimstatuscode"})
_REFERENCES = frozenset({"claimref", "dependentclaimreference", "clref", "claimreference"})
_BLOCKS = frozenset(
    {
        "claimtext",
        "para",
        "p",
        "paragraph",
        "li",
        "ul",
        "ol",
        "dl",
        "dd",
        "table",
        "tables",
        "row",
        "tr",
        "br",
    }
)
_CELLS = frozenset({"entry", "td", "th"})
_LEFT_OUT = frozenset(
    {
        "del",
        "deletedtext",
        "strike",
        "boundarydatabag",
        "headertext",
        "footertext",
        "pagenumber",
        "linenumber",
    }
)
_SPACE = re.compile(r"[ \t\r\n]+")
_ATTRIBUTE_NUMBER = re.compile(r"\s*(?:[A-Za-z]+-)*0*([0-9]{1,9})(?:\s*[-–]\s*0*([0-9]{1,9}))?\s*\Z")
_TEXT_NUMBER = re.compile(
    r"\s*+(?:claims?\s++)?([0-9]{1,9})(?:\s*+\.?\s*+(?:-|–|to|through)\s*+([0-9]{1,9}))?\s*+(?:[.):]+(?=\s|\D)\s*+|(?=[(\[])|\Z)",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\s*([0-9]{1,9})()\s+(?=An?\s|The\s)")
_TYPED = re.compile(r"\s*[0-9]{1,4}[.)]\s+(?=[A-Z(])")
_PROLOG = re.compile(rb"<\?xml\s")


@dataclass(slots=True)
class _Element:
    """A claim element as read: its lines, the number that mark-up gives it, and its status."""

    numbers: tuple[int, int] | None
    status: Status | None = None
    parts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Set:
    language: str
    elements: list[_Element] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)


def read_publication(data: bytes, *, pointer: str = "/file", partial: bool = False) -> ClaimSet:
    """Claims of one document. Raises Refused: malformed_xml, no_claims, several_documents, several_sets …"""
    notes: list[Note] = []
    second = next((match.start() for match in _PROLOG.finditer(data, 8)), None)
    if second is not None:
        message = "the file contains several XML documents; split it"
        if not partial:
            raise refusal("several_documents", message, pointer)
        notes.append(
            Note("several_documents", "the file contains several XML documents; only the first was read")
        )
        data = data[:second]
    document = _Document(pointer)
    parse([data], document, pointer=pointer)
    chosen = _choose(document.sets, notes, pointer, partial)
    if document.unknown:
        message = f"{document.unknown} named characters are unknown; each was replaced by U+FFFD"
        notes.append(Note("unknown_character", message))
    if not chosen.elements:
        return read_marked("".join(chosen.loose), pointer=pointer, partial=partial, notes=notes)
    source, found = _drafts(chosen.elements, notes, pointer, partial)
    return claim_set(found, pointer, partial=partial, source=source, notes=notes)


def _choose(sets: list[_Set], notes: list[Note], pointer: str, partial: bool) -> _Set:
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


def _drafts(
    elements: list[_Element], notes: list[Note], pointer: str, partial: bool
) -> tuple[str, list[Draft]]:
    """The source, one claim after the other, and its drafts."""
    rows: list[tuple[tuple[int, int], int, int, int, Status | None]] = []
    parts: list[str] = []
    at = last = 0
    for element in elements:
        text = "".join(element.parts).strip()
        match = _TEXT_NUMBER.match(text) or _BARE_NUMBER.match(text)
        written = (int(match[1]), int(match[2] or match[1])) if match else None
        numbers = element.numbers or written or (last + 1, last + 1)
        if match and written and numbers == (written[0], written[0]) and says_gone(text, match.end()):
            numbers = written  # one element for claims that were canceled together
        typed = _TYPED.match(text) if written not in (None, numbers, (numbers[0], numbers[0])) else None
        if typed:
            message = f"claim {numbers[0]} has a different number in its text; that number was left out"
            notes.append(Note("number_differs", message, numbers[0], at, at + 1))
            text = text[typed.end() :]
        if typed or match is None or written not in (numbers, (numbers[0], numbers[0])):
            prefix, skipped = f"{numbers[0]}. ", 0
        else:
            prefix, skipped = "", match.end()
        line = f"{prefix}{text}\n"
        begin = at + len(prefix) + skipped
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
    return source, found


class _Document:
    """Handler of the XML that keeps the text of claim elements, by set."""

    def __init__(self, pointer: str) -> None:
        self.sets: list[_Set] = []
        self.unknown = 0
        self._pointer = pointer
        self._set: _Set | None = None
        self._element: _Element | None = None
        self._depth = 0
        self._set_depth = self._claim_depth = 0
        self._hidden = self._reference = 0
        self._deleted = False
        self._datum: list[str] | None = None
        self._patdoc = False
        self._pdat = 0
        self._fresh = True
        self._length = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        name = _plain(name)
        if self._depth == 1:
            self._patdoc = name == "patdoc"
        if name in _LEFT_OUT:
            self._hidden += 1
        elif name in ("dels", "dele"):
            self._deleted = name == "dels"
        elif self._set is None:
            if name in _SETS:
                self._open_set(attributes)
        elif self._element is None and name in _CLAIMS:
            self._open_claim(attributes)
        else:
            self._open_part(name)
        if name == "pdat":
            self._pdat += 1

    def _open_set(self, attributes: Mapping[str, str]) -> None:
        language = _attribute(attributes, "lang", "languagecode") or ""
        self._set = _Set(language.lower())
        self._set_depth = self._depth
        self._fresh = True

    def _open_claim(self, attributes: Mapping[str, str]) -> None:
        numbers = _number(_attribute(attributes, "num")) or _identity(attributes)
        status = _status(_attribute(attributes, "status", "claimstatus", "claimstatuscategory"))
        self._element = _Element(numbers, status)
        self._claim_depth = self._depth
        self._fresh = True

    def _open_part(self, name: str) -> None:
        """An element within a set, or within a claim of it, opens."""
        if name in _NUMBERS or name in _STATUSES:
            self._datum = []
        elif name in _REFERENCES:
            self._reference += 1
        elif name in _BLOCKS:
            self._break("\n")
        elif name in _CELLS:
            self._break("\t")

    def end(self, name: str) -> None:
        name = _plain(name)
        if name == "pdat":
            self._pdat -= 1
        if name in _LEFT_OUT:
            self._hidden -= 1
        elif self._set is None:
            pass
        elif self._depth == self._set_depth:
            self.sets.append(self._set)
            self._set = None
        elif self._element is not None and self._depth == self._claim_depth:
            self._set.elements.append(self._element)
            drafts.refuse_too_many(len(self._set.elements), self._pointer)
            self._element = None
        elif self._datum is not None and (name in _NUMBERS or name in _STATUSES):
            self._take(name, "".join(self._datum))
            self._datum = None
        elif name in _REFERENCES:
            self._reference -= 1
        elif name in _BLOCKS:
            self._break("\n")
        self._depth -= 1

    def characters(self, text: str) -> None:
        if self._datum is not None:
            self._datum.append(text)
            return
        if self._set is None or self._hidden or self._deleted or (self._patdoc and not self._pdat):
            return
        text = _SPACE.sub(" ", text)
        if self._fresh:
            text = text.lstrip(" ")
        if text:
            self._put(text)
            self._fresh = text[-1] == " "

    def instruction(self, target: str) -> None:
        if target in ("delete-start", "delete-end"):
            self._deleted = target == "delete-start"

    def unknown_character(self, name: str) -> None:
        self.unknown += 1

    def _put(self, text: str) -> None:
        if self._set is None:
            return
        self._length += len(text)
        drafts.refuse_long_set(self._length, self._pointer)
        (self._set.loose if self._element is None else self._element.parts).append(text)

    def _break(self, mark: str) -> None:
        """Begins a line or cell, unless one just began; does nothing inside a reference, which is inline."""
        if self._set is None or self._reference or self._hidden:
            return
        parts = self._set.loose if self._element is None else self._element.parts
        while parts:
            trimmed = parts[-1].rstrip(" \t" if mark == "\n" else " ")
            if trimmed:
                parts[-1] = trimmed
                break
            parts.pop()
        if parts and parts[-1][-1] not in "\n\t":
            self._put(mark)
        self._fresh = True

    def _take(self, name: str, text: str) -> None:
        if self._element is None:
            return
        if name in _NUMBERS:
            self._element.numbers = _number(text) or self._element.numbers
        else:
            self._element.status = _status(text) or self._element.status


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    return name.rpartition(":")[2].replace("-", "").lower()


def _attribute(attributes: Mapping[str, str], *names: str) -> str | None:
    return next((value for name, value in attributes.items() if _plain(name) in names), None)


def _number(written: str | None) -> tuple[int, int] | None:
    """ "00003" is (3, 3), and "01-05" is (1, 5)."""
    match = _ATTRIBUTE_NUMBER.match(written or "")
    return (int(match[1]), max(int(match[1]), int(match[2] or match[1]))) if match else None


def _identity(attributes: Mapping[str, str]) -> tuple[int, int] | None:
    """The number in an id such as CLM-00003 or CLM-01-05; other offices use ids of other forms."""
    written = _attribute(attributes, "id") or ""
    return _number(written) if written.upper().startswith("CLM-") else None


def _status(written: str | None) -> Status | None:
    words = f"({_SPACE.sub(' ', written).strip()})" if written else ""
    found = identifier(words, 0, len(words)) if len(words) > 2 else None
    return found.status if found else None
