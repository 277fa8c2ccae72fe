"""The servers of the expert in the database: what dispatchers learn about them, and which may be given more.

Workers add outcomes; the next dispatcher takes each into account, once and in one transaction. So any
number of dispatchers agree, and a restart forgets nothing.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy import Connection, Row, text

from ace.store.assignment import FreeEndpoint
from ace.store.pending import Pending
from ace.store.statements import statement
from ace.types.endpoint_state import BUCKETS, FIRST_SLOTS, Breaker, EndpointState, ExaminationOutcome


@dataclass(frozen=True, slots=True)
class Declared:
    """An endpoint as a dispatcher's settings describe it: its share, and its maximum of slots."""

    name: str
    weight: float
    max_slots: int


@dataclass(frozen=True, slots=True)
class BreakerChange:
    """A breaker that opened or closed."""

    name: str
    breaker: Breaker
    fault: str | None  # the last one


@dataclass(frozen=True, slots=True)
class EndpointStatus:
    """An endpoint as it is shown: its state, and how many examinations are under way."""

    state: EndpointState
    in_flight: int


class Learn(Protocol):
    """Changes an endpoint's state by the outcomes of its examinations, oldest first."""

    def __call__(
        self,
        state: EndpointState,
        outcomes: Sequence[ExaminationOutcome],
        *,
        in_flight: int,
        waiting: int,
        now: datetime,
    ) -> None: ...


_COLUMNS: Final = tuple(field.name for field in fields(EndpointState))
_LEARNED: Final = tuple(name for name in _COLUMNS if name not in {"name", "weight", "most", "max_concurrent"})


def has_news(seen: Pending, declared: Sequence[Declared]) -> bool:
    """Whether there is anything to settle."""
    return seen.came or not _known(declared, seen.endpoints)


def settle(connection: Connection, declared: Sequence[Declared], *, learn: Learn) -> list[BreakerChange]:
    """Lets `learn` take the outcomes since the last time into account, and stores what the settings declare.

    Returns the breakers that opened or closed. Call it only if `has_news` says so, because it locks.
    """
    rows = _locked(connection)
    if not _known(declared, {(row.name, row.weight, row.most) for row in rows}):
        _declare(connection, declared)
        rows = _locked(connection)
    outcomes = _take_outcomes(connection)
    changes = []
    for row in rows:
        state, came = _state(row), outcomes.get(row.name, [])
        if not came and state.slots <= state.ceiling:
            continue
        before = state.breaker
        learn(state, came, in_flight=row.in_flight, waiting=row.waiting, now=row.now)
        _keep(connection, state)
        if (before is Breaker.CLOSED) != (state.breaker is Breaker.CLOSED):
            changes.append(BreakerChange(state.name, state.breaker, state.last_fault))
    return changes


def _known(declared: Sequence[Declared], stored: Collection[tuple[str, float, int]]) -> bool:
    return {(one.name, one.weight, one.max_slots) for one in declared} <= set(stored)


def _locked(connection: Connection) -> Sequence[Row[Any]]:
    """Every endpoint; its lock makes dispatchers settle one after the other."""
    return connection.execute(statement("endpoints_locked")).all()


def _declare(connection: Connection, declared: Sequence[Declared]) -> None:
    connection.execute(
        statement("declare_endpoints"),
        {
            "names": [one.name for one in declared],
            "weights": [one.weight for one in declared],
            "most": [one.max_slots for one in declared],
            "first": FIRST_SLOTS,
        },
    )


def _take_outcomes(connection: Connection) -> dict[str, list[ExaminationOutcome]]:
    rows = connection.execute(
        text("""
        WITH gone AS (DELETE FROM outcomes RETURNING *)
        SELECT id, endpoint, token, error, seconds, at, retry_after, leased_at, own FROM gone ORDER BY id""")
    )
    outcomes: dict[str, list[ExaminationOutcome]] = {}
    for _, endpoint, *rest in rows:
        outcomes.setdefault(endpoint, []).append(ExaminationOutcome(*rest))
    return outcomes


def _state(row: Any) -> EndpointState:
    values = {name: getattr(row, name) for name in _COLUMNS}
    values["breaker"] = Breaker(row.breaker)
    values["seconds_buckets"] = row.seconds_buckets or [0] * (len(BUCKETS) + 1)
    return EndpointState(**values)


def _keep(connection: Connection, state: EndpointState) -> None:
    values = asdict(state)
    values["faults"] = json.dumps(state.faults)
    assigned = ", ".join(
        f"{name} = CAST(:{name} AS jsonb)" if name == "faults" else f"{name} = :{name}" for name in _LEARNED
    )
    connection.execute(text(f"UPDATE endpoints SET {assigned} WHERE name = :name"), values)


def free_endpoints(connection: Connection, names: Collection[str]) -> list[FreeEndpoint]:
    """Endpoints in service, and those to be tried after an outage. Call `take_turn(SLOW)` first."""
    rows = connection.execute(
        statement("free_endpoints"),
        {"names": list(names)},
    )
    return [FreeEndpoint(row.name, row.weight, int(row.room), row.on_trial) for row in rows]


def begin_trial(connection: Connection, name: str, token: UUID) -> None:
    """The claim leased under `token` is the endpoint's probe."""
    connection.execute(
        text("UPDATE endpoints SET breaker = 'half_open', probe = :token WHERE name = :name"),
        {"name": name, "token": token},
    )


def report(connection: Connection, name: str, *, max_concurrent: int | None) -> None:
    """A worker that starts reports what it knows about an endpoint.

    If the breaker is open, the endpoint is tried at once: the new worker may have what was missing.
    """
    connection.execute(
        statement("report_endpoint"),
        {"name": name, "bound": max_concurrent, "first": FIRST_SLOTS},
    )


def keep_only(connection: Connection, names: Collection[str]) -> None:
    """Forgets endpoints that the settings no longer name, when a dispatcher starts."""
    connection.execute(text("DELETE FROM endpoints WHERE name <> ALL(:names)"), {"names": list(names)})


def statuses(connection: Connection) -> list[EndpointStatus]:
    """Every endpoint, by name."""
    rows = connection.execute(statement("endpoints_shown"))
    return [EndpointStatus(_state(row), row.in_flight) for row in rows]
