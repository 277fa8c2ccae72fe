"""Temperature, tau, and the record both come from.

Everything here is fitted on a calibration split that training never saw and testing never sees.
The record travels with the model and its id with every verdict, so that a verdict can be explained
years later. Guarantees hold for claims like those of the split, and for no others.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from ace.routing.score import binary_entropy, is_number, softmax
from ace.routing.scores import Learned, Score, calls

CURVE_POINTS = 21
TEMPERATURES = (0.05, 20.0)

Parameter = int | float | str


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Routing at one tau: the share escalated, and how good the retained rest is.

    `f1` is that of class Fail (P_inv > P_valid) among retained claims; None where none are left.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    escalation: float
    tau: float
    accuracy: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was fitted, on what, for which model.

    `tau` is in the unit of `score`; `escalation` is the share of the n rows above it. `data_hash`
    is the SHA-256 of the split's file. `policy` and `parameters` say how tau was asked for, and
    `promise` in one sentence what that is worth. `fitted_on` rows, of other families than the n,
    gave the temperature and the learned weights; 0 where the n rows gave them too. `measured` is
    how well the score ranks the n rows (AURC and its like).
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    id: str
    method: str
    score: Score
    tau: float
    escalation: float
    temperature: Annotated[float, Field(gt=0)]
    model_revision: str
    data_hash: str
    n: Annotated[int, Field(ge=0)]
    curve: tuple[CurvePoint, ...]
    policy: str = "quantile"
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    promise: str = ""
    fitted_on: Annotated[int, Field(ge=0)] = 0
    learned: Learned | None = None
    measured: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.score in {"learned", "gain"} and self.learned is None:
            raise ValueError(f"score {self.score!r} needs the field learned")
        if self.score == "gain" and self.learned is not None and self.learned.expert_wrong is None:
            raise ValueError("score 'gain' needs the field learned.expert_wrong")

    @classmethod
    def load(cls, path: Path) -> "Calibration":
        """The record in a file. Raises OSError, or ValueError naming the field that is wrong."""
        try:
            record = TypeAdapter(cls).validate_json(path.read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(step) for step in first["loc"]) or "the record"
            raise ValueError(f"{path.name} is no calibration record: {where}: {first['msg']}") from error
        if record.id != _identity(record):
            raise ValueError(f"{path.name} was changed after it was made: its id does not match")
        return record

    def save(self, path: Path) -> None:
        """Writes the record as JSON; a kill leaves the old file or the new one."""
        unfinished = path.with_name(f"{path.name}.tmp")
        unfinished.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
        unfinished.replace(path)

    def sealed(self) -> "Calibration":
        """The same record under the id that its content gives it."""
        return replace(self, id=_identity(self))


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
    p: NDArray[np.floating],
    y_invalid: NDArray[np.bool_],
    points: int = CURVE_POINTS,
    *,
    doubt: NDArray[np.floating] | None = None,
) -> tuple[CurvePoint, ...]:
    """The curve at evenly spaced escalation shares from 0 to 0.95 (paper §4.2, F(gamma)).

    `doubt`, shape (N,), is what tau is compared with: U where none is given.
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


def calibrate(
    p: NDArray[np.floating],
    y_invalid: NDArray[np.bool_],
    *,
    escalation: float,
    temperature: float,
    model_revision: str,
    data_hash: str,
) -> Calibration:
    """The record of the paper's own policy for probabilities p (N, 6), already at `temperature`.

    tau is the quantile of U above which the share `escalation` lies; fitting.fit has the other
    scores and policies. Raises ValueError where a row is no number: such a model is not to be
    calibrated but repaired.
    """
    if not is_number(p).all():
        raise ValueError("some rows are no probabilities")
    u = binary_entropy(p)
    tau = tau_for(u, escalation)
    return Calibration(
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
    ).sealed()


def _identity(record: Calibration) -> str:
    # Fields at their defaults are left out, so that a record made before a field was added keeps its id.
    content = asdict(record)
    for one in fields(record):
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if one.name == "id" or (default is not MISSING and getattr(record, one.name) == default):
            del content[one.name]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"cal-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _f1(called: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float | None:
    hits = int((called & truth).sum())
    marked = int(called.sum()) + int(truth.sum())
    return round(2 * hits / marked, 6) if marked else None
