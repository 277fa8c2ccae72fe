"""Where a filing comes from: its request, and the span that stored it. A role for dispatchers and workers, so
that they need not log in as the owner of the tables."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

COLUMNS = ("request_id", "traceparent")
ROLE = "ace_work"

# What the role may do with a table; anything with those that are not named.
RIGHTS = {
    **dict.fromkeys(("keys", "sessions", "views"), ""),
    **dict.fromkeys(("alembic_version", "terms"), "SELECT"),
    "filings": "SELECT, UPDATE (metadata, purged_at)",
    "claims": "SELECT, UPDATE (text)",
    "events": "SELECT, INSERT",
    "examinations": "SELECT, INSERT, UPDATE (raw, reasoning, findings, disagreements)",
    "analyses": "SELECT, INSERT, UPDATE (claims)",
    "evaluations": "SELECT, INSERT, UPDATE",
}
ANYTHING = "SELECT, INSERT, UPDATE, DELETE"

# Dispatchers purge test filings, and lock others; what was filed in earnest stays as it is.
OF_TESTS = "right({}tenant, 5) = '~test'"
OF_TEST_FILING = f"EXISTS (SELECT FROM filings f WHERE f.id = filing_id AND {OF_TESTS.format('f.')})"
CHANGED_IN_TESTS = {
    "filings": OF_TESTS.format(""),
    "claims": OF_TEST_FILING,
    "analyses": OF_TEST_FILING,
    "examinations": (
        f"EXISTS (SELECT FROM evaluations e WHERE e.id = evaluation_id AND {OF_TESTS.format('e.')})"
    ),
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in COLUMNS:
        op.add_column("filings", sa.Column(name, sa.String(), nullable=True))
    op.execute(
        f"DO $$ BEGIN CREATE ROLE {ROLE} NOLOGIN;"
        " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
    )
    op.execute(f"GRANT USAGE ON SCHEMA public TO {ROLE}")
    for table in _tables():
        if rights := RIGHTS.get(table, ANYTHING):
            op.execute(f"GRANT {rights} ON {table} TO {ROLE}")
    for table in _tables(secured=True):
        if only := CHANGED_IN_TESTS.get(table):
            op.execute(f"CREATE POLICY work ON {table} FOR UPDATE TO {ROLE} USING (true) WITH CHECK ({only})")
            op.execute(f"CREATE POLICY work_select ON {table} FOR SELECT TO {ROLE} USING (true)")
            op.execute(f"CREATE POLICY work_insert ON {table} FOR INSERT TO {ROLE} WITH CHECK (true)")
        elif RIGHTS.get(table, ANYTHING):
            op.execute(f"CREATE POLICY work ON {table} FOR ALL TO {ROLE} USING (true) WITH CHECK (true)")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in _tables(secured=True):
        for policy in ("work", "work_select", "work_insert"):
            op.execute(f"DROP POLICY IF EXISTS {policy} ON {table}")
    op.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {ROLE}")
    op.execute(f"REVOKE ALL ON SCHEMA public FROM {ROLE}")
    for name in COLUMNS:
        op.drop_column("filings", name)


def _tables(*, secured: bool = False) -> list[str]:
    """The tables, or those with row security."""
    found = op.get_bind().execute(
        sa.text(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
            " AND (relrowsecurity OR NOT :secured) ORDER BY 1"
        ),
        {"secured": secured},
    )
    return list(found.scalars())
