"""Combining marks: cut to what the Unicode standard allows, and normalised in linear time without a cut."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.language.combining_marks import MAX_MARKS, excess_marks, nfc
from ace.claims.readers import read_claims, read_file, read_text
from tests.pumping import Attack, given_up_when_stuck, slow_growth
from tests.unit.claims.readers.word import document, saved

ACUTE, BELOW = "\u0301", "\u0323"
MADE_OF_MARKS = "\u0344\u0f73\u0f75\u0f81"
"""Characters that normalisation takes apart into marks; all but the first are not called marks."""
WRITTEN = {
    "Vietnamese, decomposed": unicodedata.normalize("NFD", "một thiết bị gồm đế và nắp được gắn"),
    "Hebrew with vowels and accents": "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים",
    "Hindi": "प्लेट से जुड़ा हुआ क्षेत्रज्ञ",
    "Tibetan": "བསྒྲུབས་པའི་རྫོགས་ཆེན་",
    "Thai": "ที่นี่มีน้ำ",
    "Arabic": "بِسْمِ ٱللَّهِ",
    "phonetic": "ˈt͡ʃɪ̃ːn̪ə̃̀ˑɫ̩ d̪͡z̪ʷ",
    "mathematics": "x̄ and ẍ̂ and a⃗",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN.keys())
def test_what_languages_write_stays_as_it_is(text: str) -> None:
    assert excess_marks(text) == []
    claim = f"A lamp comprising a base, a shade, and a plate, wherein the words {text} are on the plate."
    claims = read_claims([(1, claim)])
    assert (claims[1].text, claims.notes) == (claim, ())


@pytest.mark.parametrize("mark", [ACUTE, *MADE_OF_MARKS])
@pytest.mark.parametrize(
    ("count", "kept"), [(MAX_MARKS, MAX_MARKS), (MAX_MARKS + 1, MAX_MARKS), (5_000, MAX_MARKS)]
)
@pytest.mark.parametrize("partial", [True, False])
def test_marks_beyond_the_limit_are_left_out_with_a_note(
    mark: str, count: int, kept: int, partial: bool
) -> None:
    # Given a set whose second claim has many marks on one letter, and some on another
    text = f"The lamp of claim 1, wherein the ba{mark * count}se is re{mark}d."
    # When it is read
    claims = read_claims([(1, "A lamp comprising a base."), (2, text)], partial=partial)
    # Then the first of them are kept, and a note names the claim and the count
    assert claims[2].text == text.replace(mark * count, mark * kept)
    notes = [(note.code, note.claim) for note in claims.notes]
    assert notes == ([("combining_marks", 2)] if count > kept else [])
    assert all(str(count - kept) in note.message for note in claims.notes)


def _xml(text: str) -> bytes:
    claim = f'<claim num="1"><claim-text>1. {text}</claim-text></claim>'
    return f'<?xml version="1.0"?><us-patent-grant><claims>{claim}</claims></us-patent-grant>'.encode()


def _docx(text: str) -> bytes:
    made = document()
    made.add_paragraph(f"1. {text}")
    return saved(made)


@pytest.mark.parametrize("partial", [True, False])
@pytest.mark.parametrize(
    "written", [lambda text: f"1. {text}".encode(), _xml, _docx], ids=["text", "xml", "docx"]
)
def test_every_file_is_cut_alike_and_places_still_point_at_the_source(
    written: Callable[[str], bytes], partial: bool
) -> None:
    text = f"A lamp  comprising a ba{ACUTE * 100}se and a shade."
    claims = read_file(written(text), pointer="", partial=partial)
    assert claims[1].text == f"A lamp comprising a ba{ACUTE * MAX_MARKS}se and a shade."
    assert [(note.code, note.claim) for note in claims.notes] == [("combining_marks", 1)]
    at = claims[1].text.index("shade")
    start, end = claims[1].source_span(at, at + 5) or (0, 0)
    assert (claims.source or "")[start:end] == "shade"


def test_marks_of_a_canceled_claim_go_with_its_text() -> None:
    claims = read_text(f"1. A lamp.\n2. (Canceled) The la{ACUTE * 99}mp of claim 1.")
    assert "combining_marks" not in [note.code for note in claims.notes]


ALPHABET = [
    *"aeio ",
    "\u1ebf",
    "\uac01",
    "\u1100",
    "\u1161",
    "\u304b",
    *MADE_OF_MARKS,
    ACUTE,
    BELOW,
    "\u05b0",
    "\u0f71",
    "\u3099",
]


@given(st.lists(st.tuples(st.sampled_from(ALPHABET), st.sampled_from([1, 2, 40])), max_size=12))
def test_it_is_the_normal_form_of_any_text(rows: list[tuple[str, int]]) -> None:
    text = "".join(character * count for character, count in rows)
    assert nfc(text) == unicodedata.normalize("NFC", text)


PUMPS = [
    ACUTE + BELOW,
    BELOW + ACUTE,
    "\u0344\u0323",
    "\u0f73\u0f71",
    ACUTE,
    "a" + ACUTE,
    "\u1ebf" + BELOW,
    "\u1100\u1161",
]


@pytest.mark.parametrize("head", ["a", "\u1ebf", ""])
def test_its_time_grows_with_the_text_and_not_with_the_square(head: str) -> None:
    with given_up_when_stuck():
        assert [slow_growth(nfc, Attack(head, pump)) for pump in PUMPS] == [None] * len(PUMPS)


def test_the_measure_finds_what_python_does() -> None:
    with given_up_when_stuck():
        assert (
            slow_growth(lambda text: unicodedata.normalize("NFC", text), Attack("a", ACUTE + BELOW))
            is not None
        )
