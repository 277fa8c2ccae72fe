"""The model, losses and optimiser of a fine-tuning run; training.py feeds it and schedules it.

The loss of a step is the cross-entropy over claims. For a token head, one over the claim's own tokens is
added: rows have the spans of their defects, and without those a small encoder needs many times the rows to
learn where to look.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.errors import Refused
from ace.gatekeeper.batching import batches
from ace.gatekeeper.tokens import padded
from ace_lab.training.gatekeeper.examples import WIDTH, Example
from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe

IGNORED = -100
"""Token target of ancestors and padding: no loss."""

_DROPOUTS = (
    "hidden_dropout_prob", "attention_probs_dropout_prob", "embedding_dropout", "attention_dropout",
    "mlp_dropout", "dropout",
)  # fmt: skip
"""The names of the encoder's dropout in BERT, ModernBERT and related models."""


class Trainer:
    """Model and optimiser of one run. Imports torch only when constructed."""

    def __init__(
        self, base: Path | str, recipe: GatekeeperRecipe, pad: int, *, threads: int | None = None
    ) -> None:
        import torch

        from ace.gatekeeper.torch_engine import Scorer

        self.torch, self.recipe, self.pad = torch, recipe, pad
        if threads is not None:
            torch.set_num_threads(threads)
        random.seed(recipe.seed)
        torch.manual_seed(recipe.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        on_cuda = self.device.type == "cuda"
        self.bf16 = recipe.precision == "bf16" or (recipe.precision == "auto" and on_cuda)
        model = classifier(base, recipe)
        if self.bf16 and not on_cuda:
            from ace_lab.training.gatekeeper import attention

            if model.config.model_type in attention.PLAIN_ENCODERS:
                model.set_attn_implementation(attention.register())
        if recipe.freeze_words:
            model.get_input_embeddings().weight.requires_grad_(False)
        self.scorer: Any = Scorer(model).to(self.device)
        self.trainable = [p for p in self.scorer.parameters() if p.requires_grad]
        groups = [
            {"params": [p for p in self.trainable if p.ndim > 1], "weight_decay": recipe.weight_decay},
            {"params": [p for p in self.trainable if p.ndim <= 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=recipe.learning_rate, fused=True)

    def step(self, rows: Sequence[Example], factor: float) -> tuple[float, float]:
        """One update at `factor` of the learning rate; returns the losses over claims and tokens."""
        self.scorer.train()
        of_claims, of_tokens = self.losses(rows)
        self.optimizer.zero_grad(set_to_none=True)
        (of_claims + self.recipe.token_loss * of_tokens).backward()
        self.torch.nn.utils.clip_grad_norm_(self.trainable, 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.learning_rate * factor
        self.optimizer.step()
        return float(of_claims.detach()), float(of_tokens.detach())

    def losses(self, rows: Sequence[Example]) -> tuple[Any, Any]:
        """Scalars: cross-entropy over claims, and over the claims' own tokens (0 for a cls head)."""
        from ace.gatekeeper.torch_engine import pooled

        cross_entropy = self.torch.nn.functional.cross_entropy
        given = self._given(rows)
        with self._autocast():
            raw = self.scorer.raw(**given).float()
        labels = self.torch.tensor([row.label for row in rows], device=self.device)
        if raw.ndim == 2:
            return cross_entropy(raw, labels), raw.new_zeros(())
        of_claims = cross_entropy(pooled(raw, given["attention_mask"], given["token_type_ids"]), labels)
        weights = self.torch.ones(len(LABELS), device=self.device)
        weights[0] = self.recipe.sound_token_weight
        targets = self.torch.from_numpy(token_targets(rows, raw.shape[1])).to(self.device)
        of_tokens = cross_entropy(raw.flatten(0, 1), targets.flatten(), weight=weights, ignore_index=IGNORED)
        return of_claims, of_tokens

    def logits(self, rows: Sequence[Example]) -> NDArray[np.float32]:
        """Scores of all rows, shape (N, 6), in the rows' order."""
        self.scorer.eval()
        out = np.zeros((len(rows), len(LABELS)), dtype=np.float32)
        lengths = [-(-len(row.encoded[0]) // WIDTH) * WIDTH for row in rows]
        with self.torch.no_grad(), self._autocast():
            for batch in batches(lengths, budget_tokens=8_192, max_items=128):
                given = self._given([rows[index] for index in batch])
                out[batch] = self.scorer(**given).float().cpu().numpy()
        return out

    @property
    def device_name(self) -> str:
        """What it trains on: a GPU by its name, or "cpu"."""
        return self.torch.cuda.get_device_name() if self.device.type == "cuda" else "cpu"

    def blend(self, base: Path | str) -> None:
        """Takes `base_share` of the weights from the base."""
        share, model = self.recipe.base_share, self.scorer.model
        theirs = classifier(base, self.recipe).to(self.device).state_dict()
        with self.torch.no_grad():
            for name, own in model.state_dict().items():
                if own.is_floating_point():
                    own.lerp_(theirs[name], share)

    def state(self) -> dict[str, Any]:
        """Everything that a later process needs to continue exactly: tensors and lists."""
        cuda = self.torch.cuda.get_rng_state_all() if self.device.type == "cuda" else []
        return {
            "weights": self.scorer.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "rng": self.torch.get_rng_state(),
            "rng_cuda": cuda,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restores what `state` returned."""
        self.scorer.model.load_state_dict(state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.torch.set_rng_state(state["rng"].cpu())
        if self.device.type == "cuda" and state["rng_cuda"]:
            self.torch.cuda.set_rng_state_all([found.cpu() for found in state["rng_cuda"]])

    def _given(self, rows: Sequence[Example]) -> dict[str, Any]:
        arrays = padded([row.encoded for row in rows], self.pad, multiple=WIDTH)
        return {key: self.torch.from_numpy(value).to(self.device) for key, value in arrays.items()}

    def _autocast(self) -> Any:
        return self.torch.autocast(self.device.type, dtype=self.torch.bfloat16, enabled=self.bf16)


def classifier(base: Path | str, recipe: GatekeeperRecipe) -> Any:
    """An encoder with a head of six classes. Raises Refused if `base` is not one or does not fit."""
    import transformers

    labels = {"id2label": dict(enumerate(LABELS)), "label2id": {label: at for at, label in enumerate(LABELS)}}
    kind = "TokenClassification" if recipe.head == "tokens" else "SequenceClassification"
    try:
        config = transformers.AutoConfig.from_pretrained(base, num_labels=len(LABELS), **labels)
        for name in _DROPOUTS:
            if hasattr(config, name):
                setattr(config, name, recipe.dropout)
        if hasattr(config, "classifier_dropout"):
            config.classifier_dropout = recipe.head_dropout
        # RoBERTa and related models count positions from the padding id on.
        offset = config.pad_token_id + 1 if "roberta" in config.model_type else 0
        most = getattr(config, "max_position_embeddings", None)
        if most is not None and recipe.max_tokens > most - offset:
            raise Refused(
                f"max_tokens is {recipe.max_tokens}, but the encoder reads at most {most - offset}",
                code="recipe", pointer="/max_tokens", limit=most - offset,
            )  # fmt: skip
        loader = getattr(transformers, f"AutoModelFor{kind}")
        return loader.from_pretrained(base, config=config, dtype="float32")
    except (OSError, ValueError) as error:
        raise Refused(f"{base} is not an encoder that can be trained: {error}", code="base") from error


def token_targets(rows: Sequence[Example], width: int) -> NDArray[np.int64]:
    """Class per token, shape (N, width): sound (0) in the claim's own segment, the row's class at
    its defects; IGNORED elsewhere."""
    targets = np.full((len(rows), width), IGNORED, dtype=np.int64)
    for at, row in enumerate(rows):
        targets[at, : row.encoded[1]] = 0
        targets[at, list(row.marked)] = row.label
    return targets
