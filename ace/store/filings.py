"""Reads of filings as a person looks at them: a list with its counts, and everything in one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.claims.terms import Terms
from ace.store import terms
from ace.store.statements import source, statement
from ace.types.rules_version import RulesVersion

_REVIEWS: Final = "(SELECT FROM reviews r WHERE r.evaluation_id = e.id"
REVIEWED: Final = {
    "yes": f"EXISTS {_REVIEWS})",
    "no": f"e.verdict IS NOT NULL AND NOT EXISTS {_REVIEWS})",
    "disagree": f"EXISTS {_REVIEWS} AND r.answer = 'disagree')",
    "adjudicated": f"EXISTS {_REVIEWS} AND r.status = 'adjudicated')",
}
"""What people may have said of a verdict: conditions over `e`."""


@dataclass(frozen=True, slots=True)
class FilingFilter:
    """Selects filings; None leaves a field open. The last eight hold of one and the same evaluation that
    counts for its claim."""

    docket: str | None = None
    since: datetime | None = None  # of the submission
    until: datetime | None = None
    state: str | None = None
    verdict: str | None = None
    decided_by: str | None = None
    error_class: str | None = None  # of a Fail
    error: str | None = None
    model: str | None = None  # of the gatekeeper
    reviewed: str | None = None  # a key of REVIEWED
    disputed: bool = False

    def sql(self) -> tuple[str, dict[str, Any]]:
        """Conditions over `f`, and their parameters."""
        of_filing = {
            "f.docket = :docket": ("docket", self.docket),
            "f.created_at >= :since": ("since", self.since),
            "f.created_at < :until": ("until", self.until),
        }
        of_evaluation = {
            "e.state = :state": ("state", self.state),
            "e.verdict = :verdict": ("verdict", self.verdict),
            "e.decided_by = :decided_by": ("decided_by", self.decided_by),
            "e.verdict = 'Fail' AND e.error_class = :error_class": ("error_class", self.error_class),
            "e.error = :error": ("error", self.error),
            "e.model = :model": ("model", self.model),
        }
        given = {sql: pair for sql, pair in (of_filing | of_evaluation).items() if pair[1] is not None}
        inner = [sql for sql in of_evaluation if sql in given] + ["e.disputed"] * self.disputed
        if self.reviewed is not None:
            inner.append(REVIEWED[self.reviewed])
        conditions = [sql for sql in of_filing if sql in given]
        if inner:
            conditions.append(
                "EXISTS (SELECT FROM evaluations e"
                f" WHERE e.filing_id = f.id AND {source('current_evaluation')} AND {' AND '.join(inner)})"
            )
        return "".join(f" AND {sql}" for sql in conditions), dict(given.values())


def page(
    connection: Connection, tenant: str, which: FilingFilter, *, after: UUID | None, limit: int
) -> Sequence[RowMapping]:
    """A page of the tenant's filings, newest first, beyond `after`, each with counts of its evaluations."""
    conditions, parameters = which.sql()
    if after is not None:
        conditions += " AND f.id < :after"
        parameters["after"] = after
    return (
        connection.execute(
            text(f"""
            WITH page AS MATERIALIZED (
              SELECT f.id FROM filings f WHERE f.tenant = :tenant{conditions}
              ORDER BY f.id DESC LIMIT :limit)
            {source("filing_listed")} JOIN page ON page.id = f.id ORDER BY f.id DESC"""),
            {"tenant": tenant, "limit": limit, **parameters},
        )
        .mappings()
        .all()
    )


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a filing: `claims` are {number, text, ancestors, status, evaluation}.

    `analysis` is that of one version of the rules, None if none is stored; `terms` the tenant's term list,
    which the analysis obeys if it `obeys`.
    """

    purged_at: datetime | None
    claims: Sequence[Mapping[str, Any]]
    analysis: Mapping[str, Any] | None
    obeys: bool
    terms: Terms

    @property
    def current(self) -> Mapping[str, Any] | None:
        """The analysis, if it obeys the list."""
        return self.analysis if self.obeys else None


def contents(connection: Connection, tenant: str, filing_id: UUID, version: RulesVersion) -> Contents | None:
    """A filing's claims and its analysis of this version; None if the tenant has no such filing."""
    listed = terms.of_tenant(connection, tenant)
    given = {"id": filing_id, "tenant": tenant, "terms": listed.digest, **version._asdict()}
    row = connection.execute(statement("filing_contents"), given).first()
    if row is None:
        return None
    return Contents(row.purged_at, row.claims, row.analysis, bool(row.obeys), listed)
