"""The first schema: filings, claims, evaluations, examinations, events, leases and keys."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "events",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("move", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=True),
        sa.Column("after", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("evaluation_id", "number"),
    )
    op.create_table(
        "filings",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("docket", sa.String(), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("metadata", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("claim_count", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=True),
        sa.Column("body_hash", postgresql.BYTEA(), nullable=False),
        sa.Column(
            "created_at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("filings_by_docket", "filings", ["tenant", "docket"], unique=False)
    op.create_index(
        "filings_by_key",
        "filings",
        ["tenant", "idempotency_key"],
        unique=True,
        postgresql_where=sa.text("idempotency_key IS NOT NULL"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("hash", postgresql.BYTEA(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column(
            "created_at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("revoked_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "leases",
        sa.Column("token", sa.Uuid(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("started_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("until", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("leases_by_end", "leases", ["until"], unique=False)
    op.create_table(
        "claims",
        sa.Column("filing_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("ancestors", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.ForeignKeyConstraint(
            ["filing_id"],
            ["filings.id"],
        ),
        sa.PrimaryKeyConstraint("filing_id", "number"),
    )
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("tenant", sa.String(), nullable=False),
        sa.Column("filing_id", sa.Uuid(), nullable=False),
        sa.Column("claim_number", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column(
            "due_at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("lease", sa.Uuid(), nullable=True),
        sa.Column("tries", sa.SmallInteger(), nullable=False),
        sa.Column("examined", sa.SmallInteger(), nullable=False),
        sa.Column("outages", sa.SmallInteger(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column(
            "created_at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column(
            "updated_at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("probabilities", postgresql.ARRAY(sa.REAL()), nullable=True),
        sa.Column("u", sa.Float(), nullable=True),
        sa.Column("h6", sa.Float(), nullable=True),
        sa.Column("tau", sa.Float(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("calibration", sa.String(), nullable=True),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("error_class", sa.String(), nullable=True),
        sa.Column("examination_id", sa.Uuid(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("failed_stage", sa.String(), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'screening', 'escalated', 'examining', 'failed', 'decided', 'cancelled')",
            name="state_known",
        ),
        sa.ForeignKeyConstraint(
            ["filing_id", "claim_number"],
            ["claims.filing_id", "claims.number"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("evaluations_by_filing", "evaluations", ["filing_id", "claim_number"], unique=False)
    op.create_index(
        "evaluations_by_lease",
        "evaluations",
        ["lease"],
        unique=False,
        postgresql_where=sa.text("lease IS NOT NULL"),
    )
    op.create_index("evaluations_by_tenant", "evaluations", ["tenant", "id"], unique=False)
    op.create_index(
        "evaluations_due_fast",
        "evaluations",
        ["priority", "due_at", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'queued'"),
    )
    op.create_index(
        "evaluations_due_slow",
        "evaluations",
        ["priority", "due_at", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'escalated'"),
    )
    op.create_index(
        "evaluations_failed",
        "evaluations",
        ["tenant", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'failed'"),
    )
    op.create_table(
        "examinations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("reasoning", sa.String(), nullable=True),
        sa.Column("raw", sa.String(), nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("at", postgresql.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["evaluations.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("examinations_by_evaluation", "examinations", ["evaluation_id", "number"], unique=False)
    # Dispatching leaves a dead index entry for every claim: they go before they are many, however
    # large the table has grown.
    for table, vacuum, analyze in (("evaluations", 20_000, 5_000), ("leases", 1_000, 1_000)):
        op.execute(
            f"ALTER TABLE {table} SET ("
            f"autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = {vacuum}, "
            f"autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = {analyze})"
        )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for table in ("examinations", "evaluations", "claims", "filings", "events", "leases", "keys"):
        op.drop_table(table)
