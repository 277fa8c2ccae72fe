"""Tiny random models, made on the fly: the same code paths as real ones, in a second."""

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.digests import revision_of
from ace_lab.calibration.fitting import Scored, fit
from ace_lab.calibration.thresholds import Quantile

WORDS = tuple(
    "a an the said of claim claims comprising wherein pump rotor valve housing spring lid first "  # noqa: SIM905
    "second is and or to , . ; : ( ) 0 1 2 3 4 5 6 7 8 9 10 11 12".split()
)

CLAIMS = [
    ClaimInput(1, "A pump comprising a rotor and a housing."),
    ClaimInput(2, "The pump of claim 1, wherein the rotor is a valve.", ("1. A pump comprising a rotor.",)),
    ClaimInput(3, "The pump of claim 2 wherein the spring is the lid", ("2. The pump of claim 1, wherein",)),
    ClaimInput(4, "A valve; the first spring, the second spring: " * 12),
    ClaimInput(5, "unknown words only", ("4. " + "A valve comprising a lid. " * 40,)),
    ClaimInput(12, "A lid."),
]


def tokenizer_file(path: Path) -> None:
    """A word-level tokenizer.json over WORDS with BERT's special tokens."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {word: at for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    # As hub files have it: the engines must not obey.
    tokenizer.enable_truncation(8)
    tokenizer.enable_padding(length=64)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(path))


def describe(directory: Path, *, alone: bool = False, max_tokens: int = 48, **changes: Any) -> None:
    """gatekeeper.json and a calibration that fit the directory's weights."""
    revision = revision_of(directory)
    about = {"labels": list(LABELS), "max_tokens": max_tokens, "revision": revision, "alone": alone}
    (directory / "gatekeeper.json").write_text(json.dumps({**about, **changes}))
    p = np.random.default_rng(1).dirichlet(np.ones(6), 50)
    scored = Scored(np.log(p), (p[:, 0] < 0.3).astype(int), np.arange(50))
    record = fit(scored, policy=Quantile(0.2), score="u", model_revision=revision, data_hash="d")
    replace(record, temperature=1.5).sealed().save(directory / "calibration.json")


def checkpoint(directory: Path, *, tokens: bool = True) -> Path:
    """A random two-layer BERT that classifies tokens, or sequences, as a model directory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch and transformers warn about each other at import
        import torch
        from transformers import BertConfig, BertForSequenceClassification, BertForTokenClassification

        torch.manual_seed(7)
        config = BertConfig(
            vocab_size=len(WORDS) + 4,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=64,
            initializer_range=0.4,  # large weights: differences between engines would show
        )
        config.num_labels = len(LABELS)
        kind = BertForTokenClassification if tokens else BertForSequenceClassification
        kind(config).save_pretrained(directory)
    tokenizer_file(directory / "tokenizer.json")
    describe(directory)
    return directory
