"""Nouns that need no introduction, and what may follow a noun to explain it. Data only."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


COMPLEMENT = _words(
    """
    among between caused consisting defined described for given necessary needed obtained produced
    represented required resulting shown that used where which whose
    """
)
"""After these a definite phrase explains itself: "the port that leads out", "the gap between the plates"."""

ADVERBIAL = _words(
    "against as at by during from if in into on per than to under when whereby whether with within"
)
"""After these it may explain itself, or they go with the verb: "the port in the wall", "the port opens in".
"""

PROPERTIES = _words(
    """
    charge consumption current demand flow input momentum moment output performance phase potential power
    reading rotation signal speed supply throughput torque traffic voltage waist
    """
)
"""What a known thing has by nature, though by itself it would need an introduction: "the motor torque"."""

NAMED_KINDS = _words(
    """
    algorithm distribution equation filter language law method process protocol standard system theorem
    transform transformation
    """
)
"""Heads that a proper name before them makes known to everyone: "the Fourier transform"."""

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

SHARING = _words("each every respective respectively per")
"""Words that make one noun stand for several things throughout their limb of the claim."""

PICKING = _words("each every respective respectively any per selected given particular individual either")
"""Words that take one out of several: "each of the pins … the pin"."""

NEGATING = _words("no without lacking lacks")
"""What stands after these is told to be absent."""

HOLDING = _words(
    "be comprise comprising contain containing have having include including need require requiring use using"
)
"""After "not" these deny what they govern: "does not comprise a lid"."""

SUBORDINATING = _words(
    "after as because before if once or that unless until when whenever where whereby wherein whether while"
)
"""A phrase after these is the subject of a clause, so that a verb must follow."""

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


def _pairs(text: str) -> dict[str, tuple[str, ...]]:
    return {noun: tuple(verbs.split()) for noun, _, verbs in (line.partition(":") for line in _lines(text))}


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split(";") if line.strip()]


ACT_NOUNS = _pairs(
    """
    analysis: analyze analyse; belief: believe; birth: born; choice: choose chosen; comparison: compare;
    descent: descend; departure: depart; exposure: expose; failure: fail; flight: fly;
    growth: grow grown; knowledge: know known; loss: lose lost; proof: prove; pursuit: pursue; rise: rise;
    removal: remove; renewal: renew; arrival: arrive; seizure: seize; sale: sell sold; synthesis: synthesize;
    hydrolysis: hydrolyze; electrolysis: electrolyze; dialysis: dialyze; lysis: lyse; thought: think;
    withdrawal: withdraw; retrieval: retrieve; approval: approve; absorption: absorb; adsorption: adsorb;
    consumption: consume; reception: receive; perception: perceive; subscription: subscribe;
    transcription: transcribe; description: describe; acquisition: acquire; deposition: deposit;
    collision: collide; division: divide; explosion: explode; erosion: erode; inclusion: include;
    exclusion: exclude; expansion: expand; decision: decide; reduction: reduce;
    production: produce; destruction: destroy; identification: identify; verification: verify;
    modification: modify; multiplication: multiply; maintenance: maintain
    """
)
"""Nouns of an act and the verbs that tell it, where spelling does not show it."""

PRODUCT_NOUNS = _pairs(
    """
    mixture: mix mixed; solution: dissolve; polymer: polymerize polymerise; copolymer: copolymerize;
    crystal: crystallize crystallise; deposit: deposit; emulsion: emulsify; suspension: suspend;
    precipitate: precipitate; dispersion: disperse; extract: extract; filtrate: filter; residue: evaporate;
    distillate: distill; condensate: condense; hydrolysate: hydrolyze; lysate: lyse; alloy: alloy;
    conjugate: conjugate; reaction: react; composite: compose; vapor: vaporize evaporate; melt: melt;
    foam: foam; powder: pulverize grind; blend: blend; dilution: dilute; ferment: ferment
    """
)
"""Nouns of what an act makes, and the verbs of that act: "mixing A with B … the mixture"."""
