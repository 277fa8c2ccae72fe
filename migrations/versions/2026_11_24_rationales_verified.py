"""Rationales verified: the verification of an answer, the question it answers, and the score that routed.

Both sides of a disagreement quote the claim. They stay in the table of rationales, under its row
security; counts without a tenant are in a table of their own, which the watch reads.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

EXAMINATIONS: dict[str, sa.types.TypeEngine[Any]] = {
    "cut": sa.Boolean(),
    "calls": sa.SmallInteger(),
    "findings": postgresql.JSONB(),
    "disagreements": postgresql.JSONB(),
    "opinions": sa.SmallInteger(),
    "agreeing": sa.SmallInteger(),
}
# Columns that quote claims: the statistics of the planner must not keep samples of them.
SECRET = ("findings", "disagreements")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for name, kind in EXAMINATIONS.items():
        op.add_column("examinations", sa.Column(name, kind, nullable=True))
    for name in SECRET:
        op.execute(f"ALTER TABLE examinations ALTER COLUMN {name} SET STATISTICS 0")
    op.add_column("evaluations", sa.Column("score", sa.String(), nullable=True))
    op.add_column("evaluations", sa.Column("doubt", sa.Float(), nullable=True))
    op.add_column(
        "evaluations", sa.Column("disputed", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.create_table(
        "disputes",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "id"),
    )
    op.execute(
        "ALTER TABLE disputes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"
    )
    op.execute("GRANT SELECT ON disputes TO ace_watch")
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS evaluations_disputed")  # of a step that was broken off
        op.execute(
            "CREATE INDEX CONCURRENTLY evaluations_disputed ON evaluations (tenant, id) WHERE disputed"
        )
        op.execute("RESET lock_timeout")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("disputes")
    for name in ("disputed", "doubt", "score"):
        op.drop_column("evaluations", name)  # its index goes with it
    for name in EXAMINATIONS:
        op.drop_column("examinations", name)
