"""Words that leave the scope of a claim open, and words for the same place that do not. {x} and {y} are
elements; {} is a name, a number or a letter.
"""

ACTS = (
    "wherein the user presses the {x}",
    "wherein an operator turns the {x} by hand",
    "and the user then looks at the {x}",
    "wherein a technician cleans the {x} once a week",
    "whereby the driver pulls the {x}",
    "wherein the {x} is touched by the user, and the user waits",
    "wherein a patient holds the {x} against the skin",
    "wherein a customer selects the {x}",
)
ABILITIES = (
    "wherein the {x} is configured to be pressed by a user",
    "wherein the {x} can be turned by hand by an operator",
    "wherein the {x} is visible to a user",
    "wherein the {x} is adapted to be cleaned by a technician",
    "wherein the {x} is shaped to be pulled by a driver",
    "wherein the {x} is configured to be held by a patient",
)
STEPS = (
    "further comprising the step of heating the {x}",
    "further comprising rotating the {x} by 90 degrees",
    "wherein the {x} is used, the use comprising cleaning the {x} and drying the {x}",
    "and comprising removing the {x} from its place",
    "the steps of which are lifting the {x} and lowering the {x}",
)
MEANS = (
    "further comprising a heater configured to heat the {x}",
    "wherein the {x} can be rotated by 90 degrees",
    "wherein the {x} is configured to be cleaned and dried",
    "wherein the {x} is removable",
)
EXAMPLES = (
    "such as {}",
    "for instance {}",
    "like {}",
    "in particular {}",
    "especially {}",
    "e.g. {}",
    "including {} by way of example",
)
EXACTLY = ("namely {}", "which is {}", "that comprises {}", "in the form of {}")
LABELS = ("step {})", "step ({})", "steps a) to {})", "step {}")
RELATIVE = (
    ("is thin", "is thinner than the {y}"),
    ("is strong", "has a tensile strength of 400 MPa"),
    ("has a high speed", "has a speed of 40 m/s"),
    ("is close to the {y}", "is 2 mm from the {y}"),
    ("is of low weight", "weighs 40 g"),
    ("is slightly curved", "is curved with a radius of 80 mm"),
    ("is large", "is larger than the {y}"),
    ("has a long service life", "has a service life of 10,000 hours"),
    ("is of a suitable size", "is of the same size as the {y}"),
    ("responds quickly", "responds within 5 ms"),
    ("has good adhesion", "has a peel strength of 4 N/cm"),
    ("is as heavy as desired", "is as heavy as the {y}"),
)
TYPES = (
    "of the {} type",
    "of {}-type",
    "that is essentially {}-like",
    "which is {} or something equivalent",
    "of a {} style",
)
WISHES = (
    "if desired",
    "as needed",
    "where appropriate",
    "when necessary",
    "at will",
    "if possible",
    "as required",
    "in a preferred case",
)
CONDITIONS = (
    "if the {x} is hotter than 80 °C",
    "when a signal is received",
    "whenever a pressure in the {x} exceeds 2 bar",
    "once every hour",
)
MARKS = (
    "Bakelite",
    "Pyrex",
    "Nafion",
    "Tyvek®",
    "Mylar",
    "Dacron®",
    "Scotch tape",
    "Formica",
    "Freon™",
    "Triton X-100",
    "Tween® 80",
    "Makrolon",
    "Loctite®",
)
GENERIC = (
    "polycarbonate",
    "borosilicate glass",
    "polyester",
    "polysorbate 80",
    "nylon",
    "epoxy resin",
    "adhesive tape",
)
OPEN = (
    "selected from the group comprising {}, {} and {}",
    "selected from the group including {}, {} and {}",
    "chosen from a group containing {}, {}, and {}",
    "selected from {}, {}, {} and similar materials",
    "selected from the group consisting of {}, {}, {}, and others",
    "one of {}, {}, {}, and so on",
)
CLOSED = (
    "selected from the group consisting of {}, {} and {}",
    "selected from {}, {}, and {}",
    "one of {}, {} and {}",
)
ANYONES = (
    "is as long as a user's arm",
    "is dimensioned to fit into a pocket",
    "has the size of a fist",
    "fits between the seats of a car",
    "is wide enough for a child",
    "is no heavier than a book",
)
RESULTS = (
    "such that performance is improved",
    "so that good results are obtained",
    "to a sufficient extent",
    "in an optimal manner",
    "so as to work better",
    "with adequate strength",
    "in such a way that undesired effects are avoided",
)
POINTERS = (
    "as shown in FIG. {}",
    "substantially as described in the specification",
    "as illustrated in the accompanying drawings",
    "as set out in Table {} of the description",
    "as hereinbefore described",
    "as described in Example {}",
)
