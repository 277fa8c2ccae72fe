"""The rules of logic: what each forbids, on which law, and what it lets pass."""

from __future__ import annotations

from ace.claims.rules import Provision, Rule, Severity
from ace.claims.taxonomy import ErrorClass

_CLEAR = Provision("Art. 84 EPC; Guidelines F-IV 4.1", Severity.WARNING)
_NARROWING = Provision("Rule 43(4) EPC; Art. 84 EPC; Guidelines F-IV 3.4", Severity.ERROR)

RANGE_WIDENED = Rule(
    ErrorClass.LOGICAL,
    "range_widened",
    "A dependent claim gives a quantity a range that goes beyond the one it inherits.",
    "1. A laminate comprising a core layer, wherein a thickness of the core layer is from 5 to 10 mm.\n"
    "2. The laminate of claim 1, wherein the thickness of the core layer is from 2 to 8 mm.",
    "1. A laminate comprising a core layer, wherein a thickness of the core layer is from 5 to 10 mm.\n"
    "2. The laminate of claim 1, wherein the thickness of the core layer is from 6 to 8 mm.",
    us=Provision("35 U.S.C. 112(d); MPEP 608.01(n) III", Severity.ERROR),
    epc=_NARROWING,
    silent="A narrower range, a bound on the side that the parent leaves open, a range of another part "
    'or step, and a limit that differs by "about" alone.',
    brief="a range beyond the parent's",
)
RANGE_MISSED = Rule(
    ErrorClass.LOGICAL,
    "range_missed",
    "A dependent claim gives a quantity values none of which lie in the range that it inherits.",
    "1. A method of curing a resin, comprising heating the resin to a curing temperature of 120 to 150 °C.\n"
    "2. The method of claim 1, wherein the curing temperature is 180 °C.",
    "1. A method of curing a resin, comprising heating the resin to a curing temperature of 120 to 150 °C.\n"
    "2. The method of claim 1, wherein the curing temperature is 130 °C.",
    us=Provision("35 U.S.C. 112(b), (d); MPEP 608.01(n) III", Severity.ERROR),
    epc=_NARROWING,
    silent="Several quantities of the same name and unit in one parent claim, if one of them fits; values of "
    "another step or act, or measured under another condition.",
    brief="a range beyond the parent's",
)
IMPOSSIBLE_RANGE = Rule(
    ErrorClass.LOGICAL,
    "impossible_range",
    "A range has its ends the wrong way round or bounds that exclude each other, or shares miss 100 percent.",
    "1. A coating having a thickness of from 10 to 5 µm.",
    "1. A coating having a thickness of from 5 to 10 µm.",
    us=Provision("35 U.S.C. 112(b); MPEP 2173.05(c)", Severity.ERROR),
    epc=_CLEAR,
    silent='A change over time ("cooling from 90 to 20 °C"), ratios, negative temperatures in falling order, '
    "percentages over 100 of another quantity, and shares that leave room for a balance.",
    brief="an impossible range or sum",
)
CONTRADICTION = Rule(
    ErrorClass.LOGICAL,
    "contradiction",
    "One element is given attributes, acts, numbers of parts, places or comparisons that exclude each other, "
    "or two steps an order that is reversed elsewhere.",
    "1. A lamp comprising a transparent cover and a light source.\n"
    "2. The lamp of claim 1, wherein the transparent cover is opaque.",
    "1. A lamp comprising a transparent cover and a light source.\n"
    "2. The lamp of claim 1, wherein the transparent cover is curved.",
    us=Provision("35 U.S.C. 112(b); MPEP 2173.02", Severity.ERROR),
    epc=_CLEAR,
    silent="Alternatives, conditions and states that follow each other, two elements of which each has one "
    "attribute, attributes of a part only, and what a thing is arranged to do at different times.",
    brief="limitations in conflict",
)
CLOSED_THEN_OPENED = Rule(
    ErrorClass.LOGICAL,
    "closed_then_opened",
    'After "consisting of" has closed the list of elements, the claim or a dependent one adds another.',
    "1. An adhesive consisting of a resin and a hardener.\n"
    "2. The adhesive of claim 1, further comprising a pigment.",
    "1. An adhesive comprising a resin and a hardener.\n"
    "2. The adhesive of claim 1, further comprising a pigment.",
    us=Provision("35 U.S.C. 112(b), (d); MPEP 2111.03 II", Severity.ERROR),
    epc=Provision("Art. 84 EPC; Guidelines F-IV 4.20", Severity.ERROR),
    silent='"consisting essentially of", a group from which something is selected, and a part or step that '
    "alone is closed.",
    brief="“further comprising” after “consisting of”",
)
PRESENT_AND_ABSENT = Rule(
    ErrorClass.LOGICAL,
    "present_and_absent",
    "An element that the claim requires, itself or through its parent, is said not to be there.",
    "1. A jar comprising a body and a lid.\n2. The jar of claim 1, wherein the lid is absent.",
    "1. A jar comprising a body and a lid.\n2. The jar of claim 1, wherein the lid is round.",
    us=Provision("35 U.S.C. 112(b); MPEP 2173.05(i)", Severity.ERROR),
    epc=_CLEAR,
    silent="Absence in another part, a step or a condition, and elements that were optional.",
    brief="a required element absent",
)
USED_BEFORE_MADE = Rule(
    ErrorClass.LOGICAL,
    "used_before_made",
    "A step of a method uses what only a later step makes.",
    "1. A method of producing a mixed paste, comprising: drying the mixed paste; and then mixing a "
    "powder and a binder to form the mixed paste.",
    "1. A method of producing a mixed paste, comprising: mixing a powder and a binder to form the "
    "mixed paste; and then drying the mixed paste.",
    us=Provision("35 U.S.C. 112(b); MPEP 2173.02", Severity.WARNING),
    epc=_CLEAR,
    silent="Claims to things, steps that are repeated, and what the preamble or an earlier step already has.",
    brief="a step that needs a later one",
)

OUTSIDE_GROUP = Rule(
    ErrorClass.LOGICAL,
    "outside_group",
    "A claim takes what is not in the closed group that it or its parent selects from.",
    "1. A paint comprising a pigment and a solvent selected from the group consisting of water, ethanol and "
    "acetone.\n2. The paint of claim 1, wherein the solvent is toluene.",
    "1. A paint comprising a pigment and a solvent selected from the group consisting of water, ethanol and "
    "acetone.\n2. The paint of claim 1, wherein the solvent is acetone.",
    us=Provision("35 U.S.C. 112(d); MPEP 608.01(n) III; MPEP 2117", Severity.ERROR),
    epc=_NARROWING,
    silent="Groups with a genus (“alkyl”, “a metal”, plurals), a member that shares a word or its beginning "
    "with what is taken, and open groups.",
    brief="a choice outside a closed group",
)

RULES: tuple[Rule, ...] = (
    RANGE_WIDENED,
    RANGE_MISSED,
    IMPOSSIBLE_RANGE,
    CONTRADICTION,
    CLOSED_THEN_OPENED,
    PRESENT_AND_ABSENT,
    USED_BEFORE_MADE,
    OUTSIDE_GROUP,
)
