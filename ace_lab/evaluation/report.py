"""The whole evaluation as one dict of plain numbers with its figures, and the files they are written to.

`ace_lab.reports` says how each section is shown. If the data directory has no claim sets or no held-out
rows, those sections are left out and the notes say so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from ace_lab.evaluation import claim_sets, report_details, robustness, single_claims
from ace_lab.evaluation.expert_answers import expert_answers
from ace_lab.evaluation.judges import JudgeResult
from ace_lab.evaluation.paper_results import PAPER
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import EXPERT, GATEKEEPER, HYBRID, STRUCTURAL, ClaimVerdicts
from ace_lab.evaluation.splits import Data, Split
from ace_lab.evaluation.targets import targets
from ace_lab.experts.opinions import StructuralExpert
from ace_lab.reports import figures
from ace_lab.reports.labels import quality_page
from ace_lab.reports.markdown import page

REPORT: Final = "report.json"
LABELS: Final = "labels.json"
"""What `ace evaluate labels` writes."""


def evaluated(run: EvaluationRun, data: Data, model_dir: Path) -> tuple[dict[str, Any], dict[str, Figure]]:
    """Every section that the data directory has the data for, and the figures by name.

    Raises Refused if `ace data build` did not make the directory.
    """
    data.check()
    splits = {name: data.split(name) for name in ("train", "calibration", "test")}
    train, test = splits["train"], splits["test"]
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
        "placebo": robustness.placebo(run, about, compared),
        "held_out": _held_out(run, data, about, test, judges),
        "calibration": report_details.calibration(run, about),
    }
    _add_sets(report, run, data)
    report |= {
        "model": report_details.model(run, model_dir),
        "data": report_details.about_data(data, splits),
        "expert": expert_answers(run),
        "targets": targets(report),
        "paper": PAPER,
        "notes": report_details.notes(run, data),
    }
    return {name: part for name, part in report.items() if part}, report_details.drawn(run, about)


def write(report: Mapping[str, Any], drawn: Mapping[str, Figure], out: Path) -> None:
    """Writes report.json, its figures and report.md; each file appears once it is complete."""
    out.mkdir(parents=True, exist_ok=True)
    for name, figure in drawn.items():
        figures.save(figure, out / name.replace("_", "-"))
    _put(out / REPORT, json.dumps(report, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    write_page(out)


def write_page(out: Path) -> None:
    """Writes report.md anew from what the folder has: the measure by labels, then the smoke test."""
    report = json.loads((out / REPORT).read_text(encoding="utf-8"))
    pictures = {name: f"{name.replace('_', '-')}.svg" for name in report_details.FIGURES}
    text = page(report, {name: file for name, file in pictures.items() if (out / file).exists()})
    if (out / LABELS).exists():
        text = quality_page(json.loads((out / LABELS).read_text(encoding="utf-8")), text)
    _put(out / "report.md", text)


def _put(path: Path, text: str) -> None:
    unfinished = path.with_name(f"{path.name}.tmp")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


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
