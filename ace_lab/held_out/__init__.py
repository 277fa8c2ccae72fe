"""Defects with known places, for measuring how many of them the checks find.

Kept apart from `ace_lab.injectors`, which the confidences are fitted on: other edits, other words, and
another way to find the name of an element. Each edit follows the legal definition of a defect, not what the
checks look for.
"""

from ace.claims.taxonomy import ErrorClass
from ace_lab.held_out import ambiguity, antecedent, dependency, logical, syntax
from ace_lab.held_out.edits import Defect, DefectPlace, Injector

INJECTORS: dict[ErrorClass, tuple[Injector, ...]] = {
    ErrorClass.ANTECEDENT: antecedent.INJECTORS,
    ErrorClass.DEPENDENCY: dependency.INJECTORS,
    ErrorClass.LOGICAL: logical.INJECTORS,
    ErrorClass.AMBIGUITY: ambiguity.INJECTORS,
    ErrorClass.SYNTAX: syntax.INJECTORS,
}

__all__ = ["INJECTORS", "Defect", "DefectPlace", "Injector"]
