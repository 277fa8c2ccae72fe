"""Defects in one of the many ways in which a draft may word them, each beside a sound claim of its shape."""

import pytest

from ace.claims.analysis import check_set
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.readers import read_text
from ace.claims.taxonomy import ErrorClass

IMPOSSIBLE, MISSED = "logical.impossible_range", "logical.range_missed"
NO_BASIS = "antecedent.no_basis"
UNGRAMMATICAL, TRANSITION = "syntax.ungrammatical", "syntax.no_transition"

PAIRS = [
    (
        MISSED,
        "9:1",
        (
            "1. A fan comprising a hub, wherein a ratio of the height to the length of the hub is at most"
            " 5:1.\n"
            "2. The fan of claim 1, wherein the ratio of the height to the length of the hub is 9:1.\n"
        ),
        (
            "1. A fan comprising a hub, wherein a ratio of the height to the length of the hub is at "
            "least 5:1.\n"
            "2. The fan of claim 1, wherein the ratio of the height to the length of the hub is 9:1.\n"
        ),
    ),
    (
        MISSED,
        "3:1",
        (
            "1. A paste comprising tin and zinc in a weight ratio of the tin to the zinc of from 1:1 to "
            "2:1.\n"
            "2. The paste of claim 1, wherein the weight ratio of the tin to the zinc is 3:1.\n"
        ),
        (
            "1. A paste comprising tin and zinc in a weight ratio of the tin to the zinc of from 1:1 to "
            "4:1.\n"
            "2. The paste of claim 1, wherein the weight ratio of the tin to the zinc is 3:1.\n"
        ),
    ),
    (
        MISSED,
        "more than 83 IU",
        (
            "1. A method comprising administering a drug to a patient, wherein the drug is injected at a "
            "dose of from 27 IU to 53 IU every week.\n"
            "2. The method of claim 1, wherein the drug is injected at a dose of more than 83 IU every "
            "week.\n"
        ),
        (
            "1. A method comprising administering a drug to a patient, wherein the drug is injected at a "
            "dose of from 27 IU to 153 IU every week.\n"
            "2. The method of claim 1, wherein the drug is injected at a dose of more than 83 IU every "
            "week.\n"
        ),
    ),
    (
        MISSED,
        "90 to 100 HV",
        (
            "1. A jar comprising a lid, wherein the lid has a hardness of 44 HV to 62 HV at 20 °C.\n"
            "2. The jar of claim 1, wherein the lid has a hardness of 90 to 100 HV at 20 °C."
        ),
        (
            "1. A jar comprising a lid, wherein the lid has a hardness of 44 HV to 162 HV at 20 °C.\n"
            "2. The jar of claim 1, wherein the lid has a hardness of 90 to 100 HV at 20 °C."
        ),
    ),
    (
        "antecedent.number_shift",
        "the trellises",
        "1. A garden comprising a wall and a trellis, wherein each of the trellises faces the wall.",
        "1. A garden comprising a wall and trellises, wherein each of the trellises faces the wall.",
    ),
    (
        "antecedent.ambiguous",
        "the bobbin",
        ("1. A loom comprising a frame and at least two bobbins, wherein the bobbin is held by the frame."),
        ("1. A loom comprising a frame and at least one bobbin, wherein the bobbin is held by the frame."),
    ),
    (
        "antecedent.ambiguous",
        "the kettle",
        (
            "1. A stove comprising a kettle made of steel and a kettle made of iron, wherein the kettle "
            "is hot."
        ),
        ("1. A stove comprising a kettle made of steel and a pot made of iron, wherein the kettle is hot."),
    ),
    (
        "antecedent.no_basis",
        "such a windlass",
        "1. A boat comprising a mast, wherein the mast faces such a windlass.",
        (
            "1. A boat comprising a mast and a windlass, wherein the mast is moved by such a windlass in "
            "such a manner."
        ),
    ),
    (
        UNGRAMMATICAL,
        "plurality elongated",
        "1. A bracket comprising a plurality elongated screws.",
        "1. A bracket comprising a plurality of elongated screws.",
    ),
    (
        UNGRAMMATICAL,
        "one more",
        "1. A computer comprising one more processors.",
        "1. A computer comprising one more processor.",
    ),
    (
        UNGRAMMATICAL,
        "least of",
        "1. A clamp comprising holes, wherein at least of the holes is round.",
        "1. A clamp comprising holes, wherein at least one of the holes is round.",
    ),
    (
        UNGRAMMATICAL,
        "response detecting",
        "1. A lamp configured, in response detecting a key, to turn off.",
        "1. A lamp configured, in response to detecting a key, to turn off.",
    ),
    (
        UNGRAMMATICAL,
        "based performing",
        "1. A method comprising receiving a result based performing the search.",
        "1. A method comprising receiving a result based on performing the search.",
    ),
    (
        UNGRAMMATICAL,
        "selected the",
        "1. A paste comprising a metal selected the group consisting of tin and zinc.",
        "1. A paste comprising a metal selected from the group consisting of tin and zinc.",
    ),
    (
        UNGRAMMATICAL,
        "greater the",
        "1. A method comprising a test of whether a count is greater the limit.",
        "1. A method comprising a test of whether a count is greater than a limit.",
    ),
    (
        UNGRAMMATICAL,
        "arranged calculate",
        ("1. A printer comprising a control unit, wherein the control unit is arranged calculate an amount."),
        (
            "1. A printer comprising a control unit, wherein the control unit is arranged to calculate an"
            " amount."
        ),
    ),
    (
        UNGRAMMATICAL,
        "the a",
        "1. A lamp comprising a bulb, wherein the a bulb is red.",
        "1. A lamp comprising a bulb, wherein said bulb is red.",
    ),
    (
        TRANSITION,
        "the method",
        (
            "1. A method comprising cutting a rod.\n"
            "2. The method of claim 1, the method further comprises drying the rod.\n"
        ),
        (
            "1. A method comprising cutting a rod.\n"
            "2. The method of claim 1, the method further comprising drying the rod.\n"
        ),
    ),
    (
        "syntax.several_sentences",
        "housing. a",
        "1. A pump comprising a hollow housing. a rotor in the housing, and a valve.",
        "1. A pump comprising a hollow housing, a rotor in the housing, and a valve.",
    ),
    (
        "syntax.placeholder",
        "<length>",
        "1. A rod having a length of <length>.",
        "1. A rod having a length l, wherein 2 < l > 1.",
    ),
    (
        "ambiguity.points_elsewhere",
        "as hereinbefore described",
        (
            "1. A kit comprising a rod.\n"
            "2. The kit of claim 1, wherein the rod is shaped as hereinbefore described.\n"
        ),
        ("1. A kit comprising a rod.\n2. The kit of claim 1, wherein the rod is shaped as a hook.\n"),
    ),
    (
        NO_BASIS,
        "the amp mount",
        "1. A method of treating a tumor, comprising inhibiting a kinase with the amp mount.",
        "1. A method of treating a tumor, comprising raising the c-MAF gene and blocking the PI3K pathway.",
    ),
    (
        NO_BASIS,
        "said HER2 gene",
        "1. A method of treating a tumor, comprising silencing said HER2 gene.",
        "1. A method of treating a tumor, comprising silencing the gene HER2.",
    ),
    (
        NO_BASIS,
        "the linker sequence",
        "1. A peptide having two ends and a tag, wherein the linker sequence joins the ends.",
        "1. A peptide comprising the amino acid sequence GIVEQCCTS.",
    ),
    (
        NO_BASIS,
        "the side table",
        "1. A salt comprising an anion, wherein the side table holds the anion.",
        "1. A salt comprising an element of group 15 of the periodic table.",
    ),
    (
        NO_BASIS,
        "the heavy chain",
        "1. An antibody specific for Met, wherein the heavy chain and a light chain are human.",
        "1. An antibody for Met, wherein the heavy chain and/or light chain region of the antibody is human.",
    ),
    (
        NO_BASIS,
        "the lever",
        "1. A pump comprising a rotor, wherein the lever and part of the rotor are made of steel.",
        "1. A composition for inhibiting the growth and/or proliferation of a germ, comprising an oil.",
    ),
    (
        "antecedent.some_paths",
        "the bank",
        (
            "1. A pump.\n2. The pump of claim 1, comprising a bank of rotors.\n"
            "3. The pump of claim 1 or 2, wherein the bank is shielded."
        ),
        (
            "1. A pump.\n2. The pump of claim 1, comprising a group of rotors.\n"
            "3. The pump of claim 1 or 2, made of a metal selected from the group consisting of iron and tin."
        ),
    ),
    (
        "antecedent.typo",
        "the bistream",
        "1. A decoder comprising an input for a bitstream, wherein the bistream is coded.",
        "1. A composition comprising a miRNA, wherein the mRNA is coded.",
    ),
    (
        "syntax.ungrammatical",
        "rotor",
        "1. A fan comprising a rotor and a rod on the rotor.\n2. The fan of claim 1, wherein rotor is new.",
        "1. A fan comprising steel and a blade of the steel.\n2. The fan of claim 1, wherein steel is used.",
    ),
    (
        "syntax.ungrammatical",
        "light plate",
        "1. A fan comprising a light plate and a blade on the light plate, with a rod of light plate.",
        "1. A fan comprising a light plate of steel and a blade on the light plate, of steel.",
    ),
    (
        "syntax.ungrammatical",
        "one or more blade",
        "1. A fan comprising one or more blade.",
        "1. A fan comprising one or more blades, each blade being flat, and one or more storage media.",
    ),
    (
        "syntax.ungrammatical",
        "at least one blades",
        "1. A fan comprising at least one blades.",
        "1. A fan comprising at least one blade, wherein the blades of at least one series are flat.",
    ),
    (
        "syntax.misspelling",
        "mehtyl",
        "1. A salt with methyl.\n2. The salt of claim 1, with a methyl end on the methyl, and mehtyl.",
        "1. A salt with benzyl.\n2. The salt of claim 1, with a benzyl end on the benzyl, and benzoyl.",
    ),
    (
        "syntax.missing_punctuation",
        "layer a",
        (
            "1. A diode comprising: a substrate; a first layer on the substrate; a second layer on top of the"
            " first layer a third layer having a dopant; and a cap."
        ),
        (
            "1. A diode comprising: a substrate; a first layer on the substrate; a second layer on top of the"
            " first layer, a third layer having a dopant; and a cap."
        ),
    ),
    (
        "antecedent.sibling_only",
        "the T7 promoter",
        (
            "1. A cell comprising a wall.\n2. The cell of claim 1, comprising a T7 promoter.\n"
            "3. The cell of claim 1, wherein the T7 promoter is inducible."
        ),
        (
            "1. A cell comprising a wall.\n2. The cell of claim 1, wherein the T7 promoter is inducible.\n"
            "3. The cell of claim 1, wherein the T7 promoter is native."
        ),
    ),
    (
        NO_BASIS,
        "the sensor",
        "1. A machine with a plate, wherein the sensor and temperature sensor detect heat of the plate.",
        "1. A machine with a plate, wherein the expansion or contraction of the plate is detected.",
    ),
    (
        "syntax.missing_punctuation",
        "base a",
        (
            "1. A case comprising: a base; a rotor; a cap on the inner side of the base a lens having a rim;"
            " and a lid."
        ),
        (
            "1. A case comprising: a base; a motor; a cover including near the rim a lens mounted in a ring; "
            "and a lid."
        ),
    ),
    (
        UNGRAMMATICAL,
        "the each",
        "1. A scale comprising pans and the each rim of a pan.",
        "1. A scale comprising pans and each rim of a pan.",
    ),
    (
        UNGRAMMATICAL,
        "and;",
        "1. A method comprising heating water and; cooling the water.",
        "1. A method comprising heating water; and cooling the water.",
    ),
    (
        UNGRAMMATICAL,
        "comprising wherein",
        "1. A lamp comprising a bulb, further comprising wherein the bulb is red.",
        "1. A lamp comprising a bulb, wherein the bulb is red.",
    ),
    (
        UNGRAMMATICAL,
        "is having",
        "1. A lamp comprising a bulb, wherein the bulb is having a red cap.",
        "1. A lamp comprising a bulb, wherein the bulb has a red cap.",
    ),
    (
        UNGRAMMATICAL,
        "pharmaceutical acceptable",
        "1. A paste comprising tin and a pharmaceutical acceptable salt.",
        "1. A paste comprising tin and a pharmaceutically acceptable salt.",
    ),
    (
        UNGRAMMATICAL,
        "principle component",
        "1. A method comprising plotting a principle component of an image.",
        "1. A method comprising plotting a principal component of an image.",
    ),
]


SOUND = [
    ("1. A box comprising a door, wherein the door opens automatically and the door closes automatically."),
    (
        "1. A pump comprising a valve, wherein the valve opens in response to a signal.\n"
        "2. The pump of claim 1, wherein the valve closes in response to a second signal."
    ),
    (
        "1. A paste comprising at least 70 wt.% of a polymer.\n"
        "2. The paste of claim 1, comprising at least 50 wt.% of polypropylene."
    ),
    (
        "1. A plate comprising pads, wherein none of the pads is connected to power.\n"
        "2. The plate of claim 1, wherein some of the pads are connected to ground."
    ),
    "1. A printer producing an image, wherein the image is black and white.",
    (
        "1. An alloy consisting of iron and nickel.\n"
        "2. The alloy of claim 1, further having a grain size of 5 µm."
    ),
    (
        "1. A system comprising a processor configured to perform an operation on data, the operation "
        "comprising sorting the data."
    ),
    "1. A ladder comprising two rails and steps, the steps of which are fixed to the rails.",
    (
        "1. A compound, a tautomer, or a salt thereof, represented by formula (I), wherein R1 is H; and "
        "R2 is methyl."
    ),
    "1. A pump, an apparatus for pumping water, wherein the pump has a rotor; and a wall.",
    ("1. A jar comprising a lid.\n2. The jar according to claim 1, the lid of which is hinged."),
    "1. A method comprising sending a request and in response receiving a reply.",
    "1. A method comprising receiving in response a reply.",
    "1. A tool comprising a tooth and at least one more of the teeth of a comb.",
    "1. A cam having a radius, wherein the radius is larger the closer it is to an edge.",
    "1. A method comprising taking a plurality vote of classifiers.",
    "1. A method comprising training a model, wherein the model has based its decision on a score.",
    "1. A medium storing an XML document having a tag <title> that marks a title.",
    "1. A compound wherein R1 is methyl; n is 1; m is 2; A is phenyl.",
    (
        "1. A jar comprising a lid, wherein the lid is sealed with wax.\n"
        "2. The jar of claim 1, wherein the lid has no seal."
    ),
    (
        "1. A link with a rate, wherein the rate is 10 to 20 Mb/s.\n"
        "2. The link of claim 1, wherein the rate is 2 MB/s."
    ),
    "1. A network comprising a loss, wherein the loss has a weight of 0.7.",
    (
        "1. A method comprising adjusting a pH, wherein the pH is adjusted to 5, and subsequently the pH "
        "is adjusted to 8."
    ),
    "1. A paste comprising a resin made by Acme Ltd. and a sugar.",
]
"""Sound claims that look like some of these defects; what is said of antecedents is of no interest here."""


def found_in(text: str, rule_id: str, threshold: float = DEFAULT_THRESHOLD) -> list[str]:
    return [each.quote for each in check_set(read_text(text), threshold=threshold) if each.rule_id == rule_id]


@pytest.mark.parametrize(("rule_id", "quote", "text"), [pair[:3] for pair in PAIRS])
def test_a_defect_is_found_at_its_words(rule_id: str, quote: str, text: str) -> None:
    assert found_in(text, rule_id, threshold=0.0) == [quote]


@pytest.mark.parametrize(("rule_id", "twin"), [(pair[0], pair[3]) for pair in PAIRS])
def test_a_sound_claim_of_the_same_shape_is_not_flagged(rule_id: str, twin: str) -> None:
    assert found_in(twin, rule_id) == []


@pytest.mark.parametrize("text", SOUND)
def test_a_sound_claim_is_not_flagged(text: str) -> None:
    found = [each for each in check_set(read_text(text)) if each.error_class is not ErrorClass.ANTECEDENT]
    assert [(each.rule_id, each.quote) for each in found if each.subtype != "trademark"] == []


@pytest.mark.parametrize("text", [text for pair in PAIRS for text in pair[2:]])
def test_a_claim_that_breaks_off_anywhere_is_read(text: str) -> None:
    last = text.rindex("\n") + 1 if "\n" in text else 0
    for end in range(last + len("1. "), len(text)):
        check_set(read_text(text[:end], partial=True))
