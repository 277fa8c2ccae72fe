"""`ace evaluate`: measures a gatekeeper model, with or without an expert."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ace.cli.app import Json, app, examples, group, show, table
from ace.errors import NotConfigured, Refused

if TYPE_CHECKING:
    from ace_lab.evaluation.run import OnProgress

evaluate = group(
    "Measure a gatekeeper, alone and with an expert.",
    examples(
        "ace evaluate --model models/gatekeeper/int8 --data data --out report",
        "ace evaluate --model MODEL --data data --out report --expert http://tgi:8080",
        "ace evaluate --model MODEL --data data --out report --quick --json",
    ),
    invoke_without_command=True,
)
app.add_typer(evaluate, name="evaluate")

NEEDED = ("sklearn", "matplotlib", "torch", "transformers")


@evaluate.callback(invoke_without_command=True)
def report(
    context: typer.Context,
    model: Annotated[
        Path | None, typer.Option(help="Directory of the gatekeeper model [the shipped model].")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Directory that `ace data build` made.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Directory for report.md, report.json and figures.")
    ] = None,
    expert: Annotated[
        str, typer.Option(help="structural, none, or the URL of an LLM server such as TGI.")
    ] = "structural",
    usd_per_hour: Annotated[
        float, typer.Option(min=0, help="Cost per hour of the gatekeeper's machine.")
    ] = 3.00,
    expert_usd_per_hour: Annotated[
        float | None, typer.Option(min=0, help="Cost per hour of the expert's machine [--usd-per-hour].")
    ] = None,
    concurrency: Annotated[
        int, typer.Option(min=1, help="Examinations at the same time for an expert behind a URL.")
    ] = 8,
    claims: Annotated[
        int | None, typer.Option(min=50, help="Maximum number of claims of any split [4000].")
    ] = None,
    sets: Annotated[
        int | None, typer.Option(min=20, help="Maximum number of claim sets of a split [1000].")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Use a few hundred claims: takes minutes, intervals are wide.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure a gatekeeper, alone and with an expert, and write a report."""
    if context.invoked_subcommand is not None:
        return
    if data is None or out is None:
        raise Refused("ace evaluate needs --data and --out", code="usage")
    _need_the_extra()
    from ace.gatekeeper.loading import SHIPPED_MODEL, load_engine
    from ace_lab.evaluation.cache import AnswerCache
    from ace_lab.evaluation.report import evaluated, write
    from ace_lab.evaluation.run import QUICK, EvaluationRun, SampleSizes
    from ace_lab.evaluation.splits import Data
    from ace_lab.experts.remote import expert_named

    sizes = _sized(QUICK if quick else SampleSizes(), claims, sets)
    splits = Data(data, sizes)
    splits.check()
    folder = model or SHIPPED_MODEL
    asked = expert_named(expert, concurrency=concurrency)
    with _progress() as on_progress:
        run = EvaluationRun(
            engine=load_engine(folder),
            expert=asked,
            expert_key=asked.key if asked else "none",
            cache=AnswerCache(out / "cache"),
            usd_per_hour=usd_per_hour,
            expert_usd_per_hour=usd_per_hour if expert_usd_per_hour is None else expert_usd_per_hour,
            sizes=sizes,
            on_progress=on_progress,
        )
        found, drawn = evaluated(run, splits, folder)
        try:
            write(found, drawn, out)
        except OSError as fault:
            raise Refused(f"{out} cannot be written: {fault.strerror}", code="unwritable") from fault
    if as_json:
        show(found)
    else:
        _show(found, out)


def _sized(sizes: Any, claims: int | None, sets: int | None) -> Any:
    from dataclasses import replace

    given = {"claims": claims, "sets": sets}
    return replace(sizes, **{name: most for name, most in given.items() if most is not None})


def _need_the_extra() -> None:
    from importlib.util import find_spec

    for module in NEEDED:
        if find_spec(module) is None:
            raise NotConfigured(f"ace evaluate needs {module}: install the extra 'train'")


@contextmanager
def _progress() -> Iterator[OnProgress]:
    """The current step on stderr: a progress bar on a terminal, otherwise a line per step."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks: dict[str, Any] = {}

        def on_progress(step: str, done: int, of: int) -> None:
            if step not in tasks:
                for task in tasks.values():
                    bar.stop_task(task)
                tasks[step] = bar.add_task(step, total=of or None)
                if not console.is_terminal:
                    typer.echo(f"{step}{f': {of}' if of else ''}", err=True)
            bar.update(tasks[step], completed=done, total=of or None)

        yield on_progress


def _show(found: dict[str, Any], out: Path) -> None:
    for section, title in (("main", "claims with one defect"), ("sets", "claim sets, the paper's density")):
        if section in found:
            typer.echo(f"\n{found[section]['n']} {title}")
            table(
                [
                    (
                        row["name"],
                        *(
                            _percent(row[key])
                            for key in ("accuracy", "macro_f1", "f1_fail", "auc", "escalated")
                        ),
                        None if row["usd_per_million"] is None else f"{row['usd_per_million']:,.0f}",
                    )
                    for row in found[section]["rows"]
                ],
                "judge",
                "accuracy",
                "macro-F1",
                "F1 of Fail",
                "AUC",
                "escalated",
                "$ per million",
            )
    typer.echo("")
    table(
        [
            (entry["target"], entry["required"], entry["measured"], "met" if entry["met"] else "missed")
            for entry in found.get("targets", [])
        ],
        "target",
        "required",
        "measured",
        "",
    )
    typer.echo(f"\n{out / 'report.md'}")


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.2f} %"
