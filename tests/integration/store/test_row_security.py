"""The second lock: what the API's roles may see and do in the database, whatever their SQL asks for."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import ProgrammingError

from ace import flow
from ace.claims.terms import TermKind
from ace.store import jobs, keys, moves, pauses, reads, sessions, terms, views
from ace.store.database import connect_engine, transact
from ace.store.operating_tables import PauseKind
from ace.store.tables import Stage
from ace.types.endpoint_state import EndpointState
from tests import factories

US: Final = "office"
THEM: Final = "stranger"

# The role of the API has no rights on these at all.
OTHERS: Final = {
    *("leases", "endpoints", "outcomes", "disputes", "alembic_version"),
    *("shadow_scores", "model_days", "workers"),
}

# A row of theirs in each table, as somebody would make it who has got hold of their ids.
FORGED: Final = {
    "keys": "INSERT INTO keys (id, tenant, hash, label) VALUES ('k', :tenant, '', '')",
    "sessions": "INSERT INTO sessions (hash, tenant, key_id, once, until)"
    " SELECT '', :tenant, min(id), false, now() FROM keys",
    "filings": "INSERT INTO filings (id, tenant, docket, priority, metadata, claim_count, body_hash)"
    " VALUES (:new, :tenant, 'D', 5, '{}', 1, '')",
    "claims": "INSERT INTO claims (filing_id, number, text, ancestors) VALUES (:filing, 99, 'A hook.', '{}')",
    "evaluations": "INSERT INTO evaluations (id, tenant, filing_id, claim_number, state, priority, size,"
    " tries, examined, outages, moves) VALUES (:new, :tenant, :filing, 1, 'queued', 5, 1, 0, 0, 0, 1)",
    "examinations": "INSERT INTO examinations (id, evaluation_id, number, prompt_version, seconds)"
    " VALUES (:new, :evaluation, 1, 'p', 0)",
    "analyses": "INSERT INTO analyses (filing_id, rules, jurisdiction, claims)"
    " VALUES (:filing, 'r', 'US', '{}')",
    "findings": "INSERT INTO findings (evaluation_id, jurisdiction, threshold, rules, found)"
    " VALUES (:evaluation, 'US', 0.5, 'r', '[]')",
    "events": "INSERT INTO events (evaluation_id, number, move, after, actor)"
    " VALUES (:evaluation, 99, 'submit', 'queued', 'x')",
    "reviews": "INSERT INTO reviews (id, tenant, evaluation_id, answer, status, blind, reviewer)"
    " VALUES (:new, :tenant, :evaluation, 'agree', 'reviewed', false, 'x')",
    "audit_sample": "INSERT INTO audit_sample (evaluation_id, probability, tenant, actor)"
    " VALUES (:evaluation, 1, :tenant, 'x')",
    "views": "INSERT INTO views (id, tenant, key_id, name, query)"
    " SELECT :new, :tenant, min(id), 'v', '' FROM keys",
    "terms": "INSERT INTO terms (id, tenant, kind, term, reason, actor)"
    " VALUES (:new, :tenant, 'ignore', 'lever', '', 'x')",
    "tallies": "INSERT INTO tallies (tenant, state, decided_by, count) VALUES (:tenant, 'queued', '', 1)",
    "pauses": "INSERT INTO pauses (id, tenant, kind, name, drain, reason, actor)"
    " VALUES (:new, :tenant, 'tenant', 'x', false, 'r', 'a')",
    "jobs": "INSERT INTO jobs (id, tenant, filter, reason, actor, matched)"
    " VALUES (:new, :tenant, '{}', 'r', 'a', 0)",
    "acts": "INSERT INTO acts (id, tenant, actor, act, target, reason)"
    " VALUES (:new, :tenant, 'a', 'pause', 't', 'r')",
    "models": "INSERT INTO models"
    " (id, tenant, digest, model, calibration, record, state, share, actor, reason)"
    " VALUES (:new, :tenant, 'd', 'm', 'c', '{}', 'active', 100, 'a', 'r')",
    "decided_by_minute": "INSERT INTO decided_by_minute (tenant, decided_by, minute, total)"
    " VALUES (:tenant, 'expert', now(), 1)",
    "outbox": "INSERT INTO outbox (tenant, kind, subjects, details) VALUES (:tenant, 'x', '{}', '{}')",
    "notices": "INSERT INTO notices (tenant, number, id, kind, at) VALUES (:tenant, 99, :new, 'x', now())",
    "webhooks": "INSERT INTO webhooks (id, tenant, url, kinds, description)"
    " VALUES (:new, :tenant, '', '{}', '')",
    "webhook_secrets": "INSERT INTO webhook_secrets (id, webhook_id, fingerprint)"
    " VALUES (:new, :webhook, '')",
    "deliveries": "INSERT INTO deliveries (webhook_id, event_id, tenant, number)"
    " VALUES (:webhook, :new, :tenant, 1)",
}
# What ever changes under this role, and which columns of it.
CHANGES: Final = {
    "keys": {"revoked_at", "last_used_at"},
    "sessions": {"until"},
    "evaluations": {"state", "lease", "tries", "examined", "outages", "due_at", "moves", "updated_at"},
    "terms": {"removed_at", "removed_by"},
    "pauses": {"drain", "ended_at"},
    "jobs": {"state", "ended_at"},
    "models": {"state", "share", "report", "report_digest", "replaced", "changed_at"},
    "webhooks": {
        *("url", "kinds", "description", "disabled_at", "disabled_by"),
        *("failing_since", "paused_until", "deleted_at"),
    },
    "webhook_secrets": {"until"},
    "deliveries": {"state", "due_at", "tried", "done_at"},
}
# Findings as they were kept before there were analyses.
EARLIER: Final = (
    "INSERT INTO findings (evaluation_id, jurisdiction, threshold, rules, found)"
    " SELECT unnest(CAST(:ids AS uuid[])), 'US', 0.5, 'r', '[]'"
)
REVIEWED: Final = (
    "INSERT INTO reviews (id, tenant, evaluation_id, answer, status, blind, reviewer)"
    " SELECT id, tenant, id, 'agree', 'reviewed', false, 'x' FROM evaluations"
)
DRAWN: Final = (
    "INSERT INTO audit_sample (evaluation_id, probability, tenant, actor)"
    " SELECT id, 1, tenant, 'x' FROM evaluations"
)
WATCHED: Final = {
    "evaluations": {"id", "tenant", "filing_id", "priority", "state", "due_at", "lease", "updated_at"},
    "leases": {"token", "stage", "made_at", "started_at", "until", "endpoint", "worker"},
    "pauses": {"id", "tenant", "kind", "name", "drain", "reason", "actor", "at", "ended_at"},
    "decided_by_minute": {"tenant", "decided_by", "minute", "total"},
    "models": {
        *("id", "tenant", "digest", "model", "calibration", "record", "report", "report_digest"),
        *("state", "share", "replaced", "actor", "reason", "at", "changed_at"),
    },
    "shadow_scores": {
        *("model_id", "escalated", "called", "doubt"),
        *("live_escalated", "live_called", "live_doubt", "at"),
    },
    "model_days": {
        *("day", "model", "calibration", "claims", "doubtful", "decided"),
        *("score", "length", "classes", "effects"),
    },
    "endpoints": {field.name for field in fields(EndpointState)},
    "tallies": {"tenant", "state", "decided_by", "count"},
    "disputes": {"kind", "id", "count"},
    "outbox": {"id", "at"},
    "notices": {"tenant", "number"},
    "webhooks": {"id", "disabled_at", "disabled_by", "failing_since", "deleted_at"},
    "deliveries": {"webhook_id", "event_id", "state", "due_at", "lease"},
    "keys": {"tenant"},
    "workers": {"name", "part", "host", "started_at", "seen_at"},
    "alembic_version": {"version_num"},
}


@pytest.fixture
def theirs(db: Engine) -> dict[str, UUID]:
    """Two tenants with rows in every table; the ids of one of them."""
    hooks = {}
    for tenant in (US, THEM):
        hooks[tenant] = factories.webhook(db, tenant)
        factories.submit(db, factories.new_filing(tenant=tenant))
        key_id, _ = transact(db, partial(keys.create, tenant=tenant, label="tests"))
        transact(db, partial(sessions.create, tenant=tenant, key_id=key_id))
        transact(
            db, lambda connection, t=tenant, k=key_id: views.save(connection, t, k, "mine", "", actor="me")
        )
        put = partial(terms.add, kind=TermKind.IGNORE, term="hook", actor="me", reason="")
        transact(db, partial(put, tenant=tenant))
        order = pauses.Order(tenant, "a", "r")
        pause = partial(pauses.begin, order=order, kind=PauseKind.TENANT, name=tenant, drain=False)
        pause_id = transact(db, pause)
        transact(db, partial(pauses.end, order=order, pause=pause_id))
        transact(db, partial(jobs.order, given=order, which=reads.Filter()))
        with db.begin() as connection:
            connection.execute(text(FORGED["models"]), {"tenant": tenant, "new": uuid4()})
            connection.execute(
                text(FORGED["decided_by_minute"].replace("now()", "'2026-11-20'")), {"tenant": tenant}
            )
    while leased := factories.lease(db, Stage.FAST):
        said = factories.verdicts(leased.evaluations, escalate=True)
        factories.analyse(db, leased)
        transact(db, partial(moves.screened, token=leased.token, screened=said, actor="w"))
        with db.begin() as connection:
            connection.execute(text(EARLIER), {"ids": list(leased.evaluations)})
    while leased := factories.lease(db, Stage.SLOW):
        examination = factories.examination(leased.evaluations[0], error="timeout")
        transact(db, partial(moves.failed, token=leased.token, examination=examination, actor="w"))
    with db.begin() as connection:
        connection.execute(text(REVIEWED))
        connection.execute(text(DRAWN))
    transact(db, moves.number_notices)
    with db.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO outbox (tenant, kind, subjects, details)"
                " SELECT tenant, kind, '{}', '{}' FROM notices"
            )
        )
        sql = "SELECT id AS evaluation, filing_id AS filing FROM evaluations WHERE tenant = :tenant LIMIT 1"
        found = dict(connection.execute(text(sql), {"tenant": THEM}).mappings().one())
    return {**found, "webhook": hooks[THEM]}


@pytest.fixture
def api(postgres_url: str) -> Iterator[Engine]:
    engine = connect_engine(postgres_url, name="tests api", pool=1, role="ace_api")
    yield engine
    engine.dispose()


@pytest.fixture
def watch(postgres_url: str) -> Iterator[Engine]:
    engine = connect_engine(postgres_url, name="tests watch", role="ace_watch")
    yield engine
    engine.dispose()


def counted(db: Engine, table: str, condition: str = "true", *, tenant: str | None = None) -> int:
    """Rows that an engine finds, acting for a tenant or for nobody."""

    def work(connection: Connection) -> int:
        sql = f"SELECT count(*) FROM {table} WHERE {condition}"
        return int(connection.execute(text(sql), {"tenant": THEM}).scalar_one())

    return transact(db, work, tenant=tenant)


def tables(db: Engine, condition: str = "true") -> set[str]:
    sql = f"""
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND {condition}"""
    with db.connect() as connection:
        return set(connection.execute(text(sql)).scalars())


def rights(db: Engine, role: str) -> set[tuple[str, str, str]]:
    """(table, column, right) of all that a role may do."""
    sql = """
    SELECT c.relname, a.attname, kind FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0
    CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS kind
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT attisdropped
      AND has_column_privilege(:role, c.oid, attnum, kind)"""
    with db.connect() as connection:
        return {tuple(row) for row in connection.execute(text(sql), {"role": role})}


# What there is


def test_every_table_is_behind_row_security_or_out_of_reach(db: Engine) -> None:
    """A new table fails here until it is in one of the two lists above."""
    assert tables(db) == factories.ROWS.keys() | OTHERS
    assert factories.ROWS.keys() <= tables(db, "relrowsecurity")
    assert {table for table, *_ in rights(db, "ace_api")} == factories.ROWS.keys()


@pytest.mark.parametrize("role", ["ace_api", "ace_watch"])
def test_the_roles_have_no_way_around_it(db: Engine, role: str) -> None:
    with db.connect() as connection:
        sql = """
        SELECT rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole
          OR EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid)
        FROM pg_roles WHERE rolname = :role"""
        assert connection.execute(text(sql), {"role": role}).scalar_one() is False
    assert tables(db, f"has_table_privilege('{role}', oid, 'DELETE, TRUNCATE, TRIGGER')") == set()


def test_only_what_moves_may_be_changed(db: Engine) -> None:
    changed = {(table, column) for table, column, kind in rights(db, "ace_api") if kind == "UPDATE"}
    assert changed == {(table, column) for table, columns in CHANGES.items() for column in columns}


def test_the_watch_sees_states_and_counts_and_no_more(db: Engine) -> None:
    seen = rights(db, "ace_watch")
    assert {kind for *_, kind in seen} == {"SELECT"}
    assert {(table, column) for table, column, _ in seen} == {
        (table, column) for table, columns in WATCHED.items() for column in columns
    }


# What it does


@pytest.mark.parametrize("table", sorted(factories.ROWS))
def test_nobody_sees_nothing_and_a_tenant_its_own(
    db: Engine, api: Engine, theirs: dict[str, UUID], table: str
) -> None:
    of_both, of_them = counted(db, table), counted(db, table, factories.ROWS[table])
    assert 0 < of_them < of_both

    assert counted(api, table) == 0
    assert counted(api, table, tenant="nobody") == 0
    assert counted(api, table, tenant="") == 0
    assert counted(api, table, tenant=US) == of_both - of_them
    assert counted(api, table, factories.ROWS[table], tenant=US) == 0
    assert counted(api, table, tenant=THEM) == of_them
    assert counted(api, table) == 0  # the connection has forgotten them


@pytest.mark.parametrize("acting", [None, US])
@pytest.mark.parametrize("table", sorted(FORGED))
def test_nothing_can_be_made_in_another_tenants_name(
    api: Engine, db: Engine, theirs: dict[str, UUID], table: str, acting: str | None
) -> None:
    before = counted(db, table)
    with pytest.raises(ProgrammingError, match=r"row-level security|permission denied"):
        forge(api, FORGED[table], {**theirs, "tenant": THEM}, acting)
    assert counted(db, table) == before


def test_their_claim_cannot_be_evaluated_in_our_name(api: Engine, theirs: dict[str, UUID]) -> None:
    with pytest.raises(ProgrammingError, match="row-level security"):
        forge(api, FORGED["evaluations"], {**theirs, "tenant": US}, US)


@pytest.mark.parametrize("acting", [None, US])
@pytest.mark.parametrize(("table", "column"), [(table, min(columns)) for table, columns in CHANGES.items()])
def test_nothing_of_another_tenant_can_be_changed(
    api: Engine, theirs: dict[str, UUID], table: str, column: str, acting: str | None
) -> None:
    whose = {"webhook_secrets": "(SELECT tenant FROM webhooks w WHERE w.id = webhook_id)"}.get(
        table, "tenant"
    )
    sql = text(f"UPDATE {table} SET {column} = {column} RETURNING {whose}")
    changed = transact(api, lambda connection: connection.execute(sql).scalars().all(), tenant=acting)
    assert set(changed) == ({acting} if acting else set())


@pytest.mark.parametrize("sql", ["DELETE FROM {}", "TRUNCATE {}"])
@pytest.mark.parametrize("table", sorted(factories.ROWS.keys() | OTHERS))
def test_nothing_can_be_deleted(api: Engine, theirs: dict[str, UUID], table: str, sql: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        transact(api, lambda connection: connection.execute(text(sql.format(table))), tenant=US)


def test_moves_that_name_another_tenant_move_nothing(
    api: Engine, db: Engine, theirs: dict[str, UUID]
) -> None:
    """As a fault in our own code would: the statement asks for them, the transaction is for us."""
    orders: list[Callable[[Connection], Any]] = [
        lambda connection: moves.replay(connection, THEM, [theirs["evaluation"]], actor="x"),
        lambda connection: moves.cancel(connection, THEM, theirs["filing"], actor="x"),
        lambda connection: reads.evaluations(connection, THEM, reads.Filter(), after=None, limit=9),
    ]
    for order in orders:
        assert not transact(api, order, tenant=US)
    with pytest.raises(ProgrammingError, match="row-level security"):
        flow.submit(api, [factories.new_filing(tenant=THEM)], actor="x", tenant=US)
    assert set(factories.states(db).values()) == {"failed"}


def forge(api: Engine, sql: str, values: dict[str, Any], acting: str | None) -> None:
    given = {**values, "new": uuid4()}
    transact(api, lambda connection: connection.execute(text(sql), given), tenant=acting)
