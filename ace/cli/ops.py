"""Commands for operators: what there is, who holds what; pausing, draining, resuming."""

from __future__ import annotations

import getpass
import time
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ace.cli.admin import with_database
from ace.cli.app import EXIT_FAILED, EXIT_WAITING, Json, app, examples, group, show, table
from ace.errors import Refused

if TYPE_CHECKING:
    from sqlalchemy import Connection

POLL_SECONDS: Final = 0.5
JOBS: Final = 50

ops_app = group(
    "Look after the work of all tenants, straight in the database.",
    examples(
        "ace ops status", "ace ops drain endpoint expert --reason 'a new model'", "ace ops workers --json"
    ),
)
app.add_typer(ops_app, name="ops")

Kind = Annotated[str, typer.Argument(help="`stage`, `tenant` or `endpoint`.")]
Name = Annotated[str, typer.Argument(help="`fast` or `slow`, the tenant, or the endpoint.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the order.")]


@ops_app.command(
    "pause",
    epilog=examples(
        "ace ops pause tenant office --reason 'wrong claims were filed'",
        "ace ops pause stage slow --reason 'the expert is being replaced'",
        "ace ops pause endpoint expert --reason 'too slow' --json",
    ),
)
def pause(kind: Kind, name: Name, reason: Reason, as_json: Json = False) -> None:
    """Dispatch nothing more for it. Workers finish what they hold or is on its way to them."""
    with_database(partial(_begin, kind, name, reason, drain=False))
    _tell({"kind": kind, "name": name, "paused": True}, f"paused: {kind} {name}", as_json=as_json)


@ops_app.command(
    "drain",
    epilog=examples(
        "ace ops drain endpoint expert --reason 'a new model'",
        "ace ops drain stage fast --reason 'an upgrade' --timeout 120",
        "ace ops drain tenant office --reason 'moving it' --json",
    ),
)
def drain(
    kind: Kind,
    name: Name,
    reason: Reason,
    timeout: Annotated[float, typer.Option(min=0, help="Seconds to wait for what workers hold.")] = 600,
    as_json: Json = False,
) -> None:
    """Pause it, take back what no worker has taken up, and wait until nothing is in hand."""
    with_database(partial(_begin, kind, name, reason, drain=True))
    until = time.monotonic() + timeout
    while (left := with_database(partial(_in_hand, kind, name))) and time.monotonic() < until:
        time.sleep(POLL_SECONDS)
    words = f"drained: {kind} {name}" if not left else f"{left} claims are still in hand"
    _tell({"kind": kind, "name": name, "paused": True, "in_hand": left}, words, as_json=as_json)
    if left:
        raise typer.Exit(EXIT_WAITING)


@ops_app.command(
    "resume",
    epilog=examples(
        "ace ops resume endpoint expert --reason 'the new model is up'",
        "ace ops resume stage slow --reason done",
        "ace ops resume tenant office --reason 'sorted out' --json",
    ),
)
def resume(kind: Kind, name: Name, reason: Reason, as_json: Json = False) -> None:
    """End every pause of it, also those that the tenant ordered."""
    from ace.store import pauses

    work = partial(pauses.end_all, kind=_kind(kind), name=name, actor=actor(), reason=reason_given(reason))
    if not with_database(work):
        raise Refused(f"{kind} {name} is not paused", code="not_paused")
    _tell({"kind": kind, "name": name, "paused": False}, f"resumed: {kind} {name}", as_json=as_json)


@ops_app.command(
    "status", epilog=examples("ace ops status", "ace ops status --json", "watch -n 5 ace ops status")
)
def status(as_json: Json = False) -> None:
    """Show what waits and since when, what is paused, and the expert's endpoints."""
    found = with_database(_status)
    if as_json:
        show(found)
        return
    rows = [
        [state, count, found["oldest_due_seconds"].get(state)] for state, count in found["states"].items()
    ]
    table(rows, "state", "claims", "oldest due for (s)")
    typer.echo()
    _table(found["backlogs"], "tenant", "queued", "screening", "escalated", "examining", "oldest")
    typer.echo()
    _table(found["endpoints"], "name", "breaker", "in_flight", "slots", "answers", "last_fault")
    typer.echo()
    _table(found["pauses"], "kind", "name", "drain", "in_hand", "at", "actor", "reason")


@ops_app.command(
    "workers", epilog=examples("ace ops workers", "ace ops workers --json", "watch ace ops workers")
)
def workers(as_json: Json = False) -> None:
    """Show the workers that hold something, how much, and since when."""
    from ace.store import overview

    rows = [dict(row) for row in with_database(overview.workers)]
    if as_json:
        show({"workers": rows})
    else:
        _table(rows, "worker", "stage", "messages", "claims", "since")


@ops_app.command(
    "jobs", epilog=examples("ace ops jobs", "ace ops jobs --json", "ace ops jobs --json | jq .jobs")
)
def jobs(as_json: Json = False) -> None:
    """Show the newest jobs of all tenants and how far they have come."""
    from ace.store import jobs as stored

    rows = [dict(row) for row in with_database(partial(stored.newest, limit=JOBS))]
    if as_json:
        show({"jobs": rows})
    else:
        _table(rows, "id", "tenant", "kind", "state", "matched", "replayed", "at", "actor", "reason")


@ops_app.command(
    "secrets",
    epilog=examples(
        "ace ops secrets", "ace ops secrets --json", "ace ops secrets && echo the old one can go"
    ),
)
def secrets(as_json: Json = False) -> None:
    """List the webhook secrets that do not come from ACE_SECRET. Exits with 1 if there are any.

    Run it with the settings of the API. Keep the value that such a secret comes from in ACE_OTHER_SECRETS
    until the tenant has rotated the secret.
    """
    from ace.settings import Settings
    from ace.store import webhooks
    from ace.webhooks.signing import origin_of

    masters = Settings().private_secrets()
    rows = [
        {
            "tenant": row["tenant"],
            "webhook": row["webhook"],
            "until": row["until"],
            "accepted": origin is not None,
        }
        for row in with_database(webhooks.valid_secrets)
        if (origin := origin_of(masters, row["id"], bytes(row["fingerprint"]))) != 0
    ]
    if as_json:
        show({"secrets": rows})
    else:
        _table(rows, "tenant", "webhook", "until", "accepted")
    if rows:
        raise typer.Exit(EXIT_FAILED)


def _begin(kind: str, name: str, reason: str, connection: Connection, *, drain: bool) -> None:
    from ace.store import endpoints, pauses
    from ace.store.operating_tables import ALL_TENANTS, PauseKind
    from ace.store.tables import Stage

    which = _kind(kind)
    known = {
        PauseKind.STAGE: [*Stage],
        PauseKind.ENDPOINT: [one.state.name for one in endpoints.statuses(connection)],
        PauseKind.TENANT: [name],
    }[which]
    if name not in known:
        raise Refused(f"no such {kind}: there is {', '.join(known) or 'none'}", code="unknown_name")
    order = pauses.Order(ALL_TENANTS, actor(), reason_given(reason))
    pauses.begin(connection, order, which, name, drain=drain)


def _in_hand(kind: str, name: str, connection: Connection) -> int:
    from ace.store import pauses

    found = pauses.in_force(connection)
    return max((row["in_hand"] for row in found if (row["kind"], row["name"]) == (kind, name)), default=0)


def _status(connection: Connection) -> dict[str, Any]:
    from ace.store import counts, endpoints, overview, pauses

    states: dict[str, int] = {}
    for (state, _), count in counts.state_counts(connection).items():
        states[state] = states.get(state, 0) + count
    oldest = counts.oldest_due_seconds(connection)
    shown = ("name", "breaker", "answers", "last_fault")
    return {
        "states": states,
        "oldest_due_seconds": {stage.due: round(seconds, 1) for stage, seconds in oldest.items()},
        "backlogs": [dict(row) for row in overview.backlogs(connection)],
        "endpoints": [
            {name: getattr(one.state, name) for name in shown}
            | {"in_flight": one.in_flight, "slots": int(one.state.slots)}
            for one in endpoints.statuses(connection)
        ],
        "pauses": [dict(row) for row in pauses.in_force(connection)],
    }


def _kind(kind: str) -> Any:
    from ace.store.operating_tables import PauseKind

    if kind not in {*PauseKind}:
        raise Refused(f"unknown kind {kind!r}: use {', '.join(PauseKind)}", code="unknown_kind")
    return PauseKind(kind)


def reason_given(reason: str) -> str:
    """The reason that was given, on one line. Raises Refused for none."""
    words = " ".join(reason.split())
    if not words:
        raise Refused("a reason is needed", code="blank")
    return words


def actor() -> str:
    """Who orders something at this terminal."""
    return f"cli:{getpass.getuser()}"


def _tell(value: dict[str, Any], words: str, *, as_json: bool) -> None:
    show(value) if as_json else typer.echo(words)


def _table(rows: list[dict[str, Any]], *columns: str) -> None:
    table([[row[column] for column in columns] for row in rows], *columns)
