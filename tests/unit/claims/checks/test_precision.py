"""Claims that are sound although they look like ones with a defect, each beside one that has it."""

import pytest

from ace.claims.checks import findings_in
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction

CONTRADICTION, PRESENT = "logical.contradiction", "logical.present_and_absent"
CLOSED, EARLY = "logical.closed_then_opened", "logical.used_before_made"
AND, MARK, BROKEN = "syntax.missing_conjunction", "syntax.missing_punctuation", "syntax.broken_off"
OPEN, STEP = "ambiguity.open_alternatives", "ambiguity.unknown_step"

PAIRS = {
    "a condition behind two statements": (
        CONTRADICTION,
        (
            "1. A pump, wherein the inlet is open and the drain is closed.\n"
            "2. The pump of claim 1, wherein the drain is open and the inlet is closed."
        ),
        (
            "1. A pump, wherein the inlet is open and the drain is closed.\n"
            "2. The pump of claim 1, wherein the drain is open and the inlet is closed during a purge."
        ),
    ),
    "two gears": (
        CONTRADICTION,
        "1. A gearbox, wherein the dog clutch is engaged, and the dog clutch is disengaged.",
        (
            "1. A gearbox, wherein the dog clutch is engaged and the brake is disengaged in a first gear, "
            "and the dog "
            "clutch is disengaged and the brake is engaged in a second gear."
        ),
    ),
    "a step between two states": (
        CONTRADICTION,
        "1. A method comprising providing a jar, wherein the jar is empty, wherein the jar is full.",
        (
            "1. A method comprising providing a jar, wherein the jar is empty; filling the jar with rice; "
            "and closing "
            "the jar, wherein the jar is full."
        ),
    ),
    "what an act brings about": (
        CONTRADICTION,
        "1. A brake, wherein the pad is spaced from the disc, and the pad is in contact with the disc.",
        (
            "1. A brake, wherein the pad is spaced from the disc, and a lever presses the pad against the "
            "disc such that "
            "the pad is in contact with the disc."
        ),
    ),
    "a state that an act ends": (
        CONTRADICTION,
        "1. A pen comprising a tip, wherein the tip is extended, and the tip is retracted.",
        (
            "1. A pen comprising a tip, wherein the tip is extended by pressing a knob and the tip is "
            "retracted by "
            "releasing the knob."
        ),
    ),
    "acts that follow each other": (
        CONTRADICTION,
        (
            "1. A cushion, wherein the cushion is inflated.\n2. The cushion of claim 1, wherein the cushion "
            "is deflated."
        ),
        (
            "1. A cushion, wherein the cushion is inflated via a hose.\n"
            "2. The cushion of claim 1, wherein the cushion is deflated via the hose."
        ),
    ),
    "a way that is denied": (
        CONTRADICTION,
        (
            "1. A boot, wherein the sole is not attached to the upper.\n"
            "2. The boot of claim 1, wherein the sole is attached to the upper by stitching."
        ),
        (
            "1. A boot, wherein the sole is not attached to the upper by glue.\n"
            "2. The boot of claim 1, wherein the sole is attached to the upper by stitching."
        ),
    ),
    "another thing that it moves relative to": (
        CONTRADICTION,
        (
            "1. A cart, wherein the wheel does not rotate.\n"
            "2. The cart of claim 1, wherein the wheel rotates relative to the frame."
        ),
        (
            "1. A cart, wherein the wheel does not rotate relative to the axle.\n"
            "2. The cart of claim 1, wherein the wheel rotates relative to the frame."
        ),
    ),
    "light of one kind": (
        CONTRADICTION,
        (
            "1. A pane, wherein the pane transmits light.\n2. The pane of claim 1, wherein the pane does "
            "not transmit "
            "light."
        ),
        (
            "1. A pane, wherein the pane transmits light of a first color.\n"
            "2. The pane of claim 1, wherein the pane does not transmit light of a second color."
        ),
    ),
    "a supposition": (
        CONTRADICTION,
        "1. A method, wherein the gate is open.\n2. The method of claim 1, wherein the gate is closed.",
        (
            "1. A method, wherein the gate is open.\n"
            "2. The method of claim 1, wherein the model assumes that the gate is closed."
        ),
    ),
    "a number for each of several things": (
        CONTRADICTION,
        (
            "1. A sieve, wherein the net has only one hole.\n2. The sieve of claim 1, wherein the net has "
            "three holes."
        ),
        (
            "1. A sieve, wherein the net has only one hole per field.\n"
            "2. The sieve of claim 1, wherein the net has three holes."
        ),
    ),
    "not both": (
        PRESENT,
        (
            "1. A glaze, wherein the glaze does not contain lead.\n2. The glaze of claim 1, wherein the "
            "glaze contains "
            "lead."
        ),
        (
            "1. A glaze, wherein the glaze does not contain both lead and tin.\n"
            "2. The glaze of claim 1, wherein the glaze contains lead."
        ),
    ),
    "a part of each": (
        PRESENT,
        (
            "1. A cable comprising several wires, wherein the wires are insulated.\n"
            "2. The cable of claim 1, wherein each of the wires is not insulated."
        ),
        (
            "1. A cable comprising several wires, wherein the wires are insulated.\n"
            "2. The cable of claim 1, wherein an end of each of the wires is not insulated."
        ),
    ),
    "an exception": (
        PRESENT,
        (
            "1. A paste, wherein the paste contains no solvent.\n2. The paste of claim 1, wherein the paste "
            "contains a "
            "solvent."
        ),
        (
            "1. A paste, wherein the paste contains no solvent other than water.\n"
            "2. The paste of claim 1, wherein the paste contains a solvent that is water."
        ),
    ),
    "a denial of the whole extent": (
        PRESENT,
        (
            "1. A paste, wherein the paste does not contain a solvent.\n"
            "2. The paste of claim 1, wherein the paste contains a solvent."
        ),
        (
            "1. A paste, wherein the paste does not substantially contain a solvent.\n"
            "2. The paste of claim 1, wherein the paste contains a solvent."
        ),
    ),
    "a state in which it is absent": (
        PRESENT,
        (
            "1. A cell, wherein the anode does not comprise lithium.\n"
            "2. The cell of claim 1, wherein the anode comprises lithium."
        ),
        (
            "1. A cell, wherein the anode does not comprise lithium in a discharged state.\n"
            "2. The cell of claim 1, wherein the anode comprises lithium."
        ),
    ),
    "a region in which it is absent": (
        PRESENT,
        (
            "1. A cloth, wherein the cloth is free of elastane.\n2. The cloth of claim 1, wherein the cloth "
            "comprises "
            "elastane."
        ),
        (
            "1. A cloth, wherein the cloth is free of elastane in a first zone.\n"
            "2. The cloth of claim 1, wherein the cloth comprises elastane in a second zone."
        ),
    ),
    "a kit with what its part lacks": (
        PRESENT,
        "1. A serum, wherein the serum does not comprise a dye.\n2. The serum of claim 1, comprising a dye.",
        (
            "1. A serum, wherein the serum does not comprise a dye.\n2. A kit comprising the serum of claim "
            "1 and a dye."
        ),
    ),
    "a kind of which another is one": (
        CLOSED,
        (
            "1. A method of burning a feed consisting of peat and straw.\n"
            "2. The method of claim 1, wherein the feed comprises a catalyst."
        ),
        (
            "1. A method of burning a feed consisting of wood products, at night.\n"
            "2. The method of claim 1, wherein the feed comprises a bark residue."
        ),
    ),
    "a relative clause of the preamble": (
        CLOSED,
        (
            "1. A panel which consists of a core and a face.\n2. The panel of claim 1, further comprising a "
            "sensor."
        ),
        (
            "1. A press for a panel which consists of a core and a face, comprising a table and a ram.\n"
            "2. The press of claim 1, further comprising a sensor."
        ),
    ),
    "the aim of a method": (
        EARLY,
        (
            "1. A method of making a film, comprising: stretching the film; and extruding a melt to form "
            "the film."
        ),
        (
            "1. A method of making a film, comprising: heating a melt to a width of the film; and extruding "
            "the melt to "
            "form the film."
        ),
    ),
    "made in each alternative": (
        EARLY,
        "1. A method comprising: drying the glue; and mixing a resin and a filler to produce the glue.",
        (
            "1. A method comprising: a. mixing a resin to produce the glue; or b. melting a resin to "
            "produce the glue."
        ),
    ),
    "steps between commas": (
        EARLY,
        "1. A method comprising sending the key, generating a key, and storing a code.",
        "1. A method comprising generating a key, sending the key, and storing a code.",
    ),
    "steps after a colon of their own": (
        EARLY,
        (
            "1. A method comprising the steps of: firing the blank; pressing a powder into a blank; and "
            "glazing a lid."
        ),
        (
            "1. A method comprising the steps of: pressing a powder into a blank; firing the blank; and "
            "glazing a lid."
        ),
    ),
    "a semicolon for a comma": (
        AND,
        "1. A coin of a metal selected from the group consisting of tin, zinc, lead.",
        "1. A coin of a metal selected from the group consisting of tin, zinc; lead, silver; and gold.",
    ),
    "an adverbial between commas": (
        AND,
        "1. A method comprising heating a bar, cooling the bar, drilling the bar.",
        "1. A method comprising: receiving, via a port, a code; and printing the code.",
    ),
    "a comma before the last element": (
        AND,
        "1. A radio comprising: a case; a coil; a generator that drives a coil, and a delay line.",
        "1. A radio comprising: a case; a coil; a generator, and a delay line.",
    ),
    "a comma before the last label": (
        AND,
        "1. A method comprising: a. mixing a powder; b. heating the powder; c. cooling the powder.",
        "1. A method comprising: a. mixing a powder; b. heating the powder, and c. cooling the powder.",
    ),
    "an and that has lost its space": (
        AND,
        "1. A chip to: read a key; send the key; store the key.",
        "1. A chip to: read a key; send the key; andstore the key.",
    ),
    "an and glued to a label": (
        AND,
        "1. A method comprising: (a) mixing a powder; (b) heating the powder; (c) cooling the powder.",
        "1. A method comprising: (a) mixing a powder; (b) heating the powder; andc) cooling the powder.",
    ),
    "a label that is cited": (
        MARK,
        "1. A method comprising: (a) reading a value (b) updating a weight; and (c) storing the weight.",
        (
            "1. A method comprising: (a) reading a value; (b) updating a weight; and (c) repeating (a) and "
            "then (b)."
        ),
    ),
    "a label that is a numeral too": (
        MARK,
        "1. A method comprising: (1) oxidizing a wafer (2) coating the wafer; and (3) etching the wafer.",
        (
            "1. A method comprising: (1) growing a layer (2) on a wafer; (2) etching the layer (2); and (3) "
            "drying it."
        ),
    ),
    "an optional item": (
        MARK,
        "1. A kit comprising: (a) a buffer; (b) an enzyme (c) a primer; and (d) a tube.",
        "1. A kit comprising: (a) a buffer; (b) an enzyme; and optionally (c) a primer.",
    ),
    "a verb of several things": (
        MARK,
        "1. A chip configured to: receive a key send the key; store the key; and print the key.",
        (
            "1. A chip configured to: read a map, wherein the walls of the map define a path; store the "
            "map; and send "
            "the map."
        ),
    ),
    "a verb behind a condition": (
        MARK,
        "1. A chip configured to: receive a key retrieve the code; store the key; and print the key.",
        (
            "1. A phone comprising: a lens; code which when run by the processor cause the phone to: take a "
            "photo; store "
            "the photo; and send the photo."
        ),
    ),
    "what stands on what": (
        MARK,
        "1. A stand comprising: a base; an arm hinged to the base a hand mounted on the arm; and a motor.",
        "1. A stand comprising: a base; a laser that sends along the base a beam; and a motor.",
    ),
    "a step on a thing of the step before": (
        MARK,
        "1. A method comprising: heating a plate cooling the plate; drilling a hole; and painting a wall.",
        (
            "1. A method comprising: heating a plate with a fluid cooling a wall; drilling a hole; and "
            "painting a wall."
        ),
    ),
    "a relative clause": (
        BROKEN,
        "1. A pump comprising a rotor, such that the motor is connected to.",
        "1. A pump comprising a rotor and a coupling that the motor is connected to.",
    ),
    "a verb that keeps its preposition": (
        BROKEN,
        "1. A method comprising opening a channel, wherein the channel is connected to.",
        "1. A method comprising opening a channel, wherein the channel is subscribed to.",
    ),
    "a being": (
        BROKEN,
        "1. A method of scanning a hand, the hand being.",
        "1. A method of scanning a hand of a human being.",
    ),
    "a group that is a thing": (
        OPEN,
        "1. A lens selected from a group comprising glass lenses and plastic lenses.",
        "1. A zoom lens comprising a selected lens and a first lens group having a negative power.",
    ),
    "a step that is given after its name": (
        STEP,
        "1. A method comprising: step 1: heating a nut; and step 2: cooling the nut of step 4.",
        "1. A method comprising: step 1: heating a nut; and step 2: cooling the nut of step 1.",
    ),
    "steps of a list": (
        STEP,
        "1. A method comprising the steps of (i) peeling a nut; and (ii) heating the nut of step (iv).",
        "1. A method comprising the steps of (i) peeling a nut; and (ii) heating the nut of step (i).",
    ),
    "another case of a condition": (
        CONTRADICTION,
        (
            "1. A device comprising a siren and a door, wherein the siren sounds when the door is forced.\n"
            "2. The device of claim 1, wherein the siren does not sound when the door is forced."
        ),
        (
            "1. A device comprising a cache, wherein the cache stores the page when a change is made.\n"
            "2. The device of claim 1, wherein the cache stores the page when no change is made."
        ),
    ),
    "an end that the text has lost": (
        "syntax.no_period",
        "1. A compound of the formula [formula] or a salt thereof",
        "1. A compound of the formula [formula]",
    ),
    "a space that the text has lost": (
        "syntax.ungrammatical",
        "1. A stand comprising a frame of metal selected from the group consisting office steel and tin.",
        "1. A stand comprising a frame of metal selected from the group consisting ofsteel and tin.",
    ),
    "the passive of two verbs": (
        BROKEN,
        "1. A system comprising a service, wherein the service is found in a list of.",
        "1. A system comprising a service, wherein the service is found and subscribed to.",
    ),
    "one end of a change and the other": (
        "ambiguity.degree",
        "1. A valve comprising a body, wherein the body holds a fluid at a low pressure.",
        "1. A valve comprising a body, wherein the body takes a fluid from high pressure to low pressure.",
    ),
    "a name with the letters of a note": (
        "syntax.placeholder",
        "1. A rod comprising a tip, wherein the tip has a length of (TBD) mm.",
        "1. A layer comprising N,N-bis(4-ethylphenyl)amine (m-TBD).",
    ),
    "a mass without a dimension": (
        "ambiguity.no_unit",
        "1. A method of casting a polymer, wherein the viscosity of the polymer is greater than 100.",
        "1. A method of casting a polymer, wherein the molecular weight of the polymer is greater than 100.",
    ),
    "two words with one letter between them": (
        "syntax.misspelling",
        "1. A ring comprising an annular groove, an annular lip, an annular seal and an anular cap.",
        "1. A ring comprising an annular groove, an annular lip, an annular seal and an angular cap.",
    ),
    "a word between initials and their noun": (
        "antecedent.uncounted",
        "1. A method of sending an allocation type, wherein the first allocation type is sent.",
        (
            "1. A method of sending a first resource allocation (RA) type and a second resource allocation "
            "(RA) type, wherein the first RA type is sent before the second RA type."
        ),
    ),
    "initials of all words": (
        "antecedent.unknown_modifier",
        "1. A mixture comprising an aqueous system, wherein the sterile system is stable.",
        "1. A mixture comprising an aqueous two-phase system (ATPS), wherein the two-phase ATPS is stable.",
    ),
    "two that were introduced one by one": (
        "antecedent.number_shift",
        "1. A case comprising a section that has a flange, wherein the two flanges abut.",
        (
            "1. A case comprising a first section that has a flange and a second section that has a flange, "
            "wherein the two flanges abut."
        ),
    ),
    "a verb with two subjects": (
        "antecedent.uncounted",
        "1. A case comprising an arm and a lid, wherein said lid and said second arm form a gap.",
        (
            "1. A case comprising a first arm and a second arm, wherein said first arm and said second arm "
            "form a gap."
        ),
    ),
    "a noun behind the second article": (
        "antecedent.no_basis",
        "1. A joint comprising an internal sleeve, wherein said external and said internal sleeves are long.",
        (
            "1. A joint comprising an external sleeve and an internal sleeve, wherein said external and said "
            "internal sleeves are long."
        ),
    ),
    "a noun before a participle": (
        "antecedent.no_basis",
        "1. A lens comprising a posterior face, said anterior and posterior face joining at an edge.",
        (
            "1. A lens comprising a posterior face and an anterior face, said anterior and posterior face "
            "joining at an edge."
        ),
    ),
    "another and the other": (
        "antecedent.uncounted",
        "1. A radio comprising a map of a device, wherein the other device has a port.",
        "1. A radio comprising a map of another device, wherein the other device has a port.",
    ),
    "more than a number, or less": (
        "ambiguity.degree",
        "1. A mesh comprising faces, wherein the faces are more or less flat.",
        "1. A mesh comprising faces, wherein more or less than four of the faces meet.",
    ),
    "what a magnet attracts": (
        "ambiguity.subjective",
        "1. A clamp comprising a magnet and an attractive element.",
        "1. A clamp comprising a magnet and a magnetically attractive element.",
    ),
    "a noun with a particle": (
        "syntax.ungrammatical",
        "1. A supply comprising a controller that delays the current on of the lamp.",
        "1. A supply comprising a controller that delays the turn on of the lamp.",
    ),
}


def rules_of(text: str) -> set[str]:
    reading = Reading(read_text(text, partial=True))
    return {each.rule_id for claim in reading.claims for each in findings_in(reading, claim, Jurisdiction.US)}


@pytest.mark.parametrize(("rule_id", "text"), [pair[:2] for pair in PAIRS.values()], ids=PAIRS)
def test_the_defect_is_found(rule_id: str, text: str) -> None:
    assert rule_id in rules_of(text)


@pytest.mark.parametrize(("rule_id", "twin"), [pair[::2] for pair in PAIRS.values()], ids=PAIRS)
def test_its_twin_has_none(rule_id: str, twin: str) -> None:
    found = rules_of(twin)
    assert rule_id not in found
    assert CONTRADICTION not in found
