"""How many rows each injector should make, and which injector to try first on a claim."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edits import Injection, Injector, Lexicon


class Quotas:
    """The rows still wanted of each class and, within a class, of each injector by its weight.

    Numeric logic fits few claims, a missing period fits all. So the injector that has succeeded least often
    is tried first; otherwise the common ones would use up the claims that suit the scarce ones. An edit that
    does not satisfy `fits` is not used.
    """

    def __init__(
        self,
        injectors: Mapping[str, Sequence[tuple[Injector, int]]],
        rows: Mapping[str, int],
        fits: Callable[[Injection], bool],
    ) -> None:
        self._fits = fits
        self._of_class = {label: rows[label] for label in injectors}
        self._wanted: dict[Injector, int] = {}
        self._label: dict[Injector, str] = {}
        for label, choices in injectors.items():
            weights = sum(weight for _, weight in choices)
            for injector, weight in choices:
                self._wanted[injector] = round(rows[label] * weight / weights)
                self._label[injector] = label
        self._tried = dict.fromkeys(self._wanted, 2)
        self._fitted = dict.fromkeys(self._wanted, 1)
        self.filled = 0

    def take(
        self, claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon, *, strict: bool
    ) -> Injection | None:
        """One wanted edit of the claim, or None; `strict` limits each injector to its own share."""
        for injector in self._order(rng, strict=strict):
            injection = injector(claims, claim, rng, lexicon)
            self._tried[injector] += 1
            if injection is not None and self._fits(injection):
                self._fitted[injector] += 1
                self._wanted[injector] -= 1
                self._of_class[self._label[injector]] -= 1
                self.filled += 1
                return injection
        return None

    def _order(self, rng: Random, *, strict: bool) -> list[Injector]:
        opened = [
            injector
            for injector, count in self._wanted.items()
            if self._of_class[self._label[injector]] > 0 and (count > 0 or not strict)
        ]
        rates = {one: self._fitted[one] / self._tried[one] + 0.1 * rng.random() for one in opened}
        return sorted(opened, key=rates.__getitem__)
