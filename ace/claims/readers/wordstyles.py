"""Styles of a Word document as far as claims depend on them: numbering, and whether text is seen or a script.

What a property is, after all styles that apply (ECMA-376 Part 1, 17.7.2 and 17.7.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ace.claims.readers.notation import Script

HIDING: Final = frozenset({"strike", "dstrike", "vanish", "webHidden", "specVanish"})
"""Properties of text that is struck or hidden."""
_TOGGLES: Final = frozenset({"strike", "vanish"})
"""Of these, two styles that both apply cancel each other out."""
_HIDING_MARKS: Final = ("vanish", "specVanish")
_OFF: Final = frozenset({"0", "false", "off", "none"})
MAX_BASES: Final = 32
"""How many styles are followed that one is based on."""


def switched_on(value: str | None) -> bool:
    """The value of an on-off property, which is on if it has none."""
    return value not in _OFF


@dataclass(slots=True)
class Look:
    """Properties that text has itself; `shift` is the half points by which it is raised."""

    style: str | None = None
    font: str = ""
    script: Script | None = None
    shift: int = 0
    hiding: dict[str, bool] = field(default_factory=dict)


@dataclass(slots=True)
class Style:
    """A style's own numbering and properties of text, without those of the style that it is based on."""

    based_on: str | None = None
    number: str | None = None
    level: int | None = None
    script: Script | None = None
    hiding: dict[str, bool] = field(default_factory=dict)


class Styles:
    """The styles of a document by id, and its defaults."""

    def __init__(self) -> None:
        self.by_id: dict[str, Style] = {}
        self.defaults: dict[str, bool] = {}
        self._default_of: dict[str, str] = {}
        self._known: dict[tuple[str | None, str | None, str | None], dict[str, bool]] = {}
        self._scripts: dict[tuple[str | None, str | None], Script] = {}

    def add(self, identity: str, kind: str, *, default: bool) -> Style:
        """The style of this id; `default` if it applies to whatever of its kind names none."""
        if default:
            self._default_of.setdefault(kind, identity)
        return self.by_id.setdefault(identity, Style())

    @property
    def default_paragraph(self) -> str | None:
        """The style of paragraphs that name none."""
        return self._default_of.get("paragraph")

    def hide(self, text: Look, paragraph: str | None, table: str | None) -> bool:
        """Whether text in a paragraph and a table of these styles is struck or hidden."""
        return any(self._effective(text, paragraph, table).values())

    def hide_mark(self, mark: Look, paragraph: str | None) -> bool:
        """Whether the mark at the end of a paragraph is hidden: the next one continues in its line."""
        effective = self._effective(mark, paragraph, None)
        return any(effective.get(name, False) for name in _HIDING_MARKS)

    def script(self, text: Look, paragraph: str | None) -> Script:
        """How text in a paragraph of this style is set, by its own property or else by the nearest style."""
        if text.script is not None or not self.by_id:
            return text.script or Script.NONE
        names = (text.style or self._default_of.get("character"), paragraph or self.default_paragraph)
        if names not in self._scripts:
            looks = (style.script for name in names for style in self._chain(name))
            self._scripts[names] = next((script for script in looks if script is not None), Script.NONE)
        return self._scripts[names]

    def _effective(self, text: Look, paragraph: str | None, table: str | None) -> dict[str, bool]:
        if not self.by_id and not self.defaults:
            return text.hiding
        names = (table, paragraph, text.style)
        if names not in self._known:
            self._known[names] = self._styled(*names)
        return self._known[names] | text.hiding if text.hiding else self._known[names]

    def _styled(self, table: str | None, paragraph: str | None, character: str | None) -> dict[str, bool]:
        named = (("table", table), ("paragraph", paragraph), ("character", character))
        looks = [self._inherited(name or self._default_of.get(kind)) for kind, name in named]
        styled: dict[str, bool] = {}
        for name in HIDING:
            values = [look[name] for look in looks if name in look]
            if name in _TOGGLES:
                styled[name] = self.defaults.get(name, False) or sum(values) % 2 == 1
            else:
                styled[name] = [self.defaults.get(name, False), *values][-1]
        return styled

    def _inherited(self, name: str | None) -> dict[str, bool]:
        """The properties of a style and of those that it is based on; the nearest counts."""
        properties: dict[str, bool] = {}
        for style in self._chain(name):
            properties = style.hiding | properties
        return properties

    def _chain(self, name: str | None) -> Iterator[Style]:
        """A style and those that it is based on."""
        for _ in range(MAX_BASES):
            style = self.by_id.get(name) if name is not None else None
            if style is None:
                return
            yield style
            name = style.based_on
