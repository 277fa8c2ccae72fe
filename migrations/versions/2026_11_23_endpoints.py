"""Endpoints: the servers of the expert, the work they are given, and its outcomes.

Their rows belong to no tenant: the role of the API has no rights on them; the role of the watch reads
what was learned and which leases are under way to each.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
NOW = sa.text("now()")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "endpoints",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("max_concurrent", sa.Integer(), nullable=True),
        sa.Column("slots", sa.Float(), nullable=False),
        sa.Column("doubling", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("refused_at", sa.Float(), nullable=True),
        sa.Column("lowered_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("latency", sa.Float(), nullable=True),
        sa.Column("best_latency", sa.Float(), nullable=True),
        sa.Column("measured", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("breaker", sa.Text(), server_default=sa.text("'closed'"), nullable=False),
        sa.Column("since", MOMENT, server_default=NOW, nullable=False),
        sa.Column("until", MOMENT, nullable=True),
        sa.Column("in_a_row", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("probe", sa.Uuid(), nullable=True),
        sa.Column("last_fault", sa.String(), nullable=True),
        sa.Column("last_fault_at", MOMENT, nullable=True),
        sa.Column("answers", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("faults", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("seconds_sum", sa.Double(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "seconds_buckets",
            postgresql.ARRAY(sa.BigInteger()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
        sa.CheckConstraint("breaker IN ('closed', 'open', 'half_open')", name="breaker_known"),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "outcomes",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("token", sa.Uuid(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("retry_after", sa.Float(), nullable=True),
        sa.Column("leased_at", MOMENT, nullable=True),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute(
        "ALTER TABLE outcomes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"
    )
    op.add_column("leases", sa.Column("endpoint", sa.String(), nullable=True))
    op.add_column("examinations", sa.Column("endpoint", sa.String(), nullable=True))
    op.execute("GRANT SELECT ON endpoints TO ace_watch")
    op.execute("GRANT SELECT (endpoint) ON leases TO ace_watch")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("examinations", "endpoint")
    op.drop_column("leases", "endpoint")
    op.drop_table("outcomes")
    op.drop_table("endpoints")
