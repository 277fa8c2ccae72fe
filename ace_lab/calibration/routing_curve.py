"""Routing by one threshold: tau for a share of escalated claims, and the quality of what remains."""

import numpy as np
from numpy.typing import NDArray

from ace.routing.calibration import CascadePoint, CurvePoint
from ace.routing.score import binary_entropy
from ace.routing.scores import calls
from ace_lab.calibration.guarantee import RoutingRows

CURVE_POINTS = 21


def tau_for(u: NDArray[np.floating], escalation: float) -> float:
    """The smallest tau at which at most the share `escalation` of the scores lies above it."""
    if not 0.0 <= escalation < 1.0:
        raise ValueError(f"escalation must be in [0, 1), not {escalation}")
    if len(u) == 0:
        raise ValueError("tau needs at least one score")
    kept = len(u) - int(np.floor(len(u) * escalation + 1e-9))
    return float(np.sort(np.asarray(u, dtype=np.float64))[kept - 1])


def routing_curve(
    p: NDArray[np.floating],
    y_invalid: NDArray[np.bool_],
    points: int = CURVE_POINTS,
    *,
    doubt: NDArray[np.floating] | None = None,
) -> tuple[CurvePoint, ...]:
    """The curve at evenly spaced escalation shares from 0 to 0.95 (paper §4.2, F(gamma)).

    `doubt`, shape (N,), is what tau is compared with, U by default.
    """
    doubt = binary_entropy(p) if doubt is None else doubt
    called = calls(p)
    found = []
    for share in np.linspace(0.0, 0.95, points):
        tau = tau_for(doubt, float(share))
        kept = doubt <= tau
        found.append(
            CurvePoint(
                escalation=round(float(1.0 - kept.mean()), 6),
                tau=tau,
                accuracy=round(float((called == y_invalid)[kept].mean()), 6),
                f1=_f1(called[kept], y_invalid[kept]),
            )
        )
    return tuple(found)


def cascade_curve(rows: RoutingRows, points: int = CURVE_POINTS) -> tuple[CascadePoint, ...]:
    """What gatekeeper and expert are worth together, at evenly spaced shares for the expert from 0 to 0.95.
    Without an expert, none."""
    if rows.expert_wrong is None:
        return ()
    found = []
    for share in np.linspace(0.0, 0.95, points):
        up = rows.doubt > tau_for(rows.doubt, float(share))
        fails = np.where(up, rows.invalid ^ rows.expert_wrong, rows.called)
        hits = int((fails & rows.invalid).sum())
        found.append(
            CascadePoint(
                round(float(up.mean()), 6),
                _share(hits, int(fails.sum())),
                _share(hits, int(rows.invalid.sum())),
            )
        )
    return tuple(found)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _f1(called: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float | None:
    hits = int((called & truth).sum())
    marked = int(called.sum()) + int(truth.sum())
    return round(2 * hits / marked, 6) if marked else None
