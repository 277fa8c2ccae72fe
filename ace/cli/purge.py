"""`ace purge`: retention, for operators of the database."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ace.cli.admin import database_url
from ace.cli.app import Json, app, examples, moment, show
from ace.errors import Refused
from ace.wording import plural

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from ace.store.purge import Purged

TOLD_EVERY_SECONDS: Final = 2.0


@app.command(
    epilog=examples(
        "ace purge --before 2026-01-01 --dry-run",
        "ace purge --before 2026-01-01T12:00 --tenant epo",
        "ace purge --before 2026-01-01 --yes --json",
    )
)
def purge(
    before: Annotated[
        str, typer.Option(help="Purge filings older than this: YYYY-MM-DD or YYYY-MM-DDTHH:MM, in UTC.")
    ],
    tenant: Annotated[str | None, typer.Option(help="Only the filings of this tenant.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would be purged.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete the text of old filings whose verdicts are final; the audit trail stays.

    Failed evaluations of such filings are cancelled. Filings with open evaluations are skipped. Safe
    while workers run; if it is interrupted, run it again.
    """
    from ace.store.database import connect_engine
    from ace.store.purge import purge as purge_texts

    oldest = moment(before, "--before")
    db = connect_engine(database_url(), name="ace purge")
    began = time.monotonic()
    try:
        if not (dry_run or yes):
            _ask(db, oldest, tenant)
        purged = purge_texts(db, oldest, tenant=tenant, dry_run=dry_run, progress=_teller())
    finally:
        db.dispose()
    if as_json:
        show({**asdict(purged), "seconds": round(time.monotonic() - began, 3)})
    else:
        typer.echo(_sentence(purged, "would be purged" if dry_run else "purged"))


def _ask(db: Engine, before: datetime, tenant: str | None) -> None:
    if not sys.stdin.isatty():
        raise Refused(
            "purging cannot be undone: confirm with --yes, or try --dry-run first", code="not_asked"
        )
    from ace.store.purge import purge as purge_texts

    would = purge_texts(db, before, tenant=tenant, dry_run=True, progress=_teller())
    typer.echo(_sentence(would, "would be purged permanently"), err=True)
    typer.confirm("Purge them?", abort=True, err=True)


def _teller() -> Callable[[Purged], None]:
    """Reports progress on stderr."""
    told = time.monotonic()

    def tell(so_far: Purged) -> None:
        nonlocal told
        if time.monotonic() - told >= TOLD_EVERY_SECONDS:
            told = time.monotonic()
            typer.echo(f"{plural(so_far.filings, 'filing')} so far", err=True)

    return tell


def _sentence(purged: Purged, what: str) -> str:
    return (
        f"{plural(purged.filings, 'filing')} {what}: {plural(purged.claims, 'claim')},"
        f" {plural(purged.examinations, 'examination')}; {plural(purged.cancelled, 'failed evaluation')}"
        f" cancelled; {plural(purged.still_open, 'filing')} still open"
    )
