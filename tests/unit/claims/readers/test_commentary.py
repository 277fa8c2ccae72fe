"""Comments between and in claims: left out, noted, and never read for references."""

import pytest

from ace.claims.readers import read_text

KETTLE = "A kettle comprising a vessel and a lid."
LID = "The kettle of claim 1, wherein the lid is round."

COMMENTS = [
    "[Comment: is claim 7 supported?]",
    "[Drafter's note - see claim [7] and\nclaim 8]",
    "[Note to examiner]",
    "[Attorney comment 2: claim 7 is new]",
    "(Note: claim 7 is new.)",
    "*** check claim 7 with the inventor ***",
    "=== reviewed, claim 7 too ===",
    "NOTE TO INVENTOR: please confirm claim 7.",
    "Comment: this broadens claim 7\nand claim 8 as well.",
    "Drafting note - claim 7 was dropped",
    "TODO: claim 7",
    "**Note:** claim 7 is new.",
    "*Support: paragraphs 3 and 4; see claim 7.*",
    "_This narrows claim 7._",
    "- Note: claim 7 is new.",
    "Commented [JD1]: see claim 7",
    "<!-- claim 7\nwas dropped -->",
    "// claim 7 was dropped",
    "/* claim 7 */",
]


@pytest.mark.parametrize("partial", [False, True])
def test_comments_between_claims_are_left_out_and_noted(partial: bool) -> None:
    for comment in COMMENTS:
        # given a comment between two claims
        text = f"1. {KETTLE}\n\n{comment}\n\n2. {LID}"
        claims = read_text(text, partial=partial)
        # then the claims are read without it, and a note has its place and the claim before it
        assert [(claim.text, claim.parents) for claim in claims] == [(KETTLE, ()), (LID, (1,))], comment
        (note,) = claims.notes
        assert (note.code, note.claim) == ("comment", 1), comment
        assert text[note.start : note.end].strip() == comment


def test_comments_within_a_line_are_left_out() -> None:
    kettle = "A kettle comprising a vessel [Note: or pot, see claim 7] and a lid."
    text = f"1. {kettle} NOTE TO FILE: claim 8. 2. {LID}"
    claims = read_text(text)
    assert [(claim.text, claim.parents) for claim in claims] == [(KETTLE, ()), (LID, (1,))]
    assert [(note.code, note.claim) for note in claims.notes] == [("comment", 1)]


def test_comments_before_and_after_all_claims_are_noted() -> None:
    claims = read_text(f"[Comment: draft of claim 7]\n\n1. {KETTLE}\n2. {LID}\n\nNote: see claim 7.")
    assert [claim.text for claim in claims] == [KETTLE, LID]
    assert [(note.code, note.claim) for note in claims.notes] == [("comment", None), ("comment", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "A method comprising displaying a note: a text of a user.",
        "A method comprising sending\nnote: a text, and a (query to a server).",
        "A kettle comprising a [[note: red]] vessel.",
        "A kettle with a vessel having\n> 5 mm of steel.",
        "A kettle comprising an object // that is linked.",
    ],
)
def test_words_of_a_claim_that_look_like_comments_stay(text: str) -> None:
    claims = read_text(f"1. {text}\n2. {LID}")
    assert claims[1].text == text
    assert claims.notes == ()
