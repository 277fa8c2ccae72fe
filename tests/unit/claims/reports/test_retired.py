"""Findings that an earlier version stored stay readable when their rule is gone."""

import pytest

from ace.api.review_schemas import FindingIn
from ace.api.rows import finding_out
from ace.claims.analysis import from_json
from ace.claims.checks import RETIRED, RULES
from ace.claims.findings import Finding, finding_as_json, finding_from_json
from ace.claims.readers import read_text
from ace.claims.reports.examiner_words import examiner_words
from ace.claims.reports.report import Report, as_json
from ace.claims.reports.sarif import as_sarif
from ace.claims.reports.text import render
from ace.claims.rules import Jurisdiction

CLAIMS = read_text("1. A jar comprising a body and a lid.\n2. The jar of claim 1, wherein the lid is absent.")


def stored(rule_id: str) -> Finding:
    """A finding of the rule on claim 2, as it is read from what is stored."""
    error_class, subtype = rule_id.split(".")
    kept = {
        "class": error_class,
        "subtype": subtype,
        "law": "35 U.S.C. 112(b); MPEP 2173.05(i)",
        "severity": "error",
        "start": 28,
        "end": 45,
        "explanation": "Claim 1 requires the lid.",
        "confidence": 0.97,
        "fix": None,
    }
    finding = finding_from_json(kept, 2, CLAIMS[2].text)
    assert finding_as_json(finding) == kept
    assert from_json({"findings": [kept]}, 2, CLAIMS[2].text).findings == (finding,)
    return finding


def test_no_rule_is_both_there_and_gone() -> None:
    assert {rule.id for rule in RULES}.isdisjoint(RETIRED)


@pytest.mark.parametrize("rule_id", RETIRED)
def test_a_stored_finding_of_a_retired_rule_is_shown_everywhere(rule_id: str) -> None:
    finding = stored(rule_id)
    report = Report(CLAIMS, (finding,), Jurisdiction.US, 0.5)
    # in the words of an examiner, which quote the claim or explain the finding; as text and as JSON
    words = examiner_words(finding) or ""
    assert finding.quote in words or finding.explanation in words
    assert rule_id in render(report)
    assert finding.quote in str(as_json(report))
    # in SARIF, where its rule is told as far as the finding tells it
    (run,) = as_sarif(report, "claims")["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == rule_id
    # and at the desk, where it is reviewed
    assert finding_out(finding, words=True).quote == finding.quote
    assert FindingIn(rule=rule_id, start=finding.start, end=finding.end).rule == rule_id
