"""The gatekeeper on a GPU: a transformers checkpoint with six labels, bf16 on CUDA, fp32 on CPU.

The only runtime file that imports torch. A checkpoint may classify sequences (any other encoder) or
tokens (what ace_lab trains): token logits are pooled by their maximum over the claim's own tokens,
because a defect is at one place, and one place is enough.
"""

import inspect
import json
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import transformers
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.gatekeeper.digests import verify
from ace.gatekeeper.engine import MAX_BATCH_ITEMS, Device
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.model_files import read_model_files
from ace.gatekeeper.probabilities import probabilities
from ace.gatekeeper.scoring_threads import ScoringThreads, cores
from ace.gatekeeper.tokens import Arrays
from ace.routing.calibration import Calibration

log = logging.getLogger(__name__)

Given = dict[str, torch.Tensor]

_CPU_BUDGET_TOKENS, _GPU_BUDGET_TOKENS = 4_096, 65_536
_CPU_WINDOW, _GPU_WINDOW = 256, 2_048
_GPU_ITEMS: Final = 2_048
_NOT_OWN: Final = -1e4  # below every logit, and a number in bf16


class Scorer(torch.nn.Module):
    """A checkpoint that always gives six logits per claim, shape (N, 6)."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        known = inspect.signature(model.forward).parameters
        segments = getattr(model.config, "type_vocab_size", 0) > 1
        self.of_tokens = type(model).__name__.endswith("TokenClassification")
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
        """The checkpoint's own logits: (N, 6), or (N, width, 6) if it classifies tokens."""
        more = {"token_type_ids": token_type_ids} if self._with_segments else {}
        found: torch.Tensor = self.model(input_ids=input_ids, attention_mask=attention_mask, **more).logits
        return found

    def positions(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        token_type_ids: torch.Tensor,
    ) -> torch.Tensor:
        """(N, 6) int64: per class the position of the logit that `pooled` takes."""
        found = self.raw(input_ids, attention_mask, token_type_ids)
        return own_logits(found, attention_mask, token_type_ids).argmax(dim=1)


def pooled(
    token_logits: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
) -> torch.Tensor:
    """(N, width, 6) to (N, 6): per class the largest logit among the claim's own tokens."""
    return own_logits(token_logits, attention_mask, token_type_ids).amax(dim=1)


def own_logits(
    token_logits: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
) -> torch.Tensor:
    """The logits with those of the ancestors and the padding below all others."""
    own = attention_mask.bool() & (token_type_ids == 0)
    return token_logits.masked_fill(~own.unsqueeze(-1), _NOT_OWN)


def load_scorer(directory: Path, dtype: torch.dtype = torch.float32, **options: Any) -> Scorer:
    """The checkpoint of a directory, in evaluation mode. Raises ModelError if there is none, or a file of it
    is damaged."""
    verify(directory)
    try:
        config = json.loads((directory / "config.json").read_text(encoding="utf-8"))
        of_tokens = str((config.get("architectures") or [""])[0]).endswith("TokenClassification")
        kind = "TokenClassification" if of_tokens else "SequenceClassification"
        loader = getattr(transformers, f"AutoModelFor{kind}")
        model = loader.from_pretrained(directory, dtype=dtype, **options)
    except (OSError, ValueError) as error:
        raise ModelError(f"{directory} is not a transformers checkpoint: {error}") from error
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
        budget_tokens: int | None = None,
        calibration: Path | None = None,
    ) -> None:
        files = read_model_files(directory, calibration)
        self.revision: str = files.revision
        self.calibration: Calibration = files.calibration
        self.hints: bool = files.hints
        self._tokenizer = files.tokenizer()
        torch.set_num_threads(threads or cores())
        chosen = "cuda" if torch.cuda.is_available() else "cpu"
        self._device = torch.device(chosen if device == "auto" else device)
        on_gpu = self._device.type == "cuda"
        self._scorer = load_scorer(directory, torch.bfloat16 if on_gpu else torch.float32).to(self._device)
        self.threads = ScoringThreads(
            self._tokenizer,
            count=2,  # one prepares while the other computes
            window=_GPU_WINDOW if on_gpu else _CPU_WINDOW,
            budget_tokens=budget_tokens or (_GPU_BUDGET_TOKENS if on_gpu else _CPU_BUDGET_TOKENS),
            max_items=_GPU_ITEMS if on_gpu else MAX_BATCH_ITEMS,
            multiple=8,  # tensor cores need it, and kernels are chosen by shape
        )
        self._device_lock = threading.Lock()

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Probabilities at the calibrated temperature, shape (N, 6), in the order of the inputs."""
        return probabilities(self.logits(inputs), inputs, self.calibration)

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """The checkpoint's raw output, shape (N, 6): what calibration starts from."""
        return self.threads.run(
            inputs,
            lambda arrays: self._answer(arrays, lambda given: self._scorer(**given).float()),
            np.float32,
        )

    def locate(
        self, inputs: Sequence[ClaimInput], classes: Sequence[int] | NDArray[np.int64]
    ) -> list[tuple[int, int] | None]:
        """See `LoadedEngine`; None throughout for a checkpoint that classifies whole sequences."""
        if not self._scorer.of_tokens:
            return [None] * len(inputs)
        found = self.threads.run(
            inputs,
            lambda arrays: self._answer(arrays, lambda given: self._scorer.positions(**given)),
            np.int64,
        )
        return self._tokenizer.places(inputs, found, classes)

    def _answer(self, arrays: Arrays, ask: Callable[[Given], torch.Tensor]) -> NDArray[Any]:
        """One forward pass. If memory runs out, two passes with half the claims each, and half the budget
        from then on. Raises torch.OutOfMemoryError for a single claim that does not fit."""
        try:
            with self._device_lock, torch.inference_mode():
                return ask(self._moved(arrays)).cpu().numpy()
        except torch.OutOfMemoryError:
            claims = len(arrays["input_ids"])
            if claims == 1:
                raise
        # Outside of the handler, because its traceback keeps the tensors of the failed pass alive.
        if self._device.type == "cuda":
            torch.cuda.empty_cache()
        self.threads.budget_tokens = max(self._tokenizer.max_tokens, arrays["input_ids"].size // 2)
        log.warning("out of memory", extra={"budget_tokens": self.threads.budget_tokens})
        halves = (slice(claims // 2), slice(claims // 2, claims))
        return np.concatenate(
            [self._answer({name: array[half] for name, array in arrays.items()}, ask) for half in halves]
        )

    def _moved(self, arrays: Arrays) -> Given:
        given = {name: torch.from_numpy(array) for name, array in arrays.items()}
        if self._device.type == "cuda":
            return {
                name: each.pin_memory().to(self._device, non_blocking=True) for name, each in given.items()
            }
        return given
