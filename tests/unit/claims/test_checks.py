"""The checks: each row a claim set with one defect and the words that show it, or a clean twin."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks import check_claim
from ace.claims.readers import read_claims
from ace.claims.taxonomy import ErrorClass
from ace.errors import Refused

PUMP = "A pump comprising: a housing; a rotor mounted in the housing; and a first seal and a second seal."

DEFECTS: list[tuple[str, str, list[str], str]] = [
    ("antecedent", "no_basis", ["A pump comprising a housing, wherein the rotor is hollow."], "the rotor"),
    ("antecedent", "no_basis", ["A pump comprising a housing, wherein said rotor is hollow."], "said rotor"),
    (
        "antecedent",
        "no_basis",
        [PUMP, "The pump of claim 1, wherein the impeller is made of brass."],
        "the impeller",
    ),
    (
        "antecedent",
        "no_basis",
        [
            PUMP,
            "The pump of claim 1, further comprising a valve.",
            "The pump of claim 1, wherein the valve is open.",
        ],
        "the valve",
    ),
    (
        "antecedent",
        "uncounted",
        [PUMP, "The pump of claim 1, wherein the third seal is made of rubber."],
        "the third seal",
    ),
    (
        "antecedent",
        "unknown_modifier",
        [PUMP, "The pump of claim 1, wherein the magnetic rotor is hollow."],
        "the magnetic rotor",
    ),
    ("dependency", "nonexistent", [PUMP, "The pump of claim 9, wherein the rotor is hollow."], "claim 9"),
    (
        "dependency",
        "nonexistent",
        [PUMP, "The pump of claim 1 or 7, wherein the rotor is hollow."],
        "claim 1 or 7",
    ),
    ("dependency", "self", [PUMP, "The pump of claim 2, wherein the rotor is hollow."], "claim 2"),
    (
        "dependency",
        "forward",
        [
            PUMP,
            "The pump of claim 3, wherein the rotor is hollow.",
            "The pump of claim 1, wherein the rotor is light.",
        ],
        "claim 3",
    ),
    (
        "dependency",
        "circular",
        [
            PUMP,
            "The pump of claim 3, wherein a rotor is hollow.",
            "The pump of claim 2, wherein a rotor is light.",
        ],
        "claim 3",
    ),
    ("syntax", "no_period", ["A pump comprising a housing and a rotor"], "rotor"),
    ("syntax", "no_period", ["A pump comprising a housing and a rotor;"], "rotor;"),
    (
        "syntax",
        "several_sentences",
        ["A pump comprising a housing. The pump is made of brass."],
        "housing. The",
    ),
    (
        "syntax",
        "several_sentences",
        [PUMP, "The pump of claim 1. Wherein the rotor is hollow."],
        "claim 1. Wherein",
    ),
    (
        "syntax",
        "no_transition",
        ["A hand pump a housing made of brass, a rotor and a valve."],
        "pump a housing",
    ),
    ("syntax", "unbalanced_bracket", ["A pump comprising a housing (of brass and a rotor."], "("),
    ("syntax", "unbalanced_bracket", ["A pump comprising a housing of brass) and a rotor."], ")"),
    ("syntax", "doubled_punctuation", ["A pump comprising a housing,, and a rotor."], ",,"),
    ("syntax", "doubled_punctuation", ["A pump comprising a housing;, and a rotor."], ";,"),
    ("syntax", "doubled_punctuation", ["A pump comprising a housing and a rotor.."], ".."),
    ("syntax", "doubled_word", ["A pump comprising a housing and a rotor in the the housing."], "the the"),
]

CLEAN: list[list[str]] = [
    [PUMP],
    [PUMP, "The pump of claim 1, wherein the second seal is wider than the first seal."],
    [PUMP, "The pump of claim 1, wherein the seals are made of rubber."],
    [
        PUMP,
        "The pump of claim 1, wherein the pump has a valve.",
        "The pump of claim 2, wherein the valve is open.",
    ],
    [PUMP, "The pump of claim 1, wherein the length of the rotor exceeds the diameter of the housing."],
    [PUMP, "The pump of claim 1, wherein the outer surface is smooth."],
    [PUMP, "The pump of claim 1, wherein the rotor rotates clockwise and the housing remains still."],
    [PUMP, "The pump of claim 1 or the pump of claim 1, wherein the rotor is hollow."],
    ["A method comprising detecting a motion and storing the detected motion."],
    ["A method comprising measuring a pressure, wherein the measurement is repeated."],
    ["A method comprising: forming a layer; and etching the layer after the forming step."],
    ["A kit comprising a plurality of screws, wherein the screws are made of steel."],
    ["A kit comprising two coils, wherein the first coil surrounds the second coil."],
    ["A kit comprising a band pass filter (BPF) and a coil, wherein the BPF is tuned."],
    ["A kit comprising a member selected from the group consisting of screws, nails and bolts."],
    ["A method comprising: a) heating water; b) cooling the water; and (c) serving the water."],
    ["A culture of E. coli comprising a plasmid of SEQ ID NO. 5, grown at 37 deg. C as shown in FIG. 2."],
    ["A compound of formula (I): R1-C(=O)-[CH2]n-R2."],
    ['A label comprising a sheet that bears the inscription of "keep cool."'],
    ["A process comprising heating at 37° C. the temperature being held for 5 min."],
    ["(Canceled)", "The lamp of claim 1, wherein a bulb glows."],
]


def findings(texts: list[str], number: int) -> list[tuple[str, str, str]]:
    claims = read_claims(list(enumerate(texts, 1)))
    claim = claims.get(number)
    assert claim is not None
    return [(each.error_class.value, each.subtype, each.quote) for each in check_claim(claims, claim)]


@pytest.mark.parametrize(("error_class", "subtype", "texts", "quote"), DEFECTS)
def test_one_defect_is_found_where_it_stands(
    error_class: str, subtype: str, texts: list[str], quote: str
) -> None:
    number = 2 if subtype in {"forward", "circular"} else len(texts)
    assert findings(texts, number) == [(error_class, subtype, quote)]


@pytest.mark.parametrize("texts", CLEAN)
def test_clean_claims_stay_silent(texts: list[str]) -> None:
    for number in range(1, len(texts) + 1):
        assert findings(texts, number) == []


def test_a_multiple_dependent_claim_on_another_is_found() -> None:
    # given claim 3 on 1 or 2, and claim 4 on 2 or 3
    texts = [PUMP, PUMP, "The pump of claim 1 or 2, wherein the rotor is hollow."]
    texts.append("The pump of claim 2 or 3, wherein the rotor is light.")
    # then only the claim that multiplies twice is found
    assert findings(texts, 3) == []
    assert findings(texts, 4) == [("dependency", "multiple_on_multiple", "claim 2 or 3")]


def test_antecedents_are_left_alone_where_the_chain_is_broken() -> None:
    # given a claim on a claim that is not there, then its elements may have come from that one
    texts = [PUMP, "The pump of claim 8, wherein the piston is hollow."]
    assert findings(texts, 2) == [("dependency", "nonexistent", "claim 8")]


def test_every_finding_cites_a_law_and_explains_itself() -> None:
    for error_class, _, texts, _ in DEFECTS:
        claims = read_claims(list(enumerate(texts, 1)))
        for claim in claims:
            for each in check_claim(claims, claim):
                assert each.law
                assert each.explanation.endswith(".")
                assert ErrorClass(error_class)


WORDS = ["A pump", " comprising", "a ", "the ", "said ", "first ", "rotor", "s", " or ", " wherein ", "The "]
MARKS = [": ", "; ", ", ", ".", " (", ")", "\n", "-", "’s ", "é", "∈", "'", "claim 1", " claims 2-9"]
PIECES = st.sampled_from(WORDS + MARKS)
TEXTS = st.lists(PIECES, min_size=1, max_size=40).map("".join) | st.text(min_size=1)


@given(st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=200)
def test_any_text_is_checked_and_quotes_are_where_they_are_said_to_be(texts: list[str]) -> None:
    try:
        claims = read_claims(list(enumerate(texts, 1)))
    except Refused:
        return
    for claim in claims:
        for each in check_claim(claims, claim):
            assert each.quote
            assert claim.text[each.start : each.end] == each.quote


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "a ",
        "claim 1 ",
        "claim 1, ",
        "claims 1-9 ",
        "the ",
        "the x",
        "(",
        ".",
        ", ,",
        "A. B ",
        "any ",
        "the q ",
    ],
)
def test_time_grows_no_faster_than_the_text(piece: str) -> None:
    def seconds(characters: int) -> float:
        claims = read_claims([(1, "A " + (piece * characters)[:characters] + "x.")])
        started = time.perf_counter()
        check_claim(claims, claims.claims[0])
        return time.perf_counter() - started

    # Quadratic growth would make this sixteenfold; the floor keeps a loaded machine from failing it.
    small = max(seconds(5_000), 0.02)
    assert seconds(20_000) < 12 * small
