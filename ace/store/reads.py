"""Reads: what workers hold, and what clients poll."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.claims.model import ClaimInput, cut_chain
from ace.claims.taxonomy import Verdict
from ace.claims.terms import NO_TERMS, Terms
from ace.store import terms
from ace.store.operating_tables import JobKind
from ace.store.statements import source, statement
from ace.store.tables import FINAL, State
from ace.types.rules_version import RulesVersion

_FINAL: Final = [str(state) for state in FINAL]


@dataclass(frozen=True, slots=True)
class Held:
    """One evaluation that a worker holds by a lease, with everything that it may look at."""

    evaluation_id: UUID
    filing_id: UUID
    tenant: str
    examined: int  # examinations that count against the limit
    outages: int  # faults of the expert in a row that are not the claim's own
    claim: ClaimInput
    total: int  # claims in the filing
    endpoint: str | None = None  # of the expert, which the dispatcher chose
    certain: float | None = None  # the confidence of a finding that may not stand beside a Pass
    analysis: dict[str, Any] | None = None  # as stored
    waited_seconds: float = 0.0  # since it was due
    age_seconds: float = 0.0  # since it was filed
    request_id: str | None = None  # that handed its filing in
    traceparent: str | None = None  # of its filing
    error: str | None = None  # its last fault
    probabilities: list[float | None] | None = None  # the gatekeeper's six, null in place of NaN


@dataclass(frozen=True, slots=True)
class Taken:
    """What a worker holds; `sets` are the claims of filings whose analysis is wanted and not stored, (number,
    kept text), without those of too many characters; `terms` the lists of the tenants that have one."""

    held: list[Held]
    sets: dict[UUID, list[tuple[int, str]]]
    terms: Mapping[str, Terms] = field(default_factory=dict)


def taken(
    connection: Connection,
    token: UUID,
    *,
    max_chain_characters: int,
    version: RulesVersion | None,
    max_set_characters: int,
) -> Taken:
    """The evaluations that carry `token`, each with its claim and chain of ancestors.

    `version` is that of the analyses that are wanted; None if nobody will look at one.
    """
    given = _parameters(version)
    rows = connection.execute(statement("held_claims"), {"token": token, **given}).all()
    listed = terms.of_tenants(connection, {row.tenant for row in rows}) if version and rows else {}
    digests = {tenant: listed.get(tenant, NO_TERMS).digest for tenant in {row.tenant for row in rows}}
    analysed = [row for row in rows if digests[row.tenant] in row.analysed]
    analyses = _analyses(connection, analysed, digests, given) if analysed else {}
    bare = {row.filing_id for row in rows} - {row.filing_id for row in analysed} if version else set()
    sets = claim_sets(connection, bare, max_characters=max_set_characters) if bare else {}
    known = {(filing, number): words for filing, claims in sets.items() for number, words in claims}
    # Many claims share an ancestor, so each is fetched only once.
    wanted = {(row.filing_id, number) for row in rows for number in row.ancestors}
    texts = known | _texts(connection, wanted - known.keys())
    return Taken([_held(row, texts, analyses, max_chain_characters) for row in rows], sets, listed)


def _held(
    row: Any,
    texts: Mapping[tuple[UUID, int], str],
    analyses: Mapping[tuple[UUID, int], dict[str, Any]],
    max_chain_characters: int,
) -> Held:
    lines = (f"{number}. {texts[row.filing_id, number]}" for number in row.ancestors)
    return Held(
        row.id,
        row.filing_id,
        row.tenant,
        row.examined,
        row.outages,
        ClaimInput(row.number, row.text, cut_chain(lines, max_chain_characters)),
        row.claim_count,
        row.endpoint,
        row.certain,
        analyses.get((row.filing_id, row.number)),
        float(row.waited),
        float(row.age),
        row.request_id,
        row.traceparent,
        row.error,
        row.probabilities,
    )


def origins(connection: Connection, tokens: Sequence[UUID]) -> dict[UUID, list[str]]:
    """The traceparents of the filings that leased messages are about, by token of those that have any."""
    rows = connection.execute(statement("origins"), {"tokens": list(tokens)})
    return {row.token: row.traceparents for row in rows}


def _analyses(
    connection: Connection,
    held: Sequence[Any],
    digests: Mapping[str, str],
    version: Mapping[str, str | None],
) -> dict[tuple[UUID, int], dict[str, Any]]:
    wanted = {
        "filings": [row.filing_id for row in held],
        "numbers": [row.number for row in held],
        "terms": [digests[row.tenant] for row in held],
    }
    rows = connection.execute(statement("claim_analyses"), {**wanted, **version})
    return {(filing, number): stored for filing, number, stored in rows}


def _parameters(version: RulesVersion | None) -> dict[str, str | None]:
    return {"rules": None, "jurisdiction": None} if version is None else version._asdict()


def _texts(connection: Connection, wanted: Collection[tuple[UUID, int]]) -> dict[tuple[UUID, int], str]:
    """The texts of the wanted claims."""
    if not wanted:
        return {}
    rows = connection.execute(
        text("""
        SELECT filing_id, number, text FROM claims
        JOIN unnest(CAST(:filings AS uuid[]), CAST(:numbers AS smallint[])) AS w (filing_id, number)
        USING (filing_id, number)"""),
        {"filings": [filing for filing, _ in wanted], "numbers": [number for _, number in wanted]},
    )
    return {(filing, number): words for filing, number, words in rows}


def claim_sets(
    connection: Connection, filings: Collection[UUID], *, max_characters: int
) -> dict[UUID, list[tuple[int, str]]]:
    """The claims of filings, (number, kept text), without filings that have more characters in all."""
    rows = connection.execute(
        statement("claim_sets"),
        {"filings": list(filings), "max_characters": max_characters},
    )
    sets: dict[UUID, list[tuple[int, str]]] = {}
    for filing_id, number, words in rows:
        sets.setdefault(filing_id, []).append((number, words))
    return sets


def findings(
    connection: Connection, tenant: str, evaluation_id: UUID, version: RulesVersion, digest: str
) -> RowMapping | None:
    """An evaluation's claim, the findings and remarks in its analysis of this version, or the findings that
    were stored before there were analyses; null if there are none. `obeys` says whether the analysis is that
    of the term list with this digest."""
    return (
        connection.execute(
            statement("evaluation_findings"),
            {"id": evaluation_id, "tenant": tenant, "terms": digest, **_parameters(version)},
        )
        .mappings()
        .first()
    )


def filing(connection: Connection, tenant: str, filing_id: UUID) -> RowMapping | None:
    """A filing, and how many of its evaluations are in each state."""
    return (
        connection.execute(
            statement("filing"),
            {"id": filing_id, "tenant": tenant},
        )
        .mappings()
        .first()
    )


def open_one(connection: Connection, tenant: str, filing_id: UUID) -> UUID | None:
    """An evaluation of the filing that has not settled; None if all have, or there is no such filing.

    It is that of the last claim, which mostly settles last: whoever waits for it is rarely woken early.
    """
    found: UUID | None = connection.execute(
        text("""
        SELECT id FROM evaluations
        WHERE filing_id = :filing_id AND tenant = :tenant AND state <> ALL(:final)
        ORDER BY claim_number DESC LIMIT 1"""),
        {"filing_id": filing_id, "tenant": tenant, "final": _FINAL},
    ).scalar()
    return found


def is_open(connection: Connection, tenant: str, evaluation_id: UUID) -> bool:
    """Whether the tenant has this evaluation, and it has not settled."""
    return bool(
        connection.execute(
            text("SELECT state <> ALL(:final) FROM evaluations WHERE id = :id AND tenant = :tenant"),
            {"id": evaluation_id, "tenant": tenant, "final": _FINAL},
        ).scalar()
    )


def evaluation(connection: Connection, tenant: str, evaluation_id: UUID) -> RowMapping | None:
    """One evaluation of the tenant."""
    return (
        connection.execute(
            statement("evaluation"),
            {"id": evaluation_id, "tenant": tenant},
        )
        .mappings()
        .first()
    )


@dataclass(frozen=True, slots=True)
class Filter:
    """Selects evaluations for a list or a replay; None leaves a field open."""

    state: str | None = None
    verdict: str | None = None
    ground: str | None = None  # of a Fail
    disputed: bool = False  # only disputed ones
    docket: str | None = None
    filing_id: UUID | None = None
    decided_by: str | None = None
    error_class: str | None = None  # of a Fail
    error: str | None = None
    model: str | None = None  # of the gatekeeper
    since: Any = None  # datetime, of the last move
    until: Any = None

    def sql(self) -> tuple[str, dict[str, Any]]:
        """Conditions over `e`, and their parameters."""
        conditions = {
            "e.state = :state": ("state", self.state),
            "e.verdict = :verdict": ("verdict", self.verdict),
            "e.filing_id = ANY(ARRAY(SELECT id FROM filings WHERE tenant = :tenant AND docket = :docket))": (
                "docket",
                self.docket,
            ),
            "e.filing_id = :filing_id": ("filing_id", self.filing_id),
            f"{source('verdict_ground')} = :ground": ("ground", self.ground),
            "e.decided_by = :decided_by": ("decided_by", self.decided_by),
            "e.verdict = 'Fail' AND e.error_class = :error_class": ("error_class", self.error_class),
            "e.error = :error": ("error", self.error),
            "e.model = :model": ("model", self.model),
            "e.updated_at >= :since": ("since", self.since),
            "e.updated_at < :until": ("until", self.until),
        }
        given = {sql: pair for sql, pair in conditions.items() if pair[1] is not None}
        disputed = " AND e.disputed" if self.disputed else ""
        return "".join(f" AND {sql}" for sql in given) + disputed, dict(given.values())


def evaluations(
    connection: Connection, tenant: str, which: Filter, *, after: UUID | None, limit: int
) -> Sequence[RowMapping]:
    """A page of the tenant's evaluations, newest first, beyond `after`.

    The page is found in an index first, and then read: otherwise the planner would walk over the
    newest evaluations of all tenants until it has found enough of these.
    """
    branches, parameters = _branches(which)
    if after is not None:
        branches = [f"{conditions} AND e.id < :after" for conditions in branches]
        parameters["after"] = after
    pages = " UNION ALL ".join(
        "(SELECT e.id FROM evaluations e"
        f" WHERE e.tenant = :tenant{conditions} ORDER BY e.id DESC LIMIT :limit)"
        for conditions in branches
    )
    if not pages:
        return []
    return (
        connection.execute(
            text(f"""
            WITH page AS MATERIALIZED (
              SELECT id FROM ({pages}) AS pages ORDER BY id DESC LIMIT :limit)
            {source("evaluation_shown")} JOIN page ON page.id = e.id ORDER BY e.id DESC"""),
            {"tenant": tenant, "limit": limit, **parameters},
        )
        .mappings()
        .all()
    )


def _branches(which: Filter) -> tuple[list[str], dict[str, Any]]:
    """Conditions that together select the evaluations, each of them one range of one index.

    Decided evaluations have a verdict and no others have one, so they are found by their verdict. Only a Fail
    has a ground.
    """
    if which.ground is not None:
        if which.verdict == Verdict.PASS:
            return [], {}
        which = replace(which, verdict=str(Verdict.FAIL))
    if which.verdict is not None and which.state not in {None, State.DECIDED}:
        return [], {}
    conditions, parameters = replace(which, state=None).sql()
    if which.verdict is not None:
        return [conditions], parameters
    if which.state == State.DECIDED:
        return [f"{conditions} AND e.verdict = '{verdict}'" for verdict in Verdict], parameters
    conditions, parameters = which.sql()
    return [conditions], parameters


def failed_ids(
    connection: Connection, tenant: str, which: Filter, *, limit: int, after: UUID | None = None
) -> list[UUID]:
    """The oldest failed evaluations of the tenant that the filter selects, beyond `after`."""
    return ids_for(connection, JobKind.REPLAY, tenant, which, limit=limit, after=after)


_TAKEN_BY: Final = {JobKind.REPLAY: "e.state = 'failed'", JobKind.REEVALUATE: source("reevaluable")}
"""Which evaluations a job takes: conditions over `e`."""


def ids_for(
    connection: Connection,
    kind: JobKind,
    tenant: str,
    which: Filter,
    *,
    limit: int,
    after: UUID | None = None,
) -> list[UUID]:
    """The oldest evaluations of the tenant that a job with this filter takes, beyond `after`."""
    conditions, parameters = which.sql()
    if after is not None:
        conditions += " AND e.id > :after"
        parameters["after"] = after
    return list(
        connection.execute(
            text(f"""
            SELECT e.id FROM evaluations e
            WHERE e.tenant = :tenant AND {_TAKEN_BY[kind]}{conditions} ORDER BY e.id LIMIT :limit"""),
            {"tenant": tenant, "limit": limit, **parameters},
        ).scalars()
    )


def count_for(connection: Connection, kind: JobKind, tenant: str, which: Filter) -> int:
    """How many evaluations of the tenant a job with this filter would take now."""
    conditions, parameters = which.sql()
    counted = connection.execute(
        text(f"""
        SELECT count(*) FROM evaluations e WHERE e.tenant = :tenant AND {_TAKEN_BY[kind]}{conditions}"""),
        {"tenant": tenant, **parameters},
    )
    return int(counted.scalar_one())


def events(connection: Connection, tenant: str, evaluation_id: UUID) -> Sequence[RowMapping] | None:
    """The audit trail of one evaluation, in order; None if the tenant has no such evaluation."""
    rows = (
        connection.execute(
            text("""
            SELECT v.number, v.at, v.move, v.before, v.after, v.actor, v.detail
            FROM events v JOIN evaluations e ON e.id = v.evaluation_id
            WHERE e.id = :id AND e.tenant = :tenant ORDER BY v.number"""),
            {"id": evaluation_id, "tenant": tenant},
        )
        .mappings()
        .all()
    )
    return rows or None


def settled(connection: Connection, evaluation_ids: Sequence[UUID]) -> set[UUID]:
    """Those of the evaluations that are in a state in which nothing moves by itself."""
    return set(
        connection.execute(
            text("SELECT id FROM evaluations WHERE id = ANY(:ids) AND state = ANY(:final)"),
            {"ids": list(evaluation_ids), "final": _FINAL},
        ).scalars()
    )
