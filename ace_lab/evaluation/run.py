"""One evaluation run: its gatekeeper, its expert, and what they have answered so far.

Everything slow goes through here, so that it is timed, its progress shown, and its result cached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.gatekeeper.engine import LoadedEngine
from ace.gatekeeper.probabilities import fused_logits
from ace.routing.score import softmax
from ace_lab.evaluation.cache import AnswerCache
from ace_lab.experts.opinions import Expert, Opinion

Floats = NDArray[np.float64]
OnProgress = Callable[[str, int, int], None]
"""Called with the name of a step, how much of it is done, and the total."""

CLAIMS_A_CHUNK = 512


@dataclass(frozen=True, slots=True)
class SampleSizes:
    """How much data is used: `train` limits the rows that baselines learn from, `claims` the rows of any
    other split, `sets` the claim sets of each split. Larger splits are sampled by the seed."""

    train: int = 6_000
    claims: int = 4_000
    sets: int = 1_000
    resamples: int = 1_000
    seed: int = 1


QUICK = SampleSizes(train=400, claims=400, sets=60, resamples=200)
"""For demonstrations and tests: the same tables, with wide intervals."""


@dataclass(slots=True)
class EvaluationRun:
    """One run. The expert's opinions are cached under `expert_key`."""

    engine: LoadedEngine
    expert: Expert | None
    expert_key: str
    cache: AnswerCache
    usd_per_hour: float
    expert_usd_per_hour: float
    sizes: SampleSizes = field(default_factory=SampleSizes)
    on_progress: OnProgress = lambda _step, _done, _of: None
    scored: int = 0
    scoring_seconds: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    opinions_by_claim: dict[tuple[ClaimInput, int], Opinion | None] = field(default_factory=dict)
    examined: int = 0
    examining_seconds: float = 0.0

    def scores(self, step: str, inputs: Sequence[ClaimInput]) -> Floats:
        """Calibrated probabilities, shape (N, 6), from the cache or computed now."""
        logits = self.logits(step, inputs)
        return softmax(logits, self.engine.calibration.temperature).astype(np.float64)

    def logits(self, step: str, inputs: Sequence[ClaimInput]) -> NDArray[np.floating]:
        """The logits that the temperature applies to, shape (N, 6); the time that the model takes counts
        towards the gatekeeper's speed."""
        return fused_logits(self._raw(step, inputs), inputs, self.engine.calibration)

    def _raw(self, step: str, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        found = self.cache.logits(self.engine.revision, inputs)
        if found is None:
            parts, seconds = [np.zeros((0, 6), np.float32)], 0.0
            for start in range(0, len(inputs), CLAIMS_A_CHUNK):
                self.on_progress(step, start, len(inputs))
                began = time.perf_counter()
                parts.append(self.engine.logits(inputs[start : start + CLAIMS_A_CHUNK]))
                seconds += time.perf_counter() - began
            found = np.concatenate(parts), seconds
            self.cache.store_logits(self.engine.revision, inputs, *found)
        self.on_progress(step, len(inputs), len(inputs))
        self.scored += len(inputs)
        self.scoring_seconds += found[1]
        return found[0]

    def opinions(
        self, step: str, inputs: Sequence[ClaimInput], totals: Sequence[int]
    ) -> list[Opinion | None]:
        """The expert's opinions, from the cache or asked for now; None if an examination failed."""
        if self.expert is None:
            return [None] * len(inputs)
        found = self.cache.opinions(self.expert_key, inputs, totals)
        missing: dict[tuple[ClaimInput, int], list[int]] = {}  # twins share their sound claims
        for at, opinion in enumerate(found):
            if opinion is None:
                missing.setdefault((inputs[at], totals[at]), []).append(at)
        began = time.perf_counter()
        for done, ((claim, total), opinion) in enumerate(self._examined(list(missing))):
            self.on_progress(step, done, len(missing))
            for at in missing[claim, total]:
                found[at] = opinion
            if opinion is not None:
                self.cache.store_opinion(self.expert_key, claim, total, opinion)
                self.examined += 1
        self.examining_seconds += time.perf_counter() - began
        self.opinions_by_claim |= dict(zip(zip(inputs, totals, strict=True), found, strict=True))
        self.on_progress(step, len(missing), len(missing))
        return found

    def _examined(
        self, missing: Sequence[tuple[ClaimInput, int]]
    ) -> Iterator[tuple[tuple[ClaimInput, int], Opinion | None]]:
        if self.expert is not None and missing:
            claims, totals = zip(*missing, strict=True)
            for at, opinion in self.expert.opinions(claims, totals):
                yield missing[at], opinion

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Records the seconds that a step takes, under its name."""
        self.on_progress(step, 0, 0)
        began = time.perf_counter()
        yield
        self.steps[step] = round(time.perf_counter() - began, 2)

    @property
    def seconds_per_claim(self) -> float | None:
        """Mean time of the gatekeeper over all claims scored."""
        return self.scoring_seconds / self.scored if self.scored else None

    @property
    def expert_name(self) -> str | None:
        """The expert's name, which may be known only once it has answered."""
        return None if self.expert is None else self.expert.name


def usd_per_million(seconds_per_claim: float | None, usd_per_hour: float) -> float | None:
    """What a million claims cost on a machine at that rate (paper, appendix D)."""
    return None if seconds_per_claim is None else seconds_per_claim / 3_600 * 1_000_000 * usd_per_hour
