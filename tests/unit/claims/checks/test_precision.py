"""Claims that are sound although they look like ones with a defect, each beside one that has it."""

import pytest

from ace.claims.checks import findings_in
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction

AND, MARK, BROKEN = "syntax.missing_conjunction", "syntax.missing_punctuation", "syntax.broken_off"
OPEN, STEP = "ambiguity.open_alternatives", "ambiguity.unknown_step"

PAIRS = {
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
    "a name with the letters of a note": (
        "syntax.placeholder",
        "1. A rod comprising a tip, wherein the tip has a length of (TBD) mm.",
        "1. A layer comprising N,N-bis(4-ethylphenyl)amine (m-TBD).",
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
    "more than a number, or less": (
        "ambiguity.degree",
        "1. A mesh comprising faces, wherein the faces are more or less flat.",
        "1. A mesh comprising faces, wherein more or less than four of the faces meet.",
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
    assert rule_id not in rules_of(twin)
