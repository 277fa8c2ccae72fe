"""Temperature, tau, and the record both come from.

Everything here is fitted on a calibration split that training never saw and testing never sees.
The record travels with the model and its id with every verdict, so that a verdict can be explained
years later. Guarantees hold for claims like those of the split, and for no others.
"""

import hashlib
import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ace.gatekeeper.score import binary_entropy, is_number, p_inv, p_valid, softmax

CURVE_POINTS = 21
TEMPERATURES = (0.05, 20.0)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Routing at one tau: the share escalated, and how good the retained rest is.

    `f1` is that of class Fail (P_inv > P_valid) among retained claims; None where none are left.
    """

    escalation: float
    tau: float
    accuracy: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was fitted, on what, for which model. `tau` is in nats; `escalation` is the share of the
    calibration split above it; `data_hash` is the SHA-256 of the split's file."""

    id: str
    method: str
    score: Literal["u"]
    tau: float
    escalation: float
    temperature: float
    model_revision: str
    data_hash: str
    n: int
    curve: tuple[CurvePoint, ...]

    @classmethod
    def load(cls, path: Path) -> "Calibration":
        """The record in a file. Raises OSError, or ValueError where it is no such record."""
        found = json.loads(path.read_text(encoding="utf-8"))
        try:
            points = tuple(CurvePoint(**point) for point in found.pop("curve"))
            record = cls(curve=points, **found)
            possible = record.score == "u" and math.isfinite(record.tau) and record.temperature > 0
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"{path.name} is no calibration record: {error}") from error
        if not possible:
            raise ValueError(f"{path.name} needs score 'u', a finite tau and a positive temperature")
        if record.id != _identity(record):
            raise ValueError(f"{path.name} was changed after it was made: its id does not match")
        return record

    def save(self, path: Path) -> None:
        """Writes the record as JSON."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")


def fit_temperature(logits: NDArray[np.floating], labels: NDArray[np.integer]) -> float:
    """The temperature of least cross-entropy for logits (N, 6) and class indices (N,).

    Guo et al. 2017. The loss is convex in 1/T, so golden-section search on log T finds it.
    """
    if len(logits) == 0:
        raise ValueError("a temperature needs at least one row")
    rows = np.arange(len(labels))

    def loss(log_temperature: float) -> float:
        p = softmax(logits, float(np.exp(log_temperature)))[rows, labels]
        return float(-np.log(np.maximum(p.astype(np.float64), 1e-12)).mean())

    low, high = (float(np.log(end)) for end in TEMPERATURES)
    ratio = (5**0.5 - 1) / 2
    for _ in range(60):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if loss(left) <= loss(right):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))


def tau_for(u: NDArray[np.floating], escalation: float) -> float:
    """The least tau at which at most the share `escalation` of the scores lies above it."""
    if not 0.0 <= escalation < 1.0:
        raise ValueError(f"escalation must be in [0, 1), not {escalation}")
    if len(u) == 0:
        raise ValueError("tau needs at least one score")
    kept = len(u) - int(np.floor(len(u) * escalation + 1e-9))
    return float(np.sort(np.asarray(u, dtype=np.float64))[kept - 1])


def risk_coverage(
    p: NDArray[np.floating], y_invalid: NDArray[np.bool_], points: int = CURVE_POINTS
) -> tuple[CurvePoint, ...]:
    """The curve at evenly spaced escalation shares from 0 to 0.95 (paper §4.2, F(gamma))."""
    u = binary_entropy(p)
    called = p_inv(p) > p_valid(p)
    found = []
    for share in np.linspace(0.0, 0.95, points):
        tau = tau_for(u, float(share))
        kept = u <= tau
        found.append(
            CurvePoint(
                escalation=round(float(1.0 - kept.mean()), 6),
                tau=tau,
                accuracy=round(float((called == y_invalid)[kept].mean()), 6),
                f1=_f1(called[kept], y_invalid[kept]),
            )
        )
    return tuple(found)


def calibrate(
    p: NDArray[np.floating],
    y_invalid: NDArray[np.bool_],
    *,
    escalation: float,
    temperature: float,
    model_revision: str,
    data_hash: str,
) -> Calibration:
    """The record for probabilities p (N, 6), already at `temperature`, of the calibration split.

    tau is the quantile of U above which the share `escalation` lies. Raises ValueError where a row
    is no number: such a model is not to be calibrated but repaired.
    """
    if not is_number(p).all():
        raise ValueError("some rows are no probabilities")
    u = binary_entropy(p)
    tau = tau_for(u, escalation)
    record = Calibration(
        id="",
        method=f"temperature scaling, then the {1 - escalation:g} quantile of U",
        score="u",
        tau=tau,
        escalation=round(float((u > tau).mean()), 6),
        temperature=temperature,
        model_revision=model_revision,
        data_hash=data_hash,
        n=len(u),
        curve=risk_coverage(p, y_invalid),
    )
    return replace(record, id=_identity(record))


def _identity(record: Calibration) -> str:
    content: dict[str, Any] = asdict(record)
    del content["id"]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"cal-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _f1(called: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float | None:
    hits = int((called & truth).sum())
    marked = int(called.sum()) + int(truth.sum())
    return round(2 * hits / marked, 6) if marked else None
