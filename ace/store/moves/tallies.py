"""The tallies of states and disputes: moves only add rows to them; here they are summed up and corrected."""

from typing import Final

from sqlalchemy import Connection, text

from ace.store.statements import statement

_FORGET: Final = text("""
DELETE FROM decided_by_minute d WHERE minute < now() - interval '25 hours' AND EXISTS (
  SELECT FROM decided_by_minute n WHERE n.tenant = d.tenant AND n.decided_by = d.decided_by
    AND n.minute > d.minute AND n.minute < now() - interval '24 hours')""")
_RECOUNT: Final = 112_003  # of an advisory lock; any number that no other lock has


def compact_tallies(connection: Connection) -> None:
    """Sums up both kinds of tallies, so that reading them stays cheap. Any number may do it at once.

    How many claims were decided by each minute is kept for a day; the last count of a tenant for ever.
    """
    connection.execute(statement("compact_tallies"))
    connection.execute(_FORGET)
    connection.execute(
        text("""
        WITH gone AS (DELETE FROM disputes RETURNING kind, count)
        INSERT INTO disputes (kind, count) SELECT kind, sum(count) FROM gone GROUP BY kind""")
    )


def recount(connection: Connection) -> None:
    """Corrects the tallies while evaluations move, after workers ran that did not keep them.

    One statement sees evaluations and tallies at one moment, so the difference it adds is exact; a
    lock makes two at once take turns.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": _RECOUNT})
    connection.execute(statement("recount"))
