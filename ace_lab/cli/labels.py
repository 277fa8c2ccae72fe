"""`ace evaluate labels`: rules, gatekeeper and verdict measured by true labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ace.cli.app import Json, examples, progress, show, table
from ace.errors import Refused
from ace_lab.cli.evaluate import evaluate
from ace_lab.cli.readings import Claims, Folder


@evaluate.command(
    epilog=examples(
        "ace evaluate labels --claims claims.jsonl.gz --judges rules",
        "ace evaluate labels --claims claims.jsonl.gz --split train --json | jq .by_rule",
        "ace evaluate labels --claims claims.jsonl.gz --split test --final --out docs/models/gatekeeper",
    )
)
def labels(
    claims: Claims,
    judges: Annotated[
        Literal["rules", "all"], typer.Option(help="rules: the rules alone, in minutes; all: the models too.")
    ] = "all",
    split: Annotated[
        Literal["train", "calibration", "test"], typer.Option(help="The split of the families.")
    ] = "calibration",
    final: Annotated[
        bool, typer.Option("--final", help="Open the test families. It is written down beside the labels.")
    ] = False,
    model: Annotated[
        Path | None, typer.Option(help="Directory of the gatekeeper model [the shipped model].")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write labels.json, labels.md and roc.svg there.")
    ] = None,
    stored: Folder = None,
    as_json: Json = False,
) -> None:
    """Measure rules, gatekeeper and verdict on real claims that readers labelled, and on written edits.

    Rules and models are changed by what the training and calibration families show. Test families are for the
    figure that is published, and are refused without --final.
    """
    from ace.gatekeeper.loading import SHIPPED_MODEL
    from ace_lab.evaluation.label_report import measured, opened
    from ace_lab.evaluation.labelled import Gatekeeper
    from ace_lab.readings.asking import Stored
    from ace_lab.readings.corpus import read_corpus

    if (split == "test") != final:
        raise Refused(
            "--split test and --final go together: test families are opened on purpose", code="usage"
        )
    known = Stored.load(stored)
    if not len(known.sets) + len(known.claims):
        raise Refused("no label is stored: `ace data ask` and `ace data collect` make them", code="no_data")
    corpus = read_corpus(claims)
    gatekeeper = Gatekeeper.load(model or SHIPPED_MODEL) if judges == "all" else None
    with progress() as bar:

        def on_step(name: str, units: int) -> Callable[[int], None]:
            task = bar.add_task(name, total=units)
            return lambda done: bar.advance(task, done)

        report = measured(corpus, known, split, gatekeeper, on_step)
    if final:
        report["openings"] = opened(report, datetime.now(UTC).date().isoformat(), stored)
    if out is not None:
        _write(report, out)
    if as_json:
        show(report)
    else:
        _show(report)


def _write(report: dict[str, Any], out: Path) -> None:
    from ace_lab.evaluation.report import REPORT, write_page
    from ace_lab.reports.figures import roc_figure, save
    from ace_lab.reports.labels import page

    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "labels.json").write_text(
            json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        (out / "labels.md").write_text(page(report), encoding="utf-8")
        if (out / REPORT).exists():
            write_page(out)
        if "roc" in report:
            save(roc_figure(report["roc"]), out / "roc")
    except OSError as error:
        raise Refused(f"{out} cannot be written: {error.strerror}", code="unwritable") from error


def _show(report: dict[str, Any]) -> None:
    rows = report["judges"]
    typer.echo(f"{rows[0]['claims']} claims of {report['split']} families, {rows[0]['defective']} defective")
    table(
        [
            (
                row["judge"],
                *(f"{_percent(row[key])} {_interval(row[f'{key}_interval'])}" for key in _SHOWN),
                _percent(row.get("auroc")),
            )
            for row in rows
        ],
        "judge",
        *_SHOWN,
        "AUROC",
    )
    if report["edits"]:
        typer.echo("\nWritten mistakes found, and sound edits failed")
        names = [name for name in report["edits"][0] if name not in ("part", "edits")]
        table(
            [
                (row["part"], row["edits"], *(_percent(row[name]) for name in names))
                for row in report["edits"]
            ],
            "edits",
            "n",
            *names,
        )
    if report.get("cascade"):
        typer.echo("\nThe most doubtful claims decided by the recorded expert: F1")
        orders: dict[str, dict[float, float]] = {}
        for row in report["cascade"]:
            orders.setdefault(row["order"], {})[row["escalated"]] = row["f1"]
        table(
            [(name, *map(_percent, shares.values())) for name, shares in orders.items()],
            "by",
            *(f"{share:.0%}" for share in next(iter(orders.values()))),
        )


_SHOWN = ("precision", "recall", "f1", "accuracy")


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.1f} %"


def _interval(bounds: list[float | None]) -> str:
    low, high = bounds
    return "" if low is None or high is None else f"({100 * low:.1f} to {100 * high:.1f})"
