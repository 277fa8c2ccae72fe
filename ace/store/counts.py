"""Counts and ages over all that is stored: kept or found in an index, never by reading a table."""

from typing import Final

from sqlalchemy import Connection, text

from ace.store.tables import FINAL, Stage

# The tenants and priorities that have claims waiting: found by leaps over an index that begins with
# both, so that it costs as many steps as there are of them, however many claims wait.
LINES: Final = """
lines AS (
  (SELECT tenant, priority FROM evaluations WHERE state = '{due}' ORDER BY tenant, priority LIMIT 1)
  UNION ALL
  SELECT next.* FROM lines l CROSS JOIN LATERAL (
    SELECT tenant, priority FROM evaluations
    WHERE state = '{due}' AND (tenant, priority) > (l.tenant, l.priority)
    ORDER BY tenant, priority LIMIT 1) next
)"""


def waiting_and_running(connection: Connection) -> dict[Stage, tuple[int, int]]:
    """Per stage, the messages that wait on the broker and those that workers have taken up."""
    counts = dict.fromkeys(Stage, (0, 0))
    for stage, waiting, running in connection.execute(
        text(
            "SELECT stage, count(*) FILTER (WHERE started_at IS NULL), count(started_at)"
            " FROM leases GROUP BY stage"
        )
    ):
        counts[Stage(stage)] = (waiting, running)
    return counts


def state_counts(connection: Connection) -> dict[tuple[str, str], int]:
    """Evaluations by state and by who decided ("" where nobody has); exact, and without counting them."""
    return {
        (state, by): int(count)
        for state, by, count in connection.execute(
            text("SELECT state, decided_by, sum(count) FROM tallies GROUP BY 1, 2 HAVING sum(count) <> 0")
        )
    }


def disputes(connection: Connection) -> dict[str, int]:
    """Verdicts of the expert that were disputed when they were given, by kind of dispute."""
    rows = connection.execute(text("SELECT kind, sum(count) FROM disputes GROUP BY kind"))
    return {kind: int(count) for kind, count in rows}


_BACKLOG: Final = text("""
SELECT coalesce(sum(count), 0) FROM tallies
WHERE tenant = :tenant AND NOT state = ANY(:final)""")


def backlog(connection: Connection, tenant: str) -> int:
    """The tenant's evaluations that are on their way to a verdict."""
    return int(
        connection.execute(
            _BACKLOG,
            {"tenant": tenant, "final": [str(state) for state in FINAL]},
        ).scalar_one()
    )


def oldest_due_seconds(connection: Connection) -> dict[Stage, float]:
    """Per stage, how long the evaluation that is due longest has waited, in seconds."""
    ages = {}
    for stage in Stage:
        age = connection.execute(
            text(f"""
            WITH RECURSIVE {LINES.format(due=stage.due)}
            SELECT extract(epoch FROM now() - min(first.due_at)) FROM lines CROSS JOIN LATERAL (
              SELECT due_at FROM evaluations
              WHERE state = '{stage.due}' AND tenant = lines.tenant AND priority = lines.priority
              ORDER BY due_at LIMIT 1) first""")
        ).scalar_one()
        ages[stage] = max(0.0, float(age or 0))
    return ages
