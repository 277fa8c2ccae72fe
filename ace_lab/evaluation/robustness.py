"""Whether it is the defect that is seen: twins, places, injectors held apart, harmless edits.

A judge that reads the injector's hand rather than the claim shows here: by ranking a sound twin above
its defective copy, by pointing elsewhere, by failing on other injectors, by alarms at placebos.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.routing.score import p_inv, top_error
from ace_lab.data.rows import Row
from ace_lab.evaluation.judges import interval, resampled, rounded
from ace_lab.evaluation.rule_scores import rule_scores
from ace_lab.evaluation.run import EvaluationRun
from ace_lab.evaluation.single_claims import ClaimVerdicts
from ace_lab.experts.opinions import Opinion
from ace_lab.measures.metrics import confusion, macro_f1, with_prior
from ace_lab.measures.selective import bootstrap

Spans = Sequence[tuple[int, int]]
Called = NDArray[np.intp]

PRIOR = (0.5, 0.1, 0.1, 0.1, 0.1, 0.1)
"""Half sound, half defective in equal parts: seen and held-out rows are compared at this mix."""

FEWEST = 5


def paired(run: EvaluationRun, about: ClaimVerdicts) -> dict[str, Any]:
    """Share of defective rows with P_inv above that of their own sound twin, ties counting half."""
    inv = p_inv(about.p)
    sound = {row.origin: at for at, row in enumerate(about.rows) if row.label == "pass"}
    pairs = [
        (at, sound[row.origin])
        for at, row in enumerate(about.rows)
        if row.label != "pass" and row.origin in sound
    ]
    bad = np.asarray([one for one, _ in pairs], np.intp)
    good = np.asarray([other for _, other in pairs], np.intp)
    above = np.sign(inv[bad] - inv[good]) / 2 + 0.5
    rows = []
    for name in ("all", *LABELS[1:]):
        own = (
            np.arange(len(bad))
            if name == "all"
            else np.flatnonzero(about.cases.labels[bad] == LABELS.index(name))
        )
        if len(own):
            found = _mean(run, above[own], about.cases.families[bad[own]])
            rows.append({"name": name, "n": len(own), "above": found[0], "interval": found[1]})
    return {"n": len(bad), "split": "test", "rows": rows}


def localisation(run: EvaluationRun, about: ClaimVerdicts) -> dict[str, Any]:
    """Share of defective rows of which the place that is pointed to overlaps the recorded defect.

    The gatekeeper points to one token, for the error that it holds likeliest; the rules to what they
    find; the hybrid to the expert's words where the claim is escalated (any place where they stand).
    `chance` is the share of the claim's characters that the defect takes up.
    """
    wrong = [at for at, row in enumerate(about.rows) if row.spans]
    inputs = [about.inputs[at] for at in wrong]
    classes = top_error(about.p)[wrong]
    pointed = run.engine.locate(inputs, classes.astype(np.int64))
    structural = rule_scores(inputs).spans
    heard = [_quoted(about.opinions[at], about.rows[at].text) for at in wrong]
    truth = [about.rows[at].spans for at in wrong]
    hits: dict[str, NDArray[np.float64]] = {}
    if any(place is not None for place in pointed):
        tokens = [[place] if place else [] for place in pointed]
        hits["gatekeeper"] = _hits(tokens, truth)
        if run.expert is not None:
            both = [heard[k] if about.up[at] else tokens[k] for k, at in enumerate(wrong)]
            hits["hybrid"] = _hits(both, truth)
    hits["structural"] = _hits(structural, truth)
    chance = np.asarray(
        [
            sum(end - start for start, end in spans) / max(1, len(about.rows[at].text))
            for at, spans in zip(wrong, truth, strict=True)
        ]
    )
    labels, families = about.cases.labels[wrong], about.cases.families[wrong]
    rows = []
    for name in ("all", *LABELS[1:]):
        own = np.arange(len(wrong)) if name == "all" else np.flatnonzero(labels == LABELS.index(name))
        if len(own):
            entry: dict[str, Any] = {"name": name, "n": len(own), "chance": rounded(chance[own].mean())}
            for judge, hit in hits.items():
                entry[judge], entry[f"{judge}_interval"] = _mean(run, hit[own], families[own])
            rows.append(entry)
    return {"n": len(wrong), "split": "test", "rows": rows}


def placebo(run: EvaluationRun, about: ClaimVerdicts, judges: Mapping[str, Called]) -> dict[str, Any]:
    """False alarms on harmless edits against those on real claims; the difference with its interval."""
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
    """Macro-F1 on rows of injectors that training never saw, beside the test split's, both at PRIOR.

    `judges` gives for each its classes on the test split and on the rows held apart.
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


def _mean(run: EvaluationRun, values: NDArray[np.float64], families: Called) -> tuple[float, list[float]]:
    found = bootstrap(
        lambda one: float(one.mean()), families, values, draws=run.sizes.resamples, seed=run.sizes.seed
    )
    return rounded(found.value), [rounded(found.low), rounded(found.high)]


def _hits(pointed: Sequence[Spans], truth: Sequence[Spans]) -> NDArray[np.float64]:
    return np.asarray(
        [
            any(low < end and start < high for low, high in own for start, end in spans)
            for own, spans in zip(pointed, truth, strict=True)
        ],
        np.float64,
    )


def _quoted(opinion: Opinion | None, text: str) -> list[tuple[int, int]]:
    """Every place in the claim where words that the expert quoted stand."""
    found = []
    for quote in opinion.quotes if opinion is not None else ():
        at = text.find(quote) if quote else -1
        while at >= 0:
            found.append((at, at + len(quote)))
            at = text.find(quote, at + 1)
    return found
