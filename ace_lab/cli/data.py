"""`ace data`: data sets for training, calibration and evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ace.cli.app import Json, app, examples, group, show, table
from ace.errors import Refused

if TYPE_CHECKING:
    from ace_lab.data.dataset import DatasetPlan

data = group(
    "Build data sets with known defects.",
    examples(
        "ace data build claims.jsonl.gz --out data",
        "ace data rejections --actions weekly/ --claims claims.jsonl.gz --out rejections.jsonl.gz",
        "ace data amendments ipa/ ipg/ --out amendments.jsonl",
    ),
)
app.add_typer(data, name="data")


@data.command(
    epilog=examples(
        "ace data build claims.jsonl.gz --out data",
        "ace data build ipg/ ipa250102.zip --out data --class-rows 400 --pass-rows 2000 --skip-bad",
        "ace data build claims.jsonl.gz --out data --injected llm/llm.jsonl --injected llm/llm.sets.jsonl",
    )
)
def build(
    inputs: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Claim sets: JSON lines or patent-office XML, plain, .gz or in a .zip, or folders of these.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The directory to write to.")],
    pass_rows: Annotated[int, typer.Option(min=0, help="Rows of sound claims, over all splits.")] = 20_000,
    class_rows: Annotated[int, typer.Option(min=10, help="Rows of each of the five classes.")] = 4_000,
    seed: Annotated[int, typer.Option(help="Decides everything that is left to chance.")] = 1,
    sound_rows: Annotated[
        int, typer.Option(min=0, help="Further rows of harmless edits, for training only.")
    ] = 0,
    mistakes: Annotated[
        int, typer.Option(min=0, help="Kinds of drafters' mistakes tried on each set, for training only.")
    ] = 6,
    hard_for: Annotated[
        Path | None,
        typer.Option(
            metavar="MODEL",
            help="Add to the training rows, as Pass, the granted claims that this gatekeeper or the rules"
            " fail, unless the rules are sure.",
        ),
    ] = None,
    injected: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="What `ace data inject` (llm.jsonl or llm.sets.jsonl) or `ace data amendments` made of the"
            " same claim sets; may be given several times. Takes places of what rules would write.",
        ),
    ] = None,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad",
            help="Skip and count lines or documents that are not claim sets instead of stopping.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write into a directory that is not empty.")] = False,
    as_json: Json = False,
) -> None:
    """Build training, calibration and test data: real claims, placebos and claims with one class of defect,
    and those of the claims that readers labelled.

    Splits are 8:1:1 by patent family, without near-duplicates between them. The same inputs and seed give
    the same bytes.
    """
    from ace_lab.data.dataset import DatasetPlan

    if out.is_dir() and any(out.iterdir()) and not force:
        raise Refused(f"{out} is not empty: use --force or another directory", code="usage", pointer="/out")
    plan = DatasetPlan(pass_rows, class_rows, seed, sound_rows, mistakes)
    manifest = _built(inputs, out, plan, injected or [], hard_for, skip_bad=skip_bad)
    if as_json:
        show(manifest)
        return
    rows = [(name, *_counts_of(each)) for name, each in manifest["files"].items()]
    table(rows, "file", "rows", "families", "pass", "defective")
    for name, missing in manifest["short"].items():
        lacking = ", ".join(f"{count} {label}" for label, count in missing.items())
        typer.echo(f"{name} lacks {lacking}: the claims offer no more places", err=True)
    if manifest["skipped"]:
        count = len(manifest["skipped"])
        what = "line or document was" if count == 1 else "lines or documents were"
        typer.echo(f"{count} {what} skipped", err=True)
    for why, count in manifest.get("injected", {}).get("left_out", {}).items():
        typer.echo(f"{count} injected rows left out: {why}", err=True)


def _counts_of(counted: dict[str, Any]) -> tuple[int, int, int, int]:
    """Rows, families, Pass and defective rows of one file of a manifest."""
    sound = counted["labels"].get("pass", 0)
    return counted["rows"], counted["families"], sound, counted["rows"] - sound


def _built(
    inputs: list[Path],
    out: Path,
    plan: DatasetPlan,
    injected: list[Path],
    hard_for: Path | None,
    *,
    skip_bad: bool,
) -> dict[str, Any]:
    from itertools import chain

    from ace.cli.app import progress
    from ace.gatekeeper.loading import load_engine
    from ace_lab.data.dataset import build as built
    from ace_lab.data.llm_rows import read_llm_rows
    from ace_lab.data.manifest import write_data
    from ace_lab.data.pools import SPLITS, pools
    from ace_lab.data.sources import read_sources
    from ace_lab.readings.asking import Stored
    from ace_lab.readings.corpus import corpus_of
    from ace_lab.readings.labelled_rows import labelled_rows

    written = read_llm_rows(injected) if injected else None
    gatekeeper = None if hard_for is None else load_engine(hard_for)
    with progress() as bar:
        task = bar.add_task("reading", total=None)
        sources = read_sources(inputs, skip_bad=skip_bad)
        bar.update(task, description="removing duplicates")
        parted = pools(sources.sets)
        total = sum(sum(plan.asked(split).values()) for split in SPLITS)
        bar.update(task, description="building", total=total)
        made = chain(
            built(parted, plan, written, gatekeeper), labelled_rows(corpus_of(sources.sets), Stored.load())
        )
        rows = bar.track(made, task_id=task, total=total)
        revision = None if gatekeeper is None else gatekeeper.revision
        return write_data(out, rows, sources, parted, plan, written, revision)
