"""Words by what they do in a noun phrase: those that never stand in one, determiners, words that count,
words that end it. Data only; each list says what membership means. Verbs are in lexicon_verbs.py.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLOSED = _words(
    """
    a about above according across after afterward afterwards against all along also although am among
    amongst an and another
    any anywhere are around as aside at away back based be because been before behind being below
    beneath beside besides between beyond both but by can cannot characterised characterized comprise
    comprised comprises comprising consist consisted consisting consists could did do does done down due
    during e.g each either else etc even every except followed for forth from further furthermore had has have
    having hence he her here hereby herein hereof how however i.e if in inside instead into is it its
    itself just least less let like may might more moreover most much must namely near neither never
    nevertheless next no nor not of off on once one ones only onto or other others otherwise ought out
    outside over own per plus preferably prior rather respectively said shall she should since so some
    still such than that the their them themselves then thence there thereabout thereabove thereacross
    thereafter therealong therearound therebelow thereover therebetween thereby therefor therefore
    therefrom therein thereinto thereof thereon thereto thereunder thereupon therethrough therewith
    these they this those though through throughout thus till to together too toward towards under
    underneath unless unlike until unto up upon using versus very via was we were what whatever when
    whence whenever where whereas whereat whereby wherefrom wherein whereina whereinthe whereof whereon
    whereto whereupon wherever wherewith whether which whichever while whilst who whoever whom whose why
    will with within without would yet you your
    """
)
"""No noun phrase goes on past these; several open one."""

DEFINITE = _words("the said andthe whereinthe")
DEMONSTRATIVE = _words("these those")
INDEFINITE = _words("a an another anda andan")
"""The joined ones come from lost line breaks."""
NUMERALS = _words(
    """
    two three four five six seven eight nine ten eleven twelve sixteen twenty several multiple plural
    many numerous various
    """
)
"""Words that introduce more than one element of a name."""

COLLECTIVE_PLURAL = _words("plurality multiplicity multitude number couple")
COLLECTIVE = COLLECTIVE_PLURAL | _words("one each any all some least most")
"""With "of" and a noun these make one phrase: "the plurality of pins", "each of the pins"."""

QUANTIFIERS = _words("each every any no some either its their")
"""Words that take a noun without saying that it is known."""

ARTICLES = _words("a an the said its their")
"""After a word in -s these make it a verb: "the scheduler empties the queue"."""

OBJECT_OPENERS = ARTICLES | _words("each at to that from one into when if whether")
"""After a verb in the third person these open what it governs."""

UNITS = _words(
    """
    mm cm m nm µm μm um km ml l kg g mg µg μg ng mol mmol wt vol % ° °c degrees degree percent seconds minutes
    hours days weeks months years hz khz mhz ghz v kv w kw pa kpa mpa bar psi k c f to or times
    """
)
"""A number before these is no reference numeral."""

ORDINALS = _words(
    """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth 1st 2nd 3rd 4th
    5th 6th 7th 8th primary secondary tertiary
    """
)
"""Words that tell elements of one name apart by counting them."""

TWOFOLD = _words(
    """
    first second upper lower left right inner outer front rear top bottom proximal distal input output
    upstream downstream positive negative primary secondary male female horizontal vertical
    """
)
"""Words that come in pairs, so that a plural ("two arms") introduces each of its members."""

PRESET = _words(
    "predetermined pre-determined predefined pre-defined preset pre-set prescribed given specified threshold"
)
"""Qualifiers that say that someone chose a value before, so that the value must have been told."""

EMPTY = _words(
    """
    respective respectively corresponding particular same individual entire given aforementioned
    aforesaid foregoing above-mentioned above-described above-identified above-noted whole various said
    following single specific certain one present actual thus so-called instant subject remaining
    abovementioned said-mentioned mentioned recited claimed associated different plurality multiple
    plural several overall
    """
)
"""Qualifiers that tell no element from another of the same name."""

LIMITING = _words(
    """
    above actual associated available conventional corresponding current different entire final
    following foregoing greatest highest individual largest last least longest lowest maximum minimum
    mean average next only ordinary original other overall particular present previous remaining
    resulting resultant said same shortest smallest specific subsequent total usual various whole
    desired latter former nearest closest farthest furthest optimal optimum best most predetermined
    """
)
"""Qualifiers that pick out the only one there can be, or no particular one."""

COMPARING = _words(
    "lower higher larger smaller greater longer shorter wider narrower thicker thinner faster slower"
)
"""Comparatives: "the lower cost" picks one of two by itself."""

ADVERBS = _words(
    """
    again ahead alone apart backward backwards clockwise counterclockwise downstream
    downward downwards earlier later forward forwards freely inward inwards outward outwards past
    rearward rearwards sideways
    simultaneously twice upright upstream upward upwards first second
    """
)
"""Adverbs that follow a noun without being part of its phrase."""

AFTER_NOUN = _words(
    """
    absent adjacent constant consistent custom different available capable close common contiguous
    distant distinct equal equidistant equivalent exclusive external free greater higher identical
    inclusive independent indicative integral internal larger longer lower narrower necessary opposite
    orthogonal parallel perpendicular present proximal proximate distal relative representative
    responsible responsive shorter similar slidable smaller specific subject suitable such thicker
    thinner transparent transverse useful wide wider worth remote separate normal coaxial concentric
    flush tangential unique sufficient
    """
)
"""Adjectives that stand after a noun with what they govern: "the face adjacent to", "a wall parallel to"."""

IRREGULAR = _words(
    """
    bent bound built chosen cut driven drawn fed found given held hung hit kept known laid led left lain
    lost made met put rolled sent set shown shut slept slid spent split spun struck sunk taken thrown
    torn withdrawn wound worn woven written
    """
) - {"set", "cut"}
"""Past participles without -ed."""

NOT_LY = _words(
    "assembly supply family anomaly fly ply reply belly early only daily butterfly monopoly poly july"
)
"""Words in -ly that are no adverbs."""

NOUNS_ED = _words(
    "bed bleed embed feed need reed seed shed speed thread head lead weed bead tread spread steed"
)
"""Nouns and others in -ed or near it, no participles."""

NOUNS_ING = _words(
    """
    backing bearing bonding building bushing casing casting ceiling clothing coating computing covering
    crossing decking drawing fastening fitting forging heading housing king landing lining mapping
    marking meaning messaging molding moulding mounting opening packaging piping processing railing
    rating reading recording rendering ring setting signaling sling spacing spring string swing stuffing
    thing timing training tubing warning winding wing wiring embedding writing grating grouping imaging
    clustering cladding plating welding bending braking cooling heating lighting sealing steering
    padding tapering beginning ending roofing flooring scaffolding shielding dressing filing listing
    scheduling sampling encoding decoding coding routing
    """
)
"""Nouns in -ing that name a thing, or an act as if it were a thing."""
