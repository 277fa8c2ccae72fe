"""What the rules find in one claim, given its chain of ancestors and nothing else of its set."""

from __future__ import annotations

import re

from ace.claims.chains import chain_set
from ace.claims.checks import check_claim
from ace.claims.findings import Finding
from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.claims.reading import Reading
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass


def find(claim: ClaimInput, total: int | None = None) -> list[Finding]:
    """What the checks find in the claim, given only its chain of ancestors."""
    return found_in(Reading(chain_set(claim)), claim, total)


def fails(finding: Finding) -> bool:
    """Whether a claim with this finding fails; a remark alone does not fail a claim.

    The confidence need not be higher than the checks' default, which assumes claims of ordinary quality: the
    claims that come here have made the gatekeeper doubt, and are more often defective.
    """
    return finding.severity is not Severity.NOTE


def found_in(reading: Reading, claim: ClaimInput, total: int | None) -> list[Finding]:
    """As `find`, given the reading of the claim's chain. `total` is None if it is unknown."""
    found = check_claim(reading, reading.claims[claim.number])
    if CHAIN_CUT not in claim.ancestors:
        return found
    # What was cut off may introduce an element, or be the claim referred to: keep only what is certain.
    return [each for each in found if _stands_without_chain(each, total)]


def _stands_without_chain(found: Finding, total: int | None) -> bool:
    if found.error_class is ErrorClass.ANTECEDENT:
        return False
    if found.rule_id == "dependency.nonexistent":
        return total is not None and all(
            int(digits) > total for digits in re.findall("[0-9]{1,9}", found.quote)
        )
    return True
