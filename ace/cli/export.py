"""`ace export`: verdicts as rows, for spreadsheets and data warehouses. No row has a word of a claim."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final, cast

import typer

from ace.cli.app import ApiKey, Url, app, client, examples, moment, progress, say_pause
from ace.errors import Refused
from ace.wording import csv_cell, plural

if TYPE_CHECKING:
    from patent_ace_client import Evaluation, State, Verdict

SCHEMA: Final = 1  # in every row; a column that goes or changes its meaning raises it
ROW_GROUP: Final = 65_536
# Each column with its Arrow type.
COLUMNS: Final = {
    "schema": "int16",
    "evaluation": "string",
    "filing": "string",
    "docket": "string",
    "claim": "int32",
    "state": "string",
    "verdict": "string",
    "disputed": "bool",
    "decided_by": "string",
    "error_class": "string",
    "ground": "string",
    "score": "string",
    "doubt": "double",
    "tau": "double",
    "u": "double",
    "h6": "double",
    "model": "string",
    "calibration": "string",
    "expert_model": "string",
    "prompt_version": "string",
    "examined": "int32",
    "error": "string",
    "supersedes": "string",
    "superseded_by": "string",
    "created_at": "timestamp",
    "updated_at": "timestamp",
}


class Format(StrEnum):
    """Format of the rows."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


Rows = Iterable[dict[str, Any]]


@app.command(
    epilog=examples(
        "ace export --since 2026-11-01 --format csv > verdicts.csv",
        "ace export --since 2026-11-01 --verdict Fail --format jsonl | jq .docket",
        "ace export --format parquet --out verdicts.parquet",
    )
)
def export(
    format_: Annotated[
        Format, typer.Option("--format", help="parquet needs --out and patent-ace[parquet].")
    ] = Format.CSV,
    since: Annotated[
        str | None, typer.Option(help="Only what changed at this time (YYYY-MM-DD[THH:MM], UTC) or later.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Only what last changed before this time.")] = None,
    docket: Annotated[str | None, typer.Option(help="Only this docket.")] = None,
    state: Annotated[str | None, typer.Option(help="Only evaluations in this state.")] = None,
    verdict: Annotated[str | None, typer.Option(help="Pass or Fail.")] = None,
    out: Annotated[Path | None, typer.Option(help="The file. Default: standard output.")] = None,
    url: Url = None,
    key: ApiKey = None,
) -> None:
    """Write evaluations as rows, newest first: verdicts and what explains them, no words of claims."""
    if format_ is Format.PARQUET and out is None:
        raise Refused("parquet is a file: give --out FILE", code="usage")
    write = WRITERS[format_]()
    with client(url, key) as api, progress() as bar:
        api.tell_pauses(say_pause)
        found = api.evaluations(
            since=None if since is None else moment(since, "--since").isoformat(),
            until=None if until is None else moment(until, "--until").isoformat(),
            docket=docket,
            state=cast("State | None", state),  # the API refuses others, and names those that it knows
            verdict=cast("Verdict | None", verdict),
        )
        task = bar.add_task("evaluations", total=None)
        count = 0

        def rows() -> Iterator[dict[str, Any]]:
            nonlocal count
            for one in found:
                count += 1
                bar.advance(task)
                yield row(one)

        with _opened(out) as file:
            write(rows(), file)
    typer.echo(f"{plural(count, 'evaluation')} exported", err=True)


def row(one: Evaluation) -> dict[str, Any]:
    """An evaluation as a row under `COLUMNS`."""
    expert = one.rationale
    more = {
        "schema": SCHEMA,
        "evaluation": one.id,
        "expert_model": expert and expert.model,
        "prompt_version": expert and expert.prompt_version,
    }
    return {name: more[name] if name in more else getattr(one, name) for name in COLUMNS}


@contextmanager
def _opened(out: Path | None) -> Iterator[BinaryIO]:
    """The file to write, or standard output; refused if it cannot be opened."""
    if out is None:
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    try:
        file = out.open("wb")
    except OSError as error:
        raise Refused(f"cannot write {out}: {error.strerror}", code="unwritable") from error
    with file:
        yield file


def _as_csv(rows: Rows, file: BinaryIO) -> None:
    """RFC 4180, with a line of headings; what is missing is empty, and no cell is a formula."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    lines = csv.DictWriter(text, COLUMNS)
    lines.writeheader()
    for one in rows:
        shown = {name: csv_cell(_written(value)) for name, value in one.items()}
        lines.writerow(shown | {"disputed": str(one["disputed"]).lower()})
    text.detach()


def _as_jsonl(rows: Rows, file: BinaryIO) -> None:
    """A JSON object in each line."""
    for one in rows:
        shown = {name: _written(value) for name, value in one.items()}
        file.write(json.dumps(shown, ensure_ascii=False).encode() + b"\n")


def _written(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _parquet_writer() -> Callable[[Rows, BinaryIO], None]:
    """A writer of row groups, so that memory holds one of them. Raises Refused without pyarrow."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise Refused(
            "parquet needs pyarrow: pip install 'patent-ace[parquet]'", code="no_pyarrow"
        ) from error
    at = pa.timestamp("us", tz="UTC")
    types = {"timestamp": at} | {of: pa.type_for_alias(of) for of in COLUMNS.values() if of != "timestamp"}
    schema = pa.schema([(name, types[of]) for name, of in COLUMNS.items()])

    def write(rows: Rows, file: BinaryIO) -> None:
        left = iter(rows)
        with parquet.ParquetWriter(file, schema) as writer:
            while group := list(islice(left, ROW_GROUP)):
                writer.write_table(pa.Table.from_pylist(group, schema=schema))

    return write


WRITERS: Final[dict[Format, Callable[[], Callable[[Rows, BinaryIO], None]]]] = {
    Format.CSV: lambda: _as_csv,
    Format.JSONL: lambda: _as_jsonl,
    Format.PARQUET: _parquet_writer,
}
