"""Counts and ages over everything that is stored: from tallies or an index, never by scanning a table."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, text

from ace.store.statements import source, statement
from ace.store.tables import FINAL, WEBHOOKS, Stage
from ace.types.notices import DisabledBy


def waiting_and_running(connection: Connection) -> dict[str, tuple[int, int]]:
    """For each queue, the messages that wait on the broker, and those that workers have taken up."""
    counts: dict[str, tuple[int, int]] = dict.fromkeys((*Stage, WEBHOOKS), (0, 0))
    for stage, waiting, running in connection.execute(
        text(
            "SELECT stage, count(*) FILTER (WHERE started_at IS NULL), count(started_at)"
            " FROM leases GROUP BY stage"
        )
    ):
        counts[stage] = (waiting, running)
    return counts


def state_counts(connection: Connection, *, tests: bool = True) -> dict[tuple[str, str], int]:
    """Evaluations by state and by who decided ("" if nobody has); exact, and without counting them.

    Without `tests`, those of test filings are left out.
    """
    rows = connection.execute(_STATES if tests else _STATES_IN_EARNEST)
    return {(state, by): int(count) for state, by, count in rows}


_STATES: Final = text(
    "SELECT state, decided_by, sum(count) FROM tallies GROUP BY 1, 2 HAVING sum(count) <> 0"
)
_STATES_IN_EARNEST: Final = text(f"""
SELECT state, decided_by, sum(count) FROM tallies WHERE NOT {source("for_tests")}
GROUP BY 1, 2 HAVING sum(count) <> 0""")


def disputes(connection: Connection) -> dict[str, int]:
    """Verdicts of the expert that were disputed when they were made, by kind of dispute."""
    rows = connection.execute(text("SELECT kind, sum(count) FROM disputes GROUP BY kind"))
    return {kind: int(count) for kind, count in rows}


_BACKLOG: Final = text("""
SELECT coalesce(sum(count), 0) FROM tallies
WHERE tenant = :tenant AND NOT state = ANY(:final)""")


def backlog(connection: Connection, tenant: str) -> int:
    """The tenant's evaluations that still wait for a verdict."""
    return int(
        connection.execute(
            _BACKLOG,
            {"tenant": tenant, "final": [str(state) for state in FINAL]},
        ).scalar_one()
    )


def backlogs(connection: Connection) -> list[tuple[str, int]]:
    """Every tenant with evaluations that wait for a verdict, and how many, the most first."""
    rows = connection.execute(_BACKLOGS, {"final": [str(state) for state in FINAL]})
    return [(tenant, int(count)) for tenant, count in rows]


_BACKLOGS: Final = text("""
SELECT tenant, sum(count) FROM tallies WHERE NOT state = ANY(:final)
GROUP BY tenant HAVING sum(count) > 0 ORDER BY 2 DESC, 1""")


def oldest_due_seconds(connection: Connection) -> dict[Stage, float]:
    """For each stage, how many seconds the evaluation that has been due longest has waited."""
    row = connection.execute(statement("oldest_due")).one()
    return {Stage.FAST: max(0.0, float(row.fast or 0)), Stage.SLOW: max(0.0, float(row.slow or 0))}


def webhook_states(connection: Connection) -> dict[str, int]:
    """Webhooks that are active, failing, disabled by their owners, and given up by ACE."""
    rows = connection.execute(_WEBHOOK_STATES, {"owner": DisabledBy.OWNER.value})
    known = ("active", "failing", "disabled", "given_up")
    return {**dict.fromkeys(known, 0), **{row.state: row.n for row in rows}}


_WEBHOOK_STATES: Final = text("""
SELECT CASE WHEN disabled_by = :owner THEN 'disabled' WHEN disabled_at IS NOT NULL THEN 'given_up'
            WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state, count(*) AS n
FROM webhooks WHERE deleted_at IS NULL GROUP BY state""")


def told_late_seconds(connection: Connection) -> tuple[float, float]:
    """How long the oldest row has waited in the outbox, and the delivery that has been due longest."""
    row = connection.execute(statement("told_late")).one()
    return max(0.0, float(row.outbox or 0)), max(0.0, float(row.delivery or 0))


@dataclass(frozen=True, slots=True)
class Failures:
    """Failed evaluations of a tenant with one error, and when the first and the last of them failed."""

    error: str | None
    count: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class Workload:
    """What there is of one tenant: evaluations by state and by who decided, since when each stage has had
    something due, and failures, the most frequent first."""

    states: dict[tuple[str, str], int]
    due_since: dict[Stage, datetime | None]
    failures: list[Failures]


def workload(connection: Connection, tenant: str) -> Workload:
    """The work of a tenant, for whoever looks after it."""
    given = {"tenant": tenant}
    states = {(row.state, row.decided_by): int(row.n) for row in connection.execute(_STATES_OF, given)}
    due = connection.execute(statement("oldest_due_of"), given).one()
    failures = [Failures(*row) for row in connection.execute(_FAILURES_OF, given)]
    return Workload(states, {Stage.FAST: due.fast, Stage.SLOW: due.slow}, failures)


_STATES_OF: Final = text("""
SELECT state, decided_by, sum(count) AS n FROM tallies
WHERE tenant = :tenant GROUP BY state, decided_by HAVING sum(count) <> 0""")
_FAILURES_OF: Final = text("""
SELECT error, count(*), min(updated_at), max(updated_at) FROM evaluations
WHERE tenant = :tenant AND state = 'failed' GROUP BY error ORDER BY count(*) DESC, error""")
