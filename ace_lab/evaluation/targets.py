"""The targets of an evaluation: what is required, what was measured, and where a miss comes from.

Reasons are computed from the classes and injectors that cost most; none is written in advance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ace.claims.taxonomy import LABELS
from ace_lab.evaluation.claim_sets import ESCALATED_AT_MOST
from ace_lab.evaluation.paper_results import PAPER
from ace_lab.evaluation.single_claims import GATEKEEPER, HYBRID

PAPER_RECALL = {row["label"]: row["recall"] for row in PAPER["classes"]}
SET_MACRO_F1 = {GATEKEEPER: 0.94, HYBRID: 0.97}
CLAIM_MACRO_F1 = 0.90
MAX_DROP = 0.05
MAX_PLACEBO_ALARMS = 0.01

NAMED = 3
"""How many of the worst classes or injectors a reason names."""

Report = Mapping[str, Any]
Entry = dict[str, Any]


def targets(report: Report) -> list[Entry]:
    """One entry for each target that the report has figures for."""
    found = [
        *_at_the_papers_density(report),
        *_recall_by_class(report),
        *_single_defects(report),
        *_held_out(report),
        *_placebo(report),
    ]
    return [entry for entry in found if entry is not None]


def _at_the_papers_density(report: Report) -> list[Entry | None]:
    found: list[Entry | None] = []
    rows = _named(report, "sets")
    for judge, minimum in SET_MACRO_F1.items():
        if row := rows.get(judge):
            reason = _worst_classes(report, "sets", judge)
            target = f"{judge}, macro-F1 over claim sets at the paper's density"
            found.append(_at_least(target, minimum, row["macro_f1"], row["intervals"]["macro_f1"], reason))
    if row := rows.get(HYBRID):
        share = row["escalated"]
        reason = f"at the tau that escalates {_percent(ESCALATED_AT_MOST)} of the calibration sets' claims"
        found.append(
            _at_most("claims of those sets that go to the expert", ESCALATED_AT_MOST, share, None, reason)
        )
    return found


def _recall_by_class(report: Report) -> list[Entry | None]:
    found: list[Entry | None] = []
    by_label = {row["label"]: row for row in _rows(report, "classes", "sets")}
    for label, paper in PAPER_RECALL.items():
        if own := by_label.get(label, {}).get(GATEKEEPER):
            row = by_label[label]
            reason = f"of its {row['n']} sets, {_percent(1 - own['caught'])} are called pass"
            target = f"gatekeeper, recall of {label} over claim sets (the paper's)"
            found.append(
                _at_least(target, paper, own["recall"], own["recall_interval"], reason, strictly=True)
            )
    return found


def _single_defects(report: Report) -> list[Entry | None]:
    row = _named(report, "main").get(HYBRID)
    if row is None:
        return []
    reason = _worst_classes(report, "single", "hybrid")
    target = "hybrid, macro-F1 over claims with one defect"
    return [_at_least(target, CLAIM_MACRO_F1, row["macro_f1"], row["intervals"]["macro_f1"], reason)]


def _held_out(report: Report) -> list[Entry | None]:
    found: list[Entry | None] = []
    rows = {row["name"]: row for row in _rows(report, "held_out")}
    if row := rows.get(HYBRID):
        reason = _worst_injectors(report, "hybrid_recall")
        target = "hybrid, macro-F1 on injectors held out of training"
        found.append(_at_least(target, CLAIM_MACRO_F1, row["held_out"], row["intervals"]["held_out"], reason))
    for judge, key in ((GATEKEEPER, "recall"), (HYBRID, "hybrid_recall")):
        if row := rows.get(judge):
            reason = _worst_injectors(report, key)
            target = f"{judge}, drop of macro-F1 from known to held-out injectors, in points"
            found.append(
                _at_most(target, MAX_DROP, row["drop"], row["intervals"]["drop"], reason, points=True)
            )
    return found


def _placebo(report: Report) -> list[Entry | None]:
    found: list[Entry | None] = []
    edits = sorted(_rows(report, "placebo", key="by_edit"), key=lambda row: row["false_alarms"], reverse=True)
    worst = [row for row in edits if row["edit"] != "none"][:NAMED]
    reason = "most alarms: " + ", ".join(f"{row['edit']} ({_percent(row['false_alarms'])})" for row in worst)
    for row in _rows(report, "placebo"):
        if row["name"] in {GATEKEEPER, HYBRID}:
            target = f"{row['name']}, false alarms on placebos above those on clean claims, in points"
            found.append(
                _at_most(target, MAX_PLACEBO_ALARMS, row["difference"], row["interval"], reason, points=True)
            )
    return found


def _worst_classes(report: Report, table: str, judge: str) -> str:
    rows = [row for row in _rows(report, "classes", table) if judge in row]
    rows.sort(key=lambda row: row[judge]["f1"])
    named = [
        f"{row['label']} (F1 {_percent(row[judge]['f1'])}, recall {_percent(row[judge]['recall'])}"
        + (f", {_percent(1 - row[judge]['caught'])} called pass)" if row["label"] != LABELS[0] else ")")
        for row in rows[:NAMED]
    ]
    return f"lowest: {'; '.join(named)}" if named else ""


def _worst_injectors(report: Report, key: str) -> str:
    """The injectors with the most rows missed: counted in rows, not as a share, so that rare ones do not lead."""
    rows = [row for row in _rows(report, "held_out", key="injectors") if row["held_out"]]
    rows.sort(key=lambda row: row["n"] * (1 - row[key]), reverse=True)
    named = [
        f"{row['label']}/{row['injector']} ({_percent(row[key])} of {row['n']} right)" for row in rows[:NAMED]
    ]
    return f"most missed: {', '.join(named)}" if named else ""


def _at_least(
    target: str,
    required: float,
    measured: float,
    among: Sequence[float] | None,
    reason: str,
    *,
    strictly: bool = False,
) -> Entry:
    met = measured > required if strictly else measured >= required
    return {
        "target": target,
        "required": f"{'>' if strictly else '≥'} {_percent(required)}",
        "measured": _shown(measured, among),
        "met": met,
        "reason": "" if met else f"{_points(required - measured)} short; {reason}",
    }


def _at_most(
    target: str,
    required: float,
    measured: float,
    among: Sequence[float] | None,
    reason: str,
    *,
    points: bool = False,
) -> Entry:
    met = measured <= required
    shown = _points if points else _percent
    return {
        "target": target,
        "required": f"≤ {shown(required)}",
        "measured": _shown(measured, among, points=points),
        "met": met,
        "reason": "" if met else f"{_points(measured - required)} over; {reason}",
    }


def _shown(measured: float, among: Sequence[float] | None, *, points: bool = False) -> str:
    shown = _points(measured) if points else _percent(measured)
    if among is None:
        return shown
    low, high = (f"{100 * one:.1f}" for one in among)
    return f"{shown} ({low} to {high})"


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %" if share >= 0.9995 else f"{100 * share:.3g} %"


def _points(share: float) -> str:
    shown = f"{100 * share:.2g}"
    return f"{shown} point" if shown == "1" else f"{shown} points"


def _rows(report: Report, section: str, table: str | None = None, *, key: str = "rows") -> list[Entry]:
    found = report.get(section) or {}
    if table is not None:
        found = found.get(table) or {}
    rows: list[Entry] = found.get(key) or []
    return rows


def _named(report: Report, section: str) -> dict[str, Entry]:
    return {row["name"]: row for row in _rows(report, section)}
