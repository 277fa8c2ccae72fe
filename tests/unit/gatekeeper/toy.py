"""A data directory that a tiny model can learn, and a tiny ModernBERT: no segments, sliding windows."""

import json
import random
import warnings
from pathlib import Path
from typing import Any

from ace_lab.data.sources import file_hash
from tests.unit.gatekeeper import models

NOUNS = ("pump", "rotor", "valve", "housing", "spring", "lid")
DEFECTS = {"ambiguity": "to", "syntax": ",", "logical": "and"}
"""Each class shows by one word of the toy's vocabulary, which sound claims lack."""


def row(number: int, rng: random.Random) -> dict[str, Any]:
    """One claim in the shape of ace_lab.data.rows; every second one is defective."""
    words = [f"a {rng.choice(NOUNS)}" for _ in range(rng.randrange(2, 9))]
    label, spans = "pass", []
    if number % 2:
        label = list(DEFECTS)[number // 2 % len(DEFECTS)]
        at = rng.randrange(len(words))
        start = len(" ".join(words[:at])) + (at > 0)
        words.insert(at, DEFECTS[label])
        spans = [[start, start + len(DEFECTS[label])]]
    return {
        "split": "train", "family": f"US{number}", "source": "ours", "number": 1, "text": " ".join(words),
        "ancestors": ["2. The first lid."], "label": label, "edit": "none", "generator": "rules",
        "spans": spans, "origin": f"US{number}/1",
    }  # fmt: skip


def data(directory: Path, *, rows: int = 160, held: int = 60) -> Path:
    """train.jsonl, calibration.jsonl and a manifest."""
    directory.mkdir(parents=True, exist_ok=True)
    files = {}
    for seed, (split, count) in enumerate({"train": rows, "calibration": held}.items()):
        rng = random.Random(seed)
        lines = [json.dumps({**row(number, rng), "split": split}) for number in range(count)]
        (directory / f"{split}.jsonl").write_text("\n".join(lines) + "\n")
        files[f"{split}.jsonl"] = {
            "rows": count, "families": count, "labels": {"pass": count // 2}, "edits": {},
            "sources": {"ours": count}, "generators": {"rules": count},
            "sha256": file_hash(directory / f"{split}.jsonl"),
        }  # fmt: skip
    manifest = {"options": {"seed": 1}, "inputs": [{"name": "ours", "sha256": "abc"}], "files": files}
    (directory / "manifest.json").write_text(json.dumps(manifest))
    return directory


def base(directory: Path, kind: str = "bert", *, max_tokens: int = 64) -> Path:
    """A random encoder as a hub repository has it: no head, no gatekeeper.json."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch and transformers warn about each other at import
        import torch
        from transformers import BertConfig, BertModel, ModernBertConfig, ModernBertModel

        torch.manual_seed(7)
        shape = {
            "vocab_size": len(models.WORDS) + 4,
            "hidden_size": 32,
            "num_attention_heads": 4,
            "intermediate_size": 48,
            "max_position_embeddings": max_tokens,
            "initializer_range": 0.1,
        }
        if kind == "bert":
            encoder: Any = BertModel(BertConfig(num_hidden_layers=2, **shape))
        else:
            ends = {"bos_token_id": 2, "cls_token_id": 2, "eos_token_id": 3, "sep_token_id": 3}
            config = ModernBertConfig(
                num_hidden_layers=3, local_attention=16, pad_token_id=0, **ends, **shape
            )
            encoder = ModernBertModel(config)
        encoder.save_pretrained(directory)
    models.tokenizer_file(directory / "tokenizer.json")
    return directory
