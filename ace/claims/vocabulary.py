"""The word lists of the checks: closed-class words, nouns that look like participles, things that need
no introduction. Data only; each list says what membership means.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLOSED = _words(
    """
    a about above according across adapted adjacent after against all along also although
    among an and another any are around arranged as at attached away back based be because
    been before behind being below beneath beside besides between beyond both but by can
    cannot comprise comprised comprises comprising configured connected consist consisting
    consists contain containing contains could coupled did disposed do does down due during
    each either every except for formed from further furthermore had has have having he her
    here his how if in include included includes including inside into is it its itself least
    less like located may might minus more most mounted must near neither next no nor not of
    off on once one ones only onto opposite optionally or other out outside over per plus
    positioned preferably prior provided proximate relative respectively said same shall she
    should since so some subsequent such than that the their them themselves then there
    thereafter therebetween thereby therefor therefrom therein thereof thereon therethrough
    thereto thereunder therewith these they this those though through throughout thus to
    together toward towards under unless unlike until up upon using via was were what when
    whenever where whereas whereby wherein whereupon wherever whether which while whilst who
    whom whose will with within without would
    """
)
"""No noun phrase contains these after its determiner."""

NOUNS = _words(
    """
    backing bead bearing bed bleed bonding building bushing casing casting ceiling clothing
    coating computing covering crossing decking drawing embed fastening feed filling fitting
    forging head heading housing king landing lead lining mapping marking meaning messaging
    molding moulding mounting need opening packaging piping processing railing rating reading
    recording reed rendering ring seed setting shed signal sing spacing speed spring string
    stuffing thing thread timing training tread tubing warning weed winding wing wiring
    writing
    """
)
"""Nouns in -ing and -ed, which would be taken for participles."""

FINITE = _words(
    """
    abuts allows applies becomes calculates causes closes comprises computes connects contacts
    contains controls corresponds couples covers defines detects determines displays enables
    engages enters exceeds executes extends faces falls flows forms generates has identifies
    includes indicates inputs is leaves lies makes measures moves obtains occurs opens
    operates outputs passes performs permits prevents produces provides reaches receives
    remains represents returns rotates selects sends stores supports surrounds takes transmits
    uses varies
    """
)
"""Verbs in the third person, which would be taken for plural nouns."""

ADVERBS = _words(
    """
    again alone apart backward backwards clockwise counterclockwise downstream downward
    downwards forward forwards freely inward inwards outward outwards past rearward rearwards
    sideways simultaneously twice upright upstream upward upwards
    """
)
"""Adverbs that follow a noun without being part of its phrase."""

ORDINALS = _words(
    """
    eighth eleventh fifth first fourth ninth second seventh sixth tenth third twelfth
    """
)
"""Words that count elements of one name."""

NUMERALS = _words("three four five six seven eight nine ten eleven twelve plurality several multiple")
"""Words that introduce more than two elements of one name."""

COMPLEMENT = _words(
    """
    among as at between by caused defined described during for from given if in necessary
    needed obtained of on per produced represented required resulting shown than that to used
    when where which whose with within
    """
)
"""After these a definite phrase explains itself: "the pressure in the chamber", "the port that leads out"."""

INHERENT = _words(
    """
    absence art atmosphere average balance beginning body bottom case center centre
    circumference condition contrary course degree depth diameter difference direction earth
    edge end entirety environment equation event expression extent exterior fact final finish
    following foregoing form former formula formulae front ground group hand height horizontal
    human initial inside interior internet invention kind last latter left length like list
    majority manner maximum mean meantime middle minimum name next number opposite order
    outset outside periphery person plurality presence previous product public purpose radius
    range ratio rear remainder rest right sake same sea set shape side size skin sky start
    state subsequent sum sun surface temperature thickness time top total type use user
    vertical vicinity volume way weight whole width world
    """
)
"""Every thing has these (inherent components, MPEP 2173.05(e)), or everyone knows them."""

UNIQUE = _words(
    """
    above actual associated available axial circumferential conventional corresponding
    different entire following foregoing greatest highest horizontal individual inner largest
    last lateral least longest longitudinal lower lowest maximum minimum next only ordinary
    other outer overall particular present radial remaining respective respectively said same
    shortest smallest specific total transverse upper usual various vertical very whole
    """
)
"""Qualifiers that pick out the only one there can be, or no particular one."""

ACTS = _words(
    """
    act action method operation procedure process stage step
    """
)
"""Heads that name a verb already used: "the forming step" after "forming"."""

PREDICATE = _words(
    """
    , . : ; and are be being can comprise comprises comprising further has have having include
    includes including is may must or shall was were wherein will
    """
)
"""What follows a noun as its predicate; anything else makes an unknown last word a likely verb."""

ABBREVIATIONS = _words(
    """
    al approx art ca cf ch co col corp deg dr ed eq eqs equiv esp et etc ex fig figs ft gen hr
    hrs inc incl jr lb ltd max min misc mr mrs no nos para pat ph pl pp prof ref resp rev sec
    secs seq sp spec spp sr st sub subsp tab temp var viz vol vs wt
    """
)
"""Words whose period ends no sentence."""

_NOMINAL = "ization isation ication ation ition ction tion sion ment ance ence ing ity ness ure al er or"
NOMINAL = tuple(_NOMINAL.split())
"""Endings that make a noun of a verb, longest first."""

PLURALS = {
    "indices": "index",
    "vertices": "vertex",
    "matrices": "matrix",
    "axes": "axis",
    "data": "datum",
    "media": "medium",
    "criteria": "criterion",
    "teeth": "tooth",
    "feet": "foot",
    "leaves": "leaf",
    "halves": "half",
    "knives": "knife",
    "shelves": "shelf",
    "analyses": "analysis",
    "bases": "base",
    "people": "person",
    "women": "woman",
    "men": "man",
    "children": "child",
}
"""Irregular plurals and their singulars."""
