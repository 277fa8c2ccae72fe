"""Commands for operators of the database: API keys and the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from ace.cli.app import EXIT_FAILED, Json, app, examples, group, show, table
from ace.errors import NotConfigured, Refused
from ace.store.scopes import DEFAULT_SCOPES, MAX_PER_SECOND, MIN_PER_SECOND, Scope

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")

COLUMNS: Final = ("id", "tenant", "label", "scopes", "rate", "created_at", "revoked_at")

keys_app = group(
    "API keys, written straight to the database.",
    examples("ace keys create --tenant epo", "ace keys list", "ace keys revoke 7f3a2c91d0b4"),
)
db_app = group(
    "The schema of the database.",
    examples("ace db status", "ace db upgrade", "ace db downgrade 0001"),
)
app.add_typer(keys_app, name="keys")
app.add_typer(db_app, name="db")


def database_url() -> str:
    """The database named by the settings or the running stack."""
    from ace.local.running_stack import running_stack
    from ace.settings import Settings

    settings = Settings()
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    stack = running_stack(settings.data_dir)
    if "database_url" not in stack:
        raise NotConfigured("no database: set ACE_DATABASE_URL, or start `ace up`")
    return str(stack["database_url"])


def with_database(work: Callable[[Connection], T]) -> T:
    """Runs `work(connection)` in one transaction."""
    from ace.store.database import connect_engine, transact

    db = connect_engine(database_url(), name="ace admin")
    try:
        return transact(db, work)
    finally:
        db.dispose()


@keys_app.command(
    "create",
    epilog=examples(
        "ace keys create --tenant epo --label e-filing",
        "ace keys create --tenant epo --scope submit --scope read --rate 50",
        "ace keys create --tenant epo --scope admin --json",
    ),
)
def keys_create(
    tenant: Annotated[str, typer.Option(help="The tenant whose filings the key can access.")],
    label: Annotated[str, typer.Option(help="What the key is for.")] = "",
    scope: Annotated[
        list[Scope] | None,
        typer.Option(help="A scope; repeat for several. Default: submit, read, text, replay, review."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=MIN_PER_SECOND,
            max=MAX_PER_SECOND,
            help="Maximum requests per second. Default: ACE_KEY_REQUESTS_PER_SECOND.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Create a key. It is shown once; only its hash is stored."""
    from ace.store import keys

    scopes = scope or DEFAULT_SCOPES
    key_id, key = with_database(
        lambda connection: keys.create(connection, tenant, label, scopes=scopes, requests_per_second=rate)
    )
    made = {"id": key_id, "key": key, "tenant": tenant, "scopes": scopes, "requests_per_second": rate}
    show(made) if as_json else typer.echo(key)


@keys_app.command(
    "revoke",
    epilog=examples(
        "ace keys list", "ace keys revoke 7f3a2c91d0b4", "ace keys revoke 7f3a2c91d0b4 && ace keys list"
    ),
)
def keys_revoke(key_id: Annotated[str, typer.Argument(help="The id of the key.")]) -> None:
    """Revoke a key immediately."""
    from ace.store import keys

    if not with_database(lambda connection: keys.revoke(connection, key_id)):
        raise Refused("no active key has this id", code="unknown_key")


@keys_app.command(
    "list",
    epilog=examples("ace keys list", "ace keys list --json", "ace keys list --json | jq .keys"),
)
def keys_list(as_json: Json = False) -> None:
    """List keys, without their secrets."""
    from ace.store import keys

    rows = [dict(row) for row in with_database(keys.list_all)]
    if as_json:
        show({"keys": rows})
    else:
        table([_shown(row) for row in rows], *COLUMNS)


def _shown(row: Mapping[str, Any]) -> list[Any]:
    """A key as a row under `COLUMNS`."""
    cells = {**row, "scopes": " ".join(row["scopes"]), "rate": row["requests_per_second"]}
    return [cells[column] for column in COLUMNS]


@db_app.command(
    "status", epilog=examples("ace db status", "ace db status --json", "ace db status || ace db upgrade")
)
def db_status(as_json: Json = False) -> None:
    """Show schema, size, work and what holds vacuum back. Exits with 1 if the schema is another's."""
    from dataclasses import asdict

    from ace.store.condition import condition

    found = with_database(condition)
    if as_json:
        show(asdict(found))
    else:
        shown = [
            ("schema", f"{found.revision or 'none'}, this version's is {found.newest}"),
            ("size", f"{found.bytes / 1e6:,.1f} MB"),
            ("connections", f"{found.connections} of {found.max_connections}"),
            ("longest transaction", f"{found.longest_transaction_seconds:.1f} s"),
            (
                "evaluations",
                ", ".join(f"{count} {state}" for state, count in found.evaluations.items()) or None,
            ),
            (
                "waiting longest",
                ", ".join(f"{name} {wait:g} s" for name, wait in found.due_seconds.items()) or None,
            ),
        ]
        table(shown, "database", "")
        rows = [
            (one["name"], f"{one['bytes'] / 1e6:,.1f} MB", one["rows"], one["dead"], one["vacuumed_at"])
            for one in found.tables
        ]
        table(rows, "table", "size", "rows", "dead", "vacuumed")
    if found.revision != found.newest:
        raise typer.Exit(EXIT_FAILED)


@db_app.command("upgrade", epilog=examples("ace db upgrade", "ace db upgrade 0001", "ace db upgrade head"))
def db_upgrade(revision: Annotated[str, typer.Argument(help="Where to.")] = "head") -> None:
    """Upgrade the schema to the newest revision; safe while workers run."""
    from ace.store import migrate

    migrate.upgrade(database_url(), revision)


@db_app.command(
    "downgrade", epilog=examples("ace db downgrade 0001", "ace db downgrade base", "ace db upgrade")
)
def db_downgrade(revision: Annotated[str, typer.Argument(help="Where to.")]) -> None:
    """Downgrade the schema to a revision; data in newer columns is lost."""
    from ace.store import migrate

    migrate.downgrade(database_url(), revision)


@db_app.command("recount", epilog=examples("ace db upgrade", "ace db recount", "ace db recount --help"))
def db_recount() -> None:
    """Recompute the counts of evaluations; safe while workers run.

    Needed once after an upgrade during which workers of version 0001 were still running.
    """
    from ace.store import moves

    with_database(moves.recount)
