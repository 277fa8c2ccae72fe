"""Outcomes say whether a fault is the claim's own, which says nothing against the endpoint."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("outcomes", sa.Column("own", sa.Boolean(), server_default=sa.text("false"), nullable=False))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("outcomes", "own")
