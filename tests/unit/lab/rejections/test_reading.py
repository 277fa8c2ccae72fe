"""Files of rejections that other people wrote: what is understood, and what is refused by line."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ace.errors import Refused
from ace_lab.rejections.rejection_file import Rejections, read_rejections

CLAIMS = [
    {"num": 1, "text": "A pump comprising a rod."},
    {"num": 2, "text": "The pump of claim 1, wherein the seal is red."},
]
LINE: dict[str, Any] = {
    "application": "16000001",
    "claims": CLAIMS,
    "claim_num": 2,
    "reason": "Claim 2 recites “the seal”. There is insufficient antecedent basis for this limitation.",
    "category": "antecedent",
    "quote": "the seal",
}


def read(path: Path, *lines: Any, skip_bad: bool = False) -> Rejections:
    texts = [each if isinstance(each, str) else json.dumps(each) for each in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return read_rejections(path, skip_bad=skip_bad)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "real.jsonl"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, (2, "antecedent", "the seal")),
        ({"claim_num": "2"}, (2, "antecedent", "the seal")),
        ({"claim_num": "Claim 2"}, (2, "antecedent", "the seal")),
        ({"claim_num": 2.0}, (2, "antecedent", "the seal")),
        ({"claim_num": ["2"]}, (2, "antecedent", "the seal")),
        ({"application": 16000001}, (2, "antecedent", "the seal")),
        ({"claims": {"1": CLAIMS[0]["text"], "2": CLAIMS[1]["text"]}}, (2, "antecedent", "the seal")),
        ({"category": "Antecedent Basis"}, (2, "antecedent", "the seal")),
        ({"category": None}, (2, "antecedent", "the seal")),
        ({"category": None, "reason": None}, (2, "unknown", "the seal")),
        ({"category": "enablement"}, (2, "antecedent", "the seal")),
        ({"category": "enablement", "reason": ""}, (2, "other", "the seal")),
        ({"category": "relative_term"}, (2, "ambiguity", "the seal")),
        ({"quote": None}, (2, "antecedent", "the seal")),
        ({"quote": ""}, (2, "antecedent", "the seal")),
        ({"quote": "“the  SEAL”"}, (2, "antecedent", "the  SEAL")),
        ({"quote": ["the seal"]}, (2, "antecedent", "the seal")),
        ({"quote": None, "reason": "bad"}, (2, "antecedent", "")),
    ],
)
def test_what_is_understood(path: Path, changes: dict[str, Any], expected: tuple[int, str, str]) -> None:
    (only,) = read(path, {**LINE, **changes}).rejections
    assert (only.number, only.category, only.quote) == expected


@pytest.mark.parametrize("missing", ["category", "quote", "reason"])
def test_fields_may_be_absent(path: Path, missing: str) -> None:
    assert len(read(path, {name: value for name, value in LINE.items() if name != missing}).rejections) == 1


def test_several_lines_share_their_claims(path: Path) -> None:
    found = read(
        path,
        LINE,
        {**LINE, "claim_num": 1},
        {**LINE, "claims": None, "claim_num": 1},
        {**LINE, "claims": CLAIMS[1:]},
    )
    assert len(found.filings) == 2
    assert [each.filing for each in found.rejections] == [0, 0, 0, 1]
    assert [each.line for each in found.rejections] == [1, 2, 3, 4]


def test_a_line_may_name_several_claims(path: Path) -> None:
    found = read(path, {**LINE, "claim_num": "1-2, 7"})
    assert [each.number for each in found.rejections] == [1, 2]
    assert found.counts["claims_not_in_set"] == 1


def test_numbers_and_status_are_no_part_of_the_text(path: Path) -> None:
    texts = ["1. (Currently Amended) A pump comprising a rod.", "2. (Canceled)", "3. The pump of claim 1."]
    claims = [{"num": at, "text": text} for at, text in enumerate(texts, start=1)]
    kept = read(path, {**LINE, "claims": claims, "claim_num": 1}).filings[0].claims
    assert [claim.text for claim in kept] == ["A pump comprising a rod.", "", "The pump of claim 1."]
    assert [claim.number for claim in kept.pending()] == [1, 3]


def test_claims_that_are_no_clean_negatives(path: Path) -> None:
    found = read(path, {**LINE, "dependent_on": ["3"], "objected": [1], "not_examined": "4-5"})
    assert found.filings[0].excluded == {1, 3, 4, 5}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ({**LINE, "application": None}, "application is missing"),
        ({**LINE, "application": "17", "claims": []}, "claims are missing"),
        ({**LINE, "claims": "zirconium"}, "claims is not a list"),
        ({**LINE, "claim_num": None}, "claim_num is missing"),
        ({**LINE, "claim_num": "zirconium"}, "claim_num is missing"),
        ({**LINE, "claim_num": 9}, "claim_num is not a claim"),
    ],
)
def test_bad_lines_are_refused_by_number_or_skipped(path: Path, bad: Any, why: str) -> None:
    with pytest.raises(Refused, match=rf"line 2: {why}") as refused:
        read(path, LINE, bad)
    assert "zirconium" not in str(refused.value)
    found = read(path, LINE, bad, skip_bad=True)
    assert len(found.rejections) == 1
    assert [at for at, _ in found.bad] == [2]


def test_many_bad_lines_are_not_all_named(path: Path) -> None:
    with pytest.raises(Refused, match=r"line 5: not JSON; and 3 more"):
        read(path, *["{"] * 8)


def test_a_file_may_be_gzipped_and_begin_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "real"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(LINE).encode() + b"\r\n\r\n"))
    assert len(read_rejections(path).rejections) == 1


@pytest.mark.parametrize("content", [b"", b"\n\n", gzip.compress(b"x" * 9_999, mtime=0)[:30]])
def test_empty_and_broken_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "real.jsonl"
    path.write_bytes(content)
    with pytest.raises(Refused):
        read_rejections(path, skip_bad=True)
