"""Which sets are warned about because nothing in them reads like a claim."""

import pytest

from ace.claims.readers import read_text
from ace.claims.readers.likeness import warnings


@pytest.mark.parametrize(
    "text",
    [
        "A lamp.",
        "1. The ornamental design for a chair, as shown.",
        "Compound of formula (I).",
        "Bracket, characterised by a hook.",
        "1. Hello world.\n2. A lamp.",
        "1. (Canceled)\n2. Method of drying hay.",
    ],
)
def test_claims_draw_no_warning(text: str) -> None:
    assert list(warnings(read_text(text))) == []


@pytest.mark.parametrize("text", ["hello world", "1. hello world", "1. (Canceled)\n2. Invoice 17 attached."])
def test_what_has_no_word_of_claims_draws_one(text: str) -> None:
    assert [note.code for note in warnings(read_text(text))] == ["unlike_claims"]


def test_notes_of_the_reader_are_warnings_too() -> None:
    claims = read_text("What is claimed is:\n1. A lamp.\nAbstract\nA lamp is disclosed.")
    assert list(warnings(claims)) == list(claims.notes)
