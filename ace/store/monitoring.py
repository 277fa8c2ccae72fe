"""How the claims of each day looked to a model, what people found of its verdicts, and what a shadow said."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, RowMapping, text

from ace.claims.taxonomy import LABELS
from ace.routing.calibration import Calibration
from ace.routing.drift import Characteristic, Day, design_effect, score_bins
from ace.routing.reference import Bins
from ace.store.statements import statement

AUDIT: Final = "audit"
"""The actor of draws that are made when verdicts are."""

_DAYS: Final = text("""
SELECT day, claims, doubtful, decided, score, length, classes, effects FROM model_days
WHERE model = :model AND calibration = :calibration AND day >= :first AND day <= :last ORDER BY day""")
_KEEP_DAY: Final = text("""
INSERT INTO model_days (day, model, calibration, claims, doubtful, decided, score, length, classes, effects)
VALUES (:day, :model, :calibration, :claims, :doubtful, :decided, :score, :length, :classes,
  CAST(:effects AS jsonb))
ON CONFLICT DO NOTHING""")
_DRAW: Final = text("""
INSERT INTO audit_sample (evaluation_id, probability, tenant, actor)
SELECT id, :probability, tenant, :actor FROM evaluations
WHERE id = ANY(:ids) AND verdict IS NOT NULL AND decided_by = 'gatekeeper' ON CONFLICT DO NOTHING""")


@dataclass(frozen=True, slots=True)
class ShadowScores:
    """What a shadow says of claims beside what the model in service said: columns of one length."""

    evaluations: Sequence[UUID]
    escalated: Sequence[bool]
    called: Sequence[str]
    doubt: Sequence[float | None]
    live_escalated: Sequence[bool]
    live_called: Sequence[str]
    live_doubt: Sequence[float | None]
    live_calibration: str


def first_id(day: date) -> UUID:
    """The smallest id of version 7 (RFC 9562) that can be made on a day or later, in UTC."""
    at = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return UUID(int=int(at.timestamp() * 1000) << 80)


def day_of(connection: Connection, record: Calibration, day: date) -> tuple[Day, bool]:
    """How the claims of a day's filings looked that were screened with this record, and whether that can
    still change because some wait to be screened."""
    score = score_bins(record)
    length = None if record.reference is None else record.reference.length
    row = connection.execute(
        statement("model_day"),
        {
            "first": first_id(day),
            "beyond": first_id(day + timedelta(days=1)),
            "model": record.model_revision,
            "calibration": record.id,
            "score": _edges(score),
            "length": _edges(length),
            "score_middle": _middle(score),
            "length_middle": _middle(length),
        },
    ).one()
    found = Day(
        claims=row.claims,
        doubtful=row.doubtful,
        decided=row.decided,
        score=_counts(row.score, score),
        length=_counts(row.length, length),
        classes={label: int(row.classes.get(str(at), 0)) for at, label in enumerate(LABELS)},
        effects={each.value: _effect(row.claims, row.sums[each]) for each in Characteristic},
    )
    return found, bool(row.open)


def _edges(bins: Bins | None) -> list[float]:
    return [] if bins is None else list(bins.edges)


def _middle(bins: Bins | None) -> int:
    """The bin from which on about half of the reference lies."""
    if bins is None:
        return 0
    below, half = 0, sum(bins.counts) / 2
    for at, count in enumerate(bins.counts):
        below += count
        if below >= half:
            return at + 1
    return len(bins.counts)


def _counts(stored: Mapping[str, int], bins: Bins | None) -> list[int]:
    return [] if bins is None else [int(stored.get(str(at), 0)) for at in range(len(bins.counts))]


def _effect(claims: int, sums: Sequence[float | None]) -> float:
    """The design effect of a trait, from its claims and the sums over filings of n n, n k and k k."""
    having, nn, nk, kk = (float(each or 0) for each in sums)
    share = having / claims if claims else 0.0
    return design_effect(claims, int(having), kk - 2 * share * nk + share * share * nn)


def keep_day(connection: Connection, record: Calibration, day: date, found: Day) -> None:
    """Keeps how a day looked, for as long as its claims may be purged; a day that is kept never changes."""
    connection.execute(
        _KEEP_DAY,
        {
            "day": day,
            "model": record.model_revision,
            "calibration": record.id,
            "claims": found.claims,
            "doubtful": found.doubtful,
            "decided": found.decided,
            "score": list(found.score),
            "length": list(found.length),
            "classes": [found.classes[label] for label in LABELS],
            "effects": json.dumps(dict(found.effects)),
        },
    )


def kept_days(connection: Connection, record: Calibration, first: date, last: date) -> dict[date, Day]:
    """The days from first to last that are kept for this record."""
    given = {"model": record.model_revision, "calibration": record.id, "first": first, "last": last}
    return {
        row.day: Day(
            claims=row.claims,
            doubtful=row.doubtful,
            decided=row.decided,
            score=row.score,
            length=row.length,
            classes=dict(zip(LABELS, row.classes, strict=True)),
            effects=row.effects,
        )
        for row in connection.execute(_DAYS, given)
    }


def audited_verdicts(
    connection: Connection, record: Calibration, first: date, last: date
) -> Sequence[RowMapping]:
    """The drawn verdicts of the gatekeeper with this record on filings of these days, with their reviews."""
    given = {
        "first": first_id(first),
        "beyond": first_id(last + timedelta(days=1)),
        "model": record.model_revision,
        "calibration": record.id,
    }
    return connection.execute(statement("audited_verdicts"), given).mappings().all()


def drawn(evaluations: Sequence[UUID], probability: float) -> list[UUID]:
    """Those that an audit draws, by the rule of draw_audit_sample.sql: it follows from the id."""
    limit = probability * 2**32
    return [each for each in evaluations if int(_digest(each), 16) < limit]


def _digest(evaluation: UUID) -> str:
    return hashlib.md5(f"audit {evaluation}".encode(), usedforsecurity=False).hexdigest()[:8]


def draw(connection: Connection, evaluations: Sequence[UUID], probability: float) -> None:
    """Puts those of the evaluations into the audit sample that are drawn and have a fast verdict now."""
    if chosen := drawn(evaluations, probability):
        connection.execute(_DRAW, {"ids": chosen, "probability": probability, "actor": AUDIT})


def keep_shadow_scores(connection: Connection, model: UUID, scores: ShadowScores) -> None:
    """Keeps what a shadow says."""
    connection.execute(
        statement("keep_shadow_scores"),
        {
            "model": model,
            "ids": list(scores.evaluations),
            "escalated": list(scores.escalated),
            "called": list(scores.called),
            "doubt": list(scores.doubt),
            "live_escalated": list(scores.live_escalated),
            "live_called": list(scores.live_called),
            "live_doubt": list(scores.live_doubt),
            "calibration": scores.live_calibration,
        },
    )


def shadow_compared(connection: Connection, model: UUID) -> Sequence[RowMapping]:
    """How often a shadow called what, by what the models in service called, and whether each escalated."""
    return connection.execute(statement("shadow_compared"), {"model": model}).mappings().all()


def explained(connection: Connection, evaluation: UUID) -> RowMapping | None:
    """Everything that explains an evaluation, whosesoever it is; None if there is no such one."""
    return connection.execute(statement("explained"), {"id": evaluation}).mappings().first()
