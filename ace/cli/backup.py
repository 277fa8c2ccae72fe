"""`ace backup` and `ace restore`: the database as a file, and a copy made of that, for operators."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ace.cli.admin import database_url, with_database
from ace.cli.app import EXIT_FAILED, Json, app, examples, show
from ace.errors import Refused
from ace.wording import plural

if TYPE_CHECKING:
    from ace.store.auditing import Audit


@app.command(
    epilog=examples(
        "ace backup /backups/ace.dump",
        "ace backup /backups/ace.dump --force --json",
        "ace backup ace.dump && ace restore ace.dump --check",
    )
)
def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: Json = False,
) -> None:
    """Write the database into a file, as it is at one moment; safe while everything runs.

    The file appears when it is complete, and only its owner can read it: it holds claims. It needs a pg_dump
    as new as the server: the image has one, and so has the extra `embedded`.
    """
    from ace.local import postgres_tools
    from ace.store.database import server_major
    from ace.store.schema import revision

    if file.exists() and not force:
        raise Refused(f"{file} is there already: choose another name, or --force", code="file_exists")
    schema = with_database(revision)
    if schema is None:
        raise Refused("this database holds nothing of ACE", code="no_schema")
    began = time.monotonic()
    postgres_tools.dump(database_url(), file.resolve(), server_major=with_database(server_major))
    size, seconds = file.stat().st_size, round(time.monotonic() - began, 1)
    if as_json:
        show({"file": str(file), "bytes": size, "schema": schema, "seconds": seconds})
    else:
        typer.echo(f"{file}: {size / 1e6:,.1f} MB, schema {schema}, in {seconds:g} s")


@app.command(
    epilog=examples(
        "ace restore /backups/ace.dump --check",
        "ACE_DATABASE_URL=postgresql://ace@db/new ace restore ace.dump",
        "ace restore ace.dump --data new && ace up --data new",
    )
)
def restore(
    file: Annotated[Path, typer.Argument(help="What `ace backup` wrote.")],
    check: Annotated[
        bool,
        typer.Option("--check", help="Restore into a database of its own, which is dropped afterwards."),
    ] = False,
    data: Annotated[
        Path | None, typer.Option("--data", help="Restore into a new data folder, for `ace up`.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Restore a backup into an empty database, and audit the copy.

    The audit reads every row: the trail of each evaluation must lead by legal moves to where it stands, none
    may be decided twice, and the counts must be right. Exits with 1 if something is wrong.
    """
    if check and data is not None:
        raise Refused("--check and --data exclude each other", code="two_places")
    if not file.is_file():
        raise Refused(f"{file} is no file", code="no_file")
    began = time.monotonic()
    with _place(data, check=check) as url:
        schema, found = _restored(file, url, upgrade=check)
    seconds = round(time.monotonic() - began, 1)
    if as_json:
        from dataclasses import asdict

        show({"schema": schema, **asdict(found), "sound": found.sound, "seconds": seconds})
    else:
        typer.echo(f"{'checked' if check else 'restored'} in {seconds:g} s, schema {schema}: {_words(found)}")
    if not found.sound:
        raise typer.Exit(EXIT_FAILED)


@contextmanager
def _place(data: Path | None, *, check: bool) -> Iterator[str]:
    """The URL of the database to restore into, for as long as it is needed."""
    from ace.local.servers import Postgres
    from ace.store import copies

    if data is not None:
        folder = data.resolve() / "postgres"
        if folder.exists():
            raise Refused(f"{data} holds a database already: name a new folder", code="not_empty")
        with Postgres(folder) as server:
            yield server.url
    elif check:
        with copies.scratch(database_url()) as url:
            yield url
    else:
        yield database_url()


def _restored(file: Path, url: str, *, upgrade: bool) -> tuple[str | None, Audit]:
    """The schema and the audit of a copy in the empty database at `url`; `upgrade` makes the schema ours."""
    from ace.local import postgres_tools
    from ace.store import copies, migrate
    from ace.store.auditing import audit
    from ace.store.database import connect_engine, transact
    from ace.store.schema import revision

    db = connect_engine(url, name="ace restore")
    try:
        transact(db, copies.prepare)
        postgres_tools.restore(url, file)
        if upgrade:
            migrate.upgrade(url)
        transact(db, copies.analyse)
        return transact(db, revision), transact(db, audit)
    finally:
        db.dispose()


def _words(found: Audit) -> str:
    counted = f"{plural(found.filings, 'filing')}, {plural(found.evaluations, 'evaluation')}"
    if found.sound:
        return f"{counted}, nothing wrong"
    wrong = {
        "with an impossible trail": found.illegal,
        "decided or made twice": found.twice,
        "decided without a verdict": found.verdictless,
        "wrong counts": found.miscounted,
    }
    return f"{counted}; WRONG: {', '.join(f'{count} {words}' for words, count in wrong.items() if count)}"
