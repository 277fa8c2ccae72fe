"""A report as JSON: its shape, its counts, and offsets that index what they say they index."""

import json
from dataclasses import replace
from typing import Any

import pytest

from ace.claims.findings import Finding, Fix, Remark
from ace.claims.model import Claim, ClaimSet, Note, Status
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.reports.report import Report, as_json, checked
from ace.claims.rules import Jurisdiction, Severity
from ace.claims.taxonomy import ErrorClass

TEXT = """What is claimed is:
1. A bracket comprising a plate and a hook fixed to the plate.
2. The bracket of claim 1, wherein the lever is made of steel.
3. The bracket of claim 9, wherein the hook is curved.
"""


def finding(**changed: Any) -> Finding:
    given: dict[str, Any] = {
        "claim": 2,
        "error_class": ErrorClass.ANTECEDENT,
        "subtype": "no_basis",
        "law": "35 U.S.C. 112(b)",
        "severity": Severity.WARNING,
        "start": 4,
        "end": 11,
        "quote": "bracket",
        "explanation": "Nothing introduces it.",
        "confidence": 0.876543,
    }
    return Finding(**(given | changed))


def report_on(claims: ClaimSet, *findings: Finding) -> Report:
    return Report(claims, findings, Jurisdiction.US, 0.5)


def test_the_whole_shape() -> None:
    # given one claim that was read from a source, and one finding with a fix in it
    claims = ClaimSet(
        (
            Claim(1, "(canceled)", status=Status.CANCELED),
            Claim(2, "The bracket of claim 1.", (1,), pieces=((0, 20, 23),)),
        ),
        notes=(Note("page_number", "A page number was left out.", 2, 3, 5),),
        source="x" * 20 + "The bracket of claim 1.",
    )
    remark = Remark(2, "markush", "MPEP 2117", 4, 11, "bracket", "Something follows.", also=(3,))
    report = replace(report_on(claims, finding(fix=Fix(0, 3, "A"), also=(3, 5))), remarks=(remark,))
    # then nothing is left out, and nothing is there that was not agreed
    assert as_json(report) == {
        "jurisdiction": "US",
        "threshold": 0.5,
        "claims": [
            {"number": 1, "status": "canceled", "parents": [], "findings": [], "remarks": []},
            {
                "number": 2,
                "status": None,
                "parents": [1],
                "findings": [
                    {
                        "class": "antecedent",
                        "subtype": "no_basis",
                        "law": "35 U.S.C. 112(b)",
                        "severity": "warning",
                        "ground": "rejection",
                        "examiner": "Claim 2 recites the limitation “bracket”. There is insufficient"
                        " antecedent basis for this limitation in the claim.",
                        "start": 4,
                        "end": 11,
                        "quote": "bracket",
                        "explanation": "Nothing introduces it.",
                        "confidence": 0.8765,
                        "also": [3, 5],
                        "fix": {"start": 0, "end": 3, "replacement": "A"},
                        "source": {"start": 24, "end": 31},
                    }
                ],
                "remarks": [
                    {
                        "kind": "markush",
                        "law": "MPEP 2117",
                        "start": 4,
                        "end": 11,
                        "quote": "bracket",
                        "explanation": "Something follows.",
                        "also": [3],
                        "source": {"start": 24, "end": 31},
                    }
                ],
            },
        ],
        "notes": [{"code": "page_number", "message": "A page number was left out.", "claim": 2}],
        "counts": {
            "claims": 2,
            "findings": 1,
            "by_class": {"antecedent": 1, "dependency": 0, "logical": 0, "ambiguity": 0, "syntax": 0},
            "by_ground": {"rejection": 1, "objection": 0},
            "remarks": 1,
        },
    }


def test_a_report_survives_json() -> None:
    told = as_json(checked(read_text(TEXT)))
    assert json.loads(json.dumps(told)) == told


def test_a_place_right_behind_what_the_reader_left_out_begins_there() -> None:
    # given a page number in the middle of a claim, and a finding on the words after it
    claims = ClaimSet(
        (Claim(2, "A plate and the lever.", pieces=((0, 0, 12), (12, 20, 10))),),
        source="A plate and \n-- 7 --the lever.",
    )
    (claim,) = as_json(report_on(claims, finding(start=12, end=21, quote="the lever")))["claims"]
    assert [each["source"] for each in claim["findings"]] == [{"start": 20, "end": 29}]


@pytest.mark.parametrize(
    ("begins", "source"), [(0, {"start": 4, "end": 13}), (1, {"start": 5, "end": 14}), (None, None)]
)
def test_a_place_counts_in_what_was_sent(begins: int | None, source: dict[str, int] | None) -> None:
    claims = ClaimSet((Claim(2, "Now the lever.", pieces=((0, 0, 14),)),), source="Now the lever.")
    given = report_on(claims, finding(start=4, end=13, quote="the lever"))
    (claim,) = as_json(given, begins=begins)["claims"]
    assert [each["source"] for each in claim["findings"]] == [source]


def test_a_claim_without_a_source_has_none_in_its_findings() -> None:
    claims = ClaimSet((Claim(2, "The bracket."),))
    (claim,) = as_json(report_on(claims, finding()))["claims"]
    assert [each["source"] for each in claim["findings"]] == [None]


@pytest.mark.parametrize("jurisdiction", Jurisdiction)
def test_a_checked_set_tells_each_finding_under_its_claim(jurisdiction: Jurisdiction) -> None:
    told = as_json(checked(read_text(TEXT), jurisdiction=jurisdiction))
    found = {claim["number"]: [each["quote"] for each in claim["findings"]] for claim in told["claims"]}
    assert found == {1: [], 2: ["the lever"], 3: ["claim 9"]}
    assert told["jurisdiction"] == jurisdiction.value
    assert told["counts"]["findings"] == sum(told["counts"]["by_class"].values()) == 2


def test_offsets_index_the_quote_in_the_claim_and_in_the_source() -> None:
    claims = read_text(TEXT)
    for claim in as_json(checked(claims))["claims"]:
        for each in claim["findings"]:
            text = claims[claim["number"]].text
            assert text[each["start"] : each["end"]] == each["quote"]
            assert TEXT[each["source"]["start"] : each["source"]["end"]] == each["quote"]


def test_the_threshold_is_kept_and_told() -> None:
    report = checked(read_text(TEXT), threshold=1.0)
    assert (report.threshold, as_json(report)["threshold"]) == (1.0, 1.0)
    assert all(each.confidence >= 1.0 for each in report.findings)


def test_a_reading_is_used_as_it_is() -> None:
    reading = Reading(read_text(TEXT))
    assert checked(reading) == checked(reading.claims)
