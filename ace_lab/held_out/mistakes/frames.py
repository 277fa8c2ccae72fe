"""The frames in which drafters state quantities: {x} is an element, {s} a substance, {} the value."""

WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}
KEPT = (
    (
        "the {x} is kept at a temperature of {}",
        ("the {x} is kept at {}", "the temperature of the {x} is {}"),
        "°C",
    ),
    ("the {x} is operated at {}", ("the {x} is operated at {}", "the {x} runs at {}"), "rpm"),
    (
        "the {x} is maintained at a pressure of {}",
        ("the {x} is maintained at {}", "the pressure in the {x} is {}"),
        "kPa",
    ),
    (
        "the {x} is driven at a frequency of {}",
        ("the {x} is driven at {}", "the frequency of the {x} is {}"),
        "kHz",
    ),
    (
        "the {x} is supplied with a voltage of {}",
        ("the {x} is supplied with {}", "a voltage of {} is fed to the {x}"),
        "V",
    ),
    (
        "the {x} rotates at a speed of {}",
        ("the {x} rotates at {}", "the rotational speed of the {x} is {}"),
        "rpm",
    ),
    (
        "the {x} is heated to {}",
        ("the {x} is heated to {}", "the {x} is heated to a temperature of {}"),
        "°C",
    ),
    (
        "the {x} is held under a load of {}",
        ("the {x} is held under a load of {}", "the load on the {x} is {}"),
        "N",
    ),
)
SHARES = (
    ("the {x} contains {} of {s}", ("the {x} contains {} of {s}", "{s} makes up {} of the {x}")),
    (
        "the {x} comprises {s} in an amount of {}",
        ("the {s} is present in an amount of {}", "the amount of the {s} is {}"),
    ),
    (
        "{s} is present in the {x} at {}",
        ("the {x} contains {} {s}", "the content of the {s} in the {x} is {}"),
    ),
    ("the {x} includes {} {s}, based on the total weight of the {x}", ("the {x} includes {} {s}",)),
)
SHARE_UNITS = ("wt%", "% by weight", "mol%", "vol.%", "percent by weight", "weight percent")
SUBSTANCES = ("zinc oxide", "glycerol", "silica", "talc", "citric acid", "graphite", "gelatin", "urea")
CONDITIONS = (
    ("at a temperature of {}", "at {}", "°C"),
    ("for {}", "for {}", "minutes"),
    ("for a period of {}", "over {}", "hours"),
    ("under a pressure of {}", "under {}", "bar"),
    ("at a stirring speed of {}", "at {}", "rpm"),
)
AT_CONDITION = (
    ("viscosity", "mPa·s", "°C"),
    ("density", "kg/m³", "°C"),
    ("electrical resistance", "ohm", "V"),
    ("solubility", "g/l", "°C"),
    ("hardness", "HV", "°C"),
    ("flow rate", "ml/min", "bar"),
)
SIZES = ("thickness", "length", "diameter", "height", "width", "depth")
DOSING = (
    "the {x} is administered at a dose of {} once daily",
    "the {x} is given to a patient in an amount of {} per day",
    "the {x} is taken in a daily dose of {}",
    "the {x} is injected at a dose of {} every second week",
)
