"""The splits of a data directory as an evaluation uses them: samples, their labels, their twins."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

from ace.claims.model import ClaimInput
from ace.errors import Refused
from ace_lab.data.rows import Row, SetRow, read_rows, read_sets
from ace_lab.evaluation.judges import Cases
from ace_lab.evaluation.run import SampleSizes

Some = TypeVar("Some", Row, SetRow)

NEEDED = ("train.jsonl", "calibration.jsonl", "test.jsonl")
DENSE = ("calibration.sets.jsonl", "test.sets.jsonl")
HELD_OUT = "held_out.jsonl"


@dataclass(frozen=True, slots=True)
class Split:
    """Rows of one file, in its order, and what they are judged on."""

    name: str
    rows: list[Row]

    @property
    def inputs(self) -> list[ClaimInput]:
        """What every judge is shown."""
        return [row.claim() for row in self.rows]

    @property
    def cases(self) -> Cases:
        """The true classes and the families."""
        return Cases.of([row.label for row in self.rows], [row.family for row in self.rows])

    @property
    def totals(self) -> list[int]:
        """The number of claims in each filing, as far as the row shows: the expert is told of it."""
        return [max([row.number, *map(_number, row.ancestors)]) for row in self.rows]


def sampled(rows: list[Some], most: int, seed: int) -> list[Some]:
    """At most so many of the rows, in their order; those of one origin are taken or left together,
    so that every defective row keeps its sound twin."""
    if len(rows) <= most:
        return rows
    origins = sorted({row.origin for row in rows})
    Random(seed).shuffle(origins)
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row.origin] = sizes.get(row.origin, 0) + 1
    taken, room = set(), most
    for origin in origins:
        if sizes[origin] <= room:
            taken.add(origin)
            room -= sizes[origin]
    return [row for row in rows if row.origin in taken]


@dataclass(frozen=True, slots=True)
class Data:
    """The directory that `ace data build` made."""

    folder: Path
    sizes: SampleSizes

    def check(self) -> None:
        """Raises Refused where a file that every evaluation needs is missing."""
        for name in NEEDED:
            if not (self.folder / name).is_file():
                raise Refused(
                    f"{self.folder} has no {name}: make it with `ace data build CLAIMS --out {self.folder}`",
                    code="no_data",
                    pointer="/data",
                )

    def split(self, name: str) -> Split:
        """A split of single claims, sampled."""
        most = self.sizes.train if name == "train" else self.sizes.claims
        rows = _read(read_rows, self.folder / f"{name}.jsonl")
        return Split(name, sampled(rows, most, self.sizes.seed))

    def held_out(self) -> list[Row]:
        """The rows made by injectors that training never saw, sampled; empty where there is no file."""
        path = self.folder / HELD_OUT
        rows = _read(read_rows, path) if path.is_file() else []
        return sampled(rows, self.sizes.claims, self.sizes.seed)

    def sets(self, name: str) -> list[SetRow]:
        """The claim sets of a split at the paper's density, sampled; empty where there is no file."""
        path = self.folder / f"{name}.sets.jsonl"
        rows = _read(read_sets, path) if path.is_file() else []
        return sampled(rows, self.sizes.sets, self.sizes.seed)

    def about(self) -> dict[str, object]:
        """What a report says of the data: file digests and how much of each split there is."""
        manifest = self.folder / "manifest.json"
        return {
            "manifest": _digest(manifest) if manifest.is_file() else None,
            "seed": self.sizes.seed,
            "files": {
                path.name: _digest(path) for path in sorted(self.folder.glob("*.jsonl")) if path.is_file()
            },
        }


def counted(rows: Sequence[Row | SetRow]) -> dict[str, object]:
    """Rows, families and labels of a sample."""
    labels: dict[str, int] = {}
    for row in rows:
        labels[row.label] = labels.get(row.label, 0) + 1
    return {"rows": len(rows), "families": len({row.family for row in rows}), "labels": labels}


def _read(reader: Callable[[Path], list[Some]], path: Path) -> list[Some]:
    try:
        return reader(path)
    except (OSError, TypeError, ValueError) as error:
        raise Refused(f"{path} cannot be read: {error}", code="bad_data", pointer="/data") from error


def _number(ancestor: str) -> int:
    digits = ancestor.partition(".")[0].strip()
    return int(digits) if digits.isdecimal() and len(digits) <= 9 else 0


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
