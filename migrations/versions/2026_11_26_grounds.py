"""Grounds: whether the claim of a Fail would be rejected or objected to, which is stored with its verdict.

Fails of before have none; what is read of them follows from their class.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column("evaluations", sa.Column("ground", sa.String(), nullable=True))


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_column("evaluations", "ground")
