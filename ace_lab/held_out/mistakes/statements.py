"""Statements about elements {x} and {y}, parts {p} and {q}, steps {g} and {h}: in each row one, some that
exclude it and some that it allows.
"""

Row = tuple[str, tuple[str, ...], tuple[str, ...]]

STATES: tuple[Row, ...] = (
    (
        "the {x} is stationary",
        ("the {x} rotates about its axis", "the {x} moves to and fro"),
        ("the {x} weighs 3 kg",),
    ),
    ("the {x} is immovable", ("the {x} slides along a rail", "the {x} swings"), ("the {x} glows",)),
    ("the {x} remains closed", ("the {x} opens", "the {x} stands open"), ("the {x} is locked",)),
    ("the {x} is locked in position", ("the {x} moves freely",), ("the {x} cannot move",)),
    (
        "the {x} rotates continuously",
        ("the {x} is at rest", "the {x} stands still"),
        ("the {x} turns clockwise",),
    ),
    ("the {x} floats", ("the {x} sinks", "the {x} lies on the bottom"), ("the {x} drifts",)),
    (
        "the {x} is switched off",
        ("the {x} is running", "the {x} is in operation"),
        ("the {x} draws no current",),
    ),
    (
        "the {x} is fixed to a wall",
        ("the {x} can be moved about freely",),
        ("the {x} is bolted to the wall",),
    ),
    ("the {x} is frozen", ("the {x} boils", "the {x} is liquid"), ("the {x} is solid",)),
)
PARTS: tuple[Row, ...] = (
    ("the {x} has a {p}", ("the {x} has no {p}", "the {x} is free of any {p}"), ("the {x} has no {q}",)),
    (
        "the {x} includes a {p}",
        ("the {x} lacks a {p}", "the {x} is devoid of a {p}"),
        ("the {x} lacks a {q}",),
    ),
    (
        "the {x} contains zinc",
        ("the {x} is free of zinc", "the {x} contains no zinc"),
        ("the {x} contains no lead",),
    ),
    ("the {x} is free of solvents", ("the {x} contains a solvent",), ("the {x} contains a filler",)),
    (
        "the {x} comprises a {p}",
        ("the {x} does not comprise a {p}", "no {p} is in the {x}"),
        ("no {q} is in the {x}",),
    ),
    (
        "the {x} is provided without a {p}",
        ("the {x} is provided with a {p}",),
        ("the {x} is provided with a {q}",),
    ),
)
NUMBERS: tuple[Row, ...] = (
    (
        "the {x} has a single {p}",
        ("the {x} has two {ps}", "the {x} has a plurality of {ps}", "the {ps} of the {x} are alike"),
        ("the {x} has two {qs}",),
    ),
    (
        "the {x} has exactly two {ps}",
        ("the {x} has three {ps}", "the {x} has only one {p}"),
        ("the {x} has two {ps}",),
    ),
    (
        "the {x} is formed in one piece",
        ("the {x} consists of two separate pieces", "the {x} is assembled from several pieces"),
        ("the {x} is cast",),
    ),
    ("the {x} has only one {p}", ("the {x} has at least three {ps}",), ("the {p} is alone on the {x}",)),
    ("the {x} is undivided", ("the {x} is divided into four compartments",), ("the {x} is of one piece",)),
)
MATERIALS: tuple[Row, ...] = (
    (
        "the {x} is made of steel",
        ("the {x} is made of wood", "the {x} is made of glass"),
        ("the {x} is made of metal",),
    ),
    (
        "the {x} consists of copper",
        ("the {x} consists of rubber", "the {x} is of paper"),
        ("the {x} conducts heat",),
    ),
    (
        "the {x} is formed entirely of plastic",
        ("the {x} is formed of brass",),
        ("the {x} is formed of nylon",),
    ),
    ("the {x} is a polymer film", ("the {x} is a sheet of aluminum",), ("the {x} is a polyester film",)),
    ("the {x} is a gas", ("the {x} is a liquid", "the {x} is a powder"), ("the {x} is air",)),
    ("the {x} is made of a ceramic", ("the {x} is made of leather",), ("the {x} is made of porcelain",)),
    (
        "the {x} is non-metallic",
        ("the {x} is made of iron", "the {x} is of silver"),
        ("the {x} is made of wood",),
    ),
)
RELATIONS: tuple[Row, ...] = (
    (
        "the {x} is above the {y}",
        ("the {x} is below the {y}", "the {y} is above the {x}"),
        ("the {y} is below the {x}",),
    ),
    (
        "the {x} is inside the {y}",
        ("the {x} is outside the {y}", "the {y} is inside the {x}"),
        ("the {y} holds the {x}",),
    ),
    (
        "the {x} is in contact with the {y}",
        ("the {x} is spaced apart from the {y}", "a gap separates the {x} from the {y}"),
        ("the {y} touches the {x}",),
    ),
    (
        "the {x} is upstream of the {y}",
        ("the {x} is downstream of the {y}",),
        ("the {y} is downstream of the {x}",),
    ),
    (
        "the {x} is electrically connected to the {y}",
        ("the {x} is electrically insulated from the {y}",),
        ("a current flows from the {x} to the {y}",),
    ),
    (
        "the {x} is larger than the {y}",
        ("the {y} is larger than the {x}",),
        ("the {y} is smaller than the {x}",),
    ),
    (
        "the {x} surrounds the {y}",
        ("the {y} surrounds the {x}", "the {y} encloses the {x}"),
        ("the {y} is within the {x}",),
    ),
    ("the {x} precedes the {y}", ("the {x} follows the {y}",), ("the {y} follows the {x}",)),
    (
        "the {x} is parallel to the {y}",
        ("the {x} is at right angles to the {y}",),
        ("the {y} is parallel to the {x}",),
    ),
    (
        "the {x} is integral with the {y}",
        ("the {x} is separate from the {y}",),
        ("the {y} is integral with the {x}",),
    ),
    ("the {x} is attached to the {y}", ("the {x} is detached from the {y}",), ("the {y} carries the {x}",)),
)
TIMES: tuple[Row, ...] = (
    (
        "the {x} is always lit",
        ("the {x} is lit only at night", "the {x} is lit at intervals"),
        ("the {x} is lit at night",),
    ),
    (
        "the {x} never touches the {y}",
        ("the {x} sometimes touches the {y}", "the {x} touches the {y} once"),
        ("the {x} never leaves the {y}",),
    ),
    (
        "the {x} is permanently cooled",
        ("the {x} is cooled from time to time",),
        ("the {x} is cooled by day",),
    ),
    (
        "the {x} operates continuously",
        ("the {x} operates intermittently",),
        ("the {x} operates at night too",),
    ),
    ("the {x} is visible at all times", ("the {x} is hidden at times",), ("the {x} is visible by day",)),
    (
        "the {x} is in each case replaced",
        ("the {x} is replaced only in some cases",),
        ("the {x} is replaced every night",),
    ),
)
POLARITY: tuple[Row, ...] = (
    (
        "the {x} transmits light",
        ("the {x} does not transmit light", "the {x} blocks light"),
        ("the {x} reflects heat",),
    ),
    (
        "the {x} is connected to the {y}",
        ("the {x} is not connected to the {y}",),
        ("the {y} is connected to the {x}",),
    ),
    (
        "the {x} prevents the flow of air",
        ("the {x} allows air to flow", "air passes through the {x}"),
        ("the {x} is a barrier",),
    ),
    ("the {x} extends through the {y}", ("the {x} does not reach the {y}",), ("the {x} reaches the {y}",)),
    ("the {x} is coated", ("the {x} is uncoated", "the {x} has no coating"), ("the {x} is coated twice",)),
    ("the {x} cannot be opened", ("the {x} can be opened by hand",), ("the {x} is sealed",)),
    (
        "the {x} increases the pressure",
        ("the {x} decreases the pressure",),
        ("the {x} raises the temperature",),
    ),
    ("the {x} absorbs water", ("the {x} repels water",), ("the {x} absorbs oil",)),
)
ORDERS: tuple[Row, ...] = (
    (
        "{g} is performed before {h}",
        ("{g} is performed after {h}", "{h} precedes {g}"),
        ("{h} is performed after {g}",),
    ),
    (
        "{g} follows {h}",
        ("{g} is carried out prior to {h}", "{h} follows {g}"),
        ("{h} is carried out prior to {g}",),
    ),
    (
        "{g} and {h} take place at the same time",
        ("{h} begins once {g} has ended",),
        ("{g} begins when {h} begins",),
    ),
    ("{g} is the first step", ("{g} is the last step", "{g} follows {h}"), ("{h} is the second step",)),
)
OUTCOMES: tuple[Row, ...] = (
    (
        "when the {x} is pressed, the {y} opens",
        ("when the {x} is pressed, the {y} stays closed",),
        ("when the {x} is released, the {y} closes",),
    ),
    (
        "if the {x} is plugged in, the {y} is switched on",
        ("if the {x} is plugged in, the {y} is switched off",),
        ("if the {x} is unplugged, the {y} is switched off",),
    ),
    (
        "as long as the {x} turns, the {y} is lit",
        ("as long as the {x} turns, the {y} is not lit",),
        ("as long as the {x} is still, the {y} is not lit",),
    ),
    (
        "once the {x} is full, the {y} is raised",
        ("once the {x} is full, the {y} is lowered",),
        ("once the {x} is empty, the {y} is lowered",),
    ),
)
QUANTIFIERS: tuple[Row, ...] = (
    (
        "each of the {xs} has a hole",
        ("none of the {xs} has a hole", "one of the {xs} has no hole"),
        ("one of the {xs} has two holes",),
    ),
    ("all of the {xs} are identical", ("the {xs} differ from each other",), ("the {xs} have the same size",)),
    (
        "none of the {xs} is colored",
        ("at least one of the {xs} is red",),
        ("at least one of the {xs} is colorless",),
    ),
    (
        "every one of the {xs} is hollow",
        ("some of the {xs} are solid",),
        ("some of the {xs} are hollow and long",),
    ),
    ("the {xs} are spaced apart", ("the {xs} touch each other",), ("the {xs} are 3 mm apart",)),
)
MEMBERS = {
    "metal": ("steel", "copper", "brass", "titanium", "nickel"),
    "solvent": ("methanol", "acetone", "toluene", "hexane", "benzene"),
    "yarn": ("wool", "cotton", "silk", "linen", "hemp"),
    "fastener": ("a rivet", "a screw", "a clip", "a nail", "a hook"),
}
SOME_PARTS = ("rib", "groove", "slot", "flap", "notch", "thread", "ridge", "tooth", "barb", "fin")
