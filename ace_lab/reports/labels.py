"""The measure by true labels as Markdown, and its ROC curve as SVG."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ace_lab.reports.markdown import grid

_JUDGES: Final = ("rules", "gatekeeper", "verdict")

_RULE_COLUMNS: Final = (
    "findings",
    "claims",
    "defective",
    "precision",
    "in its class",
    "by it alone",
    "mistakes",
    "sound edits",
)
_ABOUT: Final = """A label says what careful readers would put in writing. Readers and writers are language
models of one kind; no attorney has checked them. What one examiner put in writing in an office action is
another, noisier question, on which everybody is near chance."""
"""What a label is and is not, beside every table of figures."""


def page(report: Mapping[str, Any]) -> str:
    """labels.md: every table that the report has rows for."""
    split, model = report["split"], report["model"]
    parts = [
        f"# Measured on labels: {split} families",
        f"rules {report['rules']}" + (f" · model {model}" if model else ""),
        _ABOUT,
        *tables(report),
    ]
    if report.get("openings"):
        lines = [
            [each["date"], each["rules"], each["model"] or "–", ", ".join(each["judges"])]
            for each in report["openings"]
        ]
        parts += ["## Openings of the test families", grid(["date", "rules", "model", "judges"], lines)]
    return "\n\n".join(parts) + "\n"


def first_table(report: Mapping[str, Any]) -> str:
    """The judges on real claims: the figures that lead every page about quality."""
    rows = report["judges"]
    return grid(
        ["judge", "precision", "recall", "F1", "accuracy", "AUROC"],
        [
            [
                row["judge"],
                *(_with_interval(row, name) for name in ("precision", "recall", "f1", "accuracy")),
                percent(row.get("auroc")),
            ]
            for row in rows
        ],
        [False] + [True] * 5,
    )


def summary(report: Mapping[str, Any]) -> str:
    """A section with the judges on real claims, what is found of written edits, and the cascade."""
    head = f"## On real claims, by readers’ labels ({report['split']} families)"
    details = [*_edits(report), *_cascade(report.get("cascade") or [])]
    return "\n\n".join([head, _ABOUT, first_table(report), *map(_lowered, details)])


def quality_page(report: Mapping[str, Any], smoke: str) -> str:
    """report.md of a folder that also has the measure by labels, which comes first; `smoke` is the page of
    the smoke test."""
    link = "All tables: [labels](labels.md)."
    return f"# How good ACE is\n\n{summary(report)}\n\n{link}\n\n{_lowered(smoke)}"


def _lowered(text: str) -> str:
    """The text with each heading one level lower."""
    return re.sub(r"^#", "##", text, flags=re.MULTILINE)


def tables(report: Mapping[str, Any]) -> list[str]:
    """The sections of the page, each a heading and a table."""
    rows = report["judges"]
    caption = f"## Real claims\n\n{rows[0]['claims']:,} claims, {rows[0]['defective']:,} of them defective."
    return [
        caption,
        first_table(report),
        *_parts(report),
        *_edits(report),
        *_cascade(report.get("cascade") or []),
        *_bands(report),
        *_misses(report),
        *_shares(report),
        *_agreement(report),
        *_rules(report),
    ]


def _parts(report: Mapping[str, Any]) -> list[str]:
    judges = _judges(report)
    return _section(
        "By kind of text, length, art and class: precision / recall / F1",
        ["part", "claims", "defective", *judges],
        [
            [
                row["part"],
                row["claims"],
                row["defective"],
                *(" / ".join(map(percent, row[j])) for j in judges),
            ]
            for row in report["parts"]
        ],
    )


def _edits(report: Mapping[str, Any]) -> list[str]:
    names = [name for name in (report["edits"] or [{}])[0] if name not in ("part", "edits")]
    return _section(
        "Written mistakes found, and sound edits failed",
        ["edits", "n", *(name.replace("_", " ") for name in names)],
        [[row["part"], row["edits"], *(percent(row[name]) for name in names)] for row in report["edits"]],
    )


def _bands(report: Mapping[str, Any]) -> list[str]:
    return _section(
        "Precision by confidence",
        ["confidence from", "findings", "right", "Fails of the gatekeeper", "right"],
        [
            [
                row["from"],
                row["findings"],
                percent(row["right"]),
                row.get("gatekeeper_fails", "–"),
                percent(row.get("gatekeeper_right")),
            ]
            for row in report["bands"]
        ],
    )


def _misses(report: Mapping[str, Any]) -> list[str]:
    judges = _judges(report)
    return _section(
        "Missed, by pattern",
        ["pattern", "defective", *judges],
        [[row["pattern"], row["defective"], *(row[judge] for judge in judges)] for row in report["misses"]],
    )


def _shares(report: Mapping[str, Any]) -> list[str]:
    rows = report["shares"]
    return _section(
        "Share of real claims with a defect",
        list(rows[0]),
        [[percent(value) if name == "share" else value for name, value in row.items()] for row in rows],
    )


def _agreement(report: Mapping[str, Any]) -> list[str]:
    parts = []
    for how, members in report["agreement"].items():
        parts += _section(
            f"Agreement of two readings, {how}",
            ["claims", "read twice", "agreed", "share", "kappa"],
            [
                [row["claims"], row["read"], row["agreed"], percent(row["share"]), row["kappa"] or "–"]
                for row in members
            ],
        )
    return parts


def _rules(report: Mapping[str, Any]) -> list[str]:
    return _section(
        "Every rule by itself",
        ["rule", *_RULE_COLUMNS],
        [_rule(row, report["rules_on_edits"]) for row in report["by_rule"]],
    )


def _judges(report: Mapping[str, Any]) -> list[str]:
    return [name for name in _JUDGES if any(row["judge"] == name for row in report["judges"])]


def percent(share: float | None) -> str:
    """ "54.3 %", or a dash."""
    return "–" if share is None or share != share else f"{100 * share:.1f} %"


def _cascade(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    if not rows:
        return []
    shares = sorted({row["escalated"] for row in rows})
    by_order: dict[str, dict[float, Mapping[str, Any]]] = {}
    for row in rows:
        by_order.setdefault(row["order"], {})[row["escalated"]] = row
    lines = [
        [f"{order}: {title}", *(percent(found[share][key]) for share in shares)]
        for order, found in by_order.items()
        for title, key in (("F1", "f1"), ("recall", "recall"))
    ]
    cost = next(iter(by_order.values()))
    lines.append(
        ["dollars per million claims", *(f"${cost[share]['usd_per_million']:,}" for share in shares)]
    )
    return _section(
        "The most doubtful claims decided by the recorded expert",
        [f"by, {rows[0]['claims']} claims", *(f"{share:.0%}" for share in shares)],
        lines,
    )


def _rule(row: Mapping[str, Any], edits: Mapping[str, Mapping[str, int]]) -> list[Any]:
    seen = edits.get(row["rule"], {})
    return [
        row["rule"],
        row["findings"],
        row["claims"],
        row["defective"],
        percent(row["precision"]),
        percent(row["same_class"]),
        row["found_by_it_alone"],
        seen.get("mistakes", 0),
        seen.get("sound", 0),
    ]


def _section(title: str, titles: Sequence[str], lines: Sequence[Sequence[Any]]) -> list[str]:
    right = [False] + [True] * (len(titles) - 1)
    return (
        [f"## {title}", grid(titles, [[str(cell) for cell in line] for line in lines], right)]
        if lines
        else []
    )


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    low, high = row[f"{name}_interval"]
    return (
        percent(row[name]) if low is None else f"{percent(row[name])} ({100 * low:.1f} to {100 * high:.1f})"
    )
