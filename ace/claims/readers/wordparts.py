"""The parts of a Word document that claims are read from, each with a handler of its own.

Inserted text of tracked changes is kept; deleted, struck and hidden text is left out, whether by its own
properties or those of its style. Of alternatives, the first that gives text is read. Headers, footers and
comments are other parts, and never read. Element names are those of ECMA-376 Part 1, 17, in its transitional
and its strict namespace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ace.claims.readers import drafts, symbol_fonts
from ace.claims.readers.formulas import Formula
from ace.claims.readers.lost_parts import MARK, Lost
from ace.claims.readers.notation import LinearText, Script
from ace.claims.readers.numbering import MAX_LEVELS, Level, Numbering
from ace.claims.readers.wordfields import Fields
from ace.claims.readers.wordgraphics import GRAPHICS, Graphic
from ace.claims.readers.wordstyles import HIDING, Look, Style, Styles, switched_on

_WORD: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_MATH: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "http://purl.oclc.org/ooxml/officeDocument/math",
)
_COMPATIBILITY: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_EXTENDED_SYMBOL: Final = "http://schemas.microsoft.com/office/word/2015/wordml/symex symEx"
FOOTNOTE: Final = "\ufdd0"
"""Stands in a paragraph for a reference to a footnote or endnote; no text contains this noncharacter."""
_RELATIONSHIPS: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
)
_LEFT_OUT: Final = frozenset({"del", "moveFrom", "rt", "delText"})
_LEVEL_HOLDERS: Final = frozenset({"lvl", "lvlOverride"})
_OF_LIST: Final = frozenset({"abstractNumId", "startOverride"})
_OF_DEFINITION: Final = frozenset({"numStyleLink", "styleLink"})
_NOTES: Final = frozenset({"footnoteReference", "endnoteReference"})
_EMBEDDED: Final = {"altChunk": "another document (altChunk)", "subDoc": "a subdocument (subDoc)"}
_FIELDS: Final = frozenset({"fldChar", "fldSimple", "instrText"})
_CONTROLS: Final = frozenset({"sdt", "showingPlcHdr"})
_SCRIPTS: Final = {"superscript": Script.RAISED, "subscript": Script.LOWERED}
_MAX_RAISED_CHARACTERS: Final = 12
_LEAST_RAISE: Final = 4
"""Half points by which a short text is raised or lowered as a script is, not to be set evenly."""


@dataclass(slots=True)
class Paragraph:
    """Text and numbering of a paragraph. `joined`: the next one continues in the same line, because the mark
    between them is deleted; `mark` has the properties of that mark, which may be hidden.
    """

    parts: list[str] = field(default_factory=list)
    style: str | None = None
    number: str | None = None
    level: int | None = None
    joined: bool = False
    mark: Look = field(default_factory=Look)
    line: LinearText = field(init=False, repr=False, compare=False)
    """Writes to `parts`."""

    def __post_init__(self) -> None:
        self.line = LinearText(self.parts)


@dataclass(slots=True)
class _Alternatives:
    """Mark-up in several forms (ECMA-376 Part 3, 7.5), of which one is shown.

    `since`: how much was read before the form that is open; `symbol`: one is a symbol that cannot be read.
    """

    read: bool = False
    passed_over: bool = False
    since: int = 0
    symbol: bool = False


class _Part:
    """A part of the package: passes elements in Word's namespace to `word`, with plain attribute names."""

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
    """A part of relationships: the paths of other parts by type ("officeDocument", "numbering")."""

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
            level.format = value or level.format
        elif name == "lvlText":
            level.text = value[:100]
        elif name == "pStyle":
            level.style = value
        elif name == "lvlRestart":
            level.restart = _integer(value, 0)

    def word_end(self, name: str) -> None:
        if name == "lvl":
            self._level = None
        elif name == "abstractNum":
            self._definition = None
        elif name == "num":
            self._list = None


class StyleSheet(_Part):
    """styles.xml."""

    def __init__(self) -> None:
        self.styles = Styles()
        self._style: Style | None = None
        self._defaults = 0

    def word(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "style":
            kind, identity = attributes.get("type", "paragraph"), attributes.get("styleId", "")
            default = switched_on(attributes.get("default", "0"))
            self._style = self.styles.add(identity, kind, default=default)
        elif name == "rPrDefault":
            self._defaults += 1
        elif self._style is not None:
            self._of_style(self._style, name, attributes.get("val"))
        elif self._defaults and name in HIDING:
            self.styles.defaults[name] = switched_on(attributes.get("val"))

    def _of_style(self, style: Style, name: str, value: str | None) -> None:
        if name == "basedOn":
            style.based_on = value
        elif name == "numId":
            style.number = value
        elif name == "ilvl":
            style.level = _integer(value, 0)
        elif name == "vertAlign":
            style.script = _SCRIPTS.get(value or "", Script.NONE)
        elif name in HIDING:
            style.hiding[name] = switched_on(value)

    def word_end(self, name: str) -> None:
        if name == "style":
            self._style = None
        elif name == "rPrDefault":
            self._defaults -= 1


class Document(_Part):
    """document.xml: its paragraphs, those of text boxes after the paragraph that anchors them."""

    def __init__(self, pointer: str, styles: Styles | None = None) -> None:
        self.paragraphs: list[Paragraph] = []
        self.embedded: str | None = None
        """What the document shows but does not contain, if anything."""
        self._pointer = pointer
        self._styles = styles or Styles()
        self._open: list[Paragraph] = []
        self._after: list[Paragraph] = []
        self._runs: list[Look] = []
        self._tables: list[str | None] = []
        self._alternatives: list[_Alternatives] = []
        self._fields = Fields()
        self._prompts: list[bool] = []
        """For each content control that is open, whether it only asks for text (showingPlcHdr)."""
        self._hidden = 0
        self._former = 0
        """Depth inside the former properties of a tracked change."""
        self._in_run = self._in_text = self._properties = 0
        self._formula: Formula | None = None
        self._graphics: list[Graphic] = []
        self._length = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        if space == _COMPATIBILITY:
            self._of_alternatives(local)
        elif name == _EXTENDED_SYMBOL:
            self._extended_symbol({key.rpartition(" ")[2]: value for key, value in attributes.items()})
        elif space in _MATH:
            self._math(local, {key.rpartition(" ")[2]: value for key, value in attributes.items()})
        elif self._graphics and space not in _WORD:
            self._graphics[-1].take(local, attributes)
        super().start(name, attributes)

    def end(self, name: str) -> None:
        space, _, local = name.rpartition(" ")
        if space == _COMPATIBILITY:
            self._end_of_alternatives(local)
        elif space in _MATH:
            self._math_end(local)
        super().end(name)

    def _math(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element of a formula opens."""
        if name == "t":
            self._in_text += 1
        elif name == "r":
            self._runs.append(Look())
        if name == "oMath" and self._formula is None:
            self._formula = Formula()
        elif self._formula is not None:
            self._formula.start(name, attributes)

    def _math_end(self, name: str) -> None:
        if name == "t":
            self._in_text -= 1
        elif name == "r":
            self._runs.pop()
        if name != "oMath" and self._formula is not None:
            self._formula.end(name)
        elif name == "oMath" and self._formula is not None:
            line, self._formula = self._formula.line(), None
            if line is None:
                self._lose(Lost.FORMULA)
            else:
                self._put_apart(line)

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
        elif name in GRAPHICS:
            self._graphics.append(Graphic(name))
        elif name == "p":
            self._open.append(Paragraph())
        elif name in _EMBEDDED and not self._hidden:
            self.embedded = self.embedded or _EMBEDDED[name]
        else:
            self._of_text(name, attributes)

    def _of_text(self, name: str, attributes: Mapping[str, str]) -> None:
        """A run, its text, or what stands for text in it; a table; a field."""
        if name == "r":
            self._runs.append(Look())
            self._in_run += 1
        elif name == "t":
            self._in_text += 1
        elif name == "tbl":
            self._tables.append(None)
        elif name == "tblStyle" and self._tables:
            self._tables[-1] = attributes.get("val")
        elif name == "txbxContent" and self._graphics:
            self._graphics[-1].text = True
        elif name in _FIELDS:
            self._of_field(name, attributes)
        elif name in _CONTROLS:
            self._of_control(name, attributes)
        elif self._runs:
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
        elif name in GRAPHICS:
            self._close_graphic(self._graphics.pop())
        elif name == "p" and self._open:
            self._close(self._open.pop())
        else:
            self._end_of_text(name)

    def _end_of_text(self, name: str) -> None:
        if name == "r":
            self._in_run -= 1
            self._runs.pop()
        elif name == "t":
            self._in_text -= 1
        elif name == "tbl":
            self._tables.pop()
        elif name == "sdt":
            self._end_of_control()
        elif name == "instrText":
            self._fields.instruction_open = False
        elif name == "fldSimple":
            self._put_result(self._fields.end())

    def characters(self, text: str) -> None:
        if self._fields.instruction_open:
            self._fields.instruct(text)
        elif self._in_text and self._formula is not None:
            if self._counts(text):
                self._formula.characters(text)
        elif self._in_text:
            text = text.replace(FOOTNOTE, symbol_fonts.UNKNOWN)
            font = self._runs[-1].font if self._runs else ""
            self._put(symbol_fonts.text_shown(text, font), self._script_of(text))

    def _script_of(self, text: str) -> Script:
        """How the text of the run is set: short text may be a script by its position alone."""
        if not self._runs or not self._open:
            return Script.NONE
        run = self._runs[-1]
        script = self._styles.script(run, self._open[-1].style)
        short = len(text) <= _MAX_RAISED_CHARACTERS and not any(map(str.isspace, text))
        if script is not Script.NONE or abs(run.shift) < _LEAST_RAISE or not short:
            return script
        return Script.RAISED if run.shift > 0 else Script.LOWERED

    def _close(self, paragraph: Paragraph) -> None:
        paragraph.line.close()
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
            # The mark at its end is deleted: the next paragraph continues in the same line.
            paragraph.joined = True
        elif name in HIDING:
            paragraph.mark.hiding[name] = switched_on(value)

    def _of_run(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in HIDING:
            self._runs[-1].hiding[name] = switched_on(attributes.get("val"))
        elif name == "rStyle":
            self._runs[-1].style = attributes.get("val")
        elif name == "rFonts":
            self._runs[-1].font = attributes.get("ascii") or self._runs[-1].font
        elif name == "vertAlign":
            self._runs[-1].script = _SCRIPTS.get(attributes.get("val", ""), Script.NONE)
        elif name == "position":
            self._runs[-1].shift = _shift(attributes.get("val", ""))
        elif name == "sym" and self._in_run:
            symbol = _symbol(attributes)
            self._put(symbol, self._script_of(symbol))
        elif self._in_run:
            self._put(self._in_place_of_text(name))

    def _in_place_of_text(self, name: str) -> str:
        """What an element of a run stands for; empty if it is no text."""
        if name in ("tab", "ptab"):
            return "\t"
        if name in ("br", "cr"):
            return "\n"
        if name == "noBreakHyphen":
            return "-"
        return FOOTNOTE if name in _NOTES else ""

    def _of_field(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "instrText":
            self._fields.instruction_open = True
        elif name == "fldSimple":
            self._fields.begin()
            self._fields.instruct(attributes.get("instr", ""))
            self._fields.separate()
        else:
            self._put_result(self._fields.character(attributes.get("fldCharType", "")))

    def _of_control(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sdt":
            self._prompts.append(False)
        elif self._prompts and not self._prompts[-1] and switched_on(attributes.get("val")):
            self._prompts[-1] = True
            self._hidden += 1

    def _end_of_control(self) -> None:
        if self._prompts and self._prompts.pop():
            self._hidden -= 1
            self._put(symbol_fonts.UNKNOWN)

    def _of_alternatives(self, name: str) -> None:
        if name == "AlternateContent":
            self._alternatives.append(_Alternatives())
        elif self._alternatives:
            forms = self._alternatives[-1]
            forms.since, forms.passed_over = self._length, forms.read
            self._hidden += forms.read

    def _end_of_alternatives(self, name: str) -> None:
        if not self._alternatives:
            return
        forms = self._alternatives[-1]
        if name != "AlternateContent":
            self._hidden -= forms.passed_over
            forms.read = forms.read or self._length > forms.since
            return
        if forms.symbol and not forms.read:
            self._put(symbol_fonts.UNKNOWN)
        self._alternatives.pop()

    def _extended_symbol(self, attributes: Mapping[str, str]) -> None:
        symbol = _symbol(attributes)
        if symbol != symbol_fonts.UNKNOWN or not self._alternatives:
            self._put(symbol)
        else:
            self._alternatives[-1].symbol = True

    def _put(self, text: str, script: Script = Script.NONE) -> None:
        if text and self._counts(text):
            self._open[-1].line.write(text, script)

    def _put_apart(self, line: str, mark: str = "") -> None:
        if line and self._counts(line):
            self._open[-1].line.write_apart(line, mark)

    def _lose(self, lost: Lost) -> None:
        self._put_apart(lost.placeholder, MARK)

    def _put_result(self, result: str | Lost) -> None:
        """What stands for the result of a field."""
        if isinstance(result, Lost):
            self._lose(result)
        else:
            self._put_apart(result)

    def _close_graphic(self, graphic: Graphic) -> None:
        if graphic.lost is not None:
            self._lose(graphic.lost)

    def _counts(self, text: str) -> bool:
        """Whether text here belongs to a paragraph and is seen; its length is then added."""
        if self._hidden or not self._open or self._fields.hide or self._unseen():
            return False
        self._length += len(text)
        drafts.refuse_long_set(self._length, self._pointer)
        self._fields.show()
        return True

    def _unseen(self) -> bool:
        run = self._runs[-1] if self._runs else Look()
        return self._styles.hide(run, self._open[-1].style, self._tables[-1] if self._tables else None)


def _shift(written: str) -> int:
    """The half points of "-6" or "+8"."""
    size = _integer(written.lstrip("+-"), 0)
    return -size if written.startswith("-") else size


def _symbol(attributes: Mapping[str, str]) -> str:
    try:
        code = int(attributes.get("char", ""), 16)
    except ValueError:
        return symbol_fonts.UNKNOWN
    return symbol_fonts.shown(code, attributes.get("font", ""))


def _integer(written: str | None, otherwise: int) -> int:
    return (
        int(written)
        if written is not None and written.isascii() and written.isdigit() and len(written) < 7
        else otherwise
    )
