"""The injectors of `held_out` in the form of those that rows are built with, for the held-out rows.

They stay as they are: nothing of theirs may reach a training row, and they know nothing of `injectors`.
"""

from collections.abc import Callable
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab import held_out
from ace_lab.injectors.edits import Injection, Injector, Lexicon

REPORTED_APART = frozenset({"introduced_twice"})
"""Names of injectors whose defects only a reader of the whole case can tell from sound claims: a second
introduction of the same thing (docs/confidence.md). They stay in the set, and beside the totals."""


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


def _as_injector(label: str, inject: Callable[[ClaimSet, Random], held_out.Defect | None]) -> Injector:
    def injector(claims: ClaimSet, _: Claim, rng: Random, __: Lexicon) -> Injection | None:
        defect = inject(claims, rng)
        if defect is None:
            return None
        place = defect.places[0]
        return Injection(defect.claims, place.claim, label, inject.__name__, place.start, place.end)

    injector.__name__ = inject.__name__
    return injector
