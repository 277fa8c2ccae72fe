"""How every move ends: the rows it moved are logged and counted in its own statement.

Locks are always taken in the same order, first the lease and then its evaluations: two moves over
one lease never wait for each other, and a worker frozen in its move keeps only its own lease.
Counting only adds rows, so that no two moves ever wait for one counter; `fold` sums them up.
"""

from typing import Final

from sqlalchemy import Connection, text

from ace.store.statements import statement

_RECOUNT: Final = 112_003  # any number of its own


def fold(connection: Connection) -> None:
    """Sums both kinds of tallies up, so that reading them stays cheap. Any number may do it at once."""
    connection.execute(statement("compact_tallies"))
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
    connection.execute(statement("recount"))
