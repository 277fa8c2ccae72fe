"""Logic: numbers and lists of a claim that cannot hold together with each other or with what it inherits.

What else a claim may say against itself, in free words, is for the gatekeeper and the expert to see.
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.checks.logical.lists import reopened_lists, repeated_members
from ace.claims.checks.logical.narrowing import misfitting_quantities
from ace.claims.checks.logical.ranges import impossible_ranges, several_limits
from ace.claims.checks.logical.rules import RULES
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Yields the flaws of one claim."""
    yield from impossible_ranges(reading, claim)
    yield from several_limits(reading, claim)
    yield from misfitting_quantities(reading, claim)
    yield from repeated_members(reading, claim)
    yield from reopened_lists(reading, claim)
