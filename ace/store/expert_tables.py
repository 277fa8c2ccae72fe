"""The tables of what is learned about the expert's servers, and of counts. None of them holds a claim.

Workers only add rows to outcomes and tallies, so that none waits for another.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, Double, Identity, Integer, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP
from sqlmodel import Field, SQLModel

from ace.types.endpoint_state import Breaker


def moment(*, nullable: bool = False, now: bool = False) -> Any:  # a Column, which SQLModel takes as Any
    """A column of times with time zone; `now` makes the current time its default."""
    default = text("now()") if now else None
    return Column(TIMESTAMP(timezone=True), nullable=nullable, server_default=default)


def one_of(column: str, values: type[StrEnum]) -> CheckConstraint:
    """Restricts a column to the values of an enumeration."""
    allowed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({allowed})", name=f"{column}_known")


class EndpointRow(SQLModel, table=True):
    """A server of the expert: how much work it is given, as decided by `ace.expert.pacing.learning`."""

    __tablename__ = "endpoints"
    __table_args__ = (one_of("breaker", Breaker),)

    name: str = Field(primary_key=True)
    weight: float
    most: int
    max_concurrent: int | None
    slots: float
    doubling: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=text("true")))
    refused_at: float | None
    lowered_at: datetime = Field(sa_column=moment(now=True))
    latency: float | None
    best_latency: float | None
    measured: int = Field(sa_column=Column(Integer, nullable=False, server_default=text("0")))
    breaker: Breaker = Field(sa_column=Column(Text, nullable=False, server_default=text("'closed'")))
    since: datetime = Field(sa_column=moment(now=True))
    until: datetime | None = Field(sa_column=moment(nullable=True))
    in_a_row: int = Field(sa_column=Column(Integer, nullable=False, server_default=text("0")))
    probe: UUID | None
    last_fault: str | None
    last_fault_at: datetime | None = Field(sa_column=moment(nullable=True))
    answers: int = Field(sa_column=Column(BigInteger, nullable=False, server_default=text("0")))
    faults: dict[str, int] = Field(sa_column=Column(JSONB, nullable=False, server_default=text("'{}'")))
    seconds_sum: float = Field(sa_column=Column(Double, nullable=False, server_default=text("0")))
    seconds_buckets: list[int] = Field(
        sa_column=Column(ARRAY(BigInteger), nullable=False, server_default=text("'{}'"))
    )


class OutcomeRow(SQLModel, table=True):
    """The outcome of an examination, until a dispatcher has learned from it."""

    __tablename__ = "outcomes"

    id: int = Field(sa_column=Column(BigInteger, Identity(), primary_key=True))
    endpoint: str
    token: UUID
    error: str | None
    own: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=text("false")))
    seconds: float
    retry_after: float | None
    leased_at: datetime | None = Field(sa_column=moment(nullable=True))
    at: datetime = Field(sa_column=moment(now=True))


class Tally(SQLModel, table=True):
    """Changes in how many evaluations of a tenant are in a state; their sum is the number.

    Moves only add rows, so that counting makes no move wait for another; the dispatcher sums them up.
    """

    __tablename__ = "tallies"

    tenant: str = Field(primary_key=True)
    id: int = Field(sa_column=Column(BigInteger, Identity(), primary_key=True))
    state: str
    decided_by: str  # "" if nobody has
    count: int = Field(sa_type=BigInteger)


class DisputeTally(SQLModel, table=True):
    """Disputed verdicts by kind of dispute, counted as `Tally` counts; of no tenant."""

    __tablename__ = "disputes"

    kind: str = Field(primary_key=True)
    id: int = Field(sa_column=Column(BigInteger, Identity(), primary_key=True))
    count: int = Field(sa_type=BigInteger)
