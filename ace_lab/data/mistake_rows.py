"""Training rows with mistakes of drafters (`ace_lab.held_out.mistakes.STUDIED`), with their sound rows.

The sound rows are the family's twin, an edit of the same shape that is no defect, wherever the set has a
place for it, and of some mistakes the claim before the edit. A granted claim counts as sound even if the
rules report something. Families that are not studied make no training row, because the gatekeeper is
measured on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ace.claims.taxonomy import PASS
from ace_lab.data.pools import Pool
from ace_lab.data.rows import Row
from ace_lab.data.single_rows import Distinct, row_of
from ace_lab.data.sources import SourceSet
from ace_lab.held_out.edits import Defect
from ace_lab.held_out.mistakes import STUDIED, Family
from ace_lab.injectors.edits import Injection

UNEDITED_SHARE = 0.25
"""Of the mistakes, those that the unedited claim is shown beside, if it is sound."""

_OF_THE_SET = frozenset({"number_left_out", "numbers_out_of_order", "status_misspelt"})
"""Mistakes that do not show in the text of a claim and its chain."""


def mistake_rows(pool: Pool, tried: int, distinct: Distinct, rng: Random) -> Iterator[Row]:
    """For so many families on each set of the pool, the edited claim, if the set has a place for the mistake,
    and its sound rows."""
    sound = {(member.name, claim.number) for member, claim in pool.claims}
    families = shown_in_a_claim()
    for member in pool.members:
        for family in rng.sample(families, min(tried, len(families))):
            seed = rng.random()
            row = _row_of(pool, member, family.mistake(member.claims, Random(seed)), family)
            if row is None or distinct.elsewhere(row.text):
                continue
            yield row
            twin = _row_of(pool, member, family.twin(member.claims, Random(seed)), family, PASS)
            if twin is not None and not distinct.elsewhere(twin.text):
                yield twin
            real = member.claims.get(row.number)
            shown = rng.random() < UNEDITED_SHARE
            if shown and real is not None and (member.granted or (member.name, real.number) in sound):
                unedited = Injection(member.claims, real.number, PASS, "none")
                yield row_of(pool.split, (member, real), unedited, member.claims, ())


def _row_of(
    pool: Pool, member: SourceSet, edit: Defect | None, family: Family, label: str | None = None
) -> Row | None:
    """The row of a mistake or twin; None if the set has no place for it."""
    if edit is None:
        return None
    return row_of_edit(pool, member, edit, label or family.error_class.value, family.name)


def shown_in_a_claim() -> list[Family]:
    """The studied families whose mistakes show in a claim and its chain."""
    return [family for family in STUDIED if family.name not in _OF_THE_SET]


def row_of_edit(pool: Pool, member: SourceSet, edit: Defect, label: str, name: str) -> Row | None:
    """The row of the claim where the edit shows first; None for a place without words."""
    place = edit.places[0]
    spans = tuple((each.start, each.end) for each in edit.places if each.claim == place.claim)
    if any(start == end for start, end in spans):
        return None
    injection = Injection(edit.claims, place.claim, label, name, place.start, place.end)
    origin = member, edit.claims[place.claim]
    return row_of(pool.split, origin, injection, edit.claims, () if label == PASS else spans)
