"""Who read and wrote what: one row for each split, kind of work and role."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus
from ace_lab.readings.records import SOUND, ClaimReading, Edit, SetReading, labels_folder

FILE: Final = "manifest.json"


def manifest(corpus: Corpus, stored: Stored) -> list[dict[str, Any]]:
    """How many sets, claims and edits each role read or wrote in each split, in how many of them it found a
    defect or made a mistake, between which dates, and by which instructions."""
    groups: dict[tuple[str, str, str, str], list[SetReading | ClaimReading | Edit]] = {}
    every: Iterable[SetReading | ClaimReading | Edit] = (*stored.sets, *stored.claims, *stored.edits)
    for record in every:
        source = record.source
        key = (_work(record), corpus.sets[record.patent].split, source.role, source.reader)
        groups.setdefault(key, []).append(record)
    return [
        {
            "work": work,
            "split": split,
            "role": role,
            "reader": reader,
            "records": len(members),
            "with_defect": sum(map(_defective, members)),
            "first": min(member.source.date for member in members),
            "last": max(member.source.date for member in members),
            "instructions": sorted({member.source.instruction for member in members}),
        }
        for (work, split, role, reader), members in sorted(groups.items())
    ]


def save(rows: list[dict[str, Any]], folder: Path | None = None) -> None:
    """Writes the manifest beside the labels."""
    path = (folder or labels_folder()) / FILE
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def load(folder: Path | None = None) -> list[dict[str, Any]]:
    """The stored manifest."""
    rows: list[dict[str, Any]] = json.loads((folder or labels_folder()).joinpath(FILE).read_text("utf-8"))
    return rows


def _work(record: SetReading | ClaimReading | Edit) -> str:
    if isinstance(record, SetReading):
        return "whole sets read"
    if isinstance(record, Edit):
        return "edits written"
    return "claims read" if record.edit is None else "edited claims read"


def _defective(record: SetReading | ClaimReading | Edit) -> bool:
    if isinstance(record, SetReading):
        return bool(record.defects)
    return record.error_class != SOUND if isinstance(record, Edit) else record.fails
