"""The whole evaluation as one dict of plain numbers with its figures, and the files they are written to.

`ace_lab.reports` says how each section is shown. If the data directory has no claim sets or no held-out
rows, those sections are left out and the notes say so.
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
from ace_lab.evaluation.expert_answers import expert_answers
from ace_lab.evaluation.judges import JudgeResult
from ace_lab.evaluation.paper_results import PAPER
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import EXPERT, GATEKEEPER, HYBRID, STRUCTURAL, ClaimVerdicts
from ace_lab.evaluation.splits import Data, Split
from ace_lab.evaluation.targets import targets
from ace_lab.experts.opinions import StructuralExpert
from ace_lab.reports import figures
from ace_lab.reports.markdown import page


def evaluated(
    run: EvaluationRun, data: Data, model_dir: Path, command: str
) -> tuple[dict[str, Any], dict[str, Figure]]:
    """Every section that the data directory has the data for, and the figures by name.

    Raises Refused if `ace data build` did not make the directory.
    """
    began = time.perf_counter()
    data.check()
    train, test, known = data.split("train"), data.split("test"), report_details.known(run, data)
    about = single_claims.verdicts_on(run, test)
    judges = [
        *single_claims.baselines_of(run, train, test),
        single_claims.structural_only(run, about, test.totals),
        *single_claims.systems(run, about),
    ]
    called = {judge.name: judge.called for judge in judges}
    compared = {name: called[name] for name in (GATEKEEPER, HYBRID, STRUCTURAL) if name in called}
    report: dict[str, Any] = {
        "main": single_claims.table(run, about, judges),
        "classes": {"single": single_claims.classes(run, about, judges)},
        "sensitivity": None if run.expert is None else routing.sensitivity(run, about, known.doubt),
        "worth": routing.worth(run, about),
        "lengths": routing.lengths(run, about),
        "mixes": routing.mixes(run, about),
        "cross_validation": routing.cross_validation(run, known.logits, known.facts, known.split.cases),
        "paired": robustness.paired(run, about),
        "localisation": robustness.localisation(run, about),
        "placebo": robustness.placebo(run, about, compared),
        "held_out": _held_out(run, data, about, test, judges),
        "calibration": report_details.calibration(run, about, known),
        "probes": report_details.probes(data.folder),
    }
    _add_sets(report, run, data)
    report |= {
        "model": report_details.model(run, model_dir),
        "data": report_details.about_data(data, {"train": train, "calibration": known.split, "test": test}),
        "speed": report_details.speed(run, report),
        "expert": expert_answers(run),
        "targets": targets(report),
        "paper": PAPER,
        "notes": report_details.notes(run, data),
        "generated_with": {
            "ace": ace.__version__,
            "command": command,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "python": platform.python_version(),
            "seconds": round(time.perf_counter() - began, 1),
        },
    }
    return {name: part for name, part in report.items() if part}, report_details.drawn(run, about, report)


def write(report: Mapping[str, Any], drawn: Mapping[str, Figure], out: Path) -> None:
    """Writes report.json, report.md and its figures; each file appears once it is complete."""
    out.mkdir(parents=True, exist_ok=True)
    pictures = {
        name: figures.save(figure, out / name.replace("_", "-")).name for name, figure in drawn.items()
    }
    texts = {
        "report.json": json.dumps(report, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        "report.md": page(report, pictures),
    }
    for name, text in texts.items():
        unfinished = out / f"{name}.tmp"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(out / name)


def _held_out(
    run: EvaluationRun, data: Data, about: ClaimVerdicts, test: Split, judges: list[JudgeResult]
) -> dict[str, Any] | None:
    rows = data.held_out()
    if not any(row.label != "pass" for row in rows):
        return None
    apart = single_claims.verdicts_on(run, Split("held_out", robustness.with_twins(rows, test.rows)))
    structural = single_claims.structural_only(run, apart, Split("held_out", list(apart.rows)).totals)
    there = {judge.name: judge.called for judge in judges}
    both = {
        GATEKEEPER: (there[GATEKEEPER], apart.gatekeeper),
        STRUCTURAL: (there[STRUCTURAL], structural.called),
    }
    if run.expert is not None:
        both[HYBRID] = (there[HYBRID], apart.hybrid)
        if not isinstance(run.expert, StructuralExpert):
            both[EXPERT] = (there[EXPERT], apart.expert)
    return robustness.held_out(run, about, apart, both)


def _add_sets(report: dict[str, Any], run: EvaluationRun, data: Data) -> None:
    """Adds the tables at the paper's density if both splits have claim sets."""
    known, rows = data.sets("calibration"), data.sets("test")
    if not known or not rows:
        return
    calibration, tau = claim_sets.set_verdicts(run, "calibration", known, None)
    test, _ = claim_sets.set_verdicts(run, "test", rows, tau)
    judges = claim_sets.judged(run, calibration, test)
    report["sets"] = claim_sets.table(run, test, judges, tau)
    report["classes"]["sets"] = claim_sets.classes(run, test, judges)
