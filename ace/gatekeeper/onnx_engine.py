"""The gatekeeper on a CPU: ONNX Runtime, tokenizers, numpy. No torch anywhere on this path."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from ace.errors import ModelError
from ace.gatekeeper.engine import MAX_BATCH_ITEMS
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.model_files import read_model_files
from ace.gatekeeper.probabilities import probabilities
from ace.gatekeeper.scoring_threads import MAX_THREADS, ScoringThreads, cores
from ace.gatekeeper.tokens import Arrays
from ace.routing.calibration import Calibration

_BUDGET_TOKENS: Final = 4_096
_MIN_BUDGET_TOKENS: Final = 512
_WINDOW_ALONE: Final = 8
_WINDOW: Final = 256
"""Claims that a thread takes at a time. If each runs alone, there is nothing to sort, and small windows end
together; if they run in batches, a window gives about fifteen of them."""


class OnnxEngine:
    """Scores claims with model.onnx of a model directory. Safe to share between threads."""

    def __init__(
        self,
        directory: Path,
        *,
        threads: int | None = None,
        budget_tokens: int | None = None,
        calibration: Path | None = None,
    ) -> None:
        files = read_model_files(directory, calibration)
        self.revision: str = files.revision
        self.calibration: Calibration = files.calibration
        self.hints: bool = files.hints
        self._tokenizer = files.tokenizer()
        count = threads or min(cores(), MAX_THREADS)
        self.threads = ScoringThreads(
            self._tokenizer,
            count=count,
            window=_WINDOW_ALONE if files.alone else _WINDOW,
            # The threads share the budget, so that a worker's memory does not grow with the cores.
            budget_tokens=budget_tokens or max(_MIN_BUDGET_TOKENS, _BUDGET_TOKENS // count),
            max_items=1 if files.alone else MAX_BATCH_ITEMS,
        )
        self._session = session_of(directory / "model.onnx", alone=files.alone)
        self._inputs = {given.name for given in self._session.get_inputs()}
        self._outputs = {given.name for given in self._session.get_outputs()}

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Probabilities at the calibrated temperature, shape (N, 6), in the order of the inputs."""
        return probabilities(self.logits(inputs), inputs, self.calibration)

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """The graph's raw output, shape (N, 6): what calibration starts from."""
        return self.threads.run(inputs, partial(self._answer, "logits"), np.float32)

    def locate(
        self, inputs: Sequence[ClaimInput], classes: Sequence[int] | NDArray[np.int64]
    ) -> list[tuple[int, int] | None]:
        """See `LoadedEngine`; None throughout for a graph that has no output "positions"."""
        if "positions" not in self._outputs:
            return [None] * len(inputs)
        found = self.threads.run(inputs, partial(self._answer, "positions"), np.int64)
        return self._tokenizer.places(inputs, found, classes)

    def _answer(self, output: str, arrays: Arrays) -> NDArray[Any]:
        feed = {name: array for name, array in arrays.items() if name in self._inputs}
        found: NDArray[Any] = self._session.run([output], feed)[0]
        return found


def session_of(path: Path, *, alone: bool) -> onnxruntime.InferenceSession:
    """A session that computes in the thread that calls it, for claims `alone` or in batches.

    Raises ModelError for a file that is not a graph.
    """
    options = onnxruntime.SessionOptions()
    # The arena keeps the largest batch's memory for ever. If each claim runs alone, that is some megabytes,
    # and allocating them anew at each step would take a twentieth of the time. For batches it is hundreds
    # of megabytes, and the time of allocation does not matter.
    options.enable_cpu_mem_arena = alone
    options.enable_mem_pattern = False  # patterns are per shape, and every batch has its own
    # Claims are short: two threads at one product would wait for each other, and spin on a core that the
    # database of this machine needs.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime raises its own unrelated classes
        raise ModelError(f"{path} cannot be loaded: {error}") from error
