"""Words that tell where a sentence, a limb or a noun ends. Data of the checks on form."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS = _words(
    """
    al approx art ave ca cf ch co col conc corp deg dept dia diam dr ed eg eq eqn eqs equiv esp est et
    etc ex fig figs ft gen hr hrs ie inc incl jr lb lbs ltd max min misc mol mr mrs no nos oz para pat
    ph pl pp prof pt ref refs resp rev sec secs seq soln sp spec spp sq sr st std sub subsp tab temp tol
    var vers viz vol vols vs wt yr
    """
)
"""Words whose period ends no sentence."""

UNFINISHED = _words(
    """
    a an the said and or but of at from into onto upon between among within without via per toward
    towards beneath comprising comprises comprise consisting including includes include having has whose
    which wherein whereby that than if when while where because such each every to with for by is are be
    being as at least plurality whether until against amongst during respective its their on in through
    over
    """
)
"""No sentence ends with these."""

PARTICLES = _words(
    "to with for by on in at from between within without against of into onto upon through over"
)
"""Of the unfinished words, those that a verb or a relative clause may leave at its end."""

NO_NOUN = _words(
    """
    a about above across adapted adjacent after against all along also among amongst an and another any
    are around as at away be because been before behind being below beneath between beyond both but by
    can cause causes comprise comprised comprises comprising configured consisting contain containing
    contains could do does down during each either enough every first for form from further had has have
    having if in include includes including inside into is it its itself least less like make makes may
    might more most must near next no nor not of off on once one only onto opposite or other out outside
    over per plural plus respective said same second shall should since so some such than that the their
    them then thereafter thereby therefrom therein thereof thereon thereto third this those three
    through throughout thus till to together toward towards two under unless until up upon using versus
    via was were what when where whereas whereby wherein whether which while who whose will with within
    without would
    """
)
"""No noun phrase ends with these."""

OPENERS = _words(
    "The Said Wherein It This These In Each A An And Further Then Also Preferably Optionally Whereby"
)
"""Words that begin a second sentence even after a number or a symbol."""

MAY_REPEAT = _words("had")
"""Words that grammar lets stand twice in a row."""

LIST_BEGINS = _words("comprising including having containing comprises includes has have and ; : ,")
"""Words and marks after which the elements of a claim are listed."""

REFERS = _words(
    """
    and or of to in step steps element elements part parts item items by from through with claim group feature
    features limb limbs point points substep process stage phase
    """
)
"""Words before a label that is referred to ("step b)") and opens no limb."""

NO_ELEMENT = _words(
    """
    formula formulas formulae equation equations step steps compound compounds claim claims item items
    embodiment condition conditions expression group groups type types structure structures case example
    examples part parts general number numbers section feature features option options table row rows
    column columns method process value values stage stages phase phases criterion criteria relation
    ratio rule rules state states level levels version figure figures fig page line lines paragraph
    category categories clause point points least substep alternative following follows inequality
    operation operations represented mode about approximately
    """
)
"""A number in brackets after these is no reference numeral."""

STEPS = _words(
    """
    acquiring adding administering adjusting aligning analyzing applying assembling assigning attaching
    calculating choosing cleaning collecting combining comparing computing converting
    cooling curing cutting delivering deriving detecting determining diluting directing discarding
    dispensing displaying disposing dissolving dividing drawing drilling drying establishing estimating
    evaluating evaporating extracting filtering folding gathering generating grinding heating
    injecting inserting installing introducing irradiating isolating joining measuring
    melting mixing modifying monitoring obtaining outputting passing performing placing
    positioning pouring pressing providing purifying querying reading receiving recovering recording
    removing rendering repeating replacing retrieving rinsing rolling routing sampling selecting
    sending shaping soaking spraying stirring submitting subtracting supplying
    transferring transmitting treating updating verifying washing weighing withdrawing wrapping
    """
)
"""Gerunds that tell a step far oftener than they are said of a noun."""

NO_STEP = _words(
    """
    having comprising including containing consisting using being during facing housing following according
    corresponding representing indicating relating regarding concerning utilizing employing belonging
    overlying underlying surrounding adjoining extending involving storing running carrying supporting
    """
)
"""Gerunds that open no step."""
