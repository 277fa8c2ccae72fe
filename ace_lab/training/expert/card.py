"""MODEL_CARD.md of an expert: how it was made and of what. Prose is ours; every number is from
expert.json or the data's manifest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_LEARNT = {
    "verdict": (
        "It learnt to answer with a verdict alone, as in the paper. Asked for its reasoning, as ACE does\n"
        "with prompt v1, it gives reasoning that it was not trained to give."
    ),
    "rationale": (
        "It learnt to answer with the Chain of Patent Thought of ACE's prompt `{questions}`. The rationales\n"
        "were derived from injected defects: class, quoted words and law are true of the injection, the\n"
        "rest is told by a program, in a few turns of phrase."
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
    learnt = _LEARNT[recipe["target"]].format(questions=about["questions"])
    return f"""# An expert for patent claims

{about["base"]}, fine-tuned to examine one US patent claim with its ancestors for defects under 35 U.S.C. 112.
{learnt}"""


def _made(about: Mapping[str, Any]) -> str:
    recipe, losses = about["recipe"], about["losses"]
    held = f"; {losses['eval_loss']} on held-out rows" if "eval_loss" in losses else ""
    base = "4-bit NormalFloat, doubly quantised" if recipe["quantize"] == "nf4" else recipe["precision"]
    return f"""## How it was made

`ace train expert`: adapters of rank {recipe["lora_rank"]} (alpha {recipe["lora_alpha"]}, dropout \
{recipe["lora_dropout"]:g}) on all linear layers; the base frozen in {base}; {recipe["precision"]}; \
{recipe["optimizer"]}, learning rate {recipe["learning_rate"]:g}, {recipe["warmup"]:.0%} warm-up, then a \
cosine to nothing, gradients clipped at {recipe["clip"]:g}; batches of {recipe["batch_rows"]} x \
{recipe["accumulation"]}; {recipe["max_tokens"]:,} tokens an example at most; loss on the answer alone; \
{recipe["epochs"]} {"epoch" if recipe["epochs"] == 1 else "epochs"}, {about["updates"]:,} updates, \
{about["tokens"]:,} tokens an epoch; seed {recipe["seed"]}.
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
sound in which the rules are sure of a defect.
SHA-256 of train.jsonl: `{about["data_sha256"]}`."""


def _weak(about: Mapping[str, Any]) -> str:
    merged = (
        "\n- The adapter was trained beside four-bit weights and is added to whole ones here."
        if about["recipe"]["quantize"] == "nf4"
        else ""
    )
    return f"""## Where it is bad

- Its defects are synthetic, one class to a claim. Real defects come mixed, and in other forms.
- It was not evaluated in the making: `ace evaluate --expert URL` measures it behind a server.
- Whatever it says is to be checked: ACE holds every quotation against the claim, and marks what does not
  stand there.{merged}"""


def _licence(about: Mapping[str, Any]) -> str:
    llama = (
        " Meta's licence asks that what is made of Llama 3 and passed on has “Llama 3” at the beginning of"
        "\nits name and says “Built with Meta Llama 3”."
        if "llama-3" in about["base"].lower()
        else ""
    )
    return f"""## Licence

ParameterCounts derived from {about["base"]}, under its licence.{llama} Claims of the training data may be recalled by
a model of this size: keep it as secret as they are."""
