"""The model card: its numbers are those of the run."""

import json
from pathlib import Path
from typing import Any

import pytest

from ace_lab.training.expert.card import write_card

MANIFEST = {"files": {"train.jsonl": {"sources": {"ours": 1234}, "generators": {"rules": 900, "none": 334}}}}


def card(directory: Path, **changes: Any) -> str:
    recipe = {
        "target": "verdict", "quantize": "nf4", "lora_rank": 16, "lora_alpha": 32, "lora_dropout": 0.05,
        "precision": "bf16", "optimizer": "paged_adamw_32bit", "learning_rate": 2e-4, "warmup": 0.03,
        "clip": 0.3, "batch_rows": 1, "accumulation": 24, "max_tokens": 4096, "epochs": 1, "seed": 7,
    } | changes.pop("recipe", {})  # fmt: skip
    about = {
        "base": "meta-llama/Meta-Llama-3-70B-Instruct", "recipe": recipe, "questions": "verdict-0123456789ab",
        "data_sha256": "feed", "examples": {"antecedent": 1100, "pass": 2200}, "updates": 138,
        "tokens": 987654,
        "left_out": {"too_long": 12, "disputed": 34}, "losses": {"loss": 0.25, "eval_loss": 0.3125},
    } | changes  # fmt: skip
    (directory / "expert.json").write_text(json.dumps(about))
    write_card(directory, MANIFEST)
    return (directory / "MODEL_CARD.md").read_text()


def test_the_card_has_the_numbers_of_the_run(tmp_path: Path) -> None:
    text = card(tmp_path)
    for told in (
        "rank 16 (alpha 32, dropout 0.05)", "4-bit NormalFloat", "paged_adamw_32bit, learning rate 0.0002",
        "batches of 1 x 24", "4,096 tokens", "138 updates", "987,654 tokens", "seed 7", "| pass | 2,200 |",
        "ours (1,234 rows)", "rules (900)", "12 rows that did not fit", "34 rows called", "`feed`",
        "Last loss: 0.25; 0.3125 on held-out rows", "verdict alone", "Built with Meta Llama 3",
    ):  # fmt: skip
        assert told in text, told
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []


@pytest.mark.parametrize(
    ("changes", "there", "gone"),
    [
        ({"base": "Qwen3-0.6B"}, "under its licence", "Built with"),
        (
            {"recipe": {"target": "rationale"}, "questions": "copt-v2-ab"},
            "prompt `copt-v2-ab`",
            "verdict alone",
        ),
        ({"recipe": {"quantize": "none"}}, "frozen in bf16", "four-bit"),
        ({"losses": {"loss": 0.5}}, "Last loss: 0.5.", "held-out"),
    ],
)
def test_the_card_says_what_was_and_no_more(
    changes: dict[str, Any], there: str, gone: str, tmp_path: Path
) -> None:
    text = card(tmp_path, **changes)
    assert there in text
    assert gone not in text
