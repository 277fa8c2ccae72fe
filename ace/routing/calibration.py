"""The calibration record: the temperature, the score and tau that routing applies, and where they come from.

The record travels with the model, and its id with every verdict, so that a verdict can be explained
years later. Records are fitted by `ace_lab.calibration`. A guarantee holds for claims like those of the
calibration split, and for no others.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from ace.claims.findings import CERTAIN
from ace.routing.fusion import Fusion
from ace.routing.reference import Reference
from ace.routing.scores import Learned, Score

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
class CascadePoint:
    """Gatekeeper and expert together, the expert deciding the share `escalation`: the share of their Fails
    that is defective, and the share of the defective claims that they fail; None where there is none."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    escalation: float
    precision: float | None
    recall: float | None


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The rows whose P_inv lies between `low` and `high`: how many they are, the mean of their P_inv, and the
    share of them that is defective."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    low: Annotated[float, Field(ge=0, le=1)]
    high: Annotated[float, Field(ge=0, le=1)]
    n: Annotated[int, Field(gt=0)]
    predicted: Annotated[float, Field(ge=0, le=1)]
    observed: Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class ExpertMeasured:
    """What an expert was worth on the calibration split.

    `confusion` counts, by the true class, the classes that it called, "unnamed" for a Fail without a class
    and "failed" for an examination that gave no opinion. `seconds` and `tokens` are means of one examination,
    0 if nobody took them down.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    name: str
    accuracy: float
    confusion: Mapping[str, Mapping[str, int]]
    seconds: float
    tokens: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was fitted, on what, for which model.

    `tau` is in the unit of `score`; `escalation` is the share of the n rows above it. `data_hash` is the
    SHA-256 of the split's file. `policy` and `parameters` say how tau was asked for, and `promise` in one
    sentence what that is worth. `fitted_on` rows, of other families than the n, gave the temperature and the
    learned weights; 0 where the n rows gave them too. `fusion` joins the rules' confidences to the encoder's
    logits; None leaves the encoder alone. In the probabilities a missed defect counts as `stakes` false
    alarms, so that P_inv > P_valid where failing the claim costs less; the probability of a defect itself is
    that of `ace.routing.score.without_stakes`. A finding of the rules of at least `certain` confidence may
    not stand beside a Pass without a dispute. `expert` is the expert that tau was fitted for, if any; with
    `expert_assumed` it stands for one that nobody has measured. `cascade` is what both together are worth on
    the rows of which the share `defective` is.
    `reference` is how the n rows looked, for later claims to be compared with; None in earlier records.
    `measured` is how well the score ranks the n rows (AURC and its like), and `reliability` how well P_inv is
    calibrated on them, bin by bin; empty in a record made before it was kept.
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
    fusion: Fusion | None = None
    expert: ExpertMeasured | None = None
    reference: Reference | None = None
    certain: Annotated[float, Field(gt=0, le=1)] = CERTAIN
    stakes: Annotated[float, Field(gt=0)] = 1.0
    expert_assumed: bool = False
    cascade: tuple[CascadePoint, ...] = ()
    defective: float | None = None
    measured: Mapping[str, float] = field(default_factory=dict)
    reliability: tuple[ReliabilityBin, ...] = ()

    def __post_init__(self) -> None:
        if self.score in {"learned", "gain"} and self.learned is None:
            raise ValueError(f"score {self.score!r} needs the field learned")
        trees = {"learned": "gatekeeper_wrong", "gain": "expert_wrong"}.get(self.score)
        if trees is not None and getattr(self.learned, trees) is None:
            raise ValueError(f"score {self.score!r} needs the field learned.{trees}")

    @classmethod
    def load(cls, path: Path) -> "Calibration":
        """The record in a file. Raises OSError, or ValueError naming the field that is wrong."""
        return cls.read(path.read_bytes(), path.name)

    @classmethod
    def read(cls, written: bytes | str, name: str) -> "Calibration":
        """The record that is written as JSON. Raises ValueError naming it and the field that is wrong."""
        try:
            record = TypeAdapter(cls).validate_json(written)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(step) for step in first["loc"]) or "the record"
            raise ValueError(f"{name} is no calibration record: {where}: {first['msg']}") from error
        if record.id != _identity(record):
            raise ValueError(f"{name} was changed after it was made: its id does not match")
        return record

    def save(self, path: Path) -> None:
        """Writes the record as JSON; a kill leaves the old file or the new one."""
        unfinished = path.with_name(f"{path.name}.tmp")
        unfinished.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
        unfinished.replace(path)

    def sealed(self) -> "Calibration":
        """The same record under the id that its content gives it."""
        return replace(self, id=_identity(self))


@lru_cache(maxsize=4)
def record_of_row(written: str) -> Calibration:
    """The record of a model's row. Raises ValueError naming the field that is wrong."""
    return Calibration.read(written, "the model's row")


def record_file(directory: Path, named: Path | None = None) -> Path:
    """The file of a model directory's record, or of the one that is `named`: a path, or NAME alone for
    calibration-NAME.json in the directory."""
    if named is None:
        return directory / "calibration.json"
    return directory / f"calibration-{named}.json" if named.name == str(named) and not named.suffix else named


def _identity(record: Calibration) -> str:
    # Fields at their defaults are left out, so that a record made before a field was added keeps its id.
    content = asdict(record)
    for one in fields(record):
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if one.name == "id" or (default is not MISSING and getattr(record, one.name) == default):
            del content[one.name]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"cal-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
