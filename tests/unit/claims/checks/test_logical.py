"""The checks of logic: the battery, what must stay silent, and that no text breaks them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks.logical import RULES, check
from ace.claims.checks.logical.order import early_uses
from ace.claims.checks.logical.subjects import conditional, subject_before
from ace.claims.checks.logical.transitions import body_of
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
    "two elements, one of each kind": "1. A tank comprising a transparent portion and an opaque portion, "
    "wherein the "
    "transparent portion is above the opaque portion.",
    "alternatives": "1. A tank comprising a cover, wherein the cover is transparent or opaque.",
    "states in turn": "1. A faucet comprising a valve movable between a position in which the valve is "
    "open and a "
    "position in which the valve is closed.",
    "conditions": "1. A circuit comprising a switch, wherein, when a signal is high, the switch is open, "
    "and wherein, "
    "when the signal is low, the switch is closed.",
    "different respects": "1. A pad comprising a film, wherein the film is electrically conductive, and "
    "wherein the "
    "film is thermally insulating.",
    "different ends": "1. A tube comprising a wall, wherein the wall is open at a first end, and wherein "
    "the wall is "
    "closed at a second end.",
    "partly": "1. A lens comprising a rim, wherein the rim is transparent, and wherein the rim is "
    "partially opaque.",
    "other part": "1. A box comprising a lid, wherein the lid is rigid, and wherein an edge of the lid is "
    "flexible.",
    "a comparison": "1. A table comprising a high leg, wherein the high leg is lower than a chair.",
    "a compound": "1. A display comprising a liquid crystal layer, wherein the liquid crystal layer is "
    "solid.",
    "a comparator": "1. A method comprising determining whether the first value is greater than the second "
    "value, "
    "and determining whether the first value is less than the second value.",
    "a cooling": "1. A method comprising cooling a steel from 900 to 20 °C.",
    "a gradient": "1. A method comprising eluting a column with a gradient of from 90 to 10% methanol.",
    "negative degrees": "1. A freezer maintaining a temperature of from -10 to -20 °C.",
    "a power of ten": "1. A buffer comprising a ligand at a concentration of 10-5 M.",
    "complements": "1. A blend comprising from 25 to 75 wt.% of a resin and from 75 to 25 wt.% of a filler.",
    "a growth over 100": "1. A fiber having an elongation at break of at least 150%.",
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
    "amounts in two places": "1. A method comprising adding an agent, wherein the amount of the agent is "
    "less than an "
    "amount of salt in the first bath, and wherein the amount of the agent is more than an amount of salt "
    "in the "
    "second bath.",
    "nearly closed": "1. A paste consisting essentially of tin and zinc.\n"
    "2. The paste of claim 1, further comprising a flux.",
    "optional": "1. A jar comprising a body and optionally a lid.\n2. The jar of claim 1, wherein the lid "
    "is absent.",
    "absent at a place": "1. A film comprising a pigment.\n"
    "2. The film of claim 1, wherein the pigment is not present in an edge of the film.",
    "absence detected": "1. A method comprising placing a vial in a rack and determining whether the vial "
    "is missing.",
    "absent at times": "1. A scale comprising a tray.\n"
    "2. The scale of claim 1, wherein, when the tray is absent, an alarm sounds.",
    "a part without": "1. A shelf comprising a bracket and a screw.\n"
    "2. The shelf of claim 1, wherein the bracket does not comprise a screw.",
    "made in the preamble": "1. A method of cleaning a wafer, comprising: rinsing the wafer; and drying "
    "the wafer.",
    "a thing, not a method": "1. A device comprising: a pump for the liquid; and a mixer for forming a "
    "liquid.",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_what_looks_alike_is_not_flagged(text: str) -> None:
    assert flaws(text) == []


def test_a_range_of_the_thing_itself_is_compared_with_the_nearest_before() -> None:
    ((_, flaw),) = flaws(
        "1. A strip comprising a groove in a rim with a span of 5 to 10 mm.\n"
        "2. The strip of claim 1, wherein the rim is from 2 to 30 mm."
    )
    assert (flaw.rule.subtype, "nearest" in flaw.signals) == ("range_widened", True)


def test_the_fix_of_a_reversed_range_mends_it() -> None:
    text = "1. A coating having a thickness of from 10 to 5 µm."
    ((claim, flaw),) = flaws(text)
    assert flaw.fix is not None
    mended = claim.text[: flaw.fix.start] + flaw.fix.replacement + claim.text[flaw.fix.end :]
    assert mended == "A coating having a thickness of from 5 to 10 µm."
    assert flaws(f"1. {mended}") == []


@pytest.mark.parametrize(
    ("text", "words", "of"),
    [
        ("wherein the drive shaft", ("drive", "shaft"), ()),
        ("wherein said edges of the first plate", ("edge",), ("of", "first", "plate")),
        ("an angle between the rail and the post", ("angle",), ("between", "post")),
        ("wherein the layer disposed on the substrate", ("layer",), ("disposed", "on", "substrate")),
        ("wherein the target diameter D", ("target", "diameter"), ()),
    ],
)
def test_the_subject_of_a_statement(text: str, words: tuple[str, ...], of: tuple[str, ...]) -> None:
    found = subject_before(text, len(text))
    assert found is not None
    assert (found.words, found.of) == (words, of)


@pytest.mark.parametrize("text", ["", "wherein", "and that", "12", "of the", "( ["])
def test_no_subject(text: str) -> None:
    assert subject_before(text, len(text)) is None


def test_a_condition_is_seen_before_and_after_but_not_within() -> None:
    for text, expected in (
        ("wherein the valve is open when hot", True),
        ("wherein, if hot, the valve is open", True),
        ("wherein a gate closes when hot, and the valve is open", False),
        ("wherein the valve is open", False),
    ):
        start = text.index("the valve")
        end = text.index("open") + 4
        assert conditional(text, start, start + 9, end) is expected


def test_the_transition_of_a_claim() -> None:
    reading = Reading(ClaimSet(()))
    assert body_of(reading, "A kit consisting of a pen.").closed
    assert not body_of(reading, "A kit comprising a pen consisting of steel.").closed
    assert body_of(reading, "The kit of claim 1, wherein the kit consists of a pen and ink.").closed
    assert body_of(reading, "A kit for writing, comprising a pen.").head == "kit"


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


def test_steps_are_looked_for_in_methods_alone() -> None:
    text = "A device comprising: a dryer for the paste; and a mixer forming a paste."
    reading = Reading(claim_set([text]))
    assert list(early_uses(reading, reading.claims[1])) == []
