"""The plan of a run before anything heavy is loaded: its examples, their tokens and its memory.

Needs the tokenizer and the configuration of the base, not its weights. The memory is computed, not measured;
what CUDA and the libraries reserve is included only in the allowance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ace_lab.training.expert.base_models import config_of, name_of, tokenizer_of
from ace_lab.training.expert.examples import Examples, OnProgress, fitting, labels_of, read_split
from ace_lab.training.expert.recipe import ExpertRecipe

GIB = 2**30

NF4_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)
"""Bytes per weight: four bits, an eight-bit scale per 64 weights, and a 32-bit scale per 256 scales."""

_OVERHEAD = 0.10
"""For CUDA's context, workspaces and fragmentation; an assumption, not a measurement."""


def plan(
    data: Path,
    base: str,
    recipe: ExpertRecipe,
    *,
    limit_rows: int | None = None,
    max_steps: int | None = None,
    on_progress: OnProgress = lambda _record: None,
) -> dict[str, Any]:
    """Examples by label, rows left out, tokens, updates, and the memory of training and of the merge in GiB.

    Raises Refused if the data or the base cannot be loaded.
    """
    rows = read_split(data / "train.jsonl", limit_rows, recipe.seed)
    config = config_of(base)
    examples = fitting(
        rows,
        recipe,
        tokenizer_of(base),
        lambda done, of: on_progress({"encoding": "train", "done": done, "of": of}),
    )
    updates = math.ceil(len(examples.kept) / (recipe.batch_rows * recipe.accumulation)) * recipe.epochs
    weights = ParameterCounts.of(config, recipe)
    return {
        "base": name_of(base),
        "recipe": asdict(recipe),
        "rows": len(rows),
        "examples": labels_of(examples.kept),
        "left_out": dict(examples.left_out),
        "tokens": _lengths(examples),
        "updates": min(updates, max_steps or updates),
        "parameters": {"base": weights.linear + weights.other, "adapter": weights.adapter},
        "training_gib": training_memory(weights, config, recipe, max(examples.tokens, default=0)),
        "merge_gib": round((weights.linear + weights.other) * 2 / GIB, 1),
        "adapter_gib": round(weights.adapter * 2 / GIB, 2),
    }


class ParameterCounts:
    """Counts of parameters: `linear` are those of the layers that get adapters and are held in four bits,
    `other` the embeddings, the head and the norms, `adapter` the trained ones."""

    def __init__(self, linear: int, other: int, adapter: int) -> None:
        self.linear, self.other, self.adapter = linear, other, adapter

    @classmethod
    def of(cls, config: Any, recipe: ExpertRecipe) -> ParameterCounts:
        """Counted on a model without weights in memory."""
        import torch
        from transformers import AutoModelForCausalLM

        shapes: Any = AutoModelForCausalLM  # transformers does not type its functions
        with torch.device("meta"):
            model = shapes.from_config(config)
        head = model.get_output_embeddings()
        layers = [
            layer for layer in model.modules() if isinstance(layer, torch.nn.Linear) and layer is not head
        ]
        linear = sum(layer.weight.numel() for layer in layers)
        adapter = sum(recipe.lora_rank * (layer.in_features + layer.out_features) for layer in layers)
        return cls(linear, sum(value.numel() for value in model.parameters()) - linear, adapter)


def training_memory(
    weights: ParameterCounts, config: Any, recipe: ExpertRecipe, longest: int
) -> dict[str, float]:
    """GiB by part, and their sum; `longest` is the tokens of the longest example.

    Each layer keeps its input for the backward pass, and one layer at a time keeps all its activations
    (activation checkpointing); the head's logits are computed in pieces.
    """
    size = 2 if recipe.precision == "bf16" else 4
    tokens = longest * recipe.batch_rows
    hidden, layers = config.hidden_size, config.num_hidden_layers
    within = 8 * hidden + 4 * getattr(config, "intermediate_size", 4 * hidden)
    parts = {
        "base": weights.linear * (NF4_BYTES if recipe.quantize == "nf4" else size) + weights.other * size,
        "adapter_and_gradients": weights.adapter * size * 2,
        "optimizer": weights.adapter * 8,
        "kept_activations": tokens * hidden * layers * size,
        "one_layer": tokens * within * size * 2,
    }
    sizes = {name: value / GIB for name, value in parts.items()}
    sizes["allowance"] = _OVERHEAD * sum(sizes.values())
    sizes["total"] = sum(sizes.values())
    return {name: round(value, 2) for name, value in sizes.items()}


def _lengths(examples: Examples) -> dict[str, int]:
    ordered = sorted(examples.tokens)
    return {
        "total": sum(ordered),
        "median": _at(ordered, 0.5),
        "p95": _at(ordered, 0.95),
        "longest": ordered[-1] if ordered else 0,
    }


def _at(ordered: Sequence[int], share: float) -> int:
    return ordered[int(share * (len(ordered) - 1))] if ordered else 0
