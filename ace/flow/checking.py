"""The findings of the rules on the claims of evaluations.

They are stored for claims that the gatekeeper fails or escalates, and computed on request for all others.
Pure: stored claims come as arguments.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Final
from uuid import UUID

from ace import __version__
from ace.claims.chains import kept_set
from ace.claims.checks import check_claim
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction
from ace.errors import Refused
from ace.store.findings import RuleFindings

log = logging.getLogger(__name__)

RULES: Final = f"ace-{__version__}"
JURISDICTION: Final = Jurisdiction.US
CHECKED_SET_CHARACTERS: Final = 200_000
"""Longer claim sets are not checked: it would take seconds. The longest we measured has 56,000."""

KeptClaims = Sequence[tuple[int, str]]
"""The claims of one filing: (number, kept text)."""


def findings_on(claims: KeptClaims, numbers: Collection[int]) -> dict[int, list[Finding]]:
    """The findings on some claims of a set. The rules may look at the whole set, which is read once."""
    reading = Reading(kept_set(claims))
    return {
        number: check_claim(
            reading, reading.claims[number], jurisdiction=JURISDICTION, threshold=DEFAULT_THRESHOLD
        )
        for number in numbers
    }


def refuse_long(characters: int) -> None:
    """Raises Refused for a claim set that is too long to check while somebody waits."""
    if characters > CHECKED_SET_CHARACTERS:
        raise Refused(
            f"claims are checked up to {CHECKED_SET_CHARACTERS} characters in all",
            code="set_too_long",
            limit=CHECKED_SET_CHARACTERS,
        )


def check_all(sets: Mapping[UUID, KeptClaims], wanted: Mapping[UUID, Mapping[int, UUID]]) -> RuleFindings:
    """The findings by evaluation; `wanted` maps each filing to {claim number: evaluation}.

    A set on which a rule raises an error is left out: no verdict may wait for that.
    """
    found: dict[UUID, list[Finding]] = {}
    for filing, claims in sets.items():
        try:
            on_claims = findings_on(claims, wanted[filing])
        except Exception as error:
            why = type(error).__name__  # a traceback could quote the claims
            log.error("claims could not be checked", extra={"filing": str(filing), "why": why})
        else:
            found |= {wanted[filing][number]: on_claim for number, on_claim in on_claims.items()}
    return RuleFindings(found, JURISDICTION, DEFAULT_THRESHOLD, RULES)
