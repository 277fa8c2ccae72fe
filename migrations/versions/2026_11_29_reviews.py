"""Reviews, the audit sample, saved views, the scope `review`, and the status that an amendment gave a claim.

Rows of the new tables are added and never changed, but for the words of reviews, which a purge removes.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
NOW = sa.text("now()")
MINE = "tenant = (SELECT current_setting('ace.tenant', true))"
MY_EVALUATION = f"EXISTS (SELECT FROM evaluations e WHERE e.id = evaluation_id AND e.{MINE})"
# What the role of the API may add to each table, beside reading its tenant's rows.
MAKES = {
    "reviews": f"{MINE} AND {MY_EVALUATION}",
    "audit_sample": f"{MINE} AND {MY_EVALUATION}",
    "views": MINE,
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "reviews",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("rule", sa.String(), nullable=True),
        sa.Column("place", postgresql.ARRAY(sa.Integer()), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("span", postgresql.ARRAY(sa.Integer()), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("seconds", postgresql.REAL(), nullable=True),
        sa.Column("reviewer", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.CheckConstraint("answer IN ('agree', 'disagree', 'unsure')", name="answer_known"),
        sa.CheckConstraint("status IN ('reviewed', 'adjudicated')", name="status_known"),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("reviews_by_evaluation", "reviews", ["evaluation_id", "id"])
    op.create_index("reviews_by_tenant", "reviews", ["tenant", "id"])
    # A reason may quote the claim, so the planner must keep no samples of it.
    op.execute("ALTER TABLE reviews ALTER COLUMN reason SET STATISTICS 0")
    op.create_table(
        "audit_sample",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"]),
        sa.PrimaryKeyConstraint("evaluation_id", "probability"),
    )
    op.create_index("audit_sample_by_tenant", "audit_sample", ["tenant", "evaluation_id"])
    op.create_table(
        "views",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("query", sa.String(), nullable=True),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.ForeignKeyConstraint(["key_id"], ["keys.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("views_by_key", "views", ["tenant", "key_id", "name", "id"])
    for table, made in MAKES.items():
        op.execute(f"GRANT SELECT, INSERT ON {table} TO ace_api")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY api_select ON {table} FOR SELECT TO ace_api USING ({MINE})")
        op.execute(f"CREATE POLICY api_insert ON {table} FOR INSERT TO ace_api WITH CHECK ({made})")
    op.add_column("claims", sa.Column("status", sa.String(), nullable=True))
    op.execute("ALTER TABLE keys ALTER COLUMN scopes SET DEFAULT '{submit,read,text,replay,review}'")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("UPDATE keys SET scopes = array_remove(scopes, 'review') WHERE 'review' = ANY(scopes)")
    op.execute("ALTER TABLE keys ALTER COLUMN scopes SET DEFAULT '{submit,read,text,replay}'")
    op.drop_column("claims", "status")
    for table in ("views", "audit_sample", "reviews"):
        op.drop_table(table)
