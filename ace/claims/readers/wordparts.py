"""The parts of a Word document that claims are read from, each as what it says of the text.

Insertions of tracked changes are kept, deletions, struck and hidden text left out; headers, footers, notes
and comments are other parts and never read. Element names are those of ECMA-376 Part 1, 17, in its
transitional and its strict namespace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ace.claims.readers import drafts
from ace.claims.readers.numbering import MAX_LEVELS, Level, Numbering

_WORD: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_MATH: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "http://purl.oclc.org/ooxml/officeDocument/math",
)
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_RELATIONSHIPS: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
)
_LEFT_OUT = frozenset({"del", "moveFrom", "rt", "instrText", "delText"})
_LEVEL_HOLDERS = frozenset({"lvl", "lvlOverride"})
_OF_LIST = frozenset({"abstractNumId", "startOverride"})
_OF_DEFINITION = frozenset({"numStyleLink", "styleLink"})
_UNSEEN = frozenset({"strike", "dstrike", "vanish"})
_OFF = frozenset({"0", "false", "off", "none"})
_SYMBOLS: Final = dict(
    zip(
        "abgdezhqiklm" + "nxoprstufcyw",
        "αβγδεζηθικλμ" + "νξοπρστυφχψω",
        strict=True,
    )
) | {
    "W": "Ω",
    "D": "Δ",
    "S": "Σ",
    "\xb0": "°",
    "\xb1": "±",
    "\xb3": "≥",
    "\xa3": "≤",
    "\xb4": "×",
    "\xb7": "•",
}


@dataclass(slots=True)
class Paragraph:
    """Text and numbering of a paragraph. `joined` where the next one goes on in the same line."""

    parts: list[str] = field(default_factory=list)
    style: str | None = None
    number: str | None = None
    level: int | None = None
    joined: bool = False


@dataclass(slots=True)
class Style:
    """What a paragraph style says of numbering."""

    based_on: str | None = None
    number: str | None = None
    level: int | None = None


class _Part:
    """A part of the package: tells `word` of elements in Word's namespace, with their attributes' names."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        if space in _WORD:
            self.word(local, {key.rpartition(" ")[2]: value for key, value in attributes.items()})

    def end(self, name: str) -> None:
        space, _, local = name.rpartition(" ")
        if space in _WORD:
            self.word_end(local)

    def word(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element of Word's opens."""

    def word_end(self, name: str) -> None:
        """An element of Word's closes."""

    def characters(self, text: str) -> None:
        """Text."""

    def instruction(self, target: str) -> None:
        """Nothing in Word's own files."""

    def unknown_character(self, name: str) -> None:
        """Word names no characters."""


class Relations(_Part):
    """A part of relationships: where parts of a kind ("officeDocument", "numbering") are."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        space, _, kind = attributes.get("Type", "").rpartition("/")
        target = attributes.get("Target")
        if name.rpartition(" ")[2] == "Relationship" and space in _RELATIONSHIPS and target:
            self.parts[kind] = target


class Lists(_Part):
    """numbering.xml."""

    def __init__(self) -> None:
        self.numbering = Numbering()
        self._definition: str | None = None
        self._list: str | None = None
        self._level: Level | None = None
        self._at = 0

    def word(self, name: str, attributes: Mapping[str, str]) -> None:
        value = attributes.get("val", "")
        if name in _LEVEL_HOLDERS:
            self._at = min(_integer(attributes.get("ilvl"), 0), MAX_LEVELS - 1)
        if name == "abstractNum":
            self._definition = attributes.get("abstractNumId", "")
            self.numbering.definitions[self._definition] = {}
        elif name == "num":
            self._list = attributes.get("numId", "")
        elif name == "lvl":
            self._level = Level()
            self._add(self._level)
        elif name in _OF_LIST:
            self._of_list(name, value)
        elif name in _OF_DEFINITION:
            self._of_definition(name, value)
        elif self._level is not None:
            self._of_level(self._level, name, value)

    def _add(self, level: Level) -> None:
        """Takes in a level of the list that is open, or else of the definition."""
        if self._list is not None:
            self.numbering.levels.setdefault(self._list, {})[self._at] = level
        elif self._definition is not None:
            self.numbering.definitions[self._definition][self._at] = level

    def _of_list(self, name: str, value: str) -> None:
        if self._list is None:
            return
        if name == "abstractNumId":
            self.numbering.lists[self._list] = value
        else:
            self.numbering.starts.setdefault(self._list, {})[self._at] = _integer(value, 1)

    def _of_definition(self, name: str, value: str) -> None:
        if self._definition is None:
            return
        if name == "numStyleLink":
            self.numbering.style_links[self._definition] = value
        else:
            self.numbering.linked[value] = self._definition

    def _of_level(self, level: Level, name: str, value: str) -> None:
        if name == "start":
            level.start = _integer(value, 1)
        elif name == "numFmt":
            level.format = value
        elif name == "lvlText":
            level.text = value[:100]
        elif name == "pStyle":
            level.style = value

    def word_end(self, name: str) -> None:
        if name == "lvl":
            self._level = None
        elif name == "abstractNum":
            self._definition = None
        elif name == "num":
            self._list = None


class Styles(_Part):
    """styles.xml."""

    def __init__(self) -> None:
        self.styles: dict[str, Style] = {}
        self._style: Style | None = None

    def word(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "style":
            self._style = self.styles.setdefault(attributes.get("styleId", ""), Style())
        elif self._style is not None:
            value = attributes.get("val")
            if name == "basedOn":
                self._style.based_on = value
            elif name == "numId":
                self._style.number = value
            elif name == "ilvl":
                self._style.level = _integer(value, 0)

    def word_end(self, name: str) -> None:
        if name == "style":
            self._style = None


class Document(_Part):
    """document.xml: its paragraphs, those of text boxes after the paragraph that anchors them."""

    def __init__(self, pointer: str) -> None:
        self.paragraphs: list[Paragraph] = []
        self.unknown = 0
        self._pointer = pointer
        self._open: list[Paragraph] = []
        self._after: list[Paragraph] = []
        self._hidden = 0
        self._former = 0
        """Inside what a tracked change of properties says of how they were."""
        self._unseen = False
        self._in_run = self._in_mark = self._in_text = self._properties = 0
        self._length = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == _FALLBACK:
            self._hidden += 1
        space, _, local = name.rpartition(" ")
        if space in _MATH and local == "t":
            self._in_text += 1
        super().start(name, attributes)

    def end(self, name: str) -> None:
        if name == _FALLBACK:
            self._hidden -= 1
        space, _, local = name.rpartition(" ")
        if space in _MATH and local == "t":
            self._in_text -= 1
        super().end(name)

    def word(self, name: str, attributes: Mapping[str, str]) -> None:
        if name.endswith("Change"):
            self._former += 1
        if self._former:
            return
        if name == "pPr":
            self._properties += 1
        elif self._properties:
            self._of_paragraph(name, attributes)
        elif name in _LEFT_OUT:
            self._hidden += 1
        elif name == "p":
            self._open.append(Paragraph())
            self._unseen = False
        elif name in _UNSEEN and attributes.get("val", "1") not in _OFF:
            self._unseen = True
        else:
            self._of_text(name, attributes)

    def _of_text(self, name: str, attributes: Mapping[str, str]) -> None:
        """A run, its text, or what stands for text in it."""
        if name == "r":
            self._unseen = False
            self._in_run += 1
        elif name == "t":
            self._in_text += 1
        elif self._in_run:
            self._of_run(name, attributes)

    def word_end(self, name: str) -> None:
        if name.endswith("Change"):
            self._former -= 1
        elif self._former:
            pass
        elif name == "pPr":
            self._properties -= 1
        elif self._properties:
            pass
        elif name in _LEFT_OUT:
            self._hidden -= 1
        elif name == "p" and self._open:
            self._close(self._open.pop())
        elif name == "r":
            self._in_run -= 1
            self._unseen = False
        elif name == "t":
            self._in_text -= 1

    def characters(self, text: str) -> None:
        if self._in_text:
            self._put(text)

    def _close(self, paragraph: Paragraph) -> None:
        if self._hidden:
            return
        if self._open:
            self._after.append(paragraph)
            return
        self.paragraphs += (paragraph, *self._after)
        self._after = []

    def _of_paragraph(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self._open:
            return
        paragraph = self._open[-1]
        value = attributes.get("val")
        if name == "pStyle":
            paragraph.style = value
        elif name == "numId":
            paragraph.number = value
        elif name == "ilvl":
            paragraph.level = _integer(value, 0)
        elif name in ("del", "moveFrom"):
            # The mark at its end is deleted: the next paragraph goes on in the same line.
            paragraph.joined = True

    def _of_run(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "tab":
            self._put("\t")
        elif name in ("br", "cr"):
            self._put("\n")
        elif name == "noBreakHyphen":
            self._put("-")
        elif name == "sym":
            self._put(self._symbol(attributes))

    def _symbol(self, attributes: Mapping[str, str]) -> str:
        try:
            code = int(attributes.get("char", ""), 16)
        except ValueError:
            code = 0
        private = 0xF000 <= code <= 0xF0FF
        if private and attributes.get("font", "").lower().startswith("symbol"):
            found = chr(code - 0xF000)
            found = _SYMBOLS.get(found, found if " " <= found <= "?" else "")
        else:
            found = chr(code) if 0x20 <= code < 0xD800 else ""
        if not found:
            self.unknown += 1
        return found or "\ufffd"

    def _put(self, text: str) -> None:
        if self._hidden or self._unseen or not self._open:
            return
        self._length += len(text)
        drafts.refuse_long_set(self._length, self._pointer)
        self._open[-1].parts.append(text)


def _integer(written: str | None, otherwise: int) -> int:
    return (
        int(written)
        if written is not None and written.isascii() and written.isdigit() and len(written) < 7
        else otherwise
    )
