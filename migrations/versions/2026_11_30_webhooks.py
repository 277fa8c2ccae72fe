"""Webhooks and the feed of events: the outbox of the moves, numbered events, endpoints, deliveries."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

MOMENT = postgresql.TIMESTAMP(timezone=True)
NOW = sa.text("now()")
MINE = "tenant = (SELECT current_setting('ace.tenant', true))"
MY_WEBHOOK = f"EXISTS (SELECT FROM webhooks w WHERE w.id = webhook_id AND w.{MINE})"
CHANGED = "url, kinds, description, disabled_at, disabled_by, failing_since, paused_until, deleted_at"
TABLES = ("outbox", "notices", "deliveries", "webhook_secrets", "webhooks")

# What the role of the API may do, and on which rows: table -> rights, (command, rows it sees, rows it makes).
API: dict[str, tuple[str, list[tuple[str, str | None, str | None]]]] = {
    "outbox": ("SELECT, INSERT", [("SELECT", MINE, None), ("INSERT", None, MINE)]),
    "notices": ("SELECT", [("SELECT", MINE, None)]),
    "webhooks": (
        f"SELECT, INSERT, UPDATE ({CHANGED})",
        [("SELECT", MINE, None), ("INSERT", None, MINE), ("UPDATE", MINE, MINE)],
    ),
    "webhook_secrets": (
        "SELECT, INSERT, UPDATE (until)",
        [
            ("SELECT", MY_WEBHOOK, None),
            ("INSERT", None, MY_WEBHOOK),
            ("UPDATE", MY_WEBHOOK, MY_WEBHOOK),
        ],
    ),
    "deliveries": (
        "SELECT, UPDATE (state, due_at, tried, done_at)",
        [("SELECT", MINE, None), ("UPDATE", MINE, MINE)],
    ),
}
# What counts and waits may look at, over all tenants: no URL, no verdict.
WATCH = {
    "outbox": "id, at",
    "notices": "tenant, number",
    "webhooks": "id, disabled_at, failing_since, deleted_at",
    "deliveries": "webhook_id, event_id, state, due_at, lease",
}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    _make_feed()
    _make_webhooks()
    _make_deliveries()
    often = "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000"
    for table in ("outbox", "deliveries"):  # their rows are many and change soon
        op.execute(f"ALTER TABLE {table} SET ({often})")
    for table, (rights, policies) in API.items():
        op.execute(f"GRANT {rights} ON {table} TO ace_api")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        for command, seen, made in policies:
            using = f"USING ({seen})" if seen else ""
            check = f"WITH CHECK ({made})" if made else ""
            op.execute(
                f"CREATE POLICY api_{command.lower()} ON {table} FOR {command} TO ace_api {using} {check}"
            )
    for table, columns in WATCH.items():
        op.execute(f"GRANT SELECT ({columns}) ON {table} TO ace_watch")
        op.execute(f"CREATE POLICY watch ON {table} FOR SELECT TO ace_watch USING (true)")


def _make_feed() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subjects", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("details", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "notices",
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("filing_id", sa.Uuid(), nullable=True),
        sa.Column("evaluation_id", sa.Uuid(), nullable=True),
        sa.Column("claim_number", sa.SmallInteger(), nullable=True),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("error_class", sa.String(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("webhook_id", sa.Uuid(), nullable=True),
        sa.Column("moves", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "number"),
    )
    settled = sa.text("kind = 'filing.settled'")
    op.create_index(
        "notices_settled", "notices", ["filing_id", "moves"], unique=True, postgresql_where=settled
    )


def _make_webhooks() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("kinds", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("disabled_at", MOMENT, nullable=True),
        sa.Column("disabled_by", sa.String(), nullable=True),
        sa.Column("failing_since", MOMENT, nullable=True),
        sa.Column("paused_until", MOMENT, nullable=True),
        sa.Column("deleted_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("webhooks_by_tenant", "webhooks", ["tenant", "id"])
    op.create_table(
        "webhook_secrets",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("fingerprint", postgresql.BYTEA(), nullable=False),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("until", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("webhook_secrets_by_webhook", "webhook_secrets", ["webhook_id"])


def _make_deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("event_id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("due_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("lease", sa.Uuid(), nullable=True),
        sa.Column("tried", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("attempts", postgresql.JSONB(), server_default="[]", nullable=False),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("done_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("webhook_id", "event_id"),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'failed')", name="state_known"),
    )
    for name, columns, condition in (
        ("due", ["webhook_id", "due_at", "event_id"], "state = 'pending' AND lease IS NULL"),
        ("by_lease", ["lease"], "lease IS NOT NULL"),
        ("failed", ["webhook_id", "event_id"], "state = 'failed'"),
    ):
        op.create_index(f"deliveries_{name}", "deliveries", columns, postgresql_where=sa.text(condition))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in TABLES:
        op.drop_table(table)
