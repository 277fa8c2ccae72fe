"""How many real rejections each judge finds, for the right reason, at how many false alarms.

A rejected claim is found by a Fail; its reason is matched where a judge names the class and words that
overlap the examiner's quotation. Negatives are the claims of the same claim sets that were not rejected,
objected to, left unexamined, or rejected only for what they depend on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.findings import Finding
from ace.claims.taxonomy import ErrorClass
from ace_lab.rejections.bootstrap import Bootstrap, Share
from ace_lab.rejections.judgements import Gatekept, Judgement, Reasons, Subjects, escalated, hybrid
from ace_lab.rejections.quotes import bare, overlap
from ace_lab.rejections.rejection_file import CATEGORIES, Rejections

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
_CLASSES = frozenset(ErrorClass)


@dataclass(frozen=True, slots=True)
class Objection:
    """A rejected claim (index into the subjects) for one reason, once however many lines say so."""

    subject: int
    filing: int
    number: int
    category: str
    quote: str
    line: int


@dataclass(frozen=True, slots=True)
class Truth:
    """What the examiners said: `rejected` and `clean` of shape (N,), and the objections."""

    subjects: Subjects
    rejected: NDArray[np.bool_]
    clean: NDArray[np.bool_]
    objections: tuple[Objection, ...]

    @property
    def with_reason(self) -> list[Objection]:
        """Those of the five classes with words to match."""
        return [each for each in self.objections if each.category in _CLASSES and each.quote]


def truth_of(rejections: Rejections, subjects: Subjects) -> Truth:
    """The examiners' view of the claims. A claim that was canceled cannot be rejected."""
    count = len(subjects.subjects)
    rejected, excluded = np.zeros(count, bool), np.zeros(count, bool)
    objections: dict[tuple[int, str, str], Objection] = {}
    for each in rejections.rejections:
        at = subjects.at.get((each.filing, each.number))
        if at is not None:
            rejected[at] = True
            key = at, each.category, bare(each.quote).casefold()
            objections.setdefault(
                key, Objection(at, each.filing, each.number, each.category, each.quote, each.line)
            )
    for index, filing in enumerate(rejections.filings):
        for number in filing.excluded:
            if (at := subjects.at.get((index, number))) is not None:
                excluded[at] = True
    return Truth(subjects, rejected, ~rejected & ~excluded, tuple(objections.values()))


def matches(reasons: Reasons, objection: Objection, text: str) -> bool:
    """Whether one of the reasons is the examiner's: the same class, and words that overlap his."""
    return any(
        kind == objection.category and bool(quote) and overlap(quote, objection.quote, text)
        for kind, quote in reasons
    )


def score_judge(truth: Truth, judged: Judgement, bootstrap: Bootstrap) -> dict[str, Any]:
    """Recall over all and by category, reason match, false alarms and precision of one judge."""
    application = truth.subjects.application
    alarms = judged.fail & truth.clean
    found = judged.fail & truth.rejected
    called = judged.fail & (truth.rejected | truth.clean)
    return {
        "recall": bootstrap.share(found, truth.rejected, application).as_json(),
        "recall_by_category": {
            category: share
            for category in CATEGORIES
            if (share := _recall_of(truth, judged, category, bootstrap)) is not None
        },
        "reason_match": _reason_match(truth, judged, bootstrap),
        "false_alarms": bootstrap.share(alarms, truth.clean, application).as_json(),
        "false_alarms_per_application": bootstrap.mean(
            np.bincount(application, weights=alarms, minlength=len(truth.subjects.applications))
        ).as_json(),
        "precision": bootstrap.share(found, called, application).as_json(),
        "seconds": round(judged.seconds, 3),
        "tokens": judged.tokens,
        "failed_examinations": dict(sorted(judged.failures.items())),
    }


def _recall_of(truth: Truth, judged: Judgement, category: str, bootstrap: Bootstrap) -> dict[str, Any] | None:
    at = np.array(
        sorted({each.subject for each in truth.objections if each.category == category}), dtype=np.intp
    )
    if not len(at):
        return None
    return bootstrap.share(judged.fail[at], np.ones(len(at)), truth.subjects.application[at]).as_json()


def _reason_match(truth: Truth, judged: Judgement, bootstrap: Bootstrap) -> dict[str, Any]:
    """Over the objections that have a class and words, all and by class; no value for a judge that
    never points at words, as a gatekeeper does that does not judge token by token."""
    if judged.fail.any() and not any(quote for reasons in judged.reasons for _, quote in reasons):
        return {kind: Share(0, 0, None, None, None).as_json() for kind in ("all", *ErrorClass)}
    reasons = [
        matches(judged.reasons[each.subject], each, truth.subjects.subjects[each.subject].claim.text)
        for each in truth.with_reason
    ]
    return _matched(truth, truth.with_reason, reasons, bootstrap)


def _matched(
    truth: Truth, objections: Sequence[Objection], matched: Sequence[bool], bootstrap: Bootstrap
) -> dict[str, Any]:
    hits = np.array(matched, dtype=float)
    application = truth.subjects.application[[each.subject for each in objections]]
    found: dict[str, Any] = {"all": bootstrap.share(hits, np.ones(len(hits)), application).as_json()}
    for kind in ErrorClass:
        chosen = np.array([each.category == kind for each in objections], dtype=bool)
        if chosen.any():
            found[kind.value] = bootstrap.share(
                hits[chosen], np.ones(int(chosen.sum())), application[chosen]
            ).as_json()
    return found


def score_escalation(
    truth: Truth, gate: Gatekept, expert: Judgement, answered: NDArray[np.bool_], bootstrap: Bootstrap
) -> list[dict[str, Any]]:
    """The hybrid by escalation ratio. Of the file: tau is a quantile of the doubt of all its claims. Of
    the rejected: of theirs alone, as in the paper, whose file has no other claims."""
    application = truth.subjects.application
    found = []
    for share in (0.0, *SHARES, 1.0):
        of_file = escalated(gate.doubt, share)
        of_rejected = np.zeros(len(of_file), dtype=bool)
        of_rejected[truth.rejected] = escalated(gate.doubt[truth.rejected], share)
        row: dict[str, Any] = {"escalation": share, "escalated": int(of_file.sum())}
        for name, chosen in (("file", of_file), ("rejected", of_rejected)):
            fail = hybrid(gate, expert, answered, chosen).fail
            row[f"recall_of_{name}"] = bootstrap.share(
                fail & truth.rejected, truth.rejected, application
            ).as_json()
            if name == "file":
                row["false_alarms"] = bootstrap.share(fail & truth.clean, truth.clean, application).as_json()
        found.append(row)
    return found


def score_findings(
    truth: Truth, rejections: Rejections, findings: Sequence[Sequence[Finding]], bootstrap: Bootstrap
) -> dict[str, Any]:
    """What a drafter sees: findings per application, each reported once, and the objections that they match.

    An application with several versions of its claims counts with the mean over them.
    """
    by_filing = [_by_claim(found) for found in findings]
    matched = []
    for each in truth.with_reason:
        text = truth.subjects.subjects[each.subject].claim.text
        matched.append(matches(by_filing[each.filing].get(each.number, ()), each, text))
    names = {name: at for at, name in enumerate(truth.subjects.applications)}
    filed = np.array([names[filing.application] for filing in rejections.filings])
    versions = np.bincount(filed, minlength=len(names))

    def per_application(kind: ErrorClass | None) -> dict[str, Any]:
        counts = [sum(kind in (None, each.error_class) for each in found) for found in findings]
        sums = np.bincount(filed, weights=counts, minlength=len(names))
        return bootstrap.mean(sums / np.maximum(versions, 1)).as_json()

    return {
        "per_application": {
            "all": per_application(None),
            **{kind.value: per_application(kind) for kind in ErrorClass},
        },
        "objections_matched": _matched(truth, truth.with_reason, matched, bootstrap),
    }


def _by_claim(findings: Sequence[Finding]) -> dict[int, Reasons]:
    found: dict[int, Reasons] = {}
    for finding in findings:
        for number in (finding.claim, *finding.also):
            found[number] = (*found.get(number, ()), (finding.error_class.value, finding.quote))
    return found


def ranking(truth: Truth, gate: Gatekept, bootstrap: Bootstrap) -> dict[str, Any]:
    """How often P_inv of a rejected claim is above that of a clean one of the same application; ties
    count half. Says what a threshold could gain, whatever the threshold."""
    application = truth.subjects.application
    hits = np.zeros(len(truth.subjects.applications))
    pairs = np.zeros_like(hits)
    order = np.argsort(application, kind="stable")
    bounds = np.searchsorted(application[order], np.arange(len(hits) + 1))
    for at in range(len(hits)):
        members = order[bounds[at] : bounds[at + 1]]
        bad = gate.p_inv[members[truth.rejected[members]]]
        good = gate.p_inv[members[truth.clean[members]]]
        pairs[at] = len(bad) * len(good)
        hits[at] = (bad[:, None] > good).sum() + 0.5 * (bad[:, None] == good).sum()
    return bootstrap.share(hits, pairs, np.arange(len(hits))).as_json()


def misses(
    truth: Truth, rejections: Rejections, judgements: Mapping[str, Judgement], judge: str
) -> list[dict[str, Any]]:
    """The objections that `judge` does not find, with the claim, for people to read: claim text."""
    found = []
    for each in truth.objections:
        if judgements[judge].fail[each.subject]:
            continue
        subject = truth.subjects.subjects[each.subject]
        found.append(
            {
                "line": each.line,
                "application": truth.subjects.applications[subject.application],
                "claim_num": each.number,
                "category": each.category,
                "quote": each.quote,
                "text": subject.claim.text,
                "ancestors": len(subject.claim.ancestors),
                "others": {name: bool(judged.fail[each.subject]) for name, judged in judgements.items()},
            }
        )
    return found
