"""Reads for whoever looks after the work: what workers hold, who waits, how fast claims are decided."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.store.statements import statement

NEWEST: Final = 5_000  # claims that are looked at for the share of the expert
BACKLOGS: Final = 50  # tenants shown, those with the most work first


def workers(connection: Connection) -> Sequence[RowMapping]:
    """The workers that hold something, each with its stage, messages, claims, and since when."""
    return connection.execute(statement("workers_busy")).mappings().all()


def backlogs(connection: Connection) -> Sequence[RowMapping]:
    """The tenants with the most claims on their way, and since when the oldest of each has been due."""
    return connection.execute(statement("backlogs"), {"limit": BACKLOGS}).mappings().all()


def decided_lately(connection: Connection, tenant: str) -> Sequence[RowMapping]:
    """Claims of the tenant that were decided in each minute of the last hour: minute, decided_by, count."""
    return connection.execute(statement("decided_lately"), {"tenant": tenant}).mappings().all()


def screened_lately(connection: Connection, tenant: str, calibration: str) -> Mapping[str, int]:
    """Of the newest claims that this calibration screened in the last hour, how many the gatekeeper decided,
    and how many went to the expert. Verdicts by another calibration are not among them."""
    given = {"tenant": tenant, "calibration": calibration, "newest": NEWEST}
    return dict(connection.execute(statement("screened_lately"), given).mappings().one())


def fingerprints(connection: Connection, tenants: Collection[str]) -> Mapping[str, str]:
    """For each of the tenants that has anything, a text that changes when one of its claims moves."""
    rows = connection.execute(
        text("""
        SELECT tenant, string_agg(concat_ws(' ', state, decided_by, n), ',' ORDER BY state, decided_by)
        FROM (SELECT tenant, state, decided_by, sum(count) AS n FROM tallies WHERE tenant = ANY(:tenants)
              GROUP BY tenant, state, decided_by) AS sums
        GROUP BY tenant"""),
        {"tenants": list(tenants)},
    )
    return {row[0]: row[1] for row in rows}


def filings_moved(connection: Connection, filings: Collection[UUID]) -> Mapping[tuple[str, UUID], str]:
    """For each of the filings, by tenant and id, when one of its claims last moved."""
    rows = connection.execute(
        text("""
        SELECT tenant, filing_id, max(updated_at) FROM evaluations WHERE filing_id = ANY(:filings)
        GROUP BY tenant, filing_id"""),
        {"filings": list(filings)},
    )
    return {(tenant, filing): str(at) for tenant, filing, at in rows}
