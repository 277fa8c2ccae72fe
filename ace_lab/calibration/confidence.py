"""Fits how likely a finding stands in a claim that careful readers fail, and chooses the default threshold.

`python -m ace_lab.calibration.confidence --claims FILE` writes `ace/claims/checks/confidence.json`, which
`ace.claims.checks.confidence` reads, and the tables of docs/reference/confidence.md. It uses labels alone
(`ace_lab.readings`). Weights are fitted on training families: a flaw in a claim that readers pass is wrong,
one at the words that they quote is right, however certain they are, and others in a claim that they fail are
left out; what a written mistake or a sound edit brings counts a quarter of that. Then each class is shifted
to calibration families, whose claims were read twice: there a flaw is right if its claim fails. The threshold
is chosen on those.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import math
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ace.claims.checks import RULES, flaws_of
from ace.claims.findings import Flaw
from ace.claims.model import ClaimSet
from ace.claims.reading import Reading
from ace.claims.rules import Jurisdiction, Severity
from ace.claims.taxonomy import ErrorClass
from ace_lab.calibration.guarantee import clopper_pearson
from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus, edited_set, read_corpus
from ace_lab.readings.labels import Label, Place, claim_labels, edits_that_count
from ace_lab.readings.records import SOUND, Edit
from ace_lab.reports.markdown import grid

Signature = tuple[str, tuple[str, ...]]
"""What the fit knows of a flaw: the id of its rule, and its signals in order."""

EDIT_WEIGHT: Final = 0.25
"""What a flaw that an edit brings counts beside one on a real claim: enough for rules of rare defects, too
little to move those that real claims show."""
PRECISION: Final = 0.75
CERTAINTY: Final = 0.8
"""The default threshold is the lowest whose precision is at least PRECISION with this one-sided certainty."""
LEAST_THRESHOLD: Final = 0.3

_RIDGE: Final = 0.5
_CLASS_SCALE, _RULE_SCALE, _OWN_SCALE = 10.0, 2.0, 0.7  # a larger scale is held towards zero less
_SHIFT_RIDGE: Final = 2.0
_CLASSES: Final = {rule.id: rule.error_class for rule in RULES}
_ROOT: Final = Path(__file__).resolve().parents[2]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JudgedFlaws:
    """The flaws of one labelled claim, each kind once, those of them at words that readers quote, and whether
    readers fail the claim."""

    flaws: frozenset[Signature]
    fails: bool
    quoted: frozenset[Signature] = frozenset()


@dataclass
class Evidence:
    """Flaws on labelled claims of one split; `edits` has those that a mistake (True) or a sound edit (False)
    brought."""

    claims: list[JudgedFlaws] = field(default_factory=list)
    edits: list[JudgedFlaws] = field(default_factory=list)

    def counts(self) -> Mapping[bool, Counter[Signature]]:
        """How often each kind of flaw stands at words that readers quote, and in claims that they pass."""
        counted: dict[bool, Counter[Signature]] = {True: Counter(), False: Counter()}
        for judged in self.claims:
            counted[judged.fails].update(judged.quoted if judged.fails else judged.flaws)
        return counted


@dataclass(frozen=True, slots=True)
class Weights:
    """Log-odds of each rule, and of each signal by rule and signal."""

    rules: Mapping[str, float]
    signals: Mapping[tuple[str, str], float]

    def log_odds(self, flaw: Signature) -> float:
        """As `ace.claims.checks.confidence` adds them up."""
        rule_id, signals = flaw
        return self.rules[rule_id] + sum(self.signals.get((rule_id, signal), 0.0) for signal in signals)

    def confidence(self, flaws: Iterable[Signature]) -> float:
        """Of the likeliest of the flaws; 0 without one."""
        return max((1 / (1 + math.exp(-self.log_odds(flaw))) for flaw in flaws), default=0.0)

    def shifted(self, by: Mapping[ErrorClass, float]) -> Weights:
        """Every rule moved by what its class needs; rounded as they are stored."""
        rules = {rule: round(weight + by[_CLASSES[rule]], 2) for rule, weight in self.rules.items()}
        return Weights(rules, {key: round(weight, 2) for key, weight in self.signals.items()})


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold does on labelled claims: claims reported, precision, recall, and the lower bound of
    the precision."""

    threshold: float
    reported: int
    precision: float
    recall: float
    at_least: float


def gather(
    corpus: Corpus,
    labels: Mapping[Place, Label],
    edits: Sequence[Edit],
    split: str,
    progress: Callable[[int], None],
) -> Evidence:
    """The flaws of every labelled claim of a split, and those that each edit brings to its set."""
    evidence = Evidence()
    by_patent: dict[str, list[Edit]] = {}
    for edit in edits:
        by_patent.setdefault(edit.patent, []).append(edit)
    for member in corpus.of(split):
        found = flaws_in(member.claims)
        for number, flaws in found.items():
            label = labels.get((member.patent, number))
            if label is not None:
                kinds = frozenset(map(signature_of, flaws))
                evidence.claims.append(JudgedFlaws(kinds, label.fails, _quoted(flaws, label)))
        for edit in by_patent.get(member.patent, ()):
            brought = _brought(found, flaws_in(edited_set(member, edit)))
            evidence.edits.append(JudgedFlaws(brought, edit.error_class != SOUND))
        progress(1)
    return evidence


def flaws_in(claims: ClaimSet) -> dict[int, list[Flaw]]:
    """Every flaw that would fail a claim under US law, by claim."""
    reading = Reading(claims)
    return {claim.number: list(filter(_fails, flaws_of(reading, claim))) for claim in reading.claims}


def signature_of(flaw: Flaw) -> Signature:
    """The signature of a flaw."""
    return flaw.rule.id, tuple(sorted(set(flaw.signals)))


def fit(evidence: Evidence) -> Weights:
    """L2-regularised logistic regression: a weight for every class, rule, and signal of a rule.

    What the classes' rules and signals share is regularised less than what each has for itself, so that a
    rule that labels seldom show stays near the others of its class.
    """
    rows = list(_weighted_rows(evidence))
    own = sorted({(rule, signal) for (rule, signals), _, _ in rows for signal in signals})
    shared = sorted({(_CLASSES[rule].value, signal) for rule, signal in own})
    names = [*((name.value, "") for name in ErrorClass), *((rule, "") for rule in _CLASSES), *shared, *own]
    columns = {name: at for at, name in enumerate(names)}
    x = np.zeros((len(rows), len(columns)))
    for at, ((rule, signals), _, _) in enumerate(rows):
        label = _CLASSES[rule].value
        x[at, columns[label, ""]], x[at, columns[rule, ""]] = _CLASS_SCALE, _RULE_SCALE
        for signal in signals:
            x[at, columns[label, signal]], x[at, columns[rule, signal]] = 1.0, _OWN_SCALE
    fitted = _regress(x, np.array([right for _, right, _ in rows]), np.array([w for _, _, w in rows]))

    def weight(label: str, name: str, signal: str, scales: tuple[float, float]) -> float:
        return float(fitted[columns[label, signal]] * scales[0] + fitted[columns[name, signal]] * scales[1])

    return Weights(
        {rule: weight(of.value, rule, "", (_CLASS_SCALE, _RULE_SCALE)) for rule, of in _CLASSES.items()},
        {key: weight(_CLASSES[key[0]].value, *key, (1.0, _OWN_SCALE)) for key in own},
    )


def class_shifts(evidence: Evidence, weights: Weights) -> dict[ErrorClass, float]:
    """What to add to the log-odds of each class so that they hold on these claims: one for all, and one for
    each class that is held towards zero. Newton's method."""
    order = list(ErrorClass)
    seen = [(flaw, judged.fails) for judged in evidence.claims for flaw in judged.flaws]
    offset = np.array([weights.log_odds(flaw) for flaw, _ in seen])
    right = np.array([fails for _, fails in seen], dtype=float)
    x = np.zeros((len(seen), 1 + len(order)))
    x[:, 0] = 1.0
    x[np.arange(len(seen)), [1 + order.index(_CLASSES[rule]) for (rule, _), _ in seen]] = 1.0
    ridge = np.diag([0.01, *[_SHIFT_RIDGE] * len(order)])
    shift = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-(offset + x @ shift)))
        shift += np.linalg.solve((x.T * (p * (1 - p))) @ x + ridge, x.T @ (right - p) - ridge @ shift)
    return {each: float(shift[0] + shift[1 + at]) for at, each in enumerate(order)}


def threshold_on(evidence: Evidence, weights: Weights) -> Point:
    """The lowest threshold whose precision holds, or the one whose lower bound is highest."""
    points = [point_at(evidence, weights, at / 100) for at in range(round(LEAST_THRESHOLD * 100), 96)]
    held = [point for point in points if point.at_least >= PRECISION]
    return held[0] if held else max(points, key=lambda point: point.at_least)


def point_at(evidence: Evidence, weights: Weights, threshold: float) -> Point:
    """What the threshold does on these claims."""
    reported = [c.fails for c in evidence.claims if weights.confidence(c.flaws) >= threshold]
    right, defective = sum(reported), sum(claim.fails for claim in evidence.claims)
    wrong = len(reported) - right
    return Point(
        threshold,
        len(reported),
        right / max(1, len(reported)),
        right / max(1, defective),
        1 - clopper_pearson(wrong, len(reported), 1 - CERTAINTY),
    )


def stored_form(
    weights: Weights, train: Evidence, point: Point, *, fitted: str, claims: Mapping[str, int]
) -> dict[str, Any]:
    """What `confidence.json` holds: weights, and what each rests on."""
    counts = train.counts()
    rules: dict[str, Any] = {}
    for rule, weight in weights.rules.items():
        right, wrong = (
            sum(n for flaw, n in counts[is_right].items() if flaw[0] == rule) for is_right in (True, False)
        )
        signals = {signal: value for (of, signal), value in sorted(weights.signals.items()) if of == rule}
        rules[rule] = {"weight": weight, "right": right, "wrong": wrong, "signals": signals}
    return {
        "fitted": fitted,
        "claims": dict(claims),
        "threshold": point.threshold,
        "precision": round(point.precision, 3),
        "precision_at_least": round(point.at_least, 3),
        "recall": round(point.recall, 3),
        "rules": rules,
    }


def page_part(stored: Mapping[str, Any], held: Evidence, weights: Weights) -> str:
    """The part of docs/reference/confidence.md with the figures, as Markdown."""
    claims = stored["claims"]
    said = (
        f"Fitted {stored['fitted']} on {claims['train']:,} labelled claims of training families; shifted and "
        f"thresholded on {claims['calibration']:,} of calibration families. The default threshold is "
        f"{stored['threshold']:.2f}: there, {stored['precision']:.1%} of the reported claims are failed by "
        f"readers (at least {stored['precision_at_least']:.1%} with a certainty of {CERTAINTY:.0%}), and "
        f"{stored['recall']:.1%} of those that readers fail are reported."
    )
    lines = []
    for low, high in ((0.8, 1.01), (0.7, 0.8), (0.6, 0.7), (0.45, 0.6), (0.3, 0.45), (0.0, 0.3)):
        seen = [
            judged.fails
            for judged in held.claims
            for flaw in judged.flaws
            if low <= weights.confidence([flaw]) < high
        ]
        share = f"{sum(seen) / len(seen):.1%}" if seen else "–"
        lines.append([f"{low:.2f} to {min(high, 1):.2f}", str(len(seen)), share])
    table = grid(
        ["confidence", "kinds of findings by claim", "in claims that readers fail"],
        lines,
        [False, True, True],
    )
    return "\n".join([*textwrap.wrap(said, 118), "", table])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ace_lab.calibration.confidence", description=__doc__)
    parser.add_argument(
        "--claims", type=Path, required=True, help="JSON lines of claim sets, plain or gzipped"
    )
    parser.add_argument("--labels", type=Path, help="folder of labels, by default the package's own")
    parser.add_argument("--out", type=Path, default=_ROOT, help="root of the project to write to")
    given = parser.parse_args(arguments)
    corpus, labelled = read_corpus(given.claims), Stored.load(given.labels)
    labels, (edits, _) = claim_labels(corpus, labelled, sure=0), edits_that_count(labelled)
    train, held = (
        gather(corpus, labels, edits, split, _progress(split, len(corpus.of(split))))
        for split in ("train", "calibration")
    )
    weights = fit(train)
    weights = weights.shifted(class_shifts(held, weights))
    counts = {"train": len(train.claims), "calibration": len(held.claims)}
    today = dt.datetime.now(dt.UTC).date().isoformat()
    stored = stored_form(weights, train, threshold_on(held, weights), fitted=today, claims=counts)
    _write(given.out, stored, page_part(stored, held, weights))
    return 0


def _fails(flaw: Flaw) -> bool:
    provision = flaw.rule.provision(Jurisdiction.US)
    return provision is not None and provision.severity is not Severity.NOTE


def _quoted(flaws: Iterable[Flaw], label: Label) -> frozenset[Signature]:
    """The kinds of flaws that share words with what the readers quote."""
    defect = label.defect
    if defect is None:
        return frozenset()
    end = defect.start + len(defect.quote)
    return frozenset(signature_of(flaw) for flaw in flaws if flaw.start < end and defect.start < flaw.end)


def _brought(
    before: Mapping[int, Sequence[Flaw]], after: Mapping[int, Sequence[Flaw]]
) -> frozenset[Signature]:
    """The kinds of flaws of which some claim has more after an edit."""
    counts = [
        Counter((n, signature_of(flaw)) for n, flaws in of.items() for flaw in flaws)
        for of in (before, after)
    ]
    return frozenset(signature for _, signature in counts[1] - counts[0])


def _weighted_rows(evidence: Evidence) -> Iterator[tuple[Signature, bool, float]]:
    """Flaws, whether they are right, and their weights."""
    for fails, counted in evidence.counts().items():
        yield from ((flaw, fails, float(n)) for flaw, n in counted.items())
    for edit in evidence.edits:
        yield from ((flaw, edit.fails, EDIT_WEIGHT) for flaw in edit.flaws)


def _regress(x: Floats, right: NDArray[np.bool_], weights: Floats) -> Floats:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1 / _RIDGE, fit_intercept=False, max_iter=10_000, tol=1e-8)
    model.fit(x, right, sample_weight=weights)
    coefficients: Floats = model.coef_[0]
    return coefficients


def _progress(split: str, total: int) -> Callable[[int], None]:
    done = 0

    def progress(units: int) -> None:
        nonlocal done
        done += units
        if done % 100 == 0 or done == total:
            print(f"{split}: {done} of {total} sets", file=sys.stderr)

    return progress


def _write(root: Path, stored: Mapping[str, Any], part: str) -> None:
    table = root / "ace/claims/checks/confidence.json"
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    page = root / "docs/reference/confidence.md"
    if page.exists():
        text = page.read_text(encoding="utf-8")
        begun, ended = "<!-- fit -->\n", "<!-- /fit -->"
        head, tail = text.split(begun)[0], text.split(ended)[-1]
        page.write_text(f"{head}{begun}\n{part}\n\n{ended}{tail}", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
