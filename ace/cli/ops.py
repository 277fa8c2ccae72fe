"""Commands for operators: what there is, who holds what; pausing, draining, resuming."""

from __future__ import annotations

import getpass
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ace.cli.admin import with_database
from ace.cli.app import EXIT_FAILED, EXIT_WAITING, Json, app, examples, group, settings_in_force, show, table
from ace.errors import Refused

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from ace.store.tables import Stage

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
    before = with_database(partial(_begin, kind, name, reason, drain=False))
    words = f"paused: {kind} {name}"
    if before is not None:
        words = f"{kind} {name} is paused already, by {before['actor']}: {before['reason']}. Nothing changed."
    _tell({"kind": kind, "name": name, "paused": True, "changed": before is None}, words, as_json=as_json)


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
        [state, count, found["oldest_due_seconds"].get(state), *_outlook(found["outlook"].get(state))]
        for state, count in found["states"].items()
    ]
    table(
        rows,
        *("state", "claims", "oldest due for (s)", "finished per minute", "all done in (min)"),
        nothing="No claims yet. File some: ace submit claims.txt --wait",
    )
    typer.echo()
    backlog = ("tenant", "queued", "screening", "escalated", "examining", "oldest")
    _table(found["backlogs"], *backlog, nothing="No tenant has claims on their way.")
    typer.echo()
    expert = ("name", "breaker", "in_flight", "slots", "answers", "last_fault")
    _table(found["endpoints"], *expert, nothing="No expert is known: the dispatcher has not run yet.")
    typer.echo()
    pause = ("kind", "name", "drain", "in_hand", "at", "actor", "reason")
    _table(found["pauses"], *pause, nothing="Nothing is paused.")
    for missing in found["missing"]:
        typer.echo(f"ace: {missing}", err=True)


@ops_app.command(
    "workers", epilog=examples("ace ops workers", "ace ops workers --json", "watch ace ops workers")
)
def workers(as_json: Json = False) -> None:
    """Show every dispatcher and worker, idle or busy: where it runs, since when, and what it holds."""
    from dataclasses import asdict

    from ace.store import workers as stored

    known = with_database(stored.listed)
    if as_json:
        show({"workers": [asdict(one) for one in known]})
    else:
        rows = [{**asdict(one), "lives": "yes" if one.lives else "lost"} for one in known]
        columns = ("name", "part", "host", "lives", "started_at", "seen_at", "messages", "claims", "since")
        _table(rows, *columns, nothing="No dispatcher and no worker is running.")


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
        columns = ("id", "tenant", "kind", "state", "matched", "replayed", "at", "actor", "reason")
        _table(rows, *columns, nothing="No job has been ordered.")


@ops_app.command(
    "secrets",
    epilog=examples(
        "ace ops secrets", "ace ops secrets --json", "ace ops secrets && echo the old one can go"
    ),
)
def secrets(as_json: Json = False) -> None:
    """List the webhook secrets that do not come from ACE_SECRET. Exits with 1 if there are any.

    Run it with the settings of the API, or beside `ace up`. Keep the value that such a secret comes from in
    ACE_OTHER_SECRETS until the tenant has rotated the secret.
    """
    from ace.store import webhooks
    from ace.webhooks.signing import origin_of

    masters = settings_in_force().private_secrets()
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
        nothing = "Every webhook secret comes from ACE_SECRET."
        _table(rows, "tenant", "webhook", "until", "accepted", nothing=nothing)
    if rows:
        raise typer.Exit(EXIT_FAILED)


def _begin(kind: str, name: str, reason: str, connection: Connection, *, drain: bool) -> RowMapping | None:
    """Pauses it; returns the pause that was in force already, None if this one begins."""
    from ace.store import pauses
    from ace.store.operating_tables import ALL_TENANTS

    which = _kind(kind)
    known = pauses.names(connection, which)
    if name not in known:
        raise Refused(pauses.unknown(which, name, known), code="unknown_name")
    order = pauses.Order(ALL_TENANTS, actor(), reason_given(reason))
    if pauses.begin(connection, order, which, name, drain=drain) is not None:
        return None
    found = pauses.in_force(connection)
    return next(row for row in found if (row["kind"], row["name"]) == (which, name))


def _in_hand(kind: str, name: str, connection: Connection) -> int:
    from ace.store import pauses

    found = pauses.in_force(connection)
    return max((row["in_hand"] for row in found if (row["kind"], row["name"]) == (kind, name)), default=0)


def _status(connection: Connection) -> dict[str, Any]:
    from sqlalchemy import text

    from ace.store import counts, endpoints, overview, pauses, throughput, workers
    from ace.store.operating_tables import Part

    connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))  # one moment
    states: dict[str, int] = {}
    for (state, _), count in counts.state_counts(connection).items():
        states[state] = states.get(state, 0) + count
    oldest = counts.oldest_due_seconds(connection)
    rates = throughput.rates(throughput.decided_just_now(connection), datetime.now(UTC))
    known = workers.listed(connection)
    shown = ("name", "breaker", "answers", "last_fault")
    backlogs = [dict(row) for row in overview.backlogs(connection)]
    paused = [dict(row) for row in pauses.in_force(connection)]
    return {
        "states": states,
        "oldest_due_seconds": {stage.due: round(seconds, 1) for stage, seconds in oldest.items()},
        "outlook": {
            stage.due: {
                "claims": (claims := states.get(stage.due, 0)),
                "paused": (held := _held(stage, claims, backlogs, paused)),
                "per_minute": round(rate.per_minute, 1),
                "minutes": rate.minutes_for(claims - held),
            }
            for stage, rate in rates.items()
        },
        "missing": [
            *(
                f"no {part} is running"
                for part in Part
                if part is not Part.WEBHOOK_WORKER and not any(one.lives for one in known if one.part is part)
            ),
            *(f"{one.part} {one.name} was last seen at {one.seen_at}" for one in workers.missed(known)),
        ],
        "backlogs": backlogs,
        "endpoints": [
            {name: getattr(one.state, name) for name in shown}
            | {"in_flight": one.in_flight, "slots": int(one.state.slots)}
            for one in endpoints.statuses(connection)
        ],
        "pauses": paused,
    }


def _held(stage: Stage, claims: int, backlogs: list[dict[str, Any]], paused: list[dict[str, Any]]) -> int:
    """How many of the claims that wait for a stage are held by a pause of it, or of their tenant."""
    names = {(each["kind"], each["name"]) for each in paused}
    if ("stage", stage.value) in names:
        return claims
    held: int = sum(row[stage.due] for row in backlogs if ("tenant", row["tenant"]) in names)
    return min(claims, held)


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


def _table(rows: list[dict[str, Any]], *columns: str, nothing: str) -> None:
    table([[row[column] for column in columns] for row in rows], *columns, nothing=nothing)


def _outlook(found: dict[str, Any] | None) -> tuple[str | None, str | None]:
    """How fast a queue is worked off, and how long that takes, for a table."""
    if found is None:
        return None, None
    minutes, held = found["minutes"], found["paused"]
    if held and held == found["claims"]:
        return f"{found['per_minute']:.0f}", "paused"
    waits = "not moving" if found["claims"] else None
    words = waits if minutes is None else f"about {minutes:.2g}"
    return f"{found['per_minute']:.0f}", f"{words}, without {held} paused" if held else words
