"""The rules of antecedent basis: what each looks for, under which law, and what it does not flag."""

from __future__ import annotations

from ace.claims.rules import Provision, Rule, Severity
from ace.claims.taxonomy import ErrorClass

_US = Provision("35 U.S.C. 112(b); MPEP 2173.05(e)")
_EPC = Provision("Art. 84 EPC; Guidelines F-IV, 4.1")
_PUMP = "1. A pump comprising a housing and a rotor mounted in the housing.\n"
_VALVE = "1. A pump comprising a housing and a relief valve on the housing.\n"
_SEALS = "1. A pump comprising a housing, a first seal on the housing and a second seal on the housing.\n"


def _rule(
    subtype: str,
    what: str,
    example: str,
    twin: str,
    silent: str,
    us: Provision = _US,
    epc: Provision = _EPC,
    *,
    brief: str,
) -> Rule:
    return Rule(ErrorClass.ANTECEDENT, subtype, what, example, twin, us, epc, silent, brief=brief)


NO_BASIS = _rule(
    "no_basis",
    "A “the”, “said” or “such” phrase names something that neither the claim nor any claim it depends on "
    "introduces.",
    "1. A pump comprising a housing, wherein the impeller is hollow.",
    "1. A pump comprising a housing and an impeller, wherein the impeller is hollow.",
    "Parts and properties that a known thing has by nature (“the surface of the housing”, “the length”), "
    "what "
    "everyone knows (“the user”), superlatives, what a verb has already said (“detecting a motion … the "
    "detected "
    "motion”, “the heating step”), initials given beside the name (“a band pass filter (BPF)”), and the same "
    "phrase a second time.",
    brief="a “the” phrase that nothing earlier introduces, on one path at least",
)
SIBLING_ONLY = _rule(
    "sibling_only",
    "The element is introduced only in a claim that this one does not depend on.",
    _PUMP + "2. The pump of claim 1, further comprising a gasket.\n"
    "3. The pump of claim 1, wherein the gasket is made of rubber.",
    _PUMP + "2. The pump of claim 1, further comprising a gasket.\n"
    "3. The pump of claim 2, wherein the gasket is made of rubber.",
    "The same as for “no_basis”.",
    brief="a “the” phrase that nothing earlier introduces, on one path at least",
)
SOME_PATHS = _rule(
    "some_paths",
    "The element is introduced along one of the claim's alternative dependencies and missing along another.",
    _PUMP + "2. The pump of claim 1, further comprising a gasket.\n"
    "3. The pump of claim 1 or 2, wherein the gasket is made of rubber.",
    _PUMP + "2. The pump of claim 1, further comprising a gasket.\n"
    "3. The pump of claim 2, wherein the gasket is made of rubber.",
    "Cumulative references (“claims 1 and 2”), where each claim brings in what it introduces.",
    brief="a “the” phrase that nothing earlier introduces, on one path at least",
)
AMBIGUOUS = _rule(
    "ambiguous",
    "Several elements have been introduced that the phrase could mean.",
    _SEALS + "2. The pump of claim 1, wherein the seal is made of rubber.",
    _SEALS + "2. The pump of claim 1, wherein the first seal is made of rubber.",
    "Plurals, which mean all of them; a phrase that is followed by “of”; names without ordinals (“a "
    "drive shaft and a guide shaft”).",
    Provision("35 U.S.C. 112(b); MPEP 2173.05(e)"),
    brief="a name that fits several",
)
NUMBER_SHIFT = _rule(
    "number_shift",
    "The element is introduced in the singular and the phrase is plural, or the reverse, or in another "
    "number.",
    _VALVE + "2. The pump of claim 1, wherein the relief valves are made of brass.",
    _VALVE + "2. The pump of claim 1, wherein the relief valve is made of brass.",
    "“At least one”, “one or more”, “a plurality of”, elements introduced one by one (“a first seal, a "
    "second "
    "seal … the seals”), and what each of several things has.",
    brief="singular for plural or the reverse",
)
INTRODUCED_AGAIN = _rule(
    "introduced_again",
    "An element is introduced under the very name that the claim, or a claim it depends on, introduced "
    "and spoke "
    "of.",
    "1. A pump comprising a housing and a relief valve on the housing.\n"
    "2. The pump of claim 1, further comprising a relief valve, wherein the relief valve is made of brass.",
    "1. A pump comprising a housing and a relief valve on the housing.\n"
    "2. The pump of claim 1, further comprising a second relief valve, wherein the second relief valve is "
    "made "
    "of brass.",
    "“Another”, properties (“a length of”), what each of several things has, what belongs to two things "
    "(“a wall” "
    "of a base and of a lid), and the preamble.",
    Provision("35 U.S.C. 112(b); MPEP 2173.05(o)", Severity.NOTE),
    Provision("Art. 84 EPC; Guidelines F-IV, 4.1", Severity.NOTE),
    brief="an element introduced twice",
)
UNCOUNTED = _rule(
    "uncounted",
    "The phrase counts the element as it never was: by an ordinal that it did not get.",
    _SEALS + "2. The pump of claim 1, wherein the third seal is made of rubber.",
    _SEALS + "2. The pump of claim 1, wherein the second seal is made of rubber.",
    "“The first” and “the second” of so many that were introduced together (“two seals”), “a first of the "
    "seals”, and ordinals that share a noun (“the first and second seals”).",
    brief="an uncounted ordinal",
)
UNKNOWN_MODIFIER = _rule(
    "unknown_modifier",
    "The element is known, but was not introduced with this qualification.",
    _PUMP + "2. The pump of claim 1, wherein the magnetic rotor is hollow.",
    _PUMP + "2. The pump of claim 1, wherein the rotor is magnetic.",
    "Qualifications given to the element earlier (“a module for control … the control module”), past "
    "participles of verbs that were used, superlatives, and words like “respective” or “corresponding”.",
    brief="a new qualifier",
)
TYPO = _rule(
    "typo",
    "The phrase looks like a misspelling of what was introduced.",
    _PUMP + "2. The pump of claim 1, wherein the huosing is made of brass.",
    _PUMP + "2. The pump of claim 1, wherein the housing is made of brass.",
    "Words of fewer than five letters, and two spellings that both were introduced.",
    brief="a misspelt name",
)
INTRODUCED_LATER = _rule(
    "introduced_later",
    "The element is introduced only later in the same claim.",
    "1. A pump comprising a housing, wherein the gasket closes the housing, and a gasket made of rubber.",
    "1. A pump comprising a housing and a gasket made of rubber, wherein the gasket closes the housing.",
    "The same as for “no_basis”.",
    brief="a “the” phrase that nothing earlier introduces, on one path at least",
)

RULES: tuple[Rule, ...] = (
    NO_BASIS,
    SIBLING_ONLY,
    SOME_PATHS,
    AMBIGUOUS,
    NUMBER_SHIFT,
    INTRODUCED_AGAIN,
    UNCOUNTED,
    UNKNOWN_MODIFIER,
    TYPO,
    INTRODUCED_LATER,
)
