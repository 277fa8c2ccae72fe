"""Exporting a filing as a file, as work for processes that can be stopped (`ace.bounded`)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from ace.claim_work import KeptClaims, refuse_long, tolerant
from ace.claims.analysis import from_json
from ace.claims.chains import kept_set
from ace.claims.reading import Reading
from ace.claims.reports.csv_table import as_csv
from ace.claims.reports.docx_comments import as_docx
from ace.claims.reports.filing_report import FilingReport, Judged
from ace.claims.reports.graph_json import graph_as_json
from ace.claims.reports.graph_svg import draw
from ace.claims.reports.html_page import as_html
from ace.claims.reports.sarif import as_sarif
from ace.claims.terms import Terms


class ExportFormat(StrEnum):
    """How a filing can be taken away; the values are the extensions of the files."""

    DOCX = "docx"
    HTML = "html"
    CSV = "csv"
    SARIF = "sarif"
    JSON = "json"
    SVG = "svg"


@dataclass(frozen=True, slots=True)
class ExportAsked:
    """A filing to write as a file: its claims, the analysis of them by number as text if one is stored, the
    term list that it obeys, and what became of each."""

    docket: str
    filing: str
    filed: str
    claims: KeptClaims
    analysis: Mapping[str, Any] | None
    terms: Terms
    judged: Mapping[int, Judged]
    format: ExportFormat


def exported(asked: ExportAsked) -> bytes:
    """The file. Raises Refused if no analysis is stored and the claims are too long to make one."""
    reading = Reading(kept_set(asked.claims), asked.terms)
    if asked.analysis is None:
        refuse_long(sum(len(words) for _, words in asked.claims))
        analyses = {claim.number: tolerant(reading, claim) for claim in reading.claims}
    else:
        analyses = {
            claim.number: from_json(asked.analysis.get(str(claim.number), {}), claim.number, claim.text)
            for claim in reading.filed
        }
    filing = FilingReport(
        asked.docket, asked.filing, asked.filed, reading.filed, analyses, dict(asked.judged)
    )
    return _WRITERS[asked.format](filing, reading)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


_WRITERS: Final[Mapping[ExportFormat, Callable[[FilingReport, Reading], bytes]]] = {
    ExportFormat.DOCX: lambda filing, _: as_docx(filing),
    ExportFormat.HTML: lambda filing, _: as_html(filing).encode(),
    ExportFormat.CSV: lambda filing, _: as_csv(filing).encode(),
    ExportFormat.SARIF: lambda filing, _: _json(as_sarif(filing.report(), "claims", plain=False)),
    ExportFormat.JSON: lambda filing, _: _json(filing.as_json()),
    ExportFormat.SVG: lambda filing, reading: draw(graph_as_json(reading, filing.report().findings)).encode(),
}
