"""The sections of a report in their order, and what each of their tables shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ace_lab.reports import results
from ace_lab.reports.tables import (
    NAME,
    PAPER_MARK,
    Column,
    N,
    Row,
    Table,
    caption,
    count,
    drop,
    facts,
    mapping,
    plain,
    points,
    rows,
    share,
    small,
    table,
    text,
)

HALF = 0.5
"""Injectors are listed if the gatekeeper gives fewer of their defects the right class."""


@dataclass(frozen=True, slots=True)
class Section:
    """A title, a sentence or two, and tables. `figures` are the keys of the pictures shown in it."""

    key: str
    title: str
    about: str
    tables: list[Table]
    figures: Sequence[str] = field(default=())


def sections(report: Row) -> list[Section]:
    """Every section that the report has data for."""
    found = [
        Section(key, title, about, build(report, mapping(report.get(key))), figures)
        for key, title, about, build, figures in _SECTIONS
    ]
    return [section for section in found if section.tables]


def paper_source(report: Row) -> str:
    """What the mark beside the paper's numbers means."""
    source = mapping(report.get("paper")).get("source") or "the paper's numbers, on its own data set"
    return f"{PAPER_MARK} {source}. Do not compare them line by line."


def _held_out(_: Row, found: Row) -> list[Table]:
    columns = (
        NAME,
        Column("known injectors", "seen", share),
        Column("unknown injectors", "held_out", share),
        Column("drop", "drop", drop),
    )
    said = [
        f"{found[key]:,} {words}"
        for key, words in (("n_seen", "claims by known injectors"), ("n_held_out", "by unknown ones"))
        if isinstance(found.get(key), int)
    ]
    title = "Macro-F1 on injectors that training did and did not see"
    each = (
        Column("class", "label", text),
        Column("injector", "injector", text),
        Column("held out", "held_out", text),
        N,
        Column("called Fail", "caught", share),
        Column("right class", "recall", share),
        Column("hybrid: called Fail", "hybrid_caught", share),
        Column("right class", "hybrid_recall", share),
    )
    missed = [
        row
        for row in rows(found.get("injectors"))
        if isinstance(row.get("recall"), int | float) and row["recall"] < HALF
    ]
    return [
        *table(caption(f"{title}: {', '.join(said)}" if said else title, found), columns, rows(found)),
        *table("Injectors whose defects mostly get another class or pass", each, missed),
    ]


def _placebo(_: Row, found: Row) -> list[Table]:
    columns = (
        NAME,
        Column("on claims as filed", "clean", share),
        Column("n", "n_clean", count),
        Column("on placebos", "placebo", share),
        Column("n", "n_placebo", count),
        Column("difference", "difference", points, interval="interval"),
    )
    return table(caption("False alarms on sound claims", found), columns, rows(found))


_METRICS = {
    "aurc": "AURC",
    "e_aurc": "E-AURC",
    "augrc": "AUGRC",
    "ece": "ECE",
    "brier": "Brier score",
    "nll": "log loss",
}


def _calibration(_: Row, found: Row) -> list[Table]:
    metrics = [
        {"metric": _METRICS.get(name, name), **(value if isinstance(value, Mapping) else {"value": value})}
        for name, value in mapping(found.get("metrics")).items()
    ]
    shown = (Column("", "metric", text), Column("value", "value", small, interval="interval"))
    return table(caption("Quality of the probabilities", found), shown, metrics)


def _expert(_: Row, found: Row) -> list[Table]:
    lengths = [
        {"name": name, "mean": found.get(f"{key}_mean"), "p95": found.get(f"{key}_p95")}
        for name, key in (("tokens in", "tokens_in"), ("tokens out", "tokens_out"), ("seconds", "seconds"))
        if found.get(f"{key}_mean") is not None
    ]
    shares = [
        {"name": name, "share": found.get(key), "n": found.get(of)}
        for name, key, of in (
            ("called Fail", "called_fail", "n"),
            ("disputed", "disputed", "n"),
            ("quotations found in the claim", "verified_quotes", "defects_reported"),
        )
        if found.get(key) is not None
    ]
    shown = ("called_fail", "disputed", "verified_quotes", "defects_reported")
    left = [f"{key}_{what}" for key in ("tokens_in", "tokens_out", "seconds") for what in ("mean", "p95")]
    return [
        *table(
            caption("Size and time of an answer", found),
            (Column("", "name", text), Column("mean", "mean", plain), Column("p95", "p95", plain)),
            lengths,
        ),
        *table(
            "What the answers say", (Column("", "name", text), Column("share", "share", share), N), shares
        ),
        *facts("The expert and its cost", found, ("n", *shown, *left)),
    ]


def _data(_: Row, found: Row) -> list[Table]:
    splits = [
        {"split": name, **about}
        for name, about in mapping(found.get("splits")).items()
        if isinstance(about, Mapping)
    ]
    labels = dict.fromkeys(label for one in splits for label in mapping(one.get("labels")))
    columns = [
        Column("split", "split", text),
        Column("rows", "rows", count),
        Column("families", "families", count),
    ]
    columns += [Column(str(label), f"labels.{label}", count) for label in labels]
    return table("Rows and families", columns, splits)


_SECTIONS: tuple[tuple[str, str, str, Callable[[Row, Row], list[Table]], Sequence[str]], ...] = (
    (
        "main",
        "One defect in a claim",
        "Each claim is judged together with the claims that it depends on. A defective claim has one defect.",
        results.main,
        (),
    ),
    (
        "sets",
        "The paper's density",
        "Each claim set is one case, as in the paper. A defective set has 5 to 15 defects of one class.",
        results.sets,
        (),
    ),
    (
        "classes",
        "By class",
        "Recall is the share of a class's cases that were assigned to it.",
        results.classes,
        (),
    ),
    (
        "held_out",
        "Defects by injectors held out of training",
        "A model that learned the style of the injectors instead of the law loses here.",
        _held_out,
        (),
    ),
    (
        "placebo",
        "Placebos",
        "Sound claims, edited by the same programs without becoming defective.",
        _placebo,
        (),
    ),
    (
        "calibration",
        "Calibration",
        "Temperature and threshold are fitted on the calibration split only.",
        _calibration,
        ("risk_coverage", "reliability"),
    ),
    (
        "expert",
        "The expert",
        "Length of its answers, whether their quotations are in the claim, and their cost.",
        _expert,
        (),
    ),
    ("data", "Data", "", _data, ()),
)
