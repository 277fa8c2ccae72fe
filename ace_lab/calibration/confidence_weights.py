"""The fitted weights of findings: their confidence, the module that ships them, their part of the docs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ace_lab.calibration.precision_recall import Curve, Point

LINE_CHARACTERS = 118
"""Of prose in the docs."""


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """Per rule (weight, injected defects found, false alarms), per rule and signal a weight; and, once
    chosen, the threshold with its precision and recall and its provenance."""

    rules: Mapping[str, tuple[float, int, int]]
    signals: Mapping[tuple[str, str], float]
    threshold: float = 0.5
    at_threshold: Mapping[str, Point] = field(default_factory=dict)
    fitted: str = ""
    data: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    prevalence: Mapping[str, float] = field(default_factory=dict)

    def confidence(self, rule_id: str, signals: tuple[str, ...]) -> float:
        """As ace.claims.checks.confidence computes it, from the rounded weights that will be written."""
        total = round(self.rules[rule_id][0], 2)
        total += sum(round(self.signals.get((rule_id, signal), 0.0), 2) for signal in signals)
        return 1 / (1 + math.exp(-total))

    def at(
        self,
        threshold: float,
        curve: Curve,
        *,
        fitted: str,
        data: str,
        counts: Mapping[str, int],
        prevalence: Mapping[str, float],
    ) -> ConfidenceWeights:
        """The same weights with the threshold chosen on the curve and their provenance."""
        return replace(
            self,
            threshold=threshold,
            at_threshold={
                name: Point(
                    point.threshold,
                    round(point.precision, 3),
                    round(point.recall, 3),
                    round(point.findings_per_set, 3),
                )
                for name, point in curve.at(threshold).items()
            },
            fitted=fitted,
            data=data,
            counts=counts,
            prevalence=prevalence,
        )


def table_source(weights: ConfidenceWeights) -> str:
    """The source of ace/claims/checks/confidence_table.py, as ruff would format it."""
    lines = [
        '"""Weights of confidence.py: written by `python -m ace_lab.calibration.confidence`.',
        "",
        "RULES: log-odds, injected defects found and false alarms in the fit, by rule. SIGNALS: what a",
        "signal adds to the log-odds, by rule. AT_THRESHOLD: precision at the assumed prevalence, recall",
        "on injected defects and findings per granted set, by class, on sets that the fit did not see.",
        '"""',
        "",
        f'FITTED = "{weights.fitted}"',
        f'DATA_SHA256 = "{weights.data}"  # pragma: allowlist secret',
        "",
        *_mapping("COUNTS: dict[str, int]", {f'"{k}"': str(v) for k, v in weights.counts.items()}),
        *_mapping(
            "PREVALENCE: dict[str, float]", {f'"{k}"': f"{v:g}" for k, v in weights.prevalence.items()}
        ),
        f"THRESHOLD = {weights.threshold}",
        "",
        *_mapping(
            "AT_THRESHOLD: dict[str, tuple[float, float, float]]",
            {
                f'"{k}"': f"({v.precision:.3f}, {v.recall:.3f}, {v.findings_per_set:.3f})"
                for k, v in weights.at_threshold.items()
            },
        ),
        *_mapping(
            "RULES: dict[str, tuple[float, int, int]]",
            {f'"{k}"': f"({round(v[0], 2)}, {v[1]}, {v[2]})" for k, v in weights.rules.items()},
        ),
        *_mapping(
            "SIGNALS: dict[tuple[str, str], float]",
            {f'("{k[0]}", "{k[1]}")': str(round(v, 2)) for k, v in weights.signals.items()},
        )[:-1],
    ]
    return "\n".join(lines) + "\n"


def page_part(weights: ConfidenceWeights) -> str:
    """The part of docs/reference/confidence.md with the numbers, as Markdown."""
    counts = weights.counts
    rows = [
        "| class | assumed defects per claim | precision | recall | findings per granted set |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {_share(weights.prevalence.get(name))} | {p.precision:.2f} | {p.recall:.2f} "
            f"| {p.findings_per_set:.2f} |"
            for name, p in weights.at_threshold.items()
        ),
    ]
    said = (
        f"Fitted {weights.fitted} on {counts['fit_sets']} granted sets ({counts['fit_claims']} claims) "
        f"and {counts['fit_defects']} injected defects. The default threshold, {weights.threshold:.2f}, was "
        f"chosen on {counts['threshold_sets']} other sets ({counts['threshold_claims']} claims, "
        f"{counts['threshold_defects']} injected defects), where it gives:"
    )
    return "\n".join([*textwrap.wrap(said, LINE_CHARACTERS), "", *rows])


def _share(prevalence: float | None) -> str:
    return f"1 in {round(1 / prevalence)}" if prevalence else ""


def _mapping(name: str, entries: Mapping[str, str]) -> list[str]:
    if not entries:
        return [f"{name} = {{}}", ""]
    return [f"{name} = {{", *(f"    {key}: {value}," for key, value in entries.items()), "}", ""]
