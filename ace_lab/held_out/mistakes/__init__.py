"""Mistakes that drafters make, by family, each with a clean twin: the mirror in which the rules are measured.

Written from the law (MPEP 608.01, 2117, 2173.05; 37 CFR 1.75, 1.121, 1.126) and from how drafters err, apart
from the rules and before they were changed. Whoever writes rules does not read the families, and no rule or
confidence is fitted on them; `benchmarks.rules` counts. The gatekeeper learns from the STUDIED four fifths of
them, drawn by lot before it was trained, and is measured on the others, UNSEEN (`benchmarks.verdicts`).
"""

from random import Random

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


def _by_lot() -> frozenset[str]:
    """Four fifths of the families of each class, rounded down: the same ones always."""
    drawn = (
        Random(f"studied/{each.value}").sample(edits, len(edits) * 4 // 5) for each, edits in _EDITS.items()
    )
    return frozenset(edit.__name__ for edits in drawn for edit in edits)


STUDIED: tuple[Family, ...] = tuple(family for family in FAMILIES if family.name in _by_lot())
UNSEEN: tuple[Family, ...] = tuple(family for family in FAMILIES if family not in STUDIED)

__all__ = ["FAMILIES", "STUDIED", "UNSEEN", "Family"]
