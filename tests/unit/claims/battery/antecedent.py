"""Antecedent basis: one claim set per defect, its twin clean. All texts are ours."""

from tests.unit.claims.battery import Row

_KETTLE = "1. A kettle comprising a vessel, a heating plate below the vessel, and a lid on the vessel.\n"
_RACK = "1. A rack comprising a base and two shelves above the base.\n"
_CLAMP = "1. A clamp comprising a base, a first jaw fixed to the base, and a second jaw hinged to the base.\n"
_IMAGE = (
    "1. A method of sorting parcels, the method comprising: recording an image of a parcel; detecting a "
    "label in "
    "the image; and moving the parcel to a chute.\n"
)
_MEDIUM = (
    "1. A non-transitory computer-readable medium storing instructions that, when executed by a processor, "
    "cause "
    "the processor to: receive a message from a client; and store the message in a queue.\n"
)
_PASTE = "1. A dental paste comprising water, an abrasive, and a fluoride salt.\n"
_CATHETER = "1. A catheter comprising a flexible tube, a balloon on the flexible tube, and a valve.\n"
_CIRCUIT = (
    "1. A circuit comprising an oscillator, a band pass filter connected to the oscillator, and an antenna "
    "connected to the band pass filter.\n"
)
_LAMP = "1. A lamp comprising a socket, a reflector, and a diode mounted in the socket.\n"
_PLANT = "1. A plant for drying grain, comprising a bin, a blower, and a plurality of ducts into the bin.\n"
_WING = "1. A wing comprising a spar, a rib fastened to the spar, and a skin covering the rib.\n"

ROWS: tuple[Row, ...] = (
    Row(
        "element never introduced",
        "antecedent.no_basis",
        "1. A kettle comprising a vessel and a lid on the vessel, wherein the whistle is attached to the "
        "lid.",
        1,
        "the whistle",
        "1. A kettle comprising a vessel, a lid on the vessel and a whistle, wherein the whistle is "
        "attached to the "
        "lid.",
    ),
    Row(
        "said element never introduced",
        "antecedent.no_basis",
        _CATHETER + "2. The catheter of claim 1, wherein said stylet is made of nitinol.",
        2,
        "said stylet",
        _CATHETER
        + "2. The catheter of claim 1, further comprising a stylet, wherein said stylet is made of nitinol.",
    ),
    Row(
        "two words never introduced",
        "antecedent.no_basis",
        _CIRCUIT + "2. The circuit of claim 1, wherein the bias network is printed on a board.",
        2,
        "the bias network",
        _CIRCUIT
        + "2. The circuit of claim 1, further comprising a bias network, wherein the bias network is printed "
        "on a board.",
    ),
    Row(
        "told once, though it is said twice",
        "antecedent.no_basis",
        _MEDIUM
        + "2. The medium of claim 1, wherein the scheduler empties the queue, and wherein the scheduler "
        "waits "
        "for a second.",
        2,
        "the scheduler",
        _MEDIUM
        + "2. The medium of claim 1, wherein a scheduler empties the queue, and wherein the scheduler waits "
        "for a second.",
    ),
    Row(
        "told where it begins, not in the dependent claim",
        "antecedent.no_basis",
        _LAMP + "2. The lamp of claim 1, wherein the lens covers the diode.\n"
        "3. The lamp of claim 2, wherein the lens is made of glass.",
        2,
        "the lens",
        _LAMP + "2. The lamp of claim 1, wherein a lens covers the diode.\n"
        "3. The lamp of claim 2, wherein the lens is made of glass.",
    ),
    Row(
        "element in a composition",
        "antecedent.no_basis",
        _PASTE + "2. The dental paste of claim 1, wherein the thickener is xanthan gum.",
        2,
        "the thickener",
        _PASTE
        + "2. The dental paste of claim 1, further comprising a thickener, wherein the thickener is xanthan "
        "gum.",
    ),
    Row(
        "element of a step",
        "antecedent.no_basis",
        "1. A method of making cheese, comprising: warming milk in a vat; adding rennet to the milk; and "
        "cutting the curd layer.",
        1,
        "the curd layer",
        "1. A method of making cheese, comprising: warming milk in a vat; adding rennet to the milk to "
        "form a curd layer; and cutting the curd layer.",
    ),
    Row(
        "preamble of another thing",
        "antecedent.no_basis",
        "1. A kit for cleaning a rifle, comprising a rod and a brush, wherein the patch is fastened to the "
        "rod.",
        1,
        "the patch",
        "1. A kit for cleaning a rifle, comprising a rod and a brush, wherein the rod fits into the rifle.",
    ),
    Row(
        "several alike, each unknown",
        "antecedent.no_basis",
        _PLANT + "2. The plant of claim 1, wherein the louvers are made of steel.",
        2,
        "the louvers",
        _PLANT + "2. The plant of claim 1, wherein the ducts are made of steel.",
    ),
    Row(
        "abbreviation of nothing",
        "antecedent.no_basis",
        _CIRCUIT + "2. The circuit of claim 1, wherein the PLL is connected to the oscillator.",
        2,
        "the PLL",
        "1. A circuit comprising an oscillator and a phase locked loop (PLL).\n"
        "2. The circuit of claim 1, wherein the PLL is connected to the oscillator.",
    ),
    Row(
        "initials that were never told",
        "antecedent.no_basis",
        _CIRCUIT + "2. The circuit of claim 1, wherein the BPF is tuned to the oscillator.",
        2,
        "the BPF",
        _CIRCUIT + "2. The circuit of claim 1, wherein the band pass filter is tuned to the oscillator.",
    ),
    Row(
        "further comprising what is there",
        "antecedent.introduced_again",
        _CATHETER + "2. The catheter of claim 1, further comprising a flexible tube that carries a fluid.",
        2,
        "a flexible tube",
        _CATHETER + "2. The catheter of claim 1, further comprising a rigid tube that carries a fluid.",
    ),
    Row(
        "further comprising what a parent's parent has",
        "antecedent.introduced_again",
        _KETTLE + "2. The kettle of claim 1, wherein the lid is hinged.\n"
        "3. The kettle of claim 2, further comprising a heating plate made of copper.",
        3,
        "a heating plate",
        _KETTLE + "2. The kettle of claim 1, wherein the lid is hinged.\n"
        "3. The kettle of claim 2, further comprising a second heating plate made of copper.",
    ),
    Row(
        "introduced in the preamble and again behind a preposition",
        "antecedent.introduced_twice",
        "1. A method of grading fruit on a conveyor, the method comprising: weighing the fruit; taking an "
        "image of the fruit from a conveyor; and moving the conveyor.",
        1,
        "a conveyor",
        "1. A method of grading fruit on a conveyor, the method comprising: weighing the fruit; taking an "
        "image of the fruit from the conveyor; and moving the conveyor.",
    ),
    Row(
        "introduced twice in the body",
        "antecedent.introduced_twice",
        "1. A scale comprising a tray, a spring that carries the tray, and a pointer moved by a spring, "
        "wherein the spring is made of steel.",
        1,
        "a spring",
        "1. A scale comprising a tray, a spring that carries the tray, and a pointer moved by another "
        "spring, wherein the tray is made of steel.",
    ),
    Row(
        "verb after the noun is no part of it",
        "antecedent.no_basis",
        _MEDIUM + "2. The medium of claim 1, wherein the dispatcher determines a priority.",
        2,
        "the dispatcher",
        _MEDIUM + "2. The medium of claim 1, wherein the processor determines a priority.",
    ),
    Row(
        "on a sister branch",
        "antecedent.sibling_only",
        _KETTLE + "2. The kettle of claim 1, further comprising a spout.\n"
        "3. The kettle of claim 1, wherein the spout is curved.",
        3,
        "the spout",
        _KETTLE + "2. The kettle of claim 1, further comprising a spout.\n"
        "3. The kettle of claim 2, wherein the spout is curved.",
    ),
    Row(
        "in another independent claim",
        "antecedent.sibling_only",
        _WING + "2. An aircraft comprising a fuselage and a rudder.\n"
        "3. The wing of claim 1, wherein the rudder is made of aluminium.",
        3,
        "the rudder",
        _WING + "2. An aircraft comprising a fuselage and a rudder.\n"
        "3. The aircraft of claim 2, wherein the rudder is made of aluminium.",
    ),
    Row(
        "two hops away on another branch",
        "antecedent.sibling_only",
        _CATHETER + "2. The catheter of claim 1, further comprising a guide wire.\n"
        "3. The catheter of claim 2, wherein the guide wire has a coating.\n"
        "4. The catheter of claim 1, wherein the guide wire is made of steel.",
        4,
        "the guide wire",
        _CATHETER + "2. The catheter of claim 1, further comprising a guide wire.\n"
        "3. The catheter of claim 2, wherein the guide wire has a coating.\n"
        "4. The catheter of claim 3, wherein the guide wire is made of steel.",
    ),
    Row(
        "step on a sister branch",
        "antecedent.sibling_only",
        _IMAGE + "2. The method of claim 1, further comprising printing a ticket.\n"
        "3. The method of claim 1, wherein the ticket bears a code.",
        3,
        "the ticket",
        _IMAGE + "2. The method of claim 1, further comprising printing a ticket.\n"
        "3. The method of claim 2, wherein the ticket bears a code.",
    ),
    Row(
        "basis through claim 2, not through claim 1",
        "antecedent.some_paths",
        _LAMP + "2. The lamp of claim 1, further comprising a shade.\n"
        "3. The lamp of claim 1 or 2, wherein the shade is made of paper.",
        3,
        "the shade",
        _LAMP + "2. The lamp of claim 1, further comprising a shade.\n"
        "3. The lamp of claim 2, wherein the shade is made of paper.",
    ),
    Row(
        "missing along one of three",
        "antecedent.some_paths",
        _PLANT + "2. The plant of claim 1, further comprising a burner.\n"
        "3. The plant of claim 2, wherein the bin is round.\n"
        "4. The plant of any one of claims 1 to 3, wherein the burner burns straw.",
        4,
        "the burner",
        _PLANT + "2. The plant of claim 1, further comprising a burner.\n"
        "3. The plant of claim 2, wherein the bin is round.\n"
        "4. The plant of claim 2 or 3, wherein the burner burns straw.",
    ),
    Row(
        "missing two hops up one way",
        "antecedent.some_paths",
        _CLAMP + "2. The clamp of claim 1, further comprising a spindle.\n"
        "3. The clamp of claim 1, wherein the base is made of iron.\n"
        "4. The clamp of claim 2 or 3, wherein the spindle is threaded.",
        4,
        "the spindle",
        _CLAMP + "2. The clamp of claim 1, further comprising a spindle.\n"
        "3. The clamp of claim 2, wherein the base is made of iron.\n"
        "4. The clamp of claim 2 or 3, wherein the spindle is threaded.",
    ),
    Row(
        "which of two jaws",
        "antecedent.ambiguous",
        _CLAMP + "2. The clamp of claim 1, wherein the jaw is made of brass.",
        2,
        "the jaw",
        _CLAMP + "2. The clamp of claim 1, wherein the jaws are made of brass.",
    ),
    Row(
        "which of two sensors",
        "antecedent.ambiguous",
        "1. An oven comprising a cavity, a first sensor in the cavity, a second sensor outside the cavity, "
        "and a "
        "controller connected to the sensor.",
        1,
        "the sensor",
        "1. An oven comprising a cavity, a first sensor in the cavity, a second sensor outside the cavity, "
        "and a "
        "controller connected to the first sensor.",
    ),
    Row(
        "which of three messages",
        "antecedent.ambiguous",
        "1. A method comprising: sending a first message to a server; sending a second message to the "
        "server; sending "
        "a third message to the server; and deleting the message.",
        1,
        "the message",
        "1. A method comprising: sending a first message to a server; sending a second message to the "
        "server; sending "
        "a third message to the server; and deleting the third message.",
    ),
    Row(
        "one is introduced, several are meant",
        "antecedent.number_shift",
        _LAMP + "2. The lamp of claim 1, wherein the diodes are white.",
        2,
        "the diodes",
        _LAMP + "2. The lamp of claim 1, wherein the diode is white.",
    ),
    Row(
        "one filter, several filters",
        "antecedent.number_shift",
        _CIRCUIT + "2. The circuit of claim 1, wherein the band pass filters are tunable.",
        2,
        "the band pass filters",
        _CIRCUIT + "2. The circuit of claim 1, wherein the band pass filter is tunable.",
    ),
    Row(
        "one label, several labels",
        "antecedent.number_shift",
        _IMAGE + "2. The method of claim 1, further comprising storing the labels.",
        2,
        "the labels",
        _IMAGE + "2. The method of claim 1, further comprising storing the label.",
    ),
    Row(
        "a third jaw of two",
        "antecedent.uncounted",
        _CLAMP + "2. The clamp of claim 1, wherein the third jaw is made of brass.",
        2,
        "the third jaw",
        _CLAMP + "2. The clamp of claim 1, wherein the second jaw is made of brass.",
    ),
    Row(
        "a second valve where there is one",
        "antecedent.uncounted",
        _CATHETER + "2. The catheter of claim 1, wherein the second valve is closed.",
        2,
        "the second valve",
        _CATHETER + "2. The catheter of claim 1, wherein the valve is closed.",
    ),
    Row(
        "a fourth electrode",
        "antecedent.uncounted",
        "1. A cell comprising a first electrode, a second electrode and a third electrode, wherein said "
        "fourth "
        "electrode is made of carbon.",
        1,
        "said fourth electrode",
        "1. A cell comprising a first electrode, a second electrode and a third electrode, wherein said "
        "third "
        "electrode is made of carbon.",
    ),
    Row(
        "qualification never told",
        "antecedent.unknown_modifier",
        _WING + "2. The wing of claim 1, wherein the auxiliary rib is made of titanium.",
        2,
        "the auxiliary rib",
        _WING + "2. The wing of claim 1, wherein the rib is made of titanium.",
    ),
    Row(
        "another qualification",
        "antecedent.unknown_modifier",
        "1. A gearbox comprising a drive shaft and a pinion on the drive shaft.\n"
        "2. The gearbox of claim 1, wherein the hydraulic shaft is hollow.",
        2,
        "the hydraulic shaft",
        "1. A gearbox comprising a drive shaft and a pinion on the drive shaft.\n"
        "2. The gearbox of claim 1, wherein the drive shaft is hollow.",
    ),
    Row(
        "qualification in a medium",
        "antecedent.unknown_modifier",
        _MEDIUM + "2. The medium of claim 1, wherein the outbound message is compressed.",
        2,
        "the outbound message",
        _MEDIUM + "2. The medium of claim 1, wherein the message is compressed.",
    ),
    Row(
        "two letters swapped",
        "antecedent.typo",
        _KETTLE + "2. The kettle of claim 1, wherein the vessle is made of steel.",
        2,
        "the vessle",
        _KETTLE + "2. The kettle of claim 1, wherein the vessel is made of steel.",
    ),
    Row(
        "a letter missing",
        "antecedent.typo",
        _LAMP + "2. The lamp of claim 1, wherein the reflctor is silvered.",
        2,
        "the reflctor",
        _LAMP + "2. The lamp of claim 1, wherein the reflector is silvered.",
    ),
    Row(
        "a letter too many, in the qualifier",
        "antecedent.typo",
        _CATHETER + "2. The catheter of claim 1, wherein the flexibble tube is transparent.",
        2,
        "the flexibble tube",
        _CATHETER + "2. The catheter of claim 1, wherein the flexible tube is transparent.",
    ),
    Row(
        "a letter changed in a step",
        "antecedent.typo",
        _IMAGE + "2. The method of claim 1, wherein the parcal is turned.",
        2,
        "the parcal",
        _IMAGE + "2. The method of claim 1, wherein the parcel is turned.",
    ),
    Row(
        "introduced further on",
        "antecedent.introduced_later",
        "1. A pump comprising a housing, wherein the gasket closes the housing, and a gasket made of rubber.",
        1,
        "the gasket",
        "1. A pump comprising a housing and a gasket made of rubber, wherein the gasket closes the housing.",
    ),
    Row(
        "told of in the first limb, introduced in the last",
        "antecedent.introduced_later",
        "1. A tent comprising a pole that carries the canopy, a groundsheet, and a canopy.",
        1,
        "the canopy",
        "1. A tent comprising a canopy, a pole that carries the canopy, and a groundsheet.",
    ),
    Row(
        "computed before it is read",
        "antecedent.introduced_later",
        "1. A system comprising: an analyzer that filters the waveform; and a probe that records a waveform.",
        1,
        "the waveform",
        "1. A system comprising: a probe that records a waveform; and an analyzer that filters the waveform.",
    ),
    Row(
        "unknown beside what is inherent",
        "antecedent.no_basis",
        _WING + "2. The wing of claim 1, wherein the bracket is riveted to the surface of the rib.",
        2,
        "the bracket",
        _WING + "2. The wing of claim 1, wherein a bracket is riveted to the surface of the rib.",
    ),
    Row(
        "unknown beside what a verb has told",
        "antecedent.no_basis",
        _IMAGE + "2. The method of claim 1, wherein the conveyor stops after the detecting step.",
        2,
        "the conveyor",
        _IMAGE + "2. The method of claim 1, wherein a conveyor stops after the detecting step.",
    ),
    Row(
        "unknown beside a plurality",
        "antecedent.no_basis",
        _PLANT
        + "2. The plant of claim 1, wherein each of the ducts has a flap, and the latch closes the flaps.",
        2,
        "the latch",
        _PLANT
        + "2. The plant of claim 1, wherein each of the ducts has a flap, and a latch closes the flaps.",
    ),
    Row(
        "such an element was never there",
        "antecedent.no_basis",
        _KETTLE + "2. The kettle of claim 1, wherein such whistle is made of brass.",
        2,
        "such whistle",
        _KETTLE
        + "2. The kettle of claim 1, wherein such lid is made of brass, so that the vessel is such as to "
        "last.",
    ),
    Row(
        "corresponding to nothing",
        "antecedent.no_basis",
        _PLANT + "2. The plant of claim 1, wherein each duct opens at the corresponding nozzle.",
        2,
        "the corresponding nozzle",
        _PLANT + "2. The plant of claim 1, wherein each duct opens at a corresponding nozzle.",
    ),
    Row(
        "a name with a participle in it",
        "antecedent.no_basis",
        "1. A vent comprising a grille and an airflow sensor, wherein the airflow directing plate covers "
        "the grille.",
        1,
        "the airflow directing plate",
        "1. A vent comprising a grille and an airflow directing plate, wherein the airflow directing "
        "plate covers the "
        "grille.",
    ),
    Row(
        "first of a plurality",
        "antecedent.uncounted",
        _PLANT + "2. The plant of claim 1, wherein the first duct is made of steel.",
        2,
        "the first duct",
        _PLANT
        + "2. The plant of claim 1, wherein a first of the ducts and the blower are made of steel, and "
        "the first "
        "duct is bent.",
    ),
    Row(
        "an ordinal before an unknown verb",
        "antecedent.uncounted",
        "1. A relay comprising a first timer and a coil, wherein the coil opens before the second timer "
        "elapses.",
        1,
        "the second timer",
        "1. A relay comprising a first timer and a coil, wherein the coil opens before the first timer "
        "elapses.",
    ),
    Row(
        "each of one",
        "antecedent.number_shift",
        _WING + "2. The wing of claim 1, wherein each of the spars is made of titanium.",
        2,
        "the spars",
        "1. A wing comprising spars.\n2. The wing of claim 1, wherein each of the spars is made of titanium.",
    ),
    Row(
        "introduced again in the same claim",
        "antecedent.introduced_again",
        "1. A winch comprising a drum and a ratchet wheel, wherein the ratchet wheel stops the drum, and "
        "wherein a ratchet wheel is made of iron.",
        1,
        "a ratchet wheel",
        "1. A winch comprising a drum and a ratchet wheel, wherein the ratchet wheel stops the drum, and "
        "wherein another ratchet wheel is made of iron.",
    ),
    Row(
        "one of two, by another claim's article",
        "antecedent.ambiguous",
        _CLAMP + "2. The clamp of claim 1, wherein the second jaw is longer than the first jaw.\n"
        "3. The clamp of claim 2, wherein the jaw is made of steel.",
        3,
        "the jaw",
        _CLAMP + "2. The clamp of claim 1, wherein the second jaw is longer than the first jaw.\n"
        "3. The clamp of claim 2, wherein the second jaw is made of steel.",
    ),
    Row(
        "two of three",
        "antecedent.number_shift",
        "1. A stool comprising a seat and three legs.\n2. The stool of claim 1, wherein the four legs are "
        "round.",
        2,
        "the four legs",
        "1. A stool comprising a seat and three legs.\n2. The stool of claim 1, wherein the three legs "
        "are round.",
    ),
    Row(
        "one of two that were counted",
        "antecedent.ambiguous",
        _RACK + "2. The rack of claim 1, wherein the shelf is made of oak.",
        2,
        "the shelf",
        _RACK
        + "2. The rack of claim 1, wherein each of the shelves has a rim, and the shelf is made of oak.",
    ),
    Row(
        "another head for a known name",
        "antecedent.no_basis",
        "1. A winch comprising a frame and a guide roller, wherein the guide spindle is made of brass.",
        1,
        "the guide spindle",
        "1. A winch comprising a frame and a guide roller, wherein the guide roller is made of brass.",
    ),
    Row(
        "qualifier changed at the introduction alone",
        "antecedent.unknown_modifier",
        "1. A harvester comprising a cutter and a pump that supplies oil at a feed pressure to the cutter, "
        "wherein the cutter stops at the pilot pressure.",
        1,
        "the pilot pressure",
        "1. A harvester comprising a cutter and a pump that supplies oil at a pilot pressure to the cutter, "
        "wherein the cutter stops at the pilot pressure.",
    ),
    Row(
        "name of another independent claim",
        "antecedent.unknown_modifier",
        "1. A stove comprising a grate and a flue above the grate, wherein the chimney flue is round.\n"
        "2. A stove comprising a grate, a door and a chimney flue.",
        1,
        "the chimney flue",
        "1. A stove comprising a grate and a chimney flue above the grate, wherein the chimney flue is "
        "round.\n2. A stove comprising a grate, a door and a chimney flue.",
    ),
    Row(
        "dependency that skips the claim with the basis",
        "antecedent.sibling_only",
        "1. A method of brewing tea, comprising: heating water; and measuring a hardness of the water.\n"
        "2. The method of claim 1, further comprising plotting a spectrogram.\n"
        "3. The method of claim 1, further comprising storing the water in accordance with the spectrogram.",
        3,
        "the spectrogram",
        "1. A method of brewing tea, comprising: heating water; and measuring a hardness of the water.\n"
        "2. The method of claim 1, further comprising plotting a spectrogram.\n"
        "3. The method of claim 2, further comprising storing the water in accordance with the spectrogram.",
    ),
    Row(
        "counted element introduced again",
        "antecedent.introduced_again",
        "1. A winch comprising a first drum and a second drum beside the first drum.\n"
        "2. The winch of claim 1, wherein the first drum brakes against a second drum.",
        2,
        "a second drum",
        "1. A winch comprising a first drum and a second drum beside the first drum.\n"
        "2. The winch of claim 1, wherein the first drum brakes against a third drum.",
    ),
)
