"""Plain text in the shapes that people paste, with what comes before, between and after its claims."""

import pytest

from ace.claims.model import MAX_CLAIM_CHARACTERS, MAX_CLAIM_NUMBER, ClaimSet, Status
from ace.claims.readers import read_claims, read_text
from ace.errors import Refused
from benchmarks.linear import LAYOUTS, laid_out

LAMP = "A lamp comprising a base and a bulb."
SHADE = "The lamp of claim 1, further comprising a shade."
LINEN = "The lamp of claim 2, wherein the shade is made of linen."


def pairs(claims: ClaimSet) -> list[tuple[int, str]]:
    return [(claim.number, claim.text) for claim in claims]


def codes(claims: ClaimSet) -> list[str]:
    return [note.code for note in claims.notes]


@pytest.mark.parametrize(
    "text",
    [
        f"[Claim 1] {LAMP}\n[Claim 2] {SHADE}",
        f"(1) {LAMP}\n(2) {SHADE}",
        f"[1] {LAMP}\n[2] {SHADE}",
        f"1: {LAMP}\n2: {SHADE}",
        f"1 - {LAMP}\n2 - {SHADE}",
        f"1.) {LAMP}\n2.) {SHADE}",
        f"1\t{LAMP}\n2\t{SHADE}",
        f"1   {LAMP}\n2   {SHADE}",
        f"1\n{LAMP}\n2\n{SHADE}",
        f"CLAIM 1\n{LAMP}\n\nCLAIM 2\n{SHADE}",
        f"Claim 1: {LAMP} Claim 2: {SHADE}",
        f"The invention claimed is:\n1. {LAMP} 2. {SHADE}",
        f"What is claimed as new and desired to be protected is:\n1. {LAMP}\n2. {SHADE}",
        f"IN THE CLAIMS:\nPlease amend the claims as follows:\n\n1. {LAMP}\n2. {SHADE}",
        (
            f"Listing of Claims:\nThis listing replaces all prior versions of claims in the application:\n"
            f"1. {LAMP}\n2. {SHADE}"
        ),
        f"VI. CLAIMS\n1. {LAMP}\n2. {SHADE}",
        f"{LAMP}\n\n{SHADE}",
        f"We claim:\n\n{LAMP}\n\n{SHADE}\n",
        f"{LAMP}\n{SHADE}",
    ],
)
@pytest.mark.parametrize("partial", [False, True])
def test_two_claims_in_every_shape(text: str, partial: bool) -> None:
    claims = read_text(text, partial=partial)
    assert pairs(claims) == [(1, LAMP), (2, SHADE)]
    assert set(codes(claims)) <= {"unnumbered"}


def test_wrapped_lines_and_lettered_limbs_stay_in_their_claim() -> None:
    body = "A lamp comprising:\n  a) a base;\n  b) a bulb having\n     (i) a filament, and\n     (ii) a cap."
    even = "A lamp comprising:\na) a base;\nb) a bulb having\n(i) a filament, and\n(ii) a cap."
    assert pairs(read_text(f"1. {body}\n2. {SHADE}")) == [(1, even), (2, SHADE)]


@pytest.mark.parametrize(
    "wrapped",
    [
        "A strain with accession number CGMCC No.\n5925.",
        "A substitution at position\n172.",
        "A lamp as shown in FIG.\n2.",
        "The lamp of any one of claims 1 to\n3.",
        "A dose of about\n7. The dose",
        "A lamp having a power of\n15. to 20. watts.",
    ],
)
def test_numbers_that_a_line_happens_to_begin_with_open_no_claim(wrapped: str) -> None:
    assert pairs(read_text(f"1. {wrapped}\n2. {SHADE}"))[0] == (1, wrapped)


def test_a_claim_that_breaks_off_still_ends_where_the_next_one_begins() -> None:
    text = (
        f"1. {LAMP}\n2. A lamp as in claim 1, or\n3. {SHADE}\n4. A dye selected from the group of: 5. {SHADE}"
    )
    assert [number for number, _ in pairs(read_text(text))] == [1, 2, 3, 4, 5]


LISTING = f"""AMENDMENTS TO THE CLAIMS
This listing of claims will replace all prior versions, and listings, of claims in the application:

Listing of Claims:

1. (Currently amended) A lamp comprising [[a]] one base[[s]] and a bulb.
2-4. (Canceled)
5. (Previously presented) {SHADE}
Claims 6 and 7 (cancelled).
8. [Withdrawn - Currently Amended] A method [[comprising]] consisting of waiting.
9, 11. (Not entered)
12. (New) A plug.
REMARKS
Claims 1, 5, 8 and 12 are pending.
1. Claims 1-12 stand rejected.
Respectfully submitted,
/Jo Doe/
"""


def test_a_listing_of_claims_with_every_kind_of_identifier() -> None:
    claims = read_text(LISTING)
    assert {claim.number: claim.status for claim in claims} == {
        1: Status.CURRENTLY_AMENDED,
        **dict.fromkeys((2, 3, 4, 6, 7), Status.CANCELED),
        5: Status.PREVIOUSLY_PRESENTED,
        8: Status.WITHDRAWN,
        **dict.fromkeys((9, 11), Status.NOT_ENTERED),
        12: Status.NEW,
    }
    assert claims[1].text == "A lamp comprising one base and a bulb."
    assert claims[8].text == "A method consisting of waiting."
    assert all(claim.text == "" and claim.pieces == () for claim in claims if not claim.pending)
    assert codes(claims) == ["text_after_claims"]


def test_cuts_inside_a_claim_keep_its_place_in_the_source() -> None:
    claim = read_text(LISTING)[1]
    start = claim.text.index("base")
    span = claim.source_span(start, start + len("base and"))
    assert span is not None
    assert LISTING[slice(*span)] == "base[[s]] and"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"1. (Original) {LAMP} 2-3. (Canceled) 4. (Original) {SHADE}", [1, 2, 3, 4]),
        (f"1 (Original) {LAMP}\n2 (Cancelled)\n3 (New) {SHADE}", [1, 2, 3]),
        (f"1. {LAMP}\n2 - 4. (canceled)\n5. {SHADE}", [1, 2, 3, 4, 5]),
        (f"1. {LAMP}\n2. to 4. (canceled)\n5. {SHADE}", [1, 2, 3, 4, 5]),
        (f"1. {LAMP}\nClaims 2 through 4 have been cancelled.\n5. {SHADE}", [1, 2, 3, 4, 5]),
        (f"1. {LAMP}\n2. Canceled.\n3. {SHADE}", [1, 2, 3]),
        (f"1-3. (Canceled)\n4. {LAMP}", [1, 2, 3, 4]),
        (f"Claims 1-3 (canceled)\nClaim 4. {LAMP}", [1, 2, 3, 4]),
        ("1-3. (Canceled)", [1, 2, 3]),
    ],
)
def test_ranges_of_canceled_claims(text: str, expected: list[int]) -> None:
    claims = read_text(text)
    assert [claim.number for claim in claims] == expected
    assert claims.pending().claims == tuple(claim for claim in claims if claim.text)


def test_a_range_of_more_claims_than_a_set_may_have_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        read_text("1-900. (Canceled)\n901-1500. (Canceled)", partial=True)
    assert caught.value.code == "too_many_claims"


def test_identifiers_at_the_beginning_of_listed_texts() -> None:
    claims = read_claims(
        [(1, "(Original) A lamp."), (2, "(Canceled)"), (3, " [NEW]: A plug."), (4, "Cancelled.")]
    )
    assert [(claim.text, claim.status) for claim in claims] == [
        ("A lamp.", Status.ORIGINAL),
        ("", Status.CANCELED),
        ("A plug.", Status.NEW),
        ("", Status.CANCELED),
    ]


def test_text_before_and_after_the_claims_is_left_out_and_noted() -> None:
    before = "Background\n1. Field\nLamps.\n\n"
    text = f"{before}What is claimed is:\n\n1. {LAMP}\n2. {SHADE}\n\nABSTRACT OF THE DISCLOSURE\nA lamp."
    claims = read_text(text)
    assert pairs(claims) == [(1, LAMP), (2, SHADE)]
    spans = {note.code: text[note.start : note.end] for note in claims.notes}
    assert spans["text_before_claims"].startswith("Background")
    assert spans["text_after_claims"] == "ABSTRACT OF THE DISCLOSURE\nA lamp."


@pytest.mark.parametrize(
    "line",
    [
        "Abstract",
        "REMARKS/ARGUMENTS",
        "/Jo Doe/",
        "Respectfully submitted,",
        "Dated: May 3, 2024",
        "May 3, 2024",
        "Reg. No. 12,345",
        "Attorney for Applicant",
        "* * *",
        "SEQUENCE LISTING",
    ],
)
def test_what_ends_the_claims(line: str) -> None:
    claims = read_text(f"1. {LAMP}\n2. {SHADE}\n{line}\nOther words.")
    assert pairs(claims) == [(1, LAMP), (2, SHADE)]
    assert codes(claims) == ["text_after_claims"]


@pytest.mark.parametrize("line", ["remarks", "conclusion;", "by: a base", "date: a day", "drawings"])
def test_such_words_inside_a_claim_do_not_end_it(line: str) -> None:
    body = f"A lamp comprising\n{line}\nand a bulb."
    assert pairs(read_text(f"1. {body}\n2. {SHADE}")) == [(1, body), (2, SHADE)]


@pytest.mark.parametrize(
    "line",
    [
        "Similar Documents",
        "Patent Citations (12)",
        "List of reference numerals",
        "Reference signs list",
        "END OF CLAIMS",
        "[End of document]",
        "-- end --",
    ],
)
def test_what_services_and_offices_print_after_the_claims_is_no_claim(line: str) -> None:
    claims = read_text(f"1. {LAMP}\n2. {SHADE}\n\n{line}\n10 base\n12 bulb")
    assert pairs(claims) == [(1, LAMP), (2, SHADE)]


HEADS = [
    "CLAIM SET",
    "Set of claims",
    "Claims as filed",
    "Claims (2)",
    "CLAIMS (2)\n",
    "I/We claim:",
    "Claim(s):",
    "2 Claims, 5 Drawing Sheets",
    "MAIN REQUEST",
    "US 10,123,456 B2",
    "Docket 2020-55",
    "A lamp and its shade",
    "Having described the lamp, what is claimed as new is:",
]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("partial", [False, True])
def test_a_first_line_of_any_kind_does_not_hide_the_claims(head: str, partial: bool) -> None:
    claims = read_text(f"{head}\n1. {LAMP}\n2. {SHADE}", partial=partial)
    assert pairs(claims) == [(1, LAMP), (2, SHADE)]
    assert set(codes(claims)) <= {"text_before_claims"}


def test_what_stands_before_the_claims_is_noted_with_its_place() -> None:
    text = f"Docket 2020-55\n\n1. {LAMP}\n2. {SHADE}"
    (note,) = read_text(text).notes
    assert (note.code, text[note.start : note.end]) == ("text_before_claims", "Docket 2020-55\n\n")


def test_claims_that_begin_after_canceled_ones_are_found_by_their_identifiers() -> None:
    text = f"Please cancel claims 1-20 and add the following:\n21. (New) {LAMP}\n22. (New) {LAMP}"
    assert pairs(read_text(text)) == [(21, LAMP), (22, LAMP)]


@pytest.mark.parametrize(
    "shape",
    ["**{}.** {}", "**{}**. {}", "{}\\. {}", "{}.- {}", "Claim {} {}", "- {}. {}", "> {}. {}", "{}、{}"],
)
@pytest.mark.parametrize("head", ["", "Draft of May\n"])
def test_rarer_shapes_of_numbers(shape: str, head: str) -> None:
    text = head + "\n".join(shape.format(number, each) for number, each in ((1, LAMP), (2, SHADE)))
    assert pairs(read_text(text)) == [(1, LAMP), (2, SHADE)]


def test_numbers_on_lines_of_their_own_after_a_heading() -> None:
    assert pairs(read_text(f"Claims\n\n1\n{LAMP}\n2\n{SHADE}\n")) == [(1, LAMP), (2, SHADE)]
    assert pairs(read_text(f"Claims\n1\n1. {LAMP}\n2\n2. {SHADE}\n")) == [(1, LAMP), (2, SHADE)]


def test_full_width_digits_are_digits() -> None:
    assert pairs(read_text(f"１．{LAMP}\n２．{SHADE}")) == [(1, LAMP), (2, SHADE)]


def test_numbers_that_cannot_be_used_are_refused_and_steps_of_one_claim_are_not() -> None:
    with pytest.raises(Refused) as caught:
        read_text(f"No. 1° {LAMP}\n2° {SHADE}\n3° {LINEN}")
    assert caught.value.code == "no_claim_numbers"
    for steps in ("1. heating water; and\n2. pouring it.", "1. Heating water;\n2. Pouring it."):
        method = f"A method comprising:\n{steps}"
        assert pairs(read_text(method)) == [(1, method)]


@pytest.mark.parametrize("last", ["; and\n", ";\n", ", and\n"])
def test_steps_that_are_numbered_as_claims_are_open_none(last: str) -> None:
    body = f"A method comprising the steps of:\n1. Peeling;\n2. Heating;\n3. Boiling{last}4. Serving."
    claims = read_text(f"1. {body}\n2. The method of claim 1, wherein water boils.")
    assert [claim.number for claim in claims] == [1, 2]
    assert claims[1].text == body


@pytest.mark.parametrize("heading", ["Claims", "CLAIMS", "What is claimed is:"])
def test_a_specification_with_numbered_headings_is_read_from_its_claims(heading: str) -> None:
    before = "1. Field of the Invention\nLamps.\n2. Related Art\nOther lamps.\n"
    assert pairs(read_text(f"{before}{heading}\n1. {LAMP}\n2. {SHADE}")) == [(1, LAMP), (2, SHADE)]


def test_paragraphs_without_periods_are_claims_whatever_they_end_in() -> None:
    claims = read_text("A lamp made of copper (C1)\n\nA method of lighting the lamp of claim 1")
    assert [claim.number for claim in claims] == [1, 2]


@pytest.mark.parametrize("part", ["111111111, ", "1 to ", "1   , ", "1.\n\n\n\n-"])
def test_a_long_list_of_numbers_is_part_of_a_claim_that_is_too_long(part: str) -> None:
    text = "1. A lamp.\n(canceled) " + part * (200_000 // len(part))
    for partial in (False, True):
        with pytest.raises(Refused) as caught:
            read_text(text, partial=partial)
        assert caught.value.code == "claim_too_long"


def test_a_heading_between_claims_does_not_end_them() -> None:
    claims = read_text(f"1. {LAMP}\nABSTRACT\n2. {SHADE}")
    assert [claim.number for claim in claims] == [1, 2]


# Strict reading refuses what partial reading notes.
FAULTS = [
    (f"1. {LAMP}\n2. {SHADE}\n2. {LAMP}", "duplicate_number", [(1, LAMP), (2, SHADE), (3, LAMP)], 3),
    (
        f"1. {LAMP}\n2. {SHADE}\n2. {LAMP}\n7. {LINEN}",
        "duplicate_number",
        [(1, LAMP), (2, SHADE), (8, LAMP), (7, LINEN)],
        8,
    ),
    (f"0. {LAMP}\n1. {SHADE}", "number_out_of_range", [(2, LAMP), (1, SHADE)], 2),
    (f"1. {LAMP}\n{MAX_CLAIM_NUMBER + 1}. {SHADE}", "number_out_of_range", [(1, LAMP), (2, SHADE)], 2),
    (f"1. {LAMP}\n2.\n3. {LINEN}", "empty_claim", [(1, LAMP), (3, LINEN)], 2),
    (f"1. {LAMP}\n2. —\n3. {LINEN}", "empty_claim", [(1, LAMP), (3, LINEN)], 2),
    (f"1. {LAMP}\x07\n2. {SHADE}", "control_character", [(1, LAMP), (2, SHADE)], None),
    (f"1. {LAMP}\ud800\n2. {SHADE}", "control_character", [(1, LAMP), (2, SHADE)], None),
]


@pytest.mark.parametrize(("text", "code", "expected", "number"), FAULTS)
def test_faults_are_refused_or_noted(
    text: str, code: str, expected: list[tuple[int, str]], number: int | None
) -> None:
    with pytest.raises(Refused):
        read_text(text)
    claims = read_text(text, partial=True)
    assert pairs(claims) == expected
    noted = [note for note in claims.notes if note.code == code]
    assert [note.claim for note in noted] == [number]
    assert all("lamp" not in note.message for note in noted)
    assert all(0 <= note.start <= note.end <= len(text) for note in noted)


def test_a_renumbered_duplicate_names_both_numbers() -> None:
    note = read_text(FAULTS[0][0], partial=True).notes[0]
    assert "2" in note.message
    assert "3" in note.message
    assert FAULTS[0][0][note.start : note.end].startswith("2. A lamp")


def test_disorder_is_noted_and_kept() -> None:
    claims = read_text(f"2. {LAMP}\n1. {LAMP}", partial=True)
    assert (pairs(claims), codes(claims)) == ([(2, LAMP), (1, LAMP)], ["disorder"])


def test_partial_lists() -> None:
    claims = read_claims([(1, LAMP), (1, SHADE), (-3, LINEN), (5, " "), (4, "A\x00 hat.")], partial=True)
    assert pairs(claims) == [(1, LAMP), (6, SHADE), (7, LINEN), (4, "A hat.")]
    assert codes(claims) == ["duplicate_number", "number_out_of_range", "disorder", "empty_claim"]
    assert all(claim.pieces == () for claim in claims)
    assert claims.source is None


@pytest.mark.parametrize("text", ["", " \n ", "What is claimed is:\n"])
def test_nothing_at_all_is_an_empty_set_with_a_note(text: str) -> None:
    claims = read_text(text, partial=True)
    assert (len(claims), codes(claims)) == (0, ["no_claims"])
    assert codes(read_claims([], partial=True)) == ["no_claims"]


def test_what_is_no_claim_is_read_as_one_and_noted() -> None:
    assert codes(read_text("zxy", partial=True)) == ["not_understood"]
    assert codes(read_text(LAMP, partial=True)) == []


def test_unknown_identifiers_are_taken_off_and_noted() -> None:
    claims = read_text(f"1. (Original) {LAMP}\n2. (Frobnicated) {SHADE}", partial=True)
    assert (claims[2].text, claims[2].status, codes(claims)) == (SHADE, None, ["unknown_status"])


def test_text_of_a_canceled_claim_is_left_out_and_noted() -> None:
    claims = read_text(f"1. (Canceled) {LAMP}\n2. {LAMP}", partial=True)
    assert (claims[1].text, codes(claims)) == ("", ["text_of_canceled"])


def test_absolute_limits_are_refused_in_part_too() -> None:
    with pytest.raises(Refused) as caught:
        read_text("1. " + "x" * (MAX_CLAIM_CHARACTERS + 1), partial=True)
    assert (caught.value.code, caught.value.limit) == ("claim_too_long", MAX_CLAIM_CHARACTERS)


def test_a_claim_of_hostile_layout_is_one_claim_and_begins_where_it_is_said_to() -> None:
    for layout in LAYOUTS:
        text = laid_out(layout, 20_000)
        claims = read_text(text, partial=True)
        assert [(claim.number, claim.text[:6]) for claim in claims] == [(1, "A lamp")], layout
        assert claims[1].source_span(0, 6) == (3, 9), layout


RANGES = [
    "1.-20. (canceled)",
    "1-20 (Cancelled)",
    "1 - 20. (canceled)",
    "1–5. (canceled) 6-20. (Canceled)",
    "1-10. (canceled)\n11-20. (canceled)\n",
    "1-20. Canceled.",
    "1-20. (canceled);",
    "1-20. [Deleted]",
    "1, 2 and 3-20. (canceled)",
    "Claims 1 to 20 (canceled).",
    "Claims 1-20 have been canceled.",
]


def test_claims_after_a_range_of_canceled_claims_on_the_same_line_are_read() -> None:
    for written in RANGES:
        # given canceled claims and, on their line, claims that are numbered in another way
        text = f"{written} 21. A pen comprising a nib. 22. The pen of claim 21. 23-24. (canceled) 25. A cap."
        for partial in (False, True):
            claims = read_text(text, partial=partial)
            # then all are read, and nothing is noted
            assert [claim.number for claim in claims if claim.pending] == [21, 22, 25], written
            assert len(claims) == 25, written
            assert (claims[22].parents, claims.notes) == ((21,), ()), written


def test_a_range_of_claims_without_text_is_noted_once() -> None:
    claims = read_text("1-20. (Withdrawn) 21. A pen comprising a nib.", partial=True)
    assert [claim.number for claim in claims] == [21]
    assert [note.message for note in claims.notes] == ["claims 1 to 20 are empty"]


def test_a_running_text_in_small_letters_is_told_apart() -> None:
    text = (
        "claims what is claimed is: 1. a lamp comprising: a base of type 2. 2. the lamp of claim 1, having"
        " a bulb. 3. the lamp of claim 2. 4. a method of lighting, comprising heating a bulb."
    )
    claims = read_text(text)
    assert [(claim.number, claim.parents) for claim in claims] == [(1, ()), (2, (1,)), (3, (2,)), (4, ())]


@pytest.mark.parametrize("partial", [False, True])
def test_a_title_before_the_only_claim_is_left_out_and_noted(partial: bool) -> None:
    for title in ("Lamp", "A Lamp With a Bulb", "LAMP\nInventor: Jo Doe", "Claims\nLamp"):
        for number in ("1. ", "1) ", "CLAIM 1: ", "Claim 1\n", ""):
            if not number and title != "Lamp":
                continue
            claims = read_text(f"{title}\n\n{number}{LAMP}", partial=partial)
            assert pairs(claims) == [(1, LAMP)], (title, number)
            assert codes(claims) == ["text_before_claims"], (title, number)


@pytest.mark.parametrize("partial", [False, True])
def test_a_number_with_a_letter_is_refused_by_that_number(partial: bool) -> None:
    for number in ("1A", "1a", "1-A", "1bis"):
        for shape in ("{}. {}", "Claim {}. {}", "{}) {}"):
            text = f"1. {LAMP}\n{shape.format(number, SHADE)}\n2. {SHADE}"
            with pytest.raises(Refused) as caught:
                read_text(text, partial=partial)
            assert caught.value.code == "lettered_number", text
            assert number in str(caught.value)


@pytest.mark.parametrize(
    "body",
    ["A lamp as shown in FIG.\n1A. The base is red.", "A method comprising: 1a. heating; 1b. cooling."],
)
def test_numbers_with_letters_inside_a_claim_stay(body: str) -> None:
    assert pairs(read_text(f"1. {body}\n2. {SHADE}"))[0] == (1, body)


def test_byte_order_marks_and_line_ends_change_nothing() -> None:
    for start in ("", "\ufeff", "\ufeff\ufeff"):
        for end in ("\n", "\r", "\r\n", "\r\r\n", "\u2028", "\u2029", "\n\ufeff"):
            text = f"{start}# Claims{end}1. {LAMP}{end}2. {SHADE}{end}"
            claims = read_text(text)
            assert (pairs(claims), codes(claims)) == ([(1, LAMP), (2, SHADE)], []), repr(text)
            assert claims.source == text
            span = claims[2].source_span(0, 8)
            assert span is not None
            assert text[slice(*span)] == "The lamp"
