"""Claim sets at the paper's density: real ones, placebos, and 5 to 15 defects of one class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from random import Random

from ace.claims.model import Claim, ClaimSet, kept_text
from ace.claims.taxonomy import PASS
from ace_lab.data import multiple_defects
from ace_lab.data.llm_rows import LlmRows
from ace_lab.data.pools import Pool
from ace_lab.data.rows import SetRow
from ace_lab.data.sources import SourceSet
from ace_lab.injectors import INJECTORS, PLACEBO
from ace_lab.injectors.edits import Injector

LEAST_CLAIMS, MOST_CLAIMS = 5, 40
"""Size of a claim set; longer ones are cut."""

MAX_FAMILIES = 250
"""Families of a split that sets are made from, which give at most a thousand sets."""


def set_rows(pool: Pool, rng: Random, injected: LlmRows | None = None) -> list[SetRow]:
    """Sets of 5 to 40 claims: half Pass (real or placebo), half defective, with equal classes.

    Each of up to MAX_FAMILIES families gives its real set, a placebo, and sets of some classes. Sets of these
    families that language models wrote (`injected`) come first.
    """
    members = whole_sets(pool)
    rng.shuffle(members)
    members = members[:MAX_FAMILIES]
    most = {PASS: len(members), **dict.fromkeys(INJECTORS, len(members) // len(INJECTORS))}
    written = (injected or LlmRows()).sets_for(pool.split, {member.name for member in members}, most)
    real = [
        _set_row(pool.split, member, PASS, "none", multiple_defects.MarkedSet(member.claims))
        for member in members
    ]
    edited = {row.origin for row in written[PASS]}
    unedited = [member for member in members if member.name not in edited]
    placebos = written[PASS] + _filled(pool, unedited, PASS, PLACEBO, rng)
    size = (len(real) + len(placebos)) // len(INJECTORS)
    classes = []
    for label, injectors in INJECTORS.items():
        rng.shuffle(members)
        mine = written[label]
        classes.append(mine + _filled(pool, members, label, injectors, rng, size - len(mine)))
    least = min(len(rows) for rows in classes)
    pairs = chain.from_iterable(zip(real, placebos, strict=False))
    sound = [*pairs, *real[len(placebos) :]][: least * len(classes)]
    return sound + [row for rows in classes for row in rows[:least]]


def _filled(
    pool: Pool,
    members: Sequence[SourceSet],
    label: str,
    injectors: Sequence[tuple[Injector, int]],
    rng: Random,
    most: int = MAX_FAMILIES,
) -> list[SetRow]:
    """Up to `most` sets with 5 to 15 edits of one class, from the members in order."""
    found: list[SetRow] = []
    for member in members:
        if len(found) == most:
            break
        # A second edit of the same reference could correct the first one.
        once = label == "dependency"
        marked = multiple_defects.with_defects(member.claims, injectors, rng, pool.lexicon, once=once)
        if marked is not None:
            edit = "placebo" if label == PASS else "injected"
            found.append(_set_row(pool.split, member, label, edit, marked))
    return found


def whole_sets(pool: Pool) -> list[SourceSet]:
    """The sets with at least LEAST_CLAIMS claims in the pool, reduced to those, at most the first forty."""
    kept: dict[str, list[Claim]] = {}
    for member, claim in pool.claims:
        kept.setdefault(member.name, []).append(claim)
    return [
        replace(member, claims=ClaimSet(tuple(kept[member.name][:MOST_CLAIMS])))
        for member in pool.members
        if len(kept.get(member.name, ())) >= LEAST_CLAIMS
    ]


def _set_row(
    split: str, member: SourceSet, label: str, edit: str, marked: multiple_defects.MarkedSet
) -> SetRow:
    return SetRow(
        split=split,
        family=member.family,
        source=member.source,
        claims=tuple((claim.number, kept_text(claim)) for claim in marked.claims),
        label=label,
        edit=edit,
        generator="none" if edit == "none" else "rules",
        defects=tuple(sorted(marked.defects, key=lambda one: (one.claim, one.start))),
        origin=member.name,
    )
