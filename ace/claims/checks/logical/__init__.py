"""Logic: what a claim says against itself or against what it inherits.

One module for each family of rules. Each begins with a cheap look for its trigger words and reads
closer only where there are some.
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.checks.logical.acts import done_and_not_done, opposed_acts
from ace.claims.checks.logical.attributes import contradictions as opposed_attributes
from ace.claims.checks.logical.contents import misfitting_contents
from ace.claims.checks.logical.denial import denials
from ace.claims.checks.logical.groups import outside_group
from ace.claims.checks.logical.narrowing import misfitting_ranges
from ace.claims.checks.logical.order import early_uses
from ace.claims.checks.logical.possessions import misfitting_possessions
from ace.claims.checks.logical.ranges import impossible_ranges
from ace.claims.checks.logical.relations import contradictions as opposed_relations
from ace.claims.checks.logical.rules import RULES
from ace.claims.checks.logical.transitions import openings
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Yields the flaws of one claim."""
    yield from impossible_ranges(reading, claim)
    yield from misfitting_ranges(reading, claim)
    yield from misfitting_contents(reading, claim)
    yield from outside_group(reading, claim)
    yield from opposed_attributes(reading, claim)
    yield from opposed_relations(reading, claim)
    yield from opposed_acts(reading, claim)
    yield from done_and_not_done(reading, claim)
    yield from misfitting_possessions(reading, claim)
    yield from openings(reading, claim)
    yield from denials(reading, claim)
    yield from early_uses(reading, claim)
