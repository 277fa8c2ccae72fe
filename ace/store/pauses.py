"""Pauses: what the dispatcher publishes nothing for. Nothing is lost: claims wait as for a busy worker.

A pause leaves alone what workers hold, and messages that are on their way to them. A drain also takes back
messages that no worker has taken up, so that soon nothing is in hand: a server can then be stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.store import acts, endpoints, moves
from ace.store.ids import new_id
from ace.store.operating_tables import ALL_TENANTS, PauseKind
from ace.store.statements import source, statement
from ace.store.tables import Stage


@dataclass(frozen=True, slots=True)
class Order:
    """Who orders something, for whom (a tenant, or `ALL_TENANTS`), and why."""

    tenant: str
    actor: str
    reason: str


def names(connection: Connection, kind: PauseKind) -> list[str]:
    """What can be paused of this kind. A tenant is known once it has a key or a filing."""
    if kind is PauseKind.STAGE:
        return [str(stage) for stage in Stage]
    if kind is PauseKind.ENDPOINT:
        return [one.state.name for one in endpoints.statuses(connection)]
    rows = connection.execute(text("SELECT tenant FROM keys UNION SELECT tenant FROM tallies ORDER BY 1"))
    return list(rows.scalars())


def unknown(kind: PauseKind, name: str, known: Sequence[str]) -> str:
    """Why a name cannot be paused, and which one may be meant."""
    words = f"no {kind} has the name {name!r}"
    if near := get_close_matches(name, known, n=1):
        return f"{words}: did you mean {near[0]!r}?"
    if kind is PauseKind.TENANT:
        return f"{words}: a tenant is known once it has a key or a filing"
    return f"{words}: there is {', '.join(known) or 'none'}"


def begin(connection: Connection, order: Order, kind: PauseKind, name: str, *, drain: bool) -> UUID | None:
    """Pauses something, or makes a drain of a pause; returns its id. None if the owner had done so."""
    given = {"id": new_id(connection), "tenant": order.tenant, "kind": kind, "name": name, "drain": drain}
    begun: UUID | None = connection.execute(
        text("""
        INSERT INTO pauses (id, tenant, kind, name, drain, reason, actor)
        VALUES (:id, :tenant, :kind, :name, :drain, :reason, :actor)
        ON CONFLICT (kind, name, tenant) WHERE ended_at IS NULL
        DO UPDATE SET drain = true WHERE excluded.drain AND NOT pauses.drain RETURNING id"""),
        {**given, "reason": order.reason, "actor": order.actor},
    ).scalar()
    if begun is not None:
        _record(connection, order, "drain" if drain else "pause", kind, name)
    return begun


def end(connection: Connection, order: Order, pause: UUID) -> bool:
    """resume: ends a pause of this owner. False: there is no such pause, or it had ended."""
    row = connection.execute(
        text("""
        UPDATE pauses SET ended_at = now() WHERE id = :id AND tenant = :tenant AND ended_at IS NULL
        RETURNING kind, name"""),
        {"id": pause, "tenant": order.tenant},
    ).first()
    if row is not None:
        _record(connection, order, "resume", row.kind, row.name)
    return row is not None


def end_all(connection: Connection, kind: PauseKind, name: str, *, actor: str, reason: str) -> int:
    """resume: ends every pause of this, whoever ordered it; returns how many there were."""
    found = [row for row in in_force(connection) if (row["kind"], row["name"]) == (kind, name)]
    return sum(end(connection, Order(row["tenant"], actor, reason), row["id"]) for row in found)


def _record(connection: Connection, order: Order, act: str, kind: str, name: str) -> None:
    target = f"{kind} {name}"
    acts.record(connection, order.tenant, actor=order.actor, act=act, target=target, reason=order.reason)


def in_force(connection: Connection, tenant: str | None = None) -> Sequence[RowMapping]:
    """The pauses in force, oldest first, each with `in_hand`, the claims still under way: all, or those that
    concern this tenant."""
    rows = connection.execute(statement("pauses_in_force")).mappings().all()
    if tenant is None:
        return rows
    return [row for row in rows if row["kind"] != PauseKind.TENANT or row["name"] == tenant]


def owner_of(kind: PauseKind, name: str, tenant: str) -> str:
    """To whom a pause ordered by `tenant` belongs: stages, endpoints and other tenants are of all."""
    return tenant if kind is PauseKind.TENANT and name == tenant else ALL_TENANTS


def take_back(connection: Connection, *, actor: str) -> int:
    """release: gives back what is drained and no worker has taken up. Returns how many evaluations moved."""
    drained = text(f"WITH {source('paused')} {source('drained_leases')}")
    return moves.release(connection, list(connection.execute(drained).scalars()), actor=actor)
