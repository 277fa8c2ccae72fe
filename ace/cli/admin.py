"""Commands for operators of the database: API keys and the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from ace.cli.app import EXIT_FAILED, Json, app, examples, group, moment, settings_in_force, show, table
from ace.errors import NotConfigured, Refused
from ace.store.scopes import DEFAULT_SCOPES, MAX_PER_SECOND, MIN_PER_SECOND, Scope
from ace.types.tenants import for_tests

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

T = TypeVar("T")

COLUMNS: Final = (
    *("id", "tenant", "label", "scopes", "rate"),
    *("created_at", "last_used_at", "expires_at", "revoked_at"),
)

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
    url = settings_in_force().database_url
    if url is None:
        raise NotConfigured(
            "no database: set ACE_DATABASE_URL, or start `ace up` (beside one with --data, set ACE_DATA_DIR)"
        )
    return url.get_secret_value()


def with_database(work: Callable[[Connection], T]) -> T:
    """Runs `work(connection)` in one transaction."""
    from ace.store.database import transact

    return with_engine(lambda db: transact(db, work))


def with_engine(work: Callable[[Engine], T]) -> T:
    """Runs `work(db)`, which makes transactions of its own."""
    from ace.store.database import connect_engine

    db = connect_engine(database_url(), name="ace admin")
    try:
        return work(db)
    finally:
        db.dispose()


@keys_app.command(
    "create",
    epilog=examples(
        "ace keys create --tenant epo --label e-filing",
        "ace keys create --tenant epo --scope submit --scope read --expires 2027-06-30",
        "ace keys create --tenant epo --test --json",
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
    expires: Annotated[
        str | None,
        typer.Option(help="When it expires: YYYY-MM-DD or YYYY-MM-DDTHH:MM, in UTC. Default: never."),
    ] = None,
    test: Annotated[
        bool,
        typer.Option(
            "--test", help="A test key: its filings are decided without the expert and purged after a day."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Create a key. It is shown once; only its hash is stored."""
    from ace.store import keys

    whose = for_tests(tenant) if test else tenant
    given: dict[str, Any] = {
        "scopes": scope or DEFAULT_SCOPES,
        "requests_per_second": rate,
        "expires_at": _expiry(expires),
    }
    key_id, key = with_database(partial(keys.create, tenant=whose, label=label, **given))
    made = {"id": key_id, "key": key, "tenant": whose, **given}
    show(made) if as_json else typer.echo(key)


def _expiry(given: str | None) -> datetime | None:
    """When a key expires. Raises Refused for a time in the past, by the clock of the database."""
    from ace.store.database import clock

    at = None if given is None else moment(given, "--expires")
    if at is not None and at <= with_database(clock):
        raise Refused("--expires must lie in the future", code="not_future")
    return at


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
    typer.echo(f"revoked: {key_id}")


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
        table(
            [_shown(row) for row in rows],
            *COLUMNS,
            nothing="No keys yet. Create one: ace keys create --tenant NAME --label LABEL",
        )


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
        table(
            rows,
            *("table", "size", "rows", "dead", "vacuumed"),
            nothing="No tables yet. Create them: ace db upgrade",
        )
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
