"""Held-out rows: claims of test families edited by injectors that made no training row, and their sound
twins.

The injectors of `held_out` stay as they are: nothing of theirs may reach a training row, and they know
nothing of `injectors`. They choose their own place in a set. Some add a claim, whose twin is the claim
that it depends on. Each real claim is used once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab import held_out
from ace_lab.data.pools import Pool
from ace_lab.data.quotas import Quotas
from ace_lab.data.rows import Row
from ace_lab.data.set_rows import whole_sets
from ace_lab.data.single_rows import row_of
from ace_lab.data.sources import SourceSet
from ace_lab.injectors.edits import Injection, Injector, Lexicon

SPLIT = "held_out"
_ROUNDS = 40

REPORTED_APART = frozenset({"introduced_twice"})
"""Injectors whose defects only a reader of the whole case can tell from sound claims: a second introduction
of the same thing (docs/reference/confidence.md). They stay in the set but are reported apart from the
totals."""


def held_out_injectors() -> dict[str, tuple[tuple[str, Injector], ...]]:
    """By class, in the order of `held_out`: each injector's name, and the injector.

    Such an injector looks at the whole set and picks its own place, so the claim and the lexicon that
    it is given mean nothing to it: `Injection.number` may be another claim, and one that the set did
    not have before. A defect that shows at several places is taken at the first.
    """
    return {
        error_class.value: tuple((each.__name__, _as_injector(error_class.value, each)) for each in injectors)
        for error_class, injectors in held_out.INJECTORS.items()
    }


def held_out_rows(pool: Pool, asked: Mapping[str, int], rng: Random) -> Iterator[Row]:
    """The requested rows of each class, as far as the claims allow, and equally many real Pass rows."""
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


def _as_injector(label: str, inject: Callable[[ClaimSet, Random], held_out.Defect | None]) -> Injector:
    def injector(claims: ClaimSet, _: Claim, rng: Random, __: Lexicon) -> Injection | None:
        defect = inject(claims, rng)
        if defect is None:
            return None
        place = defect.places[0]
        return Injection(defect.claims, place.claim, label, inject.__name__, place.start, place.end)

    injector.__name__ = inject.__name__
    return injector


class _Unused:
    """Accepts only edits of claims that were not used before; `member` is the set being edited."""

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
        """The real claim that was edited, or that an added claim depends on."""
        real = self.member.claims
        edited = injection.claims[injection.number]
        numbers = (edited.number, *edited.parents, real.claims[0].number)
        return next(claim for number in numbers if (claim := real.get(number)) is not None)
