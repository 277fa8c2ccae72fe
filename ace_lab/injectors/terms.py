"""Word lists of the injectors: terms of degree, exemplary words, opposites, harmless adjectives.

"about", "substantially" and "approximately" are absent from the vague terms on purpose: granted
claims use them, and they are not indefinite as such under MPEP 2173.05(b).
"""

import re

SUBJECTIVE_ADJECTIVES = (
    "aesthetically pleasing",
    "user-friendly",
    "high-quality",
    "relatively thin",
    "relatively large",
    "fairly strong",
    "very small",
    "sufficiently good",
    "reasonably stable",
    "convenient",
    "excellent",
    "superior",
    "quite rigid",
    "unusually fast",
    "attractive",
    "desirable",
    "comparatively short",
    "somewhat elongated",
    "intuitive",
    "modern",
)
SUBJECTIVE_ADVERBS = (
    "conveniently",
    "reasonably",
    "relatively quickly",
    "fairly evenly",
    "very accurately",
    "quite easily",
    "nicely",
    "in an optimal manner",
    "as well as possible",
    "elegantly",
)
VAGUE_QUANTITIES = (
    "a relatively high value",
    "a rather low value",
    "a reasonable value",
    "a very large value",
    "a good value",
    "a suitably small value",
    "a fairly moderate value",
)
EXEMPLARY_OPENERS = ("such as", "for example", "e.g.,", "for instance", "preferably", "like")
EXEMPLARY_TAILS = (", or the like", ", etc.,", " and so on", " or something similar", "-type thing")
EXEMPLARY = re.compile(
    r"\bsuch as\b|\bfor (?:example|instance)\b|\be\.g\b|\bpreferabl[ye]\b|\bor the like\b|\betc\b|"
    r"\band so on\b|\bin particular\b|\bmore particularly\b|\bor similar\b|\bor the similar\b|"
    r"\bespecially\b|\bpreferred\b|\bparticularly\b|\bsomething\b|\bideally\b"
)
SUBJECTIVE = re.compile(
    r"\b(?:aesthetic\w*|user-friendly|high-quality|relatively|fairly|very|quite|reasonabl[ye]|"
    r"convenient(?:ly)?|excellent|superior|attractive|desirable|comparatively|somewhat|nicely|"
    r"optimal(?:ly)?|elegantly|unusually|intuitive|rather (?:low|high)|good|sufficiently good|"
    r"as well as possible|modern)\b"
)
OPPOSITES = (
    ("transparent", "opaque"),
    ("rigid", "flexible"),
    ("parallel", "perpendicular"),
    ("conductive", "electrically insulating"),
    ("hydrophobic", "hydrophilic"),
    ("liquid", "solid"),
    ("solid", "gaseous"),
    ("vertical", "horizontal"),
    ("circular", "rectangular"),
    ("upper", "lower"),
    ("inner", "outer"),
    ("outer", "inner"),
    ("open", "closed"),
    ("fixed", "freely movable"),
    ("linear", "nonlinear"),
    ("metallic", "non-metallic"),
    ("metal", "non-metallic"),
    ("organic", "inorganic"),
    ("elongated", "spherical"),
    ("cylindrical", "cubic"),
    ("removable", "permanently inseparable"),
    ("wireless", "exclusively wired"),
    ("digital", "purely analog"),
    ("stationary", "continuously moving"),
    ("symmetric", "asymmetric"),
    ("positive", "negative"),
    ("negative", "positive"),
    ("internal", "external"),
    ("external", "internal"),
    ("porous", "non-porous"),
    ("soluble", "insoluble"),
    ("crystalline", "amorphous"),
    ("continuous", "discontinuous"),
    ("planar", "strongly curved"),
    ("flat", "strongly curved"),
    ("hollow", "solid throughout"),
    ("human", "non-human"),
    ("aqueous", "water-free"),
    ("monoclonal", "polyclonal"),
    ("bacterial", "non-bacterial"),
    ("plastic", "plastic-free"),
    ("magnetic", "non-magnetic"),
    ("thermal", "non-thermal"),
)
HARMLESS_ADJECTIVES = (
    "auxiliary",
    "secondary",
    "third",
    "fourth",
    "annular",
    "central",
    "peripheral",
    "intermediate",
    "additional",
    "distal",
    "proximal",
    "lateral",
    "tubular",
    "opposing",
    "preliminary",
    "composite",
)
ACCEPTED_DEGREES = frozenset(
    {"approximately", "essentially", "generally", "insufficiently", "largely", "nearly", "roughly"}
    | {"substantially", "sufficiently", "virtually", "slightly"}
)
"""Degrees that occur in granted claims and are not indefinite as such under MPEP 2173.05(b)."""
GRANTED_NAMES = frozenset(
    {"alexa", "android", "apple", "bluetooth", "chrome", "displayport", "docker", "excel", "firewire"}
    | {"hdmi", "intel", "invar", "ios", "java", "javascript", "kubernetes", "linux", "oracle", "safari"}
    | {"thermos", "trademark", "trademarked", "unix", "wifi", "windows", "zigbee", "google", "twitter"}
)
"""Trademarks that granted claims use as names of standards, programs and materials."""
SUBSTANCES = (
    ("steel", "metal"),
    ("brass", "metal"),
    ("copper", "metal"),
    ("aluminum", "metal"),
    ("titanium", "metal"),
    ("silver", "metal"),
    ("polyethylene", "polymer"),
    ("polypropylene", "polymer"),
    ("polystyrene", "polymer"),
    ("nylon", "polymer"),
    ("oak", "wood"),
    ("pine", "wood"),
    ("cotton", "plant fiber"),
    ("linen", "plant fiber"),
)
"""Substances, and the kind of each."""
COMPATIBLE = (
    ("rigid", "transparent"),
    ("flexible", "opaque"),
    ("hollow", "cylindrical"),
    ("porous", "flexible"),
    ("metallic", "removable"),
    ("circular", "planar"),
    ("elongated", "hollow"),
    ("rigid", "removable"),
    ("horizontal", "elongated"),
    ("fixed", "hollow"),
    ("conductive", "flexible"),
    ("stationary", "vertical"),
    ("magnetic", "cylindrical"),
    ("hydrophobic", "porous"),
)
"""Attributes that one thing can have at the same time."""
RELATIONS = (
    ("longer than", "shorter than"),
    ("wider than", "narrower than"),
    ("thicker than", "thinner than"),
    ("heavier than", "lighter than"),
    ("larger than", "smaller than"),
    ("above", "below"),
    ("in front of", "behind"),
    ("upstream of", "downstream of"),
    ("to the left of", "to the right of"),
)
"""Relations of two things, and the inverse relation of the second to the first."""
MEASURES = (
    ("length", "cm"),
    ("width", "mm"),
    ("thickness", "mm"),
    ("diameter", "cm"),
    ("depth", "cm"),
    ("height", "mm"),
    ("weight", "kg"),
    ("temperature", "degrees Celsius"),
)
