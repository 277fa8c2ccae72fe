"""`ace data ask`, `collect`, `overrule` and `agree`: true labels of claims."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ace.cli.app import Json, examples, progress, show, table
from ace.errors import Refused
from ace.wording import plural
from ace_lab.cli.data import data

if TYPE_CHECKING:
    from ace_lab.readings.asking import Stored
    from ace_lab.readings.corpus import Corpus

Claims = Annotated[
    Path,
    typer.Option(metavar="FILE", help="The real claim sets that the readings refer to: JSON lines or XML."),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        "--labels", help="The folder of the stored labels; the package's own by default.", show_default=False
    ),
]


@data.command(
    epilog=examples(
        "ace data ask sets --claims claims.jsonl.gz --split test --count 200 --role examiner --out work/sets",
        "ace data ask claims --claims claims.jsonl.gz --split test --count 600 --role expert --out work/x",
        "ace data ask mistakes --claims claims.jsonl.gz --split train --role chemist --out work/m",
    )
)
def ask(
    work: Annotated[
        Literal["sets", "claims", "mistakes", "edits"],
        typer.Argument(
            metavar="WORK",
            help="sets: read whole claim sets; claims: answer the expert's questions; mistakes: write edits;"
            " edits: answer the expert's questions about edited claims.",
        ),
    ],
    claims: Claims,
    split: Annotated[
        Literal["train", "calibration", "test"], typer.Option(help="The split of the families to ask about.")
    ],
    role: Annotated[str, typer.Option(help="Who reads or writes: a name of ace_lab/readings/roles.toml.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the batches.")],
    count: Annotated[int, typer.Option(min=1, help="Maximum number of claim sets, claims or edits.")] = 200,
    each: Annotated[
        int | None,
        typer.Option(min=1, help="Number in a batch: by default 20 sets or 50 claims.", show_default=False),
    ] = None,
    unread: Annotated[
        bool, typer.Option("--unread", help="Only what nobody has read, in whatever role.")
    ] = False,
    skip: Annotated[int, typer.Option(min=0, help="Leave so many of the first items to another role.")] = 0,
    mix: Annotated[
        Literal["real", "even"],
        typer.Option(help="For mistakes: classes as in real claims, or with more of the rare ones."),
    ] = "real",
    labels: Folder = None,
    as_json: Json = False,
) -> None:
    """Write batches of work for careful readers or writers, people or language models.

    Each batch is one text file with its instruction. Its reader writes the answers, one JSON object a line,
    to NAME.answers.jsonl beside it; `ace data collect DIR` checks and stores them. Every role is asked about
    the same items, and about none twice.
    """
    from ace_lab.readings.asking import Stored, choose, roles, write_batches
    from ace_lab.readings.corpus import read_corpus

    known = roles()["writers" if work == "mistakes" else "readers"]
    if role not in known:
        raise Refused(f"--role is {role!r}, not one of {', '.join(known)}", code="usage")
    corpus, stored = read_corpus(claims), Stored.load(labels)
    items = choose(corpus, stored, work, split, role, count, unread=unread, skip=skip)
    batches = write_batches(
        corpus, stored, work, role, items, out, prefix=f"{work}-{split}-{role}", each=each, mix=mix
    )
    if as_json:
        show({"out": str(out), "items": len(items), "batches": [batch.name for batch in batches]})
    else:
        files = "1 batch" if len(batches) == 1 else f"{len(batches)} batches"
        typer.echo(f"{files} of {plural(len(items), 'item')} in {out}")


@data.command(
    epilog=examples(
        "ace data collect work/sets --claims claims.jsonl.gz",
        "ace data collect work/sets --claims claims.jsonl.gz --only sets-test-examiner-003 --check",
        "ace data collect work/sets --claims claims.jsonl.gz --json | jq .problems",
    )
)
def collect(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder made by `ace data ask`.")],
    claims: Claims,
    only: Annotated[str | None, typer.Option(metavar="NAME", help="Only this batch.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Check the answers and store nothing.")] = False,
    labels: Folder = None,
    as_json: Json = False,
) -> None:
    """Check the answers to a folder of batches, store those that are sound, and list what must be repaired.

    Exit code 1 if anything must be repaired. Repair the answers and run it again: what is stored is replaced,
    never doubled.
    """
    from ace_lab.readings.asking import Stored
    from ace_lab.readings.collecting import collect as collected
    from ace_lab.readings.collecting import read_batches
    from ace_lab.readings.corpus import read_corpus

    batches = [batch for batch in read_batches(folder) if only in (None, batch.name)]
    if not batches:
        raise Refused(f"{folder} has no batch {only!r}", code="usage")
    corpus, stored = read_corpus(claims), Stored.load(labels)
    today = datetime.now(UTC).date().isoformat()
    with progress() as bar:
        results = [
            collected(corpus, stored, folder, batch, today)
            for batch in bar.track(batches, description="reading")
        ]
    fresh = 0
    for result in results if not check else ():
        fresh += stored.add(result.records)
    if not check:
        _save(corpus, stored, labels)
    summary = {
        "records": sum(len(result.records) for result in results),
        "new": fresh,
        "missing": sum(result.missing for result in results),
        "problems": {result.batch.name: result.problems for result in results if result.problems},
    }
    if as_json:
        show(summary)
    else:
        table(
            [
                (result.batch.name, len(result.records), result.missing, len(result.problems))
                for result in results
            ],
            "batch",
            "answers",
            "missing",
            "to repair",
        )
        for result in results:
            for problem in result.problems:
                typer.echo(f"{result.batch.name}: {problem}")
    if summary["problems"]:
        raise typer.Exit(1)


@data.command(
    epilog=examples(
        "ace data overrule reviewed.jsonl --claims claims.jsonl.gz",
        "ace data overrule reviewed.jsonl --claims claims.jsonl.gz --labels my-labels",
        "ace data overrule reviewed.jsonl --claims claims.jsonl.gz --json | jq .unknown",
    )
)
def overrule(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `ace reviews export` wrote.")],
    claims: Claims,
    labels: Folder = None,
    as_json: Json = False,
) -> None:
    """Store what people said at the desk of real claims. It overrules every other reading of them.

    A claim is known by its number and text; reviews of other claims are counted and left out.
    """
    from ace_lab.data.rows import read_rows
    from ace_lab.readings.asking import Stored
    from ace_lab.readings.corpus import read_corpus
    from ace_lab.readings.people import readings_of

    try:
        rows = read_rows(file)
    except (OSError, ValueError) as error:
        raise Refused(f"{file} cannot be read: {error}", code="bad_data") from error
    corpus, stored = read_corpus(claims), Stored.load(labels)
    found = readings_of(corpus, rows, datetime.now(UTC).date().isoformat())
    stored.add(found.readings)
    _save(corpus, stored, labels)
    if as_json:
        show({"stored": len(found.readings), "unknown": found.unknown})
    else:
        unknown = plural(found.unknown, "review")
        typer.echo(f"{plural(len(found.readings), 'claim')} overruled; {unknown} of claims not in {claims}")


def _save(corpus: Corpus, stored: Stored, labels: Path | None) -> None:
    """Stores the labels, and who read and wrote what."""
    from ace_lab.readings import manifest

    stored.save()
    manifest.save(manifest.manifest(corpus, stored), labels)


@data.command(
    epilog=examples(
        "ace data agree --claims claims.jsonl.gz",
        "ace data agree --claims claims.jsonl.gz --split test --disagreements 30",
        "ace data agree --claims claims.jsonl.gz --json | jq .agreement",
    )
)
def agree(
    claims: Claims,
    split: Annotated[
        Literal["train", "calibration", "test"] | None, typer.Option(help="Only families of this split.")
    ] = None,
    disagreements: Annotated[
        int, typer.Option(min=0, help="Maximum number of claims on which readers disagree that are listed.")
    ] = 0,
    labels: Folder = None,
    as_json: Json = False,
) -> None:
    """Print how far readers agree on the same claims, with Cohen's kappa, and what they disagree on."""
    from ace_lab.readings.agreement import disagreements as apart
    from ace_lab.readings.agreement import pairs_of, tables
    from ace_lab.readings.asking import Stored
    from ace_lab.readings.corpus import read_corpus

    corpus, stored = read_corpus(claims), Stored.load(labels)
    pairs = [pair for pair in pairs_of(corpus, stored) if split in (None, corpus.sets[pair.patent].split)]
    found, listed = tables(pairs), apart(pairs)[:disagreements]
    if as_json:
        show({"agreement": found, "disagreements": listed})
        return
    if not found:
        typer.echo("No claim has been read twice.")
    for how, rows in found.items():
        typer.echo(f"\nRead {how}")
        table(
            [(row["claims"], row["read"], row["agreed"], row["share"], row["kappa"]) for row in rows],
            "claims",
            "read twice",
            "agreed",
            "share",
            "kappa",
        )
    for entry in listed:
        typer.echo(
            f"\n{entry['patent']} claim {entry['claim']}, read {entry['read']}: {entry['class']}"
            f" ({', '.join(entry['failed_by'])}, {entry['sure']}; passed by {', '.join(entry['passed_by'])})"
            f"\n  “{entry['quote']}”: {entry['why']}"
        )
