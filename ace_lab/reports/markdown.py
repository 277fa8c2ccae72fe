"""An evaluation report as Markdown: missed targets first, then a section per question, then notes.

All values are escaped, so nothing in a report can change how the page reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ace_lab.reports.sections import Section, paper_source, sections
from ace_lab.reports.tables import PAPER_MARK, Cell, Row, Table, mapping, rows, text

TITLE = "Smoke test: mistakes made by programs"
ABOUT = (
    "Programs put mistakes into claims taken for sound: a smoke test of wordings, no measure of quality.\n"
    "ACE is measured by [labels](labels.md)."
)

_CAPTIONS = {
    "risk_coverage": "Errors among the claims decided without the expert, by the share of such claims",
    "reliability": "Predicted probability of a defect, and how often there is one",
}
_SPECIAL = re.compile(r"([\\|*_`<>\[\]#~])")


def page(report: Row, figures: Mapping[str, str]) -> str:
    """report.md. `figures` are paths relative to the page, by key; those without a section come at the
    end."""
    found = sections(report)
    head = [f"# {TITLE}", ABOUT, *filter(None, [_subtitle(report)])]
    parts = [*head, *_targets(report), *_sections(report, found, figures)]
    placed = {key for section in found for key in section.figures}
    if left := {key: path for key, path in figures.items() if key not in placed}:
        parts += ["## Figures", *(_picture(key, path) for key, path in left.items())]
    return _joined([*parts, *_notes(report)])


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
    """The missed ones, and how many there are."""
    found = rows(report.get("targets"))
    missed = [row for row in found if row.get("met") is False]
    if not found:
        return []
    if not missed:
        return ["## Targets", f"None of {len(found)} missed."]
    titles = ("target", "required", "measured", "reason")
    return [
        "## Targets",
        f"{len(missed)} of {len(found)} missed:",
        grid(titles, [[text(row.get(title)) for title in titles] for row in missed]),
    ]


def _sections(report: Row, found: Sequence[Section], figures: Mapping[str, str]) -> list[str]:
    parts = []
    if any(table.has_paper for section in found for table in section.tables):
        parts.append(escaped(paper_source(report)))
    for section in found:
        parts.append(f"## {section.title}")
        parts += [section.about] if section.about else []
        parts += [_table(table) for table in section.tables]
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


def _cells(line: Sequence[Cell]) -> list[str]:
    return [f"{one.text} ({one.note})" if one.note else one.text for one in line]
