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
            "“predetermined”, “desired” and “selected” values; “suitable for” with a purpose; “effective"
            " amount” (MPEP 2173.05(c)(III)); “pharmaceutically acceptable”; “superior” as a direction"
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
            "“optionally”, accepted if the options are clear (MPEP 2173.05(h)); “normally open”,"
            " “commonly owned”"
        ),
        brief="an example or a preference",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "and_or",
        "“And/or” leaves the reader to work out which combinations are meant.",
        example="1. A lamp comprising a base and a lens and/or a mirror on the base.",
        twin="1. A lamp comprising a base and at least one of a lens and a mirror on the base.",
        us=Provision(f"{_US}(h)", Severity.NOTE),
        epc=None,
        silent="“at least one of A and B”, “A, B, or both”; references to claims are not read here",
        brief="“and/or”",
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
            " “a type of the vehicle”; “a plate-like member”, which names a shape"
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
        silent="names that have become generic (nylon, escalator); “windows” and “java” as common words",
        brief="a trademark",
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
            "“a method of using”; a use that comprises steps. The EPC allows use claims (Guidelines F-IV,"
            " 4.16)."
        ),
        brief="a use without steps",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "mixed_category",
        "The claim is to a thing, but also to what a person does with it or to a step of a method.",
        example="1. A pump comprising a tank and a lever on the tank, wherein a user presses the lever.",
        twin="1. A pump comprising a tank and a lever on the tank, configured to be pressed by a user.",
        us=Provision(f"{_US}(p)(II)"),
        epc=Provision(f"{_EPC}, 4.13"),
        silent=(
            "what a thing is made for (“configured to be pressed by”, “for a user to press”, “allowing the"
            " user to”); what happens when somebody acts (“when the user presses the lever”); states (“worn"
            " by a user”)"
        ),
        brief="a user's act or a step in a claim to a thing",
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
        "no_unit",
        "A measure is given as a number without its unit.",
        example="1. A rod comprising a core and a sleeve on it, wherein a length of the core is 5 to 10.",
        twin="1. A rod comprising a core and a sleeve on it, wherein a length of the core is 5 to 10 mm.",
        us=Provision("35 U.S.C. 112(b); MPEP 2173.02(II)"),
        epc=Provision(f"{_EPC}, 4.1"),
        silent="zero; ratios and indices; lengths of codes, keys and sequences, which are counted",
        brief="an unknown symbol or unit",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "size_of_anything",
        "A size is given by something that may be of any size.",
        example="1. A cart comprising a frame and a pole, wherein the pole is half the height of a rider.",
        twin="1. A cart comprising a frame and a pole, wherein the pole is half the height of the frame.",
        us=Provision(f"{_US}(b)(II)"),
        epc=Provision(f"{_EPC}, 4.14.2"),
        silent="what a thing is made to receive or to fit of the things that are claimed",
        brief="a degree without a standard",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "unexplained_symbol",
        "A comparison has a symbol that the claim does not explain.",
        example="1. A nozzle comprising an inlet and an outlet, wherein 0.2 < K/L < 0.5.",
        twin="1. A nozzle comprising an inlet of width K and an outlet of width L, wherein 0.2 < K/L < 0.5.",
        us=Provision("35 U.S.C. 112(b); MPEP 2173.02(II)"),
        epc=Provision(f"{_EPC}, 4.1"),
        silent="claims with a formula, an equation or a sequence, whose image the text may have lost; units",
        brief="an unknown symbol or unit",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "result_alone",
        "A clause states only a result, not what brings it about.",
        example="1. A fan comprising a hub and a blade on the hub, such that noise is reduced.",
        twin="1. A fan comprising a hub and a blade on the hub, wherein the blade has a serrated edge.",
        us=Provision(f"{_US}(g)"),
        epc=Provision(f"{_EPC}, 4.10"),
        silent="a result with what brings it about or with what it is compared (“is reduced by the ribs”)",
        brief="a mere result",
    ),
    Rule(
        ErrorClass.AMBIGUITY,
        "points_elsewhere",
        "The claim refers to a drawing, a table or the description for what it includes.",
        example="1. A bracket comprising a plate and a hook, wherein the hook has the shape shown in FIG. 3.",
        twin="1. A bracket comprising a plate and a hook, wherein the hook has the shape of a ring.",
        us=Provision(f"{_US}(s)"),
        epc=Provision("Rule 43(6) EPC; Guidelines F-IV, 4.17"),
        silent="a pattern, a spectrum or a sequence that only a figure can show; tables within the claim",
        brief="a pointer to the description",
    ),
)

RULE = {rule.subtype: rule for rule in RULES}
