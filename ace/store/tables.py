"""The tables of what is filed and what becomes of it. Filings and claims never change; evaluations do,
and only through `ace.store.moves`. Other tables of the same schema: expert_tables.py (what is learned and
counted), review_tables.py (reviews), operating_tables.py (pauses and jobs), notice_tables.py (events),
model_tables.py (models).

`table=True` classes do not validate: values were validated at the edges. No claim text lives anywhere but in
`claims.text`, `analyses.claims`, `findings.found`, `reviews.reason`, and the `raw`, `reasoning`, `findings`
and `disagreements` of `examinations`; `terms` may have words of claims.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    SmallInteger,
    String,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB, REAL
from sqlmodel import Field, SQLModel

from ace.store import (  # noqa: F401  # of the same schema
    model_tables,
    notice_tables,
    operating_tables,
    review_tables,
)
from ace.store.expert_tables import moment, one_of
from ace.store.statements import source


class State(StrEnum):
    """Where an evaluation stands. Who moves it on, and where to, is in `MOVES`."""

    QUEUED = "queued"  # dispatcher -> screening
    SCREENING = "screening"  # gatekeeper worker -> decided, escalated, failed; lease out -> queued
    ESCALATED = "escalated"  # dispatcher -> examining, when due and a slot is free
    EXAMINING = "examining"  # expert worker -> decided, escalated (later), failed; lease out -> escalated
    FAILED = "failed"  # replay -> the state of the stage that failed
    DECIDED = "decided"  # final
    CANCELLED = "cancelled"  # final


class Stage(StrEnum):
    """The two stages of the cascade, which are also the names of their queues."""

    FAST = "fast"
    SLOW = "slow"

    @property
    def due(self) -> State:
        """The state in which an evaluation waits for this stage."""
        return State.QUEUED if self is Stage.FAST else State.ESCALATED

    @property
    def running(self) -> State:
        """The state in which a worker of this stage holds an evaluation."""
        return State.SCREENING if self is Stage.FAST else State.EXAMINING


WEBHOOKS: Final = "webhooks"
"""The queue of deliveries, which is no stage of the cascade."""

QUEUES: Final = (*map(str, Stage), WEBHOOKS)
"""The lists of messages on the broker."""

FINAL: Final = frozenset({State.DECIDED, State.FAILED, State.CANCELLED})

# Every legal move: name -> pairs (from, to). Tests and docs/reference/states.md are held against this table.
MOVES: Final[dict[str, frozenset[tuple[State | None, State]]]] = {
    "submit": frozenset({(None, State.QUEUED)}),
    "dispatch": frozenset({(State.QUEUED, State.SCREENING), (State.ESCALATED, State.EXAMINING)}),
    "decide": frozenset({(State.SCREENING, State.DECIDED), (State.EXAMINING, State.DECIDED)}),
    "escalate": frozenset({(State.SCREENING, State.ESCALATED)}),
    "defer": frozenset({(State.EXAMINING, State.ESCALATED)}),
    "release": frozenset({(State.SCREENING, State.QUEUED), (State.EXAMINING, State.ESCALATED)}),
    "expire": frozenset({(State.SCREENING, State.QUEUED), (State.EXAMINING, State.ESCALATED)}),
    "fail": frozenset({(State.SCREENING, State.FAILED), (State.EXAMINING, State.FAILED)}),
    "replay": frozenset({(State.FAILED, State.QUEUED), (State.FAILED, State.ESCALATED)}),
    "cancel": frozenset(
        (state, State.CANCELLED)
        for state in (State.QUEUED, State.SCREENING, State.ESCALATED, State.EXAMINING, State.FAILED)
    ),
}


class Key(SQLModel, table=True):
    """An API key: shown once, stored as a SHA-256 hash, bound to one tenant."""

    __tablename__ = "keys"

    id: str = Field(primary_key=True)
    tenant: str
    hash: bytes = Field(sa_column=Column(BYTEA, nullable=False))
    label: str
    scopes: list[str] = Field(
        sa_column=Column(
            ARRAY(Text), nullable=False, server_default=text("'{submit,read,text,replay,review}'")
        )
    )
    requests_per_second: float | None = Field(sa_column=Column(REAL))  # None: the limit of the settings
    created_at: datetime = Field(sa_column=moment(now=True))
    revoked_at: datetime | None = Field(default=None, sa_column=moment(nullable=True))
    expires_at: datetime | None = Field(default=None, sa_column=moment(nullable=True))
    last_used_at: datetime | None = Field(default=None, sa_column=moment(nullable=True))  # to the minute


class Session(SQLModel, table=True):
    """A token that stands for a key in a browser: shown once, stored as its SHA-256, valid until a time."""

    __tablename__ = "sessions"

    hash: bytes = Field(sa_column=Column(BYTEA, primary_key=True))
    tenant: str
    key_id: str = Field(foreign_key="keys.id")
    once: bool = Field(
        sa_column=Column(Boolean, nullable=False)
    )  # of a link, which is exchanged for a session
    created_at: datetime = Field(sa_column=moment(now=True))
    until: datetime = Field(sa_column=moment())


class Filing(SQLModel, table=True):
    """One submission: a claim set with its docket reference and options. Immutable."""

    __tablename__ = "filings"
    __table_args__ = (
        Index(
            "filings_by_key",
            "tenant",
            "idempotency_key",
            unique=True,
            postgresql_where=text("idempotency_key IS NOT NULL"),
        ),
        Index("filings_by_docket", "tenant", "docket"),
        Index("filings_by_tenant", "tenant", "id"),
        Index(
            "filings_for_tests",
            "created_at",
            "id",
            postgresql_where=text(f"purged_at IS NULL AND {source('for_tests')}"),
        ),
    )

    id: UUID = Field(primary_key=True)
    tenant: str
    docket: str
    priority: int = Field(sa_type=SmallInteger)
    details: dict[str, Any] = Field(sa_column=Column("metadata", JSONB, nullable=False))
    claim_count: int
    idempotency_key: str | None
    body_hash: bytes = Field(sa_column=Column(BYTEA, nullable=False))
    created_at: datetime = Field(sa_column=moment(now=True))
    purged_at: datetime | None = Field(
        default=None, sa_column=moment(nullable=True)
    )  # when its texts were removed
    request_id: str | None  # of the request that handed it in
    traceparent: str | None  # of the span in which it was stored, if there was one


class ClaimRow(SQLModel, table=True):
    """One numbered claim of a filing and the claims it descends from, nearest first. Immutable."""

    __tablename__ = "claims"

    filing_id: UUID = Field(primary_key=True, foreign_key="filings.id")
    number: int = Field(primary_key=True, sa_type=SmallInteger)
    text: str
    ancestors: list[int] = Field(sa_column=Column(ARRAY(SmallInteger), nullable=False))
    status: str | None  # that an amendment gave it (37 CFR 1.121(c))


class Evaluation(SQLModel, table=True):
    """One run of ACE over one claim: the unit of work, of polling and of replay."""

    __tablename__ = "evaluations"
    __table_args__ = (
        one_of("state", State),
        ForeignKeyConstraint(["filing_id", "claim_number"], ["claims.filing_id", "claims.number"]),
        Index("evaluations_by_filing", "filing_id", "claim_number"),
        Index("evaluations_by_tenant", "tenant", "id"),
        Index(
            "evaluations_due_fast",
            "tenant",
            "priority",
            "due_at",
            "id",
            postgresql_where=text("state = 'queued'"),
        ),
        Index(
            "evaluations_due_slow",
            "tenant",
            "priority",
            "due_at",
            "id",
            postgresql_where=text("state = 'escalated'"),
        ),
        Index("evaluations_by_lease", "lease", postgresql_where=text("lease IS NOT NULL")),
        # For lists and replays, which look for a few among the many that are decided.
        Index("evaluations_by_state", "tenant", "state", "id", postgresql_where=text("state <> 'decided'")),
        Index(
            "evaluations_by_verdict", "tenant", "verdict", "id", postgresql_where=text("verdict IS NOT NULL")
        ),
        Index("evaluations_by_error", "tenant", "error", "id", postgresql_where=text("error IS NOT NULL")),
        Index("evaluations_disputed", "tenant", "id", postgresql_where=text("disputed")),
        Index(
            "evaluations_by_supersedes",
            "supersedes",
            unique=True,
            postgresql_where=text("supersedes IS NOT NULL AND state <> 'cancelled'"),
        ),
    )

    id: UUID = Field(primary_key=True)
    tenant: str
    filing_id: UUID
    claim_number: int = Field(sa_type=SmallInteger)
    state: State = Field(sa_column=Column("state", Text, nullable=False))
    priority: int = Field(sa_type=SmallInteger)
    size: int  # estimated tokens, which message budgets count
    due_at: datetime = Field(sa_column=moment(now=True))
    lease: UUID | None  # token of the worker that may move it
    tries: int = Field(sa_type=SmallInteger)  # workers lost while holding it, this stage
    examined: int = Field(sa_type=SmallInteger)  # examinations since the last replay, without outages
    outages: int = Field(sa_type=SmallInteger)  # outages of the expert in a row
    moves: int  # number of its last event
    created_at: datetime = Field(sa_column=moment(now=True))
    updated_at: datetime = Field(sa_column=moment(now=True))

    # The gatekeeper's scores (paper section 4.2), and what they were made with.
    probabilities: list[float] | None = Field(sa_column=Column(ARRAY(REAL)))
    u: float | None
    h6: float | None
    score: str | None  # what the calibration compares with tau: "u", "h6", "learned", "gain" …
    doubt: float | None  # its value
    tau: float | None
    certain: float | None  # the confidence of a finding that may not stand beside a Pass
    model: str | None
    calibration: str | None

    # The outcome.
    verdict: str | None
    decided_by: str | None  # gatekeeper | expert
    error_class: (
        str | None
    )  # on a Fail: the gatekeeper's most likely class, or the first that the expert names
    ground: str | None  # of a Fail: rejection | objection; null in verdicts of before, see verdict_ground.sql
    examination_id: UUID | None  # the one that decided
    span: list[int] | None = Field(sa_column=Column(ARRAY(Integer)))  # what the gatekeeper fails: start, end
    # Whether there is a reason to doubt the verdict.
    disputed: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=text("false")))
    # Of a test: whether it would have gone to the expert; the verdict is the gatekeeper's all the same.
    would_escalate: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=text("false")))
    error: str | None  # kind of the last fault
    failed_stage: str | None

    # A re-evaluation names what it was made for, which names it once it is decided. Verdicts stay.
    supersedes: UUID | None
    superseded_by: UUID | None


class Examination(SQLModel, table=True):
    """One attempt of the expert at one evaluation, successful or not: the record of `ace.types.examination`.

    Columns added later must be nullable: workers of the version before leave them null.
    """

    __tablename__ = "examinations"
    __table_args__ = (Index("examinations_by_evaluation", "evaluation_id", "number"),)

    id: UUID = Field(primary_key=True)
    evaluation_id: UUID = Field(foreign_key="evaluations.id")
    number: int = Field(sa_type=SmallInteger)
    prompt_version: str
    model: str | None
    seconds: float
    prompt_tokens: int | None
    completion_tokens: int | None
    verdict: str | None
    reasoning: str | None
    raw: str | None
    error: str | None
    at: datetime = Field(sa_column=moment(now=True))
    endpoint: str | None  # the server that was asked
    cut: bool | None  # whether ancestors were left out of the question
    calls: int | None = Field(sa_type=SmallInteger)  # over HTTP, of all opinions

    # The result of verification, in the form of findings.py; null if there is no verdict.
    findings: list[dict[str, Any]] | None = Field(sa_column=Column(JSONB))
    disagreements: list[dict[str, Any]] | None = Field(sa_column=Column(JSONB))
    opinions: int | None = Field(sa_type=SmallInteger)  # answers in all
    agreeing: int | None = Field(sa_type=SmallInteger)  # answers with the verdict that stands


class Analysis(SQLModel, table=True):
    """The analysis of a filing's claims by one version of the rules under one term list:
    `ace.claims.analysis.as_json` by number.

    A newer version or another list adds a row and changes none.
    """

    __tablename__ = "analyses"

    filing_id: UUID = Field(primary_key=True, foreign_key="filings.id")
    rules: str = Field(primary_key=True)
    jurisdiction: str = Field(primary_key=True)
    # The digest of the list (`ace.claims.terms`); "" for an empty one, and of versions that knew no lists.
    terms: str = Field(sa_column=Column(String, primary_key=True, server_default=text("''")))
    claims: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    at: datetime = Field(sa_column=moment(now=True))


class FindingsRow(SQLModel, table=True):
    """The rules' findings on a claim, in the form of findings.py: of evaluations older than `analyses`."""

    __tablename__ = "findings"

    evaluation_id: UUID = Field(primary_key=True, foreign_key="evaluations.id")
    jurisdiction: str
    threshold: float
    rules: str  # the version of the rules
    found: list[dict[str, Any]] = Field(sa_column=Column(JSONB, nullable=False))
    at: datetime = Field(sa_column=moment(now=True))


class Event(SQLModel, table=True):
    """The append-only audit trail: one row per move, written in the move's own transaction."""

    __tablename__ = "events"

    evaluation_id: UUID = Field(primary_key=True)
    number: int = Field(primary_key=True)  # 1, 2, 3 … without gaps
    at: datetime = Field(sa_column=moment(now=True))
    move: str
    before: str | None
    after: str
    actor: str
    detail: str | None  # kind of fault, never claim text


class Lease(SQLModel, table=True):
    """The time-limited right of one message's worker to move the evaluations that carry its token."""

    __tablename__ = "leases"
    __table_args__ = (Index("leases_by_end", "until"),)

    token: UUID = Field(primary_key=True)
    stage: str
    made_at: datetime = Field(sa_column=moment(now=True))
    worker: str | None  # null while the message waits on the broker
    started_at: datetime | None = Field(sa_column=moment(nullable=True))
    until: datetime = Field(sa_column=moment())
    endpoint: str | None  # that is to examine its claim; null on the fast stage
