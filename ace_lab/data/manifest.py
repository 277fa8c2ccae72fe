"""A data directory: one file per split and density, and a manifest of its inputs and contents."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ace import __version__
from ace_lab.data import held_out_rows
from ace_lab.data.dataset import SET_SPLITS, DatasetPlan
from ace_lab.data.llm_rows import LlmRows
from ace_lab.data.pools import SPLITS, Pools
from ace_lab.data.rows import LABELLED, Row, SetRow, write
from ace_lab.data.sources import Sources, file_hash

MANIFEST = "manifest.json"
FILES = tuple(
    f"{name}.jsonl"
    for name in (
        *SPLITS,
        held_out_rows.SPLIT,
        *(f"{split}.{LABELLED}" for split in ("train", "calibration")),
        *(f"{split}.sets" for split in SET_SPLITS),
    )
)
"""All are written, even those without rows."""


def write_data(
    out: Path,
    rows: Iterable[Row | SetRow],
    sources: Sources,
    pools: Pools,
    plan: DatasetPlan,
    injected: LlmRows | None = None,
    hard_for: str | None = None,
) -> dict[str, Any]:
    """Writes the rows and, once they are complete, manifest.json; returns its content.

    `hard_for` is the revision of the gatekeeper that chose hard rows, if one did.
    """
    out.mkdir(parents=True, exist_ok=True)
    (out / MANIFEST).unlink(missing_ok=True)
    by_file: dict[str, list[Row | SetRow]] = {name: [] for name in FILES}
    for row in rows:
        density = ".sets" if isinstance(row, SetRow) else ""
        by_file[f"{row.split}{density}.jsonl"].append(row)
    files = {}
    for name, members in by_file.items():
        write(out / name, members)
        files[name] = {**_counts(members), "sha256": file_hash(out / name)}
    manifest = {
        "ace": __version__,
        "options": asdict(plan),
        "inputs": _files(sources.files, "sets"),
        "skipped": sources.skipped,
        "duplicates_removed": dict(pools.removed),
        "short": _short(by_file, plan),
        "files": files,
    }
    if injected is not None:
        left_out = dict(sorted(injected.left_out.items()))
        manifest["injected"] = {"files": _files(injected.files, "rows"), "left_out": left_out}
    if hard_for is not None:
        manifest["hard_for"] = hard_for
    unfinished = out / f"{MANIFEST}.tmp"
    unfinished.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    unfinished.replace(out / MANIFEST)
    return manifest


def _files(files: Mapping[Path, int], counted: str) -> list[dict[str, Any]]:
    return [{"name": path.name, counted: count, "sha256": file_hash(path)} for path, count in files.items()]


def _counts(rows: Sequence[Row | SetRow]) -> dict[str, Any]:
    return {
        "rows": len(rows),
        "families": len({row.family for row in rows}),
        "labels": _sorted(row.label for row in rows),
        "edits": _sorted(f"{row.label}/{edit}" for row in rows for edit in _edits(row)),
        "sources": _sorted(row.source for row in rows),
        "generators": _sorted(row.generator for row in rows),
    }


def _edits(row: Row | SetRow) -> list[str]:
    """The edits that a row counts for: those of its defects for a defective set, otherwise its own."""
    if isinstance(row, SetRow) and row.defects:
        return [defect.edit for defect in row.defects]
    return [row.edit]


def _short(by_file: Mapping[str, Sequence[Row | SetRow]], plan: DatasetPlan) -> dict[str, dict[str, int]]:
    """Per file of single rows, how many of the requested rows of a class are missing."""
    short = {}
    for split in (*SPLITS, held_out_rows.SPLIT):
        had = Counter(row.label for row in by_file[f"{split}.jsonl"])
        asked = plan.asked(split)
        if missing := {label: count - had[label] for label, count in asked.items() if count > had[label]}:
            short[f"{split}.jsonl"] = missing
    return short


def _sorted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
