"""Jobs: orders to run all evaluations that match a filter again, worked off by the dispatcher in batches.

Each evaluation is looked at once, in the order of ids; those that fail or are decided later are left alone.
Re-evaluations are made only while few claims of the tenant wait, so that new filings find no queue.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.store import acts, moves, reads
from ace.store.ids import new_id
from ace.store.operating_tables import JobKind
from ace.store.pauses import Order
from ace.store.tables import FINAL

BATCH: Final = 500  # evaluations run again in one transaction
WAITING: Final = 1_000
"""A tenant with so many claims without a verdict gets no more re-evaluations for now."""
FIELDS: Final = {
    "error": "error",
    "docket": "docket",
    "filing": "filing_id",
    "verdict": "verdict",
    "decided_by": "decided_by",
    "error_class": "error_class",
    "model": "model",
    "since": "since",
    "until": "until",
}
"""The names under which a job keeps the fields of `reads.Filter`."""
_COLUMNS: Final = "id, kind, filter, reason, actor, at, state, matched, replayed, ended_at"


def order(connection: Connection, given: Order, which: reads.Filter, kind: JobKind = JobKind.REPLAY) -> UUID:
    """Stores a job that runs what matches again; returns its id."""
    id_ = new_id(connection)
    connection.execute(
        text("""
        INSERT INTO jobs (id, tenant, kind, filter, reason, actor, matched)
        VALUES (:id, :tenant, :kind, CAST(:filter AS jsonb), :reason, :actor, :matched)"""),
        {
            "id": id_,
            "tenant": given.tenant,
            "kind": kind.value,
            "filter": _written(which),
            "reason": given.reason,
            "actor": given.actor,
            "matched": reads.count_for(connection, kind, given.tenant, which),
        },
    )
    acts.record(
        connection, given.tenant, actor=given.actor, act=kind.value, target=f"job {id_}", reason=given.reason
    )
    return id_


def cancel(connection: Connection, given: Order, job: UUID) -> bool:
    """Ends a running job of the tenant; what it has done stays done. False: it was not running."""
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
    """Runs the next evaluations of the oldest job again that nobody else works at and that need not wait;
    returns how many."""
    job = connection.execute(_NEXT, {"waiting": WAITING, "final": [str(state) for state in FINAL]}).first()
    if job is None:
        return 0
    which = _read(job.filter, ordered_at=job.at)
    found = reads.ids_for(connection, JobKind(job.kind), job.tenant, which, limit=batch, after=job.after)
    run = _RUN[JobKind(job.kind)]
    replayed = run(connection, job.tenant, found, actor=f"job:{job.id}") if found else []
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


_RUN: Final = {JobKind.REPLAY: moves.replay, JobKind.REEVALUATE: moves.reevaluate}
_NEXT: Final = text("""
SELECT id, kind, tenant, filter, at, after FROM jobs j
WHERE state = 'running' AND (kind = 'replay' OR :waiting > (
  SELECT coalesce(sum(count), 0) FROM tallies t WHERE t.tenant = j.tenant AND NOT t.state = ANY(:final)))
ORDER BY id LIMIT 1 FOR UPDATE OF j SKIP LOCKED""")


def _written(which: reads.Filter) -> str:
    given = {name: getattr(which, field) for name, field in FIELDS.items()}
    return json.dumps({name: value for name, value in given.items() if value is not None}, default=_plain)


def _plain(value: datetime | UUID) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _read(stored: dict[str, Any], *, ordered_at: datetime) -> reads.Filter:
    """The filter of a job, which knows only what there was when it was ordered."""
    given = {FIELDS[name]: value for name, value in stored.items()}
    since, until = (
        None if (value := given.get(name)) is None else datetime.fromisoformat(value)
        for name in ("since", "until")
    )
    last = ordered_at if until is None else min(until, ordered_at)
    filing = given.get("filing_id")
    which = {"filing_id": filing and UUID(filing), "since": since, "until": last}
    return reads.Filter(**{**given, **which})
