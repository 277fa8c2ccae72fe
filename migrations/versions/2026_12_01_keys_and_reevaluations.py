"""Keys that expire and show their last use, re-evaluations, an index of test filings.

The role of the watch may see who disabled a webhook.

Indexes are built without blocking writers, outside of the revision's transaction. So they come first, and
each step can be repeated if the revision is broken off.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
INDEXES = {
    "evaluations_by_supersedes": "UNIQUE INDEX CONCURRENTLY evaluations_by_supersedes"
    " ON evaluations (supersedes) WHERE supersedes IS NOT NULL AND state <> 'cancelled'",
    "filings_for_tests": "INDEX CONCURRENTLY filings_for_tests ON filings (created_at, id)"
    " WHERE purged_at IS NULL AND right(tenant, 5) = '~test'",
}


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
        op.add_column("evaluations", sa.Column("supersedes", sa.Uuid(), nullable=True), if_not_exists=True)
        for name, definition in INDEXES.items():
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"CREATE {definition}")
        op.execute("RESET lock_timeout")
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("keys", sa.Column("expires_at", MOMENT, nullable=True))
    op.add_column("keys", sa.Column("last_used_at", MOMENT, nullable=True))
    op.execute("GRANT UPDATE (last_used_at) ON keys TO ace_api")
    op.execute("GRANT SELECT (disabled_by) ON webhooks TO ace_watch")
    op.add_column(
        "evaluations",
        sa.Column("would_escalate", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column("evaluations", sa.Column("superseded_by", sa.Uuid(), nullable=True))
    op.add_column("jobs", sa.Column("kind", sa.Text(), server_default="replay", nullable=False))
    op.create_check_constraint("kind_known", "jobs", "kind IN ('replay', 'reevaluate')")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in INDEXES:
        op.execute(f"DROP INDEX IF EXISTS {name}")
    op.execute("REVOKE SELECT (disabled_by) ON webhooks FROM ace_watch")
    op.drop_constraint("kind_known", "jobs")
    for table, column in (
        *(("jobs", "kind"), ("evaluations", "superseded_by"), ("evaluations", "supersedes")),
        *(("evaluations", "would_escalate"), ("keys", "last_used_at"), ("keys", "expires_at")),
    ):
        op.drop_column(table, column)
