"""The recipe of a training run: its settings apart from data and base, stored with the model.

The defaults are the paper's (§4.1 and appendix D); a recipe file names only the fields that differ.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ace_lab.data.rows import LABELLED
from ace_lab.training import recipes

RECIPES = Path(__file__).parent / "recipes"


@dataclass(frozen=True, slots=True)
class GatekeeperRecipe:
    """One run's settings.

    `head` is "cls" (a sequence classifier: the paper's unified projection, cross-entropy alone) or "tokens"
    (a token classifier; a claim's logit is the largest of its tokens', and `token_loss` times the
    cross-entropy over its own tokens is added, sound tokens weighing `sound_token_weight`). A batch has at
    most `batch_rows` claims and, if `batch_tokens` is given, at most that many padded tokens. `usual_tokens`
    is explained in `PairTokenizer`. `hint_dropout` is the share of rows shown without hints, which makes the
    encoder read the claim and not only the hints. `warmup` is a share of the run. `evaluations` are per
    epoch; after `patience` of them without a better macro-F1 the run ends. `keep` says which weights the
    model gets: those of the best evaluation, or the last, when the learning rate has come to zero.
    The mean of these weights and the base's, of which `base_share` is the base's, keeps what a base with the
    same head knew of cases that the rows do not show (Wortsman et al. 2022, arXiv:2109.01903). The rows are
    those that programs made or, with `labelled`, those that readers labelled.
    """

    head: Literal["cls", "tokens"] = "cls"
    epochs: int = 5
    learning_rate: float = 2e-5
    warmup: float = 0.1
    weight_decay: float = 0.01
    batch_rows: int = 32
    batch_tokens: int | None = None
    max_tokens: int = 512
    usual_tokens: int | None = None
    hints: bool = True
    hint_dropout: float = 0.0
    dropout: float = 0.1
    head_dropout: float = 0.1
    token_loss: float = 1.0
    sound_token_weight: float = 0.2
    freeze_words: bool = False
    precision: Literal["auto", "fp32", "bf16"] = "auto"
    evaluations: int = 4
    patience: int = 6
    keep: Literal["best", "last"] = "best"
    base_share: float = 0.0
    labelled: bool = False
    seed: int = 1

    @property
    def splits(self) -> tuple[str, str]:
        """The names of the training and the calibration rows in a data directory."""
        kind = f".{LABELLED}" if self.labelled else ""
        return f"train{kind}", f"calibration{kind}"

    def __post_init__(self) -> None:
        """Raises Refused if a field is out of its range."""
        at_least = {
            "epochs": 1, "batch_rows": 1, "max_tokens": 16, "evaluations": 1, "patience": 1,
        }  # fmt: skip
        for name, least in at_least.items():
            if getattr(self, name) < least:
                raise recipes.refused(name, f"at least {least}")
        for name in ("warmup", "dropout", "head_dropout", "hint_dropout", "base_share"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise recipes.refused(name, "in [0, 1)")
        if self.learning_rate <= 0.0:
            raise recipes.refused("learning_rate", "positive")
        choices = {"head": ("cls", "tokens"), "keep": ("best", "last"), "precision": ("auto", "fp32", "bf16")}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise recipes.refused(name, f"{', '.join(allowed[:-1])} or {allowed[-1]}")
        if self.usual_tokens is not None and not 16 <= self.usual_tokens <= self.max_tokens:
            raise recipes.refused("usual_tokens", f"from 16 to max_tokens, {self.max_tokens}")
        if self.batch_tokens is not None and self.batch_tokens < self.max_tokens:
            raise recipes.refused("batch_tokens", f"at least max_tokens, {self.max_tokens}")


def read_recipe(name: str, **changes: Any) -> GatekeeperRecipe:
    """One of our recipes by its name, or any by its path, with fields changed; see
    `ace_lab.training.recipes.read`."""
    return recipes.read(GatekeeperRecipe, RECIPES, name, changes)
