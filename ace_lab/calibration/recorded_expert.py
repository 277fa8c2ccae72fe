"""The recorded expert: a second strong reader's answers, stored beside the labels.

It made no label, so that a cascade with it can be measured on true labels; and it can only be asked about the
claims that it has read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ace.claims.model import ClaimInput
from ace.errors import Refused
from ace_lab.data.rows import Row
from ace_lab.experts.opinions import IndexedOpinion, Opinion, Progress, in_order
from ace_lab.readings.labels import recorded_expert
from ace_lab.readings.records import ClaimReading, Labels

RECORDED: Final = "recorded"
"""Names this expert on the command line; RECORDED:FOLDER takes the readings of another folder."""

_Shown = tuple[int, str, tuple[str, ...]]


class RecordedExpert:
    """Answers from readings, for the rows that have one. Times and tokens are 0: nobody took them down."""

    name = key = "recorded strong reader"

    def __init__(self, readings: Mapping[_Shown, ClaimReading]) -> None:
        self.failures: Counter[str] = Counter()
        self._readings = readings

    @classmethod
    def of(cls, rows: Iterable[Row], folder: Path | None = None) -> RecordedExpert:
        """The expert for these rows of labelled claims. Raises Refused if it has read none of them."""
        stored: Labels[ClaimReading] = Labels("claims", folder)
        by_place = {
            f"{patent}/{number}": reading for (patent, number, _), reading in recorded_expert(stored).items()
        }
        found = {
            _shown(row.claim()): by_place[row.origin]
            for row in rows
            if row.edit == "none" and row.origin in by_place
        }
        if not found:
            raise Refused("the recorded expert has read no claim of this split", code="no_data")
        return cls(found)

    def knows(self, row: Row) -> bool:
        """Whether it has read the claim of this row."""
        return _shown(row.claim()) in self._readings

    def opinions(self, inputs: Sequence[ClaimInput], totals: Sequence[int]) -> Iterator[IndexedOpinion]:
        """As Expert.opinions; None for a claim that it has not read."""
        del totals
        for at, claim in enumerate(inputs):
            reading = self._readings.get(_shown(claim))
            yield at, None if reading is None else _opinion(reading)

    def examine(
        self, inputs: Sequence[ClaimInput], totals: Sequence[int], *, progress: Progress | None = None
    ) -> list[Opinion | None]:
        """As Expert.examine."""
        return in_order(self.opinions(inputs, totals), len(inputs), progress)


def _shown(claim: ClaimInput) -> _Shown:
    return claim.number, claim.text, tuple(claim.ancestors)


def _opinion(reading: ClaimReading) -> Opinion:
    quote = "" if reading.defect is None else reading.defect.quote
    return Opinion(
        fail=reading.fails,
        error_class=None if reading.defect is None else reading.defect.error_class,
        quotes=(quote,) if quote else (),
        seconds=0.0,
        tokens=0,
    )
