"""The recipe of a training run of the expert: its settings apart from data and base, stored with the adapter.

The defaults are the paper's (§4.1 and appendix D). For epochs, schedule and clipping, which the paper leaves
open, they follow QLoRA (Dettmers et al., 2023).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ace_lab.training import recipes

DEFAULT_BASE = "meta-llama/Meta-Llama-3-70B-Instruct"

RECIPES = Path(__file__).parent / "recipes"

_CHOICES = {
    "target": ("verdict", "rationale"),
    "prompt": ("v1", "v2"),
    "quantize": ("nf4", "none"),
    "optimizer": ("paged_adamw_32bit", "adamw_torch"),
    "precision": ("bf16", "fp32"),
}
_AT_LEAST = {
    "lora_rank": 1, "lora_alpha": 1, "epochs": 1, "batch_rows": 1, "accumulation": 1, "max_tokens": 64,
    "held_rows": 0, "evaluations": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExpertRecipe:
    """One run's settings.

    `target` is what the expert learns to answer: "verdict" (the JSON of a verdict alone, as in the
    paper) or "rationale" (the Chain of Patent Thought of prompt version `prompt`, derived from the
    defects that were put in). `quantize` holds the base in 4-bit NormalFloat, doubly quantised. An
    update sees `batch_rows` x `accumulation` examples of `max_tokens` at most; `warmup` is a share of
    the run. The loss on `held_rows` rows of the calibration split is taken `evaluations` times an epoch.
    """

    target: Literal["verdict", "rationale"] = "verdict"
    prompt: Literal["v1", "v2"] = "v1"
    quantize: Literal["nf4", "none"] = "nf4"
    lora_rank: int = 16
    lora_alpha: int = 32
    lora_dropout: float = 0.05
    optimizer: Literal["paged_adamw_32bit", "adamw_torch"] = "paged_adamw_32bit"
    learning_rate: float = 2e-4
    warmup: float = 0.03
    clip: float = 0.3
    epochs: int = 1
    batch_rows: int = 1
    accumulation: int = 24
    max_tokens: int = 4096
    precision: Literal["bf16", "fp32"] = "bf16"
    held_rows: int = 200
    evaluations: int = 4
    seed: int = 1

    def __post_init__(self) -> None:
        """Raises Refused if a field is out of its range."""
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise recipes.refused(name, " or ".join(choices))
        for name, least in _AT_LEAST.items():
            if getattr(self, name) < least:
                raise recipes.refused(name, f"at least {least}")
        for name in ("lora_dropout", "warmup"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise recipes.refused(name, "in [0, 1)")
        for name in ("learning_rate", "clip"):
            if getattr(self, name) <= 0.0:
                raise recipes.refused(name, "positive")
        if self.target == "verdict" and self.prompt != "v1":
            raise recipes.refused("prompt", "v1 if the target is a verdict only")


def read_recipe(name: str, **changes: Any) -> ExpertRecipe:
    """One of our recipes by its name, or any by its path, with fields changed; see
    `ace_lab.training.recipes.read`."""
    return recipes.read(ExpertRecipe, RECIPES, name, changes)
