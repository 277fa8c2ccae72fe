"""`ace reviews`: what people said of verdicts, as data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ace.cli.admin import with_database
from ace.cli.app import app, examples, group
from ace.errors import Refused

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

reviews_app = group(
    "What people said of verdicts, read straight from the database.",
    examples(
        "ace reviews export --tenant office > reviewed.jsonl",
        "ace reviews export --out data/calibration.jsonl",
        "ace reviews export --full | jq .probability",
    ),
)
app.add_typer(reviews_app, name="reviews")

SOURCE: Final = "reviews"


class Split(StrEnum):
    """The part of a data set that the rows are for."""

    CALIBRATION = "calibration"
    TEST = "test"
    TRAIN = "train"


@reviews_app.callback()
def reviews() -> None:
    """Keeps `export` a command of its own."""


@reviews_app.command(
    "export",
    epilog=examples(
        "ace reviews export --tenant office --out data/calibration.jsonl",
        "ace reviews export --split test --out data/test.jsonl && ace evaluate --model MODEL --data data",
        "ace reviews export --audited --out data/calibration.jsonl && ace calibrate --model M --data data",
    ),
)
def export(
    tenant: Annotated[str | None, typer.Option(help="Only the claims of this tenant.")] = None,
    split: Annotated[Split, typer.Option(help="The split that the rows name.")] = Split.CALIBRATION,
    out: Annotated[Path | None, typer.Option(help="File to write; default: stdout.")] = None,
    audited: Annotated[
        bool,
        typer.Option("--audited", help="Only claims that a draw chose at random, as recalibration needs."),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Add the prediction, every review and the audit's probability.")
    ] = False,
) -> None:
    """Write a JSON line for each claim whose right class people agree on, or somebody has adjudicated.

    The lines are rows of a data set, as `ace calibrate` and `ace evaluate` read them in its folder; with
    --full they are not. The claims' text is in them. Claims on which reviewers differ are counted on stderr
    and left out.
    """
    from ace.store.reviews import reviewed_claims, verdict_labels

    found = with_database(lambda connection: reviewed_claims(connection, tenant))
    rows = [row for row in found if not audited or row["probability"] is not None]
    labels = [verdict_labels(row["reviews"]) for row in rows]
    lines = [
        f"{json.dumps(_line(row, *label, split=split, full=full), ensure_ascii=False)}\n"
        for row, label in zip(rows, labels, strict=True)
        if len(label) == 1
    ]
    try:
        if out is None:
            typer.echo("".join(lines), nl=False)
        else:
            out.write_text("".join(lines), encoding="utf-8")
    except OSError as fault:
        raise Refused(f"{out} cannot be written: {fault.strerror}", code="unwritable") from fault
    differing, unsure = sum(len(label) > 1 for label in labels), sum(not label for label in labels)
    typer.echo(
        f"{len(lines)} claims; left out: {differing} on which reviewers differ, {unsure} unsure", err=True
    )


def _line(row: RowMapping, label: str, *, split: Split, full: bool) -> dict[str, Any]:
    """A row of a data set (`ace_lab.data.rows.Row`). Versions of one docket are one family."""
    reviews = row["reviews"]
    made: dict[str, Any] = {
        "split": split.value,
        "family": f"{row['tenant']}/{row['docket']}",
        "source": SOURCE,
        "number": row["claim_number"],
        "text": row["text"],
        "ancestors": [f"{number}. {text}" for number, text in row["ancestors"]],
        "label": label,
        "edit": "none",
        "generator": "none",
        "spans": sorted({span for each in reviews for span in _spans(each, label)}),
        "origin": str(row["id"]),
    }
    if full:
        same = ("verdict", "error_class", "decided_by", "probabilities", "doubt", "model", "calibration")
        made["predicted"] = {name: row[name] for name in same}
        made["probability"] = row["probability"]
        made["reviews"] = reviews
    return made


def _spans(review: Mapping[str, Any], label: str) -> Iterator[tuple[int, int]]:
    """The places of the defect that a review names: its own, or that of a finding with which it agrees."""
    from ace.store.review_tables import PASS

    if label == PASS:
        return
    if review["rule"] is None:
        if review["label"] == label and review["span"] is not None:
            yield tuple(review["span"])
    elif review["answer"] == "agree" and review["rule"].startswith(f"{label}."):
        yield tuple(review["place"])
