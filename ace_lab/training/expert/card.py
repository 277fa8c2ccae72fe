"""MODEL_CARD.md of an expert: how and from what it was made.

Every number is taken from expert.json or the data's manifest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TRAINED = {
    "verdict": (
        "It was trained to answer with a verdict alone, as in the paper. If asked for its reasoning, as\n"
        "ACE does with prompt v1, it gives reasoning that it was not trained to give."
    ),
    "rationale": (
        "It was trained to answer with the Chain of Patent Thought of ACE's prompt `{questions}`. The\n"
        "rationales were derived from injected defects: class, quoted words and law are true of the\n"
        "injection; a program worded the rest in a few standard phrases."
    ),
}


def write_card(directory: Path, manifest: Mapping[str, Any]) -> None:
    """Writes the directory's card; `manifest` is that of the data directory."""
    about = json.loads((directory / "expert.json").read_text(encoding="utf-8"))
    text = "\n\n".join((_head(about), _made(about), _data(about, manifest), _weak(about), _licence(about)))
    beside = directory / "MODEL_CARD.md.tmp"
    beside.write_text(f"{text}\n", encoding="utf-8")
    beside.replace(directory / "MODEL_CARD.md")


def _head(about: Mapping[str, Any]) -> str:
    recipe = about["recipe"]
    trained = _TRAINED[recipe["target"]].format(questions=about["questions"])
    return f"""# An expert for patent claims

{about["base"]}, fine-tuned to examine one US patent claim with its ancestors for defects under 35 U.S.C. 112.
{trained}"""


def _made(about: Mapping[str, Any]) -> str:
    recipe, losses = about["recipe"], about["losses"]
    held = f"; {losses['eval_loss']} on held-out rows" if "eval_loss" in losses else ""
    base = "4-bit NormalFloat, doubly quantised" if recipe["quantize"] == "nf4" else recipe["precision"]
    return f"""## How it was made

`ace train expert`: adapters of rank {recipe["lora_rank"]} (alpha {recipe["lora_alpha"]}, dropout \
{recipe["lora_dropout"]:g}) on all linear layers; the base frozen in {base}; {recipe["precision"]}; \
{recipe["optimizer"]}, learning rate {recipe["learning_rate"]:g}, {recipe["warmup"]:.0%} warm-up, then a \
cosine decay to zero, gradients clipped at {recipe["clip"]:g}; batches of {recipe["batch_rows"]} x \
{recipe["accumulation"]}; up to {recipe["max_tokens"]:,} tokens per example; loss on the answer only; \
{recipe["epochs"]} {"epoch" if recipe["epochs"] == 1 else "epochs"}, {about["updates"]:,} updates, \
{about["tokens"]:,} tokens per epoch; seed {recipe["seed"]}.
Questions: `{about["questions"]}`. Last loss: {losses.get("loss", "none")}{held}."""


def _data(about: Mapping[str, Any], manifest: Mapping[str, Any]) -> str:
    train = manifest["files"]["train.jsonl"]
    labels = "\n".join(f"| {label} | {count:,} |" for label, count in about["examples"].items())
    sources = ", ".join(f"{name} ({count:,} rows)" for name, count in sorted(train["sources"].items()))
    makers = ", ".join(f"{name} ({count:,})" for name, count in sorted(train["generators"].items()))
    left = about["left_out"]
    return f"""### Data

Real US claim sets with defects put in, split by patent family. Sources: {sources}. Edits by: {makers}.

| label | examples |
|---|---|
{labels}

Left out: {left.get("too_long", 0):,} rows that did not fit, and {left.get("disputed", 0):,} rows called
sound in which the rules are certain of a defect.
SHA-256 of train.jsonl: `{about["data_sha256"]}`."""


def _weak(about: Mapping[str, Any]) -> str:
    merged = (
        "\n- The adapter was trained with four-bit weights and is merged into full-precision ones here."
        if about["recipe"]["quantize"] == "nf4"
        else ""
    )
    return f"""## Limits

- Its defects are synthetic, one class per claim. Real defects are mixed and have other forms.
- It was not evaluated during training: `ace evaluate --expert URL` measures it behind a server.
- Its answers must be checked: ACE compares every quotation with the claim and marks those that are not
  there.{merged}"""


def _licence(about: Mapping[str, Any]) -> str:
    llama = (
        " Meta's licence requires that models derived from Llama 3 and distributed have “Llama 3” at the"
        "\nbeginning of their name and say “Built with Meta Llama 3”."
        if "llama-3" in about["base"].lower()
        else ""
    )
    return f"""## Licence

Weights derived from {about["base"]}, under its licence.{llama} A model of this size may
reproduce claims of its training data: keep it as confidential as they are."""
