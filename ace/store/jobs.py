"""Jobs: orders to replay all failed evaluations that match a filter, worked off by the dispatcher in batches.

Each evaluation is looked at once, in the order of ids; those that fail again after the order are left alone.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text
from uuid_utils.compat import uuid7

from ace.store import acts, moves, reads
from ace.store.pauses import Order

BATCH: Final = 500  # evaluations replayed in one transaction
_COLUMNS: Final = "id, filter, reason, actor, at, state, matched, replayed, ended_at"
_FIELDS: Final = ("error", "docket", "since", "until")


def matching(connection: Connection, tenant: str, which: reads.Filter) -> int:
    """How many failed evaluations of the tenant match now."""
    conditions, parameters = which.sql()
    counted = connection.execute(
        text(
            f"SELECT count(*) FROM evaluations e WHERE e.tenant = :tenant AND e.state = 'failed'{conditions}"
        ),
        {"tenant": tenant, **parameters},
    )
    return int(counted.scalar_one())


def order(connection: Connection, given: Order, which: reads.Filter) -> UUID:
    """Stores a job that replays what matches; returns its id."""
    id_ = uuid7()
    connection.execute(
        text("""
        INSERT INTO jobs (id, tenant, filter, reason, actor, matched)
        VALUES (:id, :tenant, CAST(:filter AS jsonb), :reason, :actor, :matched)"""),
        {
            "id": id_,
            "tenant": given.tenant,
            "filter": _written(which),
            "reason": given.reason,
            "actor": given.actor,
            "matched": matching(connection, given.tenant, which),
        },
    )
    acts.record(
        connection, given.tenant, actor=given.actor, act="replay", target=f"job {id_}", reason=given.reason
    )
    return id_


def cancel(connection: Connection, given: Order, job: UUID) -> bool:
    """Ends a running job of the tenant; what it has replayed stays replayed. False: it was not running."""
    ended = connection.execute(
        text("""
        UPDATE jobs SET state = 'cancelled', ended_at = now()
        WHERE id = :id AND tenant = :tenant AND state = 'running' RETURNING id"""),
        {"id": job, "tenant": given.tenant},
    ).first()
    if ended is not None:
        acts.record(
            connection,
            given.tenant,
            actor=given.actor,
            act="cancel job",
            target=f"job {job}",
            reason=given.reason,
        )
    return ended is not None


def of_tenant(connection: Connection, tenant: str, *, limit: int) -> Sequence[RowMapping]:
    """The newest jobs of the tenant, newest first."""
    return (
        connection.execute(
            text(f"SELECT {_COLUMNS} FROM jobs WHERE tenant = :tenant ORDER BY id DESC LIMIT :limit"),
            {"tenant": tenant, "limit": limit},
        )
        .mappings()
        .all()
    )


def newest(connection: Connection, *, limit: int) -> Sequence[RowMapping]:
    """The newest jobs of all tenants, newest first, each with its tenant."""
    rows = connection.execute(
        text(f"SELECT tenant, {_COLUMNS} FROM jobs ORDER BY id DESC LIMIT :limit"), {"limit": limit}
    )
    return rows.mappings().all()


def one(connection: Connection, tenant: str, job: UUID) -> RowMapping | None:
    """A job of the tenant."""
    given = {"id": job, "tenant": tenant}
    found = connection.execute(
        text(f"SELECT {_COLUMNS} FROM jobs WHERE id = :id AND tenant = :tenant"), given
    )
    return found.mappings().first()


def work_off(connection: Connection, *, batch: int = BATCH) -> int:
    """Replays the next evaluations of the oldest running job that nobody else works at; returns how many."""
    job = connection.execute(
        text("""
        SELECT id, tenant, filter, at, after FROM jobs WHERE state = 'running'
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED""")
    ).first()
    if job is None:
        return 0
    which = _read(job.filter, ordered_at=job.at)
    found = reads.failed_ids(connection, job.tenant, which, limit=batch, after=job.after)
    replayed = moves.replay(connection, job.tenant, found, actor=f"job:{job.id}") if found else []
    connection.execute(
        text("""
        UPDATE jobs SET replayed = replayed + :replayed, after = coalesce(CAST(:after AS uuid), after),
          state = CASE WHEN :over THEN 'done' ELSE state END, ended_at = CASE WHEN :over THEN now() END
        WHERE id = :id"""),
        {
            "id": job.id,
            "replayed": len(replayed),
            "after": found[-1] if found else None,
            "over": len(found) < batch,
        },
    )
    return len(replayed)


def _written(which: reads.Filter) -> str:
    given = {name: getattr(which, name) for name in _FIELDS}
    return json.dumps({name: value for name, value in given.items() if value is not None}, default=_isoformat)


def _isoformat(value: datetime) -> str:
    return value.isoformat()


def _read(stored: dict[str, Any], *, ordered_at: datetime) -> reads.Filter:
    """The filter of a job, which knows only what had failed when it was ordered."""
    since, until = (
        None if (value := stored.get(name)) is None else datetime.fromisoformat(value)
        for name in ("since", "until")
    )
    return reads.Filter(
        error=stored.get("error"),
        docket=stored.get("docket"),
        since=since,
        until=ordered_at if until is None else min(until, ordered_at),
    )
