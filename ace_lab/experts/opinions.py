"""Opinions of an expert on many claims at once, for a measurement.

A failed examination is counted by kind. A claim that ends without an opinion is None, which is never
taken for a verdict; each measurement decides what to do with such claims.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ace.claims.analysis import analysis_of
from ace.claims.chains import BrokenChain
from ace.claims.findings import Finding
from ace.claims.model import ClaimInput
from ace.claims.rules import Severity

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Opinion:
    """An expert's opinion on one claim.

    `error_class` is that of the gravest defect, None on a Pass or if none was named. `quotes` are the words
    of the claim that show the defects, `reasons` the same with the class of each. `seconds` is the time of
    the examination, `tokens` those of prompt and answer if reported, `answer_tokens` those of the answer
    among them. `reported` counts the defects reported, `verified` those whose quotation is in the claim;
    `disputed` is that of ace.expert.prompt.verification.
    """

    fail: bool
    error_class: str | None
    quotes: tuple[str, ...]
    seconds: float
    tokens: int
    reasons: tuple[tuple[str, str], ...] = ()
    answer_tokens: int = 0
    reported: int = 0
    verified: int = 0
    disputed: bool = False


IndexedOpinion = tuple[int, Opinion | None]
"""The index of a claim among those asked about, and its opinion."""


class Expert(Protocol):
    """Examines claims for a measurement; `failures` counts the failed examinations by kind."""

    failures: Counter[str]

    @property
    def name(self) -> str:
        """Its name in reports."""

    @property
    def key(self) -> str:
        """Identifies everything that its opinions depend on; cached opinions are found by it."""

    def opinions(self, inputs: Sequence[ClaimInput], totals: Sequence[int]) -> Iterator[IndexedOpinion]:
        """An opinion for each input as it comes, None if the examination failed. `totals` has the number
        of claims in each input's filing."""

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        """All of `opinions` in the order of the inputs; `progress` is called with the number done."""


class StructuralExpert:
    """The deterministic checks, in this process."""

    name = key = "structural"

    def __init__(self) -> None:
        self.failures: Counter[str] = Counter()

    def opinions(self, inputs: Sequence[ClaimInput], totals: Sequence[int]) -> Iterator[IndexedOpinion]:
        """As Expert.opinions. A chain that cannot be read counts as `chain`."""
        del totals
        for at, claim in enumerate(inputs):
            yield at, self._one(claim)

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        """As Expert.examine."""
        return in_order(self.opinions(inputs, totals), len(inputs), progress)

    def _one(self, claim: ClaimInput) -> Opinion | None:
        began = time.perf_counter()
        try:
            found = analysis_of(claim).reported()
        except BrokenChain:
            self.failures["chain"] += 1
            return None
        grave = sorted((each for each in found if each.fails), key=_gravity, reverse=True)
        return Opinion(
            fail=bool(grave),
            error_class=grave[0].error_class.value if grave else None,
            quotes=tuple(dict.fromkeys(finding.quote for finding in grave)),
            seconds=time.perf_counter() - began,
            tokens=0,
            reasons=tuple((finding.error_class.value, finding.quote) for finding in grave),
            reported=len(grave),
            verified=len(grave),
        )


def in_order(
    opinions: Iterable[IndexedOpinion], count: int, progress: Progress | None
) -> list[Opinion | None]:
    """The opinions in the order of the claims; `progress` is called after each."""
    found: list[Opinion | None] = [None] * count
    for at, opinion in opinions:
        found[at] = opinion
        if progress is not None:
            progress(1)
    return found


_SEVERITIES = (Severity.NOTE, Severity.WARNING, Severity.ERROR)


def _gravity(finding: Finding) -> tuple[int, float]:
    return _SEVERITIES.index(finding.severity), finding.confidence
