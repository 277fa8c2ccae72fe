"""Analyses: what the rules know of every claim of a filing, by version of the rules; and the gatekeeper's
disputes.

The table `findings` keeps what was found before; nothing is added to it any more.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

MY_FILING = (
    "EXISTS (SELECT FROM filings f WHERE f.id = filing_id"
    " AND f.tenant = (SELECT current_setting('ace.tenant', true)))"
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "analyses",
        sa.Column("filing_id", sa.Uuid(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
        sa.Column("jurisdiction", sa.String(), nullable=False),
        sa.Column("claims", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["filing_id"], ["filings.id"]),
        sa.PrimaryKeyConstraint("filing_id", "rules", "jurisdiction"),
    )
    # Explanations quote claims, so the planner must keep no samples of them.
    op.execute("ALTER TABLE analyses ALTER COLUMN claims SET STATISTICS 0")
    op.execute("GRANT SELECT ON analyses TO ace_api")
    op.execute("ALTER TABLE analyses ENABLE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY api_select ON analyses FOR SELECT TO ace_api USING ({MY_FILING})")
    op.add_column("evaluations", sa.Column("certain", sa.Float(), nullable=True))
    op.add_column("evaluations", sa.Column("span", postgresql.ARRAY(sa.Integer()), nullable=True))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name in ("span", "certain"):
        op.drop_column("evaluations", name)
    op.drop_table("analyses")
