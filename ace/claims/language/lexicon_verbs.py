"""Verbs that end a noun phrase. Data only.

Base forms; the third person is formed from them. Chosen for how often a word is a verb and how seldom
a noun where claims are written.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VERBS = _words(
    """
    absorb abut adjoin accelerate accept accommodate accumulate achieve acquire activate actuate adhere
    adjust administer align allocate allow alter ameliorate amplify analyse analyze appear apply
    arise arrive ascend assemble assess assign associate attach attenuate attract augment avoid
    beamform bear become begin belong bring calculate calibrate catalyze categorize cause
    characterize circulate circumscribe classify cleave collect collimate combine communicate
    compare compensate compile compose compress comprise compute concern condense conduct configure
    confirm conserve consist constitute consume contain continue contribute converge convert convey
    cool correlate correspond couple create decide declare decode decompose define deflect deform
    degrade delineate deliver depend deploy derive descend detect determine develop differ disable
    discard disengage disperse displace disrupt dissolve distill distinguish divide downconvert
    effectuate elicit eliminate embed employ emerge emit enable enclose encompass encounter encrypt enforce
    engage engrave enhance ensure entangle enter equal establish evaluate evaporate examine exceed
    excite exclude execute exert exhibit expand expose extend fabricate face fasten favor follow
    formulate generate give happen identify illuminate impart impinge improve include incorporate
    indicate induce infer inform inhibit initialize initiate inject instruct integrate interact
    intercept interpolate interrupt intersect introduce irradiate isolate join juxtapose keep know
    let liberate lie localize locate maintain make manage manipulate maximize minimize modify
    modulate normalize obtain operate optimize overexpress overlie penetrate perform permit perturb
    polarize possess precondition predict prepare preprocess preserve prevent produce proliferate
    promote propagate protect protrude provide put quantify quantitate raise reach react realign
    realize receive recognize recommend reconstruct recover redirect reduce refine reflect
    regenerate regularize regulate rely remain remove render replace replicate reprogram require
    reside respond restore restrict retain retract retrieve reveal rotate satisfy see select send
    serve simulate soften solve specify stabilize stimulate stay stow stratify suck suppress surround
    sustain synthesize tailor take transform translate treat tune undergo underlie unfasten unlock
    utilize vaporize vary visualize warp
    """
)
"""Nearly always verbs."""

NOUN_VERBS = _words(
    """
    access add affect aggregate aid answer approach approximate assist assume balance bend bias
    block bound brace bridge buffer cache cancel capture carry change charge check clamp close
    cluster coat complement complete connect construct contact contract control copy correct count
    cover crack crop cross culture curve cut cycle deal decrease delay delete deposit describe
    design detail diagnose differentiate direct discharge display divert double drain drive drop dry
    effect encode estimate etch exchange experience extract fall feed fill filter fit fix float flow
    focus fold form forward fuse gel grasp grip ground group guide handle heat hinge hold hook host
    house hybridize image impact implant implement increase input insert interconnect interface
    label lack latch lead leave lift limit link list load lock log map mask match mate mature
    measure melt mix model monitor move note number occur open output overlap package partition pass
    passage permeate pivot place plan plant pool position power precipitate present press print
    process project pull push query rank read record reference register reinforce reject relapse
    release repeat represent request rest result return reverse rise roll run sample scale scan
    screen seal search secure segment sense separate sequence share shield shift signal size skip
    slide slope sort space span spread start stop store stretch subject sum supply support swing
    switch swivel synthesis tap taper target test tilt time total touch trace track train transfer
    transmit transport trap trigger turn update use vent view weight wind wrap write yield
    """
)
"""Verbs that are as often nouns; the words around them decide."""


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


FINITE = frozenset(map(_third_person, VERBS)) | _words(
    """
    allows becomes denotes encodes equals exceeds exhibits forms follows includes indicates lies occurs
    receives refers remains represents requires resides results satisfies undergoes uses varies appears
    depends relates falls determines
    """
)
"""Third persons that are hardly ever plural nouns."""

MAYBE_FINITE = frozenset(map(_third_person, NOUN_VERBS)) - FINITE
"""Third persons that are as often plural nouns."""
