"""A filing as one HTML page that prints well, and can be kept as a file: it loads nothing and runs nothing.

Its own Content-Security-Policy allows its style alone, wherever the file is opened.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape
from typing import Final

from ace.claims.findings import Finding
from ace.claims.model import Claim
from ace.claims.reports.filing_report import CLASS_WORDS, FilingReport
from ace.wording import plural

STYLE: Final = """
:root { color-scheme: light; }
body { font: 11pt/1.5 Georgia, "Liberation Serif", serif; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; color: #1b1d22; background: #fff; overflow-wrap: anywhere; }
h1, h2, th, .verdict, .law { font-family: system-ui, "Liberation Sans", sans-serif; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.05rem; margin: 1.6rem 0 .3rem; }
h2, article { break-after: avoid; } article, li { break-inside: avoid; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .2rem .8rem .2rem 0;
  border-bottom: 1px solid #dcdee3; }
.text { white-space: pre-line; } .law, .facts { color: #565b66; font-size: .85rem; }
mark { color: inherit; background: #ffe9a8; } sup { font-size: .7em; font-weight: bold; }
.Pass { color: #0b6b3a; } .Fail { color: #a8182c; }
@media print { body { margin: 0; max-width: none; }
  mark { background: none; border-bottom: 1.5pt solid #a8182c; } }
"""
_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY: Final = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"


def as_html(report: FilingReport) -> str:
    """The document: what is known of the filing, a table of its claims, then each claim with its findings."""
    verdicts = f": {report.counts()}" if report.judged else ""
    claims = plural(len(report.claims), "claim")
    facts = f"Filed {report.filed} UTC. {claims}{verdicts}. Filing {report.filing}."
    about = (
        "Made by ACE, which checks claims for defects under 35 U.S.C. 112. No legal advice: a person decides."
    )
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(report.docket)} – ACE</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            f'<h1>{escape(report.docket)}</h1>\n<p class="facts">{escape(facts)}</p>',
            *_summary(report),
            *(line for claim in report.claims for line in _claim(report, claim)),
            f'<p class="facts">{about}</p>\n</body>\n</html>',
        ]
    )


def _summary(report: FilingReport) -> Iterator[str]:
    yield '<table><thead><tr><th scope="col">Claim</th><th scope="col">Verdict</th>'
    yield '<th scope="col">Findings</th></tr></thead><tbody>'
    for claim in report.claims:
        link = f'<a href="#claim-{claim.number}">{claim.number}</a>'
        found = len(report.findings(claim)) or "–"
        yield f"<tr><td>{link}</td><td>{_verdict(report, claim)}</td><td>{found}</td></tr>"
    yield "</tbody></table>"


def _verdict(report: FilingReport, claim: Claim) -> str:
    judged = report.judged.get(claim.number)
    look = judged.verdict if judged is not None and judged.verdict in {"Pass", "Fail"} else ""
    return f'<span class="verdict {look}">{escape(report.outcome(claim))}</span>'


def _claim(report: FilingReport, claim: Claim) -> Iterator[str]:
    found = report.findings(claim)
    yield f'<h2 id="claim-{claim.number}">Claim {claim.number} · {_verdict(report, claim)}</h2>'
    words = (
        _marked(claim.text, found) if claim.pending else f"({(claim.status or 'canceled').replace('_', ' ')})"
    )
    yield f'<p class="text">{claim.number}. {words}</p>'
    if found:
        yield "<ol>"
        yield from (_finding(each, claim) for each in found)
        yield "</ol>"
    for remark in report.remarks(claim):
        yield (
            f"<p>Remark on “{escape(remark.quote)}”: {escape(remark.explanation)}"
            f' <span class="law">{escape(remark.law)}</span></p>'
        )


def _finding(finding: Finding, claim: Claim) -> str:
    quote = f"“{escape(finding.quote)}”: " if finding.quote else ""
    fix = ""
    if finding.fix is not None:
        before, after = map(escape, finding.fix.change(claim.text))
        fix = f"<br>Fix: “{before}” → “{after}”"
    return (
        f"<li>{quote}{escape(finding.explanation)}{fix}<br>"
        f'<span class="law">{CLASS_WORDS[finding.error_class]}, {finding.ground.value}'
        f" · {escape(finding.law)} · confidence {finding.confidence:.0%}</span></li>"
    )


def _marked(text: str, findings: tuple[Finding, ...]) -> str:
    """The text with its findings marked; a number after the words leads to the entry of the list below."""
    spans = [(each.start, each.end) for each in findings]
    cuts = sorted({0, len(text), *(place for span in spans for place in span if 0 <= place <= len(text))})
    made = []
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        words = escape(text[start:end])
        inside = any(low <= start < end <= high for low, high in spans)
        made.append(f"<mark>{words}</mark>" if inside else words)
        ends = [place for place, (_, high) in enumerate(spans, 1) if high == end and start < end]
        made += [f"<sup>{place}</sup>" for place in ends]
    return "".join(made)
