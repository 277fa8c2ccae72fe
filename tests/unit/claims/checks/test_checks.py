"""The checks together: claims that a careful attorney writes, what is told once, what is told at all.

Each class of defect has its own tests and its rows in the battery.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.analysis import analyse, check_set
from ace.claims.checks import RULES, flaws_of
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.readers import read_claims, read_text
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction
from ace.errors import Refused

PUMP = "A pump comprising: a housing; a rotor mounted in the housing; and a first seal and a second seal."
STRAY = "The pump of claim 1, wherein the impeller is made of brass."

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
    ["A culture of E. coli comprising a plasmid of SEQ ID NO. 5, grown at 37 deg. C in a flask."],
    ["A compound of formula (I): R1-C(=O)-[CH2]n-R2."],
    ['A label comprising a sheet that bears the inscription of "keep cool."'],
    ["A process comprising heating water at 37° C. the water being held for 5 min."],
]


def read(texts: list[str]) -> ClaimSet:
    return read_claims(list(enumerate(texts, 1)))


def told(findings: list[Finding]) -> list[tuple[str, int, str]]:
    return [(each.rule_id, each.claim, each.quote) for each in findings]


@pytest.mark.parametrize("texts", CLEAN)
def test_clean_claims_stay_silent(texts: list[str]) -> None:
    assert told(check_set(read(texts))) == []


def test_a_canceled_claim_has_no_findings_and_a_claim_on_it_has() -> None:
    claims = read(["(Canceled)", "The lamp of claim 1, wherein a bulb glows."])
    assert told(check_set(claims)) == [("dependency.canceled", 2, "claim 1")]
    assert list(flaws_of(Reading(claims), Claim(1, "A lamp a lamp", status=Status.CANCELED))) == []


def test_antecedents_are_left_alone_where_the_chain_is_broken() -> None:
    # given a claim on a claim that is not there, then its elements may have come from that one
    claims = read([PUMP, "The pump of claim 8, wherein the piston is hollow."])
    assert told(check_set(claims)) == [("dependency.nonexistent", 2, "claim 8")]


def test_what_several_claims_have_in_common_is_told_once_and_names_them() -> None:
    # given a phrase without basis in three claims, once with another determiner
    claims = read(
        [
            PUMP,
            STRAY,
            STRAY.replace("brass", "steel"),
            STRAY.replace("the impeller is made of brass", "said impeller is hollow"),
        ]
    )
    # then the set is told of the first, and each claim of its own
    (only,) = check_set(claims)
    assert (only.claim, only.quote, only.also) == (2, "the impeller", (3, 4))
    for number, quote in [(2, "the impeller"), (3, "the impeller"), (4, "said impeller")]:
        assert told(analyse(claims)[number].reported()) == [("antecedent.no_basis", number, quote)]


def test_faults_of_form_are_told_in_every_claim() -> None:
    claims = read([PUMP, "The pump of claim 9, wherein the rotor is hollow"])
    both = ["dependency.nonexistent", "syntax.no_period"]
    assert [each.rule_id for each in check_set(claims)] == both
    again = ClaimSet((*claims, Claim(3, claims[2].text, (9,))))
    assert [each.rule_id for each in check_set(again) if each.claim == 3 or each.also] == both


def test_findings_stand_in_the_order_of_the_text() -> None:
    claims = read([PUMP, "The pump of claim 9, wherein the the rotor is hollow (and light."])
    found = check_set(claims)
    assert len(found) > 2
    assert [each.start for each in found] == sorted(each.start for each in found)


def test_a_threshold_leaves_out_what_is_less_sure() -> None:
    claims = read([PUMP, STRAY, "The pump of claim 9, wherein the rotor is hollow."])
    everything = check_set(claims, threshold=0.0)
    for threshold in sorted({each.confidence for each in everything}):
        kept = check_set(claims, threshold=threshold)
        assert told(kept) == told([each for each in everything if each.confidence >= threshold])
    assert check_set(claims, threshold=1.0) == []


@pytest.mark.parametrize("jurisdiction", Jurisdiction)
def test_every_finding_cites_the_law_of_its_jurisdiction_and_explains_itself(
    jurisdiction: Jurisdiction,
) -> None:
    provisions = {rule.id: rule.provision(jurisdiction) for rule in RULES}
    for rule in RULES:
        for each in check_set(read_text(rule.example, partial=True), jurisdiction=jurisdiction):
            provision = provisions[each.rule_id]
            assert provision is not None
            assert (each.law, each.severity) == (provision.law, provision.severity)
            assert each.explanation.endswith(".")


WORDS = ["A pump", " comprising", "a ", "the ", "said ", "first ", "rotor", "s", " or ", " wherein ", "The "]
MARKS = [": ", "; ", ", ", ".", " (", ")", "\n", "-", "’s ", "é", "∈", "'", "claim 1", " claims 2-9"]
PIECES = st.sampled_from(WORDS + MARKS)
TEXTS = st.lists(PIECES, min_size=1, max_size=40).map("".join) | st.text(min_size=1)


@given(st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=200)
def test_any_text_is_checked_and_quotes_are_where_they_are_said_to_be(texts: list[str]) -> None:
    try:
        claims = read(texts)
    except Refused:
        return
    for claim in claims:
        for each in analyse(claims)[claim.number].reported():
            assert each.quote
            assert claim.text[each.start : each.end] == each.quote
