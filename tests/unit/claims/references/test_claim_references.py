"""References to other claims, as people write them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.analysis import check_set
from ace.claims.language.words import split_words
from ace.claims.readers import read_text
from ace.claims.references.claim_references import MAX_REFERENCES, Manner, parents_of, references
from ace.claims.reports.report import checked
from benchmarks.linear import FILLERS, filled


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("A lamp comprising a base.", 1, ()),
        ("The lamp of claim 1, wherein", 2, (1,)),
        ("The lamp of Claim 12.", 13, (12,)),
        ("The lamp as claimed in any one of claims 1 to 4, wherein", 5, (1, 2, 3, 4)),
        ("The lamp of claims 1, 3 or 5-7, wherein", 9, (1, 3, 5, 6, 7)),
        ("The lamp of claim 1, 2 or 3 wherein", 9, (1, 2, 3)),
        ("The lamp of claim 5, claim 6, or claim 7", 8, (5, 6, 7)),
        ("The lamp of claim 1 or any one of claims 3 and 4", 8, (1, 3, 4)),
        ("The lamp of any preceding claim", 4, (1, 2, 3)),
        ("The lamp of any one of the preceding claims", 3, (1, 2)),
        ("The lamp of the preceding claim", 4, (3,)),
        ("The lamp of the preceding claim", 2, (1,)),
        ("The lamp of the preceding claim", 1, ()),
        ("The lamp of any preceding claim", 1, ()),
        ("the alloy of claim 1, 50% of which is tin", 2, (1,)),
        ("the alloy of claim 1 and 5 mg of tin", 2, (1,)),
        ("as claimed in claims 1 and 2 to 3 and 90-0% of rubber", 4, (1, 2, 3)),
        ("the lamp of claim 1 of U.S. Pat. No. 5,000,000", 2, ()),
        ("the claimed lamp proclaims 5", 2, ()),
        ("The lamp of claim 7 to 5", 8, (7, 5, 6)),
        ("The lamp of claim 3 using the method of claim 2", 4, (3, 2)),
        ("The lamp of claim 99999999999999999999", 2, (999_999_999,)),
        ("The lamp as in claim 1 or in claim 2, wherein", 3, (1, 2)),
        ("The lamp as in claim 1 or as claimed in claim 2, wherein", 3, (1, 2)),
        ("The lamp of claims 1 through 4", 5, (1, 2, 3, 4)),
        ("The lamp of claims 1 up to and including 3", 5, (1, 2, 3)),
        ("The lamp of claims 1–3 and 5—6", 7, (1, 2, 3, 5, 6)),
        ("The lamp of claim 5 to claim 7, wherein", 8, (5, 6, 7)),
        ("The lamp of either of claims 2 or 3", 4, (2, 3)),
        ("The lamp of claim 1 and/or claim 2", 3, (1, 2)),
        ("The lamp of claims 1 & 2", 3, (1, 2)),
        ("The lamp of claim 1/2", 3, (1, 2)),
        ("The lamp of claims 1,2 and 3", 4, (1, 2, 3)),
        ("The lamp of claims 1, 2 wherein", 4, (1, 2)),
        ("The lamp of claim 1, 2, or any of 3 to 5", 6, (1, 2, 3, 4, 5)),
        ("The lamp of claims (1) or (2)", 3, (1, 2)),
        ("The lamp of claim 1(a) or 2(b)", 3, (1, 2)),
        ("The lamp of claim l, wherein", 2, (1,)),
        ("The lamp of claim I wherein", 2, (1,)),
        ("The lamp of claim1, wherein", 2, (1,)),
        ("The lamp of claim. 1 wherein", 2, (1,)),
        ("The lamp of claim: 1, wherein", 2, (1,)),
        ("The lamp of claim no. 1, wherein", 2, (1,)),
        ("The lamp of claim of 1, wherein", 2, (1,)),
        ("The lamp of claim 1claims 1 or 2", 3, (1, 2)),
        ("The lamp of claims claim 1, wherein", 2, (1,)),
        ("THE LAMP OF CLAIM 1 OR 2, WHEREIN", 3, (1, 2)),
        ("claim 1's lamp", 2, (1,)),
        ("The lamp of claims 1\nto\n3", 4, (1, 2, 3)),
        ("The lamp according to one or several of claims 1 to 3", 4, (1, 2, 3)),
        ("The lamp according to one of the preceding claims 1 to 3", 5, (1, 2, 3)),
        ("The lamp as set forth in one of the foregoing claims", 4, (1, 2, 3)),
        ("The lamp as claimed in any proceeding claim", 3, (1, 2)),
        ("The lamp according to any one of the claims above", 3, (1, 2)),
        ("The lamp of the immediately preceding claim", 4, (3,)),
        ("The lamp of claim 1, wherein the 3 bulbs", 2, (1,)),
        ("The oil of claim 1 to 5 mm", 2, (1,)),
        ("The oil of claim 1, 5 mm of which", 2, (1,)),
        ("The oil of claim 1 or 2 carbon atoms", 3, (1,)),
        ("A kit of the lamp of claim 1 and 3 bulbs", 2, (1,)),
        ("A kit of (1) the lamp of claim 4, and (2) a bulb", 5, (4,)),
        ("The lamp of claim 1, or a part thereof", 2, (1,)),
        ("Repeating the steps of claim 2 from 2 to 500 times", 3, (2,)),
        ("The lamp of claim 1 of the present application", 2, (1,)),
        ("The lamp of claim 1 in the application of paint", 2, (1,)),
        ("The lamp of claim 1 of copending application Ser. No. 11/111,111", 2, ()),
        ("The lamp of claims 1-20 of US patent 7,000,000", 2, ()),
        ("The lamp of claim 3 of EP 1 000 000", 2, ()),
        ("The lamp of any of the following claims", 2, ()),
        ("A form for insurance claims of 5 patients", 2, ()),
        ("I claim the ornamental design of a lamp", 2, ()),
    ],
)
def test_parents(text: str, number: int, expected: tuple[int, ...]) -> None:
    assert parents_of(text, number) == expected


JOINED = [
    ("The drill ofclaim 1, wherein", 2, (1,)),
    ("The drill of claiml, wherein", 3, (1,)),
    ("The drill of Claiml, wherein", 3, (1,)),
    ("The drill according toclaim 1, wherein", 5, (1,)),
    ("The drill accordingtoclaim 1, wherein", 2, (1,)),
    ("The drill asclaimed inclaim 2, wherein", 3, (2,)),
    ("The drill ofclaims 1 or 2, further", 6, (1, 2)),
    ("The drill of anyofclaims 1 to 3, wherein", 4, (1, 2, 3)),
    ("The drill of anyoneofclaims 1-3, wherein", 4, (1, 2, 3)),
    ("THE DRILL OFCLAIM 1, WHEREIN", 2, (1,)),
    ("The drill of Claim-1, wherein", 2, (1,)),
    ("The drill of claims1-3, wherein", 4, (1, 2, 3)),
    ("The drill of any one of claims 1to3, wherein", 4, (1, 2, 3)),
    ("The drill of claims 1 to3, wherein", 4, (1, 2, 3)),
    ("The drill of claims 1through3, wherein", 4, (1, 2, 3)),
    ("The drill of claim 1or 2, wherein", 3, (1, 2)),
    ("The drill of claims 1, 2or 3, wherein", 4, (1, 2, 3)),
    ("The drill of claims 1and2, wherein", 3, (1, 2)),
    ("The drill of claim 1 orclaim 2, wherein", 3, (1, 2)),
    ("The drill of claim 1 or ofclaim 2, wherein", 3, (1, 2)),
    ("The drill of claim 1wherein the", 2, (1,)),
]
"""References whose words and numbers a scan has joined."""

MISREAD = [
    ("The drill of cIaim 1, wherein", 2, (1,)),
    ("The drill of c1aim 1, wherein", 2, (1,)),
    ("The drill of clairn 1, wherein", 2, (1,)),
    ("The drill of daim 1, wherein", 2, (1,)),
    ("The drill of claim l0, wherein", 11, (10,)),
    ("The drill of claim 1O, wherein", 11, (10,)),
    ("The drill of claim 1l, wherein", 12, (11,)),
    ("The drill of claim 2I, wherein", 22, (21,)),
    ("The drill of claimsl to 3, wherein", 4, (1, 2, 3)),
    ("The drill of claims l-3, wherein", 4, (1, 2, 3)),
]
"""References with letters that a scan has misread."""

BEFORE = [
    ("The tent in either of the preceding two claims, wherein", 11, (9, 10)),
    ("The tent of either one of the preceding two claims", 3, (1, 2)),
    ("The tent of any of the two foregoing claims", 4, (2, 3)),
    ("The tent of either of the two immediately preceding claims", 4, (2, 3)),
    ("The tent of any one of the preceding three claims", 5, (2, 3, 4)),
    ("The tent of any one of the last three claims", 5, (2, 3, 4)),
    ("The tent of the preceding 2 claims", 5, (3, 4)),
    ("The tent of both preceding claims", 5, (3, 4)),
    ("The tent of the preceding ten claims", 4, (1, 2, 3)),
    ("The tent of any of the three claims above", 5, (2, 3, 4)),
    ("The tent of any one of the above claims", 4, (1, 2, 3)),
    ("The tent as in any prior claim", 3, (1, 2)),
    ("The tent of the next preceding claim", 4, (3,)),
    ("The tent of the claim above, wherein", 3, (2,)),
    ("The tent of the claim immediately preceding, wherein", 3, (2,)),
    ("The tent of any of the claims preceding, wherein", 3, (1, 2)),
    ("The tent of any of the preceding apparatus claims", 4, (1, 2, 3)),
    ("The tent of claims above a limit", 4, ()),
]
"""References to claims by their place."""

NO_CLAIM_OF_THE_SET = [
    ('wherein a text "of claim 7" is marked', 2, ()),
    ("wherein a text “claim 7” is marked", 2, ()),
    ("wherein a label 'of claim 7' is shown", 2, ()),
    ('The tent as claimed in "claim 1", wherein', 2, (1,)),
    ('The 5" tent of claim 1, wherein a 6" pole', 2, (1,)),
    ("wherein claim 3 of the document is shown", 2, ()),
    ("wherein insurance claims 1 and 2 are paid", 2, ()),
    ("wherein it disclaims 1 part", 2, ()),
    ("wherein a subclaim 1 is shown", 2, ()),
    ("The fan of claim 1A, wherein", 2, ()),
    ("The fan of claim 1a, wherein", 2, ()),
    ("The fan of claims 1A or 2, wherein", 3, (2,)),
    ("The fan of claims 1, 1A or 2, wherein", 3, (1, 2)),
]
"""Numbers after "claim" that mean no claim of the set, or none that a set may have."""


@pytest.mark.parametrize("table", [JOINED, MISREAD, BEFORE, NO_CLAIM_OF_THE_SET])
def test_parents_of_rarer_forms(table: list[tuple[str, int, tuple[int, ...]]]) -> None:
    for text, number, expected in table:
        assert parents_of(text, number) == expected, text


def test_joined_words_are_read_apart() -> None:
    # given references whose words a scan has joined
    for text, _, _ in JOINED:
        words = split_words(text)
        # then "claim" is a word of its own, and each word is at its place in the text
        assert {"claim", "claims"} & {word.lower for word in words}, text
        assert all(text[word.start : word.end].lower() == word.lower for word in words), text


def test_joined_references_cause_no_findings() -> None:
    # given claims that a scan has joined words in
    claims = read_text(
        "1. A drill comprising a chuck, a motor and a switch connected to the motor.\n"
        "2. The drill ofclaim 1, wherein the chuck is made of steel.\n"
        "3. The drill of claiml, wherein the motor is brushless.\n"
        "4. The drill of any one of claims 1to3, wherein the switch is red.\n"
    )
    # then they depend on what they mean, and nothing is found in them
    assert [claim.parents for claim in claims] == [(), (1,), (1,), (1, 2, 3)]
    assert check_set(claims) == []


@pytest.mark.parametrize(
    "text",
    [
        "A method comprising receiving a document with a plurality of claims; and showing it.",
        "The method of claim 1, comprising showing, in each of the claims, a number of the claim.",
        "A database of claims, comprising a table.",
        "The system of claim 1, wherein the adjudication of claims, on request, is stopped.",
        "A method comprising displaying a list of claims.",
        "A method of sorting documents by claim, comprising",
    ],
)
def test_claims_as_things_are_no_references(text: str) -> None:
    assert all(reference.numbers for reference in references(text, 3))


@pytest.mark.parametrize(
    "text",
    [
        "The pump of claims, wherein",
        "A pump according to claim, wherein",
        "The pump of the claim, wherein",
        "The pump of any of claims, wherein",
        "The pump of claim ___, wherein",
        "The pump as in claim X, wherein",
        "The pump of claim 1A, wherein",
        "The method of claim 1, further comprising the method of claim, wherein",
    ],
)
def test_a_missing_number_is_a_reference_to_nothing(text: str) -> None:
    assert [reference.numbers for reference in references(text, 3)].count(()) == 1


@pytest.mark.parametrize(
    ("text", "manner", "cumulative"),
    [
        ("of claim 1,", Manner.SINGLE, False),
        ("of claim 1 or 2,", Manner.ALTERNATIVE, False),
        ("of claims 1, 2 or 3,", Manner.ALTERNATIVE, False),
        ("of claims 1 and 2,", Manner.CUMULATIVE, True),
        ("of claims 1 and/or 2,", Manner.CUMULATIVE, True),
        ("of claims 1 or 2 and 3,", Manner.CUMULATIVE, True),
        ("of claims 1-3,", Manner.RANGE, False),
        ("of claims 1 to claim 3,", Manner.RANGE, False),
        ("of claims 1-3 or 7-9,", Manner.RANGE, False),
    ],
)
def test_a_choice_and_a_sum_are_told_apart(text: str, manner: Manner, cumulative: bool) -> None:
    (reference,) = references(text, 5)
    assert (reference.manner, reference.cumulative) == (manner, cumulative)
    assert reference.several is (manner is not Manner.SINGLE)
    assert text[reference.start : reference.end] == text[3:-1]


@pytest.mark.parametrize(
    "text",
    [
        "of any one of claims 1 and 2",
        "of either of claims 1 and 2",
        "in one of the claims 1-3",
        "in any of the preceding claims 1 to 3",
        "according to one or more of claims 1, 2 and 3",
        "of at least one of claims 1 and 2",
        "of claim 1 or any one of claims 3 and 4",
        "of any preceding claim",
        "of at least one of the preceding claims",
    ],
)
def test_a_choice_before_the_numbers_makes_it_one(text: str) -> None:
    (reference,) = references(text, 5)
    assert reference.manner is Manner.ALTERNATIVE
    assert reference.several
    assert not reference.cumulative


@pytest.mark.parametrize(
    ("text", "span", "cumulative"),
    [
        ("The lamp of any one of the preceding claims, wherein", "any one of the preceding claims", False),
        ("The lamp of a previous claim, wherein", "a previous claim", False),
        ("The lamp according to the preceding claims, wherein", "the preceding claims", True),
        ("The lamp according to all previous claims, wherein", "all previous claims", True),
    ],
)
def test_whatever_comes_before_is_marked_as_such(text: str, span: str, cumulative: bool) -> None:
    (reference,) = references(text, 4)
    assert text[reference.start : reference.end] == span
    assert reference.preceding
    assert reference.numbers == (1, 2, 3)
    assert reference.cumulative is cumulative


@pytest.mark.parametrize("text", ["The lamp of claim, wherein", "The lamp as in claim further comprising"])
def test_a_reference_to_no_claim_has_no_numbers(text: str) -> None:
    (reference,) = references(text, 4)
    assert (reference.numbers, reference.preceding) == ((), False)
    assert text[reference.start : reference.end] == "claim"


def test_a_reference_to_another_category_is_marked() -> None:
    text = "A kit comprising the lamp of claim 1 or 2 and a bulb."
    assert [each.other_category for each in references(text, 3)] == [True]
    assert [each.other_category for each in references("The lamp of claim 1 or 2.", 3)] == [False]


def test_two_references_apart_stay_two() -> None:
    found = references("A kit of the lamp of claim 1 or the bulb of claim 2.", 3)
    assert [each.numbers for each in found] == [(1,), (2,)]


def test_a_huge_range_is_capped() -> None:
    assert len(parents_of("of claims 1 to 999999999", 5)) <= MAX_REFERENCES
    (reference,) = references("of claims 1 to 999999999", 5)
    assert reference.numbers[-1] == 999_999_999
    assert len(parents_of("of any preceding claim", 1000)) <= MAX_REFERENCES


@given(st.text(alphabet="claims 0123456789,-ortand.\n") | st.text(), st.integers(1, 1000))
def test_any_text_is_read(text: str, number: int) -> None:
    for reference in references(text, number):
        assert 0 <= reference.start < reference.end <= len(text)
        assert len(reference.numbers) <= len(text) * MAX_REFERENCES
    assert len(parents_of(text, number)) <= MAX_REFERENCES


def test_references_of_hostile_texts_are_in_order_and_within_them() -> None:
    for filler in FILLERS:
        text = filled(filler, 20_000)
        read = references(text, 3)
        assert all(one.start < one.end <= other.start for one, other in pairwise(read)), filler
        assert all(0 <= one.start < one.end <= len(text) for one in read), filler
    # and each of many is read
    assert len(references("The lamp of claim 1, " * 1_000, 3)) == 1_000


@pytest.mark.parametrize("number", ["9999999999", "1234567890123", "9" * 20, "9" * 5_000])
def test_a_reference_to_a_number_of_any_length_is_one(number: str) -> None:
    claims = read_text(
        f"1. A hook comprising a plate.\n2. The hook of claim {number}, wherein the plate is flat."
    )
    found = [finding.rule_id for finding in checked(claims).findings]
    assert found == ["dependency.nonexistent"]
