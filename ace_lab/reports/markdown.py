"""An evaluation report as Markdown: targets first, then a section per question, then details and notes.

All values are escaped, so nothing in a report can change how the page reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ace_lab.reports.sections import Section, paper_source, sections
from ace_lab.reports.tables import PAPER_MARK, Line, Row, Table, mapping, rows, text

TITLE = "How good the gatekeeper is"

_CAPTIONS = {
    "risk_coverage": "Errors among the claims decided without the expert, by the share of such claims",
    "reliability": "Predicted probability of a defect, and how often there is one",
    "escalation": "What escalation gains, and what it costs",
}
_SPECIAL = re.compile(r"([\\|*_`<>\[\]#~])")


@dataclass(frozen=True, slots=True)
class Target:
    """Something to reach; `met` is None if it was not measured."""

    target: str
    required: str
    measured: str
    reason: str
    met: bool | None

    @property
    def cells(self) -> list[str]:
        """The outcome in a word, then the rest."""
        outcome = {True: "met", False: "missed", None: "not measured"}[self.met]
        return [outcome, self.target, self.required, self.measured, self.reason]


def page(report: Row, figures: Mapping[str, str]) -> str:
    """report.md. `figures` are paths relative to the page, by key; those without a section come at the end."""
    found = sections(report)
    head = [f"# {TITLE}", *filter(None, [_subtitle(report)])]
    parts = [*head, *_targets(report), *_sections(report, found, figures)]
    placed = {key for section in found for key in section.figures}
    if left := {key: path for key, path in figures.items() if key not in placed}:
        parts += ["## Figures", *(_picture(key, path) for key, path in left.items())]
    details = [_table(table) for section in found for table in section.tables if table.detail]
    return _joined([*parts, *(["## Details", *details] if details else []), *_notes(report)])


def summary(report: Row) -> str:
    """The targets, tables and notes without title, figures and details, for a model card."""
    return _joined([*_targets(report), *_sections(report, sections(report), {}), *_notes(report)])


def grid(titles: Sequence[str], lines: Sequence[Sequence[str]], right: Sequence[bool] = ()) -> str:
    """A Markdown table; `right` says which columns are aligned to the right."""
    rules = ["---:" if flush else "---" for flush in (right or [False] * len(titles))]
    written = [[escaped(cell) for cell in line] for line in (titles, *lines)]
    shown = [f"| {' | '.join(line)} |" for line in (written[0], rules, *written[1:])]
    return "\n".join(shown)


def escaped(value: str) -> str:
    """The value on one line, with nothing that Markdown or HTML would interpret."""
    return _SPECIAL.sub(r"\\\1", " ".join(value.split()))


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(parts) + "\n"


def _targets(report: Row) -> list[str]:
    """Missed ones first, then those not measured."""
    found = [
        Target(
            text(row.get("target")),
            text(row.get("required")),
            text(row.get("measured")),
            text(row["reason"]) if row.get("reason") else "",
            row["met"] if isinstance(row.get("met"), bool) else None,
        )
        for row in rows(report.get("targets"))
    ]
    if not found:
        return []
    found.sort(key=lambda target: (False, None, True).index(target.met))
    missed = sum(target.met is False for target in found)
    titles = ("outcome", "target", "required", "measured", "reason")
    return [
        "## Targets",
        f"{missed} of {len(found)} missed." if missed else "No target is missed.",
        grid(titles, [target.cells for target in found]),
    ]


def _sections(report: Row, found: Sequence[Section], figures: Mapping[str, str]) -> list[str]:
    parts = []
    shown = [(section, [table for table in section.tables if not table.detail]) for section in found]
    if any(table.has_paper for _, tables in shown for table in tables):
        parts.append(escaped(paper_source(report)))
    for section, tables in shown:
        if tables:
            parts.append(f"## {section.title}")
            parts += [section.about] if section.about else []
            parts += [_table(table) for table in tables]
        parts += [_picture(key, figures[key]) for key in section.figures if key in figures]
    return parts


def _subtitle(report: Row) -> str:
    """Which model and which expert, as far as the report says."""
    model = mapping(report.get("model"))
    given = (("{}", "name"), ("revision {}", "revision"), ("expert: {}", "expert"))
    return escaped(" · ".join(form.format(text(model[key])) for form, key in given if model.get(key)))


def _notes(report: Row) -> list[str]:
    notes = report.get("notes")
    found = [text(note) for note in notes if note] if isinstance(notes, list | tuple) else []
    return ["## Notes", "\n".join(f"- {escaped(note)}" for note in found)] if found else []


def _picture(key: str, path: str) -> str:
    return f"![{escaped(_CAPTIONS.get(key, key.replace('_', ' ')))}]({path})"


def _table(table: Table) -> str:
    titles = [f"{one.title} {PAPER_MARK}" if one.paper else one.title for one in table.columns]
    right = [one.numeric for one in table.columns]
    return f"{escaped(table.caption)}:\n\n{grid(titles, [_cells(line) for line in table.lines], right)}"


def _cells(line: Line) -> list[str]:
    cells = [f"{one.text} ({one.note})" if one.note else one.text for one in line.cells]
    return [f"{cells[0]} {PAPER_MARK}", *cells[1:]] if line.paper else cells
