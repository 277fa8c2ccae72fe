"""Claim sets with one flaw of logic each, and a twin without it."""

from tests.unit.claims.battery import Row

THERAPY = "1. A method of treating a patient, comprising administering a drug"

ROWS: tuple[Row, ...] = (
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
        "a dose with a longer unit",
        "logical.range_missed",
        f"{THERAPY}, wherein the drug is administered in a dose of 5 mg to 10 mg per day.\n"
        "2. The method of claim 1, wherein the drug is administered in a dose of 20 mg per day.",
        2,
        "20 mg per day",
        f"{THERAPY}, wherein the drug is administered in a dose of 5 mg to 10 mg per day.\n"
        "2. The method of claim 1, wherein the drug is administered in a dose of 8 mg per day.",
    ),
    Row(
        "a temperature with a full stop behind its unit",
        "logical.range_widened",
        "1. A method of curing a resin, wherein the curing is conducted at a temperature of 250° C. or "
        "less.\n"
        "2. The method of claim 1, wherein the curing is conducted at a temperature of 280° C. or less.",
        2,
        "280° C. or less",
        "1. A method of curing a resin, wherein the curing is conducted at a temperature of 250° C. or "
        "less.\n"
        "2. The method of claim 1, wherein the curing is conducted at a temperature of 220° C. or less.",
    ),
    Row(
        "an identity in the same words",
        "logical.range_widened",
        "1. A plasmid comprising a gene of an enzyme with at least 80% sequence identity to SEQ ID NO: 6.\n"
        "2. The plasmid of claim 1, wherein the plasmid comprises a gene of an enzyme with at "
        "least 75% sequence "
        "identity to "
        "SEQ ID NO: 6.",
        2,
        "at least 75%",
        "1. A plasmid comprising a gene of an enzyme with at least 80% sequence identity to SEQ ID NO: 6.\n"
        "2. The plasmid of claim 1, wherein the plasmid comprises a gene of an enzyme with at "
        "least 75% sequence "
        "identity to "
        "SEQ ID NO: 7.",
    ),
    Row(
        "how often a step is repeated",
        "logical.range_widened",
        "1. A process of breeding, comprising a crossing, wherein the crossing is repeated for 7 "
        "to 19 cycles.\n"
        "2. The process of claim 1, wherein the crossing is repeated for 5 to 9 cycles.",
        2,
        "5 to 9",
        "1. A process of breeding, comprising a crossing, wherein the crossing is repeated for 7 "
        "to 19 cycles.\n"
        "2. The process of claim 1, wherein the crossing is repeated for 8 to 9 cycles.",
    ),
    Row(
        "a number of parts in words",
        "logical.range_missed",
        "1. A rotor comprising a hub having at least four arms.\n"
        "2. The rotor of claim 1, wherein the hub has two arms.",
        2,
        "two",
        "1. A rotor comprising a hub having at least four arms.\n"
        "2. The rotor of claim 1, wherein the hub has five arms.",
    ),
    Row(
        "a number that a list of values leaves out",
        "logical.range_missed",
        "1. A compound of formula A-B, wherein n is an integer from 2 to 8.\n"
        "2. The compound of claim 1, wherein n is 3, 4, 5 or 9.",
        2,
        "9",
        "1. A compound of formula A-B, wherein n is an integer from 2 to 8.\n"
        "2. The compound of claim 1, wherein n is 3, 4, 5 or 8.",
    ),
    # one quantity with two values
    Row(
        "another current than the parent's",
        "logical.stated_twice",
        "1. A pump comprising a motor, wherein the motor draws 5 A.\n"
        "2. The pump of claim 1, wherein the motor draws 7 A.",
        2,
        "7 A",
        "1. A pump comprising a motor and a heater, wherein the motor draws 5 A.\n"
        "2. The pump of claim 1, wherein the heater draws 7 A.",
    ),
    Row(
        "two lengths in one claim",
        "logical.stated_twice",
        "1. A rig comprising a beam, wherein the beam is 3 m in length, and wherein the beam is 4 m long.",
        1,
        "4 m",
        "1. A rig comprising a beam, wherein the beam is 3 m in length, and wherein the beam is 4 m wide.",
    ),
    Row(
        "two densities of openings",
        "logical.stated_twice",
        "1. A filter comprising a mesh having 40 openings per inch.\n"
        "2. The filter of claim 1, wherein the mesh has 60 openings per inch.",
        2,
        "60",
        "1. A filter comprising a mesh having 40 openings.\n"
        "2. The filter of claim 1, wherein the mesh has 60 openings.",
    ),
    Row(
        "two numbers of arms in one claim",
        "logical.stated_twice",
        "1. A rotor comprising a hub, wherein the hub has four arms, and wherein the hub has five arms.",
        1,
        "five",
        "1. A rotor comprising a hub and a rim, wherein the hub has four arms, and wherein the rim has "
        "five arms.",
    ),
    # several limits at once
    Row(
        "several identities at the least",
        "logical.several_limits",
        "1. A nucleic acid with a sequence that is at least 80, 85, 90 or 95 % identical to SEQ ID NO: 1.",
        1,
        "at least 80, 85, 90 or 95 %",
        "1. A nucleic acid with a sequence that is 80, 85, 90 or 95 % identical to SEQ ID NO: 1.",
    ),
    Row(
        "several amounts at the most",
        "logical.several_limits",
        "1. A wafer having a defect rate of less than 5%, 4%, 3%, or 2%.",
        1,
        "less than 5%, 4%, 3%, or 2%",
        "1. A wafer having a defect rate of less than 5%, a yield of 4%, a bow of 3%, or a warp of 2%.",
    ),
    # an alternative listed twice
    Row(
        "a member of a group twice",
        "logical.markush_repeats",
        "1. A salve comprising an agent for subcutaneous, intravenous, oral, or intravenous use, wherein a "
        "solvent is "
        "selected from the group consisting of water, ethanol, acetone, and ethanol.",
        1,
        "ethanol",
        "1. A salve comprising an agent for subcutaneous, intravenous, or oral use, wherein a solvent is "
        "selected from the group consisting of water, ethanol, acetone, and methanol.",
    ),
    Row(
        "an alternative twice",
        "logical.markush_repeats",
        "1. A chip comprising a substrate, wherein the substrate is made of a polymer, a metal, a "
        "dielectric, or a metal.",
        1,
        "metal",
        "1. A chip comprising a substrate, wherein the substrate is made of an alkali metal, sodium, a "
        "dielectric, or "
        "a metal.",
    ),
    Row(
        "a gene twice",
        "logical.markush_repeats",
        "1. A kit comprising probes for genes selected from EMR4; ZNF792; CACNG6; EMR4; and MXD4.",
        1,
        "EMR4",
        "1. A kit comprising probes for genes selected from EMR4; ZNF792; CACNG6; EMR4P; and MXD4.",
    ),
    # a closed list opened again
    Row(
        "other members of a closed group",
        "logical.closed_then_opened",
        "1. A carrier selected from the group consisting of saline, dextrose and other solvents.",
        1,
        "and other",
        "1. A carrier selected from saline, dextrose and other solvents.",
    ),
    Row(
        "a closed group with a least",
        "logical.closed_then_opened",
        "1. A cell expressing a gene selected from the group consisting of at least a promoter.",
        1,
        "at least",
        "1. A cell expressing at least a gene selected from the group consisting of a promoter "
        "and an enhancer.",
    ),
    Row(
        "a part closed and opened at once",
        "logical.closed_then_opened",
        "1. A foam comprising a blowing agent, wherein the blowing agent consists of water and further "
        "comprises a "
        "hydrocarbon.",
        1,
        "and further comprises",
        "1. A foam comprising a blowing agent, wherein the blowing agent contains water and further "
        "comprises a "
        "hydrocarbon.",
    ),
    Row(
        "a closed thing that consists of more",
        "logical.closed_then_opened",
        "1. A protein consisting of a domain and a linker.\n"
        "2. The protein of claim 1, wherein the protein further consists of a tag.",
        2,
        "further consists of",
        "1. A protein comprising a domain and a linker.\n"
        "2. The protein of claim 1, wherein the protein further comprises a tag.",
    ),
)
