"""The checks of logic: the battery, what must stay silent, and that no text breaks them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks.logical import RULES, check
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of


def flaws(text: str) -> list[tuple[Claim, Flaw]]:
    reading = Reading(read_text(text))
    return [(claim, flaw) for claim in reading.claims for flaw in check(reading, claim)]


def claim_set(texts: list[str]) -> ClaimSet:
    return ClaimSet(
        tuple(Claim(number, text, parents_of(text, number)) for number, text in enumerate(texts, start=1))
    )


SILENT: dict[str, str] = {
    "a cooling": "1. A method comprising cooling a steel from 900 to 20 °C.",
    "a gradient": "1. A method comprising eluting a column with a gradient of from 90 to 10% methanol.",
    "negative degrees": "1. A freezer maintaining a temperature of from -10 to -20 °C.",
    "a power of ten": "1. A buffer comprising a ligand at a concentration of 10-5 M.",
    "negative bound": "1. A filter that transmits light of 360 to 400 nm.\n"
    "2. The filter of claim 1, wherein the filter does not transmit light of 300 nm.",
    "a further thing": "1. A tape comprising a film having a thickness of 1 to 2 mm.\n"
    "2. The tape of claim 1, further comprising a film having a thickness of 5 mm.",
    "measured under another condition": "1. An oil, wherein the oil has a viscosity of 10 mPa·s at 25 °C.\n"
    "2. The oil of claim 1, wherein the oil has a viscosity of 5 mPa·s at 60 °C.",
    "an added number of things": "1. A hub having two legs.\n2. The hub of claim 1, wherein the hub has "
    "four legs.",
    "heated in two steps": "1. A method comprising heating a melt to 80 °C; and heating the melt to 120 °C.\n"
    "2. The method of claim 1, wherein the melt is heated to 120 °C.",
    "either of two values": "1. A method at a temperature, wherein the reaction temperature is 0° C. or "
    "23° C.\n"
    "2. The method of claim 1, wherein the reaction temperature is 23° C.",
    "positions upstream": "1. A probe for positions from 49 to 1, or from 19 to 1 nucleotides upstream.",
    "a member that a relative clause limits": "1. A cell comprising a synthase, a lyase, or a synthase "
    "that has a tag.",
    "things in an order": "1. A chip comprising a substrate, an oxide, and a substrate.",
    "a name with a comma": "1. A foam of a cyclohexane-1,3-diisocyanate, a toluene, or a 3-diisocyanate.",
    "other in the middle": "1. A drug selected from the group consisting of nitroglycerin or other "
    "nitrate, heparin, and "
    "statin.",
    "complements": "1. A blend comprising from 25 to 75 wt.% of a resin and from 75 to 25 wt.% of a filler.",
    "parts of another": "1. A gel comprising 120 to 150 wt.% of water based on the weight of the polymer.",
    "two shares": "1. A mix comprising at least 50% of sand and less than 30% of clay.",
    "another step": "1. A method comprising heating a melt at a first temperature of 50 to 60 °C.\n"
    "2. The method of claim 1, wherein the second temperature is 80 °C.",
    "another part's thickness": "1. A tape comprising a film and a foil, wherein the film has a thickness "
    "of 5 to "
    "10 mm.\n2. The tape of claim 1, wherein a thickness of the foil is 1 to 2 mm.",
    "one of several": "1. A method comprising a first stage at a temperature of 100 to 120 °C and a second "
    "stage at a "
    "temperature of 200 to 220 °C.\n2. The method of claim 1, wherein the temperature is 205 °C.",
    "a bound on the open side": "1. A pipe having a length of at least 5 m.\n"
    "2. The pipe of claim 1, wherein the length is at most 20 m.",
    "alternative parents": "1. A pipe having a length of at least 5 m.\n2. A pipe having a length of at "
    "most 2 m.\n"
    "3. The pipe of claim 1 or 2, wherein the length is 1 m.",
    "a group": "1. A paste comprising a metal selected from the group consisting of tin and zinc.\n"
    "2. The paste of claim 1, further comprising a flux.",
    "a closed part": "1. A paste comprising a powder consisting of tin and zinc.\n"
    "2. The paste of claim 1, further comprising a flux.",
    "a closed part before the transition": "1. A method of coating a substrate consisting of glass, the "
    "method "
    "comprising spraying a film on the substrate.\n2. The method of claim 1, further comprising drying the "
    "film.",
    "a part that another shares its verb with": "1. A paste comprising a powder consisting of tin and "
    "zinc, and a "
    "flux.\n2. The paste of claim 1, wherein the flux further comprises an acid.",
    "nearly closed": "1. A paste consisting essentially of tin and zinc.\n"
    "2. The paste of claim 1, further comprising a flux.",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_what_looks_alike_is_not_flagged(text: str) -> None:
    assert flaws(text) == []


def test_the_fix_of_a_reversed_range_mends_it() -> None:
    text = "1. A coating having a thickness of from 10 to 5 µm."
    ((claim, flaw),) = flaws(text)
    assert flaw.fix is not None
    mended = claim.text[: flaw.fix.start] + flaw.fix.replacement + claim.text[flaw.fix.end :]
    assert mended == "A coating having a thickness of from 5 to 10 µm."
    assert flaws(f"1. {mended}") == []


PIECES = st.sampled_from(
    [
        "the",
        "a",
        "said",
        "housing",
        "arm",
        "is",
        "are",
        "being",
        "not",
        "rigid",
        "flexible",
        "open",
        "closed",
        "wherein",
        ",",
        ";",
        ".",
        ":",
        "and",
        "or",
        "from",
        "to",
        "between",
        "5",
        "10",
        "mm",
        "%",
        "at",
        "least",
        "less",
        "than",
        "comprising",
        "consisting",
        "of",
        "further",
        "free",
        "without",
        "no",
        "absent",
        "claim",
        "1",
        "above",
        "below",
        "method",
        "forming",
        "when",
    ]
)


@given(st.lists(st.lists(PIECES, max_size=60).map(" ".join), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_word_salad_gives_spans_of_the_text(texts: list[str]) -> None:
    reading = Reading(claim_set(texts))
    for claim in reading.claims:
        for flaw in check(reading, claim):
            assert 0 <= flaw.start < flaw.end <= len(claim.text)
            assert flaw.rule in RULES


@given(st.lists(st.text(max_size=200), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_text_is_checked(texts: list[str]) -> None:
    reading = Reading(claim_set(texts))
    for claim in reading.claims:
        for flaw in check(reading, claim):
            assert 0 <= flaw.start < flaw.end <= len(claim.text)
