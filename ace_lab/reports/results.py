"""The tables of results that the paper has as well, with its numbers, marked, beside ours."""

from __future__ import annotations

from ace_lab.reports.tables import (
    NAME,
    Column,
    N,
    Row,
    Table,
    caption,
    dollars,
    mapping,
    rows,
    seconds,
    share,
    table,
    text,
)

_OWN = (
    NAME,
    Column("accuracy", "accuracy", share),
    Column("macro-F1", "macro_f1", share),
    Column("F1 pass/fail", "f1_pass_fail", share),
    Column("F1 of Fail", "f1_fail", share),
    Column("F1 of rejections", "f1_rejection", share),
    Column("F1 of objections", "f1_objection", share),
    Column("AUC", "auc", share),
    Column("false alarms", "false_alarms", share),
    Column("escalated", "escalated", share),
    Column("time per claim", "seconds_per_claim", seconds),
    Column("cost per million", "usd_per_million", dollars),
)
_PAPER = (
    Column("paper: accuracy", "paper.accuracy", share, paper=True),
    Column("F1", "paper.macro_f1", share, paper=True),
    Column("AUC", "paper.auc", share, paper=True),
)


def main(report: Row, found: Row) -> list[Table]:
    return table(caption("Results, claim by claim", found), (*_OWN, *_PAPER), _beside(report, found))


def sets(report: Row, found: Row) -> list[Table]:
    title = caption("Results, 5 to 15 defects of one class in a set", found, "claim sets")
    return table(title, (*_OWN, *_PAPER), _beside(report, found))


def _beside(report: Row, own: Row) -> list[Row]:
    """Our rows, each with the paper's row for the same judge, if there is one."""
    paper = rows(mapping(report.get("paper")).get("main"))
    found: list[Row] = []
    for row in rows(own):
        name = str(row.get("name", "")).casefold()
        same = (one for one in paper if one.get("beside") and name.startswith(str(one["beside"])))
        found.append({**row, "paper": next(same, None)})
    return found


def classes(report: Row, found: Row) -> list[Table]:
    tables = []
    paper = {row.get("label"): row for row in rows(mapping(report.get("paper")).get("classes"))}
    judges = (("gatekeeper", "gatekeeper"), ("hybrid", "hybrid"), ("rules", "structural"))
    columns = [Column("class", "label", text), N]
    for title, key in judges:
        columns += [
            Column(f"{title}: recall", f"{key}.recall", share, interval=f"{key}.recall_interval"),
            Column("F1", f"{key}.f1", share),
            Column("called Fail", f"{key}.caught", share),
        ]
    columns += [Column("paper: recall", "paper.recall", share, paper=True)]
    columns += [Column("F1", "paper.f1", share, paper=True)]
    for key, title, unit in (
        ("sets", "By class, 5 to 15 defects in a set", "claim sets"),
        ("single", "By class, one defect in a claim", "claims"),
    ):
        about = mapping(found.get(key))
        # The paper's claim sets have this density.
        own = [
            {**row, "paper": paper.get(row.get("label")) if key == "sets" else None} for row in rows(about)
        ]
        tables += table(caption(title, about, unit), columns, own)
    return tables
