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
    any_columns,
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


def _paired(_: Row, found: Row) -> list[Table]:
    above = Column("defective claim scored above its twin", "above", share, interval="interval")
    columns = (Column("class", "name", text), N, above)
    return table(caption("A claim compared with its own sound twin", found, "pairs"), columns, rows(found))


def _localisation(_: Row, found: Row) -> list[Table]:
    columns = (
        Column("class", "name", text),
        N,
        Column("gatekeeper", "gatekeeper", share),
        Column("rules", "structural", share),
        Column("hybrid", "hybrid", share),
        Column("by chance", "chance", share),
    )
    return table(
        caption("Share of defective claims whose marked span overlaps the defect", found),
        columns,
        rows(found),
    )


def _worth(_: Row, found: Row) -> list[Table]:
    columns = (
        Column("expert", "expert", text),
        Column("escalated", "escalated", share),
        Column("accuracy", "accuracy", share),
        Column("defects failed", "recall", share),
        Column("sound claims failed", "false_alarms", share),
    )
    return table(caption("The hybrid with experts of known worth", found), columns, rows(found))


def _lengths(_: Row, found: Row) -> list[Table]:
    known = {"band": Column("characters", "band", text), "n": N}
    for judge in ("gatekeeper", "hybrid"):
        recall, alarms = f"{judge}_recall", f"{judge}_false_alarms"
        known |= {recall: Column(f"{judge}: defects failed", recall, share)}
        known |= {alarms: Column("sound claims failed", alarms, share)}
    return table(caption("Claims by length", found), any_columns(rows(found), known), rows(found))


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
    return [
        *table(caption(f"{title}: {', '.join(said)}" if said else title, found), columns, rows(found)),
        *table(caption("By injector", found), each, rows(found.get("injectors")), detail=True),
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
    edits = (Column("edit", "edit", text), N, Column("false alarms", "false_alarms", share))
    return [
        *table(caption("False alarms on sound claims", found), columns, rows(found)),
        *table(caption("By edit", found), edits, rows(found.get("by_edit")), detail=True),
    ]


_METRICS = {
    "aurc": "AURC",
    "e_aurc": "E-AURC",
    "augrc": "AUGRC",
    "ece": "ECE",
    "brier": "Brier score",
    "nll": "log loss",
}


_SHOWN_APART = ("metrics", "scores", "scores_n", "scores_split", "n", "split", "rows")


def _calibration(_: Row, found: Row) -> list[Table]:
    metrics = [
        {"metric": _METRICS.get(name, name), **(value if isinstance(value, Mapping) else {"value": value})}
        for name, value in mapping(found.get("metrics")).items()
    ]
    known = {
        "score": Column("score", "score", text),
        "aurc": Column("AURC", "aurc", small),
        "e_aurc": Column("E-AURC", "e_aurc", small),
        "augrc": Column("AUGRC", "augrc", small),
        "f1_at_20": Column("F1 kept at 20 %", "f1_at_20", share),
        "hybrid_f1_at_20": Column("hybrid F1 at 20 %", "hybrid_f1_at_20", share),
        "spearman_with_confidence": Column(
            "rank correlation with confidence", "spearman_with_confidence", small
        ),
        "augrc_less_u": Column(
            "AUGRC less that of U", "augrc_less_u.value", small, interval="augrc_less_u.interval"
        ),
    }
    scores = rows(found.get("scores"))
    compared = {
        "n": found.get("scores_n", found.get("n")),
        "split": found.get("scores_split", found.get("split")),
    }
    shown = (Column("", "metric", text), Column("value", "value", small, interval="interval"))
    return [
        *facts("The calibration record", found, _SHOWN_APART),
        *table(caption("Quality of the probabilities", found), shown, metrics),
        *table(caption("How well each score ranks errors", compared), any_columns(scores, known), scores),
    ]


def _probes(_: Row, found: Row) -> list[Table]:
    known = {
        "name": Column("probe", "name", text),
        "auc": Column("AUC", "auc", share, interval="interval"),
        "chance": Column("chance", "chance", share),
        "note": Column("", "note", text),
    }
    shown = any_columns(rows(found), known)
    return [
        *table(caption("What a probe can tell without reading the defect", found), shown, rows(found)),
        *facts("Leaks", found, ("rows", "n", "split")),
    ]


def _speed(_: Row, found: Row) -> list[Table]:
    known = {
        "name": Column("", "name", text),
        "claims_per_second": Column("claims/s", "claims_per_second", plain),
        "ratio": Column("ratio", "ratio", plain),
        "padding_waste": Column("padding", "padding_waste", share),
        "label_agreement": Column("same labels", "label_agreement", share),
        "peak_bytes": Column("peak bytes", "peak_bytes", count),
    }
    return [
        *table(caption("Claims per second", found), any_columns(rows(found), known), rows(found)),
        *facts("Conditions", found, ("rows", "n", "split")),
    ]


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
    return [
        *table("Rows and families", columns, splits),
        *facts("The data set", found, ("splits",), detail=True),
    ]


def _facts_of(title: str) -> Callable[[Row, Row], list[Table]]:
    def build(_: Row, found: Row) -> list[Table]:
        return facts(title, found, detail=True)

    return build


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
        "sensitivity",
        "Share escalated",
        "Claims go to the expert in order of doubt, the most doubtful first.",
        results.sensitivity,
        ("escalation",),
    ),
    (
        "worth",
        "What an expert has to be worth",
        "Every claim above tau is decided by the expert; those that are simulated err at random.",
        _worth,
        (),
    ),
    (
        "lengths",
        "Long claims",
        "A judge that does not read to the end of a claim finds less in long ones.",
        _lengths,
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
        "paired",
        "Twins",
        "The score of a defective claim compared with that of the claim it was made from.",
        _paired,
        (),
    ),
    (
        "localisation",
        "Location of the defect",
        "How often the span that a judge marks overlaps the defect.",
        _localisation,
        (),
    ),
    (
        "mixes",
        "Mixes with mostly sound claims",
        "The same cases, in proportions that an office may see.",
        results.mixes,
        (),
    ),
    (
        "cross_validation",
        "Cross-validation",
        "How much the figures depend on the choice of the split.",
        results.cross_validation,
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
        "probes",
        "Artifact probes",
        "Classifiers that see only one artifact of the data set. Each should be near chance.",
        _probes,
        (),
    ),
    (
        "expert",
        "The expert",
        "Length of its answers, whether their quotations are in the claim, and their cost.",
        _expert,
        (),
    ),
    ("speed", "Speed", "", _speed, ()),
    ("data", "Data", "", _data, ()),
    ("model", "Model", "", _facts_of("The model"), ()),
    ("generated_with", "How this report was made", "", _facts_of("The run"), ()),
)
