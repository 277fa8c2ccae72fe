"""`ace data probe`: measures what a data set gives away without its defects being read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ace.cli.app import Json, examples, show, table
from ace.errors import Refused
from ace_lab.cli.data import data

if TYPE_CHECKING:
    from ace_lab.data.rows import Row


@data.command(
    "probe",
    epilog=examples(
        "ace data probe data",
        "ace data probe data --model models/gatekeeper/int8",
        "ace data probe data --json",
    ),
)
def probe(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Directory that `ace data build` made.")],
    model: Annotated[
        Path | None, typer.Option(help="Gatekeeper model to probe with claims whose defects are removed.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides which rows are used and how words are shuffled.")] = 1,
    as_json: Json = False,
) -> None:
    """Measure what separates defective claims from sound ones apart from the defect; write probes.json.

    An AUC of 0.5 is chance. Probes are trained on the train rows and tested on the test rows.
    """
    from ace.cli.app import progress
    from ace.gatekeeper.loading import load_engine
    from ace_lab.evaluation.probes import probe as probed

    train, test = _rows(directory, "train"), _rows(directory, "test")
    with progress() as bar:
        bar.add_task("probing", total=None)
        engine = load_engine(model) if model is not None else None
        try:
            found = probed(train, test, engine=engine, seed=seed)
        except ValueError as error:
            raise Refused(f"{directory}: {error}", code="rows", pointer="/dir") from error
    _write(directory / "probes.json", found)
    if as_json:
        show(found)
        return
    table(list(_lines(found)), "probe", "by", "class", "auc", "95 %", "verdict")
    typer.echo(f"leaks: {', '.join(found['leaks']) or 'none'}", err=True)


def _rows(directory: Path, split: str) -> list[Row]:
    from ace_lab.data.rows import read_rows

    path = directory / f"{split}.jsonl"
    if not path.is_file():
        raise Refused(
            f"{directory} has no {path.name}: make it with `ace data build`", code="usage", pointer="/dir"
        )
    try:
        return read_rows(path)
    except ValueError as error:
        raise Refused(str(error), code="rows", pointer="/dir") from error


def _write(path: Path, found: dict[str, Any]) -> None:
    unfinished = path.with_name(f"{path.name}.tmp")
    unfinished.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    unfinished.replace(path)


def _lines(found: dict[str, Any]) -> Iterator[tuple[str | None, ...]]:
    from ace_lab.evaluation.probes import figures_of

    for name, way, label, figure in figures_of(found):
        verdict = "by nature" if "by_nature" in figure else figure.get("verdict")
        yield name, way, label, f"{figure['auc']:.3f}", f"{figure['low']:.3f}–{figure['high']:.3f}", verdict
