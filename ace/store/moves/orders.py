"""replay and cancel: what clients and operators order."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Connection, text

from ace.store.moves.events import LOG


def replay(connection: Connection, tenant: str, evaluations: Sequence[UUID], *, actor: str) -> list[UUID]:
    """replay: failed evaluations of one tenant wait again for the stage that failed, tries forgotten."""
    return list(
        connection.execute(
            text(f"""
            WITH moved AS (
              UPDATE evaluations SET
                state = CASE failed_stage WHEN 'fast' THEN 'queued' ELSE 'escalated' END,
                tries = 0, examined = 0, outages = 0, due_at = now(), moves = moves + 1, updated_at = now()
              WHERE id = ANY(:ids) AND tenant = :tenant AND state = 'failed'
              RETURNING id, tenant, moves, 'replay' AS move, 'failed' AS before, state AS after, decided_by,
                        error AS detail
            ), {LOG}
            SELECT id FROM moved ORDER BY id"""),
            {"ids": list(evaluations), "tenant": tenant, "actor": actor},
        ).scalars()
    )


def cancel(connection: Connection, tenant: str, filing_id: UUID, *, actor: str) -> list[UUID]:
    """cancel: whatever of a filing has no verdict yet; a worker that still holds it will move nothing."""
    return list(
        connection.execute(
            text(f"""
            WITH held AS (
              SELECT id, state FROM evaluations
              WHERE filing_id = :filing AND tenant = :tenant AND state NOT IN ('decided', 'cancelled')
              ORDER BY id FOR UPDATE
            ), moved AS (
              UPDATE evaluations e SET
                state = 'cancelled', lease = NULL, moves = moves + 1, updated_at = now()
              FROM held WHERE e.id = held.id
              RETURNING e.id, e.tenant, moves, 'cancel' AS move, held.state AS before, e.state AS after,
                        decided_by, NULL::text AS detail
            ), {LOG}
            SELECT id FROM moved ORDER BY id"""),
            {"filing": filing_id, "tenant": tenant, "actor": actor},
        ).scalars()
    )
