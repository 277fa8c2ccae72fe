"""The deterministic checks, one module or package per class of defect.

Each has `RULES` and `check(reading, claim)`, which yields the flaws of one claim. Here they become
findings: under one jurisdiction, with a confidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from ace.claims.checks import ambiguity, antecedent, dependency, logical, syntax
from ace.claims.checks.confidence import confidence
from ace.claims.findings import Finding, Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction, Provision, Rule
from ace.claims.taxonomy import ErrorClass
from ace.claims.terms import Terms

_CHECKS: Final = (antecedent, dependency, logical, ambiguity, syntax)

RULES: Final[tuple[Rule, ...]] = tuple(chain.from_iterable(check.RULES for check in _CHECKS))
"""Every rule, by class in the order of the taxonomy."""

RETIRED: Final[tuple[str, ...]] = (
    "ambiguity.and_or",
    "ambiguity.no_unit",
    "ambiguity.result_alone",
    "ambiguity.size_of_anything",
    "ambiguity.unexplained_symbol",
    "logical.contradiction",
    "logical.outside_group",
    "logical.present_and_absent",
    "logical.used_before_made",
    "syntax.capital",
    "syntax.misplaced_conjunction",
    "syntax.numbering_gap",
    "syntax.numerals",
)
"""Ids of rules that are gone: findings that an earlier version stored may name them."""


def flaws_of(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Every flaw that a check sees in the claim, whatever its confidence; none in a claim without text
    of its own ("(Canceled)")."""
    if claim.pending:
        for check in _CHECKS:
            yield from check.check(reading, claim)


def findings_in(reading: Reading, claim: Claim, jurisdiction: Jurisdiction) -> list[Finding]:
    """The findings on one claim of a reading, of any confidence, in order of position, but those about a term
    that its list ignores."""
    found = [
        _finding(reading, claim, flaw, provision)
        for flaw in flaws_of(reading, claim)
        if (provision := flaw.rule.provision(jurisdiction)) is not None
    ]
    kept = (each for each in found if not _is_ignored(each, reading.terms))
    return sorted(kept, key=lambda each: (each.start, each.end))


def _is_ignored(finding: Finding, terms: Terms) -> bool:
    """What a claim refers to is no matter of terms."""
    return finding.error_class is not ErrorClass.DEPENDENCY and terms.ignores(finding.quote)


def _finding(reading: Reading, claim: Claim, flaw: Flaw, provision: Provision) -> Finding:
    """The finding with the words of the claim as it was filed."""
    fix = flaw.fix
    return Finding(
        claim=claim.number,
        error_class=flaw.rule.error_class,
        subtype=flaw.rule.subtype,
        law=provision.law,
        severity=provision.severity,
        start=flaw.start,
        end=flaw.end,
        quote=reading.filed[claim.number].text[flaw.start : flaw.end],
        explanation=reading.as_written(flaw.explanation),
        confidence=confidence(flaw),
        fix=None if fix is None else replace(fix, replacement=reading.as_written(fix.replacement)),
    )
