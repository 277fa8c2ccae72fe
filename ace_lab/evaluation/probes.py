"""Probes for leaks in a data set: what separates defective claims from sound ones apart from the defect.

Each probe is an AUC against "is defective", of each class against its own sound twins, with a bootstrap
interval by family; chance is 0.5. If the whole interval is beyond `NEAR_CHANCE`, something leaks, and the
result names the edits that show it most. Some leaks are the defect itself: a vague term is a word, and a word
survives every shuffle. `BY_NATURE` lists those.
"""

import importlib.util
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.errors import NotConfigured
from ace.gatekeeper.engine import Engine
from ace.routing.score import p_inv
from ace_lab.data.rows import Row
from ace_lab.evaluation.ablations import WORD_OR_MARK, alone, in_order, masked, shuffled, twins
from ace_lab.measures.metrics import auc
from ace_lab.measures.selective import bootstrap

Floats = NDArray[np.float64]
Judge = Callable[[Sequence[Row]], Floats]
"""Scores each row: the higher, the likelier it is defective."""

CHANCE, NEAR_CHANCE = 0.5, 0.55
TRAIN_ROWS, TEST_ROWS, MODEL_PAIRS = 8_000, 4_000, 250
"""Rows that a probe learns from, rows that it is tested on, and pairs that a model reads."""
_DRAWS = 200
_FEWEST = 5

PROBES = ("text_free", "shuffled_words", "masked_span", "generator_identity")
COMPARED = "words_in_order"
"""Not a probe, but the baseline for the shuffled words."""

BY_NATURE = {
    "text_free": {
        "dependency": "a reference to nothing leaves no chain, and a claim that adds nothing is short",
        "syntax": "marks and brackets that are missing or too many are counted",
    },
    "shuffled_words": {
        "ambiguity": "a vague term is a word, in whatever order",
        "dependency": "the number of the parent is a word, and a claim that adds nothing lacks some",
        "syntax": "marks, brackets and words that are missing or too many are so in any order",
    },
    "masked_span": {"dependency": "a reference to nothing leaves no chain, and the chain is not masked"},
}
"""Per probe and class: why the probe cannot be near chance."""

FEATURES: dict[str, Callable[[Row], float]] = {
    "characters": lambda row: math.log1p(len(row.text)),
    "words": lambda row: math.log1p(len(row.text.split())),
    "commas": lambda row: row.text.count(","),
    "semicolons": lambda row: row.text.count(";"),
    "colons": lambda row: row.text.count(":"),
    "points": lambda row: row.text.count("."),
    "brackets": lambda row: sum(row.text.count(each) for each in "()[]{}"),
    "digits": lambda row: sum(map(str.isdigit, row.text)),
    "capitals": lambda row: sum(map(str.isupper, row.text)),
    "number": lambda row: math.log1p(row.number),
    "ancestors": lambda row: len(row.ancestors),
    "chain characters": lambda row: math.log1p(sum(map(len, row.ancestors))),
}
"""Features that ignore the words: sizes, counts of marks and digits, position."""


def probe(train: Sequence[Row], test: Sequence[Row], *, engine: Engine | None, seed: int) -> dict[str, Any]:
    """All probes of a data set; without an engine, those of a model are left out.

    Raises NotConfigured without scikit-learn, ValueError if a split has no defective row with a twin.
    """
    if importlib.util.find_spec("sklearn") is None:
        raise NotConfigured("probes need scikit-learn, which is missing")
    given, asked = _sample(train, TRAIN_ROWS, seed), _sample(test, TEST_ROWS, seed)
    if not twins(given) or not twins(asked):
        raise ValueError("probes need defective rows and their sound twins in train and in test")
    found = {
        "text_free": text_free(given, asked),
        "shuffled_words": shuffled_words(given, asked, engine, seed),
        "masked_span": masked_span(given, asked, engine),
        "generator_identity": generator_identity(given, asked),
    }
    return {
        "chance": CHANCE,
        "near_chance": NEAR_CHANCE,
        "seed": seed,
        "rows": {"train": len(given), "test": len(asked)},
        **found,
        "by_nature": BY_NATURE,
        "leaks": _leaks(found),
    }


def figures_of(found: Mapping[str, Any]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Every figure of a result: the probe, its variant, the class, and the figure."""
    for name in PROBES:
        for way, figures in found[name].items():
            for label, figure in (figures or {}).items():
                yield name, way, label, figure


def text_free(train: Sequence[Row], test: Sequence[Row]) -> dict[str, Any]:
    """Lengths, marks, digits and position, by a logistic regression and by gradient boosting."""
    return {
        name: _judged("text_free", learner(train, _defective(train)), test)
        for name, learner in (("logistic", _logistic), ("boosted", _boosted))
    }


def shuffled_words(
    train: Sequence[Row], test: Sequence[Row], engine: Engine | None, seed: int
) -> dict[str, Any]:
    """Words and pairs of words, shuffled and, for comparison, in order; and the model on shuffled words."""
    rng = Random(seed)
    orders: dict[str, Callable[[Row], Row]] = {COMPARED: in_order, "words": lambda row: shuffled(row, rng)}
    found = {}
    for name, order in orders.items():
        given, asked = ([order(row) for row in rows] for rows in (train, test))
        found[name] = _judged("shuffled_words", _words(given, _defective(given)), asked)
    if engine is not None:
        shown = [shuffled(row, rng) for row in _paired(test)]
        found["model"] = _judged("shuffled_words", _model(engine), shown)
    return found


def masked_span(train: Sequence[Row], test: Sequence[Row], engine: Engine | None) -> dict[str, Any]:
    """What is left without the defect and its counterpart: by words, and by the model with and without
    chain."""
    given, asked = (masked(_real(twins(rows))) for rows in (train, test))
    found = {"words": _judged("masked_span", _words(given, _defective(given)), asked)}
    if engine is not None:
        shown = masked(_real(twins(test))[:MODEL_PAIRS])
        found["model"] = _judged("masked_span", _model(engine), shown)
        found["model_without_chain"] = _judged("masked_span", _model(engine), list(map(alone, shown)))
    return found


def generator_identity(train: Sequence[Row], test: Sequence[Row]) -> dict[str, Any]:
    """Whether it shows who made a row, and whether that gives the label away.

    `edited` separates placebos from real claims, both sound; `edited_label` is the same score against
    "is defective". `written` separates rules from language models among defective rows, and `written_label`
    likewise; both are None if one generator made all rows.
    """
    sides: dict[str, tuple[bool, Callable[[Row], bool]]] = {
        "edited": (True, lambda row: row.edit != "none"),
        "written": (False, lambda row: row.generator != "rules"),
    }
    found: dict[str, Any] = {}
    for name, (is_sound, is_one) in sides.items():
        given, asked = ([row for row in rows if (row.label == "pass") == is_sound] for rows in (train, test))
        truth, there = (np.asarray([is_one(row) for row in rows]) for rows in (given, asked))
        if any(each.sum() < _FEWEST or (~each).sum() < _FEWEST for each in (truth, there)):
            found |= {name: None, f"{name}_label": None}
            continue
        judge = _words(given, truth)
        found[name] = {"all": _figure(judge(asked), there, asked)}
        found[f"{name}_label"] = {"all": _with_verdict("generator_identity", "all", judge(test), test)}
    return found


def _judged(name: str, judge: Judge, test: Sequence[Row]) -> dict[str, Any]:
    """The judge's figure over all rows, and for each class against its own sound twins.

    Twins are claims of the same kind, so it is no leak that only dependent claims have a reference to spoil.
    """
    scores = judge(test)
    defective = {row.origin: row.label for row in test if row.label != "pass"}
    of_pair = np.asarray([defective.get(row.origin, "") for row in test])
    found = {"all": _with_verdict(name, "all", scores, test)}
    for label in LABELS[1:]:
        chosen = np.flatnonzero(of_pair == label).tolist()
        if len({test[at].label for at in chosen}) == 2:
            found[label] = _with_verdict(name, label, scores[chosen], [test[at] for at in chosen])
    return found


def _with_verdict(name: str, label: str, scores: Floats, rows: Sequence[Row]) -> dict[str, Any]:
    """The figure with its verdict, and the reason if the class cannot do better."""
    found = _figure(scores, _defective(rows), rows)
    if found["low"] <= NEAR_CHANCE and found["high"] >= 1 - NEAR_CHANCE:
        return {**found, "verdict": "near chance"}
    shows = ", ".join(_plainest(scores, rows))
    nature = BY_NATURE.get(name, {}).get(label)
    return {**found, "verdict": f"leak: {shows}", **({"by_nature": nature} if nature else {})}


def _figure(scores: Floats, truth: NDArray[np.bool_], rows: Sequence[Row]) -> dict[str, Any]:
    families = np.asarray([row.family for row in rows])
    found = bootstrap(_auc, families, scores, truth, draws=_DRAWS)
    return {
        "auc": round(found.value, 4),
        "low": round(found.low, 4),
        "high": round(found.high, 4),
        "rows": len(rows),
    }


def _auc(scores: Floats, truth: NDArray[np.bool_]) -> float:
    return auc(scores, truth) if 0 < truth.sum() < len(truth) else math.nan


def _plainest(scores: Floats, rows: Sequence[Row]) -> list[str]:
    """The three edits that score highest above the sound rows, of those with enough rows."""
    edits = np.asarray([row.edit if row.label != "pass" else "" for row in rows])
    counted = Counter(edits.tolist())
    found = {
        edit: _auc(scores[(edits == edit) | (edits == "")], (edits == edit)[(edits == edit) | (edits == "")])
        for edit, count in counted.items()
        if edit and count >= _FEWEST
    }
    return [f"{edit} {found[edit]:.2f}" for edit in sorted(found, key=found.__getitem__, reverse=True)[:3]]


def _leaks(found: Mapping[str, Any]) -> list[str]:
    """The leaks that the nature of the class does not explain. "all" only repeats its classes."""
    return sorted(
        f"{name}/{way}/{label}"
        for name, way, label, figure in figures_of(found)
        if figure.get("verdict", "").startswith("leak")
        and "by_nature" not in figure
        and way != COMPARED
        and (label != "all" or name == "generator_identity")
    )


def _sample(rows: Sequence[Row], most: int, seed: int) -> list[Row]:
    """About so many rows; either all rows of an origin or none."""
    origins = sorted({row.origin for row in rows})
    Random(seed).shuffle(origins)
    counted = Counter(row.origin for row in rows)
    chosen: set[str] = set()
    room = most
    for origin in origins:
        room -= counted[origin]
        if room < 0:
            break
        chosen.add(origin)
    return [row for row in rows if row.origin in chosen]


def _paired(rows: Sequence[Row]) -> list[Row]:
    """The rows of the first MODEL_PAIRS pairs, as many as a model can read in acceptable time."""
    return [row for pair in twins(rows)[:MODEL_PAIRS] for row in pair]


def _real(pairs: Sequence[tuple[Row, Row]]) -> list[tuple[Row, Row]]:
    """The pairs whose sound row is an unedited claim, because a placebo would leave its own edit behind."""
    return [pair for pair in pairs if pair[1].edit == "none"]


def _defective(rows: Sequence[Row]) -> NDArray[np.bool_]:
    return np.asarray([row.label != "pass" for row in rows])


def _logistic(rows: Sequence[Row], truth: NDArray[np.bool_]) -> Judge:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1_000)).fit(_features(rows), truth)
    return lambda asked: np.asarray(model.decision_function(_features(asked)))


def _boosted(rows: Sequence[Row], truth: NDArray[np.bool_]) -> Judge:
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(max_iter=60, random_state=0).fit(_features(rows), truth)
    return lambda asked: np.asarray(model.decision_function(_features(asked)))


def _words(rows: Sequence[Row], truth: NDArray[np.bool_]) -> Judge:
    """Words, marks and pairs of them, weighted by TF-IDF, by a logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    vectors = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=WORD_OR_MARK)
    model = make_pipeline(vectors, LogisticRegression(C=10, solver="liblinear", random_state=0))
    model.fit([row.text for row in rows], truth)
    return lambda asked: np.asarray(model.decision_function([row.text for row in asked]))


def _model(engine: Engine) -> Judge:
    return lambda rows: np.asarray(p_inv(engine.score([row.claim() for row in rows])), dtype=np.float64)


def _features(rows: Sequence[Row]) -> Floats:
    return np.asarray([[feature(row) for feature in FEATURES.values()] for row in rows], dtype=np.float64)
