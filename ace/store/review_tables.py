"""The tables of what people say of verdicts and findings, of how they look at filings, and of their terms.

Rows are added and never changed, but that a term is taken off its list: each says who did it and when. What a
person says never touches what was predicted: verdicts and findings have tables of their own. A purge removes
the reasons of reviews.
"""

from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from sqlalchemy import Boolean, Column, Index, Integer, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, REAL
from sqlmodel import Field, SQLModel

from ace.claims.terms import TermKind
from ace.store.expert_tables import moment, one_of


class Answer(StrEnum):
    """What a person says of a verdict or a finding."""

    AGREE = "agree"
    DISAGREE = "disagree"
    UNSURE = "unsure"


class ReviewStatus(StrEnum):
    """What a review counts for."""

    REVIEWED = "reviewed"  # one person's judgement
    ADJUDICATED = "adjudicated"  # the judgement that stands where people differ


PASS: Final = "pass"  # noqa: S105  # the label of a claim without a defect


class ReviewRow(SQLModel, table=True):
    """A judgement of a verdict, or of a finding that `rule` and `place` (start, end) name."""

    __tablename__ = "reviews"
    __table_args__ = (
        one_of("answer", Answer),
        one_of("status", ReviewStatus),
        Index("reviews_by_evaluation", "evaluation_id", "id"),
        Index("reviews_by_tenant", "tenant", "id"),
    )

    id: UUID = Field(primary_key=True)
    tenant: str
    evaluation_id: UUID = Field(foreign_key="evaluations.id")
    rule: str | None  # "<class>.<subtype>"; null for the verdict
    place: list[int] | None = Field(sa_column=Column(ARRAY(Integer)))
    answer: Answer = Field(sa_column=Column("answer", Text, nullable=False))
    label: str | None  # the right class, "pass" if there is no defect; null if unsure, or of a finding
    span: list[int] | None = Field(sa_column=Column(ARRAY(Integer)))  # the right words: start, end
    reason: str | None
    status: ReviewStatus = Field(sa_column=Column("status", Text, nullable=False))
    blind: bool = Field(sa_column=Column(Boolean, nullable=False))  # answered before the verdict was shown
    seconds: float | None = Field(sa_column=Column(REAL))
    reviewer: str  # the actor: "key:<id>"
    at: datetime = Field(sa_column=moment(now=True))


class AuditSampleRow(SQLModel, table=True):
    """A decided evaluation that a draw chose, and the probability with which it chose each."""

    __tablename__ = "audit_sample"
    __table_args__ = (Index("audit_sample_by_tenant", "tenant", "evaluation_id"),)

    evaluation_id: UUID = Field(primary_key=True, foreign_key="evaluations.id")
    probability: float = Field(primary_key=True)
    tenant: str
    actor: str
    at: datetime = Field(sa_column=moment(now=True))


class ViewRow(SQLModel, table=True):
    """A query of the list of filings that somebody named; the newest of a name counts, null removes it."""

    __tablename__ = "views"
    __table_args__ = (Index("views_by_key", "tenant", "key_id", "name", "id"),)

    id: UUID = Field(primary_key=True)
    tenant: str
    key_id: str = Field(foreign_key="keys.id")
    name: str
    query: str | None
    at: datetime = Field(sa_column=moment(now=True))


class TermRow(SQLModel, table=True):
    """A term of a tenant's list, in force until `removed_at`. It may be words of a claim."""

    __tablename__ = "terms"
    __table_args__ = (
        one_of("kind", TermKind),
        Index(
            "terms_in_force",
            "tenant",
            "kind",
            "term",
            unique=True,
            postgresql_where=text("removed_at IS NULL"),
        ),
    )

    id: UUID = Field(primary_key=True)
    tenant: str
    kind: TermKind = Field(sa_column=Column("kind", Text, nullable=False))
    term: str
    reason: str
    actor: str
    at: datetime = Field(sa_column=moment(now=True))
    removed_at: datetime | None = Field(default=None, sa_column=moment(nullable=True))
    removed_by: str | None
