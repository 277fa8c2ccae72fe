"""The battery: claim sets with one defect each, which must be found alone and exactly, at any confidence,
and their twins, in which nothing must be found. The examples of the rules stand beside them.
"""

import importlib
from collections import Counter
from dataclasses import replace

import pytest

from ace.claims.checks import RULES
from ace.claims.checks.confidence import DEFAULT_THRESHOLD
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.references.claim_references import parents_of
from ace.claims.reports.report import checked
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass
from tests.unit.claims.battery import Row

ROWS: list[Row] = [
    row
    for error_class in ErrorClass
    for row in importlib.import_module(f"tests.unit.claims.battery.{error_class.value}").ROWS
]


def found_in(text: str, rule_id: str) -> list[Finding]:
    """What is found at any confidence under the law of the rule: US, or the EPC for a rule of that alone."""
    rule = next((rule for rule in RULES if rule.id == rule_id), None)
    assert rule is not None, f"there is no rule {rule_id}"
    jurisdiction = Jurisdiction.EPC if rule.us is None else Jurisdiction.US
    read = read_text(text, partial=True)
    return list(checked(read, jurisdiction=jurisdiction, threshold=0.0).findings)


def told(findings: list[Finding], threshold: float = DEFAULT_THRESHOLD) -> list[tuple[str, int, str]]:
    return [(each.rule_id, each.claim, each.quote) for each in findings if each.confidence >= threshold]


def of_class(findings: list[Finding], rule_id: str) -> list[Finding]:
    """Those of the rule's own class, that say nothing else at any confidence; but of antecedents, what is
    inherent is doubted and kept below the threshold."""
    name = rule_id.split(".")[0]
    threshold = DEFAULT_THRESHOLD if name == "antecedent" else 0.0
    return [each for each in findings if each.error_class == name and each.confidence >= threshold]


def test_a_defect_is_found_alone_and_exactly_and_nothing_in_its_twin(subtests: pytest.Subtests) -> None:
    for row in ROWS:
        with subtests.test(f"{row.rule_id}: {row.name}"):
            found, twin = found_in(row.text, row.rule_id), found_in(row.twin, row.rule_id)
            defect = (row.rule_id, row.claim, row.quote)
            assert defect in told(found, 0.0)
            assert {*told(found), *told(of_class(found, row.rule_id), 0.0)} <= {defect}
            assert told(twin) == []
            assert told(of_class(twin, row.rule_id), 0.0) == []


def test_the_example_of_a_rule_has_its_defect_and_no_other_and_its_twin_none(
    subtests: pytest.Subtests,
) -> None:
    for rule in RULES:
        with subtests.test(rule.id):
            found, twin = found_in(rule.example, rule.id), found_in(rule.twin, rule.id)
            assert rule.id in [rule_id for rule_id, _, _ in told(found, 0.0)]
            assert {rule_id for rule_id, _, _ in told(found)} <= {rule.id}
            assert len(told(of_class(found, rule.id), 0.0)) <= 1
            assert told(twin) == []
            assert told(of_class(twin, rule.id), 0.0) == []


def mended(claims: ClaimSet, finding: Finding) -> ClaimSet:
    """The claims after the fix of a finding."""
    fix, claim = finding.fix, claims[finding.claim]
    assert fix is not None
    text = claim.text[: fix.start] + fix.replacement + claim.text[fix.end :]
    other = Claim(claim.number, text, parents_of(text, claim.number), claim.status)
    return replace(claims, claims=tuple(other if each is claim else each for each in claims))


TEXTS = {f"{row.rule_id}-{row.name}": (row.rule_id, row.text) for row in ROWS}
TEXTS |= {rule.id: (rule.id, rule.example) for rule in RULES}


def test_a_fix_removes_its_defect_and_causes_no_other(subtests: pytest.Subtests) -> None:
    for name, (rule_id, text) in TEXTS.items():
        claims = read_text(text, partial=True)
        for finding in found_in(text, rule_id):
            if finding.fix is not None and finding.confidence >= DEFAULT_THRESHOLD:
                with subtests.test(name, fix=finding.fix):
                    assert told(list(checked(mended(claims, finding)).findings)) == []


def test_every_rule_has_a_row_and_no_name_is_there_twice() -> None:
    assert {rule.id for rule in RULES} == {row.rule_id for row in ROWS}
    assert [name for name, times in Counter(row.name for row in ROWS).items() if times > 1] == []
