"""How the rows of a calibration split looked: what later claims are compared with (drift.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Bins:
    """Counts by bin: bin i holds the values from edge i - 1 up to, but without, edge i; the first and the
    last bin are open."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    edges: tuple[float, ...]
    counts: tuple[Annotated[int, Field(ge=0)], ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(self.edges) + 1:
            raise ValueError("there must be one bin more than there are edges")
        if any(low >= high for low, high in zip(self.edges, self.edges[1:], strict=False)):
            raise ValueError("edges must ascend")

    @classmethod
    def of(cls, values: Sequence[float] | NDArray[np.floating], bins: int = BINS) -> "Bins":
        """Bins of about equal counts for finite values of shape (N,); fewer where many values are equal."""
        found = np.asarray(values, dtype=np.float64)
        inner = np.quantile(found, np.arange(1, bins) / bins, method="higher")
        edges = np.unique(inner[inner > found.min()])
        return cls(tuple(edges.tolist()), tuple(counted(found, edges)))


@dataclass(frozen=True, slots=True)
class Reference:
    """The rows of a calibration split: their doubt, their size in estimated tokens with their ancestors, and
    how many were called each class."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    score: Bins
    length: Bins
    classes: Mapping[str, Annotated[int, Field(ge=0)]]


def counted(
    values: Sequence[float] | NDArray[np.floating], edges: Sequence[float] | NDArray[np.floating]
) -> list[int]:
    """How many values lie in each bin, as PostgreSQL's `width_bucket` puts them."""
    at = np.searchsorted(
        np.asarray(edges, dtype=np.float64), np.asarray(values, dtype=np.float64), side="right"
    )
    found: list[int] = np.bincount(at, minlength=len(edges) + 1).tolist()
    return found
