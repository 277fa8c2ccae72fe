"""Term lists of tenants, and which list an analysis obeys."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
MINE = "tenant = (SELECT current_setting('ace.tenant', true))"


def upgrade() -> None:
    # First, so that a revision that is broken off here has done nothing that it cannot do again.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
        terms = sa.Column("terms", sa.String(), server_default="", nullable=False)
        op.add_column("analyses", terms, if_not_exists=True)
        op.execute("RESET lock_timeout")
    _change_key("filing_id, rules, jurisdiction, terms")
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "terms",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("term", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.Column("removed_at", MOMENT, nullable=True),
        sa.Column("removed_by", sa.String(), nullable=True),
        sa.CheckConstraint("kind IN ('ignore', 'keep_together')", name="kind_known"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "terms_in_force",
        "terms",
        ["tenant", "kind", "term"],
        unique=True,
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    # A term may be words of a claim, so the planner must keep no samples of it.
    for column in ("term", "reason"):
        op.execute(f"ALTER TABLE terms ALTER COLUMN {column} SET STATISTICS 0")
    op.execute("GRANT SELECT, INSERT, UPDATE (removed_at, removed_by) ON terms TO ace_api")
    op.execute("ALTER TABLE terms ENABLE ROW LEVEL SECURITY")
    for command, rows in {
        "SELECT": f"USING ({MINE})",
        "INSERT": f"WITH CHECK ({MINE})",
        "UPDATE": f"USING ({MINE}) WITH CHECK ({MINE})",
    }.items():
        op.execute(f"CREATE POLICY api_{command.lower()} ON terms FOR {command} TO ace_api {rows}")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("DELETE FROM analyses WHERE terms <> ''")  # the version before knows no lists
    _change_key("filing_id, rules, jurisdiction")
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("analyses", "terms")
    op.drop_table("terms")


def _change_key(columns: str) -> None:
    """Gives the analyses another primary key, whose index is built while they are used."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS analyses_key")
        op.execute(f"CREATE UNIQUE INDEX CONCURRENTLY analyses_key ON analyses ({columns})")
        op.execute(
            "ALTER TABLE analyses DROP CONSTRAINT analyses_pkey,"
            " ADD CONSTRAINT analyses_pkey PRIMARY KEY USING INDEX analyses_key"
        )
        op.execute("RESET lock_timeout")
