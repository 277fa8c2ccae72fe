"""The deterministic checks, one module or package per class of defect.

Each has `RULES` and `check(reading, claim)`, which yields the flaws of one claim. Here they become
findings: under one jurisdiction, with a confidence, those above a threshold.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ace.claims.checks import ambiguity, antecedent, dependency, logical, syntax
from ace.claims.confidence import DEFAULT_THRESHOLD, confidence
from ace.claims.findings import Finding, Flaw
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction, Rule

_CHECKS = (antecedent, dependency, logical, ambiguity, syntax)

RULES: tuple[Rule, ...] = tuple(chain.from_iterable(check.RULES for check in _CHECKS))
"""Every rule, by class in the order of the taxonomy."""


def check_set(
    claims: ClaimSet | Reading,
    *,
    jurisdiction: Jurisdiction = Jurisdiction.US,
    threshold: float = DEFAULT_THRESHOLD,
) -> list[Finding]:
    """All findings on a claim set with at least `threshold` confidence, claim by claim, by position."""
    reading = claims if isinstance(claims, Reading) else Reading(claims)
    return [
        finding
        for claim in reading.claims
        for finding in _findings(reading, claim, jurisdiction, threshold, whole_set=True)
    ]


def check_claim(
    claims: ClaimSet | Reading,
    claim: Claim,
    *,
    jurisdiction: Jurisdiction = Jurisdiction.US,
    threshold: float = DEFAULT_THRESHOLD,
) -> list[Finding]:
    """The findings on one claim, given itself and at least the claims it depends on."""
    reading = claims if isinstance(claims, Reading) else Reading(claims)
    return _findings(reading, claim, jurisdiction, threshold, whole_set=False)


def flaws_of(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Everything any check sees in the claim, whatever its confidence. Nothing in one without text
    of its own ("(Canceled)")."""
    if claim.pending:
        for check in _CHECKS:
            yield from check.check(reading, claim)


def _findings(
    reading: Reading, claim: Claim, jurisdiction: Jurisdiction, threshold: float, *, whole_set: bool
) -> list[Finding]:
    found: list[Finding] = []
    for flaw in flaws_of(reading, claim):
        provision = flaw.rule.provision(jurisdiction)
        if provision is None or (flaw.rule.whole_set and not whole_set):
            continue
        sure = confidence(flaw)
        if sure >= threshold:
            found.append(
                Finding(
                    claim=claim.number,
                    error_class=flaw.rule.error_class,
                    subtype=flaw.rule.subtype,
                    law=provision.law,
                    severity=provision.severity,
                    start=flaw.start,
                    end=flaw.end,
                    quote=claim.text[flaw.start : flaw.end],
                    explanation=flaw.explanation,
                    confidence=sure,
                    fix=flaw.fix,
                )
            )
    return sorted(found, key=lambda each: (each.start, each.end))
