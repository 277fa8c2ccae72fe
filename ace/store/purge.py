"""Retention: removes the text of old filings and keeps their audit trail.

Removed: claims, what the expert wrote, the words of findings, reasons of reviews, metadata. Kept: filings
with docket and hash, evaluations with verdicts and scores, kind and place of findings, kinds of disputes,
answers and labels of reviews, events. Only filings in which nothing can move any more lose their text:
failed evaluations are cancelled first, so that no replay can ask for it. Sessions and secrets of webhooks
that have ended go too, and deliveries that ended 30 days ago.

Dispatchers purge test filings by themselves, after a day.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import partial
from typing import Final, Self
from uuid import UUID

from sqlalchemy import Connection, Engine, text

from ace.errors import NotConfigured, Refused
from ace.store import moves
from ace.store.database import transact
from ace.store.statements import statement
from ace.store.tables import FINAL
from ace.types.tenants import TEST_HOURS

ACTOR: Final = "purge"
FILINGS_PER_PAGE: Final = 20_000
PURGED_AT_ONCE: Final = 100  # filings in one transaction: some thousand claims, well under a second
# The planner's statistics are renewed too: they quote values of the columns.
_CLEANING: Final = (
    "DELETE FROM sessions WHERE until < now()",
    "DELETE FROM deliveries WHERE done_at < now() - interval '30 days'",
    "DELETE FROM webhooks WHERE deleted_at < now() - interval '30 days'",
    "DELETE FROM webhook_secrets WHERE until < now()",
    "VACUUM (ANALYZE) analyses, claims, examinations, filings, findings, reviews",
    "VACUUM pg_statistic",
)


_REASONS: Final = text("""
UPDATE reviews SET reason = NULL
WHERE reason IS NOT NULL
  AND evaluation_id IN (SELECT id FROM evaluations WHERE filing_id = ANY(:filings))""")


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did, or would do: how many texts it removed and failed evaluations it cancelled, and
    how many filings it left alone because something in them may still be decided."""

    filings: int = 0
    claims: int = 0
    examinations: int = 0
    cancelled: int = 0
    still_open: int = 0

    def __add__(self, other: Self) -> "Purged":
        return Purged(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def purge(
    db: Engine,
    before: datetime,
    *,
    tenant: str | None = None,
    dry_run: bool = False,
    progress: Callable[[Purged], object] = lambda _: None,
) -> Purged:
    """Removes the text of filings created before `before` (aware) whose evaluations are all final.

    Transactions are small, so that it may run beside everything else, be killed at any time and be run
    again. It ends with a VACUUM, so that no page of the tables holds a readable version with the text;
    the bytes stay in the files until their space is used again.
    Raises Refused if `before` is not in the past, NotConfigured if the database user does not see every
    filing, Unavailable if the database goes away.
    """
    transact(db, partial(_check, before=before))
    take = _counted if dry_run else _taken
    total = Purged()
    for filings in _old(db, before, tenant):
        total += transact(db, partial(take, filings=filings))
        progress(total)
    if not dry_run:
        transact(db.execution_options(isolation_level="AUTOCOMMIT"), _clean)
    return total


def purge_tests(db: Engine) -> Purged:
    """Removes the text of the oldest test filings that are older than `TEST_HOURS` and settled, in one short
    transaction; call it again if it removed `PURGED_AT_ONCE`. Raises Unavailable if there is no database."""
    return transact(db, _tests_taken)


def _tests_taken(connection: Connection) -> Purged:
    given = {"hours": TEST_HOURS, "limit": PURGED_AT_ONCE}
    return _taken(connection, connection.execute(statement("purgeable_tests"), given).scalars().all())


def _check(connection: Connection, before: datetime) -> None:
    row = connection.execute(
        text("""
        SELECT :before <= now() AS past,
          has_table_privilege('claims', 'UPDATE') AND NOT row_security_active('filings') AS sees_all"""),
        {"before": before},
    ).one()
    if not row.past:
        raise Refused("the moment to purge before lies in the future", code="not_past")
    if not row.sees_all:  # it would find nothing and report success
        raise NotConfigured("purging needs the database user that owns the tables, as workers have it")


def _old(db: Engine, before: datetime, tenant: str | None) -> Iterator[Sequence[UUID]]:
    """The ids of old filings that still have their text, in order, in batches."""
    last: UUID | None = UUID(int=0)
    while last is not None:
        last, found = transact(db, partial(_page, before=before, tenant=tenant, after=last))
        for first in range(0, len(found), PURGED_AT_ONCE):
            yield found[first : first + PURGED_AT_ONCE]


def _page(
    connection: Connection, before: datetime, tenant: str | None, after: UUID
) -> tuple[UUID | None, list[UUID]]:
    """The last id of the page after one id, and the filings in it to purge."""
    row = connection.execute(
        statement("purge_page"),
        {"after": after, "limit": FILINGS_PER_PAGE, "before": before, "tenant": tenant},
    ).one()
    return row.last, row.found


def _taken(connection: Connection, filings: Sequence[UUID]) -> Purged:
    """Purges those of the filings that are closed, in one transaction.

    Another purge's filings are skipped; a failed evaluation that somebody is replaying is open.
    """
    rows = connection.execute(
        statement("purge_locked"),
        {"filings": list(filings)},
    ).all()
    closed = [row for row in rows if row.closed]
    cancelled = sum(
        len(moves.cancel(connection, row.tenant, row.id, actor=ACTOR)) for row in closed if row.failed
    )
    claims, examinations = _erase(connection, [row.id for row in closed])
    return Purged(len(closed), claims, examinations, cancelled, len(rows) - len(closed))


def _erase(connection: Connection, filings: Sequence[UUID]) -> tuple[int, int]:
    """Removes the texts; returns how many claims and examinations lost theirs."""
    if not filings:
        return 0, 0
    given = {"filings": list(filings)}
    claims = connection.execute(
        text("UPDATE claims SET text = '' WHERE filing_id = ANY(:filings) AND text <> ''"), given
    )
    examinations = connection.execute(statement("purge_examinations"), given)
    connection.execute(statement("purge_analyses"), given)
    connection.execute(statement("purge_findings"), given)
    connection.execute(_REASONS, given)
    connection.execute(
        text("UPDATE filings SET metadata = '{}', purged_at = now() WHERE id = ANY(:filings)"), given
    )
    return claims.rowcount, examinations.rowcount


def _counted(connection: Connection, filings: Sequence[UUID]) -> Purged:
    """What `_taken` would do, without a lock."""
    row = connection.execute(
        statement("purge_counted"),
        {"filings": list(filings), "final": [str(state) for state in FINAL]},
    ).one()
    closed, claims, examinations, failed = row
    return Purged(closed, claims, examinations, failed, len(filings) - closed)


def _clean(connection: Connection) -> None:
    """Runs without a time limit and outside of any transaction: `connection` commits by itself."""
    connection.exec_driver_sql("SET statement_timeout = 0")
    connection.exec_driver_sql("SET lock_timeout = 0")
    for command in _CLEANING:
        connection.exec_driver_sql(command)
    connection.exec_driver_sql("RESET statement_timeout")
    connection.exec_driver_sql("RESET lock_timeout")
