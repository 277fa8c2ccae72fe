"""Models and calibrations as rows, what a shadow says, and how each day of a model looked."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
NOW = sa.text("now()")
MINE = "tenant = (SELECT current_setting('ace.tenant', true))"
CHANGED = "state, share, report, report_digest, replaced, changed_at"
COUNTS = postgresql.ARRAY(sa.BigInteger())
# What counts and pages may look at: a shadow's scores without the claims that they are of.
WATCH = {
    "models": "*",
    "shadow_scores": "model_id, escalated, called, doubt, live_escalated, live_called, live_doubt, at",
    "model_days": "*",
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "models",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("calibration", sa.String(), nullable=False),
        sa.Column("record", postgresql.JSONB(), nullable=False),
        sa.Column("report", sa.String(), nullable=True),
        sa.Column("report_digest", sa.String(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("share", postgresql.REAL(), nullable=False),
        sa.Column("replaced", sa.Uuid(), nullable=True),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("changed_at", MOMENT, server_default=NOW, nullable=False),
        sa.CheckConstraint("state IN ('proposed', 'shadow', 'active', 'retired')", name="state_known"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("models_by_digest", "models", ["tenant", "digest"], unique=True)
    for name, condition in (
        ("standing", "state = 'active' AND share >= 100"),
        ("canary", "state = 'active' AND share < 100"),
        ("shadow", "state = 'shadow'"),
    ):
        op.create_index(
            f"models_{name}", "models", ["tenant"], unique=True, postgresql_where=sa.text(condition)
        )
    op.create_table(
        "shadow_scores",
        sa.Column("model_id", sa.Uuid(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("escalated", sa.Boolean(), nullable=False),
        sa.Column("called", sa.String(), nullable=False),
        sa.Column("doubt", sa.Float(), nullable=True),
        sa.Column("live_escalated", sa.Boolean(), nullable=False),
        sa.Column("live_called", sa.String(), nullable=False),
        sa.Column("live_doubt", sa.Float(), nullable=True),
        sa.Column("live_calibration", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("model_id", "evaluation_id"),
    )
    op.create_table(
        "model_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("calibration", sa.String(), nullable=False),
        sa.Column("claims", sa.BigInteger(), nullable=False),
        sa.Column("doubtful", sa.BigInteger(), nullable=False),
        sa.Column("decided", sa.BigInteger(), nullable=False),
        sa.Column("score", COUNTS, nullable=False),
        sa.Column("length", COUNTS, nullable=False),
        sa.Column("classes", COUNTS, nullable=False),
        sa.Column("effects", postgresql.JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("day", "model", "calibration"),
    )
    op.execute(f"GRANT SELECT, UPDATE ({CHANGED}) ON models TO ace_api")
    op.execute("ALTER TABLE models ENABLE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY api_select ON models FOR SELECT TO ace_api USING ({MINE})")
    op.execute(f"CREATE POLICY api_update ON models FOR UPDATE TO ace_api USING ({MINE}) WITH CHECK ({MINE})")
    op.execute("CREATE POLICY watch ON models FOR SELECT TO ace_watch USING (true)")
    for table, columns in WATCH.items():
        seen = "" if columns == "*" else f" ({columns})"
        op.execute(f"GRANT SELECT{seen} ON {table} TO ace_watch")
    op.execute("GRANT SELECT ON models TO ace_work")
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON shadow_scores, model_days TO ace_work")
    op.execute("CREATE POLICY work ON models FOR ALL TO ace_work USING (true) WITH CHECK (true)")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in ("model_days", "shadow_scores", "models"):
        op.drop_table(table)
