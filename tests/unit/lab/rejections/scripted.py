"""A gatekeeper and an expert that say what a test wrote down, by the claim's text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.calibration import Calibration
from ace_lab.experts.opinions import Opinion, Progress


class ScriptedEngine:
    """`said` has, by text, P_inv, its class, and the words that it points at; others are a sure Pass."""

    revision = "scripted"

    def __init__(self, said: Mapping[str, tuple[float, str, str]], tau: float) -> None:
        self._said = said
        shipped = Calibration.load(Path(SHIPPED_MODEL) / "calibration.json")
        self.calibration = replace(shipped, score="u", learned=None, tau=tau)
        self.scored: list[ClaimInput] = []

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        self.scored.extend(inputs)
        p = np.zeros((len(inputs), len(LABELS)), np.float32)
        for row, claim in zip(p, inputs, strict=True):
            invalid, kind, _ = self._said.get(claim.text, (0.01, "syntax", ""))
            row[0], row[LABELS.index(kind)] = 1 - invalid, invalid
        return p

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = np.log(np.maximum(self.score(inputs), 1e-9))
        return found

    def locate(
        self, inputs: Sequence[ClaimInput], classes: Sequence[int] | NDArray[np.int64]
    ) -> list[tuple[int, int] | None]:
        found: list[tuple[int, int] | None] = []
        for claim in inputs:
            words = self._said[claim.text][2]
            at = claim.text.find(words) if words else -1
            found.append(None if at < 0 else (at, at + len(words)))
        return found


class ScriptedExpert:
    """Answers by text; a text that is not there is a failed examination."""

    name = "scripted expert"

    def __init__(self, said: Mapping[str, Opinion]) -> None:
        self._said = said
        self.failures: Counter[str] = Counter()

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        found = [self._said.get(claim.text) for claim in inputs]
        self.failures["timeout"] += found.count(None)
        if progress is not None:
            progress(len(inputs))
        return found
