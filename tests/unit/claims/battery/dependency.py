"""Dependency: one claim set per defect, its twin clean. All texts are ours."""

from tests.unit.claims.battery import Row

_BICYCLE = (
    "1. A bicycle comprising a frame, a saddle attached to the frame, and two wheels carried by the frame.\n"
)
_SADDLE = "2. The bicycle of claim 1, wherein the saddle is made of leather.\n"
_ROASTING = (
    "1. A method of roasting coffee beans, the method comprising: heating a drum; feeding coffee beans "
    "into the "
    "drum; and rotating the drum.\n"
)
_CREAM = "1. A cream comprising water, a vegetable oil and an emulsifier.\n"
_OIL = "2. The cream of claim 1, wherein the vegetable oil is olive oil.\n"
_MEDIUM = (
    "1. A non-transitory computer-readable medium storing instructions that, when executed by a processor, "
    "cause "
    "the processor to: receive an image; detect an edge in the image; and store a position of the edge.\n"
)
_AMPLIFIER = (
    "1. An amplifier comprising an input stage, an output stage, and a feedback resistor connected between "
    "the "
    "input stage and the output stage.\n"
)
_STENT = "1. A stent comprising a tubular body and a coating on the tubular body.\n"
_POLYMER = "2. The stent of claim 1, wherein the coating comprises a polymer.\n"
_SEALING = (
    "1. A process for sealing a pouch, the process comprising: filling the pouch with a liquid; and "
    "pressing a "
    "heated jaw against the pouch.\n"
)

ROWS: tuple[Row, ...] = (
    Row(
        "number beyond the end",
        "dependency.nonexistent",
        _BICYCLE + "2. The bicycle of claim 12, wherein the saddle is made of leather.",
        2,
        "claim 12",
        _BICYCLE + "2. The bicycle of claim 1, wherein the saddle is made of leather.",
    ),
    Row(
        "claim zero",
        "dependency.nonexistent",
        _CREAM + "2. The cream according to claim 0, wherein the vegetable oil is olive oil.",
        2,
        "claim 0",
        _CREAM + "2. The cream according to claim 1, wherein the vegetable oil is olive oil.",
    ),
    Row(
        "one of two alternatives",
        "dependency.nonexistent",
        _STENT + _POLYMER + "3. The stent of claim 1 or 9, further comprising a marker.",
        3,
        "claim 1 or 9",
        _STENT + _POLYMER + "3. The stent of claim 1 or 2, further comprising a marker.",
    ),
    Row(
        "one of a list",
        "dependency.nonexistent",
        _ROASTING
        + "2. The method of claim 1, wherein the drum is heated by gas.\n"
        + "3. The method of any one of claims 1, 2 and 8, further comprising cooling the coffee beans.",
        3,
        "claims 1, 2 and 8",
        _ROASTING
        + "2. The method of claim 1, wherein the drum is heated by gas.\n"
        + "3. The method of any one of claims 1 and 2, further comprising cooling the coffee beans.",
    ),
    Row(
        "nothing precedes the first claim",
        "dependency.nonexistent",
        "1. A lamp according to any preceding claim, comprising a base and a bulb.\n"
        "2. A torch comprising a battery and a switch.",
        1,
        "any preceding claim",
        "1. A lamp comprising a base and a bulb.\n"
        "2. A lamp according to any preceding claim, wherein the bulb is frosted.",
    ),
    Row(
        "reference of another category",
        "dependency.nonexistent",
        _SEALING + "2. A pouch sealed by the process of claim 5.",
        2,
        "claim 5",
        _SEALING + "2. A pouch sealed by the process of claim 1.",
    ),
    Row(
        "plain self reference",
        "dependency.self",
        _AMPLIFIER + "2. The amplifier of claim 2, wherein the feedback resistor is adjustable.",
        2,
        "claim 2",
        _AMPLIFIER + "2. The amplifier of claim 1, wherein the feedback resistor is adjustable.",
    ),
    Row(
        "a range that reaches the claim itself",
        "dependency.self",
        _BICYCLE + _SADDLE + "3. The bicycle of any one of claims 1 to 3, further comprising a bell.",
        3,
        "claims 1 to 3",
        _BICYCLE + _SADDLE + "3. The bicycle of any one of claims 1 to 2, further comprising a bell.",
    ),
    Row(
        "a list that names the claim itself",
        "dependency.self",
        _CREAM + _OIL + "3. The cream of claim 1, 2 or 3, further comprising a perfume.",
        3,
        "claim 1, 2 or 3",
        _CREAM + _OIL + "3. The cream of claim 1 or 2, further comprising a perfume.",
    ),
    Row(
        "the first claim",
        "dependency.self",
        "1. The kettle of claim 1, comprising a vessel and a lid.",
        1,
        "claim 1",
        "1. A kettle comprising a vessel and a lid.",
    ),
    Row(
        "a canceled parent",
        "dependency.canceled",
        "1. (Canceled)\n"
        "2. (New) A stent comprising a tubular body and a coating on the tubular body.\n"
        "3. (Original) The stent of claim 1, further comprising a marker.",
        3,
        "claim 1",
        "1. (Canceled)\n"
        "2. (New) A stent comprising a tubular body and a coating on the tubular body.\n"
        "3. (Currently amended) The stent of claim 2, further comprising a marker.",
    ),
    Row(
        "one canceled claim in a range",
        "dependency.canceled",
        "1. (Original) A cream comprising water, a vegetable oil and an emulsifier.\n"
        "2. (Canceled)\n"
        "3. (Original) The cream of claim 1, wherein the vegetable oil is olive oil.\n"
        "4. (Original) The cream of any one of claims 1 to 3, further comprising a perfume.",
        4,
        "claims 1 to 3",
        "1. (Original) A cream comprising water, a vegetable oil and an emulsifier.\n"
        "2. (Canceled)\n"
        "3. (Original) The cream of claim 1, wherein the vegetable oil is olive oil.\n"
        "4. (Currently amended) The cream of any preceding claim, further comprising a perfume.",
    ),
    Row(
        "two claims that depend on each other",
        "dependency.circular",
        _STENT
        + "2. The stent of claim 3, further comprising a delivery catheter.\n"
        + "3. The stent of claim 2, further comprising a marker.",
        2,
        "claim 3",
        _STENT + _POLYMER + "3. The stent of claim 2, further comprising a marker.",
    ),
    Row(
        "a circle of three",
        "dependency.circular",
        _ROASTING
        + "2. The method of claim 4, further comprising opening a valve.\n"
        + "3. The method of claim 2, further comprising starting a fan.\n"
        + "4. The method of claim 3, further comprising ringing a bell.",
        2,
        "claim 4",
        _ROASTING
        + "2. The method of claim 1, further comprising opening a valve.\n"
        + "3. The method of claim 2, further comprising starting a fan.\n"
        + "4. The method of claim 3, further comprising ringing a bell.",
    ),
    Row(
        "a circle through an alternative",
        "dependency.circular",
        _AMPLIFIER
        + "2. The amplifier of claim 1 or 3, further comprising a fuse.\n"
        + "3. The amplifier of claim 2, further comprising a heat sink.",
        2,
        "claim 1 or 3",
        _AMPLIFIER
        + "2. The amplifier of claim 1, further comprising a fuse.\n"
        + "3. The amplifier of claim 2, further comprising a heat sink.",
    ),
    Row(
        "a later claim",
        "dependency.forward",
        _BICYCLE
        + "2. The bicycle of claim 3, wherein the saddle is made of leather.\n"
        + "3. The bicycle of claim 1, further comprising a bell.",
        2,
        "claim 3",
        _BICYCLE + _SADDLE + "3. The bicycle of claim 1, further comprising a bell.",
    ),
    Row(
        "a later claim of another category",
        "dependency.forward",
        "1. A bag of coffee roasted by the method of claim 2.\n"
        "2. A method of roasting coffee beans, the method comprising heating a drum and feeding coffee "
        "beans into "
        "the drum.",
        1,
        "claim 2",
        "1. A method of roasting coffee beans, the method comprising heating a drum and feeding coffee "
        "beans into "
        "the drum.\n"
        "2. A bag of coffee roasted by the method of claim 1.",
    ),
    Row(
        "the following claims",
        "dependency.forward",
        _CREAM
        + "2. The cream according to any one of the following claims, further comprising a dye.\n"
        + "3. The cream of claim 1, further comprising a perfume.",
        2,
        "any one of the following claims",
        _CREAM
        + "2. The cream according to any one of the preceding claims, further comprising a dye.\n"
        + "3. The cream of claim 1, further comprising a perfume.",
    ),
    Row(
        "a list that runs ahead",
        "dependency.forward",
        _STENT
        + "2. The stent of claim 1 or 3, further comprising a marker.\n"
        + "3. The stent of claim 1, wherein the coating comprises a polymer.",
        2,
        "claim 1 or 3",
        _STENT
        + "2. The stent of claim 1, further comprising a marker.\n"
        + "3. The stent of claim 1 or 2, wherein the coating comprises a polymer.",
    ),
    Row(
        "no number before a comma",
        "dependency.unnumbered",
        _AMPLIFIER + "2. The amplifier of claim, further comprising a fuse.",
        2,
        "claim",
        _AMPLIFIER + "2. The amplifier of the preceding claim, further comprising a fuse.",
    ),
    Row(
        "no number before wherein",
        "dependency.unnumbered",
        _SEALING + "2. The process according to claim wherein a conveyor moves at a constant speed.",
        2,
        "claim",
        _SEALING + "2. The process according to claim 1 wherein a conveyor moves at a constant speed.",
    ),
    Row(
        "alternatives on alternatives",
        "dependency.multiple_on_multiple",
        _BICYCLE
        + _SADDLE
        + "3. The bicycle of claim 1 or 2, further comprising a bell.\n"
        + "4. The bicycle of claim 2 or 3, further comprising a lamp.",
        4,
        "claim 2 or 3",
        _BICYCLE
        + _SADDLE
        + "3. The bicycle of claim 1 or 2, further comprising a bell.\n"
        + "4. The bicycle of claim 3, further comprising a lamp.",
    ),
    Row(
        "a range over a multiple dependent claim",
        "dependency.multiple_on_multiple",
        _CREAM
        + _OIL
        + "3. The cream of claim 1 or claim 2, further comprising a perfume.\n"
        + "4. The cream of any of claims 1-3, further comprising a dye.",
        4,
        "claims 1-3",
        _CREAM
        + _OIL
        + "3. The cream of claim 2, further comprising a perfume.\n"
        + "4. The cream of any of claims 1-3, further comprising a dye.",
    ),
    Row(
        "indirectly",
        "dependency.multiple_on_multiple",
        _STENT
        + _POLYMER
        + "3. The stent of claim 1 or 2, further comprising a marker.\n"
        + "4. The stent of claim 3, wherein the marker is made of gold.\n"
        + "5. The stent of claim 2 or 4, wherein the tubular body is made of steel.",
        5,
        "claim 2 or 4",
        _STENT
        + _POLYMER
        + "3. The stent of claim 1 or 2, further comprising a marker.\n"
        + "4. The stent of claim 3, wherein the marker is made of gold.\n"
        + "5. The stent of claim 4, wherein the tubular body is made of steel.",
    ),
    Row(
        "any preceding claim, twice",
        "dependency.multiple_on_multiple",
        _ROASTING
        + "2. The method of claim 1, wherein the drum is heated by gas.\n"
        + "3. The method of any preceding claim, further comprising cooling the coffee beans.\n"
        + "4. The method of any preceding claim, further comprising weighing the coffee beans.",
        4,
        "any preceding claim",
        _ROASTING
        + "2. The method of claim 1, wherein the drum is heated by gas.\n"
        + "3. The method of any preceding claim, further comprising cooling the coffee beans.\n"
        + "4. The method of the preceding claim, further comprising weighing the coffee beans.",
    ),
    Row(
        "a use of what several claims define",
        "dependency.multiple_on_multiple",
        _CREAM
        + _OIL
        + "3. The cream of claim 1 or 2, further comprising a perfume.\n"
        + "4. A method of treating dry skin, the method comprising applying the cream of any one of claims "
        "1 to 3 to "
        "dry skin.",
        4,
        "claims 1 to 3",
        _CREAM
        + _OIL
        + "3. The cream of claim 1 or 2, further comprising a perfume.\n"
        + "4. A method of treating dry skin, the method comprising applying the cream of claim 3 to dry "
        "skin.",
    ),
    Row(
        "claims 1 and 2",
        "dependency.cumulative",
        _BICYCLE + _SADDLE + "3. The bicycle of claims 1 and 2, further comprising a bell.",
        3,
        "claims 1 and 2",
        _BICYCLE + _SADDLE + "3. The bicycle of claims 1 or 2, further comprising a bell.",
    ),
    Row(
        "claim 1 and claim 2",
        "dependency.cumulative",
        _AMPLIFIER
        + "2. The amplifier of claim 1, wherein the feedback resistor is adjustable.\n"
        + "3. The amplifier as claimed in claim 1 and claim 2, further comprising a heat sink.",
        3,
        "claim 1 and claim 2",
        _AMPLIFIER
        + "2. The amplifier of claim 1, wherein the feedback resistor is adjustable.\n"
        + "3. The amplifier as claimed in either of claims 1 and 2, further comprising a heat sink.",
    ),
    Row(
        "a bare range",
        "dependency.cumulative",
        _CREAM
        + _OIL
        + "3. The cream of claim 2, further comprising a perfume.\n"
        + "4. The cream according to claims 1-3, further comprising a dye.",
        4,
        "claims 1-3",
        _CREAM
        + _OIL
        + "3. The cream of claim 2, further comprising a perfume.\n"
        + "4. The cream according to one of claims 1-3, further comprising a dye.",
    ),
    Row(
        "all the preceding claims",
        "dependency.cumulative",
        _STENT + _POLYMER + "3. The stent according to the preceding claims, further comprising a marker.",
        3,
        "the preceding claims",
        _STENT
        + _POLYMER
        + "3. The stent according to one of the preceding claims, further comprising a marker.",
    ),
    Row(
        "both claims",
        "dependency.cumulative",
        _STENT + _POLYMER + "3. The stent of both claims 1 and 2, wherein the tubular body is made of steel.",
        3,
        "claims 1 and 2",
        _STENT + _POLYMER + "3. A kit comprising stents according to claims 1 and 2.",
    ),
    Row(
        "a second set of claims",
        "dependency.two_sets",
        _BICYCLE
        + _SADDLE
        + "3. The bicycle of claim 1, further comprising a bell.\n"
        + "4. The bicycle of claim 1 or 2, further comprising a bell as defined in claim 1 or 3.",
        4,
        "claim 1 or 3",
        _BICYCLE
        + _SADDLE
        + "3. The bicycle of claim 1, further comprising a bell.\n"
        + "4. The bicycle of claim 1 or 2, further comprising a chain guard as defined in claim 3.",
    ),
    Row(
        "what another claim is to",
        "dependency.category_mismatch",
        "1. A tray comprising a slide.\n2. A lever for a lock, comprising a slide.\n"
        "3. The tray of claim 2, wherein the slide is flat.",
        3,
        "tray of claim 2",
        "1. A tray comprising a slide.\n2. A lever for a lock, comprising a slide.\n"
        "3. The flat lever of claim 2, wherein the slide is flat.",
    ),
    Row(
        "a composition of matter",
        "dependency.category_mismatch",
        "1. A method of healing, comprising giving an acid.\n"
        "2. The composition of matter of claim 1, wherein the acid is an oil.",
        2,
        "composition of matter of claim 1",
        "1. A composition of matter comprising an acid.\n"
        "2. The composition of matter of claim 1, wherein the acid is an oil.",
    ),
    Row(
        "a method for a device",
        "dependency.category_mismatch",
        _BICYCLE + "2. The method of claim 1, wherein the saddle is made of leather.",
        2,
        "method of claim 1",
        _BICYCLE
        + "2. A method of painting the bicycle of claim 1, the method comprising painting the frame.",
    ),
    Row(
        "an apparatus for a method",
        "dependency.category_mismatch",
        _ROASTING + "2. The apparatus of claim 1, wherein the drum is heated by gas.",
        2,
        "apparatus of claim 1",
        _ROASTING + "2. An apparatus for performing the method of claim 1, comprising a burner.",
    ),
    Row(
        "a process for a composition",
        "dependency.category_mismatch",
        _CREAM + "2. The process according to claim 1, wherein the vegetable oil is olive oil.",
        2,
        "process according to claim 1",
        _CREAM + "2. The composition according to claim 1, wherein the vegetable oil is olive oil.",
    ),
    Row(
        "a method for a medium",
        "dependency.category_mismatch",
        _MEDIUM + "2. The method as recited in claim 1, wherein the image is a color image.",
        2,
        "method as recited in claim 1",
        _MEDIUM + "2. The medium as recited in claim 1, wherein the image is a color image.",
    ),
    Row(
        "a medium for a method",
        "dependency.category_mismatch",
        _SEALING + "2. The computer-readable medium of claim 1, wherein the liquid is a soup.",
        2,
        "computer-readable medium of claim 1",
        _SEALING + "2. The method of claim 1, wherein the liquid is a soup.",
    ),
    Row(
        "the parent changed category half-way",
        "dependency.category_mismatch",
        _STENT
        + "2. A method of making the stent of claim 1, the method comprising spraying the coating onto the "
        "tubular "
        "body.\n" + "3. The stent of claim 2, wherein the coating is dried by warm air.",
        3,
        "stent of claim 2",
        _STENT
        + "2. A method of making the stent of claim 1, the method comprising spraying the coating onto the "
        "tubular "
        "body.\n" + "3. The method of claim 2, wherein the coating is dried by warm air.",
    ),
    Row(
        "a method named inside the claim",
        "dependency.category_mismatch",
        _AMPLIFIER + "2. A loudspeaker driven by the method of claim 1.",
        2,
        "method of claim 1",
        _AMPLIFIER + "2. A loudspeaker driven by the amplifier of claim 1.",
    ),
    Row(
        "nothing after the reference",
        "dependency.not_narrowing",
        _AMPLIFIER + "2. The amplifier of claim 1.",
        2,
        "amplifier of claim 1",
        _AMPLIFIER + "2. A radio comprising the amplifier of claim 1.",
    ),
    Row(
        "nothing but another word for the same thing",
        "dependency.not_narrowing",
        _BICYCLE + "2. The apparatus according to claim 1.",
        2,
        "apparatus according to claim 1",
        _BICYCLE + "2. The apparatus according to claim 1, further comprising a bell.",
    ),
    Row(
        "the words of the parent again",
        "dependency.not_narrowing",
        _STENT
        + "2. The stent of claim 1, wherein the coating is porous.\n"
        + "3. The stent of claim 2, wherein the coating is porous.",
        3,
        "wherein the coating is porous",
        _STENT
        + "2. The stent of claim 1, wherein the coating is porous.\n"
        + "3. The stent of claim 2, wherein the tubular body is porous.",
    ),
    Row(
        "the words of the grandparent again",
        "dependency.not_narrowing",
        _CREAM
        + _OIL
        + "3. The cream of claim 2, further comprising a perfume.\n"
        + "4. The cream of claim 3, wherein said vegetable oil is olive oil.",
        4,
        "wherein said vegetable oil is olive oil",
        _CREAM
        + _OIL
        + "3. The cream of claim 2, further comprising a perfume.\n"
        + "4. The cream of claim 3, wherein said perfume is lavender oil.",
    ),
    Row(
        "a reference without its claim",
        "dependency.unnumbered",
        _AMPLIFIER + "2. The amplifier as claimed, wherein the feedback resistor is a film resistor.",
        2,
        "as claimed",
        _AMPLIFIER
        + "2. The amplifier as claimed in claim 1, wherein the feedback resistor is a film resistor.",
    ),
    Row(
        "no reference where one belongs",
        "dependency.unnumbered",
        _AMPLIFIER + "2. The amplifier, wherein the feedback resistor is a film resistor.",
        2,
        "The amplifier",
        _AMPLIFIER + "2. The amplifier of claim 1, wherein the feedback resistor is a film resistor.",
    ),
    Row(
        "a blank for the number",
        "dependency.unnumbered",
        _AMPLIFIER + "2. The amplifier of claim ___, wherein the feedback resistor is a film resistor.",
        2,
        "claim",
        _AMPLIFIER + "2. The amplifier of claim 1, wherein the feedback resistor is a film resistor.",
    ),
    Row(
        "a claim that only names its parent in full",
        "dependency.not_narrowing",
        "1. A lid for a jar comprising a rim and a seal on the rim.\n"
        "2. The lid for a jar according to claim 1.",
        2,
        "lid for a jar according to claim 1",
        "1. A lid for a jar comprising a rim and a seal on the rim.\n"
        "2. The lid for a jar according to claim 1, wherein the seal is made of rubber.",
    ),
    Row(
        "two claims together behind a parent named in full",
        "dependency.cumulative",
        "1. A lid for a jar comprising a rim and a seal on the rim.\n"
        "2. The lid for a jar according to claim 1, wherein the rim is threaded.\n"
        "3. The lid for a jar according to claims 1 and 2, wherein the seal is made of rubber.",
        3,
        "claims 1 and 2",
        "1. A lid for a jar comprising a rim and a seal on the rim.\n"
        "2. The lid for a jar according to claim 1, wherein the rim is threaded.\n"
        "3. The lid for a jar according to claim 1 or 2, wherein the seal is made of rubber.",
    ),
    Row(
        "the same claim twice",
        "dependency.duplicate_claim",
        _BICYCLE + _SADDLE + "3. The bicycle of claim 1, wherein the saddle is made of leather.",
        3,
        "The bicycle of claim 1, wherein the saddle is made of leather.",
        _BICYCLE + _SADDLE + "3. The bicycle of claim 1, wherein the frame is made of steel.",
    ),
    Row(
        "the same claim with the for said",
        "dependency.duplicate_claim",
        _ROASTING
        + "2. The method of claim 1, wherein the drum is heated by gas.\n"
        + "3. The method of claim 1, wherein said drum is heated by gas.",
        3,
        "The method of claim 1, wherein said drum is heated by gas.",
        _ROASTING
        + "2. The method of claim 1, wherein the drum is heated by gas.\n"
        + "3. The method of claim 1, wherein said drum is heated by steam.",
    ),
    Row(
        "a common modifier",
        "dependency.category_mismatch",
        "1. A fluid pump comprising a housing and a rotor.\n"
        "2. The fluid motor of claim 1, wherein the rotor is hollow.",
        2,
        "fluid motor of claim 1",
        "1. A fluid pump comprising a housing and a rotor.\n"
        "2. The pump of claim 1, wherein the rotor is hollow.",
    ),
    Row(
        "a choice of one claim",
        "dependency.malformed",
        "1. A shoe comprising a sole and a heel.\n2. The shoe of any one of claim 1, wherein it is flat.",
        2,
        "any one of claim 1",
        "1. A shoe comprising a sole and a heel.\n2. The shoe of claim 1, wherein the heel is flat.\n"
        "3. The shoe of any one of claims 1 and 2, wherein the sole is flat.",
    ),
    Row(
        "one claim in the plural",
        "dependency.malformed",
        "1. A shoe comprising a sole and a heel.\n2. The shoe of claims 1, wherein the sole is flat.",
        2,
        "claims 1",
        "1. A shoe comprising a sole and a heel.\n2. The shoe of claim 1, wherein the sole is flat.",
    ),
    Row(
        "according without to",
        "dependency.malformed",
        "1. A shoe comprising a sole and a heel.\n2. The shoe according claim 1, wherein the sole is flat.",
        2,
        "claim 1",
        "1. A shoe comprising a sole and a heel.\n"
        "2. The shoe according to claim 1, wherein the sole is flat.",
    ),
    Row(
        "claimed without in",
        "dependency.malformed",
        "1. A shoe comprising a sole and a heel.\n2. The shoe as claimed claim 1, wherein the sole is flat.",
        2,
        "claim 1",
        "1. A shoe comprising a sole and a heel.\n"
        "2. The shoe as claimed in claim 1, wherein the sole is flat.",
    ),
    Row(
        "the word for another independent claim",
        "dependency.category_mismatch",
        "1. An apparatus comprising a grill and a lid.\n"
        "2. A kit comprising a grill, a lid and a brush.\n"
        "3. The apparatus of claim 2, wherein the brush is made of brass.",
        3,
        "apparatus of claim 2",
        "1. An apparatus comprising a grill and a lid.\n"
        "2. A kit comprising a grill, a lid and a brush.\n"
        "3. The kit of claim 2, wherein the brush is made of brass.",
    ),
)
