"""docs/reference/claims.md against the rules: none is left out, each example is marked at its defect."""

import re
from pathlib import Path

import pytest

from ace.claims.checks import RULES
from ace.claims.checks.remarks import RULES as REMARK_RULES
from ace.claims.rules import Jurisdiction, RemarkRule, Rule
from ace.claims.taxonomy import ErrorClass
from docs import generate

PAGE = (Path(generate.ROOT) / "docs" / "reference" / "claims.md").read_text(encoding="utf-8")


def section(rule: Rule | RemarkRule) -> str:
    """What the page says of a rule."""
    found = re.search(rf"^### {re.escape(rule.id)}\n(.*?)(?=^##|\Z|^<!--)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"the page lacks {rule.id}"
    return found.group(1)


def test_the_page_is_what_would_be_generated_now() -> None:
    assert generate.filled("docs/reference/claims.md", PAGE) == PAGE, "run: python -m docs.generate"


def test_every_class_has_its_heading() -> None:
    headings = re.findall(r"^## (\w+)$", PAGE, re.MULTILINE)
    assert headings[-len(ErrorClass) - 1 :] == [*(each.value.capitalize() for each in ErrorClass), "Remarks"]


def test_a_rule_is_told_with_its_law_and_a_marked_example(subtests: pytest.Subtests) -> None:
    for rule in RULES:
        with subtests.test(rule.id):
            told = section(rule)
            assert f"{rule.what} In brief: {rule.brief}." in " ".join(told.split())
            assert rule.what.endswith(".")
            assert rule.silent in " ".join(told.split())
            assert re.search(r"^ *\^+$", told, re.MULTILINE), "nothing is marked in the example"
            (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| [`{rule.id}`]")]
            laws = [cell.strip() for cell in row.split("|")[2:-1]]
            provisions = [rule.provision(jurisdiction) for jurisdiction in Jurisdiction]
            assert any(provisions), "it runs nowhere"
            assert laws == [
                "–"
                if provision is None
                else f"{provision.severity.value}, {provision.ground.value}: {provision.law}"
                for provision in provisions
            ]


def test_a_remark_is_told_with_its_law_and_a_marked_example(subtests: pytest.Subtests) -> None:
    for rule in REMARK_RULES:
        with subtests.test(rule.id):
            told = section(rule)
            assert " ".join(rule.what.split()) in " ".join(told.split())
            assert re.search(r"^ *\^+$", told, re.MULTILINE), "nothing is marked in the example"
            (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| [`{rule.id}`]")]
            laws = [rule.law(jurisdiction) for jurisdiction in Jurisdiction]
            told_laws = [cell.strip() for cell in row.split("|")[2:-1]]
            assert told_laws == ["–" if law is None else f"remark: {law}" for law in laws]


def test_ids_are_unique() -> None:
    ids = [rule.id for rule in RULES]
    assert len(set(ids)) == len(ids)
