"""The tables of what operators order: pauses, jobs, the record of their acts; and how much was decided when.

None of them holds a claim. A row of all tenants together belongs to `ALL_TENANTS`, which is no tenant's name.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, Column, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlmodel import Field, SQLModel

from ace.store.expert_tables import moment, one_of

ALL_TENANTS: Final = "*"


class PauseKind(StrEnum):
    """What is paused. The dispatcher publishes nothing for it until the pause has ended."""

    STAGE = "stage"  # fast or slow, of all tenants
    TENANT = "tenant"  # both stages of one tenant
    ENDPOINT = "endpoint"  # a server of the expert


class JobKind(StrEnum):
    """What a job does with the evaluations that match."""

    REPLAY = "replay"  # runs failed ones again
    REEVALUATE = "reevaluate"  # makes a new evaluation for each that is decided


class JobState(StrEnum):
    """Where a job stands."""

    RUNNING = "running"  # the dispatcher works it off -> done; whoever may order it -> cancelled
    DONE = "done"  # final
    CANCELLED = "cancelled"  # final; what was replayed before stays so


class Pause(SQLModel, table=True):
    """A pause of one thing, in force until `ended_at`. It belongs to whoever ordered it: a tenant, or all."""

    __tablename__ = "pauses"
    __table_args__ = (
        one_of("kind", PauseKind),
        Index(
            "pauses_in_force",
            "kind",
            "name",
            "tenant",
            unique=True,
            postgresql_where=text("ended_at IS NULL"),
        ),
    )

    id: UUID = Field(primary_key=True)
    tenant: str
    kind: PauseKind = Field(sa_column=Column(Text, nullable=False))
    name: str
    drain: bool = Field(sa_column=Column(Boolean, nullable=False))  # take back what no worker has taken up
    reason: str
    actor: str
    at: datetime = Field(sa_column=moment(now=True))
    ended_at: datetime | None = Field(default=None, sa_column=moment(nullable=True))


class Job(SQLModel, table=True):
    """An order to run all evaluations of a tenant that match a filter again, worked off in batches."""

    __tablename__ = "jobs"
    __table_args__ = (
        one_of("kind", JobKind),
        one_of("state", JobState),
        Index("jobs_by_tenant", "tenant", "id"),
        Index("jobs_running", "id", postgresql_where=text("state = 'running'")),
    )

    id: UUID = Field(primary_key=True)
    tenant: str
    kind: JobKind = Field(sa_column=Column(Text, nullable=False, server_default=text("'replay'")))
    filter: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))  # see jobs.FIELDS
    reason: str
    actor: str
    at: datetime = Field(sa_column=moment(now=True))
    state: JobState = Field(sa_column=Column(Text, nullable=False, server_default=text("'running'")))
    matched: int = Field(sa_column=Column(BigInteger, nullable=False))  # when it was ordered
    replayed: int = Field(sa_column=Column(BigInteger, nullable=False, server_default=text("0")))
    after: UUID | None  # the last evaluation that was looked at
    ended_at: datetime | None = Field(default=None, sa_column=moment(nullable=True))


class Act(SQLModel, table=True):
    """The append-only record of what people did: who, what, to what, and why."""

    __tablename__ = "acts"
    __table_args__ = (Index("acts_by_tenant", "tenant", "id"),)

    id: UUID = Field(primary_key=True)
    tenant: str
    at: datetime = Field(sa_column=moment(now=True))
    actor: str
    act: str
    target: str
    reason: str


class DecidedByMinute(SQLModel, table=True):
    """How many claims of a tenant had been decided by the end of a minute; kept for a day."""

    __tablename__ = "decided_by_minute"
    __table_args__ = (Index("decided_by_minute_old", "minute"),)

    tenant: str = Field(primary_key=True)
    decided_by: str = Field(primary_key=True)
    minute: datetime = Field(sa_column=Column(TIMESTAMP(timezone=True), primary_key=True))
    total: int = Field(sa_type=BigInteger)


class Part(StrEnum):
    """A process that dispatches, or takes up messages."""

    DISPATCHER = "dispatcher"
    GATEKEEPER = "gatekeeper"  # the queue `fast`
    EXPERT_WORKER = "expert-worker"  # the queue `slow`
    WEBHOOK_WORKER = "webhook-worker"  # the queue `webhooks`


class Worker(SQLModel, table=True):
    """A process that runs, or ran until it was last seen without stopping in order."""

    __tablename__ = "workers"
    __table_args__ = (one_of("part", Part),)

    name: str = Field(primary_key=True)  # queue@host:pid, as in leases and events
    part: Part = Field(sa_column=Column(Text, nullable=False))
    host: str
    started_at: datetime = Field(sa_column=moment(now=True))
    seen_at: datetime = Field(sa_column=moment(now=True))
