"""What clients order: submit, replay, cancel."""

from collections.abc import Callable, Sequence
from functools import partial
from uuid import UUID

from sqlalchemy import Connection, Engine

from ace import tracing
from ace.flow.leased import wake
from ace.store import acts, moves, reads
from ace.store.database import transact
from ace.telemetry import request_id


def submit(
    db: Engine,
    filings: Sequence[moves.NewFiling],
    *,
    actor: str,
    tenant: str | None = None,
    backlog: int | None = None,
    wake_by: Callable[[], None] | None = None,
) -> list[moves.Accepted]:
    """Stores filings and wakes the dispatcher, by `wake_by` if the caller has a faster way.

    With `tenant`, all filings are this tenant's.

    Raises `TooMuch` if a tenant would have more than `backlog` claims without a verdict; then nothing
    was stored. Raises `Unavailable`; then nothing was stored, unless the connection broke
    during the commit, which nobody can know: an idempotency key makes trying again safe.
    """
    with tracing.span("file", filings=len(filings), claims=sum(one.pending for one in filings)) as note:
        origin = moves.Origin(request_id.get(), tracing.traceparent())
        work = partial(moves.submit, filings=filings, actor=actor, backlog=backlog, origin=origin)
        accepted = transact(db, work, tenant=tenant)
        if len(accepted) == 1:
            note(filing=str(accepted[0].filing_id))
    (wake_by or partial(wake, db))()
    return accepted


def replay(
    db: Engine, tenant: str, which: reads.Filter | Sequence[UUID], *, limit: int, actor: str
) -> list[UUID]:
    """Lets failed evaluations of the tenant run again; those that are not failed stay as they are."""

    def work(connection: Connection) -> list[UUID]:
        ids = (
            reads.failed_ids(connection, tenant, which, limit=limit)
            if isinstance(which, reads.Filter)
            else list(which)[:limit]
        )
        replayed = moves.replay(connection, tenant, ids, actor=actor)
        if replayed:
            what = f"evaluation {replayed[0]}" if len(replayed) == 1 else f"{len(replayed)} evaluations"
            acts.record(connection, tenant, actor=actor, act="replay", target=what, reason="")
        return replayed

    replayed = transact(db, work, tenant=tenant)
    if replayed:
        wake(db)
    return replayed


def cancel(db: Engine, tenant: str, filing_id: UUID, *, actor: str) -> list[UUID]:
    """Cancels whatever of a filing has no verdict yet."""
    work = partial(moves.cancel, tenant=tenant, filing_id=filing_id, actor=actor)
    cancelled = transact(db, work, tenant=tenant)
    if cancelled:
        wake(db)
    return cancelled
