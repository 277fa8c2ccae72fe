"""Claim sets with one flaw of logic each, and a twin without it."""

from tests.unit.claims.battery import Row

PRESS = "1. A press comprising a ram, a die and two arms"
PASTE = "1. A method of making a paste, comprising mixing a powder and a binder"
THERAPY = "1. A method of treating a patient, comprising administering a drug"

ROWS: tuple[Row, ...] = (
    # ranges of a dependent claim
    Row(
        "a thickness beyond both ends",
        "logical.range_widened",
        "1. A laminate comprising a core layer, wherein the core layer has a thickness of from 5 to 10 mm.\n"
        "2. The laminate of claim 1, wherein the thickness is from 2 to 12 mm.",
        2,
        "from 2 to 12 mm",
        "1. A laminate comprising a core layer, wherein the core layer has a thickness of from 5 to 10 mm.\n"
        "2. The laminate of claim 1, wherein the thickness is from 6 to 9 mm.",
    ),
    Row(
        "what a thing has, wider than before",
        "logical.range_widened",
        "1. A module comprising a pad having a thickness of from 1 mm to 3 mm.\n"
        "2. The module of claim 1, wherein the pad has a thickness of from 1 mm to 4 mm.",
        2,
        "from 1 mm to 4 mm",
        "1. A module comprising a pad having a thickness of from 1 mm to 3 mm and a lid.\n"
        "2. The module of claim 1, wherein the lid has a thickness of from 1 mm to 4 mm.",
    ),
    Row(
        "a share beyond its upper end",
        "logical.range_widened",
        "1. An alloy comprising tin in an amount of 5 to 10 wt.% and copper.\n"
        "2. The alloy of claim 1, wherein the amount of tin is 6 to 15 wt.%.",
        2,
        "6 to 15 wt.%",
        "1. An alloy comprising tin in an amount of 5 to 10 wt.% and copper.\n"
        "2. The alloy of claim 1, wherein the amount of tin is 6 to 8 wt.%.",
    ),
    Row(
        "a lower bound below the inherited one",
        "logical.range_widened",
        "1. A display comprising a panel having a refresh rate of at least 60 Hz.\n"
        "2. The display of claim 1, wherein the refresh rate is at least 30 Hz.",
        2,
        "at least 30 Hz",
        "1. A display comprising a panel having a refresh rate of at least 60 Hz.\n"
        "2. The display of claim 1, wherein the refresh rate is at least 120 Hz.",
    ),
    Row(
        "an upper bound above the grandparent's",
        "logical.range_widened",
        "1. A stent comprising a strut having a width of at most 100 µm.\n"
        "2. The stent of claim 1, wherein the strut is made of a cobalt alloy.\n"
        "3. The stent of claim 2, wherein the width is at most 0.15 mm.",
        3,
        "at most 0.15 mm",
        "1. A stent comprising a strut having a width of at most 100 µm.\n"
        "2. The stent of claim 1, wherein the strut is made of a cobalt alloy.\n"
        "3. The stent of claim 2, wherein the width is at most 0.09 mm.",
    ),
    Row(
        "a temperature widened in other words",
        "logical.range_widened",
        "1. A method of brewing coffee, comprising heating water to a brewing temperature between 88 °C and "
        "94 °C.\n2. The method of claim 1, wherein the brewing temperature ranges from 80 °C to 92 °C.",
        2,
        "from 80 °C to 92 °C",
        "1. A method of brewing coffee, comprising heating water to a brewing temperature between 88 °C and "
        "94 °C.\n2. The method of claim 1, wherein the brewing temperature ranges from 90 °C to 92 °C.",
    ),
    Row(
        "a value outside",
        "logical.range_missed",
        "1. A method of curing a resin, comprising heating the resin to a curing temperature of 120 to 150 "
        "°C.\n"
        "2. The method of claim 1, wherein the curing temperature is 180 °C.",
        2,
        "180 °C",
        "1. A method of curing a resin, comprising heating the resin to a curing temperature of 120 to 150 "
        "°C.\n"
        "2. The method of claim 1, wherein the curing temperature is 130 °C.",
    ),
    Row(
        "a range wholly above",
        "logical.range_missed",
        "1. A filter comprising a membrane having an average pore size of 0.1 to 0.5 µm.\n"
        "2. The filter of claim 1, wherein the average pore size is from 2 to 5 µm.",
        2,
        "from 2 to 5 µm",
        "1. A filter comprising a membrane having an average pore size of 0.1 to 0.5 µm.\n"
        "2. The filter of claim 1, wherein the average pore size is from 200 to 500 nm.",
    ),
    Row(
        "a bound that excludes the parent's",
        "logical.range_missed",
        "1. A battery comprising an electrode, wherein a thickness of the electrode is less than 80 µm.\n"
        "2. The battery of claim 1, wherein the thickness of the electrode is greater than 100 µm.",
        2,
        "greater than 100 µm",
        "1. A battery comprising an electrode, wherein a thickness of the electrode is less than 80 µm.\n"
        "2. The battery of claim 1, wherein the thickness of the electrode is greater than 20 µm.",
    ),
    Row(
        "a wait longer than allowed",
        "logical.range_missed",
        "1. A method comprising sending a request to a server and waiting for a timeout period of at most "
        "2 seconds.\n2. The method of claim 1, wherein the timeout period is 5 seconds.",
        2,
        "5 seconds",
        "1. A method comprising sending a request to a server and waiting for a timeout period of at most "
        "2 seconds.\n2. The method of claim 1, wherein the timeout period is 500 ms.",
    ),
    # impossible ranges
    Row(
        "ends the wrong way round",
        "logical.impossible_range",
        "1. A coating having a thickness of from 10 to 5 µm.",
        1,
        "from 10 to 5 µm",
        "1. A coating having a thickness of from 5 to 10 µm.",
    ),
    Row(
        "between the wrong way round",
        "logical.impossible_range",
        "1. A syringe comprising a barrel having a volume between 20 ml and 5 ml.",
        1,
        "between 20 ml and 5 ml",
        "1. A syringe comprising a barrel having a volume between 5 ml and 20 ml.",
    ),
    Row(
        "a share without from",
        "logical.impossible_range",
        "1. A glass comprising 75 to 58 wt.% of silica.",
        1,
        "75 to 58 wt.%",
        "1. A glass comprising 58 to 75 wt.% of silica.",
    ),
    Row(
        "units of different size",
        "logical.impossible_range",
        "1. A resonator comprising a beam having a length of from 2 mm to 500 µm.",
        1,
        "from 2 mm to 500 µm",
        "1. A process comprising cooling a melt from 700 °C to 200 °C.",
    ),
    Row(
        "bounds that exclude each other",
        "logical.impossible_range",
        "1. A drill comprising a shank having a diameter of at least 8 mm and less than 6 mm.",
        1,
        "at least 8 mm and less than 6 mm",
        "1. A drill comprising a shank having a diameter of at least 6 mm and less than 8 mm.",
    ),
    Row(
        "more and less",
        "logical.impossible_range",
        "1. A solution comprising a salt at a concentration of more than 5 mM but not more than 2 mM.",
        1,
        "more than 5 mM but not more than 2 mM",
        "1. A solution comprising a salt at a concentration of more than 2 mM but not more than 5 mM.",
    ),
    Row(
        "two statements that exclude each other",
        "logical.impossible_range",
        "1. A beam comprising a web having a height, wherein the height of the web is at least 40 cm, and "
        "wherein "
        "the height of the web is less than 30 cm.",
        1,
        "less than 30 cm",
        "1. A beam comprising a web having a height, wherein the height of the web is at least 40 cm, and "
        "wherein "
        "the height of the web is less than 60 cm.",
    ),
    Row(
        "more than all",
        "logical.impossible_range",
        "1. An isolated polypeptide having at least 120% sequence identity to albumin.",
        1,
        "at least 120%",
        "1. A spring that can be stretched to at least 120% of a resting length.",
    ),
    Row(
        "more than all of a composition",
        "logical.impossible_range",
        "1. A paint comprising from 40 to 140 wt.% of a binder.",
        1,
        "from 40 to 140 wt.%",
        "1. A paint comprising from 40 to 90 wt.% of a binder.",
    ),
    # contradictions
    Row(
        "opposed to the name",
        "logical.contradiction",
        "1. A lamp comprising a transparent cover and a light source.\n"
        "2. The lamp of claim 1, wherein the transparent cover is opaque.",
        2,
        "the transparent cover is opaque",
        "1. A lamp comprising a transparent cover and a light source.\n"
        "2. The lamp of claim 1, wherein the transparent cover is curved.",
    ),
    Row(
        "opposed to the inherited name",
        "logical.contradiction",
        "1. A robot comprising a rigid arm and a gripper.\n2. The robot of claim 1, wherein the arm is "
        "flexible.",
        2,
        "the arm is flexible",
        "1. A robot comprising a rigid arm and a flexible gripper.\n"
        "2. The robot of claim 1, wherein the gripper is detachable.",
    ),
    Row(
        "opposed within one claim",
        "logical.contradiction",
        "1. A wound dressing comprising a carrier layer, wherein the carrier layer is hydrophilic, and "
        "wherein the "
        "carrier layer is hydrophobic.",
        1,
        "the carrier layer is hydrophobic",
        "1. A wound dressing comprising a carrier layer having a first region and a second region, wherein "
        "the "
        "first region is hydrophilic, and wherein the second region is hydrophobic.",
    ),
    Row(
        "both at once",
        "logical.contradiction",
        "1. A cable comprising a sheath, wherein the sheath is both conductive and insulating.",
        1,
        "the sheath is both conductive and insulating",
        "1. A cable comprising a sheath, wherein the sheath is electrically insulating and thermally "
        "conductive.",
    ),
    Row(
        "being, in an apposition",
        "logical.contradiction",
        "1. A sensor node comprising a wireless transceiver and a battery, the wireless transceiver being "
        "wired.",
        1,
        "the wireless transceiver being wired",
        "1. A sensor node comprising a wireless transceiver and a battery, the wireless transceiver being "
        "digital.",
    ),
    Row(
        "denied of itself",
        "logical.contradiction",
        "1. A catalyst comprising a porous support.\n2. The catalyst of claim 1, wherein the support is "
        "non-porous.",
        2,
        "the support is non-porous",
        "1. A catalyst comprising a porous support.\n2. The catalyst of claim 1, wherein the support is "
        "spherical.",
    ),
    Row(
        "said not to be",
        "logical.contradiction",
        "1. A valve comprising a stem, wherein the stem is hollow.\n"
        "2. The valve of claim 1, wherein the stem is not hollow.",
        2,
        "the stem is not hollow",
        "1. A valve comprising a stem and a seat, wherein the stem is hollow.\n"
        "2. The valve of claim 1, wherein the seat is not hollow.",
    ),
    Row(
        "statements three claims apart",
        "logical.contradiction",
        "1. A network comprising a node, wherein the node is stationary.\n"
        "2. The network of claim 1, wherein the node comprises an antenna.\n"
        "3. The network of claim 2, wherein the node is mobile.",
        3,
        "the node is mobile",
        "1. A network comprising a node, wherein the node is stationary.\n"
        "2. The network of claim 1, wherein the node comprises an antenna.\n"
        "3. The network of claim 2, wherein the antenna is movable.",
    ),
    Row(
        "made of another material",
        "logical.contradiction",
        "1. A clutch comprising a steel disc and a hub.\n"
        "2. The clutch of claim 1, wherein the disc is made of wood.",
        2,
        "the disc is made of wood",
        "1. A clutch comprising a steel disc and a hub.\n"
        "2. The clutch of claim 1, wherein the hub is made of wood.",
    ),
    Row(
        "an angle and its opposite",
        "logical.contradiction",
        "1. A frame comprising a rail and a post, wherein the rail is parallel to the post, and wherein "
        "the rail is "
        "perpendicular to the post.",
        1,
        "the rail is perpendicular to the post",
        "1. A frame comprising a rail, a post and a floor, wherein the rail is parallel to the floor, and "
        "wherein the "
        "rail is perpendicular to the post.",
    ),
    Row(
        "above each other",
        "logical.contradiction",
        "1. A reactor comprising a tray and a burner, wherein the tray is above the burner.\n"
        "2. The reactor of claim 1, wherein the burner is above the tray.",
        2,
        "the burner is above the tray",
        "1. A reactor comprising a tray and a burner, wherein the tray is above the burner.\n"
        "2. The reactor of claim 1, wherein the burner is below the tray.",
    ),
    Row(
        "greater and less",
        "logical.contradiction",
        "1. A method comprising storing a first value and a second value, wherein the first value is "
        "greater than "
        "the second value, and wherein the first value is less than the second value.",
        1,
        "the first value is less than the second value",
        "1. A method comprising storing a first value and a second value, wherein the first value is "
        "greater than "
        "the second value, and wherein the second value is less than the first value.",
    ),
    Row(
        "upstream of each other",
        "logical.contradiction",
        "1. An engine comprising a throttle and a compressor, wherein the throttle is arranged upstream of "
        "the "
        "compressor.\n2. The engine of claim 1, wherein the throttle is arranged downstream of the "
        "compressor.",
        2,
        "the throttle is arranged downstream of the compressor",
        "1. An engine comprising a throttle and a compressor, wherein the throttle is arranged upstream of "
        "the "
        "compressor.\n2. The engine of claim 1, wherein the throttle is made of aluminum.",
    ),
    # closed, then opened
    Row(
        "a pigment added to a closed list",
        "logical.closed_then_opened",
        "1. An adhesive consisting of a resin and a hardener.\n"
        "2. The adhesive of claim 1, further comprising a pigment.",
        2,
        "further comprising",
        "1. An adhesive comprising a resin and a hardener.\n"
        "2. The adhesive of claim 1, further comprising a pigment.",
    ),
    Row(
        "a step added to closed steps",
        "logical.closed_then_opened",
        "1. A method of cleaning a lens, consisting of: rinsing the lens; and drying the lens.\n"
        "2. The method of claim 1, further comprising polishing the lens.",
        2,
        "further comprising",
        "1. A method of cleaning a lens, consisting essentially of: rinsing the lens; and drying the lens.\n"
        "2. The method of claim 1, further comprising polishing the lens.",
    ),
    Row(
        "said of the whole in a wherein clause",
        "logical.closed_then_opened",
        "1. A tablet consisting of a core and a film.\n2. The tablet of claim 1, wherein the tablet "
        "further comprises "
        "a dye.",
        2,
        "further comprises",
        "1. A tablet consisting of a core and a film.\n2. The tablet of claim 1, wherein the film further "
        "comprises "
        "a dye.",
    ),
    Row(
        "closed and opened in one claim",
        "logical.closed_then_opened",
        "1. A kit consisting of a needle and a thread, and further comprising a thimble.",
        1,
        "further comprising",
        "1. A kit comprising a needle and a thread of a fiber selected from the group consisting of silk "
        "and nylon, "
        "and further comprising a thimble.",
    ),
    Row(
        "a part closed and opened at once",
        "logical.closed_then_opened",
        "1. A foam comprising a blowing agent, wherein the blowing agent consists of water and further "
        "comprises "
        "a hydrocarbon.",
        1,
        "further comprises",
        "1. A foam comprising a blowing agent, wherein the blowing agent comprises water and further "
        "comprises "
        "a hydrocarbon.",
    ),
    Row(
        "a part closed by the parent",
        "logical.closed_then_opened",
        "1. A sinter comprising a powder consisting of tungsten and copper.\n"
        "2. The sinter of claim 1, wherein the powder further comprises nickel.",
        2,
        "further comprises",
        "1. A sinter comprising a powder consisting of tungsten and copper.\n"
        "2. The sinter of claim 1, further comprising a coating.",
    ),
    Row(
        "closed in the middle of the chain",
        "logical.closed_then_opened",
        "1. A solder comprising tin and silver.\n2. The solder of claim 1, consisting of tin, silver and "
        "copper.\n"
        "3. The solder of claim 2, further including bismuth.",
        3,
        "further including",
        "1. A solder comprising tin and silver.\n2. The solder of claim 1, consisting of tin, silver and "
        "copper.\n"
        "3. The solder of claim 1, further including bismuth.",
    ),
    # present and absent
    Row(
        "the lid is absent",
        "logical.present_and_absent",
        "1. A jar comprising a body and a lid.\n2. The jar of claim 1, wherein the lid is absent.",
        2,
        "the lid is absent",
        "1. A jar comprising a body and a lid.\n2. The jar of claim 1, wherein the lid is round.",
    ),
    Row(
        "no spring is present",
        "logical.present_and_absent",
        "1. A latch comprising a bolt and a return spring, wherein no return spring is present.",
        1,
        "no return spring is present",
        "1. A latch comprising a bolt and a return spring, wherein no lock is present.",
    ),
    Row(
        "the device does not comprise it",
        "logical.present_and_absent",
        "1. A camera comprising a sensor and a mechanical shutter.\n"
        "2. The camera of claim 1, wherein the camera does not comprise a mechanical shutter.",
        2,
        "does not comprise a mechanical shutter",
        "1. A camera comprising a sensor and an electronic shutter.\n"
        "2. The camera of claim 1, wherein the camera does not comprise a mechanical shutter.",
    ),
    Row(
        "the composition is free of it",
        "logical.present_and_absent",
        "1. A shampoo comprising a surfactant and a silicone oil.\n"
        "2. The shampoo of claim 1, wherein the shampoo is free of the silicone oil.",
        2,
        "is free of the silicone oil",
        "1. A shampoo comprising a surfactant and optionally a silicone oil.\n"
        "2. The shampoo of claim 1, wherein the shampoo is free of the silicone oil.",
    ),
    Row(
        "not included in the device",
        "logical.present_and_absent",
        "1. A drone comprising a rotor and a camera.\n"
        "2. The drone of claim 1, wherein the camera is not included in the drone.",
        2,
        "the camera is not included",
        "1. A drone comprising a rotor, a case and a camera.\n"
        "2. The drone of claim 1, wherein the camera is not included in the case.",
    ),
    Row(
        "without it, at the end",
        "logical.present_and_absent",
        "1. A bicycle comprising a frame and a chain guard.\n"
        "2. The bicycle of claim 1, wherein the frame is made of steel, without any chain guard.",
        2,
        "without any chain guard",
        "1. A bicycle comprising a frame and a chain guard.\n"
        "2. The bicycle of claim 1, wherein the frame is made of steel, without any weld.",
    ),
    Row(
        "the system has none",
        "logical.present_and_absent",
        "1. A computer system comprising a processor and a display.\n"
        "2. The computer system of claim 1, wherein the computer system has no display.",
        2,
        "has no display",
        "1. A computer system comprising a processor and a display.\n"
        "2. The computer system of claim 1, wherein the processor has no cache.",
    ),
    # steps
    Row(
        "dried before it is mixed",
        "logical.used_before_made",
        "1. A method of producing a mixed paste, comprising: drying the mixed paste; and then mixing a "
        "powder and a "
        "binder to form the mixed paste.",
        1,
        "the mixed paste",
        "1. A method of producing a mixed paste, comprising: mixing a powder and a binder to form the "
        "mixed paste; "
        "and then drying the mixed paste.",
    ),
    Row(
        "sent before it is computed",
        "logical.used_before_made",
        "1. A method of providing a digest of a file, comprising: reading the file from a memory; sending "
        "the digest "
        "to a server; and hashing the file to generate the digest.",
        1,
        "the digest",
        "1. A method of providing a digest of a file, comprising: reading the file from a memory; hashing "
        "the file "
        "to generate the digest; and sending the digest to a server.",
    ),
    Row(
        "cut before it is molded",
        "logical.used_before_made",
        "1. A process for making a gasket, comprising: trimming the gasket with a knife; and molding a "
        "rubber in a "
        "mold to obtain the gasket.",
        1,
        "the gasket",
        "1. A process for making a gasket, comprising: molding a rubber in a mold to obtain the gasket; "
        "and trimming "
        "the gasket with a knife.",
    ),
    Row(
        "a wider share of a constituent",
        "logical.range_widened",
        "1. A steel comprising 0.05 to 0.4 wt% of carbon and 1 to 2 wt% of manganese.\n"
        "2. The steel of claim 1, comprising 0.3 to 0.6 wt% of carbon.",
        2,
        "0.3 to 0.6 wt%",
        "1. A steel comprising 0.05 to 0.4 wt% of carbon and 1 to 2 wt% of manganese.\n"
        "2. The steel of claim 1, comprising 0.1 to 0.2 wt% of carbon.",
    ),
    Row(
        "another share as a content",
        "logical.range_missed",
        "1. A steel comprising 0.05 to 0.4 wt% of carbon and 1 to 2 wt% of manganese.\n"
        "2. The steel of claim 1, having a carbon content of 0.5 to 0.6 wt%.",
        2,
        "0.5 to 0.6 wt%",
        "1. A steel comprising 0.05 to 0.4 wt% of carbon and 1 to 2 wt% of manganese.\n"
        "2. The steel of claim 1, having a silicon content of 0.5 to 0.6 wt%.",
    ),
    Row(
        "another share as an amount",
        "logical.range_missed",
        "1. A cream comprising 2 to 5 wt% of urea and 10 to 20 wt% of glycerol.\n"
        "2. The cream of claim 1, comprising urea in an amount of 8 to 9 wt%.",
        2,
        "8 to 9 wt%",
        "1. A cream comprising 2 to 5 wt% of urea and 10 to 20 wt% of glycerol.\n"
        "2. The cream of claim 1, comprising urea in an amount of 3 to 4 wt%.",
    ),
    Row(
        "a property of the claimed thing",
        "logical.range_widened",
        "1. A film having a thickness of 10 to 20 µm.\n"
        "2. The film of claim 1, having a thickness of 5 to 30 µm.",
        2,
        "5 to 30 µm",
        "1. A film having a thickness of 10 to 20 µm.\n"
        "2. The film of claim 1, having a thickness of 12 to 15 µm.",
    ),
    Row(
        "added to what has none of it",
        "logical.present_and_absent",
        "1. A detergent comprising a surfactant, wherein the detergent does not contain a bleach.\n"
        "2. The detergent of claim 1, further comprising a bleach.",
        2,
        "a bleach",
        "1. A detergent comprising a surfactant, wherein the detergent does not contain a bleach.\n"
        "2. The detergent of claim 1, further comprising a perfume.",
    ),
    Row(
        "added to what is free of it",
        "logical.present_and_absent",
        "1. A laminate comprising a film and a foil, wherein the laminate is free of adhesive.\n"
        "2. The laminate of claim 1, further comprising an adhesive between the film and the foil.",
        2,
        "an adhesive",
        "1. A laminate comprising a film and a foil, wherein the film is free of adhesive.\n"
        "2. The laminate of claim 1, further comprising an adhesive between the film and the foil.",
    ),
    Row(
        "one of what there are none of",
        "logical.present_and_absent",
        "1. A panel comprising a frame and a plate, the panel having no openings.\n"
        "2. The panel of claim 1, wherein the plate comprises an opening.",
        2,
        "an opening",
        "1. A panel comprising a frame and a plate having no openings.\n"
        "2. The panel of claim 1, wherein the frame comprises an opening.",
    ),
    Row(
        "a solvent outside the group",
        "logical.outside_group",
        "1. An ink comprising a dye and a solvent selected from the group consisting of water, ethanol and "
        "acetone.\n2. The ink of claim 1, wherein the solvent is toluene.",
        2,
        "solvent is toluene",
        "1. An ink comprising a dye and a solvent selected from the group consisting of water, alcohols and "
        "acetone.\n2. The ink of claim 1, wherein the solvent is toluene.",
    ),
    Row(
        "a metal outside the group",
        "logical.outside_group",
        "1. A wire comprising a core and a coating selected from the group consisting of tin,"
        " silver and gold.\n"
        "2. The wire of claim 1, wherein the coating is zinc.",
        2,
        "coating is zinc",
        "1. A wire comprising a core and a coating selected from the group consisting of tin,"
        " silver and gold.\n"
        "2. The wire of claim 1, wherein the coating is continuous.",
    ),
    Row(
        "moves toward something and stands still",
        "logical.contradiction",
        "1. A valve comprising a stationary seat and a disc.\n"
        "2. The valve of claim 1, wherein the seat is movable toward the disc.",
        2,
        "the seat is movable",
        "1. A valve comprising a stationary seat and a disc.\n"
        "2. The valve of claim 1, wherein the disc is movable toward the seat.",
    ),
    Row(
        "extends at two angles",
        "logical.contradiction",
        "1. A panel comprising a wall and a rib extending perpendicular to the wall.\n"
        "2. The panel of claim 1, wherein the rib extends parallel to the wall.",
        2,
        "the rib extends parallel to the wall",
        "1. A panel comprising a wall, a floor and a rib extending perpendicular to the wall.\n"
        "2. The panel of claim 1, wherein the rib extends parallel to the floor.",
    ),
    # predicates, possessions and values
    Row(
        "at rest and turning",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle is fixed in "
        "place.\n"
        "2. The fan of claim 1, wherein the spindle rotates about a vertical axis.",
        2,
        "the spindle rotates about a vertical axis",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle is fixed in "
        "place.\n"
        "2. The fan of claim 1, wherein the guide ring rotates about a vertical axis.",
    ),
    Row(
        "kept from moving",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring slides along "
        "the frame.\n"
        "2. The fan of claim 1, wherein the guide ring is prevented from moving.",
        2,
        "the guide ring is prevented from moving",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring slides along "
        "the frame.\n"
        "2. The fan of claim 1, wherein the spindle is prevented from moving.",
    ),
    Row(
        "one piece of two parts",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is formed as a "
        "single piece.\n"
        "2. The fan of claim 1, wherein the frame is assembled from two separate parts.",
        2,
        "the frame is assembled from two separate parts",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is formed as a "
        "single piece.\n"
        "2. The fan of claim 1, wherein the frame has two arms.",
    ),
    Row(
        "made of another metal",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is formed entirely "
        "of brass.\n"
        "2. The fan of claim 1, wherein the frame is fabricated from stainless steel.",
        2,
        "the frame is fabricated from stainless steel",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is formed entirely "
        "of brass.\n"
        "2. The fan of claim 1, wherein the frame is formed of a metal.",
    ),
    Row(
        "a kind of what it has none of",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is made of nylon.\n"
        "2. The fan of claim 1, wherein the frame contains no plastic.",
        2,
        "the frame contains no plastic",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is made of nylon.\n"
        "2. The fan of claim 1, wherein the frame contains no metal.",
    ),
    Row(
        "another outline",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle has a circular "
        "cross-section.\n"
        "2. The fan of claim 1, wherein the spindle has a square cross-section.",
        2,
        "the spindle has a square cross-section",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle has a circular "
        "cross-section.\n"
        "2. The fan of claim 1, wherein the frame has a square cross-section.",
    ),
    Row(
        "touching and apart",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring is always in "
        "contact with the frame.\n"
        "2. The fan of claim 1, wherein the guide ring is spaced apart from the frame.",
        2,
        "the guide ring is spaced apart from the frame",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring is always in "
        "contact with the frame.\n"
        "2. The fan of claim 1, wherein the guide ring is spaced apart from the spindle.",
    ),
    Row(
        "at the other end",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring is located at "
        "an upper end of the frame.\n"
        "2. The fan of claim 1, wherein the guide ring is located at a lower end of the frame.",
        2,
        "the guide ring is located at a lower end of the frame",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring is located at "
        "an upper end of the frame.\n"
        "2. The fan of claim 1, wherein the guide ring is located at a lower end of the spindle.",
    ),
    Row(
        "inside each other",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame surrounds the "
        "guide ring.\n"
        "2. The fan of claim 1, wherein the guide ring surrounds the frame.",
        2,
        "the guide ring surrounds the frame",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame surrounds the "
        "guide ring.\n"
        "2. The fan of claim 1, wherein the guide ring surrounds the spindle.",
    ),
    Row(
        "of one width",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is wider than the "
        "guide ring.\n"
        "2. The fan of claim 1, wherein the frame and the guide ring have the same width.",
        2,
        "the frame and the guide ring have the same width",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is wider than the "
        "guide ring.\n"
        "2. The fan of claim 1, wherein the frame and the guide ring have the same height.",
    ),
    Row(
        "always and at times",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle is always "
        "heated.\n"
        "2. The fan of claim 1, wherein the spindle is heated only intermittently.",
        2,
        "the spindle is heated only intermittently",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle is always "
        "heated.\n"
        "2. The fan of claim 1, wherein the frame is heated only intermittently.",
    ),
    Row(
        "each and not all",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein each spindle is coated.\n"
        "2. The fan of claim 1, wherein at least one spindle is uncoated.",
        2,
        "at least one spindle is uncoated",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein each spindle is coated.\n"
        "2. The fan of claim 1, wherein at least one spindle is hollow.",
    ),
    Row(
        "allows and prevents",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring allows axial "
        "flow.\n"
        "2. The fan of claim 1, wherein the guide ring prevents axial flow.",
        2,
        "the guide ring prevents axial flow",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring allows axial "
        "flow.\n"
        "2. The fan of claim 1, wherein the guide ring prevents radial flow.",
    ),
    Row(
        "does not do what it does",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle extends through "
        "the guide ring.\n"
        "2. The fan of claim 1, wherein the spindle does not extend through the guide ring.",
        2,
        "the spindle does not extend through the guide ring",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle extends through "
        "the guide ring.\n"
        "2. The fan of claim 1, wherein the spindle does not extend through the frame.",
    ),
    Row(
        "more arms than exactly two",
        "logical.contradiction",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has exactly two "
        "arms.\n"
        "2. The fan of claim 1, wherein the frame has three arms.",
        2,
        "the frame has three arms",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has exactly two "
        "arms.\n"
        "2. The fan of claim 1, wherein the guide ring has three arms.",
    ),
    Row(
        "a part denied",
        "logical.present_and_absent",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring has a "
        "groove.\n"
        "2. The fan of claim 1, wherein the guide ring is free of grooves.",
        2,
        "the guide ring is free of grooves",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring has a "
        "groove.\n"
        "2. The fan of claim 1, wherein the spindle is free of grooves.",
    ),
    Row(
        "denied by an adjective",
        "logical.present_and_absent",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has a window.\n"
        "2. The fan of claim 1, wherein the frame is windowless.",
        2,
        "the frame is windowless",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has a window.\n"
        "2. The fan of claim 1, wherein the spindle is windowless.",
    ),
    Row(
        "kept outside a range",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle is maintained at "
        "a temperature of 20 to 30 °C.\n"
        "2. The fan of claim 1, wherein the spindle is kept at 60 °C.",
        2,
        "60 °C",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle is maintained at "
        "a temperature of 20 to 30 °C.\n"
        "2. The fan of claim 1, wherein the frame is kept at 60 °C.",
    ),
    Row(
        "run outside a range",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle rotates at 100 "
        "to 200 rpm.\n"
        "2. The fan of claim 1, wherein the spindle rotates at a speed of 500 rpm.",
        2,
        "500 rpm",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the spindle rotates at 100 "
        "to 200 rpm.\n"
        "2. The fan of claim 1, wherein the spindle rotates at a speed of 150 rpm.",
    ),
    Row(
        "given more often",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring is cleaned "
        "once per week.\n"
        "2. The fan of claim 1, wherein the guide ring is cleaned twice per day.",
        2,
        "twice per day",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the guide ring is cleaned "
        "once per week.\n"
        "2. The fan of claim 1, wherein the spindle is cleaned twice per day.",
    ),
    Row(
        "outside bounds in words",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has a width of at "
        "least 5 mm but no more than 10 mm.\n"
        "2. The fan of claim 1, wherein the width of the frame is 15 mm.",
        2,
        "15 mm",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has a width of at "
        "least 5 mm but no more than 10 mm.\n"
        "2. The fan of claim 1, wherein the width of the frame is 8 mm.",
    ),
    Row(
        "measured at one temperature",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has a viscosity of "
        "100 to 200 mPa·s at 25 °C.\n"
        "2. The fan of claim 1, wherein the frame has a viscosity of 500 mPa·s at 25 °C.",
        2,
        "500 mPa·s",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame has a viscosity of "
        "100 to 200 mPa·s at 25 °C.\n"
        "2. The fan of claim 1, wherein the frame has a viscosity of 500 mPa·s at 5 °C.",
    ),
    Row(
        "thicker than allowed",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is 5 to 10 mm "
        "thick.\n"
        "2. The fan of claim 1, wherein the frame is 15 mm thick.",
        2,
        "15 mm",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame is 5 to 10 mm "
        "thick.\n"
        "2. The fan of claim 1, wherein the frame is 15 mm wide.",
    ),
    Row(
        "another ratio",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein a ratio of the height of the "
        "frame to the height of the spindle is 2:1 to 3:1.\n"
        "2. The fan of claim 1, wherein the ratio of the height of the frame to the height of the "
        "spindle is 5:1.",
        2,
        "5:1",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein a ratio of the height of the "
        "frame to the height of the spindle is 2:1 to 3:1.\n"
        "2. The fan of claim 1, wherein the ratio of the height of the frame to the height of the "
        "spindle is 2.5:1.",
    ),
    Row(
        "more of a part of a mixture",
        "logical.range_missed",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame comprises 10 to 20 "
        "wt% of a binder.\n"
        "2. The fan of claim 1, wherein the frame comprises 35 wt% of the binder.",
        2,
        "35 wt%",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame comprises 10 to 20 "
        "wt% of a binder.\n"
        "2. The fan of claim 1, wherein the spindle comprises 35 wt% of the binder.",
    ),
    Row(
        "of another head",
        "logical.outside_group",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame comprises a gauge "
        "selected from the group consisting of a pressure gauge, a strain gauge and a level gauge.\n"
        "2. The fan of claim 1, wherein the gauge is a flow gauge.",
        2,
        "gauge is a flow gauge",
        "1. A fan comprising a frame, a guide ring and a spindle, wherein the frame comprises a gauge "
        "selected from the group consisting of a pressure gauge, a strain gauge and a level gauge.\n"
        "2. The fan of claim 1, wherein the gauge is a strain gauge.",
    ),
    Row(
        "shares beyond the whole",
        "logical.impossible_range",
        "1. A paste comprising 60 to 70 wt% of tin, 40 to 50 wt% of lead and 10 to 20 wt% of zinc.",
        1,
        "60 to 70 wt% of tin, 40 to 50 wt% of lead and 10 to 20 wt%",
        "1. A paste comprising 60 to 70 wt% of tin, 20 to 50 wt% of lead and 10 to 20 wt% of zinc.",
    ),
    Row(
        "shares short of the whole",
        "logical.impossible_range",
        "1. A paste consisting of 20 to 30 wt% of tin, 20 to 30 wt% of lead and 10 to 20 wt% of zinc.",
        1,
        "20 to 30 wt% of tin, 20 to 30 wt% of lead and 10 to 20 wt%",
        "1. A paste comprising 20 to 30 wt% of tin, 20 to 30 wt% of lead and 10 to 20 wt% of zinc.",
    ),
    Row(
        "with and without oxygen",
        "logical.contradiction",
        f"{PASTE}, wherein the mixing is carried out in the absence of oxygen.\n"
        "2. The method of claim 1, wherein the mixing is carried out in the presence of oxygen.",
        2,
        "the mixing is carried out in the presence of oxygen",
        f"{PASTE}, wherein the mixing is carried out in the absence of oxygen.\n"
        "2. The method of claim 1, wherein the mixing is carried out in the absence of light.",
    ),
    Row(
        "under vacuum and at atmospheric pressure",
        "logical.contradiction",
        f"{PASTE}, wherein the mixing is performed under vacuum.\n"
        "2. The method of claim 1, wherein the mixing is performed at atmospheric pressure.",
        2,
        "the mixing is performed at atmospheric pressure",
        f"{PASTE}, wherein the mixing is performed under vacuum.\n"
        "2. The method of claim 1, wherein the mixing is performed at room temperature.",
    ),
    Row(
        "by machine and by hand",
        "logical.contradiction",
        f"{PRESS}, wherein the ram is moved automatically.\n"
        "2. The press of claim 1, wherein the ram is moved by hand.",
        2,
        "the ram is moved by hand",
        f"{PRESS}, wherein the ram is moved automatically.\n"
        "2. The press of claim 1, wherein the ram is held by hand.",
    ),
    Row(
        "at one time and in turn",
        "logical.contradiction",
        f"{PRESS}, wherein the ram and the die are lifted simultaneously.\n"
        "2. The press of claim 1, wherein the ram and the die are lifted one after the other.",
        2,
        "the die are lifted one after the other",
        f"{PRESS}, wherein the ram and the die are lifted simultaneously.\n"
        "2. The press of claim 1, wherein the ram and the die are pushed one after the other.",
    ),
    Row(
        "before and after",
        "logical.contradiction",
        f"{PASTE}, wherein the powder is added before the binder.\n"
        "2. The method of claim 1, wherein the binder is added before the powder.",
        2,
        "the binder is added before the powder",
        f"{PASTE}, wherein the powder is added before the binder.\n"
        "2. The method of claim 1, wherein the binder is heated before the powder.",
    ),
    Row(
        "there and back",
        "logical.contradiction",
        f"{PRESS}, wherein the ram travels from the die to the arms.\n"
        "2. The press of claim 1, wherein the ram travels from the arms to the die.",
        2,
        "the ram travels from the arms to the die",
        f"{PRESS}, wherein the ram travels from the die to the arms.\n"
        "2. The press of claim 1, wherein the ram travels from the die to the arms at 2 m/s.",
    ),
    Row(
        "the same and different lengths",
        "logical.contradiction",
        f"{PRESS}, wherein the arms have the same length.\n"
        "2. The press of claim 1, wherein the arms have different lengths.",
        2,
        "the arms have different lengths",
        f"{PRESS}, wherein the arms have the same length.\n"
        "2. The press of claim 1, wherein the arms have different widths.",
    ),
    Row(
        "one condition and two outcomes",
        "logical.contradiction",
        f"{PRESS}, wherein the ram is stopped if the die is open.\n"
        "2. The press of claim 1, wherein the ram is started if the die is open.",
        2,
        "the ram is started",
        f"{PRESS}, wherein the ram is stopped if the die is open.\n"
        "2. The press of claim 1, wherein the ram is started if the die is closed.",
    ),
    Row(
        "one condition before two outcomes",
        "logical.contradiction",
        f"{PRESS}, wherein when the die is closed, the ram is turned on.\n"
        "2. The press of claim 1, wherein when the die is closed, the ram is turned off.",
        2,
        "the ram is turned off",
        f"{PRESS}, wherein when the die is closed, the ram is turned on.\n"
        "2. The press of claim 1, wherein when the die is opened, the ram is turned off.",
    ),
    Row(
        "each and none",
        "logical.contradiction",
        f"{PRESS}, wherein each of the arms is coupled to the ram.\n"
        "2. The press of claim 1, wherein none of the arms is coupled to the ram.",
        2,
        "none of the arms is coupled to the ram",
        f"{PRESS}, wherein each of the arms is coupled to the ram.\n"
        "2. The press of claim 1, wherein none of the arms is coupled to the die.",
    ),
    Row(
        "all and only one",
        "logical.contradiction",
        f"{PRESS}, wherein all of the arms are attached to the die.\n"
        "2. The press of claim 1, wherein only one of the arms is attached to the die.",
        2,
        "only one of the arms is attached to the die",
        f"{PRESS}, wherein all of the arms are attached to the die.\n"
        "2. The press of claim 1, wherein only one of the arms is attached to the ram.",
    ),
    Row(
        "a wall that rests and slides",
        "logical.contradiction",
        f"{PRESS}, wherein the ram is fixedly mounted on the die.\n"
        "2. The press of claim 1, wherein the ram slides along the die.",
        2,
        "the ram slides along the die",
        f"{PRESS}, wherein the ram is fixedly mounted on the die.\n"
        "2. The press of claim 1, wherein the ram slides along the arms.",
    ),
    Row(
        "a part that is made of and a group",
        "logical.outside_group",
        f"{PRESS}, wherein the ram is made of a material selected from steel, brass and copper.\n"
        "2. The press of claim 1, wherein the ram is made of aluminum.",
        2,
        "ram is made of aluminum",
        f"{PRESS}, wherein the ram is made of a material selected from steel, brass and copper.\n"
        "2. The press of claim 1, wherein the ram is made of brass.",
    ),
    Row(
        "a number of arms",
        "logical.contradiction",
        f"{PRESS}, wherein the number of arms is exactly two.\n"
        "2. The press of claim 1, wherein the number of arms is exactly five.",
        2,
        "the number of arms is exactly five",
        f"{PRESS}, wherein the number of arms is exactly two.\n"
        "2. The press of claim 1, wherein the number of arms is equal to two.",
    ),
    Row(
        "a dose with a longer unit",
        "logical.range_missed",
        f"{THERAPY}, wherein the drug is administered in a dose of 5 mg to 10 mg per day.\n"
        "2. The method of claim 1, wherein the drug is administered in a dose of 20 mg per day.",
        2,
        "20 mg per day",
        f"{THERAPY}, wherein the drug is administered in a dose of 5 mg to 10 mg per day.\n"
        "2. The method of claim 1, wherein the drug is administered in a dose of 8 mg per day.",
    ),
)
