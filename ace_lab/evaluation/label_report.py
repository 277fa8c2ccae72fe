"""The measure by true labels: judges the labelled claims and edits of one split and makes every table.

Test families are opened only on purpose, and each opening is written down in `openings.jsonl` beside the
labels.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ace.claims.analysis import VERSION
from ace_lab.evaluation import label_tables
from ace_lab.evaluation.labelled import Calls, Gatekeeper, calls_on, judge_claims, judge_edits
from ace_lab.readings.agreement import pairs_of, tables
from ace_lab.readings.asking import Stored
from ace_lab.readings.corpus import Corpus
from ace_lab.readings.labels import claim_labels, edits_that_count, recorded_expert
from ace_lab.readings.records import SOUND, labels_folder

OPENINGS: Final = "openings.jsonl"
USD_PER_HOUR: Final = 3.0
"""The price of the gatekeeper's machine, as in the rest of the report."""

OnStep = Callable[[str, int], Callable[[int], None]]
"""Begins a step of so many units; what it returns is called with the units done."""


def measured(
    corpus: Corpus, stored: Stored, split: str, gatekeeper: Gatekeeper | None, on_step: OnStep
) -> dict[str, Any]:
    """Every table for one split; without a gatekeeper those of the rules alone."""
    labels = {
        place: label
        for place, label in claim_labels(corpus, stored).items()
        if corpus.sets[place[0]].split == split
    }
    patents = sorted({patent for patent, _ in labels})
    judged, inputs = judge_claims(corpus, labels, patents, on_step("claim sets", len(patents)))
    counted, aside = edits_that_count(stored)
    edits = [edit for edit in counted if corpus.sets[edit.patent].split == split]
    edited, before, after = judge_edits(corpus, edits, on_step("edits", len(edits)))
    calls = was = now = None
    usd = 0.0
    if gatekeeper is not None:
        started = time.perf_counter()
        calls = calls_on(gatekeeper, inputs, on_step("gatekeeper", len(inputs)))
        usd = (time.perf_counter() - started) / len(inputs) * 1e6 / 3_600 * USD_PER_HOUR
        was, now = _edit_calls(gatekeeper, before, after, on_step)
    report: dict[str, Any] = {
        "split": split,
        "rules": VERSION,
        "model": None if gatekeeper is None else gatekeeper.engine.revision,
        "counts": _counts(corpus, stored, split, len(edits), len(aside)),
        "agreement": tables([p for p in pairs_of(corpus, stored) if corpus.sets[p.patent].split == split]),
        "shares": label_tables.shares_table(judged),
        "judges": label_tables.judges_table(judged, calls),
        "parts": label_tables.parts_table(judged, calls),
        "bands": label_tables.bands_table(judged, calls),
        "misses": label_tables.misses_table(judged, calls),
        "edits": label_tables.edits_table(edited, was, now, calls),
        "by_rule": label_tables.rules_table(judged),
        "rules_on_edits": label_tables.rules_on_edits(edited),
    }
    if calls is not None:
        report["roc"] = label_tables.roc_points(judged, calls)
        report["cascade"] = label_tables.cascade_table(judged, calls, recorded_expert(stored.claims), usd)
    return report


def opened(report: dict[str, Any], date: str, folder: Path | None = None) -> list[dict[str, Any]]:
    """Writes down that test families were opened; returns all openings so far."""
    path = (folder or labels_folder()) / OPENINGS
    judges = [row["judge"] for row in report["judges"]]
    entry = {"date": date, "rules": report["rules"], "model": report["model"], "judges": judges}
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, json.dumps(entry)]) + "\n", encoding="utf-8")
    return [json.loads(line) for line in [*lines, json.dumps(entry)]]


def _edit_calls(
    gatekeeper: Gatekeeper, before: Any, after: Any, on_step: OnStep
) -> tuple[Calls | None, Calls | None]:
    if not before:
        return None, None
    step = on_step("edited claims", 2 * len(before))
    return calls_on(gatekeeper, before, step), calls_on(gatekeeper, after, step)


def _counts(corpus: Corpus, stored: Stored, split: str, edits: int, aside: int) -> dict[str, int]:
    def here(patent: str) -> bool:
        return corpus.sets[patent].split == split

    return {
        "set_readings": sum(here(reading.patent) for reading in stored.sets),
        "claim_readings": sum(here(reading.patent) and reading.edit is None for reading in stored.claims),
        "edit_readings": sum(here(reading.patent) and reading.edit is not None for reading in stored.claims),
        "mistakes": sum(here(edit.patent) and edit.error_class != SOUND for edit in stored.edits),
        "sound_edits": sum(here(edit.patent) and edit.error_class == SOUND for edit in stored.edits),
        "edits_counted": edits,
        "edits_set_aside": aside,
    }
