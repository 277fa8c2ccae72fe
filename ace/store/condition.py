"""The condition of the database, as an operator asks for it: schema, size, work, what holds vacuum back."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, text

from ace.store import counts
from ace.store.schema import NEWEST, revision

LARGEST: Final = 8

_DATABASE: Final = text("""
SELECT pg_database_size(current_database()) AS bytes,
  (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
  current_setting('max_connections')::int AS max_connections,
  (SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0) FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid()) AS longest_transaction_seconds""")
_TABLES: Final = text("""
SELECT relname AS name, pg_total_relation_size(relid) AS bytes, n_live_tup AS rows, n_dead_tup AS dead,
  greatest(last_vacuum, last_autovacuum) AS vacuumed_at
FROM pg_stat_user_tables ORDER BY bytes DESC, name LIMIT :largest""")


@dataclass(frozen=True, slots=True)
class Condition:
    """`tables` are the largest, with rows and dead rows as PostgreSQL estimates them; `due_seconds` says for
    each stage how long the evaluation that has been due longest has waited."""

    revision: str | None
    newest: str
    bytes: int
    connections: int
    max_connections: int
    longest_transaction_seconds: float
    evaluations: dict[str, int]
    due_seconds: dict[str, float]
    tables: list[dict[str, Any]]


def condition(connection: Connection) -> Condition:
    """The condition now. Without a schema there is no work to be shown."""
    database = connection.execute(_DATABASE).one()
    known = revision(connection)
    states: dict[str, int] = {}
    if known is not None:
        for (state, _), count in counts.state_counts(connection).items():
            states[state] = states.get(state, 0) + count
    due = counts.oldest_due_seconds(connection) if known == NEWEST else {}
    return Condition(
        revision=known,
        newest=NEWEST,
        bytes=int(database.bytes),
        connections=int(database.connections),
        max_connections=int(database.max_connections),
        longest_transaction_seconds=float(database.longest_transaction_seconds),
        evaluations=dict(sorted(states.items())),
        due_seconds={str(stage): round(seconds, 3) for stage, seconds in due.items()},
        tables=[dict(row) for row in connection.execute(_TABLES, {"largest": LARGEST}).mappings()],
    )
