"""dispatch on the slow stage: the line of claims that wait for the expert, and their leases.

Each examination has a lease, a message and a slot of its own. Who goes where is `ace.store.assignment`'s.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, text
from uuid_utils.compat import uuid7

from ace.store.assignment import Dealt, Due
from ace.store.counts import LINES
from ace.store.moves.events import LOG
from ace.store.moves.leases import Leased
from ace.store.tables import Stage

LOOKED_AT: Final = 256  # claims in line that are weighed against each other, of all tenants

_LINE: Final = text(f"""
WITH RECURSIVE {LINES.format(due=Stage.SLOW.due)}, flights AS MATERIALIZED (
  SELECT tenant, count(*) AS in_flight FROM leases JOIN evaluations ON lease = token
  WHERE stage = 'slow' GROUP BY tenant
), tenants AS MATERIALIZED (
  SELECT tenant, least(:each, ceil({LOOKED_AT}::float8 / count(*) OVER ())) AS share
  FROM lines GROUP BY tenant
)
SELECT d.id, tenant, d.filing_id, d.claim_number, d.priority, coalesce(in_flight, 0) AS in_flight, failed_at
FROM lines JOIN tenants USING (tenant) LEFT JOIN flights USING (tenant) CROSS JOIN LATERAL (
  SELECT id, filing_id, claim_number, priority, CASE WHEN error IS NOT NULL THEN (
    SELECT CASE WHEN x.error IS NOT NULL THEN endpoint END FROM examinations x
    WHERE evaluation_id = e.id ORDER BY number DESC LIMIT 1) END AS failed_at
  FROM evaluations e
  WHERE state = '{Stage.SLOW.due}' AND e.tenant = lines.tenant AND e.priority = lines.priority
    AND due_at <= now()
  ORDER BY due_at, id LIMIT share) d""")


def in_line(connection: Connection, *, each: int) -> list[Due]:
    """Claims that are due to be examined: those due longest of every tenant and priority, `each` at most.

    They are not locked: a claim may be gone when it is leased.
    """
    return [Due(*row) for row in connection.execute(_LINE, {"each": each})]


_LEASE: Final = text(f"""
WITH dealt AS MATERIALIZED (
  SELECT e.id, d.token, d.endpoint, e.tries
  FROM unnest(CAST(:ids AS uuid[]), CAST(:tokens AS uuid[]), CAST(:endpoints AS text[]))
    WITH ORDINALITY AS d (id, token, endpoint, place) JOIN evaluations e ON e.id = d.id
  WHERE e.state = '{Stage.SLOW.due}' ORDER BY place FOR UPDATE OF e SKIP LOCKED
), leased AS (
  INSERT INTO leases (token, stage, until, endpoint)
  SELECT token, '{Stage.SLOW}', now() + make_interval(secs => :lease_seconds), endpoint FROM dealt
), moved AS (
  UPDATE evaluations e SET
    state = '{Stage.SLOW.running}', lease = dealt.token, moves = moves + 1, updated_at = now()
  FROM dealt WHERE e.id = dealt.id
  RETURNING e.id, tenant, moves, 'dispatch' AS move, '{Stage.SLOW.due}' AS before,
            '{Stage.SLOW.running}' AS after, decided_by, NULL::text AS detail
), {LOG}
SELECT id, token, endpoint, tries FROM dealt""")


def lease_each(
    connection: Connection, dealt: Sequence[Dealt], *, lease_seconds: float, max_tries: int, actor: str
) -> list[Leased]:
    """dispatch: leases each claim by itself, in this order; those that are due no more are left out."""
    if not dealt:
        return []
    rows = connection.execute(
        _LEASE,
        {
            "ids": [each.claim.id for each in dealt],
            "tokens": [uuid7() for _ in dealt],
            "endpoints": [each.endpoint for each in dealt],
            "lease_seconds": lease_seconds,
            "actor": actor,
        },
    )
    return [
        Leased(row.token, (row.id,), alone=0 < row.tries >= max_tries - 1, full=False, endpoint=row.endpoint)
        for row in rows
    ]
