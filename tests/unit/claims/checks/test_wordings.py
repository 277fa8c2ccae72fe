"""Defects in one of the many ways in which a draft may word them, each beside a sound claim of its shape."""

import pytest

from ace.claims.analysis import check_set
from ace.claims.readers import read_text
from ace.claims.taxonomy import ErrorClass

CONTRADICTION, CLOSED = "logical.contradiction", "logical.closed_then_opened"
IMPOSSIBLE, MISSED = "logical.impossible_range", "logical.range_missed"
NO_BASIS = "antecedent.no_basis"
UNGRAMMATICAL, TRANSITION = "syntax.ungrammatical", "syntax.no_transition"

PAIRS = [
    (
        CONTRADICTION,
        "the hub has four slots",
        (
            "1. A fan comprising a hub, wherein the hub has six or more slots, and wherein the hub has "
            "four slots."
        ),
        (
            "1. A fan comprising a hub, wherein the hub has six or fewer slots, and wherein the hub has "
            "four slots."
        ),
    ),
    (
        CONTRADICTION,
        "the hub has three ribs",
        (
            "1. A fan comprising a hub, wherein the hub has no fewer than four ribs, and the hub has "
            "three ribs."
        ),
        (
            "1. A fan comprising a hub, wherein the hub has no fewer than four ribs, and the hub has five"
            " ribs."
        ),
    ),
    (
        CONTRADICTION,
        "the hub has twelve flaps",
        (
            "1. A fan comprising a hub, wherein the hub has at most ten flaps.\n"
            "2. The fan of claim 1, wherein the hub has twelve flaps.\n"
        ),
        (
            "1. A fan comprising a hub, wherein the hub has at least ten flaps.\n"
            "2. The fan of claim 1, wherein the hub has twelve flaps.\n"
        ),
    ),
    (
        CONTRADICTION,
        "the rotors total five in number",
        (
            "1. An aircraft comprising a frame and six rotors on the frame, wherein the rotors total five"
            " in number."
        ),
        (
            "1. An aircraft comprising a frame and at least four rotors, wherein the rotors total five in"
            " number."
        ),
    ),
    (
        CLOSED,
        "further comprises",
        (
            "1. A fan comprising a hub, wherein the hub is composed solely of a core and a ring.\n"
            "2. The fan of claim 1, wherein the hub further comprises a nozzle.\n"
        ),
        (
            "1. A fan comprising a hub, wherein the hub is composed of a core and a ring.\n"
            "2. The fan of claim 1, wherein the hub further comprises a nozzle.\n"
        ),
    ),
    (
        CLOSED,
        "a nozzle",
        (
            "1. A fan comprising a hub, wherein the hub consists of a core and a ring.\n"
            "2. The fan of claim 1, wherein the hub additionally has a nozzle.\n"
        ),
        (
            "1. A fan comprising a hub, wherein the hub has a core and a ring.\n"
            "2. The fan of claim 1, wherein the hub additionally has a nozzle.\n"
        ),
    ),
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
        IMPOSSIBLE,
        "upper limit of 49 mm",
        (
            "1. A fan comprising a hub, wherein the hub has a width of a lower limit of 58 mm, and the "
            "hub has a width of an upper limit of 49 mm."
        ),
        (
            "1. A fan comprising a hub, wherein the hub has a width of a lower limit of 49 mm, and the "
            "hub has a width of an upper limit of 58 mm."
        ),
    ),
    (
        MISSED,
        "800 kPa",
        (
            "1. A method comprising putting a part under a curing pressure exceeding 2 MPa.\n"
            "2. The method of claim 1, wherein the curing pressure is held at 800 kPa.\n"
        ),
        (
            "1. A method comprising putting a part under a curing pressure exceeding 200 kPa.\n"
            "2. The method of claim 1, wherein the curing pressure is held at 800 kPa.\n"
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
        IMPOSSIBLE,
        "73 minutes",
        (
            "1. A method comprising curing a film for between 49 and 62 minutes, wherein the curing is "
            "carried out for 73 minutes."
        ),
        (
            "1. A method comprising curing a film for between 49 and 82 minutes, wherein the curing is "
            "carried out for 73 minutes."
        ),
    ),
    (
        IMPOSSIBLE,
        "39 vol.% urea, 74 vol.% glycerol and 14 vol.%",
        (
            "1. A kit comprising a paste, wherein the paste is composed of 39 vol.% urea, 74 vol.% "
            "glycerol and 14 vol.% talc."
        ),
        (
            "1. A kit comprising a paste, wherein the paste is composed of 39 vol.% urea, 24 vol.% "
            "glycerol and 14 vol.% talc."
        ),
    ),
    (
        IMPOSSIBLE,
        "35 wt.%",
        (
            "1. A gas comprising at least 70 wt.% of helium.\n"
            "2. The gas of claim 1, further comprising 35 wt.% of argon.\n"
        ),
        (
            "1. A gas comprising at least 60 wt.% of helium.\n"
            "2. The gas of claim 1, further comprising 35 wt.% of argon.\n"
        ),
    ),
    (
        CONTRADICTION,
        "the cap stands open",
        (
            "1. A jar comprising a cap, wherein the cap remains closed.\n"
            "2. The jar of claim 1, wherein the cap stands open.\n"
        ),
        (
            "1. A jar comprising a cap, wherein the cap remains closed during transport.\n"
            "2. The jar of claim 1, wherein the cap stands open during filling.\n"
        ),
    ),
    (
        CONTRADICTION,
        "the pins touch each other",
        (
            "1. A plug comprising pins, wherein the pins are spaced apart.\n"
            "2. The plug of claim 1, wherein the pins touch each other.\n"
        ),
        (
            "1. A plug comprising pins, wherein the pins are spaced apart.\n"
            "2. The plug of claim 1, wherein the pins face each other.\n"
        ),
    ),
    (
        CONTRADICTION,
        "the cup is made of iron",
        (
            "1. A kit comprising a cup, wherein the cup is non-metallic.\n"
            "2. The kit of claim 1, wherein the cup is made of iron.\n"
        ),
        (
            "1. A kit comprising a cup, wherein the cup is non-metallic.\n"
            "2. The kit of claim 1, wherein the cup is made of oak.\n"
        ),
    ),
    (
        CONTRADICTION,
        "the cover is a steel",
        (
            "1. A kit comprising a cover, wherein the cover is a polymer film.\n"
            "2. The kit of claim 1, wherein the cover is a steel plate.\n"
        ),
        (
            "1. A kit comprising a cover, wherein the cover is a metal plate.\n"
            "2. The kit of claim 1, wherein the cover is a steel plate.\n"
        ),
    ),
    (
        CONTRADICTION,
        "the lamp is not lit",
        (
            "1. A car comprising a motor and a lamp, wherein as long as the motor turns, the lamp is lit.\n"
            "2. The car of claim 1, wherein as long as the motor turns, the lamp is not lit.\n"
        ),
        (
            "1. A car comprising a motor and a lamp, wherein as long as the motor turns, the lamp is lit.\n"
            "2. The car of claim 1, wherein as long as the motor stops, the lamp is not lit.\n"
        ),
    ),
    (
        CONTRADICTION,
        "some of the holes are threaded to receive bolts",
        (
            "1. A plate comprising a plurality of holes, none of the holes being threaded.\n"
            "2. The plate of claim 1, wherein some of the holes are threaded to receive bolts.\n"
        ),
        (
            "1. A plate comprising a plurality of holes, each of the holes being threaded.\n"
            "2. The plate of claim 1, wherein some of the holes are threaded to receive bolts.\n"
        ),
    ),
    (
        CONTRADICTION,
        "the bed is located downstream of the filter",
        (
            "1. A duct comprising a pipe, a filter in the pipe, and a bed positioned upstream of the "
            "filter in the pipe, wherein the bed is located downstream of the filter."
        ),
        (
            "1. A duct comprising a pipe, a filter in the pipe, and a bed positioned upstream of the "
            "filter in the pipe, wherein the bed is located downstream of the fan."
        ),
    ),
    (
        CONTRADICTION,
        "the left leg is longer than the right leg",
        (
            "1. A stand comprising a left leg and a right leg, the left leg and the right leg being equal"
            " in length.\n"
            "2. The stand of claim 1, wherein the left leg is longer than the right leg.\n"
        ),
        (
            "1. A stand comprising a left leg and a right leg, the left leg and the right leg being equal"
            " in width.\n"
            "2. The stand of claim 1, wherein the left leg is longer than the right leg.\n"
        ),
    ),
    (
        "logical.present_and_absent",
        "no groove is in the lid",
        (
            "1. A jar comprising a lid, wherein the lid has a groove.\n"
            "2. The jar of claim 1, wherein no groove is in the lid."
        ),
        (
            "1. A jar comprising a lid, wherein the lid has a groove.\n"
            "2. The jar of claim 1, wherein the groove is not in the rim."
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
        "antecedent.no_basis",
        "the step",
        (
            "1. A method comprising cutting a board.\n"
            "2. The method of claim 1, wherein the step of sieving takes 5 minutes."
        ),
        (
            "1. A method comprising cutting a board.\n"
            "2. The method of claim 1, wherein the step of cutting takes 5 minutes."
        ),
    ),
    (
        "antecedent.ambiguous",
        "the motor",
        "1. A lift comprising an induction motor and a torque motor, wherein the motor is on a frame.",
        "1. A lift comprising an induction motor or a torque motor, wherein the motor is on a frame.",
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
        "dependency.not_narrowing",
        "wherein the mast is replaced by a kite",
        (
            "1. A boat comprising a mast.\n"
            "2. The boat of claim 1, further comprising a keel.\n"
            "3. The boat of claim 2, wherein the mast is replaced by a kite.\n"
        ),
        (
            "1. A boat comprising a mast.\n"
            "2. The boat of claim 1, further comprising a keel.\n"
            "3. The boat of claim 2, wherein the mast is carried by a kite.\n"
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
        "ambiguity.mixed_category",
        "the steps of which are turning",
        (
            "1. A pump comprising a rotor and a housing, the steps of which are turning the rotor and "
            "filling the housing."
        ),
        "1. A pump comprising a rotor and a housing, the walls of which are turned and smooth.",
    ),
    (
        "ambiguity.unexplained_symbol",
        "L < kD",
        "1. A rod of a length L and of a diameter D, wherein L < kD.",
        "1. A rod of a length L and of a diameter D, wherein k is 3 and L < kD.",
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
        "the group",
        (
            "1. A pump.\n2. The pump of claim 1, comprising a group of rotors.\n"
            "3. The pump of claim 1 or 2, wherein the group is shielded."
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
        "ambiguity.preference",
        "preferred",
        "1. A cake comprising flour and sugar, preferred in equal parts.",
        "1. A system comprising a server configured to send a preferred rank to a user.",
    ),
    (
        "ambiguity.open_alternatives",
        "kinds of",
        "1. A cake comprising kinds of nuts.",
        "1. A cake comprising three kinds of nuts and a plurality of kinds of berries.",
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
        NO_BASIS,
        "the Control Law",
        "1. A machine comprising a motor, wherein the motor follows the Control Law.",
        "1. A machine comprising a motor, wherein the motor computes the Fourier transform.",
    ),
    (
        NO_BASIS,
        "the IL-2 fusion protein",
        "1. A kit comprising a vial, wherein the vial holds the IL-2 fusion protein.",
        "1. A kit comprising a vial, wherein the vial binds the receptor CCR3.",
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
        "ambiguity.preference",
        "preferred",
        "1. A plate having a preferred thickness of 3 mm.",
        "1. A plate marked with the preferred language of a user.",
    ),
    (
        "ambiguity.preference",
        "preferred",
        "1. A plate, wherein the plate is in a preferred case red.",
        "1. A plate, wherein the plate bears a preferred name.",
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


def found_in(text: str, rule_id: str) -> list[str]:
    return [each.quote for each in check_set(read_text(text)) if each.rule_id == rule_id]


@pytest.mark.parametrize(("rule_id", "quote", "text"), [pair[:3] for pair in PAIRS])
def test_a_defect_is_found_at_its_words(rule_id: str, quote: str, text: str) -> None:
    assert found_in(text, rule_id) == [quote]


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
