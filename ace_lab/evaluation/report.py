"""The whole evaluation as one dict of plain numbers with its figures, and the files they go to.

Sections are shaped as `ace_lab.reports.page` shows them. What a data directory lacks (claim sets, rows
of held-out injectors) is left out, and named in the notes.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

import ace
from ace_lab.evaluation import claim_sets, report_details, robustness, routing, single_claims
from ace_lab.evaluation.expert_answers import asked
from ace_lab.evaluation.judges import Judged
from ace_lab.evaluation.paper_results import PAPER
from ace_lab.evaluation.run import Bench
from ace_lab.evaluation.single_claims import EXPERT, GATEKEEPER, HYBRID, STRUCTURAL, Seen
from ace_lab.evaluation.splits import Data, Split
from ace_lab.evaluation.targets import aims
from ace_lab.measures.experts import StructuralExpert
from ace_lab.reports import figures
from ace_lab.reports.page import markdown, render


def evaluated(
    bench: Bench, data: Data, model_dir: Path, command: str
) -> tuple[dict[str, Any], dict[str, Figure]]:
    """Everything that the data directory holds what is needed for, and the figures by name.

    Raises Refused where the directory is none of `ace data build`.
    """
    began = time.perf_counter()
    data.check()
    train, test, known = data.split("train"), data.split("test"), report_details.known(bench, data)
    about = single_claims.seen(bench, test)
    judges = [
        *single_claims.baselines_of(bench, train, test),
        single_claims.structural_only(bench, about, test.totals),
        *single_claims.systems(bench, about),
    ]
    called = {judge.name: judge.called for judge in judges}
    compared = {name: called[name] for name in (GATEKEEPER, HYBRID, STRUCTURAL) if name in called}
    report: dict[str, Any] = {
        "main": single_claims.table(bench, about, judges),
        "classes": {"single": single_claims.classes(bench, about, judges)},
        "sensitivity": None if bench.expert is None else routing.sensitivity(bench, about, known.p),
        "mixes": routing.mixes(bench, about),
        "cross_validation": routing.cross_validation(bench, known.logits, known.split.cases),
        "paired": robustness.paired(bench, about),
        "localisation": robustness.localisation(bench, about),
        "placebo": robustness.placebo(bench, about, compared),
        "held_out": _held_out(bench, data, about, test, judges),
        "calibration": report_details.calibration(bench, about, known),
        "probes": report_details.probes(data.folder),
    }
    _add_sets(report, bench, data)
    report |= {
        "model": report_details.model(bench, model_dir),
        "data": report_details.about_data(data, {"train": train, "calibration": known.split, "test": test}),
        "speed": report_details.speed(bench, report),
        "expert": asked(bench),
        "aims": aims(report),
        "paper": PAPER,
        "notes": report_details.notes(bench, data),
        "generated_with": {
            "ace": ace.__version__,
            "command": command,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "python": platform.python_version(),
            "seconds": round(time.perf_counter() - began, 1),
        },
    }
    return {name: part for name, part in report.items() if part}, report_details.drawn(bench, about, report)


def write(report: Mapping[str, Any], drawn: Mapping[str, Figure], out: Path) -> None:
    """report.json, report.html, report.md and the figures; each file appears when it is whole."""
    out.mkdir(parents=True, exist_ok=True)
    svg = {}
    for name, figure in drawn.items():
        paths = figures.save(figure, out / name.replace("_", "-"))
        svg[name] = next(path for path in paths if path.suffix == ".svg").read_text(encoding="utf-8")
    texts = {
        "report.json": json.dumps(report, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        "report.html": render(report, svg),
        "report.md": markdown(report),
    }
    for name, text in texts.items():
        unfinished = out / f"{name}.tmp"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(out / name)


def _held_out(
    bench: Bench, data: Data, about: Seen, test: Split, judges: list[Judged]
) -> dict[str, Any] | None:
    rows = data.held_out()
    if not any(row.label != "pass" for row in rows):
        return None
    apart = single_claims.seen(bench, Split("held_out", robustness.with_twins(rows, test.rows)))
    structural = single_claims.structural_only(bench, apart, Split("held_out", list(apart.rows)).totals)
    there = {judge.name: judge.called for judge in judges}
    both = {
        GATEKEEPER: (there[GATEKEEPER], apart.gatekeeper),
        STRUCTURAL: (there[STRUCTURAL], structural.called),
    }
    if bench.expert is not None:
        both[HYBRID] = (there[HYBRID], apart.hybrid)
        if not isinstance(bench.expert, StructuralExpert):
            both[EXPERT] = (there[EXPERT], apart.expert)
    return robustness.held_out(bench, about, apart, both)


def _add_sets(report: dict[str, Any], bench: Bench, data: Data) -> None:
    """The tables at the paper's density, where both splits of claim sets are there."""
    known, rows = data.sets("calibration"), data.sets("test")
    if not known or not rows:
        return
    calibration, tau = claim_sets.said_of(bench, "calibration", known, None)
    test, _ = claim_sets.said_of(bench, "test", rows, tau)
    judges = claim_sets.judged(bench, calibration, test)
    report["sets"] = claim_sets.table(bench, test, judges, tau)
    report["classes"]["sets"] = claim_sets.classes(bench, test, judges)
