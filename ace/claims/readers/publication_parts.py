"""The elements of patent-office XML: the claim sets of a document, each with its claim elements as text.

Elements are recognised by name, without prefix and hyphens. Text within claims is written by LinearText:
blocks become lines, superscripts and formulas are written on the line, and pictures leave placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ace.claims.model import Status
from ace.claims.readers import drafts
from ace.claims.readers.formulas import Formula
from ace.claims.readers.lost_parts import MARK, Lost, only_placeholders, shown_by
from ace.claims.readers.notation import LinearText, Script, lowered, raised
from ace.claims.readers.status import identifier

_SETS: Final = frozenset({"claims", "subdocclaims", "cl"})
_CLAIMS: Final = frozenset({"claim", "clm", "implicitclaim"})
_NUMBERS: Final = frozenset({"claimnumber"})
_STATUSES: Final = frozenset({"claimstatuscategory", "claimstatus", "claimstatuscode"})
_REFERENCES: Final = frozenset({"claimref", "dependentclaimreference", "clref", "claimreference"})
_BLOCKS: Final = frozenset(
    (
        *("claimtext", "para", "p", "paragraph", "li", "ul", "ol", "dl", "dd"),
        *("table", "tables", "row", "tr", "br"),
    )
)
_CELLS: Final = frozenset({"entry", "td", "th"})
_LEFT_OUT: Final = frozenset(
    (
        *("del", "deletedtext", "strike", "boundarydatabag"),
        *("headertext", "footertext", "pagenumber", "linenumber"),
    )
)
_SCRIPTS: Final = {
    **dict.fromkeys(("sup", "sup2", "superscript", "sp"), Script.RAISED),
    **dict.fromkeys(("sub", "sub2", "subscript", "sb"), Script.LOWERED),
}
_PICTURES: Final = frozenset({"img", "image", "emi", "graphic", "inlinegraphic", "customcharacter"})
_HOLDERS: Final = {
    **dict.fromkeys(
        ("maths", "mathus", "mathcwu", "mathformula", "mathformulae", "equation", "dispformula"), Lost.FORMULA
    ),
    **dict.fromkeys(("formula", "formulae", "inlineformula", "inlineformulae"), Lost.FORMULA),
    **dict.fromkeys(("chemistry", "chemus", "chemistrycwu"), Lost.STRUCTURE),
    **dict.fromkeys(("chemicalformula", "chemicalformulae", "chemicalstructure"), Lost.STRUCTURE),
    **dict.fromkeys(("tables", "tableus", "tablecwu"), Lost.TABLE),
}
"""Elements that hold a formula, structure or table, as text, as a picture or as both."""
_SPACE: Final = re.compile(r"[ \t\r\n]+")
_WHITE: Final = " \t\r\n"
_LINE_ENDS: Final = frozenset("\r\n")
_ATTRIBUTE_NUMBER: Final = re.compile(r"\s*(?:[A-Za-z]+-)*0*([0-9]{1,9})(?:\s*[-–]\s*0*([0-9]{1,9}))?\s*\Z")


@dataclass(slots=True)
class ClaimElement:
    """A claim element as read: its lines, the number that mark-up gives it, its status and its language."""

    numbers: tuple[int, int] | None
    status: Status | None = None
    language: str = ""
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What was read, without the white space around it."""
        return "".join(self.parts).strip()


@dataclass(slots=True)
class ElementSet:
    language: str
    elements: list[ClaimElement] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)


class PublicationParts:
    """Handler of the XML that keeps the claim sets, those in several languages as a set for each."""

    def __init__(self, pointer: str) -> None:
        self.sets: list[ElementSet] = []
        self.unknown = 0
        self._pointer = pointer
        self._set: ElementSet | None = None
        self._element: ClaimElement | None = None
        self._line = LinearText([])
        self._depth = self._set_depth = self._claim_depth = 0
        self._hidden = 0
        self._reference = 0
        self._deleted = False
        self._datum: list[str] | None = None
        self._patdoc = False
        self._pdat = 0
        self._scripts: list[tuple[Script, list[str]]] = []
        self._formula: Formula | None = None
        self._formula_depth = 0
        self._holders: list[_Holder] = []
        self._length = 0
        self._languages: list[tuple[int, str]] = []
        """The languages that open elements around the claims declare, with their depths."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        local, name = name.rpartition(":")[2], _plain(name)
        if self._depth == 1:
            self._patdoc = name == "patdoc"
        if name in _LEFT_OUT:
            self._hidden += 1
        elif name in ("dels", "dele"):
            self._deleted = name == "dels"
        elif self._formula is not None:
            self._formula.start(local, attributes)
        elif self._set is None:
            self._open_outside(name, attributes)
        elif self._element is None and name in _CLAIMS:
            self._open_claim(attributes)
        else:
            self._open_part(name, attributes)
        if name == "pdat":
            self._pdat += 1

    def _open_outside(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _SETS:
            self._open_set(attributes)
        elif language := _language(attributes):
            self._languages.append((self._depth, language))

    def _open_set(self, attributes: Mapping[str, str]) -> None:
        around = self._languages[-1][1] if self._languages else ""
        self._set = ElementSet(_language(attributes) or around)
        self._set_depth = self._depth
        self._line = LinearText(self._set.loose)

    def _open_claim(self, attributes: Mapping[str, str]) -> None:
        numbers = number(_attribute(attributes, "num")) or _identity(attributes)
        status = _status(_attribute(attributes, "status", "claimstatus", "claimstatuscategory"))
        self._claim_depth = self._depth
        self._begin_element(ClaimElement(numbers, status, _language(attributes)))

    def _begin_element(self, element: ClaimElement) -> None:
        self._element = element
        self._line = LinearText(element.parts)

    def _open_part(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element within a set, or within a claim of it, opens."""
        if name in _NUMBERS or name in _STATUSES:
            self._datum = []
        elif name in _REFERENCES:
            self._reference += 1
            self._line.part_words()
        elif name in _PICTURES:
            self._open_picture(attributes)
            self._hidden += 1
        elif name == "math":
            self._formula, self._formula_depth = Formula(), self._depth
        elif name in _SCRIPTS:
            self._scripts.append((_SCRIPTS[name], []))
        elif name in _BLOCKS:
            self._open_block(name, attributes)
        elif name in _CELLS:
            self._break("\t")
        if name in _HOLDERS:
            self._holders.append(_Holder(self._depth, _HOLDERS[name], self._length))

    def _open_block(self, name: str, attributes: Mapping[str, str]) -> None:
        """A line begins; the text of a claim in another language is a claim of its own."""
        language = _language(attributes)
        element = self._element
        if name == "claimtext" and language and element is not None and self._set is not None:
            if element.language not in ("", language) and element.text:
                self._line.close()
                self._set.elements.append(element)
                self._begin_element(ClaimElement(element.numbers, element.status, language))
            elif not element.text:
                element.language = language
        self._break("\n")

    def _open_picture(self, attributes: Mapping[str, str]) -> None:
        """A picture leaves a placeholder, unless it shows what its holder may also have as text."""
        holder = self._holders[-1] if self._holders else None
        if holder is not None and holder.shows is Lost.TABLE and holder.length == self._length:
            self._lose(Lost.TABLE)
        elif holder is None or holder.shows is Lost.TABLE:
            self._lose(shown_by(_attribute(attributes, "imgcontent"), _attribute(attributes, "alt")))

    def end(self, name: str) -> None:
        local, name = name.rpartition(":")[2], _plain(name)
        if name == "pdat":
            self._pdat -= 1
        if name in _LEFT_OUT:
            self._hidden -= 1
        elif self._formula is not None and self._depth > self._formula_depth:
            self._formula.end(local)
        elif name in ("dels", "dele"):
            pass
        elif self._set is None:
            if self._languages and self._languages[-1][0] == self._depth:
                self._languages.pop()
        elif self._depth == self._set_depth:
            self._close_set(self._set)
        elif self._element is not None and self._depth == self._claim_depth:
            self._close_claim(self._set, self._element)
        else:
            self._close_part(name)
        self._depth -= 1

    def _close_set(self, closed: ElementSet) -> None:
        self._line.close()
        self._set = None
        if only_placeholders("".join(closed.loose)):
            closed.loose.clear()
        languages = dict.fromkeys(element.language or closed.language for element in closed.elements)
        if len(languages) < 2:
            self.sets.append(closed)
            return
        for language in languages:
            alike = [each for each in closed.elements if (each.language or closed.language) == language]
            self.sets.append(ElementSet(language, alike))

    def _close_claim(self, within: ElementSet, element: ClaimElement) -> None:
        self._line.close()
        if only_placeholders(element.text):
            element.parts.clear()
        within.elements.append(element)
        drafts.refuse_too_many(len(within.elements), self._pointer)
        self._element = None
        self._line = LinearText(within.loose)

    def _close_part(self, name: str) -> None:
        """An element within a set, or within a claim of it, closes."""
        if self._holders and self._holders[-1].depth == self._depth:
            holder = self._holders.pop()
            if holder.length == self._length:
                self._lose(holder.shows)
        if self._datum is not None and (name in _NUMBERS or name in _STATUSES):
            self._take(name, "".join(self._datum))
            self._datum = None
        elif name in _REFERENCES:
            self._reference -= 1
            self._line.part_words()
        elif name in _PICTURES:
            self._hidden -= 1
        elif self._formula is not None:
            self._close_formula(self._formula)
        elif name in _SCRIPTS:
            self._close_script()
        elif name in _BLOCKS:
            self._break("\n")

    def _close_formula(self, formula: Formula) -> None:
        self._formula = None
        line = formula.line()
        if not line:
            self._lose(Lost.FORMULA)
        elif not (self._hidden or self._deleted):
            self._count(line)
            self._line.write_apart(line)

    def _close_script(self) -> None:
        """A script within a script becomes part of its text."""
        script, parts = self._scripts.pop()
        text = "".join(parts)
        if self._scripts:
            inner = text.strip()
            write = raised if script is Script.RAISED else lowered
            self._scripts[-1][1].append(write(inner) if inner else "")
        elif text:
            self._line.write(text, script)

    def characters(self, text: str) -> None:
        if self._datum is not None:
            self._datum.append(text)
        elif self._set is None or self._hidden or self._deleted:
            pass
        elif self._formula is not None:
            self._count(text)
            self._formula.characters(text)
        elif self._patdoc and not self._pdat:
            if not text.strip() and not _LINE_ENDS.isdisjoint(text):
                self._loose_space()
        else:
            self._write(text)

    def _write(self, text: str) -> None:
        """Text with single spaces; a line end beside mark-up may be layout."""
        inner = text.strip(_WHITE)
        lead, trail = text[: len(text) - len(text.lstrip(_WHITE))], text[len(text.rstrip(_WHITE)) :]
        first, last = (not _LINE_ENDS.isdisjoint(given) for given in (lead, trail))
        if first:
            self._loose_space()
        if inner or not first:
            self._count(inner)
            before, after = " " if lead and not first else "", " " if inner and trail and not last else ""
            self._put(f"{before}{_SPACE.sub(' ', inner)}{after}")
        if inner and last:
            self._loose_space()

    def _put(self, text: str) -> None:
        if self._scripts:
            self._scripts[-1][1].append(text)
            return
        self._line.write(text.lstrip(" ") if self._line.at_space else text)

    def _loose_space(self) -> None:
        if self._scripts:
            self._scripts[-1][1].append("\n")
        else:
            self._line.loose_space()

    def _lose(self, lost: Lost) -> None:
        """Writes the placeholder of a part that cannot be read."""
        if self._set is None or self._deleted or self._hidden:
            return
        self._count(lost.placeholder)
        self._line.write_apart(lost.placeholder, MARK)

    def _count(self, text: str) -> None:
        self._length += len(text)
        drafts.refuse_long_set(self._length, self._pointer)

    def instruction(self, target: str) -> None:
        if target in ("delete-start", "delete-end"):
            self._deleted = target == "delete-start"

    def unknown_character(self, name: str) -> None:
        self.unknown += 1

    def _break(self, mark: str) -> None:
        """Begins a line or cell; does nothing inside a reference, which is inline."""
        if not (self._reference or self._hidden):
            self._line.break_line(mark)

    def _take(self, name: str, text: str) -> None:
        if self._element is None:
            return
        if name in _NUMBERS:
            self._element.numbers = number(text) or self._element.numbers
        else:
            self._element.status = _status(text) or self._element.status


@dataclass(frozen=True, slots=True)
class _Holder:
    """An open element that holds a formula, structure or table, and the length of all text before it."""

    depth: int
    shows: Lost
    length: int


@lru_cache(maxsize=1024)
def _plain(name: str) -> str:
    return name.rpartition(":")[2].replace("-", "").lower()


def _attribute(attributes: Mapping[str, str], *names: str) -> str | None:
    return next((value for name, value in attributes.items() if _plain(name) in names), None)


def number(written: str | None) -> tuple[int, int] | None:
    """ "00003" is (3, 3), and "01-05" is (1, 5)."""
    match = _ATTRIBUTE_NUMBER.match(written or "")
    return (int(match[1]), max(int(match[1]), int(match[2] or match[1]))) if match else None


def _identity(attributes: Mapping[str, str]) -> tuple[int, int] | None:
    """The number in an id such as CLM-00003 or CLM-01-05; other offices use ids of other forms."""
    written = _attribute(attributes, "id") or ""
    return number(written) if written.upper().startswith("CLM-") else None


def _status(written: str | None) -> Status | None:
    words = f"({_SPACE.sub(' ', written).strip()})" if written else ""
    found = identifier(words, 0, len(words)) if len(words) > 2 else None
    return found.status if found else None


def _language(attributes: Mapping[str, str]) -> str:
    return (_attribute(attributes, "lang", "languagecode") or "").lower()
