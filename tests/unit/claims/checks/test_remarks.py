"""Remarks: each is made where it should be and not in its twin, and nothing that judges a claim reads it."""

import json
from collections import Counter

import pytest

from ace.claims.analysis import AnalysedClaim, ClaimAnalysis, analyse, as_json, from_json
from ace.claims.checks import RULES as DEFECT_RULES
from ace.claims.checks.confidence import FITTED
from ace.claims.checks.remarks import MAX_REMARKS, RULES, RemarkPlace, remark_at
from ace.claims.findings import Remark
from ace.claims.readers import read_text
from ace.claims.reports.report import checked
from ace.claims.rules import Jurisdiction
from ace.expert.examiner.structural import examine
from ace.expert.prompt.evidence import evidence
from ace.expert.prompt.verification import certain
from ace.gatekeeper.hints import NOTHING as NO_HINT
from ace.gatekeeper.hints import hints
from tests.unit.claims.battery.remarks import ROWS

MANY = (
    "1. A crate comprising a floor, a wall selected from a group consisting of wood and steel, and means"
    " for locking the wall to the floor."
)


def remarked(text: str, jurisdiction: Jurisdiction = Jurisdiction.US) -> list[tuple[str, int, str]]:
    remarks = checked(read_text(text, partial=True), jurisdiction=jurisdiction).remarks
    return [(each.kind, each.claim, each.quote) for each in remarks]


def test_a_remark_is_made_at_its_words_and_not_on_its_twin(subtests: pytest.Subtests) -> None:
    for row in ROWS:
        with subtests.test(f"{row.kind}: {row.name}"):
            assert (row.kind, row.claim, row.quote) in remarked(row.text)
            assert row.kind not in {kind for kind, _, _ in remarked(row.twin)}


def test_the_example_of_a_rule_has_its_remark_and_its_twin_has_not_and_neither_has_a_defect(
    subtests: pytest.Subtests,
) -> None:
    for rule in RULES:
        with subtests.test(rule.id):
            assert rule.kind in {kind for kind, _, _ in remarked(rule.example)}
            assert rule.kind not in {kind for kind, _, _ in remarked(rule.twin)}
            for text in (rule.example, rule.twin):
                assert checked(read_text(text)).findings == ()


def test_every_rule_has_a_row_its_law_and_a_name_of_its_own() -> None:
    assert {rule.kind for rule in RULES} == {row.kind for row in ROWS}
    assert [name for name, times in Counter(row.name for row in ROWS).items() if times > 1] == []
    assert all(rule.us or rule.epc for rule in RULES)
    assert all(rule.what.endswith(".") for rule in RULES)
    assert {rule.id for rule in RULES}.isdisjoint({rule.id for rule in DEFECT_RULES} | FITTED["rules"].keys())


def test_a_remark_is_made_only_where_there_is_a_law_of_it() -> None:
    text = "1. A lift comprising means for raising a load."
    assert {kind for kind, _, _ in remarked(text)} == {"means_plus_function", "single_means"}
    assert {kind for kind, _, _ in remarked(text, Jurisdiction.EPC)} == {"means_plus_function"}


def test_the_same_words_in_several_claims_are_one_remark() -> None:
    text = (
        f"{MANY}\n2. The crate of claim 1, further comprising means for lifting the crate.\n"
        "3. The crate of claim 1, further comprising means for lifting the floor."
    )
    (lifting,) = [each for each in checked(read_text(text)).remarks if each.claim == 2]
    assert (lifting.quote, lifting.also) == ("means for lifting", (3,))


def test_a_claim_has_a_bounded_number_of_remarks_and_the_same_words_once() -> None:
    twice = "1. A rack comprising a module for lifting crates and a module for lifting pallets."
    assert remarked(twice) == [("nonce_word", 1, "a module for lifting")]
    names = (f"{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(2 * MAX_REMARKS))
    many = ", ".join(f"a module for {name}ing crates" for name in names)
    assert len(remarked(f"1. A rack comprising {many}.")) == MAX_REMARKS


def test_nothing_that_judges_a_claim_reads_a_remark() -> None:
    claims = read_text(MANY)
    made = analyse(claims)[1]
    claim = AnalysedClaim.of(claims.input_of(1), made)
    bare = AnalysedClaim.of(claims.input_of(1), ClaimAnalysis(made.missing, made.phrases))

    assert [each.kind for each in made.remarks] == ["markush", "means_plus_function"]
    assert (made.findings, made.sure, made.certain(0.0)) == ((), 0, [])
    assert hints(made) == NO_HINT
    assert evidence(claim) == evidence(bare)
    assert certain(claim, 0.0) == []
    for version in ("v1", "v2"):
        assert examine(claim, version) == examine(bare, version)
        assert examine(claim, version).verdict == "Pass"


def test_a_remark_is_stored_as_its_place_and_read_back_with_its_words() -> None:
    claims = read_text(MANY)
    made = analyse(claims)[1]
    stored = json.loads(json.dumps(as_json(made)))
    assert [kind for kind, _, _ in stored["remarks"]] == ["markush", "means_plus_function"]
    assert "means for" not in json.dumps(stored["remarks"])
    assert from_json(stored, 1, claims[1].text).remarks == made.remarks
    assert from_json({"findings": []}, 1, claims[1].text).remarks == ()  # stored before there were remarks


def test_a_kind_that_this_version_does_not_know_is_left_out() -> None:
    assert remark_at(RemarkPlace("of_tomorrow", 0, 1), 1, "A", Jurisdiction.US) is None
    known = remark_at(RemarkPlace("markush", 0, 1), 1, "A crate", Jurisdiction.US)
    assert isinstance(known, Remark)
    assert (known.quote, known.rule_id, known.law) == ("A", "remark.markush", "MPEP 2117(II); MPEP 803.02")


def test_nothing_is_remarked_of_a_canceled_claim() -> None:
    assert remarked("1. (Canceled)\n2. (New) A crate comprising a floor.") == []
