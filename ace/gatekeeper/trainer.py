"""One fine-tuning run: model, losses, optimiser, schedule. What is fed to it is training.py's.

The loss of a step is the cross-entropy over claims plus one over the claim's own tokens: rows carry
the span of their defect, and without it a small encoder needs many times the rows to find out where
to look.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.gatekeeper.batching import batches
from ace.gatekeeper.tokens import padded

Encoded = tuple[list[int], int]

WIDTH = 16
"""Batches are padded to a multiple of this, because CPU kernels are compiled for each shape."""

IGNORED = -100
"""Token target of ancestors and padding: no loss."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a run depends on besides its data; stored with the model."""

    epochs: int = 2
    learning_rate: float = 2e-4
    warmup: float = 0.04
    weight_decay: float = 0.01
    budget_tokens: int = 2_560
    max_items: int = 48
    max_tokens: int = 256
    head_dropout: float = 0.1
    token_loss: float = 1.0
    sound_token_weight: float = 0.2
    seed: int = 1
    freeze_words: bool = True
    threads: int = 2
    bf16: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """One row: its ids, the length of its own segment, its class, and the defect's positions."""

    encoded: Encoded
    label: int
    marked: list[int]


class Trainer:
    """One run: model, optimiser, schedule. Imports torch when made, not before."""

    def __init__(self, base: Path | str, recipe: Recipe, steps: int, pad: int) -> None:
        import torch
        from transformers import AutoModelForTokenClassification

        from ace.gatekeeper.torch_engine import Scorer

        self.torch, self.recipe, self.steps, self.pad = torch, recipe, steps, pad
        random.seed(recipe.seed)
        torch.manual_seed(recipe.seed)
        torch.set_num_threads(recipe.threads)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        # Dropout inside the encoder costs a third of a CPU step (its random numbers, and the
        # fast attention kernel refuses it); the head's is enough for a short fine-tuning.
        model: Any = AutoModelForTokenClassification.from_pretrained(
            base,
            num_labels=len(LABELS),
            id2label=dict(enumerate(LABELS)),
            label2id={label: index for index, label in enumerate(LABELS)},
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            classifier_dropout=recipe.head_dropout,
        )
        if recipe.freeze_words:
            model.get_input_embeddings().weight.requires_grad_(False)
        self.scorer: Any = Scorer(model).to(self.device)
        self.learnt = [p for p in self.scorer.parameters() if p.requires_grad]
        groups = [
            {
                "params": [p for p in self.learnt if p.ndim > 1],
                "weight_decay": recipe.weight_decay,
            },
            {"params": [p for p in self.learnt if p.ndim <= 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=recipe.learning_rate, fused=True)
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer, self._factor)

    def _factor(self, step: int) -> float:
        warm = max(1, round(self.steps * self.recipe.warmup))
        if step < warm:
            return (step + 1) / warm
        return max(0.0, (self.steps - step) / max(1, self.steps - warm))

    def _given(self, rows: Sequence[Example]) -> dict[str, Any]:
        arrays = padded([row.encoded for row in rows], self.pad, multiple=WIDTH)
        return {key: self.torch.from_numpy(value).to(self.device) for key, value in arrays.items()}

    def _autocast(self) -> Any:
        return self.torch.autocast(self.device.type, dtype=self.torch.bfloat16, enabled=self.recipe.bf16)

    def step(self, rows: Sequence[Example]) -> tuple[float, float]:
        """One update; returns the losses over claims and over tokens."""
        from ace.gatekeeper.torch_engine import pooled

        functional = self.torch.nn.functional
        self.scorer.train()
        given = self._given(rows)
        with self._autocast():
            token_logits = self.scorer.raw(**given).float()
        logits = pooled(token_logits, given["attention_mask"], given["token_type_ids"])
        labels = self.torch.tensor([row.label for row in rows], device=self.device)
        of_claims = functional.cross_entropy(logits, labels)
        targets = self._token_targets(rows, given)
        weights = self.torch.ones(len(LABELS), device=self.device)
        weights[0] = self.recipe.sound_token_weight
        of_tokens = functional.cross_entropy(
            token_logits.flatten(0, 1), targets.flatten(), weight=weights, ignore_index=IGNORED
        )
        self.optimizer.zero_grad(set_to_none=True)
        (of_claims + self.recipe.token_loss * of_tokens).backward()
        self.torch.nn.utils.clip_grad_norm_(self.learnt, 1.0)
        self.optimizer.step()
        self.schedule.step()
        return float(of_claims.detach()), float(of_tokens.detach())

    def _token_targets(self, rows: Sequence[Example], given: dict[str, Any]) -> Any:
        own = given["attention_mask"].bool() & (given["token_type_ids"] == 0)
        targets = self.torch.where(own, 0, IGNORED)
        for index, row in enumerate(rows):
            targets[index, row.marked] = row.label
        return targets

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

    def save(self, out: Path, tokenizer_file: Path, about: dict[str, Any]) -> None:
        """A checkpoint directory: safetensors, config, tokenizer, gatekeeper.json."""
        self.scorer.model.save_pretrained(out)
        (out / "tokenizer.json").write_bytes(tokenizer_file.read_bytes())
        text = json.dumps({"labels": list(LABELS), **about}, indent=2)
        (out / "gatekeeper.json").write_text(text + "\n", encoding="utf-8")
