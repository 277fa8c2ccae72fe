"""How every move ends: the rows it moved are logged and counted in its own statement.

Locks are always taken in the same order, first the lease and then its evaluations: two moves over
one lease never wait for each other, and a worker frozen in its move keeps only its own lease.
Counting only adds rows, so that no two moves ever wait for one counter; `fold` sums them up.
"""

from typing import Final

from sqlalchemy import Connection, text

_RECOUNT: Final = 112_003  # any number of its own

# After a CTE `moved` that gives id, tenant, moves, move, before, after, decided_by and detail of
# every row it moved.
LOG: Final = """
logged AS (
  INSERT INTO events (evaluation_id, number, move, before, after, actor, detail)
  SELECT id, moves, move, before, after, :actor, detail FROM moved
), counted AS (
  INSERT INTO tallies (tenant, state, decided_by, count)
  SELECT tenant, state, decided_by, sum(n) FROM (
    SELECT tenant, before AS state, '' AS decided_by, -1 AS n FROM moved
    UNION ALL SELECT tenant, after, coalesce(decided_by, ''), 1 FROM moved) AS steps
  GROUP BY tenant, state, decided_by
)"""


def fold(connection: Connection) -> None:
    """Sums both kinds of tallies up, so that reading them stays cheap. Any number may do it at once."""
    connection.execute(
        text("""
        WITH gone AS (DELETE FROM tallies RETURNING tenant, state, decided_by, count)
        INSERT INTO tallies (tenant, state, decided_by, count)
        SELECT tenant, state, decided_by, sum(count) FROM gone
        GROUP BY tenant, state, decided_by HAVING sum(count) <> 0""")
    )
    connection.execute(
        text("""
        WITH gone AS (DELETE FROM disputes RETURNING kind, count)
        INSERT INTO disputes (kind, count) SELECT kind, sum(count) FROM gone GROUP BY kind""")
    )


def recount(connection: Connection) -> None:
    """Sets the tallies right, beside whatever moves: after workers ran that did not keep them.

    One statement sees evaluations and tallies of one moment, so the difference it adds is exact;
    two at once take turns.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _RECOUNT})
    connection.execute(
        text("""
        INSERT INTO tallies (tenant, state, decided_by, count)
        SELECT tenant, state, decided_by, sum(n) FROM (
          SELECT tenant, state, coalesce(decided_by, '') AS decided_by, count(*) AS n
          FROM evaluations GROUP BY 1, 2, 3
          UNION ALL SELECT tenant, state, decided_by, -count FROM tallies) AS both_of_them
        GROUP BY tenant, state, decided_by HAVING sum(n) <> 0""")
    )
