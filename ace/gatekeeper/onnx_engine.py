"""The gatekeeper on a CPU: ONNX Runtime, tokenizers, numpy. No torch anywhere on this path."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from ace.errors import ModelError
from ace.gatekeeper.engine import DEFAULT_BUDGET_TOKENS, MAX_BATCH_ITEMS
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.model_files import read_model_files
from ace.gatekeeper.score import softmax
from ace.gatekeeper.tokens import in_batches
from ace.routing.calibration import Calibration


class OnnxEngine:
    """Scores claims with model.onnx of a model directory. Safe to share between threads."""

    def __init__(
        self,
        directory: Path,
        *,
        threads: int | None = None,
        budget_tokens: int = DEFAULT_BUDGET_TOKENS,
    ) -> None:
        files = read_model_files(directory)
        self.revision: str = files.revision
        self.calibration: Calibration = files.calibration
        self._tokenizer = files.tokenizer()
        self._budget_tokens = budget_tokens
        self._max_items = 1 if files.alone else MAX_BATCH_ITEMS
        self._session = _session(directory / "model.onnx", threads)
        self._names = {given.name for given in self._session.get_inputs()}

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Probabilities at the calibrated temperature, shape (N, 6), in the order of the inputs."""
        return softmax(self.logits(inputs), self.calibration.temperature)

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """The graph's raw output, shape (N, 6): what calibration starts from."""
        return in_batches(
            inputs,
            self._tokenizer,
            self._forward,
            budget_tokens=self._budget_tokens,
            max_items=self._max_items,
        )

    def _forward(self, arrays: dict[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        feed = {name: array for name, array in arrays.items() if name in self._names}
        out: NDArray[np.float32] = self._session.run(["logits"], feed)[0]
        return out


def _session(path: Path, threads: int | None) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # The arena keeps the largest batch's memory for ever; without it a worker stays small, and
    # allocation is lost in the noise of the matrix products.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False  # patterns are per shape, and every batch has its own
    options.intra_op_num_threads = threads or 0
    options.inter_op_num_threads = 1
    # Spinning threads would take the core that the database and the API of this machine need.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime raises its own unrelated classes
        raise ModelError(f"{path} cannot be loaded: {error}") from error
