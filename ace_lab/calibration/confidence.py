"""Fits the probability that a flaw is a defect, chooses the threshold and draws the curve.

`python -m ace_lab.calibration.confidence --data FILE` writes the weights that `ace.claims.checks.confidence`
reads, the figure of precision against recall, and the numbers in docs/reference/confidence.md. Flaws on
granted claims count as false alarms. Flaws at a defect injected by `ace_lab.injectors`, or by its modules
reintroductions, near_names, names_alike, predicates, mixed_claims and informalities, count as defects,
reweighted to an assumed prevalence.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from ace.claims.analysis import topic
from ace.claims.checks import RULES, flaws_of
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.taxonomy import ErrorClass
from ace_lab.calibration.confidence_weights import ConfidenceWeights, page_part, table_source
from ace_lab.calibration.precision_recall import Curve, curve_of, drawn, threshold_of
from ace_lab.data.filed_sets import FiledSet, read_filed, split_of
from ace_lab.data.sources import file_hash
from ace_lab.injectors import INJECTORS
from ace_lab.injectors.edits import Injection, Injector, Lexicon
from ace_lab.injectors.informalities import INFORMALITIES
from ace_lab.injectors.mixed_claims import MIXED_CLAIMS
from ace_lab.injectors.names_alike import NAMES_ALIKE
from ace_lab.injectors.near_names import NEAR_NAMES
from ace_lab.injectors.phrases import indefinite
from ace_lab.injectors.predicates import PREDICATES
from ace_lab.injectors.reintroductions import REINTRODUCTIONS

PREVALENCE = {
    ErrorClass.ANTECEDENT: 1 / 20,
    ErrorClass.DEPENDENCY: 1 / 50,
    ErrorClass.LOGICAL: 1 / 50,
    ErrorClass.AMBIGUITY: 1 / 50,
    ErrorClass.SYNTAX: 1 / 50,
}
"""Defects per claim of a draft that is checked. Antecedent: about one objection per twenty claims of
first-filed applications. The others are assumptions; we know of no count."""

READ = {
    "antecedent.no_basis": (70, 39),
    "antecedent.unknown_modifier": (45, 28),
    "antecedent.sibling_only": (61, 46),
    "antecedent.number_shift": (23, 9),
    "antecedent.uncounted": (25, 12),
    "antecedent.ambiguous": (45, 26),
    "antecedent.introduced_again": (25, 18),
    "antecedent.typo": (12, 11),
    "antecedent.introduced_later": (2, 1),
    "antecedent.some_paths": (1, 0),
    "dependency.category_mismatch": (4, 4),
    "dependency.malformed": (1, 1),
    "dependency.self": (1, 1),
    "ambiguity.and_or": (20, 7),
    "ambiguity.degree": (12, 5),
    "ambiguity.trademark": (6, 6),
    "ambiguity.open_alternatives": (8, 7),
    "ambiguity.preference": (8, 8),
    "ambiguity.exemplary": (3, 3),
    "ambiguity.mixed_category": (3, 3),
    "ambiguity.subjective": (2, 1),
    "ambiguity.unknown_step": (1, 0),
    "syntax.unbalanced_bracket": (8, 8),
    "syntax.doubled_word": (23, 22),
    "syntax.no_transition": (8, 3),
    "syntax.numerals": (7, 5),
    "syntax.broken_off": (5, 2),
    "syntax.missing_conjunction": (22, 20),
    "syntax.misplaced_conjunction": (8, 4),
    "syntax.ungrammatical": (25, 22),
    "syntax.misspelling": (8, 6),
    "syntax.missing_punctuation": (17, 5),
    "syntax.no_period": (3, 1),
    "syntax.doubled_punctuation": (5, 3),
    "syntax.several_sentences": (1, 1),
}
"""Per rule: a random sample of findings on granted claims that we read, and how many of them we judged to be
defects that the office let pass. Only the rest counts as false alarms."""

UNSEEN_PREVALENCE = 1 / 1_000
"""Prior of every rule: defects found per claim."""
UNSEEN_FALSE_ALARMS = 0.5
"""Prior of every rule: false alarms raised."""

ANTECEDENT_LIMIT = 0.75
"""Maximum antecedent findings per set of the threshold split, whose sets have fewer than others. Over all
granted sets it lets through fewer than one, and with the other classes about one and a half."""

_TRIES = 6
_RIDGE = 0.5
_RULE_SCALE, _OWN_SCALE = 10.0, 0.7  # a larger scale is held towards zero less
ROOT = Path(__file__).resolve().parents[2]

_OF_THE_FIT_ALONE = {
    **REINTRODUCTIONS,
    "antecedent": (*REINTRODUCTIONS["antecedent"], *NEAR_NAMES, *NAMES_ALIKE),
    "logical": PREDICATES,
    "ambiguity": MIXED_CLAIMS,
    "syntax": INFORMALITIES,
}
_FIT_INJECTORS: dict[str, tuple[Injector, ...]] = {
    label: (*(injector for injector, _ in choices), *_OF_THE_FIT_ALONE[label])
    for label, choices in INJECTORS.items()
}
_LAWFUL = frozenset({"inherent", "inherent_part"})
"""Signals of what needs no introduction (MPEP 2173.05(e)): an injector that removes one makes no defect."""

FlawSignature = tuple[str, tuple[str, ...]]
"""What the fit knows of a flaw: the id of its rule, and its signals in order."""


@dataclass
class Evidence:
    """What the checks reported on the sets of one split.

    `alarms` counts the flaws on granted claims; `hits` has, for every injected defect of a class, the
    kinds of the flaws that hit it (none: missed).
    """

    sets: int = 0
    claims: int = 0
    alarms: Counter[FlawSignature] = field(default_factory=Counter)
    hits: dict[ErrorClass, list[tuple[FlawSignature, ...]]] = field(
        default_factory=lambda: {each: [] for each in ErrorClass}
    )

    def defects(self) -> dict[FlawSignature, float]:
        """Flaws that hit a defect, weighted to the assumed prevalence."""
        weighted: dict[FlawSignature, float] = {}
        for error_class, injected in self.hits.items():
            for kinds in injected:
                for kind in kinds:
                    share = PREVALENCE[error_class] * self.claims / len(injected)
                    weighted[kind] = weighted.get(kind, 0.0) + share
        return weighted

    def flaws_at_defects(self) -> Iterator[FlawSignature]:
        """The flaws that hit an injected defect, each as often as it did."""
        for injected in self.hits.values():
            for flaws in injected:
                yield from flaws

    def alarms_by_rule(self) -> Counter[str]:
        """The flaws on granted claims, counted by rule."""
        counted: Counter[str] = Counter()
        for (rule_id, _), count in self.alarms.items():
            counted[rule_id] += count
        return counted


def gather(members: Sequence[FiledSet], *, seed: int) -> Evidence:
    """Checks the sets unchanged, and each with one defect of every injector that finds a place."""
    evidence = Evidence(sets=len(members))
    sets = [(member.family, member.claims()) for member in members]
    lexicon = Lexicon(_nouns(claims for _, claims in sets))
    for family, claims in sets:
        evidence.claims += len(claims)
        reading = Reading(claims)
        sound = {claim.number: list(flaws_of(reading, claim)) for claim in claims}
        evidence.alarms.update(signature_of(flaw) for flaw in _reported(reading, sound))
        for label, injectors in _FIT_INJECTORS.items():
            for injector in injectors:
                injection = _injected(
                    claims, injector, lexicon, Random(f"{seed}/{family}/{injector.__name__}")
                )
                if injection is not None:
                    before = sound.get(injection.number, [])
                    known = {_identity(claims[injection.number], flaw) for flaw in before}
                    evidence.hits[ErrorClass(label)].append(tuple(_flaws_at(injection, known)))
    return evidence


def _reported(reading: Reading, sound: Mapping[int, Sequence[Flaw]]) -> Iterable[Flaw]:
    """The flaws reported to a reader of the whole set: each topic once."""
    reported: dict[Hashable, Flaw] = {}
    for claim in reading.claims:
        for flaw in sound[claim.number]:
            quote = claim.text[flaw.start : flaw.end]
            reported.setdefault(topic(flaw.rule.error_class, flaw.rule.subtype, quote), flaw)
    return reported.values()


def false_share(rule_id: str, signals: Sequence[str] = ()) -> float:
    """The share of a rule's findings on granted claims that are no defects, slightly above what we read; all
    of those that the law lets count as none."""
    read, defects = READ.get(rule_id, (0, 0)) if _LAWFUL.isdisjoint(signals) else (0, 0)
    return 1 - defects / (read + 2)


def fit(evidence: Evidence) -> ConfidenceWeights:
    """L2-regularised logistic regression: a weight for every rule, and one for each of its signals.

    Every rule starts from the same two pseudo-counts, so a rule without evidence has a confidence too, and a
    rule without false alarms ends near the Beta-smoothed share of its defects. Signals are regularised
    towards zero; the rules of a class share what a signal means in that class.
    """
    classes = {rule.id: rule.error_class.value for rule in RULES}
    rows = _weighted_rows(evidence)
    own = sorted({(rule_id, signal) for (rule_id, signals), _, _ in rows for signal in signals})
    shared = sorted({(classes[rule_id], signal) for rule_id, signal in own})
    columns = {name: at for at, name in enumerate([*((rule, "") for rule in classes), *shared, *own])}
    x = np.zeros((len(rows), len(columns)))
    for at, ((rule_id, signals), _, _) in enumerate(rows):
        x[at, columns[rule_id, ""]] = _RULE_SCALE
        for signal in signals:
            x[at, columns[classes[rule_id], signal]] = 1.0
            x[at, columns[rule_id, signal]] = _OWN_SCALE
    y = np.asarray([true for _, true, _ in rows])
    fitted = _regress(x, y, np.asarray([weight for _, _, weight in rows]))
    found = Counter(rule_id for rule_id, _ in evidence.flaws_at_defects())
    alarms = evidence.alarms_by_rule()
    return ConfidenceWeights(
        rules={
            one: (float(fitted[columns[one, ""]]) * _RULE_SCALE, found[one], alarms[one]) for one in classes
        },
        signals={
            (rule_id, signal): float(
                fitted[columns[classes[rule_id], signal]] + fitted[columns[rule_id, signal]] * _OWN_SCALE
            )
            for rule_id, signal in own
        },
    )


def _weighted_rows(evidence: Evidence) -> list[tuple[FlawSignature, bool, float]]:
    """Flaws, whether they are defects, and their weights: the evidence and each rule's pseudo-counts."""
    return [
        *((flaw, True, weight) for flaw, weight in evidence.defects().items()),
        *((flaw, False, count * false_share(*flaw)) for flaw, count in evidence.alarms.items()),
        *(((rule.id, ()), True, UNSEEN_PREVALENCE * evidence.claims) for rule in RULES),
        *(((rule.id, ()), False, UNSEEN_FALSE_ALARMS) for rule in RULES),
    ]


def measured(evidence: Evidence, weights: ConfidenceWeights) -> Curve:
    """Precision and recall of the weights at every threshold, on evidence that they did not see."""
    classes = {rule.id: rule.error_class for rule in RULES}
    reported: dict[ErrorClass, list[tuple[float, float]]] = {each: [] for each in ErrorClass}
    for kind, count in evidence.alarms.items():
        reported[classes[kind[0]]].extend([(weights.confidence(*kind), false_share(*kind))] * count)
    best = {
        error_class: [max((weights.confidence(*kind) for kind in kinds), default=0.0) for kinds in injected]
        for error_class, injected in evidence.hits.items()
    }
    return curve_of(reported, best, PREVALENCE, sets=evidence.sets, claims=evidence.claims)


def signature_of(flaw: Flaw) -> FlawSignature:
    """The signature of a flaw."""
    return flaw.rule.id, tuple(sorted(set(flaw.signals)))


def _regress(
    x: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    y: np.ndarray[tuple[int], np.dtype[np.bool_]],
    weights: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1 / _RIDGE, fit_intercept=False, max_iter=10_000, tol=1e-8)
    model.fit(x, y, sample_weight=weights)
    coefficients: np.ndarray[tuple[int], np.dtype[np.float64]] = model.coef_[0]
    return coefficients


def _injected(claims: ClaimSet, injector: Injector, lexicon: Lexicon, rng: Random) -> Injection | None:
    """The injector's edit of some claim of the set; None after a few claims that offer no place."""
    for claim in rng.sample(list(claims), min(_TRIES, len(claims))):
        injection = injector(claims, claim, rng, lexicon)
        if injection is not None:
            return injection
    return None


def _flaws_at(injection: Injection, known: set[tuple[str, str]]) -> Iterator[FlawSignature]:
    """The flaws of the defect's own class at the defect that were not there before, and that the law lets
    count."""
    claim = injection.claims[injection.number]
    for flaw in flaws_of(Reading(injection.claims), claim):
        overlaps = flaw.start < injection.end and injection.start < flaw.end
        own = overlaps and flaw.rule.error_class == injection.label
        if own and _identity(claim, flaw) not in known and _LAWFUL.isdisjoint(flaw.signals):
            yield signature_of(flaw)


def _identity(claim: Claim, flaw: Flaw) -> tuple[str, str]:
    return flaw.rule.id, claim.text[flaw.start : flaw.end]


def _nouns(sets: Iterable[ClaimSet]) -> tuple[str, ...]:
    counted = Counter(
        phrase.text.lower()
        for claims in sets
        for claim in claims
        for phrase in indefinite(claim.text)
        if len(phrase.words) <= 2 and phrase.text.isascii()
    )
    return tuple(sorted(noun for noun, count in counted.items() if count >= 2)) or tuple(sorted(counted))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ace_lab.calibration.confidence", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="JSON lines of claim sets")
    parser.add_argument("--out", type=Path, default=ROOT, help="root of the project to write to")
    parser.add_argument("--every", type=int, default=1, help="use only every N-th granted set")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    granted = [filed for filed in read_filed(given.data) if filed.granted][:: given.every]
    splits = {
        name: [filed for filed in granted if split_of(filed.family) == name] for name in ("fit", "threshold")
    }
    evidence = gather(splits["fit"], seed=given.seed)
    weights = fit(evidence)
    held = gather(splits["threshold"], seed=given.seed)
    curve = measured(held, weights)
    threshold = threshold_of(curve, antecedent_limit=ANTECEDENT_LIMIT)
    weights = weights.at(
        threshold,
        curve,
        fitted=dt.datetime.now(dt.UTC).date().isoformat(),
        data=file_hash(given.data),
        counts={
            "fit_sets": evidence.sets,
            "fit_claims": evidence.claims,
            "fit_defects": sum(map(len, evidence.hits.values())),
            "threshold_sets": held.sets,
            "threshold_claims": held.claims,
            "threshold_defects": sum(map(len, held.hits.values())),
        },
        prevalence={each.value: share for each, share in PREVALENCE.items()},
    )
    _write(given.out, weights, curve)
    print(page_part(weights), file=sys.stderr)
    return 0


def _write(root: Path, weights: ConfidenceWeights, curve: Curve) -> None:
    (root / "ace/claims/checks/confidence_table.py").write_text(table_source(weights), encoding="utf-8")
    (root / "docs/figures").mkdir(parents=True, exist_ok=True)
    (root / "docs/figures/confidence.svg").write_text(drawn(curve, weights.threshold), encoding="utf-8")
    page = root / "docs/reference/confidence.md"
    if page.exists():
        text = page.read_text(encoding="utf-8")
        begun, ended = "<!-- fit -->\n", "<!-- /fit -->"
        head, tail = text.split(begun)[0], text.split(ended)[-1]
        page.write_text(f"{head}{begun}\n{page_part(weights)}\n\n{ended}{tail}", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
