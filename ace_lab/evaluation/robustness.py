"""Whether a judge sees the defect itself: injectors held out of training, and placebos.

A judge that recognises the injector's style instead fails on other injectors and raises alarms on placebos.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace_lab.data.rows import Row
from ace_lab.evaluation.judges import interval, resampled, rounded
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import ClaimVerdicts
from ace_lab.measures.metrics import confusion, macro_f1, with_prior
from ace_lab.measures.selective import bootstrap

Called = NDArray[np.intp]

PRIOR = (0.5, 0.1, 0.1, 0.1, 0.1, 0.1)
"""Half sound, the defective half in equal parts: known and held-out rows are compared at this mix."""

FEWEST = 5
"""Rows that an injector needs for a line of its own."""


def placebo(run: EvaluationRun, about: ClaimVerdicts, judges: Mapping[str, Called]) -> dict[str, Any]:
    """False alarms on harmless edits and on real claims, and the difference with its interval."""
    sound = about.cases.labels == 0
    edited = np.asarray([row.edit != "none" for row in about.rows])
    clean, placebos = sound & ~edited, sound & edited
    if not clean.any() or not placebos.any():
        return {}
    rows = []
    for name, called in judges.items():
        alarm = (called > 0).astype(np.float64)
        found = bootstrap(
            _difference,
            about.cases.families[sound],
            alarm[sound],
            edited[sound],
            draws=run.sizes.resamples,
            seed=run.sizes.seed,
        )
        rows.append(
            {
                "name": name,
                "clean": rounded(alarm[clean].mean()),
                "placebo": rounded(alarm[placebos].mean()),
                "difference": rounded(found.value),
                "interval": [rounded(found.low), rounded(found.high)],
                "n_clean": int(clean.sum()),
                "n_placebo": int(placebos.sum()),
            }
        )
    first = next(iter(judges.values())) > 0
    by_edit = [
        {"edit": edit, "n": int(own.sum()), "false_alarms": rounded(first[own].mean())}
        for edit in sorted({row.edit for row in about.rows if row.label == "pass"})
        if (own := sound & np.asarray([row.edit == edit for row in about.rows])).any()
    ]
    return {"n": int(sound.sum()), "split": "test", "rows": rows, "by_edit": by_edit}


def held_out(
    run: EvaluationRun,
    about: ClaimVerdicts,
    apart: ClaimVerdicts,
    judges: Mapping[str, tuple[Called, Called]],
) -> dict[str, Any]:
    """Macro-F1 on rows by injectors that training never saw, beside that on the test split, both at PRIOR.

    `judges` maps each judge to its classes on the test split and on the held-out rows.
    """
    rows = []
    sizes = run.sizes
    for name, (seen_called, apart_called) in judges.items():
        drawn = [
            macro_f1(with_prior(resampled(one.cases, called, sizes.resamples, sizes.seed + at), PRIOR))
            for at, (one, called) in enumerate(((about, seen_called), (apart, apart_called)))
        ]
        seen, other = (
            float(macro_f1(with_prior(confusion(called, one.cases.labels), PRIOR)))
            for one, called in ((about, seen_called), (apart, apart_called))
        )
        rows.append(
            {
                "name": name,
                "seen": rounded(seen),
                "held_out": rounded(other),
                "drop": rounded(seen - other),
                "intervals": {
                    "seen": interval(drawn[0]),
                    "held_out": interval(drawn[1]),
                    "drop": interval(drawn[0] - drawn[1]),
                },
            }
        )
    injectors = [*_by_injector(about, apart_of=False), *_by_injector(apart, apart_of=True)]
    return {
        "split": "held_out",
        "n_seen": len(about.rows),
        "n_held_out": len(apart.rows),
        "rows": rows,
        "injectors": injectors,
    }


def with_twins(held: Sequence[Row], test: Sequence[Row]) -> list[Row]:
    """The held-out rows and those sound rows of the test split that are their twins."""
    there = {row.origin for row in held if row.label == "pass"}
    missing = {row.origin for row in held if row.label != "pass"} - there
    return [*held, *(row for row in test if row.label == "pass" and row.origin in missing)]


def _by_injector(about: ClaimVerdicts, *, apart_of: bool) -> list[dict[str, Any]]:
    gate, both = about.gatekeeper, about.hybrid
    groups: dict[tuple[str, str], list[int]] = {}
    for at, row in enumerate(about.rows):
        if row.label != "pass":
            groups.setdefault((row.label, row.edit), []).append(at)
    return [
        {
            "injector": edit,
            "label": label,
            "n": len(own),
            "held_out": apart_of,
            "caught": rounded((gate[own] > 0).mean()),
            "recall": rounded((gate[own] == LABELS.index(label)).mean()),
            "hybrid_caught": rounded((both[own] > 0).mean()),
            "hybrid_recall": rounded((both[own] == LABELS.index(label)).mean()),
        }
        for (label, edit), own in sorted(groups.items())
        if len(own) >= FEWEST
    ]


def _difference(alarm: NDArray[np.float64], edited: NDArray[np.bool_]) -> float:
    if edited.all() or not edited.any():
        return float("nan")
    return float(alarm[edited].mean() - alarm[~edited].mean())
