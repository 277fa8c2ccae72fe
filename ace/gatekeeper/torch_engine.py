"""The gatekeeper on a GPU: a transformers checkpoint with six labels, bf16 on CUDA, fp32 on CPU.

The only runtime file that imports torch. A checkpoint may classify sequences (any encoder from
elsewhere) or tokens (what training.py makes): token logits are pooled by their maximum over the
claim's own tokens, because a defect sits at one place and one place is enough.
"""

import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.gatekeeper.engine import DEFAULT_BUDGET_TOKENS, MAX_BATCH_ITEMS, Device
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.model_files import read_model_files
from ace.gatekeeper.score import softmax
from ace.gatekeeper.tokens import in_batches
from ace.routing.calibration import Calibration

_NOT_OWN = -1e4  # below every logit, and a number in bf16


class Scorer(torch.nn.Module):
    """A checkpoint whose answer is always six logits per claim, shape (N, 6)."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        known = inspect.signature(model.forward).parameters
        segments = getattr(model.config, "type_vocab_size", 0) > 1
        self._with_segments = segments and "token_type_ids" in known

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor,
    ) -> torch.Tensor:
        """All three of shape (N, width); token type 0 marks the claim, 1 its ancestors."""
        found = self.raw(input_ids, attention_mask, token_type_ids)
        return pooled(found, attention_mask, token_type_ids) if found.ndim == 3 else found

    def raw(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor,
    ) -> torch.Tensor:
        """The checkpoint's own logits: (N, 6), or (N, width, 6) where it classifies tokens."""
        more = {"token_type_ids": token_type_ids} if self._with_segments else {}
        found: torch.Tensor = self.model(input_ids=input_ids, attention_mask=attention_mask, **more).logits
        return found


def pooled(
    token_logits: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
) -> torch.Tensor:
    """(N, width, 6) to (N, 6): per class the largest logit among the claim's own tokens."""
    own = attention_mask.bool() & (token_type_ids == 0)
    return token_logits.masked_fill(~own.unsqueeze(-1), _NOT_OWN).amax(dim=1)


def load_scorer(directory: Path, dtype: torch.dtype = torch.float32, **options: Any) -> Scorer:
    """The checkpoint of a directory, in evaluation mode. Raises ModelError where there is none."""
    try:
        config = json.loads((directory / "config.json").read_text(encoding="utf-8"))
        of_tokens = str((config.get("architectures") or [""])[0]).endswith("TokenClassification")
        kind = "TokenClassification" if of_tokens else "SequenceClassification"
        loader = getattr(transformers, f"AutoModelFor{kind}")
        model = loader.from_pretrained(directory, dtype=dtype, **options)
    except (OSError, ValueError) as error:
        raise ModelError(f"{directory} is no transformers checkpoint: {error}") from error
    if model.config.num_labels != len(LABELS):
        raise ModelError(f"{directory} has {model.config.num_labels} labels, not {len(LABELS)}")
    return Scorer(model.eval())


class TorchEngine:
    """Scores claims with model.safetensors of a model directory."""

    def __init__(
        self,
        directory: Path,
        *,
        device: Device = "auto",
        threads: int | None = None,
        budget_tokens: int = DEFAULT_BUDGET_TOKENS,
    ) -> None:
        files = read_model_files(directory)
        self.revision: str = files.revision
        self.calibration: Calibration = files.calibration
        self._tokenizer = files.tokenizer()
        self._budget_tokens = budget_tokens
        if threads is not None:
            torch.set_num_threads(threads)
        chosen = "cuda" if torch.cuda.is_available() else "cpu"
        self._device = torch.device(chosen if device == "auto" else device)
        dtype = torch.bfloat16 if self._device.type == "cuda" else torch.float32
        self._scorer = load_scorer(directory, dtype).to(self._device)

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Probabilities at the calibrated temperature, shape (N, 6), in the order of the inputs."""
        return softmax(self.logits(inputs), self.calibration.temperature)

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """The checkpoint's raw output, shape (N, 6): what calibration starts from."""
        return in_batches(
            inputs,
            self._tokenizer,
            self._forward,
            budget_tokens=self._budget_tokens,
            max_items=MAX_BATCH_ITEMS,
        )

    def _forward(self, arrays: dict[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        with torch.inference_mode():
            given = {name: torch.from_numpy(array).to(self._device) for name, array in arrays.items()}
            out: NDArray[np.float32] = self._scorer(**given).float().cpu().numpy()
        return out
