"""Threads side by side, each taking claims from text to logits, so that no core waits for another.

Rules and tokens hold the interpreter; a forward pass releases it. With a thread for every core, one
prepares its next claims while the others compute, and no matrix product is worth splitting.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.gatekeeper.batching import batches
from ace.gatekeeper.canonical import canonical
from ace.gatekeeper.inputs import ClaimInput, Spell
from ace.gatekeeper.tokens import Arrays, Encoded, Number, PairTokenizer, padded

MAX_THREADS: Final = 8
"""More would wait for the interpreter; a larger machine runs more worker processes."""

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


def cores() -> int:
    """Cores that this process may use: its affinity, within its container's quota."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text().split()
        return min(allowed, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):  # no cgroup of version 2, or "max"
        return allowed


@dataclass
class ScoringThreads:
    """Divides the claims of one call: `window` claims at a time to each of `count` threads.

    Within a window, batches are length-sorted and within `budget_tokens` and `max_items`; their width
    is a multiple of `multiple`.
    """

    tokenizer: PairTokenizer
    count: int
    window: int
    budget_tokens: int
    max_items: int
    multiple: int = 1
    _pool: ThreadPoolExecutor = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.count, thread_name_prefix="scoring")

    def run(
        self,
        inputs: Sequence[ClaimInput],
        forward: Callable[[Arrays], NDArray[Number]],
        kind: type[Number],
    ) -> NDArray[Number]:
        """`forward` over all claims: rows (N, 6) of `kind`, in the order given.

        `forward` is called from several threads at once. What it raises is raised when all threads
        have stopped.
        """
        out = np.zeros((len(inputs), len(LABELS)), dtype=kind)
        spell = cache(canonical)  # each text of the call once, however many claims depend on it

        def work(start: int, window: Sequence[ClaimInput]) -> None:
            for encoded, batch in self.batched(window, spell):
                arrays = padded([encoded[at] for at in batch], self.tokenizer.pad, multiple=self.multiple)
                out[[start + at for at in batch]] = forward(arrays)

        begun = [self._pool.submit(work, *each) for each in self.windows(inputs)]
        try:
            for each in begun:
                each.result()
        finally:
            for each in begun:
                each.cancel()
            wait(begun)
        return out

    def windows(self, inputs: Sequence[ClaimInput]) -> Iterator[tuple[int, Sequence[ClaimInput]]]:
        """The claims as they are handed to the threads, with the index of the first."""
        size = max(1, min(self.window, math.ceil(len(inputs) / self.count)))
        for start in range(0, len(inputs), size):
            yield start, inputs[start : start + size]

    def batched(
        self, window: Sequence[ClaimInput], spell: Spell = canonical
    ) -> Iterator[tuple[list[Encoded], list[int]]]:
        """The ids of a window and, for each batch of it, the indices of its claims."""
        encoded = self.tokenizer.encode(window, spell)
        lengths = [len(ids) for ids, _ in encoded]
        for batch in batches(lengths, budget_tokens=self.budget_tokens, max_items=self.max_items):
            yield encoded, batch
