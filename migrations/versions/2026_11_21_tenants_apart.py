"""Tenants apart: row security, key scopes, tallies, fair dispatch, retention.

Indexes are built without blocking writers, so each of them is a step of its own that can be repeated
after an interrupted migration.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)

# name -> columns and condition
NEW_INDEXES = {
    "evaluations_due_fast": "(tenant, priority, due_at, id) WHERE state = 'queued'",
    "evaluations_due_slow": "(tenant, priority, due_at, id) WHERE state = 'escalated'",
    "evaluations_by_state": "(tenant, state, id) WHERE state <> 'decided'",
    "evaluations_by_verdict": "(tenant, verdict, id) WHERE verdict IS NOT NULL",
    "evaluations_by_error": "(tenant, error, id) WHERE error IS NOT NULL",
}
OLD_INDEXES = {
    "evaluations_due_fast": "(priority, due_at, id) WHERE state = 'queued'",
    "evaluations_due_slow": "(priority, due_at, id) WHERE state = 'escalated'",
    "evaluations_failed": "(tenant, id) WHERE state = 'failed'",
}

# Samples of these would be kept in the statistics of the planner.
SECRET = (("claims", "text"), ("examinations", "raw"), ("examinations", "reasoning"), ("filings", "metadata"))

MINE = "tenant = (SELECT current_setting('ace.tenant', true))"
MY_FILING = f"EXISTS (SELECT FROM filings f WHERE f.id = filing_id AND f.{MINE})"
MY_EVALUATION = f"EXISTS (SELECT FROM evaluations e WHERE e.id = evaluation_id AND e.{MINE})"
THIS_KEY = "id = (SELECT current_setting('ace.key', true))"

# What the role of the API may do, and on which rows: table -> rights, (command, rows it sees, rows it makes).
API: dict[str, tuple[str, list[tuple[str, str | None, str | None]]]] = {
    "keys": (
        "SELECT, INSERT, UPDATE (revoked_at)",
        [
            ("SELECT", f"{MINE} OR {THIS_KEY}", None),
            ("INSERT", None, MINE),
            ("UPDATE", MINE, MINE),
        ],
    ),
    "filings": ("SELECT, INSERT", [("SELECT", MINE, None), ("INSERT", None, MINE)]),
    "claims": ("SELECT, INSERT", [("SELECT", MY_FILING, None), ("INSERT", None, MY_FILING)]),
    "evaluations": (
        "SELECT, INSERT, UPDATE (state, lease, tries, examined, outages, due_at, moves, updated_at)",
        [
            ("SELECT", MINE, None),
            ("INSERT", None, f"{MINE} AND {MY_FILING}"),
            ("UPDATE", MINE, MINE),
        ],
    ),
    "examinations": ("SELECT", [("SELECT", MY_EVALUATION, None)]),
    # A first event is written in the statement that makes the evaluation, which no policy can see yet;
    # who has one already gets no other first event.
    "events": (
        "SELECT, INSERT",
        [
            ("SELECT", MY_EVALUATION, None),
            ("INSERT", None, f"(number = 1 AND move = 'submit') OR {MY_EVALUATION}"),
        ],
    ),
    "tallies": ("SELECT, INSERT", [("SELECT", MINE, None), ("INSERT", None, MINE)]),
}
# What counts and waits may look at, over all tenants: no text, no verdict, no docket.
WATCH = {
    "evaluations": "id, tenant, priority, state, due_at",
    "leases": "token, stage, made_at, started_at, until",
    "tallies": "state, decided_by, count",
    "alembic_version": "version_num",
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "tallies",
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.execute(
        "ALTER TABLE tallies SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"
    )
    op.add_column("filings", sa.Column("purged_at", MOMENT, nullable=True))
    op.add_column("leases", sa.Column("made_at", MOMENT, server_default=sa.text("now()"), nullable=False))
    scopes = sa.text("'{submit,read,replay}'")
    op.add_column(
        "keys", sa.Column("scopes", postgresql.ARRAY(sa.Text()), server_default=scopes, nullable=False)
    )
    op.add_column("keys", sa.Column("requests_per_second", sa.REAL(), nullable=True))
    # Counting starts from what is there, while nothing moves.
    op.execute("LOCK TABLE evaluations IN SHARE MODE")
    op.execute(
        "INSERT INTO tallies (tenant, state, decided_by, count)"
        " SELECT tenant, state, coalesce(decided_by, ''), count(*) FROM evaluations GROUP BY 1, 2, 3"
    )
    _secure()
    for table, column in SECRET:
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0")
        op.execute(f"SELECT pg_clear_attribute_stats('public', '{table}', '{column}', false)")
    with op.get_context().autocommit_block():
        _replace_indexes(OLD_INDEXES, NEW_INDEXES)


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table, (_, policies) in API.items():
        for command, *_ in policies:
            op.execute(f"DROP POLICY api_{command.lower()} ON {table}")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    for table in ("evaluations", "tallies"):
        op.execute(f"DROP POLICY watch ON {table}")
    op.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ace_api, ace_watch")
    op.execute("REVOKE ALL ON SCHEMA public FROM ace_api, ace_watch")
    for table, column in SECRET:
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS -1")
    op.drop_table("tallies")
    op.drop_column("keys", "requests_per_second")
    op.drop_column("keys", "scopes")
    op.drop_column("leases", "made_at")
    op.drop_column("filings", "purged_at")
    with op.get_context().autocommit_block():
        _replace_indexes(NEW_INDEXES, OLD_INDEXES)


def _secure() -> None:
    """Two roles without a login, for whoever is given them; roles belong to the whole server."""
    for role in ("ace_api", "ace_watch"):
        op.execute(
            f"DO $$ BEGIN CREATE ROLE {role} NOLOGIN;"
            " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
        )
        op.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
    for table, (rights, policies) in API.items():
        op.execute(f"GRANT {rights} ON {table} TO ace_api")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        for command, seen, made in policies:
            using = f"USING ({seen})" if seen else ""
            check = f"WITH CHECK ({made})" if made else ""
            op.execute(
                f"CREATE POLICY api_{command.lower()} ON {table} FOR {command} TO ace_api {using} {check}"
            )
    for table, columns in WATCH.items():
        op.execute(f"GRANT SELECT ({columns}) ON {table} TO ace_watch")
    op.execute("CREATE POLICY watch ON evaluations FOR SELECT TO ace_watch USING (true)")
    op.execute("CREATE POLICY watch ON tallies FOR SELECT TO ace_watch USING (true)")


def _replace_indexes(old: dict[str, str], new: dict[str, str]) -> None:
    """Builds the new before the old go, since dispatching never stops."""
    op.execute("SET lock_timeout = '5s'")
    for name, definition in new.items():
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}_new")  # left by a step that was broken off
        op.execute(f"CREATE INDEX CONCURRENTLY {name}_new ON evaluations {definition}")
    for name in old:
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    for name in new:
        op.execute(f"ALTER INDEX {name}_new RENAME TO {name}")
    op.execute("RESET lock_timeout")
