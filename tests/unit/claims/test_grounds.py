"""What defects draw, a rejection or an objection: laws, rules, findings, classes, and claims that fail."""

import re
from dataclasses import replace

import pytest

from ace.claims.analysis import ClaimAnalysis, analyse
from ace.claims.checks import RULES
from ace.claims.findings import Finding
from ace.claims.readers import read_text
from ace.claims.rules import Severity
from ace.claims.taxonomy import ErrorClass, Ground, ground_of
from ace.store.statements import source

REJECTION, OBJECTION = Ground

FORMAL = {
    "dependency.multiple_on_multiple",
    "dependency.cumulative",
    "dependency.two_sets",
    "dependency.duplicate_claim",
    "dependency.malformed",
}
"""Rules of other classes than syntax that are about form alone."""

SUBSTANTIVE = {"syntax.no_transition", "syntax.placeholder", "syntax.broken_off"}
"""Rules of syntax whose defects leave open what is claimed."""


@pytest.mark.parametrize(
    ("law", "ground"),
    [
        ("35 U.S.C. 112(b); MPEP 2173.05(e)", REJECTION),
        ("35 U.S.C. 112(d); 37 CFR 1.75(c); MPEP 608.01(n)", REJECTION),
        ("35 U.S.C. 101; 35 U.S.C. 112(b); MPEP 2173.05(q)", REJECTION),
        ("35 U.S.C. 112(a); MPEP 2164.08(a)", REJECTION),
        ("35 U.S.C. 112(e); 37 CFR 1.75(c); MPEP 608.01(n), I.B.4", OBJECTION),
        ("37 CFR 1.75; MPEP 608.01(m)", OBJECTION),
        ("MPEP 608.01(m)", OBJECTION),
        ("Art. 84 EPC; Guidelines F-IV, 4.1", OBJECTION),
    ],
)
def test_the_ground_follows_from_the_law(law: str, ground: Ground) -> None:
    assert ground_of(law) is ground


def test_rules_of_form_draw_objections_and_all_others_rejections(subtests: pytest.Subtests) -> None:
    for rule in RULES:
        if rule.us is not None:
            formal = rule.id in FORMAL or (
                rule.error_class is ErrorClass.SYNTAX and rule.id not in SUBSTANTIVE
            )
            with subtests.test(rule.id):
                assert rule.us.ground is (OBJECTION if formal else REJECTION)


def test_a_class_draws_what_its_law_does() -> None:
    drawn = {error_class: error_class.ground for error_class in ErrorClass}
    assert drawn == dict.fromkeys(ErrorClass, REJECTION) | {ErrorClass.SYNTAX: OBJECTION}


def test_a_finding_says_what_it_draws() -> None:
    text = "1. A crate comprising a floor, wherein the lid is hollow\n2. The crate of claim 1, wherein the"
    drawn = {
        each.rule_id: each.ground for made in analyse(read_text(text)).values() for each in made.findings
    }
    assert (drawn["antecedent.no_basis"], drawn["syntax.no_period"]) == (REJECTION, OBJECTION)


def found(law: str, error_class: ErrorClass, **changed: object) -> Finding:
    made = Finding(1, error_class, "any", law, Severity.WARNING, 0, 1, "a", "Why.", 0.9)
    return replace(made, **changed)  # type: ignore[arg-type]


LEVER = found("35 U.S.C. 112(b)", ErrorClass.ANTECEDENT)
PERIOD = found("37 CFR 1.75", ErrorClass.SYNTAX)
MULTIPLE = found("35 U.S.C. 112(e); 37 CFR 1.75(c)", ErrorClass.DEPENDENCY)
NOTED = replace(LEVER, severity=Severity.NOTE)
DOUBTED = replace(LEVER, confidence=0.01)


@pytest.mark.parametrize(
    ("findings", "error_class", "ground"),
    [
        ([], ErrorClass.LOGICAL, REJECTION),  # by the class alone
        ([], ErrorClass.SYNTAX, OBJECTION),
        ([], None, REJECTION),
        ([PERIOD], ErrorClass.SYNTAX, OBJECTION),
        ([PERIOD], ErrorClass.ANTECEDENT, REJECTION),  # a Fail for something else
        ([PERIOD, LEVER], ErrorClass.SYNTAX, REJECTION),  # the claim would be rejected as well
        ([PERIOD, NOTED], ErrorClass.SYNTAX, OBJECTION),  # but not for a note
        ([PERIOD, DOUBTED], ErrorClass.SYNTAX, OBJECTION),
        ([NOTED], ErrorClass.ANTECEDENT, REJECTION),
        ([MULTIPLE], ErrorClass.DEPENDENCY, OBJECTION),  # other than its class
        ([MULTIPLE], None, REJECTION),
    ],
)
def test_a_claim_that_fails_draws_what_its_findings_do_or_its_class(
    findings: list[Finding], error_class: ErrorClass | None, ground: Ground
) -> None:
    assert ClaimAnalysis(findings=tuple(findings)).ground(error_class) is ground


def test_verdicts_stored_without_a_ground_have_that_of_their_class() -> None:
    (by_class,) = re.findall(
        r"CASE e\.error_class (.*) END\) END", " ".join(source("verdict_ground").split())
    )
    cases = dict(re.findall(r"WHEN '(\w+)' THEN '(\w+)'", by_class))
    other = by_class.rpartition("ELSE ")[2].strip("'")
    for error_class in ErrorClass:
        assert cases.get(error_class.value, other) == error_class.ground.value
