"""What there is for a dispatcher to do: one look each time it wakes, by indexes and without a lock.

Most looks find nothing. They take one round trip, so that waking often costs little.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, text

from ace.store.counts import LINES
from ace.store.tables import Stage


@dataclass(frozen=True, slots=True)
class Pending:
    """What a look found. It may have changed since: every move looks again under its own guard."""

    lapsed: bool  # leases have run out
    due: frozenset[Stage]  # where claims are due
    came: bool  # examinations have ended that no dispatcher has learned from
    endpoints: frozenset[tuple[str, float, int]]  # name, weight and most slots of those in the database
    room: bool  # one of them can be given a claim
    waiting: int  # fast messages that no worker has taken up
    waited_seconds: float  # how long the one that waits longest has waited


def _due(stage: Stage) -> str:
    return f"""EXISTS (
      WITH RECURSIVE {LINES.format(due=stage.due)}
      SELECT FROM lines CROSS JOIN LATERAL (
        SELECT FROM evaluations WHERE state = '{stage.due}' AND tenant = lines.tenant
          AND priority = lines.priority AND due_at <= now() LIMIT 1) first)"""


_LOOK: Final = text(f"""
SELECT EXISTS (SELECT FROM leases WHERE until < now()) AS lapsed,
  {_due(Stage.FAST)} AS fast, {_due(Stage.SLOW)} AS slow,
  EXISTS (SELECT FROM outcomes) AS came, e.*, w.*
FROM (
  SELECT array_agg(name) AS names, array_agg(weight) AS weights, array_agg(most) AS most,
    coalesce(bool_or(CASE breaker WHEN 'closed' THEN
      (SELECT count(*) FROM leases WHERE stage = 'slow' AND endpoint = name) < floor(slots)
      ELSE until <= now() END), false) AS room
  FROM endpoints) e,
  (SELECT count(*) AS waiting, coalesce(extract(epoch FROM now() - min(made_at)), 0) AS waited_seconds
   FROM leases WHERE stage = 'fast' AND started_at IS NULL) w""")


def look(connection: Connection) -> Pending:
    """What is to be done now."""
    seen = connection.execute(_LOOK).one()
    return Pending(
        lapsed=seen.lapsed,
        due=frozenset(stage for stage in Stage if (seen.fast if stage is Stage.FAST else seen.slow)),
        came=seen.came,
        endpoints=frozenset(zip(seen.names or (), seen.weights or (), seen.most or (), strict=True)),
        room=seen.room,
        waiting=seen.waiting,
        waited_seconds=float(seen.waited_seconds),
    )
