"""A filing as a Word document: the claims as paragraphs, each finding a comment at its words.

Made with python-docx, which is imported when a document is made. What XML cannot contain is replaced.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from ace.claims.findings import Finding
from ace.claims.model import Claim
from ace.claims.readers.report_lines import VERDICT_STYLE
from ace.claims.reports.filing_report import CLASS_WORDS, FilingReport

if TYPE_CHECKING:
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

AUTHOR: Final = "ACE"
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_docx(report: FilingReport) -> bytes:
    """The document. Spans of findings become the ranges of comments; one without words stands at the word
    beside it."""
    import docx
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt

    document = docx.Document()
    properties = document.core_properties
    properties.author = properties.last_modified_by = AUTHOR
    properties.title = _xml(report.docket)
    properties.comments = ""
    properties.created = properties.modified = datetime.fromisoformat(report.filed)
    normal: Any = document.styles["Normal"]
    normal.font.size = Pt(11)
    verdict: Any = document.styles.add_style(VERDICT_STYLE, WD_STYLE_TYPE.PARAGRAPH)
    verdict.base_style, verdict.next_paragraph_style = document.styles["Caption"], normal
    document.add_heading(_xml(report.docket), level=1)
    document.add_paragraph(f"Filed {report.filed} UTC. {len(report.claims)} claims. {report.counts()}")
    for claim in report.claims:
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{claim.number}. ").bold = True
        if not claim.pending:
            paragraph.add_run(f"({(claim.status or 'canceled').replace('_', ' ').capitalize()})")
            continue
        found = report.findings(claim)
        runs = _runs(paragraph, claim.text, found)
        for finding in found:
            document.add_comment(
                _commented(runs, finding), text=_xml(_comment(finding, claim)), author=AUTHOR, initials=AUTHOR
            )
        document.add_paragraph(report.outcome(claim), style=VERDICT_STYLE)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def _runs(paragraph: Paragraph, text: str, findings: Sequence[Finding]) -> list[tuple[int, int, Run]]:
    """The text as runs, cut where findings begin and end: (start, end, run), never empty."""
    places = {place for each in findings for place in (each.start, each.end) if 0 <= place <= len(text)}
    cuts = sorted({0, len(text), *places})
    spans = list(pairwise(cuts)) or [(0, 0)]
    return [(start, end, paragraph.add_run(_xml(text[start:end]))) for start, end in spans]


def _commented(runs: Sequence[tuple[int, int, Run]], finding: Finding) -> list[Run]:
    """The first and the last run that a comment is about."""
    inside = [run for start, end, run in runs if finding.start <= start and end <= finding.end]
    if inside:
        return [inside[0], inside[-1]]
    beside = [run for start, end, run in runs if end >= finding.start] or [runs[-1][2]]
    return [beside[0]]


def _comment(finding: Finding, claim: Claim) -> str:
    lines = [f"{CLASS_WORDS[finding.error_class].capitalize()} ({finding.ground.value})", finding.explanation]
    if finding.fix is not None:
        before, after = finding.fix.change(claim.text)
        lines.append(f"Fix: “{before}” → “{after}”")
    lines.append(f"{finding.law}; confidence {finding.confidence:.0%}")
    return "\n".join(filter(None, lines))


def _xml(words: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", words)
