"""The rules on ambiguous words, with the law behind each. Data for docs, jurisdictions and tests."""

from __future__ import annotations

from ace.claims.rules import Provision, Rule, Severity
from ace.claims.taxonomy import ErrorClass

_US = "35 U.S.C. 112(b); MPEP 2173.05"
_EPC = "Art. 84 EPC; Guidelines F-IV"

RULES: tuple[Rule, ...] = (
    Rule(
        ErrorClass.AMBIGUITY,
        "degree",
        "A term of degree or a vague quantity gives no standard by which to measure it.",
        example="1. A clamp comprising a frame and a relatively thin jaw that is held by the frame.",
        twin="1. A clamp comprising a frame and a jaw that is thinner than the frame and is held by it.",
        us=Provision(f"{_US}(b)"),
        epc=Provision(f"{_EPC}, 4.6"),
        silent=(
            "“about 5 mm” and “substantially parallel” (definite as a rule, MPEP 2173.05(b)(III)); what is"
            " compared (“higher than”), bound to a purpose (“sufficient to open the valve”) or part of a name"
            " (“low-pass filter”, “a high gear”); logic levels (“the signal is high”)"
        ),
        brief="a degree without a standard",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "subjective",
        "Whether a term applies depends on personal opinion.",
        example="1. A chair comprising a seat and a backrest of an aesthetically pleasing shape.",
        twin="1. A chair comprising a seat and a backrest of a convex shape.",
        us=Provision(f"{_US}(b)(IV)"),
        epc=Provision(f"{_EPC}, 4.6"),
        silent=(
            "“predetermined”, “desired” and “selected” values; “suitable” and “optimal”; “effective"
            " amount” (MPEP 2173.05(c)(III)); “pharmaceutically acceptable”"
        ),
        brief="a matter of opinion",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "exemplary",
        "Exemplary words leave open whether the claim is limited to what they name.",
        example="1. A bracket comprising a plate and a fastener, such as a rivet.",
        twin="1. A bracket comprising a plate and a fastener, the fastener being a rivet.",
        us=Provision(f"{_US}(d)"),
        epc=Provision(f"{_EPC}, 4.9", Severity.NOTE),
        silent="“such as to” before a result, “the same or similar”; “i.e.”, which defines",
        brief="an example or a preference",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "preference",
        "Words of preference leave open whether the feature that they name is required.",
        example="1. A resin comprising a filler in an amount of 5 to 20 wt%, preferably 10 wt%.",
        twin="1. A resin comprising a filler in an amount of 5 to 20 wt%.",
        us=Provision(f"{_US}(c)(I); MPEP 2173.05(d)"),
        epc=Provision(f"{_EPC}, 4.9", Severity.NOTE),
        silent=(
            "“optionally”, accepted if the options are clear (MPEP 2173.05(h)); “normally open”, “often”,"
            " “a preferred route”, “preferentially”"
        ),
        brief="an example or a preference",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "open_alternatives",
        "A list of alternatives is not closed, so it is unclear what else belongs to it.",
        example="1. A coating comprising a pigment selected from the group comprising chalk and talc.",
        twin="1. A coating comprising a pigment selected from the group consisting of chalk and talc.",
        us=Provision("35 U.S.C. 112(b); MPEP 2117(I); MPEP 2173.05(h)"),
        epc=Provision(f"{_EPC}, 3.7"),
        silent=(
            "“a group comprising three nozzles” from which nothing is selected; “one of A and B”;"
            " “and other”; “a type of the vehicle”; “a plate-like member”, which names a shape"
        ),
        brief="an open list",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "trademark",
        "A trademark names the source of a product and does not say what it is.",
        example="1. A pan comprising a metal body and a Teflon layer on the body.",
        twin="1. A pan comprising a metal body and a polytetrafluoroethylene layer on the body.",
        us=Provision(f"{_US}(u)"),
        epc=Provision(f"{_EPC}, 4.8"),
        silent="names that have become generic (nylon) or name a standard (Bluetooth)",
        brief="a trademark",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "double_limit",
        "A limit is given as a range or twice, so that it is unclear which value counts.",
        example="1. A rod comprising a core and a sleeve, wherein the core has at least 5 to 10 layers.",
        twin="1. A rod comprising a core and a sleeve, wherein the core has 5 to 10 layers.",
        us=Provision(f"{_US}(c)(I)"),
        epc=Provision(f"{_EPC}, 4.1"),
        silent="powers of ten that lost their form (“10-8”); narrower limits in the alternative",
        brief="an unclear limit",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "omnibus",
        "The claim refers to the description or the drawings for what it includes.",
        example="1. A bracket substantially as shown in FIG. 3.",
        twin="1. A bracket comprising a plate and a hook on the plate.",
        us=Provision(f"{_US}(r)", Severity.ERROR),
        epc=Provision("Art. 84 EPC; Rule 43(6) EPC; Guidelines F-IV, 4.17"),
        silent=(
            "design claims, whose form this is (37 CFR 1.153); a figure referred to for a pattern, a spectrum"
            " or a sequence (MPEP 2173.05(s)); pointers in a claim that has a body"
        ),
        brief="a pointer to the description",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "use_claim",
        "The claim is to a use, without any step of a process.",
        example="1. Use of a silicone resin as a sealant for windows.",
        twin="1. A method of sealing a window, comprising applying a silicone resin to the window.",
        us=Provision(f"35 U.S.C. 101; {_US}(q)", Severity.ERROR),
        epc=None,
        silent=(
            "“a method of using”; “the use of claim 1”, left to that claim. The EPC allows use claims"
            " (Guidelines F-IV, 4.16)."
        ),
        brief="a use without steps",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "mixed_category",
        "The claim is to a thing, but comprises a step of a method.",
        example="1. A pump comprising a tank.\n2. The pump of claim 1, further comprising filling the tank.",
        twin="1. A pump comprising a tank.\n2. The pump of claim 1, further comprising a filling of foam.",
        us=Provision(f"{_US}(p)(II)"),
        epc=Provision(f"{_EPC}, 4.13"),
        silent="steps of a process, of operations or of a program that the claim to a thing speaks of",
        brief="a step in a claim to a thing",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "unknown_step",
        "The claim refers to a step by a label that no step has.",
        example="1. A method comprising: a) peeling a nut; and b) heating it, wherein step d) is repeated.",
        twin="1. A method comprising: a) peeling a nut; and b) heating it, wherein step b) is repeated.",
        us=Provision(f"{_US}(e)"),
        epc=Provision(f"{_EPC}, 4.1"),
        silent="labels of steps in a claim that the claim refers to; “at time step t”",
        brief="an unknown step",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "points_elsewhere",
        "The claim refers to a drawing, a table or the description for what it includes.",
        example="1. A bracket comprising a plate and a hook, wherein the hook has the shape shown in FIG. 3.",
        twin="1. A bracket comprising a plate and a hook, wherein the hook has the shape of a ring.",
        us=Provision(f"{_US}(s)"),
        epc=Provision("Rule 43(6) EPC; Guidelines F-IV, 4.17"),
        silent="a pattern or a spectrum that only a figure can show; tables and figures of merit",
        brief="a pointer to the description",
    ),
)

RULE = {rule.subtype: rule for rule in RULES}
