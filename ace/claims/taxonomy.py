"""The six classes of the gatekeeper, the law behind each kind of defect, what a defect draws, and the two
verdicts.

The five kinds of defect are those of the paper (appendix C). LABELS is the order of every
probability row in ACE; an engine refuses a model directory that names a different order.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

PASS: Final = "pass"  # noqa: S105 a verdict

REMARK: Final = "remark"
"""Stands in place of a class before the kind of a remark, which is no defect and decides nothing."""


class Ground(StrEnum):
    """What a defect draws from an office: a claim is rejected for what it says, and objected to for its form
    (MPEP 706.01)."""

    REJECTION = "rejection"
    OBJECTION = "objection"


# A claim that violates one of these is unpatentable: it is rejected, although 112(d) is about form (MPEP
# 608.01(n), III; form paragraph 7.36.01). Improper multiple dependency, 112(e), is objected to under 37 CFR
# 1.75(c) (form paragraph 7.45). Examiners of the EPO raise objections; there is nothing else for one claim.
_REJECTING: Final = re.compile(r"35 U\.S\.C\. (?:101|112\([abd]\))")


def ground_of(law: str) -> Ground:
    """What a defect draws that violates this law, which is named as an Office action cites it."""
    return Ground.REJECTION if _REJECTING.search(law) else Ground.OBJECTION


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

    @property
    def ground(self) -> Ground:
        """What a defect of this class draws if nothing else is known of it."""
        return ground_of(self.law)


class Verdict(StrEnum):
    """The answer for one claim; the values are those of the expert's JSON."""

    PASS = "Pass"  # noqa: S105 a verdict
    FAIL = "Fail"


_LAW: Final[dict[ErrorClass, str]] = {
    ErrorClass.ANTECEDENT: "35 U.S.C. 112(b); MPEP 2173.05(e)",
    ErrorClass.DEPENDENCY: "35 U.S.C. 112(d); 37 CFR 1.75(c); MPEP 608.01(n)",
    ErrorClass.LOGICAL: "35 U.S.C. 112(b); MPEP 2173.02",
    ErrorClass.AMBIGUITY: "35 U.S.C. 112(b); MPEP 2173.05(b)",
    ErrorClass.SYNTAX: "37 CFR 1.75; MPEP 608.01(m)",
}

LABELS: Final[tuple[str, ...]] = (PASS, *(member.value for member in ErrorClass))
"""Column order of the gatekeeper's probabilities, shape (N, 6)."""
