"""From actions and claims to lines: the right version of the claims, and nothing lost without a count."""

import gzip
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ace.errors import Refused
from ace_lab.rejections.building import build
from ace_lab.rejections.claim_versions import claim_number, numbered_claims, read_versions
from ace_lab.rejections.rejection_file import read_rejections

BODY = """Claim Rejections - 35 USC § 112

Claims 1-4 are rejected under 35 U.S.C. 112(b) as being indefinite for failing to particularly point out and
distinctly claim the subject matter which the inventor regards as the invention.

Claim 2 recites the limitation “the SPR ING” in line 1. There is insufficient antecedent basis for this
limitation.

Claims 3 and 9 recite "the gasket". There is insufficient antecedent basis for this limitation in the claims.

Claim 4 is rejected for depending on claim 3.
"""
FILED = {
    1: "A pump comprising a rod.",
    2: "The pump of claim 1, wherein the spring is steel.",
    3: "The pump of claim 1, wherein the seal is round.",
    4: "The pump of claim 3, wherein the rod is flat.",
    5: "The pump of claim 1, wherein the rod is long.",
}


def claims(texts: dict[int, str]) -> list[dict[str, Any]]:
    return [{"num": number, "text": text} for number, text in texts.items()]


def action(**other: Any) -> dict[str, Any]:
    record = {
        "patentApplicationNumber": ["16/000,001"],
        "legacyDocumentCodeIdentifier": ["CTNF"],
        "bodyText": [BODY],
    }
    return {**record, "submissionDate": "2020-06-01T00:00:00", **other}


def written(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def built(tmp_path: Path, actions: list[Any], sets: list[Any]) -> tuple[list[dict[str, Any]], Counter[str]]:
    out = tmp_path / "out.jsonl"
    counts = build([written(tmp_path / "a.jsonl", *actions)], [written(tmp_path / "c.jsonl", *sets)], out)
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()], counts


def test_lines_have_the_promised_form(tmp_path: Path) -> None:
    lines, counts = built(
        tmp_path, [action(), action()], [{"application": 16000001, "claims": claims(FILED)}]
    )
    assert [(line["claim_num"], line["category"], line["quote"]) for line in lines] == [
        (2, "antecedent", "the spring"),
        (3, "antecedent", "the gasket"),
        (1, "other", None),
    ]
    first = lines[0]
    assert list(first)[:6] == ["application", "claims", "claim_num", "reason", "category", "quote"]
    assert first["application"] == "16000001"
    assert first["claims"] == claims(FILED)
    assert "antecedent basis" in first["reason"]
    assert [line["quote_in_claim"] for line in lines] == [True, False, None]
    assert first["dependent_on"] == [4]
    assert counts["actions_repeated"] == 1
    assert counts["rejected_claims_not_in_set"] == 1
    assert counts["quotes_not_in_claim"] == 1


@pytest.mark.parametrize(
    ("dates", "chosen"),
    [
        (["2019-01-01", "2020-05-31", "2020-06-02"], 1),
        (["2019-01-01", "2020-06-01"], 1),
        (["2021-01-01"], None),
        ([None, None], 1),
        (["2019-01-01", None], 0),
    ],
    ids=["nearest before", "the same day", "only later", "by the words", "dated before undated"],
)
def test_the_claims_are_those_that_the_action_examined(
    tmp_path: Path, dates: list[str | None], chosen: int | None
) -> None:
    """Of undated versions the last one has the words that are quoted."""
    versions = [
        {
            "application": "16000001",
            "date": date,
            "claims": claims(
                {**FILED, 5: f"Version {at}.", 2: f"The {'spring' if at == len(dates) - 1 else 'coil'}."}
            ),
        }
        for at, date in enumerate(dates)
    ]
    lines, counts = built(tmp_path, [action()], versions)
    if chosen is None:
        assert lines == []
        assert counts["actions_before_all_claims"] == 1
    else:
        assert {line["claims"][4]["text"] for line in lines} == {f"Version {chosen}."}


def test_what_cannot_be_joined_is_counted(tmp_path: Path) -> None:
    quiet = action(bodyText=["Claims 1-5 are rejected under 35 U.S.C. 103."])
    elsewhere = action(patentApplicationNumber=["17000000"])
    lines, counts = built(
        tmp_path, [quiet, elsewhere], [{"application": "16000001", "claims": claims(FILED)}, {"x": 1}]
    )
    assert lines == []
    assert (counts["actions_without_112"], counts["actions_without_claims"]) == (1, 1)
    assert counts["json_without_record"] == 1


def test_the_file_is_read_by_the_evaluation(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl.gz"
    build(
        [written(tmp_path / "a.json", action())],
        [written(tmp_path / "c.json", {"application": "16000001", "claims": claims(FILED)})],
        out,
    )
    assert gzip.decompress(out.read_bytes()).count(b"\n") == 3
    read = read_rejections(out)
    assert [(each.number, each.category, each.quote) for each in read.rejections] == [
        (2, "antecedent", "the spring"),
        (3, "antecedent", "the gasket"),
        (1, "other", ""),
    ]
    assert read.filings[0].excluded == {4}
    assert not list(tmp_path.glob("*.tmp"))


PUBLICATION = """<?xml version="1.0" encoding="UTF-8"?>
<us-patent-application><us-bibliographic-data-application>
<application-reference appl-type="utility"><document-id><country>US</country><doc-number>{}</doc-number>
<date>20180102</date></document-id></application-reference></us-bibliographic-data-application>
<claims><claim id="CLM-00001" num="00001">
<claim-text>1. A pump comprising a rod.</claim-text></claim></claims>
</us-patent-application>
"""


@pytest.mark.parametrize("name", ["ipa.xml", "ipa.xml.gz", "ipa.zip"])
def test_weekly_xml_holds_many_publications(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    text = PUBLICATION.format("16000001") + PUBLICATION.format("16000002") + "<?xml version='1.0'?>\n<x/>\n"
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("ipa.xml", text)
            archive.writestr("ipa-report.html", "nothing")
    else:
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    counts: Counter[str] = Counter()
    versions = read_versions([path], counts, {"16000002"})
    assert set(versions) == {"16000002"}
    assert versions["16000002"][0].date == "2018-01-02"
    assert versions["16000002"][0].claims == {1: "A pump comprising a rod."}
    assert +counts == {"claim_sets": 1, "claim_sets_of_other_applications": 1, "xml_without_application": 1}


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ipa.zip"
    path.write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(Refused, match=r"ipa\.zip cannot be read: it is damaged"):
        read_versions([path], Counter(), set())


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be read"):
        read_versions([tmp_path / "none.jsonl"], Counter(), set())


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1, 1),
        (2.0, 2),
        ("3", 3),
        (" 00004 ", 4),
        ("Claim 5", 5),
        ("CLM-00006", 6),
        ("7.", 7),
        ("x", None),
        (0, None),
        (True, None),
        (None, None),
        ("1-3", None),
        (1.5, None),
    ],
)
def test_claim_numbers(value: Any, number: int | None) -> None:
    assert claim_number(value) == number


@pytest.mark.parametrize(
    "value",
    [
        [{"num": 1, "text": "A."}, {"num": 2, "text": "B."}],
        [{"claim_number": "1", "claim_text": "A."}, {"claimNum": "2", "claimText": " B. "}],
        ["A.", "B."],
        {"1": "A.", "2": "B."},
        [
            {"num": 1, "text": "A."},
            {"num": 2, "text": "B."},
            {"num": 2, "text": "again"},
            {"num": "x", "text": "C."},
            None,
        ],
    ],
)
def test_claims_in_other_shapes(value: Any) -> None:
    assert numbered_claims(value) == {1: "A.", 2: "B."}
