"""`make verdict-diff`: what a change of the rules gained and lost."""

from ace_lab.readings.labels import Label
from ace_lab.readings.records import Defect
from benchmarks.verdict_diff import compare

DEFECT = Defect(1, "antecedent", 0, "the lever", "rejection", 0.9, "No lever.")


def test_claims_whose_verdict_changed_are_listed_with_the_rule_that_changed_it() -> None:
    labels = {
        ("US1", number): Label(DEFECT if number < 3 else None, "whole set once") for number in (1, 2, 3, 4)
    }
    found = [("antecedent.no_basis", "the lever")]
    before = {("US1", 1): found, ("US1", 3): found, ("US1", 4): found}
    after = {("US1", 2): found, ("US1", 4): [("syntax.no_period", "lever")]}
    shown = compare(labels, before, after)
    assert [(entry["claim"], entry["now"], entry["better"]) for entry in shown["changed"]] == [
        (1, "Pass", False),
        (2, "Fail", True),
        (3, "Pass", True),
    ]
    assert shown["changed"][0]["findings"] == found
    assert (shown["better"], shown["worse"]) == (2, 1)
