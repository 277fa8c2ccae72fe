"""The words that make a claim's scope a matter of opinion, each group with its reason and its limits.

Data for checks/ambiguity.py. A term is one or more lower-case words; `follows` and `precedes` are
what stands around it in the uses that are clear, which are left alone. Sources: MPEP 2173.05(b)
(degree, opinion), (d) (examples), (h) and 2117 (alternatives), (u) (trademarks).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class Use(StrEnum):
    """How a term must stand to be a flaw."""

    ANYWHERE = "anywhere"
    ADVERB = "adverb"  # with the adjective or adverb that it raises or lowers
    COMPARATIVE = "comparative"  # before a comparative that is compared with nothing: "much stronger"
    DEGREE_ADVERB = "degree_adverb"  # only before a word of degree: "about 5 mm" is clear
    PURPOSE = "purpose"  # unless the clause says for what: "sufficient to close the valve"
    DEGREE = "degree"  # "is high", or "a high temperature" and nothing more
    SELECTED = "selected"  # only where something is selected from it
    PROPER = "proper"  # only as a name, with a capital letter


class Term(NamedTuple):
    """Why a word is unclear: `why` completes "“word” …". A mild one is often clear in its context."""

    subtype: str
    why: str
    use: Use = Use.ANYWHERE
    mild: bool = False
    follows: re.Pattern[str] | None = None
    precedes: re.Pattern[str] | None = None


TERMS: dict[str, Term] = {}
"""Every term by its words, in lower case with single spaces."""


def _add(term: Term, words: str) -> None:
    """Enters the words, which are parted by "|" or line ends. Each may be entered once."""
    for each in re.split(r"[|\n]", words):
        if word := each.strip():
            if word in TERMS:
                raise ValueError(f"entered twice: {word}")
            TERMS[word] = term


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _after(pattern: str) -> re.Pattern[str]:
    """What ends right before the term in a clear use."""
    return re.compile(rf"\b(?:{pattern})[\s-]+$")


def _before(pattern: str) -> re.Pattern[str]:
    """What begins right after the term in a clear use."""
    return re.compile(rf"[\s-]*(?:{pattern})")


# --- Examples and preferences ---

_EXAMPLE = "gives an example, and it is unclear whether the claim is limited to it"
_LIKE = "leaves open what else belongs here"
_PREFERENCE = "states a preference, and it is unclear whether the claim is limited to it"
_WHETHER = "does not say whether or when the feature is required"

_add(
    Term("exemplary", _EXAMPLE),
    """
    for example|for instance|e.g.|e.g|by way of example|as an example|inter alia|among others|amongst others
    including but not limited to|including, but not limited to|including without limitation
    such, for example, as|including, without limitation|but not limited to|but is not limited to
    but are not limited to|without limitation|to name a few|exemplary|illustratively|by way of illustration
    as an illustration
    """,
)
# "such as to close the port" states a result.
_add(
    Term("exemplary", _EXAMPLE, precedes=_before(r"to\s+(?!an?\b|the\b)[a-z]|would\b|will\b|is\b")), "such as"
)
_add(
    Term("exemplary", _LIKE),
    """
    or the like|and the like|and/or the like|or suchlike|and suchlike|and so on|and so forth
    or something similar|or something like that|or the similar|and such like|etcetera|et cetera|etc
    """,
)
_add(Term("exemplary", _LIKE, precedes=_before(r"(?:an?|that|the)\b(?!\s*$)")), "or like|and like")
_add(
    Term(
        "exemplary",
        _LIKE,
        follows=_after(r"same|identical|equal|alike|equivalent"),
        precedes=_before(r"to\b"),
    ),
    "or similar|and similar|or a similar|or other similar|and other similar|or similarly",
)
_add(
    Term("preference", _PREFERENCE),
    """
    preferably|more preferably|most preferably|even more preferably|particularly preferably|by preference
    particularly|especially|more especially|in particular|more particularly|most particularly|ideally
    advantageously|it is preferred that|is preferred|are preferred|is preferable|desirably|favorably
    beneficially|if desired|where desired|when desired|if so desired|if possible|where possible
    whenever possible
    """,
)
_add(
    Term(
        "preference",
        _PREFERENCE,
        precedes=_before(
            r"(?:ab|ad)sorb|(?:bind|bound|react|etch|oxidi|remov|retain|express|cleav|hybridi|select|dissolv|grow"
            r"|accumulat|attack|flow|heat|locali|target|polymeri|orient|remain|deposit|form|direct|conduct)"
        ),
    ),
    "preferentially",
)
_add(
    Term("preference", _WHETHER),
    """
    if wished|if so wished|if wanted|if so required|if need be|as may be required|as the case may be
    as preferred|where desirable|if desirable|as needed
    when desirable|when possible|where feasible|if feasible
    in some embodiments
    in one embodiment|in an embodiment|in a preferred embodiment|in certain embodiments|in some cases
    """,
)
_add(
    Term("preference", _WHETHER, mild=True),
    """
    if required|where appropriate|when appropriate|if appropriate|if necessary|if needed
    as required|where applicable|if applicable|as appropriate|as desired|as necessary|when necessary
    when needed|where necessary|where required|possibly|perhaps|maybe|potentially|where needed
    """,
)
_add(
    Term(
        "preference",
        _WHETHER,
        mild=True,
        precedes=_before(
            r"(?:open|closed|off|on|owned|connected|coupled|shared|used|high|low|biased|distributed"
            r"|held|assigned|controlled|driven)\b"
        ),
    ),
    "typically|usually|normally|commonly|ordinarily|customarily|mainly|mostly|often|sometimes|occasionally",
)
_add(Term("preference", _PREFERENCE, mild=True), "preferred|preferable")

# --- Opinions ---

_OPINION = "depends on the opinion of the person who judges it"
_MEETS = "leaves to judgment what meets it"

_add(
    Term("subjective", _OPINION),
    """
    aesthetic|aesthetically|esthetic|esthetically|aesthetically pleasing|esthetically pleasing|pleasing
    pleasant|pleasantly|visually pleasing|beautiful|beautifully|attractive|attractively|visually attractive
    elegant|elegantly|stylish|stylishly|fashionable|ugly|nice|nicely|nice-looking|good-looking|neat|neatly
    tasteful|tastefully|tasty|delicious|appealing|visually appealing|eye-catching|luxurious|fancy|charming
    lovely|modern|modern-looking|user-friendly|user friendly|customer-friendly|easy-to-use|easy to use
    convenient|conveniently|comfortable|comfortably|ergonomic|ergonomically|intuitively|handy|hassle-free
    effortless|effortlessly|excellent|excellently|outstanding|exceptional|extraordinary|remarkable|superb
    first-class|top-quality|high-quality|high quality|low-quality|good-quality|good quality|best-quality
    high-end|premium|world-class|state-of-the-art|cutting-edge|innovative|clever|cleverly|interesting
    desirable|reasonable|unreasonable|satisfactory|satisfactorily|unsatisfactory|enjoyable|pleasurable
    inexpensive|cheap|cheaply|expensive|low-cost|cost-effective|cost-effectively|affordable|unobtrusive
    unobtrusively|natural-looking|sleek|sturdy|robust|robustly|bad|badly|unusual|strange|exciting|marvelous
    wonderful|amazing|trendy|cozy|soothing|graceful|gracefully|top-notch|harmonious|timely|skillfully
    conveniently located|in a timely manner|to the best|for best results|in the best way
    in an appropriate manner|in a suitable manner|in a proper manner|in an optimal manner|in a good manner
    in a convenient manner|in an unobtrusive manner|in a user-friendly manner|practicable|weird
    """,
)
_add(
    Term(
        "subjective",
        _OPINION,
        mild=True,
        follows=_after(r"as|without|more|less|most"),
        precedes=_before(r"(?:than|oxidi|in\b|for\b|to\b)"),
    ),
    """
    easy|easily|simple|simply|gentle|gently|useful|valuable|obvious|novel|advantageous|favorable|poor|poorly|economical|economically|undesirable
    practical|practically|promptly|quickly|rapidly|slowly|readily|smoothly|efficient|efficiently|inefficient
    accurate|accurately|precise|precisely|reliable|reliably|safe|safely|great|intuitive
    clean and simple|beneficial|harmful|attractive to users|acceptably|interestingly|discreet|discreetly
    seamless|seamlessly|correctly|harsh|fresh|clearly visible|tidy|helpful
    """,
)
_add(
    Term(
        "subjective",
        _OPINION,
        follows=_after(r"as|without"),
        precedes=_before(r"(?:than|gas|match|square|hash)\b"),
    ),
    """
    careful|carefully|thoroughly|perfect|perfectly|ideal|important|flawless|flawlessly
    impressive|impressively|painless|painlessly|trouble-free|worry-free|hassle free
    carefree|stress-free|superbly|splendid|splendidly|admirable|admirably|fantastic|terrific|brilliant
    decent|decently|fine-looking|delightful|delightfully|comfy|classy|chic|gorgeous
    stunning|stunningly|eye-pleasing|agreeable|agreeably|inviting-looking|tempting|yummy|palatable
    unpleasant|unpleasantly|unattractive|awkward|awkwardly|annoying|cumbersome|tedious|funny
    sophisticated|ingenious|ingeniously|inventive|revolutionary|unique-looking|unsurpassed|unparalleled
    unrivaled|unmatched|matchless|superlative|top-of-the-range|high-grade|high-class|deluxe|de luxe
    """,
)
_DOES = _words(
    """
    handle operate install clean assemble mount remove manufacture produce make read see reach carry hold
    maintain understand learn grip apply attach wash store transport
    """
)
_add(
    Term("subjective", _OPINION),
    "|".join(
        f"{word} to {verb}"
        for word in ("easy", "simple", "convenient", "pleasant", "comfortable", "difficult", "hard")
        for verb in sorted(_DOES)
    ),
)
_add(
    Term(
        "subjective",
        _OPINION,
        mild=True,
        follows=_after(r"plasma|each|as"),
        precedes=_before(
            r"(?:than|as|fit|match|effort|oven|computer|rubber|order|mobile|coupling|by|with)\b"
        ),
    ),
    """
    optimal|optimally|optimum|optimized|optimised|improved|enhanced|better|best|conventional|traditional
    ordinary
    """,
)
_add(
    Term(
        "subjective",
        _OPINION,
        follows=_after(r"selected"),
        precedes=_before(r"(?:[,.;:]|and|or|for|in|is|to)\b|[,.;:]|$"),
    ),
    "good",
)
# "superior" is a direction in anatomy; of these it is praise.
_add(
    Term("subjective", _OPINION),
    "|".join(
        f"superior {noun}"
        for noun in (
            *("quality", "performance", "strength", "durability", "properties", "finish", "comfort", "taste"),
            *("appearance", "results", "resistance", "material", "materials", "design", "grade", "adhesion"),
            "stability",
        )
    ),
)
_add(
    Term(
        "subjective",
        _OPINION,
        precedes=_before(
            r"(?:vena|mesenteric|sagittal|and\b|or\b|to\b|surface|end|articular|portion|side|aspect|edge|wall|direction"
            r"|vertebra|facet|process|plate|rectus|oblique|lobe|border|view|half|part|region|body|face|opening|member"
            r"|component|pole|arm|rim|segment|laryngeal|gluteal|thyroid|temporal|frontal|parietal|turbinate|colliculus|position"
            r"|inferior|anterior|posterior|lateral|medial|bone|implant|jaw|flange|shell|keel|cortex|gyrus)"
        ),
    ),
    "superior",
)
_add(
    Term(
        "subjective",
        _MEETS,
        use=Use.PURPOSE,
        mild=True,
        follows=_after(r"\w+ally|\w+arily|not|as|if|deemed|considered"),
    ),
    "suitable|appropriate|proper|adequate|acceptable|unsuitable|improper|inappropriate|inadequate",
)
_add(
    Term("subjective", _MEETS, mild=True),
    "suitably|appropriately|adequately|properly|improperly|effectively",
)
_add(
    Term(
        "subjective",
        _OPINION,
        mild=True,
        precedes=_before(
            r"(?:amount|dose|dosage|to\b|for\b|in\b|at\b|as\b|date|address|length|area|diameter|width|value)"
        ),
    ),
    "effective|durable|lightweight|long-lasting|hard-wearing",
)

_ABLE = _words(
    """
    removable detachable replaceable adjustable cleanable washable foldable portable readable
    operable accessible removeable transportable machinable understandable recognizable assembled
    visible graspable releasable separable deformable processable manufacturable
    """
)
_add(Term("subjective", _OPINION), "|".join(f"easily {adjective}" for adjective in sorted(_ABLE)))

# --- Degree ---

_NO_STANDARD = "is a term of degree, and the claim gives no standard for measuring it"
_HOW_MANY = "does not say how many or how much"

_ADVERB_CLEAR = _before(
    r"(?:than|to|same|large[\s-]+scale|high[\s-]+frequency|low[\s-]+density|low[\s-]+frequency|long[\s-]+chain)\b"
    r"|(?:mov|rotat|displac|slid|shift|position|located|turn)[a-z]*"
)
_add(
    Term("degree", _NO_STANDARD, use=Use.ADVERB, precedes=_ADVERB_CLEAR),
    """
    relatively|fairly|quite|somewhat|very|extremely|comparatively|considerably|exceedingly|exceptionally
    excessively|overly|unduly|moderately|surprisingly|incredibly|enormously|pretty|rather|remarkably
    unusually|reasonably|ultra|tolerably|noticeably|appreciably|markedly|immensely|overwhelmingly|really
    """,
)
_add(
    Term("degree", _NO_STANDARD, use=Use.ADVERB, mild=True, precedes=_ADVERB_CLEAR),
    "highly|slightly|significantly|strongly|greatly|vastly|largely|drastically|dramatically|minimally",
)
_add(
    Term("degree", _NO_STANDARD, use=Use.COMPARATIVE, follows=_after(r"so|as|how|too|very|by")),
    "much|a lot|a bit|a little|by far",
)
_add(
    Term("degree", "only says roughly how much, and the claim gives no standard for it"),
    "of the order of|in the order of",
)
_add(
    Term(
        "degree",
        "does not say how alike the two must be",
        follows=_after(r"same\s+or|identical\s+or|equal\s+or"),
    ),
    "similar to",
)
_add(Term("degree", _NO_STANDARD, use=Use.PURPOSE, mild=True), "sufficient|insufficient")
_add(Term("degree", _NO_STANDARD, use=Use.PURPOSE), "sufficiently|insufficiently|enough")
_add(
    Term("degree", _NO_STANDARD, use=Use.DEGREE_ADVERB),
    "substantially|generally|essentially|nearly|almost|approximately|too|roughly|about|virtually",
)
_add(
    Term("degree", _NO_STANDARD, precedes=_before(r"(?:that|of|as|to)\b")),
    """
    more or less|to some extent|to a great extent|to a large extent|to a certain extent|to a certain degree
    to a high degree|in large part|for the most part|a great deal|or so|or thereabouts|as possible
    as practicable|as feasible|to a significant extent|to a significant degree|as practical
    to a lesser extent
    """,
)
_add(
    Term("degree", _HOW_MANY, mild=True, follows=_after(r"at\s+least|how|as|so|or|the|said|these|those")),
    """
    several|various|numerous|many|a few|a couple of|lots of|a lot of|plenty of|a bunch of|a variety of
    a handful of|a multitude of|most of
    """,
)
_add(
    Term(
        "degree",
        _NO_STANDARD,
        mild=True,
        follows=_after(r"most|least|more|less"),
        precedes=_before(r"(?:portion|part|majority|bit|digit|figure)s?\b"),
    ),
    """
    considerable|substantial|significant|minimal|marginal|moderate|tiny|huge|enormous|immense|massive
    gigantic|appreciable|negligible|drastic|dramatic|excessive|extreme
    """,
)

OPPOSITES = {
    "high": "low", "low": "high", "large": "small", "small": "large", "big": "small", "great": "small",
    "long": "short", "short": "long", "thin": "thick", "thick": "thin", "wide": "narrow", "narrow": "wide",
    "broad": "narrow", "deep": "shallow", "shallow": "deep", "strong": "weak", "weak": "strong",
    "fast": "slow", "slow": "fast", "quick": "slow", "rapid": "slow", "heavy": "light", "light": "heavy",
    "hot": "cold", "cold": "hot", "warm": "cool", "cool": "warm", "soft": "hard", "hard": "soft",
    "loud": "quiet", "quiet": "loud", "bright": "dark", "dark": "bright", "dim": "bright", "steep": "flat",
    "rough": "smooth", "smooth": "rough", "tight": "loose", "loose": "tight", "tall": "short",
    "dense": "sparse", "close": "far", "near": "far", "far": "near", "elevated": "reduced",
    "frequent": "rare",
}  # fmt: skip
"""Words of degree, each with the one that it is told from where both name things: "a high and a low gear"."""

NEVER_ALONE = frozenset({"great", "light", "smooth", "rough"})
"""Words of degree only after an adverb: alone they praise, or name what can be seen or felt."""

_add(
    Term("degree", _NO_STANDARD, use=Use.DEGREE),
    "|".join(word for word in OPPOSITES if word not in NEVER_ALONE),
)

MEASURABLE = _words(
    """
    temperature pressure speed value amount concentration density thickness level rate distance time
    period frequency voltage current number quantity size width length height diameter weight angle
    strength force power energy ratio percentage proportion resistance range volume area depth velocity
    duration extent dose viscosity hardness intensity brightness humidity temperatures pressures speeds
    values amounts concentrations rates distances times frequencies voltages currents sizes quantities
    purity stiffness elasticity efficiency accuracy precision sensitivity porosity roughness radius mass
    interval delay latency bandwidth capacity degree torque load conductivity permeability dosage yield
    gap
    """
)
"""What words of degree measure: "a high temperature" gives no measure, "a high gear" names a thing."""

# --- Alternatives ---

_OPEN = "leaves open which alternatives are meant"
_MARKUSH = "opens the list of alternatives to select from, which must be closed (“consisting of”)"
_STRETCH = "extends the term it goes with to an uncertain range of others"

_add(Term("and_or", "leaves open whether one or both of the two are meant"), "and/or|and / or|or/and")
_add(
    Term("open_alternatives", _MARKUSH, use=Use.SELECTED),
    "|".join(
        f"{noun} {verb}"
        for noun in ("group", "groups", "list", "set", "class", "family", "series", "selection")
        for verb in (
            "comprising",
            "comprised of",
            "comprises",
            "including",
            "includes",
            "that comprises",
            "which comprises",
            "that includes",
            "which includes",
            "containing",
            "having",
            "consisting essentially of",
        )
    ),
)
_add(
    Term("open_alternatives", _OPEN, precedes=_before(r"(?:to|than)\b")),
    """
    or equivalent|or equivalents|or its equivalent|or its equivalents|or the equivalent|or the equivalents
    or an equivalent|or their equivalents|and equivalents thereof|or any equivalent|and equivalents
    and their equivalents|or equivalent means|or similar means|or any other|and any other|or any suitable
    or any appropriate|or other suitable|or another suitable|or other appropriate|or some other|or something
    or something else|or whatever|or others|or other such|and other such|or anything else
    """,
)
_add(
    Term("open_alternatives", _OPEN, mild=True, follows=_after(r"one|each|two"), precedes=_before(r"than\b")),
    "or other|and other|and others|and various other",
)
_add(
    Term(
        "open_alternatives", _STRETCH, follows=_after(r"what|which|the|said|one|two|each|same|first|second")
    ),
    """
    some kind of|some sort of|some type of|some form of|a kind of|kind of|kinds of|sort of|sorts of
    any kind of|any sort of|of any kind|of some kind|of some sort|of the like
    """,
)

# --- Trademarks ---

_SOURCE = "is a trademark: it names where a product comes from, not what it is"

_add(
    Term("trademark", _SOURCE),
    """
    teflon|velcro|kevlar|nomex|styrofoam|plexiglas|plexiglass|lucite|perspex|lexan|makrolon|mylar|lycra
    gore-tex|goretex|cordura|dacron|orlon|tyvek|corian|formica|bakelite|vaseline|kleenex|band-aid|jacuzzi
    dremel|post-it|scotchgard|scotch tape|scotchlite|jell-o|tupperware|crock-pot|popsicle|frisbee|hula hoop
    rollerblade|lego|duplo|barbie|photoshop|iphone|ipad|ipod|macbook|apple watch|airpods|imac|playstation
    xbox|nintendo|kindle|blackberry|thinkpad|chromebook|fitbit|gopro|roomba|skype|whatsapp|youtube|facebook
    instagram|twitter|linkedin|netflix|spotify|wikipedia|gmail|google|ebay|paypal|amazon alexa|siri
    powerpoint|microsoft|microsoft windows|microsoft word|microsoft excel|macos|mac os
    postgresql|pentium|xeon|snapdragon|geforce|nvidia|nafion|viton|tygon|delrin|hytrel|surlyn|zytel|kapton
    tedlar|kynar|torlon|ultem|noryl|vespel|rulon|inconel|hastelloy|monel|kovar|stellite|incoloy|permalloy
    mumetal|mu-metal|duralumin|pyrex|vycor|zerodur|gorilla glass|tween|tween 20|tween 80|tween-20|tween-80
    triton x-100|triton-x|pluronic|carbopol|eudragit|methocel|ficoll|sephadex|sepharose|superdex|dowex
    amberlite|amberlyst|percoll|matrigel|lipofectamine|trizol|brij|cremophor|viagra|prozac|tylenol|advil
    lipitor|botox|restylane|juvederm|ozempic|humira|herceptin|avastin|rituxan|keytruda|opdivo|enbrel
    remicade|neulasta|epogen|lantus|zantac|nexium|xanax|valium|ritalin|adderall|dowtherm|therminol|freon
    wd-40|loctite|araldite|super glue|krazy glue|sharpie|zippo|ziploc|saran|saran wrap|coca-cola|pepsi
    nutella|gatorade|splenda|nutrasweet|crayola|play-doh|segway|harley-davidson|zamboni|sheetrock|masonite
    romex|tefzel|ultrasuede|thinsulate|polartec|dyneema|zylon|twaron|technora|vectran|primaloft|coolmax
    tencel|vibram
    """,
)
_add(
    Term("trademark", _SOURCE, use=Use.PROPER, mild=True),
    """
    java|windows|android|chrome|safari|excel|oracle|thermos|taser|apple|ios|linux|xerox|walkman|nerf|docker
    kubernetes|intel|samsung|sony|nokia|tesla|uber|jeep|alexa|invar|unix
    """,
)
_add(
    Term("trademark", "is a mark and not the standard behind it", mild=True),
    "javascript|bluetooth|wi-fi|wifi|zigbee|hdmi|displayport|firewire",
)
_add(
    Term("trademark", "points to a trademark, which names where a product comes from", mild=True),
    "trademark|trademarked|registered trademark|trade name|brand name|brand-name|under the brand",
)

SHAPES = _words(
    """
    plate rod ring sheet disc disk tube bar pin wedge hook ribbon strip band belt cup box dome frame finger
    fork blade cap funnel spiral ladder mesh net web film foil fiber fibre thread needle rib comb tooth tongue
    shell leaf star ball block pot bowl tray cage sleeve collar column cylinder cone bell hat fan pillar
    """
)
"""What a thing may be like in shape: "a plate-like member" is clear."""

STRETCHED = Term("open_alternatives", _STRETCH)
"""What is wrong with "a filter-like device" and "a filter-type device" (MPEP 2173.05(b)(III)(E))."""
