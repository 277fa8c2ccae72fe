"""Symbols of fonts, and symbols in several forms: each is read once, or a note names the claim."""

import pytest

from ace.claims.readers import read_file
from ace.claims.readers.symbol_fonts import UNKNOWN, shown
from tests.unit.claims.readers.word import package

SPACES = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:se="http://schemas.microsoft.com/office/word/2015/wordml/symex"'
)


def forms(choice: str, fallback: str | None) -> str:
    """Mark-up in two forms."""
    other = "" if fallback is None else f"<mc:Fallback>{fallback}</mc:Fallback>"
    first = f'<mc:Choice Requires="w16se">{choice}</mc:Choice>'
    return f"<mc:AlternateContent {SPACES}>{first}{other}</mc:AlternateContent>"


def symbol(code: str, font: str = "Segoe UI Emoji") -> str:
    return f'<se:symEx se:font="{font}" se:char="{code}"/>'


@pytest.mark.parametrize(
    ("code", "font", "character"),
    [
        (0xF061, "Symbol", "α"),
        (0x61, "Symbol", "α"),
        (0xF0AE, "Symbol", "→"),
        (0xF0B3, "symbol", "≥"),
        (0xF0E0, "Wingdings", "→"),
        (0xF0FC, "Wingdings", "✓"),
        (0x2192, "Cambria Math", "→"),
        (0x1F600, "Segoe UI Emoji", "😀"),
        (0xF04A, "Wingdings", UNKNOWN),
        (0xF04A, "MT Extra", UNKNOWN),
        (0x4A, "Webdings", UNKNOWN),
        (0xE123, "Arial", UNKNOWN),
        (0xD800, "Arial", UNKNOWN),
        (0x1F, "Arial", UNKNOWN),
        (0x9F, "Arial", UNKNOWN),
        (0x110000, "Arial", UNKNOWN),
    ],
)
def test_what_a_font_shows(code: int, font: str, character: str) -> None:
    assert shown(code, font) == character


@pytest.mark.parametrize(
    ("inner", "text", "noted"),
    [
        (forms(symbol("25B6"), "<w:t>▶</w:t>"), "▶", False),
        (forms(symbol("1F600"), "<w:t>😀</w:t>"), "😀", False),
        (forms("<se:unheard/>", "<w:t>↔</w:t>"), "↔", False),
        (forms("<se:unheard/>", '<w:sym w:font="Symbol" w:char="F0AB"/>'), "↔", False),
        (forms(symbol("F04A", "Odd"), "<w:t>☺</w:t>"), "☺", False),
        (forms(symbol("F04A", "Odd"), None), UNKNOWN, True),
        (forms(symbol("F04A", "Odd"), "<w:pict/>"), UNKNOWN, True),
        (forms("<w:t>▶</w:t>", f"<w:t>{forms('<w:t>▶</w:t>', None)}</w:t>"), "▶", False),
        (forms('<w:drawing><a:graphicData xmlns:a="a"/></w:drawing>', "<w:pict/>"), "", False),
        (symbol("2194").replace("<se:symEx", f"<se:symEx {SPACES}"), "↔", False),
        ('<w:sym w:font="Odd" w:char="xyz"/>', UNKNOWN, True),
        ('<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf061\uf0ae</w:t>', "α→", False),
        ("<w:t>\uf061</w:t>", UNKNOWN, True),
    ],
)
def test_a_symbol_is_read_once_or_noted(inner: str, text: str, noted: bool) -> None:
    # Given a claim with a symbol in one form or several
    body = (
        "<w:p><w:r><w:t>1. A lamp.</w:t></w:r></w:p><w:p><w:r><w:t>2. A key “</w:t></w:r>"
        f"<w:r>{inner}</w:r><w:r><w:t>” and a lid.</w:t></w:r></w:p>"
    )
    claims = read_file(package(body))
    # Then it is in the text once; a note names the claim if nobody can tell what it shows
    assert claims[2].text == f"A key “{text}” and a lid."
    assert [(note.code, note.claim) for note in claims.notes] == ([("unknown_character", 2)] if noted else [])
