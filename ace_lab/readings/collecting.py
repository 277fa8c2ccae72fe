"""Checks what readers and writers wrote, and makes records of it.

Every answer is checked by itself: what is sound is kept, what is not is named with its place, so that the
reader can repair it. Nothing is corrected here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ace.errors import Refused
from ace_lab.readings.asking import BATCHES, Batch, Item, Stored
from ace_lab.readings.corpus import Corpus, edited_set
from ace_lab.readings.records import (
    CLASSES,
    GROUNDS,
    MODEL,
    SOUND,
    ClaimReading,
    Defect,
    Edit,
    SetReading,
    Source,
    span_of,
)

EDITS_PER_SET: Final = 3
MAX_WORDS: Final = 40
"""Words of a reason: more than the 25 asked for, less than a passage of the claim."""


@dataclass(slots=True)
class Collected:
    """The records of one batch, the problems found, and the items without an answer."""

    batch: Batch
    records: list[SetReading | ClaimReading | Edit] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    missing: int = 0

    @property
    def started(self) -> bool:
        """Whether an answer came back."""
        return bool(self.records or self.problems)


def read_batches(folder: Path) -> list[Batch]:
    """The batches of a folder. Raises Refused if it has none."""
    path = folder / BATCHES
    try:
        return [Batch.read(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except OSError as error:
        raise Refused(f"{folder} has no {BATCHES}: `ace data ask` makes it", code="no_data") from error
    except (KeyError, TypeError, ValueError) as error:
        raise Refused(f"{path} is not a list of batches", code="bad_data") from error


def collect(corpus: Corpus, stored: Stored, folder: Path, batch: Batch, date: str) -> Collected:
    """Reads NAME.answers.jsonl of one batch. A file that is not there has every item missing."""
    result = Collected(batch)
    path = folder / f"{batch.name}.answers.jsonl"
    answers = _answers(path, result) if path.is_file() else {}
    source = Source(batch.role, MODEL, date, batch.instruction)
    wanted = EDITS_PER_SET if batch.work == "mistakes" else 1
    edits = {edit.id: edit for edit in stored.edits}
    for number, item in enumerate(batch.items, start=1):
        rows = answers.pop(number, [])
        if len(rows) < wanted:
            result.missing += wanted - len(rows)
        if len(rows) > wanted:
            result.problems.append(f"{_name(batch)} {number}: answered {len(rows)} times, {wanted} wanted")
            continue
        if batch.work == "mistakes":
            result.records.extend(_edits(corpus, stored, item, rows, source, batch, number, result.problems))
            continue
        for row in rows:
            try:
                if batch.work == "sets":
                    result.records.append(_set_reading(corpus, item, row, source))
                else:
                    result.records.append(_claim_reading(corpus, edits, item, row, source))
            except ValueError as error:
                result.problems.append(f"{_name(batch)} {number}: {error}")
    result.problems.extend(f"{_name(batch)} {number}: no such number in the file" for number in answers)
    return result


def _name(batch: Batch) -> str:
    return "set" if batch.work in ("sets", "mistakes") else "question"


def _answers(path: Path, result: Collected) -> dict[int, list[dict[str, Any]]]:
    """The answers by number; lines that are no answer become problems."""
    key = "set" if result.batch.work in ("sets", "mistakes") else "id"
    rows: dict[int, list[dict[str, Any]]] = {}
    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            rows.setdefault(int(row[key]), []).append(row)
        except (KeyError, TypeError, ValueError):
            result.problems.append(f"line {at}: not a JSON object with {key!r}")
    return rows


def _set_reading(corpus: Corpus, item: Item, row: Mapping[str, Any], source: Source) -> SetReading:
    claims = corpus.sets[item.patent].claims
    listed = row.get("claims")
    if not isinstance(listed, list):
        raise ValueError("'claims' is not a list")
    defects = []
    for entry in listed:
        number = entry.get("claim") if isinstance(entry, dict) else None
        claim = claims.get(number) if isinstance(number, int) else None
        if claim is None:
            raise ValueError(f"the set has no claim {number!r}")
        try:
            defects.append(_defect(claim.number, claim.text, entry, _one_of(entry, "class", CLASSES)))
        except ValueError as error:
            raise ValueError(f"claim {number}: {error}") from error
    places = [(defect.claim, defect.error_class, defect.start) for defect in defects]
    if len(set(places)) < len(places):
        raise ValueError("the same defect is listed twice")
    return SetReading(item.patent, source, tuple(defects))


def _claim_reading(
    corpus: Corpus, edits: Mapping[str, Edit], item: Item, row: Mapping[str, Any], source: Source
) -> ClaimReading:
    member = corpus.sets[item.patent]
    claims = member.claims if item.edit is None else edited_set(member, edits[item.edit])
    claim = claims[item.claim or 0]
    verdict, classes = _one_of(row, "verdict", ("Pass", "Fail")), row.get("classes", [])
    if not isinstance(classes, list) or any(name not in CLASSES for name in classes):
        raise ValueError(f"'classes' is not a list of {', '.join(CLASSES)}")
    if (verdict == "Fail") != bool(classes):
        raise ValueError("a Fail names its classes, and a Pass none")
    if not classes:
        return ClaimReading(item.patent, claim.number, source, _sure(row), edit=item.edit)
    defect = _defect(claim.number, claim.text, row, classes[0])
    return ClaimReading(
        item.patent, claim.number, source, defect.sure, tuple(dict.fromkeys(classes)), defect, item.edit
    )


def _edits(
    corpus: Corpus,
    stored: Stored,
    item: Item,
    rows: Iterable[Mapping[str, Any]],
    source: Source,
    batch: Batch,
    number: int,
    problems: list[str],
) -> Iterator[Edit]:
    claims = corpus.sets[item.patent].claims
    closed = {
        defect.claim for record in stored.sets if record.patent == item.patent for defect in record.defects
    }
    for row in rows:
        try:
            claim = claims.get(row["claim"]) if isinstance(row.get("claim"), int) else None
            if claim is None:
                raise ValueError(f"the set has no claim {row.get('claim')!r}")
            if claim.number in closed:
                raise ValueError(f"claim {claim.number} is closed")
            error_class = _one_of(row, "class", (*CLASSES, SOUND))
            start, end = _span(claim.text, _text(row, "old"), "old")
            new = row.get("new")
            if not isinstance(new, str) or new == claim.text[start:end]:
                raise ValueError("'new' is the same as 'old', or no text")
            yield Edit(
                item.patent,
                claim.number,
                source,
                start,
                claim.text[start:end],
                new,
                error_class,
                _text(row, "kind"),
                row.get("subtle") is True,
                _reason(row),
                batch.mix,
            )
        except ValueError as error:
            problems.append(f"set {number}: {error}")


def _defect(number: int, text: str, row: Mapping[str, Any], error_class: str) -> Defect:
    start, end = _span(text, _text(row, "quote"), "quote")
    return Defect(
        number,
        error_class,
        start,
        text[start:end],
        _one_of(row, "ground", GROUNDS),
        _sure(row),
        _reason(row),
    )


def _span(text: str, words: str, name: str) -> tuple[int, int]:
    try:
        return span_of(text, words)
    except ValueError as error:
        raise ValueError(f"{name!r} {words!r}: {error}") from error


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name!r} is missing")
    return value


def _reason(row: Mapping[str, Any]) -> str:
    reason = " ".join(_text(row, "why").split())
    if len(reason.split()) > MAX_WORDS:
        raise ValueError(f"'why' has more than {MAX_WORDS} words")
    return reason


def _one_of(row: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str:
    value = row.get(name)
    if value not in allowed:
        raise ValueError(f"{name!r} is {value!r}, not one of {', '.join(allowed)}")
    return str(value)


def _sure(row: Mapping[str, Any]) -> float:
    value = row.get("sure")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.5 <= value <= 1:
        raise ValueError(f"'sure' is {value!r}, not a number from 0.5 to 1")
    return round(float(value), 2)
