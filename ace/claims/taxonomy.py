"""The six classes of the gatekeeper, the law behind each kind of defect, and the two verdicts.

The five kinds of defect are those of the paper (appendix C). LABELS is the order of every
probability row in ACE; an engine refuses a model directory that names a different order.
"""

from __future__ import annotations

from enum import StrEnum

PASS = "pass"  # noqa: S105 a verdict


class ErrorClass(StrEnum):
    """What can be wrong with a claim; the values are the labels of the gatekeeper."""

    ANTECEDENT = "antecedent"
    DEPENDENCY = "dependency"
    LOGICAL = "logical"
    AMBIGUITY = "ambiguity"
    SYNTAX = "syntax"

    @property
    def law(self) -> str:
        """The statute or rule that a defect of this class offends, as an Office action cites it."""
        return _LAW[self]


class Verdict(StrEnum):
    """The answer for one claim; the values are those of the expert's JSON."""

    PASS = "Pass"  # noqa: S105 a verdict
    FAIL = "Fail"


_LAW: dict[ErrorClass, str] = {
    ErrorClass.ANTECEDENT: "35 U.S.C. 112(b); MPEP 2173.05(e)",
    ErrorClass.DEPENDENCY: "35 U.S.C. 112(d); 37 CFR 1.75(c); MPEP 608.01(n)",
    ErrorClass.LOGICAL: "35 U.S.C. 112(b); MPEP 2173.02",
    ErrorClass.AMBIGUITY: "35 U.S.C. 112(b); MPEP 2173.05(b)",
    ErrorClass.SYNTAX: "37 CFR 1.75; MPEP 608.01(m)",
}

LABELS: tuple[str, ...] = (PASS, *(member.value for member in ErrorClass))
"""Column order of the gatekeeper's probabilities, shape (N, 6)."""
