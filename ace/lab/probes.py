"""What a model could know without reading the defect: probes for leaks in a built data set.

Each should fall to near chance (AUC 0.5); what does not is a leak, and the report says so.
- text_free: lengths, counts and numbers, by a logistic regression that sees no word;
- masked_span: the model itself on defective claims whose defect was cut out, against sound ones;
- shuffled_words: the model itself with the words of every claim in random order. Terms of degree
  survive a shuffle by nature, so this one falls, but not to chance.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.gatekeeper.engine import Engine
from ace.gatekeeper.score import p_inv
from ace.lab.dataset import Row
from ace.lab.metrics import auc

Floats = NDArray[np.float64]


def text_free(train: Sequence[Row], test: Sequence[Row]) -> float:
    """AUC on `test` of a logistic regression over the features of `features`."""
    given, asked = _features(train), _features(test)
    mean, spread = given.mean(axis=0), given.std(axis=0) + 1e-9
    weights = _fit((given - mean) / spread, _invalid(train))
    scores = np.column_stack([np.ones(len(asked)), (asked - mean) / spread]) @ weights
    return auc(scores, _invalid(test))


def masked_span(engine: Engine, rows: Sequence[Row]) -> dict[str, float]:
    """Per class with the defect cut out: AUC of P_inv against the sound rows, and for "all"."""
    sound = [row for row in rows if row.label == "pass"]
    wrong = [row for row in rows if row.label != "pass"]
    masked = [replace(row, text=_without_span(row)) for row in wrong]
    score_sound, score_masked = _p_inv(engine, sound), _p_inv(engine, masked)
    found = {"all": _against(score_masked, score_sound)}
    for label in sorted({row.label for row in wrong}):
        chosen = np.asarray([row.label == label for row in wrong])
        found[label] = _against(score_masked[chosen], score_sound)
    return found


def shuffled_words(engine: Engine, rows: Sequence[Row], seed: int) -> float:
    """AUC of P_inv when the words of each claim come in random order."""
    rng = Random(seed)
    shuffled = []
    for row in rows:
        words = row.text.split()
        rng.shuffle(words)
        shuffled.append(replace(row, text=" ".join(words)))
    return auc(_p_inv(engine, shuffled), _invalid(rows))


def features(row: Row) -> list[float]:
    """Numbers that say nothing about the words: sizes, counts of marks and digits, position."""
    text = row.text
    return [
        np.log(len(text) + 1),
        len(text.split()),
        text.count(","),
        text.count(";"),
        len(re.findall(r"\d", text)),
        sum(map(str.isupper, text)),
        row.number,
        len(row.ancestors),
        np.log(sum(map(len, row.ancestors)) + 1),
    ]


def _features(rows: Sequence[Row]) -> Floats:
    return np.asarray([features(row) for row in rows], dtype=np.float64)


def _invalid(rows: Sequence[Row]) -> NDArray[np.bool_]:
    return np.asarray([row.label != "pass" for row in rows])


def _fit(given: Floats, truth: NDArray[np.bool_], ridge: float = 1.0) -> Floats:
    """Logistic regression by Newton's method; the first weight is the intercept."""
    x = np.column_stack([np.ones(len(given)), given])
    weights = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (p - truth) + ridge * weights
        curvature = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(x.shape[1])
        weights = weights - np.linalg.solve(curvature, gradient)
    return weights


def _without_span(row: Row) -> str:
    left, right = row.text[: row.start].rstrip(" ,"), row.text[row.end :].lstrip()
    text = f"{left} {right}" if right and right[0].isalnum() else left + right
    return text if text.endswith(".") else f"{text.rstrip(' ,;:')}."


def _p_inv(engine: Engine, rows: Sequence[Row]) -> Floats:
    return p_inv(engine.score([ClaimInput(r.number, r.text, r.ancestors) for r in rows]))


def _against(high: Floats, low: Floats) -> float:
    truth = np.concatenate([np.ones(len(high), bool), np.zeros(len(low), bool)])
    return auc(np.concatenate([high, low]), truth)
