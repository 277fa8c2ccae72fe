"""Word lists of the injectors: terms of degree, exemplary words, opposites, harmless adjectives.

"about", "substantially" and "approximately" are absent from the vague terms on purpose: granted
claims use them, and MPEP 2173.05(b) does not hold them indefinite as such.
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
