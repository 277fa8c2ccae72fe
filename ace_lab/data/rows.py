"""Labelled claims and claim sets as stored in a data directory, one JSON object per line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from ace.claims.analysis import AnalysedClaim, from_json
from ace.claims.chains import kept_set
from ace.claims.model import ClaimInput
from ace.gatekeeper.inputs import CHAIN_CHARACTERS

Span = tuple[int, int]

LABELLED: Final = "labelled"
"""Ends the name of a split whose rows readers labelled (`ace_lab.readings.labelled_rows`)."""

WRITTEN: Final = "written"
"""The `edit` of a row that a writer made of a real claim."""


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled claim with its chain, and where the label comes from.

    `spans` delimit the defects in `text`, in code points; a Pass row has none. `edit` is "none" for a real
    claim, otherwise the name of the injector or placebo, or WRITTEN; `generator` is "none", "rules" or the
    name of a language model. `origin` names the real claim that the row was made from, which a defective row
    and its sound twin share. `analysis` is that of the claim in its whole set, as
    `ace.claims.analysis.as_json` makes it; None leaves judges with the chain. `weight` is what the row counts
    in a fit.
    """

    split: str
    family: str
    source: str
    number: int
    text: str
    ancestors: tuple[str, ...]
    label: str
    edit: str
    generator: str
    spans: tuple[Span, ...]
    origin: str
    analysis: dict[str, Any] | None = None
    weight: float = 1.0

    def claim(self) -> ClaimInput:
        """What a judge reads."""
        claim = ClaimInput(self.number, self.text, self.ancestors)
        if self.analysis is None:
            return claim
        return AnalysedClaim.of(claim, from_json(self.analysis, self.number, self.text))


@dataclass(frozen=True, slots=True)
class Defect:
    """A place of a defective set: [start:end] of claim number `claim`, and the injector's name."""

    claim: int
    start: int
    end: int
    edit: str


@dataclass(frozen=True, slots=True)
class SetRow:
    """One labelled claim set at the paper's density: 5 to 15 defects of one class, or none.

    `edit` is "none" for a real set, "placebo", or "injected".
    """

    split: str
    family: str
    source: str
    claims: tuple[tuple[int, str], ...]
    label: str
    edit: str
    generator: str
    defects: tuple[Defect, ...]
    origin: str

    def inputs(self) -> list[ClaimInput]:
        """What a judge reads of each claim, in the order of the set."""
        found = kept_set(self.claims)
        return [found.input_of(number, max_chain_characters=CHAIN_CHARACTERS) for number, _ in self.claims]


def read_rows(path: Path) -> list[Row]:
    """The rows of a file. Raises ValueError on any other line."""
    return [
        Row(
            **{
                **found,
                "ancestors": tuple(found["ancestors"]),
                "spans": tuple((start, end) for start, end in found["spans"]),
            }
        )
        for found in _read(path)
    ]


def read_sets(path: Path) -> list[SetRow]:
    """The claim sets of a file. Raises ValueError on any other line."""
    return [
        SetRow(
            **{
                **found,
                "claims": tuple((number, text) for number, text in found["claims"]),
                "defects": tuple(Defect(**defect) for defect in found["defects"]),
            }
        )
        for found in _read(path)
    ]


def write(path: Path, rows: Iterable[Row | SetRow]) -> None:
    """Writes one line per row; the file appears once it is complete."""
    unfinished = path.with_name(f"{path.name}.tmp")
    with unfinished.open("w", encoding="utf-8") as lines:
        lines.writelines(f"{json.dumps(asdict(row), ensure_ascii=False)}\n" for row in rows)
    unfinished.replace(path)


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for at, line in enumerate(lines, start=1):
            try:
                found = json.loads(line)
                found["claims"] if "defects" in found else found["spans"]
            except (KeyError, RecursionError, TypeError, ValueError) as error:
                raise ValueError(f"line {at} of {path.name} is not a row of a data set") from error
            yield found
