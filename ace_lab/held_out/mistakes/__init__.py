"""Mistakes that drafters make, by family, each with a clean twin: the mirror in which the rules are measured.

Written from the law (MPEP 608.01, 2117, 2173.05; 37 CFR 1.75, 1.121, 1.126) and from how drafters err, apart
from the rules and before they were changed. Whoever writes rules does not read the families, and nothing is
fitted on them; `benchmarks.rules` counts.
"""

from ace.claims.taxonomy import ErrorClass
from ace_lab.held_out.mistakes import (
    amendments,
    contradictions,
    dependencies,
    form,
    grammar,
    names,
    quantities,
    references,
    wording,
)
from ace_lab.held_out.mistakes.family import Family

_EDITS = {
    ErrorClass.ANTECEDENT: (*references.EDITS, *names.EDITS),
    ErrorClass.DEPENDENCY: dependencies.EDITS,
    ErrorClass.LOGICAL: (*contradictions.EDITS, *quantities.EDITS),
    ErrorClass.AMBIGUITY: wording.EDITS,
    ErrorClass.SYNTAX: (*form.EDITS, *grammar.EDITS, *amendments.EDITS),
}

FAMILIES: tuple[Family, ...] = tuple(
    Family(error_class, edit) for error_class, edits in _EDITS.items() for edit in edits
)

__all__ = ["FAMILIES", "Family"]
