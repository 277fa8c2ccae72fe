"""Claim sets in the style of real filings: every planted defect is found with its class at its words, or it
is known why not; nothing else is reported; and the remarks are those that a practitioner expects.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ace.claims.findings import Finding
from ace.claims.readers import read_text
from ace.claims.reports.report import Report, checked
from ace.claims.taxonomy import ErrorClass

FOLDER = Path(__file__).parent / "filings"
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))

NEVER_MISSED = 29
"""So many of the planted defects were found when the sets were written."""


@cache
def report_on(name: str) -> Report:
    return checked(read_text((FOLDER / f"{name}.txt").read_text(encoding="utf-8")))


@cache
def expected(name: str) -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def overlaps(defect: dict[str, Any], finding: Finding, report: Report) -> bool:
    """Whether the finding is about the planted defect: of its class, in its claim, in some of its words."""
    if finding.error_class != defect["class"] or defect["claim"] not in {finding.claim, *finding.also}:
        return False
    if finding.claim != defect["claim"]:
        return finding.quote in defect["words"] or defect["words"] in finding.quote
    start = report.claims[finding.claim].text.index(defect["words"])
    return finding.start < start + len(defect["words"]) and start < finding.end


@pytest.mark.parametrize("name", NAMES)
def test_a_planted_defect_is_found_or_it_is_known_why_not(name: str) -> None:
    report = report_on(name)
    missed = [
        (defect["claim"], defect["class"], defect["words"])
        for defect in expected(name)["defect"]
        if "missing" not in defect and not any(overlaps(defect, each, report) for each in report.findings)
    ]
    assert missed == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_reported_but_what_was_planted(name: str) -> None:
    report = report_on(name)
    planted = expected(name)["defect"]
    others = [
        (each.claim, each.rule_id, each.quote)
        for each in report.findings
        if not any(overlaps(defect, each, report) for defect in planted)
    ]
    assert others == []


@pytest.mark.parametrize("name", NAMES)
def test_the_remarks_are_those_that_are_listed(name: str) -> None:
    made = [(each.claim, each.kind, each.quote) for each in report_on(name).remarks]
    listed = expected(name).get("remark", [])
    assert made == [(each["claim"], each["kind"], each["words"]) for each in listed]


def test_the_sets_are_as_long_and_as_defective_as_filings_are() -> None:
    assert len(NAMES) == 8
    classes = set()
    found = 0
    for name in NAMES:
        report, planted = report_on(name), expected(name)["defect"]
        assert 8 <= len(report.claims) <= 20
        assert 3 <= len(planted) <= 6
        for defect in planted:
            text = report.claims[defect["claim"]].text
            assert text.count(defect["words"]) == 1, (name, defect)
        classes |= {defect["class"] for defect in planted}
        found += sum("missing" not in defect for defect in planted)
    assert classes == set(ErrorClass)
    assert found >= NEVER_MISSED
