"""Whether the standing model still fits what is filed: drift by day, and the audit of its verdicts.

Nothing is moved here. A past day is counted once and kept; today is counted anew each time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, RowMapping

from ace.claims.taxonomy import LABELS, PASS, Verdict
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.routing.audit import Audited, AuditedDay, audited, tolerated
from ace.routing.calibration import Calibration, record_file, record_of_row
from ace.routing.drift import Day, Difference, differences
from ace.store import models, monitoring
from ace.store.database import transact
from ace.store.reviews import verdict_labels


@dataclass(frozen=True, slots=True)
class Watched:
    """A day's claims as the model saw them, and how they differ from its calibration record. Of an `open` day
    more claims may be screened."""

    day: date
    seen: Day
    differences: list[Difference]
    open: bool

    @property
    def drifts(self) -> list[str]:
        """The characteristics in which the day drifts."""
        return [one.characteristic.value for one in self.differences if one.drifts]


@dataclass(frozen=True, slots=True)
class Health:
    """How the standing model fares: each day, the audit over all of them, and the day of its alarm if any."""

    record: Calibration
    days: list[Watched]
    audit: Audited
    alarm: date | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a shadow says beside the models in service. `changed` counts, by what those called, the claims
    that the shadow calls otherwise; `escalated` and `live_escalated` are shares of the claims."""

    claims: int
    agreement: float | None
    escalated: float | None
    live_escalated: float | None
    changed: Mapping[str, Mapping[str, int]]
    flipped: int  # claims on which both decide, one Pass and the other Fail


def record_in_force(db: Engine, settings_model: Path | None, named: Path | None) -> Calibration | None:
    """The calibration record of the standing model, or else of the model of the settings, or the one that is
    `named` there; None if this machine has none, or this version of ACE cannot read it."""
    standing = transact(db, models.standing_record)
    try:
        if standing is not None:
            return record_of_row(standing)
        return Calibration.load(record_file(settings_model or SHIPPED_MODEL, named))
    except (OSError, ValueError):
        return None


def health(
    db: Engine, record: Calibration, *, last: date, days: int, today: date, alpha: float | None = None
) -> Health:
    """How the model with this record fared on the filings of so many days, up to `last`."""
    first = last - timedelta(days=days - 1)
    kept = transact(db, partial(monitoring.kept_days, record=record, first=first, last=last))
    wanted = [first + timedelta(days=at) for at in range(days)]
    watched = [_watched(db, record, day, kept.get(day), today) for day in wanted]
    rows = transact(db, partial(monitoring.audited_verdicts, record=record, first=first, last=last))
    found = audited(_audited_days(watched, rows), tolerated(record, alpha))
    alarm = None if found.alarm_day is None else watched[found.alarm_day].day
    return Health(record, watched, found, alarm)


def _watched(db: Engine, record: Calibration, day: date, kept: Day | None, today: date) -> Watched:
    if kept is not None:
        return Watched(day, kept, differences(record, kept), open=False)
    found, waiting = transact(db, partial(monitoring.day_of, record=record, day=day))
    if not (still_open := waiting or day >= today):
        transact(db, partial(monitoring.keep_day, record=record, day=day, found=found))
    return Watched(day, found, differences(record, found), open=still_open)


def _audited_days(watched: Sequence[Watched], rows: Sequence[RowMapping]) -> list[AuditedDay]:
    drawn: dict[date, list[RowMapping]] = {}
    for row in rows:
        drawn.setdefault(row["day"], []).append(row)
    return [
        AuditedDay(
            verdicts=max(each.seen.decided, len(of_day := drawn.get(each.day, []))),
            drawn=len(of_day),
            labels=[
                (row["probability"], (label == PASS) != (row["verdict"] == Verdict.PASS))
                for row in of_day
                if (label := _label(row)) is not None
            ],
        )
        for each in watched
    ]


def _label(row: RowMapping) -> str | None:
    """What people agree that a verdict should have been; None as long as they do not."""
    labels = verdict_labels(row["reviews"])
    return labels.pop() if len(labels) == 1 else None


def agreement(rows: Sequence[Mapping[str, Any] | RowMapping]) -> Agreement:
    """The agreement that rows of `monitoring.shadow_compared` show."""
    claims = sum(row["claims"] for row in rows)
    changed: dict[str, dict[str, int]] = {label: {} for label in LABELS}
    for row in rows:
        if row["called"] != row["live_called"]:
            of_class = changed[row["live_called"]]
            of_class[row["called"]] = of_class.get(row["called"], 0) + row["claims"]
    differing = sum(sum(of_class.values()) for of_class in changed.values())
    return Agreement(
        claims=claims,
        agreement=1 - differing / claims if claims else None,
        escalated=_share(rows, "escalated", claims),
        live_escalated=_share(rows, "live_escalated", claims),
        changed={label: of_class for label, of_class in changed.items() if of_class},
        flipped=sum(row["claims"] for row in rows if _flips(row)),
    )


def _share(rows: Sequence[Mapping[str, Any] | RowMapping], condition: str, claims: int) -> float | None:
    return sum(row["claims"] for row in rows if row[condition]) / claims if claims else None


def _flips(row: Mapping[str, Any] | RowMapping) -> bool:
    """Whether both models decide these claims, and give them different verdicts."""
    decided = not row["escalated"] and not row["live_escalated"]
    return decided and (row["called"] == PASS) != (row["live_called"] == PASS)
