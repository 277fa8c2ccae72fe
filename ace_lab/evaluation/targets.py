"""What was to be shown, what was measured, and where a miss comes from.

A reason is computed from the classes and injectors that cost most, never written beforehand.
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
MOST_DROP = 0.05
MOST_PLACEBO_ALARMS = 0.01

NAMED = 3
"""How many of the worst are named."""

Report = Mapping[str, Any]
Entry = dict[str, Any]


def aims(report: Report) -> list[Entry]:
    """One entry for each aim of which the report has the figures."""
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
    for judge, least in SET_MACRO_F1.items():
        if row := rows.get(judge):
            why = _worst_classes(report, "sets", judge)
            aim = f"{judge}, macro-F1 over claim sets at the paper's density"
            found.append(_at_least(aim, least, row["macro_f1"], row["intervals"]["macro_f1"], why))
    if row := rows.get(HYBRID):
        share = row["escalated"]
        why = f"at the tau that gives {_percent(ESCALATED_AT_MOST)} on the calibration sets"
        found.append(
            _at_most("claims of those sets that go to the expert", ESCALATED_AT_MOST, share, None, why)
        )
    return found


def _recall_by_class(report: Report) -> list[Entry | None]:
    found: list[Entry | None] = []
    by_label = {row["label"]: row for row in _rows(report, "classes", "sets")}
    for label, paper in PAPER_RECALL.items():
        if own := by_label.get(label, {}).get(GATEKEEPER):
            row = by_label[label]
            why = f"of its {row['n']} sets, {_percent(1 - own['caught'])} are called pass"
            aim = f"gatekeeper, recall of {label} over claim sets (the paper's)"
            found.append(_at_least(aim, paper, own["recall"], own["recall_interval"], why, strictly=True))
    return found


def _single_defects(report: Report) -> list[Entry | None]:
    row = _named(report, "main").get(HYBRID)
    if row is None:
        return []
    why = _worst_classes(report, "single", "hybrid")
    aim = "hybrid, macro-F1 over claims with one defect"
    return [_at_least(aim, CLAIM_MACRO_F1, row["macro_f1"], row["intervals"]["macro_f1"], why)]


def _held_out(report: Report) -> list[Entry | None]:
    found: list[Entry | None] = []
    rows = {row["name"]: row for row in _rows(report, "held_out")}
    if row := rows.get(HYBRID):
        why = _worst_injectors(report, "hybrid_recall")
        aim = "hybrid, macro-F1 on injectors held out of training"
        found.append(_at_least(aim, CLAIM_MACRO_F1, row["held_out"], row["intervals"]["held_out"], why))
    for judge, key in ((GATEKEEPER, "recall"), (HYBRID, "hybrid_recall")):
        if row := rows.get(judge):
            why = _worst_injectors(report, key)
            aim = f"{judge}, drop of macro-F1 from seen to held-out injectors, in points"
            found.append(_at_most(aim, MOST_DROP, row["drop"], row["intervals"]["drop"], why, points=True))
    return found


def _placebo(report: Report) -> list[Entry | None]:
    found: list[Entry | None] = []
    edits = sorted(_rows(report, "placebo", key="by_edit"), key=lambda row: row["false_alarms"], reverse=True)
    worst = [row for row in edits if row["edit"] != "none"][:NAMED]
    why = "most alarms at " + ", ".join(f"{row['edit']} ({_percent(row['false_alarms'])})" for row in worst)
    for row in _rows(report, "placebo"):
        if row["name"] in {GATEKEEPER, HYBRID}:
            aim = f"{row['name']}, false alarms on placebos above those on clean claims, in points"
            found.append(
                _at_most(aim, MOST_PLACEBO_ALARMS, row["difference"], row["interval"], why, points=True)
            )
    return found


def _worst_classes(report: Report, table: str, judge: str) -> str:
    rows = [row for row in _rows(report, "classes", table) if judge in row]
    rows.sort(key=lambda row: row[judge]["f1"])
    told = [
        f"{row['label']} (F1 {_percent(row[judge]['f1'])}, recall {_percent(row[judge]['recall'])}"
        + (f", {_percent(1 - row[judge]['caught'])} called pass)" if row["label"] != LABELS[0] else ")")
        for row in rows[:NAMED]
    ]
    return f"lowest: {'; '.join(told)}" if told else ""


def _worst_injectors(report: Report, key: str) -> str:
    """Those that cost most right answers: by rows missed, not by share, so that the rare do not lead."""
    rows = [row for row in _rows(report, "held_out", key="injectors") if row["held_out"]]
    rows.sort(key=lambda row: row["n"] * (1 - row[key]), reverse=True)
    told = [
        f"{row['label']}/{row['injector']} ({_percent(row[key])} of {row['n']} right)" for row in rows[:NAMED]
    ]
    return f"most missed: {', '.join(told)}" if told else ""


def _at_least(
    aim: str,
    asked: float,
    measured: float,
    among: Sequence[float] | None,
    why: str,
    *,
    strictly: bool = False,
) -> Entry:
    met = measured > asked if strictly else measured >= asked
    return {
        "aim": aim,
        "asked": f"{'>' if strictly else '≥'} {_percent(asked)}",
        "measured": _told(measured, among),
        "met": met,
        "why": "" if met else f"short by {_points(asked - measured)}; {why}",
    }


def _at_most(
    aim: str, asked: float, measured: float, among: Sequence[float] | None, why: str, *, points: bool = False
) -> Entry:
    met = measured <= asked
    shown = _points if points else _percent
    return {
        "aim": aim,
        "asked": f"≤ {shown(asked)}",
        "measured": _told(measured, among, points=points),
        "met": met,
        "why": "" if met else f"over by {_points(measured - asked)}; {why}",
    }


def _told(measured: float, among: Sequence[float] | None, *, points: bool = False) -> str:
    shown = _points(measured) if points else _percent(measured)
    if among is None:
        return shown
    low, high = (f"{100 * one:.1f}" for one in among)
    return f"{shown} ({low} to {high})"


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %" if share >= 0.9995 else f"{100 * share:.3g} %"


def _points(share: float) -> str:
    return f"{100 * share:.2g} points"


def _rows(report: Report, section: str, table: str | None = None, *, key: str = "rows") -> list[Entry]:
    found = report.get(section) or {}
    if table is not None:
        found = found.get(table) or {}
    rows: list[Entry] = found.get(key) or []
    return rows


def _named(report: Report, section: str) -> dict[str, Entry]:
    return {row["name"]: row for row in _rows(report, section)}
