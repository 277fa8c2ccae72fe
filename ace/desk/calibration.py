"""The page of the calibration: what tau is worth, and what another one would escalate and miss."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, Final

import numpy as np
from fastapi import APIRouter, Query, Request, Response

from ace.api.models import models_shown
from ace.api.parts import Here, Parts
from ace.desk.charts import Point, line, reliability
from ace.desk.pages import Page, PageError, show
from ace.desk.visitors import ReadingVisitor
from ace.prices import PAPER_USD_PER_CALL
from ace.routing.calibration import Calibration, record_file, record_of_row
from ace.routing.doubt_rank import Scale, bound_words
from ace.routing.record_files import record_at, records_beside
from ace.settings import Settings
from ace.store import models
from ace.store.database import transact
from ace.store.scopes import Scope

router = APIRouter(route_class=Page, include_in_schema=False)

BAND: Final = 0.99  # of samples lie inside it
FEWEST: Final = 30  # verdicts, below which a share says little
MEASURED: Final = {
    "ece": "mean gap between probability and outcome (ECE)",
    "equal_mass_ece": "the same over bins of equal size",
    "brier": "squared error of P(invalid) (Brier score)",
    "nll": "negative log-likelihood, nats",
    "aurc": "area under the risk–coverage curve (AURC)",
    "e_aurc": "AURC above that of a perfect ranking",
    "augrc": "area under the generalised risk–coverage curve",
}


@dataclass(frozen=True, slots=True)
class Band:
    """The share of verdicts by the expert that the calibration lets expect, and its bounds for a sample."""

    expected: float
    low: float
    high: float
    enough: bool  # the sample is large enough to be compared

    def holds(self, share: float) -> bool:
        """Whether a share is as expected, or from too small a sample to say."""
        return not self.enough or self.low <= share <= self.high


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a threshold does to 1,000 claims like those of the calibration split."""

    tau: float
    escalated: float  # claims that go to the expert
    missed: float  # wrong verdicts of the gatekeeper that stand
    caught: float  # the share of its wrong verdicts that the expert sees


@dataclass(frozen=True, slots=True)
class Together:
    """What gatekeeper and expert make of 1,000 claims like those of the calibration split."""

    found: float  # defective claims that they fail
    missed: float  # defective claims that they pass
    false_alarms: float  # sound claims that they fail
    f1: float


def record_shown(parts: Parts) -> Calibration | None:
    """The record of the standing model, or of the model that the settings of this process name; None if there
    is none that this version of ACE can read."""
    standing = transact(parts.watch, models.standing_record)
    if standing is None:
        return calibration_of(parts.settings)
    try:
        return record_of_row(standing)
    except ValueError:  # of a newer version, while processes are replaced
        return None


def calibration_of(settings: Settings) -> Calibration | None:
    """The record that the settings name, or else the one beside the model; None if this machine has none that
    can be read."""
    try:
        return record_at(record_file(settings.gatekeeper_model or _shipped(), settings.calibration))
    except (OSError, ValueError):
        return None


def records_of(parts: Parts, ids: Collection[str]) -> Mapping[str, Calibration]:
    """Those of the records that verdicts name which this process can read: beside its model, or in a row."""
    found = records_beside(parts.settings.gatekeeper_model or _shipped(), parts.settings.calibration)
    missing = set(ids) - found.keys()
    for written in transact(parts.watch, partial(models.records, calibrations=missing)) if missing else ():
        with suppress(ValueError):  # of a newer version, while processes are replaced
            record = record_of_row(written)
            found[record.id] = record
    return found


@cache
def _shipped() -> Path:
    return Path(str(files("ace.gatekeeper"))) / "model"


def band(record: Calibration, verdicts: int) -> Band:
    """Where the share lies in 99 % of samples of this many verdicts, for both sample and split are random.

    The normal approximation of two binomials (Newcombe 1998).
    """
    p = record.escalation
    deviation = (p * (1 - p) * (1 / max(1, verdicts) + 1 / max(1, record.n))) ** 0.5
    reach = NormalDist().inv_cdf((1 + BAND) / 2) * deviation
    return Band(p, max(0.0, p - reach), min(1.0, p + reach), verdicts >= FEWEST)


def outlook(record: Calibration, escalation: float) -> Outlook:
    """What escalating this share would do, between the points of the stored curve."""
    points = sorted((point.escalation, point.tau, _risk(point.accuracy)) for point in record.curve)
    after = next((at for at, point in enumerate(points) if point[0] >= escalation), len(points) - 1)
    (low, low_tau, low_risk), (high, high_tau, high_risk) = points[max(0, after - 1)], points[after]
    part = 0.0 if high == low else min(1.0, max(0.0, (escalation - low) / (high - low)))
    share = low + part * (high - low)
    missed = (low_risk + part * (high_risk - low_risk)) * (1 - share)
    wrong = points[0][2] * (1 - points[0][0])
    return Outlook(
        tau=low_tau + part * (high_tau - low_tau),
        escalated=1000 * share,
        missed=1000 * missed,
        caught=1 - missed / wrong if wrong else 1.0,
    )


def together(record: Calibration, escalation: float) -> Together | None:
    """What both find if the expert decides this share, between the points of the stored cascade; None without
    one."""
    points = [
        (each.escalation, each.precision, each.recall)
        for each in record.cascade
        if each.precision and each.recall
    ]
    if not points or record.defective is None:
        return None
    shares, precisions, recalls = zip(*sorted(points), strict=True)
    precision, recall = (float(np.interp(escalation, shares, each)) for each in (precisions, recalls))
    defective = 1000 * record.defective
    found = defective * recall
    return Together(
        found=found,
        missed=defective - found,
        false_alarms=found / precision - found,
        f1=2 * precision * recall / (precision + recall),
    )


def _risk(accuracy: float | None) -> float:
    """The error rate among retained claims; none are wrong where none are left."""
    return 0.0 if accuracy is None else 1 - accuracy


@router.get("/calibration")
def calibration(
    request: Request,
    caller: ReadingVisitor,
    parts: Here,
    escalation: Annotated[float | None, Query(ge=0, le=100, allow_inf_nan=False)] = None,
    price: Annotated[float, Query(ge=0, le=1000, allow_inf_nan=False)] = PAPER_USD_PER_CALL,
) -> Response:
    """The record of the model, its curve, and another threshold to try: `escalation` in per cent, the price
    of a call of the expert in dollars."""
    record = record_shown(parts)
    if record is None or len(record.curve) < 2:
        raise PageError(404, "No calibration here", "This machine has no calibration record with a curve.")
    wanted = record.escalation if escalation is None else escalation / 100
    tried, stands = outlook(record, wanted), outlook(record, record.escalation)
    rows = list(dict.fromkeys(outlook(record, point.escalation) for point in record.curve))
    marked = (stands, tried)
    return show(
        request,
        "calibration.html",
        record=record,
        bound=bound_words(record),
        percent_of_tau=Scale.of(record).from_percent,
        models=models_shown(parts) if Scope.OPERATE in caller.scopes else None,
        wanted=wanted,
        stands=stands,
        tried=tried,
        both=[together(record, each) for each in (record.escalation, wanted)],
        price=price,
        rows=rows,
        risk=line(
            [_risk_by_coverage(row) for row in rows if row.escalated < 1000], map(_risk_by_coverage, marked)
        ),
        recall=line(map(_recall_by_cost, rows), map(_recall_by_cost, marked), top=1.0),
        bins=reliability(record.reliability),
        measured={
            words: record.measured[name] for name, words in MEASURED.items() if name in record.measured
        },
    )


def _risk_by_coverage(row: Outlook) -> Point:
    """The share that the gatekeeper decides, and the share of it that it decides wrongly."""
    kept = 1000 - row.escalated
    return kept / 1000, row.missed / kept if kept else 0.0


def _recall_by_cost(row: Outlook) -> Point:
    """The share that goes to the expert, and the share of the gatekeeper's wrong verdicts among it."""
    return row.escalated / 1000, row.caught
