"""The tables of results that the paper has as well, with its numbers, marked, beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ace_lab.reports.tables import (
    NAME,
    Column,
    N,
    Row,
    Table,
    caption,
    dollars,
    mapping,
    plain,
    rows,
    seconds,
    share,
    small,
    table,
    text,
)

USD = Column("per million", "usd_per_million", dollars)

_QUALITY = (
    NAME,
    Column("accuracy", "accuracy", share),
    Column("macro-F1", "macro_f1", share),
    Column("F1 pass/fail", "f1_pass_fail", share),
    Column("F1 of Fail", "f1_fail", share),
    Column("F1 of rejections", "f1_rejection", share),
    Column("F1 of objections", "f1_objection", share),
    Column("AUC", "auc", share),
    Column("false alarms", "false_alarms", share),
)
_PAPER_QUALITY = (
    Column("paper: accuracy", "paper.accuracy", share, paper=True),
    Column("F1", "paper.macro_f1", share, paper=True),
    Column("AUC", "paper.auc", share, paper=True),
)
_COST = (
    Column("escalated", "escalated", share),
    Column("per claim", "seconds_per_claim", seconds),
    USD,
)
_PAPER_COST = (
    Column("paper: per claim", "paper.seconds_per_claim", seconds, paper=True),
    Column("per million", "paper.usd_per_million", dollars, paper=True),
)


def main(report: Row, found: Row) -> list[Table]:
    paper = rows(mapping(report.get("paper")).get("main"))
    own = _beside(rows(found), paper)
    return [
        *table(caption("Results, claim by claim", found), (*_QUALITY, *_PAPER_QUALITY), own),
        *table(caption("Time and cost", found), (NAME, *_COST, *_PAPER_COST), own),
        *table(
            "All rows of the paper's table of results",
            (*_QUALITY, *_COST),
            (),
            paper if own else (),
            detail=True,
        ),
    ]


def sets(report: Row, found: Row) -> list[Table]:
    own = _beside(rows(found), rows(mapping(report.get("paper")).get("main")))
    title = caption("Results, 5 to 15 defects of one class in a set", found, "claim sets")
    return [
        *table(title, (*_QUALITY, *_PAPER_QUALITY), own),
        *table(caption("Time and cost", found, "claim sets"), (NAME, *_COST), own),
    ]


def _beside(own: Sequence[Row], paper: Sequence[Row]) -> list[Row]:
    """Our rows, each with the paper's row for the same judge, if there is one."""
    found: list[Row] = []
    for row in own:
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


def sensitivity(report: Row, found: Row) -> list[Table]:
    paper = {
        _near(row.get("escalation")): row for row in rows(mapping(report.get("paper")).get("sensitivity"))
    }
    own = [{**row, "paper": paper.get(_near(row.get("escalation")))} for row in rows(found)]
    columns = (
        Column("requested", "escalation", share),
        Column("escalated", "escalated", share),
        Column("tau", "tau", small),
        Column("macro-F1", "macro_f1", share),
        Column("recall", "recall", share),
        Column("F1 of Fail", "f1_fail", share),
        Column("F1 on the fast path", "retained_f1", share),
        Column("false alarms", "false_alarms", share),
        USD,
        Column("paper: recall, real rejections", "paper.recall", share, paper=True),
        Column("per million", "paper.usd_per_million", dollars, paper=True),
    )
    return table(caption("Results by share escalated", found), columns, own)


def cross_validation(report: Row, found: Row) -> list[Table]:
    paper = mapping(mapping(report.get("paper")).get("cross_validation"))
    own = [{**row, "fold": text(row.get("fold"))} for row in rows(found)]
    own += [{**found[key], "fold": key} for key in ("mean", "sigma") if isinstance(found.get(key), Mapping)]
    theirs = (
        [{"fold": "sigma", "aurc": paper.get("sigma_aurc"), "gamma": paper.get("gamma")}] if paper else []
    )
    columns = (
        Column("fold", "fold", text),
        Column("temperature", "temperature", plain),
        Column("AURC", "aurc", small),
        Column("γ*", "gamma", share),
        Column("escalated", "escalated", share),
        Column("macro-F1", "macro_f1", share),
    )
    folds = f"{found['folds']} folds" if isinstance(found.get("folds"), int) else "Folds"
    return table(
        caption(f"{folds} of the stratified cross-validation", found), columns, own, theirs if own else ()
    )


def mixes(report: Row, found: Row) -> list[Table]:
    paper = rows(mapping(report.get("paper")).get("mixes"))
    columns = (
        Column("Pass : Fail", "mix", text),
        Column("judge", "judge", text),
        N,
        Column("escalated", "escalated", share),
        Column("precision", "precision", share),
        Column("recall", "recall", share),
        Column("macro-F1", "macro_f1", share),
        Column("false alarms", "false_alarms", share),
        USD,
    )
    own = rows(found)
    return table(
        caption("Results by mix of sound and defective claims", found), columns, own, paper if own else ()
    )


def _near(value: Any) -> float | None:
    return round(value, 2) if isinstance(value, int | float) else None
