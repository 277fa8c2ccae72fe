"""The page of the calibration: what tau is worth, and what another one would escalate and miss."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from ace.api.parts import Here
from ace.desk.charts import line
from ace.desk.pages import Page, PageError, show
from ace.desk.visitors import ReadingVisitor
from ace.routing.calibration import Calibration
from ace.settings import Settings

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


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a threshold does to 1,000 claims like those of the calibration split."""

    tau: float
    escalated: float  # claims that go to the expert
    missed: float  # wrong verdicts of the gatekeeper that stand
    caught: float  # the share of its wrong verdicts that the expert sees


def calibration_of(settings: Settings) -> Calibration | None:
    """The record beside the model that the settings name; None if this machine has none that can be read."""
    directory = settings.gatekeeper_model
    path = directory / "calibration.json" if directory else _shipped()
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None


@cache
def _shipped() -> Path:
    return Path(str(files("ace.gatekeeper"))) / "model" / "calibration.json"


@cache
def _read(path: Path, changed: int) -> Calibration:
    return Calibration.load(path)


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


def _risk(accuracy: float | None) -> float:
    """The error rate among retained claims; none are wrong where none are left."""
    return 0.0 if accuracy is None else 1 - accuracy


@router.get("/calibration")
def calibration(
    request: Request,
    caller: ReadingVisitor,
    parts: Here,
    escalation: Annotated[float | None, Query(ge=0, le=100, allow_inf_nan=False)] = None,
) -> Response:
    """The record of the model, its curve, and another threshold to try; `escalation` in per cent."""
    record = calibration_of(parts.settings)
    if record is None or len(record.curve) < 2:
        raise PageError(404, "No calibration here", "This machine has no calibration record with a curve.")
    wanted = record.escalation if escalation is None else escalation / 100
    tried, stands = outlook(record, wanted), outlook(record, record.escalation)
    rows = [outlook(record, point.escalation) for point in record.curve]
    risks = [(1 - row.escalated / 1000, _retained_risk(row)) for row in rows if row.escalated < 1000]
    return show(
        request,
        "calibration.html",
        record=record,
        wanted=wanted,
        stands=stands,
        tried=tried,
        rows=rows,
        risk=line(risks, (1 - tried.escalated / 1000, _retained_risk(tried))),
        recall=line(
            [(row.escalated / 1000, row.caught) for row in rows],
            (tried.escalated / 1000, tried.caught),
            top=1.0,
        ),
        measured={
            words: record.measured[name] for name, words in MEASURED.items() if name in record.measured
        },
    )


def _retained_risk(row: Outlook) -> float:
    kept = 1000 - row.escalated
    return row.missed / kept if kept else 0.0
