"""`ace data rejections` and `ace evaluate rejections`: what patent examiners really rejected."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ace.cli.app import Json, examples, show, table
from ace.errors import Refused
from ace_lab.cli.data import data
from ace_lab.cli.evaluate import evaluate

if TYPE_CHECKING:
    from ace_lab.rejections.judgements import OnProgress


@data.command(
    "rejections",
    epilog=examples(
        "ace data rejections --actions weekly/ --claims claims.jsonl.gz --out rejections.jsonl.gz",
        "ace data rejections --actions oa.zip --claims ipa240104.xml --claims granted.jsonl --out real.jsonl",
        "ace data rejections --actions weekly/ --claims claims.jsonl.gz --out rejections.jsonl.gz --json",
    ),
)
def build_rejections(
    actions: Annotated[
        list[Path],
        typer.Option(help="Office actions: JSON, JSON lines, .gz or .zip of them, or a folder."),
    ],
    claims: Annotated[
        list[Path],
        typer.Option(help="Claim sets by application: JSON lines or patent-office XML, also .gz."),
    ],
    out: Annotated[Path, typer.Option(help="The file to write: .jsonl or .jsonl.gz.")],
    as_json: Json = False,
) -> None:
    """Build a file of real rejections under 112(b) and (d) from office-action text and claim sets."""
    from ace_lab.rejections.building import build

    _refuse_missing([*actions, *claims])
    with _with_progress("office actions") as on_progress:
        seen = Counter[str]()

        def progress(more: int) -> None:
            seen["actions"] += more
            on_progress("office actions", seen["actions"], 0)

        counts = build(actions, claims, out, progress=progress)
    if as_json:
        show({"out": str(out), "counts": dict(sorted(counts.items()))})
    else:
        table([(name.replace("_", " "), count) for name, count in sorted(counts.items())], "what", "count")
    if not counts["lines"]:
        raise Refused("no rejection could be matched with its claims; the counts say why", code="empty")


@evaluate.command(
    "rejections",
    epilog=examples(
        "ace evaluate rejections rejections.jsonl.gz",
        "ace evaluate rejections rejections.jsonl.gz --expert none --json",
        "ace evaluate rejections real.jsonl --model models/int8 --expert http://tgi:8080 --out report",
    ),
)
def evaluate_rejections(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Rejections, a JSON line each; also .gz.")],
    model: Annotated[
        Path | None, typer.Option(help="Directory of the gatekeeper model [the shipped model].")
    ] = None,
    expert: Annotated[
        str, typer.Option(help="structural, none, or the URL of an LLM server.")
    ] = "structural",
    token: Annotated[
        str | None, typer.Option(envvar="ACE_EXPERT_TOKEN", help="Bearer token for that server.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Examinations at the same time.")] = 8,
    out: Annotated[
        Path | None, typer.Option(help="Folder for report.md, report.json and misses.jsonl.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip lines that cannot be used.")] = False,
    as_json: Json = False,
) -> None:
    """Measure recall, matching reasons and false alarms on claims that examiners rejected.

    Only misses.jsonl contains claim text.
    """
    from ace.gatekeeper.loading import load_engine
    from ace_lab.experts.remote import expert_named
    from ace_lab.rejections.rejection_file import read_rejections
    from ace_lab.rejections.report import evaluate as evaluated
    from ace_lab.rejections.tables import page, tables

    asked = expert_named(expert, token=token, concurrency=concurrency)
    rejections = read_rejections(file, skip_bad=skip_bad)
    engine = load_engine(model)
    with _with_progress("reading") as on_progress:
        found = evaluated(rejections, engine, asked, on_progress)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        _write(out / "report.json", json.dumps(found.report, indent=2, ensure_ascii=False) + "\n")
        _write(out / "report.md", page(found.report))
        _write(
            out / "misses.jsonl",
            "".join(json.dumps(miss, ensure_ascii=False) + "\n" for miss in found.misses),
        )
    if as_json:
        show(found.report)
        return
    for each in tables(found.report):
        typer.echo(each.title)
        table(each.rows, *each.columns)
        typer.echo(f"{each.note}\n")


def _write(path: Path, text: str) -> None:
    unfinished = path.with_name(f"{path.name}.tmp")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def _refuse_missing(paths: list[Path]) -> None:
    for path in paths:
        if not path.exists():
            raise Refused(f"{path} does not exist", code="unreadable")


@contextmanager
def _with_progress(step: str) -> Iterator[OnProgress]:
    """A progress bar on stderr; `of` is 0 if the total is unknown."""
    from ace.cli.app import progress

    with progress() as shown:
        task = shown.add_task(step, total=None)

        def on_progress(name: str, done: int, of: int) -> None:
            shown.update(task, description=name, completed=done, total=of or None)

        yield on_progress
