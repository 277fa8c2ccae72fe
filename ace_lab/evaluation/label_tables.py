"""The figures of judges on labelled claims and edits, as plain data.

Shares are rounded to four digits; intervals are of 95 %, by bootstrap over families. Nothing here judges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ace.claims.findings import Finding
from ace.claims.taxonomy import LABELS
from ace_lab.evaluation.labelled import Calls, JudgedClaim, JudgedEdit, true_classes
from ace_lab.measures.metrics import auc
from ace_lab.measures.selective import bootstrap
from ace_lab.readings.labels import SURE
from ace_lab.readings.records import SOUND, ClaimReading

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

DRAWS: Final = 400
LENGTHS: Final = ((0, 150), (150, 400), (400, 1_200), (1_200, 10**9))
BANDS: Final = ((0.8, 1.01), (0.6, 0.8), (0.45, 0.6), (0.0, 0.45))
SHARES: Final = (0.0, 0.05, 0.1, 0.2, 0.4, 1.0)
EXPERT_USD_PER_MILLION: Final = 5_733.0
"""What a million claims cost at the 70B expert (paper, table of main results)."""
RANDOM_ORDERS: Final = 200
CURVE_POINTS: Final = 200
"""How many points of a curve are kept: more cannot be seen."""
NOTICED: Final = 0.8
"""A mistake more doubtful than this share of untouched claims stands out, though no judge fails it."""


def quality(fails: Bools, truth: Bools, families: NDArray[Any]) -> dict[str, Any]:
    """Precision, recall, F1 and accuracy of calls on N claims, with intervals."""
    found: dict[str, Any] = {"claims": len(truth), "defective": int(truth.sum()), "failed": int(fails.sum())}
    for name, statistic in _STATISTICS.items():
        seen = bootstrap(statistic, families, fails, truth, draws=DRAWS)
        found[name] = _rounded(seen.value)
        found[f"{name}_interval"] = [_rounded(seen.low), _rounded(seen.high)]
    return found


def judges_table(judged: Sequence[JudgedClaim], calls: Calls | None) -> list[dict[str, Any]]:
    """A row for each judge: rules, and with calls gatekeeper and verdict."""
    truth, families = true_classes(judged) > 0, families_of(judged)
    rows = [
        {"judge": name, **quality(fails, truth, families)} for name, fails in fails_of(judged, calls).items()
    ]
    if calls is not None:
        rows[1]["auroc"] = _rounded(auc(calls.invalid, truth))
        wrong = (calls.gatekeeper > 0) != truth
        rows[1]["doubt_auroc"] = {name: _rounded(auc(doubt, wrong)) for name, doubt in calls.doubts.items()}
    return rows


def parts_table(judged: Sequence[JudgedClaim], calls: Calls | None) -> list[dict[str, Any]]:
    """Precision, recall and F1 of each judge by kind of text, length and art, and recall by class."""
    classes = true_classes(judged)
    truth = classes > 0
    parts: dict[str, Bools] = {
        "granted": _mask(judged, lambda claim: claim.granted),
        "applications": _mask(judged, lambda claim: not claim.granted),
        "independent": _mask(judged, lambda claim: not claim.dependent),
        "dependent": _mask(judged, lambda claim: claim.dependent),
        **{
            f"{low} to {high} characters" if high < 10**9 else f"{low} characters and more": _mask(
                judged,
                lambda claim, low=low, high=high: low <= claim.characters < high,  # type: ignore[misc]
            )
            for low, high in LENGTHS
        },
        **{
            art: _mask(judged, lambda claim, art=art: claim.art == art)  # type: ignore[misc]
            for art in sorted({claim.art for claim in judged})
        },
    }
    rows = []
    for name, chosen in parts.items():
        row: dict[str, Any] = {
            "part": name,
            "claims": int(chosen.sum()),
            "defective": int(truth[chosen].sum()),
        }
        for judge, fails in fails_of(judged, calls).items():
            row[judge] = [_rounded(s(fails[chosen], truth[chosen])) for s in _FIRST_THREE]
        rows.append(row)
    for at, label in enumerate(LABELS[1:], start=1):
        chosen = classes == at
        row = {"part": label, "claims": int(chosen.sum()), "defective": int(chosen.sum())}
        for judge, fails in fails_of(judged, calls).items():
            row[judge] = [None, _rounded(_recall(fails[chosen], truth[chosen])), None]
        rows.append(row)
    return rows


def rules_table(judged: Sequence[JudgedClaim]) -> list[dict[str, Any]]:
    """Every rule by itself: findings, the claims with them, how many of these are defective and defective in
    the rule's class, and the defective claims that no other rule finds."""
    by_rule: dict[str, list[JudgedClaim]] = {}
    counted: dict[str, int] = {}
    for claim in judged:
        for finding in claim.findings:
            counted[finding.rule_id] = counted.get(finding.rule_id, 0) + 1
        for rule in {finding.rule_id for finding in claim.findings}:
            by_rule.setdefault(rule, []).append(claim)
    rows = []
    for rule, claims in by_rule.items():
        right = [claim for claim in claims if claim.label.fails]
        same = [claim for claim in right if rule.partition(".")[0] in claim.label.classes]
        alone = [claim for claim in right if {finding.rule_id for finding in claim.findings} == {rule}]
        rows.append(
            {
                "rule": rule,
                "findings": counted[rule],
                "claims": len(claims),
                "defective": len(right),
                "precision": _rounded(len(right) / len(claims)),
                "same_class": _rounded(len(same) / len(claims)),
                "found_by_it_alone": len(alone),
            }
        )
    return sorted(rows, key=lambda row: (-row["claims"], row["rule"]))


def bands_table(judged: Sequence[JudgedClaim], calls: Calls | None) -> list[dict[str, Any]]:
    """Precision by band of confidence: of findings, and of the gatekeeper's Fails by P_inv."""
    rows = []
    for low, high in BANDS:
        findings = [
            (finding, claim)
            for claim in judged
            for finding in claim.findings
            if low <= finding.confidence < high
        ]
        row: dict[str, Any] = {"from": low, "findings": len(findings), "right": _right(findings)}
        if calls is not None:
            chosen = (calls.gatekeeper > 0) & (calls.invalid >= low) & (calls.invalid < high)
            truth = true_classes(judged) > 0
            row["gatekeeper_fails"] = int(chosen.sum())
            row["gatekeeper_right"] = _rounded(truth[chosen].mean()) if chosen.any() else None
        rows.append(row)
    return rows


def misses_table(judged: Sequence[JudgedClaim], calls: Calls | None) -> list[dict[str, Any]]:
    """What each judge misses, by pattern (compare the paper's table of missed cases)."""
    rows = []
    for pattern, holds in _PATTERNS.items():
        chosen = _mask(judged, lambda claim, holds=holds: claim.label.fails and holds(claim))  # type: ignore[misc]
        row: dict[str, Any] = {"pattern": pattern, "defective": int(chosen.sum())}
        for judge, fails in fails_of(judged, calls).items():
            row[judge] = int((chosen & ~fails).sum())
        rows.append(row)
    return rows


def roc_points(judged: Sequence[JudgedClaim], calls: Calls) -> list[tuple[float, float]]:
    """The ROC curve of P_inv: shares of sound and of defective claims from CURVE_POINTS thresholds on."""
    truth = true_classes(judged) > 0
    order = np.argsort(-calls.invalid, kind="stable")
    hits, alarms = np.cumsum(truth[order]), np.cumsum(~truth[order])
    ends = np.flatnonzero(np.append(np.diff(calls.invalid[order]) != 0, True))
    last = ends[np.unique(np.linspace(0, len(ends) - 1, CURVE_POINTS).astype(int))]
    return [(0.0, 0.0)] + [
        (round(float(a / max(alarms[-1], 1)), 4), round(float(h / max(hits[-1], 1)), 4))
        for a, h in zip(alarms[last], hits[last], strict=True)
    ]


def cascade_table(
    judged: Sequence[JudgedClaim],
    calls: Calls,
    expert: Mapping[tuple[str, int, str | None], ClaimReading],
    gatekeeper_usd_per_million: float,
) -> list[dict[str, Any]]:
    """The most doubtful claims decided by the recorded expert, the others by the gatekeeper: F1, recall and
    cost at several shares, by each doubt, at random (mean) and by an oracle that knows where asking helps."""
    answered = [at for at, claim in enumerate(judged) if (*claim.place, None) in expert]
    if not answered:
        return []
    truth = (true_classes(judged) > 0)[answered]
    own = (calls.gatekeeper > 0)[answered]
    asked = np.array([expert[(*judged[at].place, None)].fails for at in answered], dtype=np.bool_)
    helps = (asked == truth).astype(float) - (own == truth)
    orders: dict[str, list[Floats]] = {name: [doubt[answered]] for name, doubt in calls.doubts.items()}
    draw = np.random.default_rng(112)
    orders["random"] = [draw.random(len(truth)) for _ in range(RANDOM_ORDERS)]
    orders["oracle"] = [helps]
    rows = []
    for name, doubts in orders.items():
        for share in SHARES:
            up = round(share * len(truth))
            decided = [_decided(doubt, up, own, asked) for doubt in doubts]
            usd = gatekeeper_usd_per_million + share * EXPERT_USD_PER_MILLION
            rows.append(
                {
                    "order": name,
                    "escalated": share,
                    "claims": len(truth),
                    "f1": _rounded(np.mean([_f1(fails, truth) for fails in decided])),
                    "recall": _rounded(np.mean([_recall(fails, truth) for fails in decided])),
                    "precision": _rounded(np.mean([_precision(fails, truth) for fails in decided])),
                    "usd_per_million": round(usd),
                }
            )
    return rows


def edits_table(
    judged: Sequence[JudgedEdit], before: Calls | None, after: Calls | None, untouched: Calls | None
) -> list[dict[str, Any]]:
    """What is found of mistakes, by class, and failed of sound edits.

    Rules: a claim of the set gained a finding. Gatekeeper and verdict: the edited claim fails, and `new` if
    it passed before. `noticed`: it fails, or it is more doubtful than NOTICED of the untouched claims.
    """
    classes = np.array([edit.edit.error_class for edit in judged])
    subtle = np.array([edit.edit.subtle for edit in judged], dtype=np.bool_)
    gained = np.array([bool(edit.gained) for edit in judged], dtype=np.bool_)
    mistakes = classes != SOUND
    parts = {"mistakes": mistakes, "subtle": mistakes & subtle, "obvious": mistakes & ~subtle}
    parts |= {label: classes == label for label in (*LABELS[1:], SOUND)}
    rows = []
    for name, chosen in parts.items():
        if not chosen.any():
            continue
        row: dict[str, Any] = {"part": name, "edits": int(chosen.sum()), "rules": _share(gained, chosen)}
        if before is not None and after is not None:
            for judge in ("gatekeeper", "verdict"):
                was, now = getattr(before, judge) > 0, getattr(after, judge) > 0
                row[judge] = _share(now, chosen)
                row[f"{judge}_new"] = _share(now & ~was, chosen)
            if untouched is not None:
                row["noticed"] = _share((after.gatekeeper > 0) | _stands_out(after, untouched), chosen)
        rows.append(row)
    return rows


def rules_on_edits(judged: Sequence[JudgedEdit]) -> dict[str, dict[str, int]]:
    """By rule, the mistakes and the sound edits by which a set gained one of its findings."""
    found: dict[str, dict[str, int]] = {}
    for edit in judged:
        kind = SOUND if edit.edit.error_class == SOUND else "mistakes"
        for rule in edit.gained:
            row = found.setdefault(rule, {"mistakes": 0, SOUND: 0})
            row[kind] += 1
    return dict(sorted(found.items(), key=lambda item: -item[1]["mistakes"]))


def shares_table(judged: Sequence[JudgedClaim]) -> list[dict[str, Any]]:
    """The share of real claims with a defect, by kind of text and class."""
    rows = []
    kinds: Mapping[str, Callable[[JudgedClaim], bool]] = {
        "all": lambda _claim: True,
        "granted": lambda claim: claim.granted,
        "applications": lambda claim: not claim.granted,
    }
    for name, holds in kinds.items():
        members = [claim for claim in judged if holds(claim)]
        defects = [claim.label.defect for claim in members if claim.label.defect is not None]
        counts = {label: sum(defect.error_class == label for defect in defects) for label in LABELS[1:]}
        rejected = sum(defect.ground == "rejection" for defect in defects)
        share = _rounded(len(defects) / len(members)) if members else None
        rows.append(
            {"claims": name, "read": len(members), "defective": len(defects), "share": share, **counts}
            | {"rejections": rejected}
        )
    return rows


def families_of(judged: Sequence[JudgedClaim]) -> NDArray[Any]:
    """The family of each claim, shape (N,)."""
    return np.array([claim.place[0] for claim in judged])


def fails_of(judged: Sequence[JudgedClaim], calls: Calls | None) -> dict[str, Bools]:
    """Whether each judge fails each claim, shape (N,)."""
    found = {"rules": np.array([claim.rules_fail for claim in judged], dtype=np.bool_)}
    if calls is not None:
        found |= {"gatekeeper": calls.gatekeeper > 0, "verdict": calls.verdict > 0}
    return found


_PATTERNS: Final[Mapping[str, Callable[[JudgedClaim], bool]]] = {
    "antecedent basis, dependent claim": lambda claim: _class(claim) == "antecedent" and claim.dependent,
    "antecedent basis, independent claim": lambda claim: (
        _class(claim) == "antecedent" and not claim.dependent
    ),
    **{
        name: lambda claim, name=name: _class(claim) == name  # type: ignore[misc]
        for name in ("syntax", "ambiguity", "dependency", "logical")
    },
    f"a matter of judgement (certainty below {SURE})": lambda claim: (
        claim.label.defect is not None and claim.label.defect.sure < SURE
    ),
}


def _class(claim: JudgedClaim) -> str | None:
    return None if claim.label.defect is None else claim.label.defect.error_class


def _mask(judged: Iterable[JudgedClaim], holds: Callable[[JudgedClaim], bool]) -> Bools:
    return np.array([holds(claim) for claim in judged], dtype=np.bool_)


def _precision(fails: Bools, truth: Bools) -> float:
    return float(truth[fails].mean()) if fails.any() else float("nan")


def _recall(fails: Bools, truth: Bools) -> float:
    return float(fails[truth].mean()) if truth.any() else float("nan")


def _f1(fails: Bools, truth: Bools) -> float:
    marked = int(fails.sum()) + int(truth.sum())
    return 2 * int((fails & truth).sum()) / marked if marked else float("nan")


def _accuracy(fails: Bools, truth: Bools) -> float:
    return float((fails == truth).mean())


_FIRST_THREE: Final = (_precision, _recall, _f1)
_STATISTICS: Final = {"precision": _precision, "recall": _recall, "f1": _f1, "accuracy": _accuracy}


def _right(findings: Sequence[tuple[Finding, JudgedClaim]]) -> float | None:
    return _rounded(np.mean([claim.label.fails for _, claim in findings])) if findings else None


def _decided(doubt: Floats, up: int, own: Bools, asked: Bools) -> Bools:
    chosen = np.zeros(len(own), dtype=np.bool_)
    chosen[np.argsort(-doubt, kind="stable")[:up]] = True
    return np.where(chosen, asked, own)


def _stands_out(after: Calls, untouched: Calls) -> Bools:
    name = next(iter(after.doubts))
    return after.doubts[name] > np.quantile(untouched.doubts[name], NOTICED)


def _share(holds: Bools, chosen: Bools) -> float | None:
    return _rounded(holds[chosen].mean())


def _rounded(value: Any) -> float | None:
    """The share with four digits; None if there is nothing to take a share of."""
    return None if math.isnan(value) else round(float(value), 4)
