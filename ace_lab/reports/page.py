"""An evaluation report as one page of HTML without any other file, and as Markdown.

What was aimed at and missed comes first. All text is escaped; pictures are shown as images, in which no
script runs and no name clashes with those of another picture.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from ace_lab.reports.sections import paper_source, sections
from ace_lab.reports.tables import PAPER_MARK, Line, Row, Table, mapping, rows, text

TITLE = "How good the gatekeeper is"
_SVG = re.compile(r"<svg\b.*</svg>", re.DOTALL)
_CAPTIONS = {
    "risk_coverage": "Errors among the claims that are decided without the expert, by how many these are.",
    "reliability": "What is said to be defective with some probability, and how often it is.",
    "escalation": "What escalation buys, and what it costs.",
    "classes": "Recall by class.",
    "roc": "Sensitivity against false alarms.",
}
_MARKDOWN = re.compile(r"([\\|*_`<>\[\]#~])")


@dataclass(frozen=True, slots=True)
class Aim:
    """Something that was asked for; `met` is None where nothing was measured."""

    aim: str
    asked: str
    measured: str
    why: str
    met: bool | None

    @property
    def word(self) -> str:
        """The outcome."""
        return {True: "met", False: "missed", None: "not measured"}[self.met]


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG as a data URI, and what it shows."""

    source: str
    caption: str


def render(report: Row, figures: Mapping[str, str]) -> str:
    """The page. `figures` are SVG documents by key; those that no section knows stand at the end."""
    found = sections(report)
    pictures = {key: one for key, svg in figures.items() if (one := _picture(key, svg)) is not None}
    placed = {key for section in found for key in section.figures if key in pictures}
    return _template().render(
        title=TITLE,
        subtitle=_subtitle(report),
        aims=_aims(report),
        sections=found,
        pictures=pictures,
        left_over=[one for key, one in pictures.items() if key not in placed],
        notes=_notes(report),
        mark=PAPER_MARK,
        paper_source=paper_source(report),
    )


def markdown(report: Row) -> str:
    """The aims and tables, without details and pictures; headings from the second level on."""
    parts: list[str] = []
    aims = _aims(report)
    if aims:
        parts += [
            "## What was asked for",
            _grid(("outcome", "aim", "asked", "measured", "why"), _aim_cells(aims)),
        ]
    found = sections(report)
    if any(table.has_paper for section in found for table in section.tables if not table.detail):
        parts.append(_escaped(paper_source(report)))
    for section in found:
        tables = [one for one in section.tables if not one.detail]
        if tables:
            parts.append(f"## {section.title}")
            parts += [section.about] if section.about else []
            parts += [_table(one) for one in tables]
    notes = _notes(report)
    if notes:
        parts += ["## Notes", "\n".join(f"- {_escaped(note)}" for note in notes)]
    return "\n\n".join(parts) + "\n"


@cache
def _template() -> Template:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("page.html")


def _aims(report: Row) -> list[Aim]:
    """Missed ones first, then what was not measured."""
    found = [
        Aim(
            text(row.get("aim")),
            text(row.get("asked")),
            text(row.get("measured")),
            text(row["why"]) if row.get("why") else "",
            row["met"] if isinstance(row.get("met"), bool) else None,
        )
        for row in rows(report.get("aims"))
    ]
    return sorted(found, key=lambda aim: (False, None, True).index(aim.met))


def _subtitle(report: Row) -> str:
    """Which model, which expert, when: as far as the report says it."""
    model, made = mapping(report.get("model")), mapping(report.get("generated_with"))
    said = [
        text(model.get("name")) if model.get("name") else "",
        f"revision {text(model['revision'])}" if model.get("revision") else "",
        f"expert: {text(model['expert'])}" if model.get("expert") else "",
        text(made.get("date")) if made.get("date") else "",
    ]
    return " · ".join(one for one in said if one)


def _notes(report: Row) -> list[str]:
    notes = report.get("notes")
    return [text(note) for note in notes if note] if isinstance(notes, list | tuple) else []


def _picture(key: str, svg: Any) -> Picture | None:
    found = _SVG.search(svg) if isinstance(svg, str) else None
    if found is None:
        return None
    encoded = base64.b64encode(found[0].encode()).decode()
    return Picture(f"data:image/svg+xml;base64,{encoded}", _CAPTIONS.get(key, key.replace("_", " ")))


def _table(table: Table) -> str:
    titles = [f"{one.title} {PAPER_MARK}" if one.paper else one.title for one in table.columns]
    right = [one.numeric for one in table.columns]
    return f"{_escaped(table.caption)}:\n\n{_grid(titles, [_cells(line) for line in table.lines], right)}"


def _cells(line: Line) -> list[str]:
    cells = [f"{one.text} ({one.note})" if one.note else one.text for one in line.cells]
    return [f"{cells[0]} {PAPER_MARK}", *cells[1:]] if line.paper else cells


def _aim_cells(aims: Sequence[Aim]) -> list[list[str]]:
    return [[aim.word, aim.aim, aim.asked, aim.measured, aim.why] for aim in aims]


def _grid(titles: Sequence[str], lines: Sequence[Sequence[str]], right: Sequence[bool] = ()) -> str:
    rules = ["---:" if flush else "---" for flush in (right or [False] * len(titles))]
    written = [[_escaped(cell) for cell in line] for line in (titles, *lines)]
    shown = [f"| {' | '.join(line)} |" for line in (written[0], rules, *written[1:])]
    return "\n".join(shown)


def _escaped(value: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(value.split()))
