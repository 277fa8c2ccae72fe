"""The deterministic checks, one module or package per class of defect.

Each has `RULES` and `check(reading, claim)`, which yields the flaws of one claim. Here they become
findings: under one jurisdiction, with a confidence, those above a threshold.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import chain

from ace.claims.checks import ambiguity, antecedent, dependency, logical, syntax
from ace.claims.checks.confidence import DEFAULT_THRESHOLD, confidence
from ace.claims.findings import Finding, Flaw
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction, Rule
from ace.claims.taxonomy import ErrorClass

_CHECKS = (antecedent, dependency, logical, ambiguity, syntax)

_REPORTED_ONCE = frozenset({ErrorClass.ANTECEDENT, ErrorClass.AMBIGUITY})
_DETERMINER = re.compile(r"^(?:the|said|an?)\s", re.IGNORECASE)

RULES: tuple[Rule, ...] = tuple(chain.from_iterable(check.RULES for check in _CHECKS))
"""Every rule, by class in the order of the taxonomy."""


def check_set(
    claims: ClaimSet | Reading,
    *,
    jurisdiction: Jurisdiction = Jurisdiction.US,
    threshold: float = DEFAULT_THRESHOLD,
) -> list[Finding]:
    """All findings on a claim set with at least `threshold` confidence, by claim and position.

    A defect that several claims share is reported at the first; `also` names the others.
    """
    reading = claims if isinstance(claims, Reading) else Reading(claims)
    reported: dict[Hashable, Finding] = {}
    for claim in reading.claims:
        for finding in _findings(reading, claim, jurisdiction, threshold, whole_set=True):
            key = topic(finding.error_class, finding.subtype, finding.quote)
            first = reported.setdefault(key, finding)
            if first.claim != claim.number and claim.number not in first.also:
                reported[key] = replace(first, also=(*first.also, claim.number))
    return list(reported.values())


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


def topic(error_class: ErrorClass, subtype: str, quote: str) -> Hashable:
    """A key that is equal for findings to report once in a set: the same words that lack a basis, or are
    unclear, in several claims are one defect to correct, reported at the first of them."""
    if error_class in _REPORTED_ONCE:
        return subtype, _DETERMINER.sub("", quote).casefold()
    return object()


def flaws_of(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Every flaw that a check sees in the claim, whatever its confidence; none in a claim without text
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
