"""Nouns that need no introduction, and what may follow a noun to explain it. Data only."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


COMPLEMENT = _words(
    """
    among as at between by caused defined described during for from given if in necessary needed
    obtained of on per produced represented required resulting shown than that to used when where which
    whose with within whereby under against into whether consisting
    """
)
"""After these a definite phrase explains itself: "the pressure in the chamber", "the port that leads out"."""

INHERENT = _words(
    """
    ability absence account act addition age aid amount angle appearance area arrangement art atmosphere
    average axis balance base basis beginning behavior body border bottom bound breadth brightness
    capability capacity case cause center centre centroid change character circumference color colour
    combination complement complexity composition concentration condition consistency construction
    content context contour contrary count course curvature cross-section day degree density depth
    design development diameter difference dimension direction distance distribution duration earth edge
    effect effectiveness efficacy efficiency end energy entirety environment equation equator event
    existence expiration expression extent exterior fact final finish floor force form formation former
    formula fraction frequency front function future geometry gravity ground group hand hardness head
    height horizontal horizon hour human identity improvement inception incidence inclination increase
    influence initial inner inside instant intensity interior internet interval introduction invention
    kind lack last latter left length level lifetime like likelihood line list load location loss
    magnitude majority make manner manufacture margin mass maximum mean meantime middle midpoint minimum
    moment month moon motion name nature need net night north number occasion occurrence odds onset
    operation opposite order orientation origin outer outset outside past path pattern performance
    perimeter period periphery person perspective phase place plane point position possibility potential
    preparation presence pressure previous principle prior probability proceeding process product
    production progression property proportion proviso public purpose purity quality quantity quotient
    radius range rate ratio rear reason relation relationship remainder remaining requirement resolution
    rest result reverse right rim risk road room root row sake same scale scope sea season seriousness
    severity series set shape side sight significance similarity situation size sky slope solubility
    source south space spacing specificity speed stability stage start state status step stiffness
    street strength structure subsequent substance sum sun surface surroundings symmetry temperature
    tendency term texture thickness thing tilt time timing tip top total treatment trend type user use
    usage value variance variation velocity vertical vicinity viscosity voltage volume wavelength way
    wear week weight west whole width world yield year zero
    """
)
"""Every thing has these (inherent components, MPEP 2173.05(e)), or everyone knows them."""

ANATOMY = _words(
    """
    abdomen airway ankle aorta arm artery back bladder blood bloodstream bone bowel brain breast buttock
    chest chin circulation colon cornea crotch ear elbow esophagus eye eyelid face finger fingertip foot
    forearm forehead genome gland groin gut hair hand head heart heel hip intestine iris jaw joint
    kidney knee larynx leg lens ligament lip liver lung mouth muscle myocardium nail neck nerve nose
    nostril nucleus cytoplasm ovary palate palm pancreas patient pelvis penis prostate pupil retina rib
    scalp shoulder skeleton skin skull spine spleen stomach thigh throat thumb thyroid tissue toe tongue
    tooth torso trachea tract uterus vagina vein waist wearer operator driver passenger wrist genus
    family n-terminus c-terminus
    """
)
"""Parts of a living body, and people who handle a thing: known without introduction, mostly."""

ACTS = _words("act action method operation procedure process stage step")
"""Heads that name a verb already used: "the forming step" after "forming"."""

PREDICATE = _words(
    """
    , . : ; and are be being can comprise comprises comprising further has have having include includes
    including is may must or shall was were wherein will
    """
)
"""What follows a noun as its predicate; after anything else an unknown last word is likely a verb."""

LIVING = (
    "patient",
    "user",
    "human",
    "subject",
    "mammal",
    "wearer",
    "animal",
    "person",
    "individual",
    "infant",
    "operator",
)
"""Where none of these is spoken of, an arm or a head is a part of a machine."""

NOUN_ENDINGS = _listed("or er ion ment ity ness ance ence age ure ist ism")
"""Endings of words that are hardly ever verbs."""

DISTRIBUTIVE = _words("each every respective respectively plurality any per")
"""Words that make one noun stand for several things: "each arm has a pin"."""

ABSTRACT = _listed("ion ment ity ness ance ence ing sis ism ship ency ancy")
"""Endings of nouns that name no thing; such a noun is often definite at its first mention."""

CONCRETE = _words(
    """
    element segment instrument compartment filament attachment fragment garment pigment document
    ligament implement portion region section station cushion solution emulsion suspension cation anion
    ion lotion composition partition champion projection protrusion extension connection junction
    transmission electrode cavity facility utility entity appliance ambulance substance conveyance fence
    lance furnace sequence prosthesis chassis mechanism prism organism ring spring string wing sling
    housing bearing casing opening coating bushing lining fitting mounting winding building railing
    casting molding moulding tubing piping wiring clothing packaging bedding ceiling landing
    """
)
"""Nouns with such an ending that do name a thing."""

ADJECTIVAL = _listed("al ive ic ous ary ar ed ing able ible ent ant")
"""Endings of words that may be adjectives whose noun stands further on."""

UNCOUNTABLE = _words(
    """
    air blood content data electricity energy equipment evidence fluid fuel gas hardware heat
    information light liquid material memory metal moisture money oil oxygen paper power sand skin
    software steam steel storage sugar traffic vapor waste water work
    """
)
"""Nouns that often stand without an article; no article is proposed for them."""
