"""Findings of evaluations: one reading a claim set, and no verdict waits for a rule that breaks."""

import logging
from typing import Any
from uuid import UUID

import pytest

from ace.claims.rules import Jurisdiction
from ace.flow import checking
from tests import fakes

CLAIMS = [
    (1, "A pump comprising a housing and a valve."),
    (2, "(Canceled)"),
    (3, "The pump of claim 1, wherein the lever is bent."),
    (4, "The pump of claim 2, wherein a port is round."),
]
ONE, OTHER, THIRD = UUID(int=1), UUID(int=2), UUID(int=3)
TENANTS = {ONE: "office", OTHER: "stranger", THIRD: "office"}


def test_each_claim_gets_its_own_findings() -> None:
    found = checking.findings_on((CLAIMS, [1, 3, 4]))
    assert {number: [one.quote for one in on_claim] for number, on_claim in found.items()} == {
        1: [],
        3: ["the lever"],
        4: ["claim 2"],
    }
    assert found[4][0].rule_id == "dependency.canceled"


def test_what_is_wanted_is_found_under_its_evaluation() -> None:
    checked = checking.check_all(fakes.Checks(), {ONE: CLAIMS}, {ONE: {1: OTHER, 3: THIRD}}, TENANTS)
    assert {id_: len(found) for id_, found in checked.found.items()} == {OTHER: 0, THIRD: 1}
    assert checked.findings.jurisdiction is Jurisdiction.US


def test_a_rule_that_breaks_costs_the_findings_of_that_filing_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = checking.findings_on

    def breaking(asked: Any) -> Any:
        claims, _ = asked
        if len(claims) == 1:
            raise RecursionError(claims[0][1])
        return whole(asked)

    monkeypatch.setattr(checking, "findings_on", breaking)
    with caplog.at_level(logging.ERROR):
        checked = checking.check_all(
            fakes.Checks(),
            {ONE: [(1, "A zyzzyva.")], OTHER: CLAIMS},
            {ONE: {1: ONE}, OTHER: {3: THIRD}},
            TENANTS,
        )

    assert (checked.found.keys(), checked.left) == ({THIRD}, set())
    assert "zyzzyva" not in caplog.text
    assert [record.__dict__["why"] for record in caplog.records] == ["RecursionError"]


def test_a_set_that_takes_too_long_has_no_findings_and_leaves_the_next_of_its_tenant_for_later() -> None:
    endless = [(1, "An endless pump.")]
    checked = checking.check_all(
        fakes.Checks(),
        {ONE: endless, OTHER: CLAIMS, THIRD: CLAIMS},
        {ONE: {1: ONE}, OTHER: {3: OTHER}, THIRD: {3: THIRD}},
        TENANTS,
    )
    assert checked.left == {THIRD}
    assert checked.found.keys() == {OTHER}
