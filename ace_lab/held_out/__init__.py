"""Defects with known places, for measuring how many of them the checks find.

Held apart from the injectors of `ace_lab`, which the confidences are fitted on: other edits, other
words, another way to tell what an element is called. Each edit follows the definition of a defect
in law, not what the checks look for.
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

__all__ = ["INJECTORS", "Defect", "Injector", "DefectPlace"]
