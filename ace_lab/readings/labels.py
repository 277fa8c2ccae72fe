"""Labels: what readings that agree make of a claim, and which edits count.

A person's reading overrules all others. Otherwise claims read one by one by two or more readers have the
label of the majority, none in a tie; then whole-set readings, by two in the same way; then a single reading
of the whole set, whose Fail counts only from SURE on. Readings of the recorded expert are never used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus
from ace_lab.readings.records import EXPERT, PERSON, SOUND, ClaimReading, Defect, Edit, SetReading

SURE: Final = 0.7
"""A single reader's Fail that is less certain is no label: four of five readings that a second reader
contradicted were below it (shared measurements of the labels' first 480 sets)."""

By = Literal["person", "claim by claim", "whole set twice", "whole set once"]
Place = tuple[str, int]
Opinion = tuple[Defect | None, frozenset[str]]
"""The gravest defect that a reader saw in a claim, and the classes of all."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a claim is taken for: `defect` is None on a Pass, `by` is the kind of readings that made it, and
    `classes` are all that a reader who failed the claim named."""

    defect: Defect | None
    by: By
    classes: frozenset[str] = frozenset()

    @property
    def fails(self) -> bool:
        """Whether the claim has a defect."""
        return self.defect is not None


def claim_labels(corpus: Corpus, stored: Stored, sure: float = SURE) -> dict[Place, Label]:
    """The label of every claim of the corpus that has one, by patent and claim number; a single reader's Fail
    is one if it is at least so `sure`."""
    found = _of_sets(corpus, stored.sets, sure)
    by_claim: dict[Place, list[ClaimReading]] = {}
    for reading in stored.claims:
        if reading.edit is None and reading.source.role != EXPERT:
            by_claim.setdefault((reading.patent, reading.claim), []).append(reading)
    for place, readings in by_claim.items():
        opinions: list[Opinion] = [(reading.defect, frozenset(reading.classes)) for reading in readings]
        persons = [reading for reading in readings if reading.source.reader == PERSON]
        if persons:
            last = max(persons, key=lambda reading: reading.source.date)
            found[place] = Label(last.defect, "person", frozenset(last.classes))
        elif len(readings) > 1:
            _settle(found, place, opinions, "claim by claim")
    return found


def recorded_expert(
    readings: Iterable[ClaimReading], edit: bool = False
) -> dict[tuple[str, int, str | None], ClaimReading]:
    """The recorded expert's readings among these, by patent, claim and edit."""
    return {
        (reading.patent, reading.claim, reading.edit): reading
        for reading in readings
        if reading.source.role == EXPERT and (edit or reading.edit is None)
    }


def edits_that_count(stored: Stored) -> tuple[list[Edit], list[Edit]]:
    """The edits that count, and those set aside: mistakes that two blind readers passed, and sound edits that
    two failed. Edits that were not read twice count."""
    verdicts: dict[str, list[bool]] = {}
    for reading in stored.claims:
        if reading.edit is not None and reading.source.role != EXPERT:
            verdicts.setdefault(reading.edit, []).append(reading.fails)
    counted: list[Edit] = []
    aside: list[Edit] = []
    for edit in stored.edits:
        seen = verdicts.get(edit.id, [])
        contradicted = len(seen) > 1 and all(fails == (edit.error_class == SOUND) for fails in seen)
        (aside if contradicted else counted).append(edit)
    return counted, aside


def opinion_of(reading: SetReading, claim: int) -> Opinion:
    """What a whole-set reading says of one claim: readers name the gravest defect first."""
    defects = [defect for defect in reading.defects if defect.claim == claim]
    return (defects[0] if defects else None), frozenset(defect.error_class for defect in defects)


def _of_sets(corpus: Corpus, readings: Iterable[SetReading], sure: float) -> dict[Place, Label]:
    by_set: dict[str, list[SetReading]] = {}
    for reading in readings:
        by_set.setdefault(reading.patent, []).append(reading)
    found: dict[Place, Label] = {}
    for patent, members in by_set.items():
        for claim in corpus.sets[patent].claims if patent in corpus.sets else ():
            place = (patent, claim.number)
            opinions = [opinion_of(reading, claim.number) for reading in members]
            defect, classes = opinions[0]
            if len(opinions) > 1:
                _settle(found, place, opinions, "whole set twice")
            elif defect is None or defect.sure >= sure:
                found[place] = Label(defect, "whole set once", classes)
    return found


def _settle(found: dict[Place, Label], place: Place, opinions: Sequence[Opinion], by: By) -> None:
    """Puts the label of the majority in place, or takes away the label that a tie contradicts."""
    failing = [defect for defect, _ in opinions if defect is not None]
    if 2 * len(failing) == len(opinions):
        found.pop(place, None)
    elif 2 * len(failing) < len(opinions):
        found[place] = Label(None, by)
    else:
        named = [defect.error_class for defect in failing]
        gravest = max(failing, key=lambda defect: (named.count(defect.error_class), defect.sure))
        found[place] = Label(gravest, by, frozenset().union(*(classes for _, classes in opinions)))
