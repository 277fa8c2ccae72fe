"""Logic: what a claim says against itself or against what it inherits.

One module for each family of rules. Each begins with a cheap look for its trigger words and reads
closer only where there are some.
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.checks.logical.acts import done_and_not_done, opposed_acts, steps_denied
from ace.claims.checks.logical.additions import added_things
from ace.claims.checks.logical.attributes import contradictions as opposed_attributes
from ace.claims.checks.logical.branches import two_outcomes
from ace.claims.checks.logical.contents import misfitting_contents
from ace.claims.checks.logical.deeds import undone_deeds
from ace.claims.checks.logical.denial import denials
from ace.claims.checks.logical.frames import misfitting_frames
from ace.claims.checks.logical.groups import outside_group
from ace.claims.checks.logical.manners import opposed_manners
from ace.claims.checks.logical.minimal_pairs import minimal_pairs
from ace.claims.checks.logical.narrowing import misfitting_ranges
from ace.claims.checks.logical.order import early_uses
from ace.claims.checks.logical.possessions import misfitting_possessions
from ace.claims.checks.logical.quantifiers import opposed_quantifiers
from ace.claims.checks.logical.ranges import impossible_ranges
from ace.claims.checks.logical.relations import contradictions as opposed_relations
from ace.claims.checks.logical.rules import RULES
from ace.claims.checks.logical.sequence import reversed_steps
from ace.claims.checks.logical.shares import impossible_shares
from ace.claims.checks.logical.step_values import misfitting_steps
from ace.claims.checks.logical.transitions import openings
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Yields the flaws of one claim; what two readings find in the same words only once."""
    seen: set[tuple[str, int, int]] = set()
    for look in _LOOKS:
        for flaw in look(reading, claim):
            place = (flaw.rule.id, flaw.start, flaw.end)
            if place not in seen:
                seen.add(place)
                yield flaw
    for flaw in minimal_pairs(reading, claim):
        if not any(start < flaw.end and flaw.start < end for _, start, end in seen):
            yield flaw


_LOOKS = (
    impossible_ranges,
    misfitting_ranges,
    misfitting_contents,
    impossible_shares,
    misfitting_frames,
    misfitting_steps,
    outside_group,
    opposed_attributes,
    opposed_relations,
    opposed_acts,
    done_and_not_done,
    steps_denied,
    opposed_manners,
    two_outcomes,
    undone_deeds,
    opposed_quantifiers,
    misfitting_possessions,
    openings,
    added_things,
    denials,
    early_uses,
    reversed_steps,
)
"""The families of rules, in the order of their findings."""
