"""The term lists of tenants. A change adds a row or ends one, and is an act. So the rows tell the list of any
time, and a verdict is explained with the list that was in force.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.claims.terms import MAX_TERMS, NO_TERMS, TermKind, Terms
from ace.errors import Refused
from ace.store import acts
from ace.store.ids import new_id

_IN_FORCE: Final = text("""
SELECT tenant, kind, term FROM terms WHERE tenant = ANY(:tenants) AND removed_at IS NULL ORDER BY term""")
_LISTED: Final = text("""
SELECT id, kind, term, reason, actor, at FROM terms
WHERE tenant = :tenant AND removed_at IS NULL ORDER BY term, kind""")
_COUNT: Final = text("""
SELECT count(*) FROM terms WHERE tenant = :tenant AND kind = :kind AND removed_at IS NULL""")
_ADD: Final = text("""
INSERT INTO terms (id, tenant, kind, term, reason, actor)
VALUES (:id, :tenant, :kind, :term, :reason, :actor)
ON CONFLICT (tenant, kind, term) WHERE removed_at IS NULL DO NOTHING RETURNING id""")
_KNOWN: Final = text("""
SELECT id FROM terms WHERE tenant = :tenant AND kind = :kind AND term = :term AND removed_at IS NULL""")
_REMOVE: Final = text("""
UPDATE terms SET removed_at = now(), removed_by = :actor
WHERE id = :id AND tenant = :tenant AND removed_at IS NULL RETURNING kind""")


def of_tenants(connection: Connection, tenants: Collection[str]) -> Mapping[str, Terms]:
    """The lists of these tenants, without those that have none."""
    found: dict[str, list[RowMapping]] = {}
    for row in connection.execute(_IN_FORCE, {"tenants": list(tenants)}).mappings():
        found.setdefault(row["tenant"], []).append(row)
    return {tenant: list_of(rows) for tenant, rows in found.items()}


def list_of(rows: Sequence[RowMapping]) -> Terms:
    """The list that these rows of one tenant are."""
    kinds = {kind: tuple(sorted(row["term"] for row in rows if row["kind"] == kind)) for kind in TermKind}
    return Terms(kinds[TermKind.IGNORE], kinds[TermKind.KEEP_TOGETHER])


def of_tenant(connection: Connection, tenant: str) -> Terms:
    """The tenant's list."""
    return of_tenants(connection, [tenant]).get(tenant, NO_TERMS)


def listed(connection: Connection, tenant: str) -> Sequence[RowMapping]:
    """The tenant's terms in alphabetical order, each with who added it and why."""
    return connection.execute(_LISTED, {"tenant": tenant}).mappings().all()


def add(connection: Connection, tenant: str, kind: TermKind, term: str, *, actor: str, reason: str) -> UUID:
    """Adds a term (`ace.claims.terms.term_of`) unless it is on the list; returns its id. Raises Refused if
    the list is full."""
    given = {"tenant": tenant, "kind": kind, "term": term}
    known: UUID | None = connection.execute(_KNOWN, given).scalar()
    if known is not None:
        return known
    if connection.execute(_COUNT, {"tenant": tenant, "kind": kind}).scalar_one() >= MAX_TERMS:
        words = f"the list has {MAX_TERMS} terms of this kind: remove one first"
        raise Refused(words, code="too_many_terms", pointer="/term", limit=MAX_TERMS)
    made: UUID | None = connection.execute(
        _ADD, {**given, "id": new_id(connection), "reason": reason, "actor": actor}
    ).scalar()
    if made is None:  # somebody else has added it meanwhile
        return UUID(str(connection.execute(_KNOWN, given).scalar_one()))
    _record(connection, tenant, actor, "add term", kind, made)
    return made


def remove(connection: Connection, tenant: str, term_id: UUID, *, actor: str) -> bool:
    """Takes a term off the list. False: it is not on it."""
    given = {"id": term_id, "tenant": tenant, "actor": actor}
    kind: str | None = connection.execute(_REMOVE, given).scalar()
    if kind is not None:
        _record(connection, tenant, actor, "remove term", kind, term_id)
    return kind is not None


def _record(connection: Connection, tenant: str, actor: str, act: str, kind: str, term_id: UUID) -> None:
    """The act, without the term and its reason, which may be words of a claim: they are in the row."""
    target = f"{kind} {term_id}"
    acts.record(connection, tenant, actor=actor, act=act, target=target, reason="")
