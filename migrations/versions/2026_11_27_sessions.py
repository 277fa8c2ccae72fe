"""Sessions of the desk, the scope `text`, and an index for lists of filings.

Keys that could read findings and rationales, which quote claims, may read the claims from now on.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
MINE = "tenant = (SELECT current_setting('ace.tenant', true))"
THIS = "hash = (SELECT decode(current_setting('ace.session', true), 'hex'))"
MY_KEY = "EXISTS (SELECT FROM keys k WHERE k.id = key_id)"  # of those that row security shows


def upgrade() -> None:
    # First, so that a revision that is broken off here has done nothing that it cannot do again.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS filings_by_tenant")
        op.execute("CREATE INDEX CONCURRENTLY filings_by_tenant ON filings (tenant, id)")
        op.execute("RESET lock_timeout")
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "sessions",
        sa.Column("hash", postgresql.BYTEA(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("once", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["keys.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.execute("GRANT SELECT, INSERT, UPDATE (until) ON sessions TO ace_api")
    op.execute("ALTER TABLE sessions ENABLE ROW LEVEL SECURITY")
    for command, rows in {
        "SELECT": f"USING ({MINE} OR {THIS})",
        "INSERT": f"WITH CHECK ({MINE} AND {MY_KEY})",
        "UPDATE": f"USING ({MINE}) WITH CHECK ({MINE})",
    }.items():
        op.execute(f"CREATE POLICY api_{command.lower()} ON sessions FOR {command} TO ace_api {rows}")
    op.execute("ALTER TABLE keys ALTER COLUMN scopes SET DEFAULT '{submit,read,text,replay}'")
    op.execute("UPDATE keys SET scopes = array_append(scopes, 'text') WHERE 'read' = ANY(scopes)")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("DROP INDEX filings_by_tenant")
    op.execute("UPDATE keys SET scopes = array_remove(scopes, 'text')")
    op.execute("ALTER TABLE keys ALTER COLUMN scopes SET DEFAULT '{submit,read,replay}'")
    op.drop_table("sessions")
