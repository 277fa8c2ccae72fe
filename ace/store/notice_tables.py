"""Tables for events: the outbox that moves write to, the feed, webhooks and their deliveries.

Moves only add rows to the outbox; one dispatcher at a time gives them their numbers. None holds claim text,
and none a secret: those are derived (`ace.webhooks.signing`).
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Column, ForeignKey, Index, SmallInteger, Text, Uuid, text
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB
from sqlmodel import Field, SQLModel

from ace.store.expert_tables import moment, one_of
from ace.types.notices import DeliveryState


class OutboxRow(SQLModel, table=True):
    """Events of one kind, written in the transaction in which they happened, until they get their numbers."""

    __tablename__ = "outbox"

    id: UUID = Field(sa_column=Column(Uuid, primary_key=True, server_default=text("uuidv7()")))
    tenant: str
    kind: str
    subjects: list[UUID] = Field(sa_column=Column(ARRAY(Uuid), nullable=False))  # evaluations, or a webhook
    details: list[str | None] = Field(
        sa_column=Column(ARRAY(Text), nullable=False)
    )  # of each: the fault, or why
    at: datetime = Field(sa_column=moment(now=True))


class Notice(SQLModel, table=True):
    """One event of a tenant's feed. Numbers are 1, 2, 3 … for each tenant, in the order in which they become
    visible. Immutable."""

    __tablename__ = "notices"
    __table_args__ = (
        Index(
            "notices_settled",
            "filing_id",
            "moves",
            unique=True,
            postgresql_where=text("kind = 'filing.settled'"),
        ),
    )

    tenant: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_type=BigInteger)
    id: UUID
    kind: str
    at: datetime = Field(sa_column=moment())
    filing_id: UUID | None
    evaluation_id: UUID | None
    claim_number: int | None = Field(sa_column=Column(SmallInteger, nullable=True))
    verdict: str | None
    error_class: str | None
    error: str | None
    webhook_id: UUID | None
    moves: int | None = Field(sa_column=Column(BigInteger, nullable=True))  # of a settled filing, in all


class Webhook(SQLModel, table=True):
    """An endpoint of a tenant, which is sent what happens."""

    __tablename__ = "webhooks"
    __table_args__ = (Index("webhooks_by_tenant", "tenant", "id"),)

    id: UUID = Field(primary_key=True)
    tenant: str
    url: str
    kinds: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    description: str
    created_at: datetime = Field(sa_column=moment(now=True))
    disabled_at: datetime | None = Field(sa_column=moment(nullable=True))
    disabled_by: str | None
    failing_since: datetime | None = Field(sa_column=moment(nullable=True))  # the first failure in a row
    paused_until: datetime | None = Field(sa_column=moment(nullable=True))  # the receiver asks for a pause
    deleted_at: datetime | None = Field(sa_column=moment(nullable=True))


class WebhookSecret(SQLModel, table=True):
    """What a secret of a webhook is derived from, and how to know that it still is."""

    __tablename__ = "webhook_secrets"
    __table_args__ = (Index("webhook_secrets_by_webhook", "webhook_id"),)

    id: UUID = Field(primary_key=True)
    webhook_id: UUID = Field(
        sa_column=Column(Uuid, ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False)
    )
    fingerprint: bytes = Field(sa_column=Column(BYTEA, nullable=False))
    created_at: datetime = Field(sa_column=moment(now=True))
    until: datetime | None = Field(sa_column=moment(nullable=True))  # replaced, and valid until then


class Delivery(SQLModel, table=True):
    """One event on its way to one webhook."""

    __tablename__ = "deliveries"
    __table_args__ = (
        one_of("state", DeliveryState),
        Index(
            "deliveries_due",
            "webhook_id",
            "due_at",
            "event_id",
            postgresql_where=text("state = 'pending' AND lease IS NULL"),
        ),
        Index("deliveries_by_lease", "lease", postgresql_where=text("lease IS NOT NULL")),
        Index("deliveries_failed", "webhook_id", "event_id", postgresql_where=text("state = 'failed'")),
    )

    webhook_id: UUID = Field(
        sa_column=Column(Uuid, ForeignKey("webhooks.id", ondelete="CASCADE"), primary_key=True)
    )
    event_id: UUID = Field(primary_key=True)
    tenant: str
    number: int = Field(sa_type=BigInteger)  # of the event, in the tenant's feed
    state: DeliveryState = Field(sa_column=Column(Text, nullable=False, server_default=text("'pending'")))
    due_at: datetime = Field(sa_column=moment(now=True))
    lease: UUID | None
    tried: int = Field(sa_column=Column(SmallInteger, nullable=False, server_default=text("0")))
    attempts: list[dict[str, Any]] = Field(
        sa_column=Column(JSONB, nullable=False, server_default=text("'[]'"))
    )  # the latest
    created_at: datetime = Field(sa_column=moment(now=True))
    done_at: datetime | None = Field(sa_column=moment(nullable=True))
