"""A filing as a table for spreadsheets: a row for each finding, and one for each claim without any.

RFC 4180, with a byte order mark, without which Excel takes UTF-8 for something else. The words come from
strangers, so a spreadsheet may run none of them (`csv_cell`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from ace.claims.reports.filing_report import FilingReport
from ace.claims.reports.report import finding_shown
from ace.wording import csv_cell

COLUMNS: Final = (
    *("docket", "claim", "verdict", "ground", "disputed", "failed_ancestors", "state"),
    *("class", "subtype", "law", "draws", "severity", "confidence", "start", "end"),
    *("quote", "explanation", "examiner", "fix", "text"),
)


def as_csv(report: FilingReport) -> str:
    """The table with its headings; offsets count code points of `text`."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(COLUMNS)
    table.writerows([_cell(row.get(column)) for column in COLUMNS] for row in _rows(report))
    return "\ufeff" + written.getvalue()


def _rows(report: FilingReport) -> Iterator[dict[str, object]]:
    for claim in report.claims:
        judged = report.judged.get(claim.number)
        about = {
            "docket": report.docket,
            "claim": claim.number,
            "state": "not evaluated",
            "text": claim.text,
            "failed_ancestors": " ".join(map(str, report.failed_ancestors(claim))),
            **({} if judged is None else judged._asdict()),
        }
        found = report.findings(claim)
        if not found:
            yield about
        for finding in found:
            shown = finding_shown(finding)
            fix = None if finding.fix is None else finding.fix.replacement
            yield {**about, **shown, "ground": about.get("ground"), "draws": shown["ground"], "fix": fix}


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return csv_cell(value)
