"""The report on real rejections as tables, for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ace.claims.taxonomy import ErrorClass
from ace_lab.evaluation.paper_results import PAPER_REJECTION_JUDGES
from ace_lab.rejections.rejection_file import CATEGORIES
from ace_lab.reports.markdown import escaped, grid

TARGET_MATCHED, TARGET_FINDINGS = 0.60, 5.0
"""The share of antecedent objections matched by claim and words, and antecedent findings per application."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; every cell is text. `note` is one sentence about how to read it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables(report: dict[str, Any]) -> list[Table]:
    """All tables of a report, in the order they are shown."""
    found = [_judges(report), _categories(report)]
    if "escalation" in report:
        found.append(_escalation(report))
    return [*found, _reasons(report), _findings(report)]


def _judges(report: dict[str, Any]) -> Table:
    paper = report["paper"]["recall"]
    rows = [
        (
            name,
            _shown(judge["recall"]),
            _percent(paper.get(PAPER_REJECTION_JUDGES.get(name, ""))),
            _shown(judge["false_alarms"]),
            _shown(judge["precision"]),
            _shown(judge["reason_match"]["all"]),
            str(sum(judge["failed_examinations"].values()) or "–"),
        )
        for name, judge in report["judges"].items()
    ]
    zero = [(name, "–", _percent(paper[name]), "–", "–", "–", "–") for name in paper if "zero-shot" in name]
    return Table(
        "Rejected claims found (%)",
        ("judge", "recall", "paper*", "false alarms", "precision", "reason match", "failed"),
        (*rows, *zero),
        f"*{report['paper']['data']}. In brackets: 95 % intervals over applications.",
    )


def _categories(report: dict[str, Any]) -> Table:
    judges = list(report["judges"])
    rows = []
    for category in CATEGORIES:
        cells = [report["judges"][name]["recall_by_category"].get(category) for name in judges]
        if cells[0] is not None:
            rows.append((category, str(int(cells[0]["of"])), *(_shown(cell) for cell in cells)))
    return Table("Recall by category (%)", ("category", "claims", *judges), tuple(rows))


def _escalation(report: dict[str, Any]) -> Table:
    paper = report["paper"]["recall_by_escalation"]
    rows = [
        (
            f"{row['escalation']:.0%}",
            _shown(row["recall_of_rejected"]),
            _percent(paper.get(str(row["escalation"]))),
            _shown(row["recall_of_file"]),
            _shown(row["false_alarms"]),
        )
        for row in report["escalation"]
    ]
    own = report["judges"]["hybrid"]
    share = report["calibration"]["escalated"]
    rows.append(
        (
            f"own tau ({_percent(share)})",
            _shown(own["recall"]),
            "–",
            _shown(own["recall"]),
            _shown(own["false_alarms"]),
        )
    )
    return Table(
        "Hybrid by escalation (%)",
        ("escalated", "recall, of the rejected", "paper*", "recall, of all claims", "false alarms"),
        tuple(rows),
        "tau is a quantile of the doubt of the rejected claims alone, as in the paper, or of all claims.",
    )


def _reasons(report: dict[str, Any]) -> Table:
    judges = report["judges"]
    matched = report["findings"]["objections_matched"]
    kinds = [kind for kind in ("all", *ErrorClass) if kind in matched]
    rows = [
        (
            str(kind),
            str(int(matched[kind]["of"])),
            *(_shown(judges[name]["reason_match"][kind]) for name in judges),
            _shown(matched[kind]),
        )
        for kind in kinds
    ]
    return Table(
        "Reasons matched: same claim, class and words (%)",
        ("class", "objections", *judges, "ace check"),
        tuple(rows),
        "Of objections with a class and a quotation. “ace check” reports each topic once per set.",
    )


def _findings(report: dict[str, Any]) -> Table:
    counts = report["findings"]["per_application"]
    rows = tuple((name, _shown(share, scale=1)) for name, share in counts.items())
    return Table(
        "Findings of ace check per application", ("class", "findings"), rows, target_sentence(report)
    )


def target_sentence(report: dict[str, Any]) -> str:
    """Whether the antecedent findings reach the target, in a sentence."""
    matched = report["findings"]["objections_matched"].get("antecedent")
    findings = report["findings"]["per_application"]["antecedent"]["value"]
    if matched is None or matched["value"] is None or findings is None:
        return "The file has no antecedent objection with a quotation."
    reached = matched["value"] >= TARGET_MATCHED and findings <= TARGET_FINDINGS
    return (
        f"Antecedent: {matched['value']:.1%} of {int(matched['of'])} objections matched at {findings:.2f} "
        f"findings per application; the target, {TARGET_MATCHED:.0%} at no more than {TARGET_FINDINGS:g}, "
        f"is {'reached' if reached else 'missed'}."
    )


def page(report: dict[str, Any]) -> str:
    """The report as Markdown, without any claim text."""
    file = report["file"]
    facts = (
        f"{file['applications']} applications, {file['claims']} claims, {file['rejected_claims']} rejected, "
        f"{file['clean_claims']} clean, {file['set_aside']} set aside; {file['objections']} objections. "
        f"Model {report['model']}, calibration {report['calibration']['id']}, "
        f"expert {report['expert'] or 'none'}, ACE {report['version']}; file {file['sha256'][:12]}."
    )
    parts = ["# Real rejections", escaped(facts)]
    for table in tables(report):
        parts += [f"## {table.title}", grid(table.columns, table.rows)]
        parts += [escaped(table.note)] if table.note else []
    return "\n\n".join(parts) + "\n"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _shown(share: dict[str, Any], *, scale: float = 100) -> str:
    """ "56.4 [49.1, 63.2]", in percent unless the scale is 1."""
    values: Sequence[float | None] = (share["value"], share["low"], share["high"])
    if any(value is None for value in values):
        return "–"
    digits = 1 if scale == 100 else 2
    value, low, high = (f"{scale * float(each or 0):.{digits}f}" for each in values)
    return f"{value} [{low}, {high}]"
