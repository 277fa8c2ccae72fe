"""The tables of model operations: which model scores which claims, what a shadow says, how each day looked.

A model is its weights, tokenizer and calibration together, and is named by the digest of its files. None of
these tables holds a claim, and none says of which tenant a claim is.
"""

from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import BigInteger, Boolean, Column, Date, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, REAL
from sqlmodel import Field, SQLModel

from ace.store.expert_tables import moment, one_of


class ModelState(StrEnum):
    """Where a model stands. Who may move it, and where to, is in `MODEL_MOVES`."""

    PROPOSED = "proposed"  # its files are there, and it scores nothing
    SHADOW = "shadow"  # scores a share of the filings once their verdicts stand, and decides nothing
    ACTIVE = "active"  # decides: all filings, or as a canary a share of them
    RETIRED = "retired"  # decides nothing any more; a rollback brings back the one that was active before


MODEL_MOVES: Final[dict[str, frozenset[tuple[ModelState | None, ModelState]]]] = {
    "adopt": frozenset({(None, ModelState.ACTIVE)}),
    "propose": frozenset({(None, ModelState.PROPOSED), (ModelState.RETIRED, ModelState.PROPOSED)}),
    "shadow": frozenset({(ModelState.PROPOSED, ModelState.SHADOW), (ModelState.SHADOW, ModelState.SHADOW)}),
    "promote": frozenset(
        (state, ModelState.ACTIVE) for state in (ModelState.PROPOSED, ModelState.SHADOW, ModelState.ACTIVE)
    ),
    "rollback": frozenset(
        {(ModelState.ACTIVE, ModelState.RETIRED)}
        | {
            (state, ModelState.ACTIVE)
            for state in (ModelState.RETIRED, ModelState.PROPOSED, ModelState.SHADOW)
        }
    ),
    "retire": frozenset((state, ModelState.RETIRED) for state in (ModelState.PROPOSED, ModelState.SHADOW)),
}
"""Every legal move of a model: name -> pairs (from, to). `adopt` is of the model that served before there
were rows. A promotion to all filings retires the model before. A rollback retires a model and brings back
the one that it replaced; one that has been proposed again since is brought back too."""

WHOLE: Final = 100.0
"""The share, in per cent, of a model that is no canary."""


class ModelRow(SQLModel, table=True):
    """A model with its calibration. `tenant` is `ALL_TENANTS`, so that row security lets no tenant's order
    change it."""

    __tablename__ = "models"
    __table_args__ = (
        one_of("state", ModelState),
        Index("models_by_digest", "tenant", "digest", unique=True),
        Index(
            "models_standing",
            "tenant",
            unique=True,
            postgresql_where=text("state = 'active' AND share >= 100"),
        ),
        Index(
            "models_canary", "tenant", unique=True, postgresql_where=text("state = 'active' AND share < 100")
        ),
        Index("models_shadow", "tenant", unique=True, postgresql_where=text("state = 'shadow'")),
    )

    id: UUID = Field(primary_key=True)
    tenant: str
    digest: str  # SHA-256 of its files, in hexadecimal: the name of its folder
    model: str  # the revision that verdicts name
    calibration: str  # the id that verdicts name
    record: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))  # the calibration record
    report: str | None  # where its evaluation report lies
    report_digest: str | None  # SHA-256 of that report
    state: ModelState = Field(sa_column=Column("state", Text, nullable=False))
    share: float = Field(sa_column=Column(REAL, nullable=False))  # of filings, in per cent, that it scores
    replaced: UUID | None  # the model that its promotion retired: to which a rollback returns
    actor: str  # who proposed it
    reason: str
    at: datetime = Field(sa_column=moment(now=True))
    changed_at: datetime = Field(sa_column=moment(now=True))


class ShadowScoreRow(SQLModel, table=True):
    """What a shadow said of a claim, beside what was said of it by the model that moved it."""

    __tablename__ = "shadow_scores"

    model_id: UUID = Field(primary_key=True)
    evaluation_id: UUID = Field(primary_key=True)
    escalated: bool = Field(sa_column=Column(Boolean, nullable=False))
    called: str  # a class, or "pass": its opinion, which is its verdict if it does not escalate
    doubt: float | None  # null if it could not score the claim
    live_escalated: bool = Field(sa_column=Column(Boolean, nullable=False))
    live_called: str
    live_doubt: float | None
    live_calibration: str
    at: datetime = Field(sa_column=moment(now=True))


class ModelDayRow(SQLModel, table=True):
    """How the claims looked that one model with one calibration screened of a day's filings (UTC).

    Written once, when all of the day is screened. `score`, `length` and `classes` are counts by the bins of
    the calibration record and by `LABELS`; `effects` are design effects, by
    `ace.routing.drift.Characteristic`.
    """

    __tablename__ = "model_days"

    day: date = Field(sa_column=Column(Date, primary_key=True))
    model: str = Field(primary_key=True)
    calibration: str = Field(primary_key=True)
    claims: int = Field(sa_type=BigInteger)
    doubtful: int = Field(sa_type=BigInteger)
    decided: int = Field(sa_type=BigInteger)
    score: list[int] = Field(sa_column=Column(ARRAY(BigInteger), nullable=False))
    length: list[int] = Field(sa_column=Column(ARRAY(BigInteger), nullable=False))
    classes: list[int] = Field(sa_column=Column(ARRAY(BigInteger), nullable=False))
    effects: dict[str, float] = Field(sa_column=Column(JSONB, nullable=False))
