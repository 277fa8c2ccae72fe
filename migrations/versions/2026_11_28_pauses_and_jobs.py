"""Pauses, jobs, the record of acts, and how many claims had been decided by each minute.

The role of the watch may count the claims of each tenant, and see what workers hold.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
NOW = sa.text("now()")
MINE = "tenant = (SELECT current_setting('ace.tenant', true))"
# What the role of the API may do with each table, beside reading its tenant's rows.
RIGHTS = {
    "pauses": "INSERT, UPDATE (drain, ended_at)",
    "jobs": "INSERT, UPDATE (state, ended_at)",
    "acts": "INSERT",
    "decided_by_minute": "",
}
WATCHED = {
    "pauses": "id, tenant, kind, name, drain, reason, actor, at, ended_at",
    "decided_by_minute": "tenant, decided_by, minute, total",
    "tallies": "tenant",
    "leases": "worker",
    "evaluations": "filing_id, lease, updated_at",
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "pauses",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("drain", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.CheckConstraint("kind IN ('stage', 'tenant', 'endpoint')", name="kind_known"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "pauses_in_force",
        "pauses",
        ["kind", "name", "tenant"],
        unique=True,
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("filter", postgresql.JSONB(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'running'"), nullable=False),
        sa.Column("matched", sa.BigInteger(), nullable=False),
        sa.Column("replayed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("after", sa.Uuid(), nullable=True),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.CheckConstraint("state IN ('running', 'done', 'cancelled')", name="state_known"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("jobs_by_tenant", "jobs", ["tenant", "id"])
    op.create_index("jobs_running", "jobs", ["id"], postgresql_where=sa.text("state = 'running'"))
    op.create_table(
        "acts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("acts_by_tenant", "acts", ["tenant", "id"])
    op.create_table(
        "decided_by_minute",
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("minute", MOMENT, nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "decided_by", "minute"),
    )
    op.create_index("decided_by_minute_old", "decided_by_minute", ["minute"])
    op.execute(
        "INSERT INTO decided_by_minute (tenant, decided_by, minute, total)"
        " SELECT tenant, decided_by, date_trunc('minute', now()), sum(count) FROM tallies"
        " WHERE state = 'decided' GROUP BY tenant, decided_by HAVING sum(count) > 0"
    )
    for table, rights in RIGHTS.items():
        op.execute(f"GRANT SELECT{', ' * bool(rights)}{rights} ON {table} TO ace_api")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        policies = {"SELECT": f"USING ({MINE})"}
        if "INSERT" in rights:
            policies["INSERT"] = f"WITH CHECK ({MINE})"
        if "UPDATE" in rights:
            policies["UPDATE"] = f"USING ({MINE}) WITH CHECK ({MINE})"
        for command, rows in policies.items():
            op.execute(f"CREATE POLICY api_{command.lower()} ON {table} FOR {command} TO ace_api {rows}")
    for table, columns in WATCHED.items():
        op.execute(f"GRANT SELECT ({columns}) ON {table} TO ace_watch")
    for table in ("pauses", "decided_by_minute"):
        op.execute(f"CREATE POLICY watch ON {table} FOR SELECT TO ace_watch USING (true)")


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("REVOKE SELECT (tenant) ON tallies FROM ace_watch")
    op.execute("REVOKE SELECT (worker) ON leases FROM ace_watch")
    op.execute("REVOKE SELECT (filing_id, lease, updated_at) ON evaluations FROM ace_watch")
    for table in ("decided_by_minute", "acts", "jobs", "pauses"):
        op.drop_table(table)
