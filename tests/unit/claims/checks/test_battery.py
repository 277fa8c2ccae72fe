"""The battery: claim sets with one defect each, which must be found alone and exactly, and their twins,
in which nothing must be found. The examples of the rules stand beside them.
"""

import importlib
from collections import Counter
from dataclasses import replace

import pytest

from ace.claims.checks import RULES
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.references.claim_references import parents_of
from ace.claims.reports.report import checked
from ace.claims.rules import Jurisdiction, Rule
from ace.claims.taxonomy import ErrorClass
from tests.unit.claims.battery import Row

ROWS: list[Row] = [
    row
    for error_class in ErrorClass
    for row in importlib.import_module(f"tests.unit.claims.battery.{error_class.value}").ROWS
]
LEAST_ROWS = 120


def found_in(text: str, rule_id: str) -> list[Finding]:
    """What is found under the law of the rule: US, or the EPC for a rule of that alone."""
    rule = next((rule for rule in RULES if rule.id == rule_id), None)
    assert rule is not None, f"there is no rule {rule_id}"
    jurisdiction = Jurisdiction.EPC if rule.us is None else Jurisdiction.US
    return list(checked(read_text(text, partial=True), jurisdiction=jurisdiction).findings)


def told(findings: list[Finding]) -> list[tuple[str, int, str]]:
    return [(each.rule_id, each.claim, each.quote) for each in findings]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.rule_id}-{row.name}")
def test_a_defect_is_found_alone_and_exactly(row: Row) -> None:
    assert told(found_in(row.text, row.rule_id)) == [(row.rule_id, row.claim, row.quote)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.rule_id}-{row.name}")
def test_nothing_is_found_in_the_twin(row: Row) -> None:
    assert told(found_in(row.twin, row.rule_id)) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_example_of_a_rule_has_its_defect_and_no_other(rule: Rule) -> None:
    assert [each.rule_id for each in found_in(rule.example, rule.id)] == [rule.id]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_nothing_is_found_in_the_twin_of_a_rule(rule: Rule) -> None:
    assert told(found_in(rule.twin, rule.id)) == []


def mended(claims: ClaimSet, finding: Finding) -> ClaimSet:
    """The claims after the fix of a finding."""
    fix, claim = finding.fix, claims[finding.claim]
    assert fix is not None
    text = claim.text[: fix.start] + fix.replacement + claim.text[fix.end :]
    other = Claim(claim.number, text, parents_of(text, claim.number), claim.status)
    return replace(claims, claims=tuple(other if each is claim else each for each in claims))


TEXTS = {f"{row.rule_id}-{row.name}": (row.rule_id, row.text) for row in ROWS}
TEXTS |= {rule.id: (rule.id, rule.example) for rule in RULES}


@pytest.mark.parametrize(("rule_id", "text"), TEXTS.values(), ids=TEXTS.keys())
def test_a_fix_removes_its_defect_and_causes_no_other(rule_id: str, text: str) -> None:
    claims = read_text(text, partial=True)
    for finding in found_in(text, rule_id):
        if finding.fix is not None:
            after = checked(mended(claims, finding)).findings
            assert told(list(after)) == [], f"after {finding.fix}"


def test_the_battery_is_large_and_every_rule_has_a_row() -> None:
    counts = Counter(row.rule_id for row in ROWS)
    assert len(ROWS) >= LEAST_ROWS
    assert {rule.id for rule in RULES} <= set(counts), "rules without a row"
    assert len({row.name for row in ROWS}) == len(ROWS), "a name is there twice"
