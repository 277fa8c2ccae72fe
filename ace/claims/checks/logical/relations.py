"""How two things stand to each other, and what cannot both hold: "A is above B", "B is above A"; "A touches
B", "A is spaced apart from B"; "A is always beside B", "A is beside B only at times".
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.checks.logical.chain import kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.stated_relations import IN_TURN, Relation, relations
from ace.claims.checks.logical.subjects import alternatives, step_between
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading


def contradictions(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Relations that the claim states between two things against what it says before or inherits."""
    own = relations(reading, claim.text)
    if not own:
        return
    before: _Stated = {}
    earlier = [(claim, before)]
    earlier += [(holder, _by_things(reading, holder.text)) for holder in nearest_ancestors(reading, claim)]
    for relation in own:
        if relation.conditional:
            continue
        for holder, stated in earlier:
            others = stated.get(relation.things, {}).values()
            excluded = next((other for other in others if relation.excludes(other)), None)
            if (
                excluded is not None
                and holder is claim
                and (
                    alternatives(claim.text, excluded.end, relation.start)
                    or (relation.family in IN_TURN and step_between(claim.text, excluded.end, relation.start))
                )
            ):
                continue
            if excluded is not None:
                yield _flaw(claim, relation, holder, excluded)
                break
        _add(before, relation)


_Stated = dict[frozenset[tuple[str, ...]], dict[tuple[object, ...], Relation]]
"""Relations that hold at all times by the two things; those that say the same only once, as each is compared
with each of the claims that inherit it."""


def _add(stated: _Stated, each: Relation) -> None:
    said = (each.one, each.family, each.code, each.negated, each.domain, each.frequency, each.scope)
    stated.setdefault(each.things, {}).setdefault(said, each)


@kept_with_set
def _by_things(reading: Reading, text: str) -> _Stated:
    stated: _Stated = {}
    for each in relations(reading, text):
        if not each.conditional:
            _add(stated, each)
    return stated


def _flaw(claim: Claim, relation: Relation, holder: Claim, other: Relation) -> Flaw:
    where = "the claim itself" if holder is claim else f"claim {holder.number}"
    signals = ["relation", "same_claim" if holder is claim else "inherited", "element_exact"]
    if relation.negated != other.negated:
        signals.append("negation")
    if relation.family in IN_TURN:
        signals.append("changeable")
    return Flaw(
        CONTRADICTION,
        relation.start,
        relation.end,
        f"This contradicts {where}, which says “{holder.text[other.start : other.end]}”.",
        signals=tuple(signals),
    )
