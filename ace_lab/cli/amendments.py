"""`ace data amendments`: claims that applicants repaired between publication and grant."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ace.cli.app import Json, examples, show, table
from ace.errors import Refused
from ace_lab.cli.data import data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_lab.data.rows import Row


@data.command(
    epilog=examples(
        "ace data amendments ipa220106.zip ipg231107.zip --out amendments.jsonl",
        "ace data amendments ipa/ ipg/ --out amendments.jsonl --json",
        "ace data build ipg/ --out data --injected amendments.jsonl",
    )
)
def amendments(
    inputs: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Published applications and grants: XML of the USPTO or JSON lines with the application,"
            " plain, .gz or in a .zip, or folders of these.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The file to write, JSON lines.")],
    as_json: Json = False,
) -> None:
    """Find claims that applicants repaired: as published with the defect, and as granted without it.

    An article, a name, a missing basis, an example, a range or a reference that the amendment corrected. Two
    rows each, which `ace data build --injected` takes and `ace evaluate` can read.
    """
    from ace.cli.app import progress
    from ace_lab.data.amendments import amended_rows
    from ace_lab.data.published_pairs import read_pairs
    from ace_lab.data.rows import write

    counts = Counter[str]()
    with progress() as bar:
        task = bar.add_task("finding pairs", total=None)
        pairs = read_pairs(
            inputs, counts, lambda step, done: bar.update(task, description=step, completed=done)
        )

        def rows() -> Iterator[Row]:
            for done, pair in enumerate(pairs, start=1):
                yield from amended_rows(pair, counts)
                bar.update(task, description="comparing", completed=done, total=counts["pairs"])

        write(out, rows())
    if as_json:
        show({"out": str(out), "counts": dict(sorted(counts.items()))})
    else:
        table([(name.replace("_", " "), count) for name, count in sorted(counts.items())], "what", "count")
    if not counts["pairs"]:
        raise Refused("no application has both a publication and a grant; the counts say why", code="empty")
