"""Judges that are hard to beat for what they cost: each learns from training rows, none is ours.

Majority calls everything Pass; lengths see no word; TF-IDF sees words in no order; the frozen encoder
is a general one that nobody trained for this; the rules as features weigh what the checks see. Needs
scikit-learn, and torch with transformers for the encoder (the extra `train`).
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.batching import batches
from ace_lab.evaluation.judges import JudgeResult
from ace_lab.evaluation.rule_scores import rule_scores

Floats = NDArray[np.float64]
Progress = Callable[[int], None]

MOST_FEATURES = 60_000
"""Of each half of TF-IDF; more change no digit and cost memory."""

ENCODER_TOKENS, ENCODER_ROWS = 128, 2_000
"""What the frozen encoder reads of a claim, and of how many training rows: it is slow."""

_BUDGET_TOKENS = 4_096


def majority(labels: NDArray[np.intp], asked: int) -> JudgeResult:
    """The commonest class of the training rows, for every claim."""
    commonest = int(np.bincount(labels, minlength=len(LABELS)).argmax())
    return JudgeResult(
        f"majority ({LABELS[commonest]})", np.full(asked, commonest, np.intp), np.zeros(asked), 0.0
    )


def length_only(
    train: Sequence[ClaimInput], labels: NDArray[np.intp], test: Sequence[ClaimInput]
) -> JudgeResult:
    """Logistic regression over lengths and counts of marks and digits: no word is seen."""
    return _learned("length only", train, labels, test, _lengths, _scaled())


def tfidf(train: Sequence[ClaimInput], labels: NDArray[np.intp], test: Sequence[ClaimInput]) -> JudgeResult:
    """Logistic regression over TF-IDF of 1-2 words and 3-5 characters of the claim itself."""
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, max_features=MOST_FEATURES)
    characters = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(3, 5), min_df=3, sublinear_tf=True, max_features=MOST_FEATURES
    )
    both = FeatureUnion([("words", words), ("characters", characters)])
    model = make_pipeline(both, LogisticRegression(C=10.0, max_iter=200, tol=1e-3))
    return _learned("TF-IDF + LR", train, labels, test, _own, model)


def frozen_encoder(
    train: Sequence[ClaimInput], labels: NDArray[np.intp], test: Sequence[ClaimInput]
) -> JudgeResult:
    """Logistic regression over the mean-pooled last layer of the bundled MiniLM, never fine-tuned."""
    some = np.random.default_rng(0).permutation(len(train))[:ENCODER_ROWS]
    given = [train[at] for at in some]
    return _learned("frozen encoder + LR", given, labels[some], test, _Encoder().features, _scaled())


def rules_as_features(
    train: Sequence[ClaimInput], labels: NDArray[np.intp], test: Sequence[ClaimInput]
) -> JudgeResult:
    """Logistic regression over the confidence of each rule's likeliest flaw."""
    return _learned("rules as features + LR", train, labels, test, _rules, _scaled())


def _learned(
    name: str,
    train: Sequence[ClaimInput],
    labels: NDArray[np.intp],
    test: Sequence[ClaimInput],
    features: Callable[[Sequence[ClaimInput]], Any],
    model: Any,
) -> JudgeResult:
    """Fits on the training rows, then judges and times the test rows."""
    model.fit(features(train), labels)
    began = time.perf_counter()
    found = model.predict_proba(features(test))
    seconds = (time.perf_counter() - began) / max(1, len(test))
    p = np.zeros((len(test), len(LABELS)))
    p[:, model.classes_] = found
    return JudgeResult(name, p.argmax(axis=1), 1 - p[:, 0], seconds)


def _scaled() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=500, tol=1e-3))


def _own(inputs: Sequence[ClaimInput]) -> list[str]:
    return [f"{claim.number}. {claim.text}" for claim in inputs]


def _lengths(inputs: Sequence[ClaimInput]) -> Floats:
    return np.asarray(
        [
            [
                np.log1p(len(claim.text)),
                len(claim.text.split()),
                claim.text.count(","),
                claim.text.count(";"),
                len(re.findall(r"\d", claim.text)),
                claim.number,
                len(claim.ancestors),
                np.log1p(sum(map(len, claim.ancestors))),
            ]
            for claim in inputs
        ],
        dtype=np.float64,
    )


def _rules(inputs: Sequence[ClaimInput]) -> Floats:
    return rule_scores(inputs).by_rule


class _Encoder:
    """The bundled MiniLM as it comes; a text is the claim and its ancestors, cut at ENCODER_TOKENS."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch and transformers warn about each other at import
            import torch
            from tokenizers import Tokenizer
            from transformers import AutoModel
            from transformers.utils import logging

            from ace_lab.base_encoder import bundled_base

            logging.disable_progress_bar()  # type: ignore[no-untyped-call]
            base = bundled_base()
            self._torch = torch
            self._model = AutoModel.from_pretrained(base).eval()
        self._tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(ENCODER_TOKENS)

    def features(self, inputs: Sequence[ClaimInput]) -> Floats:
        """Mean of the last layer's vectors over the tokens, shape (N, 384)."""
        texts = [" ".join((f"{claim.number}. {claim.text}", *claim.ancestors)) for claim in inputs]
        ids = [found.ids for found in self._tokenizer.encode_batch(texts)]
        out = np.zeros((len(ids), self._model.config.hidden_size))
        for batch in batches(list(map(len, ids)), budget_tokens=_BUDGET_TOKENS, max_items=64):
            out[batch] = self._pooled([ids[at] for at in batch])
        return out

    def _pooled(self, batch: list[list[int]]) -> Floats:
        torch, width = self._torch, max(map(len, batch))
        given = torch.zeros((len(batch), width), dtype=torch.long)
        mask = torch.zeros((len(batch), width), dtype=torch.long)
        for at, ids in enumerate(batch):
            given[at, : len(ids)] = torch.tensor(ids)
            mask[at, : len(ids)] = 1
        with torch.inference_mode():
            vectors = self._model(input_ids=given, attention_mask=mask).last_hidden_state
            weights = mask.unsqueeze(-1).to(vectors.dtype)
            pooled: Floats = ((vectors * weights).sum(1) / weights.sum(1)).double().numpy()
        return pooled
