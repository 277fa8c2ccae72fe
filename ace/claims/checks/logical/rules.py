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
    "A range has its ends the wrong way round, or bounds that exclude each other.",
    "1. A coating having a thickness of from 10 to 5 µm.",
    "1. A coating having a thickness of from 5 to 10 µm.",
    us=Provision("35 U.S.C. 112(b); MPEP 2173.05(c)", Severity.ERROR),
    epc=_CLEAR,
    silent='A change over time ("cooling from 90 to 20 °C"), ratios, numbers without a unit, and negative '
    "temperatures in falling order.",
    brief="an impossible range",
)
SEVERAL_LIMITS = Rule(
    ErrorClass.LOGICAL,
    "several_limits",
    "One bound has three values or more, of which the widest makes the others idle.",
    "1. A nucleic acid with a sequence that is at least 80, 85, 90 or 95 % identical to SEQ ID NO: 1.",
    "1. A nucleic acid with a sequence that is at least 80 % identical to SEQ ID NO: 1.",
    us=Provision("35 U.S.C. 112(b); MPEP 2173.05(c) I", Severity.ERROR),
    epc=_CLEAR,
    silent="Several values without a bound, and a bound with two of them.",
    brief="several limits",
)
STATED_TWICE = Rule(
    ErrorClass.LOGICAL,
    "stated_twice",
    "A quantity is given two different values, in one claim or in a claim and its ancestor.",
    "1. A pump comprising a motor, wherein the motor draws 5 A.\n"
    "2. The pump of claim 1, wherein the motor draws 7 A.",
    "1. A pump comprising a motor, wherein the motor draws 5 A.\n"
    "2. The pump of claim 1, wherein the motor draws 5 A at 12 V.",
    us=Provision("35 U.S.C. 112(b), (d); MPEP 2173.05(c)", Severity.ERROR),
    epc=_CLEAR,
    silent="Values of two things, of two steps, or under a condition; a number of things that there may be "
    "more of.",
    brief="limitations in conflict",
)
MARKUSH_REPEATS = Rule(
    ErrorClass.LOGICAL,
    "markush_repeats",
    "A list of alternatives names one of them twice in the same words.",
    "1. A paint comprising a solvent selected from the group consisting of water, ethanol, acetone and "
    "water.",
    "1. A paint comprising a solvent selected from the group consisting of water, ethanol, acetone and "
    "toluene.",
    us=Provision("35 U.S.C. 112(b); MPEP 2173.05(h)", Severity.WARNING),
    epc=_CLEAR,
    silent="A species beside its genus (“an alkali metal, sodium”), and lists of what there is in a thing.",
    brief="an alternative listed twice",
)
CLOSED_THEN_OPENED = Rule(
    ErrorClass.LOGICAL,
    "closed_then_opened",
    'A list that "consisting of" closes takes in more than it names.',
    "1. A carrier selected from the group consisting of saline, dextrose and other solvents.",
    "1. A carrier selected from the group consisting of saline, dextrose and water.",
    us=Provision("35 U.S.C. 112(b); MPEP 2111.03 II, 2117", Severity.ERROR),
    epc=Provision("Art. 84 EPC; Guidelines F-IV 4.20", Severity.ERROR),
    silent='"consisting essentially of", and what is said of another thing after the list.',
    brief="a closed list opened again",
)

RULES: tuple[Rule, ...] = (
    RANGE_WIDENED,
    RANGE_MISSED,
    IMPOSSIBLE_RANGE,
    SEVERAL_LIMITS,
    STATED_TWICE,
    MARKUSH_REPEATS,
    CLOSED_THEN_OPENED,
)
