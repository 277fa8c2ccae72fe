"""Which dispatchers and workers run, and when each was last seen. The role of the watch knows the names of
tenants with a key, so that a pause of none of them is refused."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
NOW = sa.text("now()")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "workers",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("started_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("seen_at", MOMENT, server_default=NOW, nullable=False),
        sa.CheckConstraint(
            "part IN ('dispatcher', 'gatekeeper', 'expert-worker', 'webhook-worker')", name="part_known"
        ),
        sa.PrimaryKeyConstraint("name"),
    )
    op.execute("GRANT SELECT ON workers TO ace_watch")
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON workers TO ace_work")
    op.execute("GRANT SELECT (tenant) ON keys TO ace_watch")
    op.execute("CREATE POLICY watch ON keys FOR SELECT TO ace_watch USING (true)")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("DROP POLICY watch ON keys")
    op.execute("REVOKE SELECT (tenant) ON keys FROM ace_watch")
    op.drop_table("workers")
