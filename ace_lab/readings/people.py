"""What people said of claims at the desk, as readings that overrule all others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ace.claims.taxonomy import PASS
from ace_lab.data.rows import Row
from ace_lab.readings.corpus import Corpus
from ace_lab.readings.records import PERSON, ClaimReading, Defect, Source

INSTRUCTION: Final = "desk"
GROUND: Final = "rejection"
"""The desk asks for the class of a defect and not for its ground; most defects draw a rejection."""
QUOTED_CHARACTERS: Final = 60
WHY: Final = "Said at the desk."


@dataclass(frozen=True, slots=True)
class Overruled:
    """The readings that were made of rows, and how many rows are of claims that the corpus does not have."""

    readings: tuple[ClaimReading, ...]
    unknown: int


def readings_of(corpus: Corpus, rows: Iterable[Row], date: str) -> Overruled:
    """Each row that `ace reviews export` wrote, as the reading of a person on that day.

    A claim is known by its text and number. One that several sets have, word for word, is read in each.
    """
    places: dict[tuple[int, str], list[str]] = {}
    for patent, member in corpus.sets.items():
        for claim in member.claims:
            places.setdefault((claim.number, claim.text), []).append(patent)
    source = Source(PERSON, PERSON, date, INSTRUCTION)
    found: list[ClaimReading] = []
    unknown = 0
    for row in rows:
        patents = places.get((row.number, row.text), ())
        unknown += not patents
        found += [_reading(row, patent, source) for patent in patents]
    return Overruled(tuple(found), unknown)


def _reading(row: Row, patent: str, source: Source) -> ClaimReading:
    if row.label == PASS:
        return ClaimReading(patent, row.number, source, 1.0)
    start, end = min(row.spans, default=(0, len(row.text)))
    quote = row.text[start : min(end, start + QUOTED_CHARACTERS)]
    defect = Defect(row.number, row.label, start, quote, GROUND, 1.0, WHY)
    return ClaimReading(patent, row.number, source, 1.0, (row.label,), defect)
