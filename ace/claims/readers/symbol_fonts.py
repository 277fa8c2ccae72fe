"""What the characters of symbol fonts show, which have no meaning without their font.

Word stores such a character by its place in the font, plain (0x20 to 0xFF) or in the private area of Unicode
(U+F020 to U+F0FF). Symbol follows Unicode's mapping of the Adobe Symbol encoding (SYMBOL.TXT). Of Wingdings,
only arrows, bullets and check marks are here.
"""

from __future__ import annotations

from typing import Final

UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"
_PRIVATE: Final = range(0xF000, 0xF100)
_LARGEST: Final = 0x10FFFF
_NONE: Final = "\0"
"""Stands in the rows below for a place whose character is only a piece of a larger one."""

_ROWS: Final = {
    0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
    0x40: "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    0x60: f"{_NONE}αβχδεφγηιϕκλμνοπθρστυϖωξψζ{{|}}∼",
    0xA0: f"€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…{_NONE}{_NONE}↵",
    0xC0: "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    0xE0: f"◊〈®©™∑{_NONE * 11}〉∫",
}
_SYMBOL: Final = {
    first + place: character
    for first, row in _ROWS.items()
    for place, character in enumerate(row)
    if character != _NONE
}
_WINGDINGS: Final = dict(
    zip(
        bytes.fromhex("6c 6e 76 a7 a8 d8 df e0 e1 e2 e8 ef f0 f3 fb fc fd fe"),
        "●■❖▪◻➢←→↑↓➔⇦⇨⇔✗✓☒☑",
        strict=True,
    )
)
_FONTS: Final = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}
_OTHERS: Final = ("webdings", "wingdings 2", "wingdings 3", "zapfdingbats", "mt extra")


def shown(code: int, font: str) -> str:
    """The character that `font` shows for `code`; UNKNOWN if nobody can say without the font."""
    name = font.strip().lower()
    place = code - _PRIVATE.start if code in _PRIVATE else code
    if name in _FONTS and place < len(_PRIVATE):
        return _FONTS[name].get(place, UNKNOWN)
    if not 0x20 <= code <= _LARGEST or (name in _OTHERS and place < len(_PRIVATE)):
        return UNKNOWN
    character = chr(code)
    return character if character.isprintable() else UNKNOWN


def text_shown(text: str, font: str) -> str:
    """A text as `font` shows it: the characters of the private area, and all of them in the font Symbol."""
    if font.strip().lower() in _FONTS:
        return "".join(shown(ord(character), font) if character > " " else character for character in text)
    if text.isascii() or not any(ord(character) in _PRIVATE for character in text):
        return text
    return "".join(UNKNOWN if ord(character) in _PRIVATE else character for character in text)
