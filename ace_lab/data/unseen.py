"""Rows of test families made by injectors that no training row was made with, and their sound twins.

The injectors of `held_out` pick their own place in a set, and some add a claim, whose twin is the claim
that it depends on. Each real claim is used once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from ace.claims.model import Claim
from ace_lab.data.held_out_rows import held_out_injectors
from ace_lab.data.pools import Pool
from ace_lab.data.quotas import Quotas
from ace_lab.data.rows import Row
from ace_lab.data.set_rows import whole_sets
from ace_lab.data.single_rows import row_of
from ace_lab.data.sources import SourceSet
from ace_lab.injectors.edits import Injection

SPLIT = "held_out"
_ROUNDS = 40


def unseen_rows(pool: Pool, asked: Mapping[str, int], rng: Random) -> Iterator[Row]:
    """The rows asked for of each class, where the claims allow, and as many real Pass rows."""
    members = whole_sets(pool)
    if not members:
        return
    by_class = {
        label: tuple((injector, 1) for _, injector in named) for label, named in held_out_injectors().items()
    }
    unused = _Unused(members[0])
    quotas = Quotas(by_class, asked, unused)
    for at in range(_ROUNDS):
        rng.shuffle(members)
        for member in members:
            unused.member, claims = member, member.claims
            injection = quotas.take(claims, claims.claims[0], rng, pool.lexicon, strict=at < _ROUNDS // 2)
            if injection is not None:
                twin = unused.twin(injection)
                origin, spans = (member, twin), ((injection.start, injection.end),)
                yield row_of(SPLIT, origin, injection, injection.claims, spans)
                real = Injection(claims, twin.number, "pass", "none")
                yield row_of(SPLIT, origin, real, claims, ())


class _Unused:
    """Tells edits of claims that were not used before; `member` is the set that is being edited."""

    def __init__(self, member: SourceSet) -> None:
        self.member = member
        self._used: set[tuple[str, int]] = set()

    def __call__(self, injection: Injection) -> bool:
        key = self.member.name, self.twin(injection).number
        if key in self._used or injection.start == injection.end:
            return False
        self._used.add(key)
        return True

    def twin(self, injection: Injection) -> Claim:
        """The real claim that was edited, or on which an added one depends."""
        real = self.member.claims
        edited = injection.claims[injection.number]
        numbers = (edited.number, *edited.parents, real.claims[0].number)
        return next(claim for number in numbers if (claim := real.get(number)) is not None)
