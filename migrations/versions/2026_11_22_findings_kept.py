"""Findings kept: the findings of the rules on claims that the gatekeeper failed or escalated.

A table of its own, so that the evaluations, which every move rewrites, stay narrow.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MY_EVALUATION = (
    "EXISTS (SELECT FROM evaluations e WHERE e.id = evaluation_id"
    " AND e.tenant = (SELECT current_setting('ace.tenant', true)))"
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "findings",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("jurisdiction", sa.String(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("found", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"]),
        sa.PrimaryKeyConstraint("evaluation_id"),
    )
    # Explanations quote claims, so the planner must keep no samples of them.
    op.execute("ALTER TABLE findings ALTER COLUMN found SET STATISTICS 0")
    op.execute("GRANT SELECT ON findings TO ace_api")
    op.execute("ALTER TABLE findings ENABLE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY api_select ON findings FOR SELECT TO ace_api USING ({MY_EVALUATION})")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("findings")
