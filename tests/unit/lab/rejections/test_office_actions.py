"""Records of office actions in every wrapping that the Office uses, and in broken ones."""

import gzip
import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ace.errors import Refused
from ace_lab.rejections.office_actions import (
    OfficeAction,
    application_number,
    day_of,
    json_values,
    read_actions,
)

SOLR = {
    "patentApplicationNumber": ["16123456"],
    "legacyDocumentCodeIdentifier": ["CTNF"],
    "submissionDate": "2019-05-09T00:00:00",
    "bodyText": ["Claim 1 is rejected."],
    "grantDate": "0001-01-03T00:00:00",
    "sections.section112RejectionText": [""],
}
ACTION = OfficeAction("16123456", "CTNF", "2019-05-09", "Claim 1 is rejected.")
PORTAL = {
    "applicationNumberText": "16/123,456",
    "documentCode": "ctnf",
    "officialDate": "05/09/2019",
    "documentText": "Claim 1 is rejected.",
}


def read(path: Path) -> tuple[list[OfficeAction], Counter[str]]:
    counts: Counter[str] = Counter()
    return list(read_actions(path, counts)), counts


@pytest.mark.parametrize(
    "value",
    [
        SOLR,
        [SOLR],
        {"response": {"numFound": 1, "docs": [SOLR]}},
        PORTAL,
        {"officeActions": {"results": [PORTAL]}},
        {
            "application": 16123456,
            "actions": [{"code": "x", "document_code": "CTNF", "mail_date": "20190509", "text": ACTION.body}],
        },
        {"application_number": "16123456", "mailDate": "2019-05-09", "CTNFBodyText": ACTION.body},
        {
            **SOLR,
            "bodyText": ["null"],
            "sections.section112RejectionText": ["Claim 1 is rejected."],
        },
    ],
    ids=["record", "array", "solr", "portal", "envelope", "nested", "kind in the name", "sections"],
)
def test_every_shape_of_record(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "actions.json"
    path.write_text(json.dumps(value, indent=1))
    assert read(path)[0] == [ACTION]


def test_folders_archives_and_lines(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("\ufeff" + json.dumps(SOLR) + "\n\n" + json.dumps(SOLR) + "\n")
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(json.dumps([SOLR]).encode()))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("week/one.json", json.dumps([SOLR, SOLR]))
        archive.writestr("week/readme.pdf", b"%PDF")
    (tmp_path / "notes.md").write_text("not JSON")
    actions, counts = read(tmp_path)
    assert actions == [ACTION] * 5
    assert +counts == {"files": 3, "actions": 5}


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "dirt.jsonl"
    lines = [
        json.dumps(SOLR),
        "{not json",
        json.dumps({**SOLR, "legacyDocumentCodeIdentifier": ["NOA"]}),
        json.dumps({**SOLR, "bodyText": None, "sections.section112RejectionText": None}),
        json.dumps({**PORTAL, "applicationNumberText": " "}),
        "17",
        json.dumps(SOLR)[:40],
    ]
    path.write_text("\n".join(lines))
    actions, counts = read(path)
    assert actions == [ACTION]
    assert counts["broken_json"] == 2
    assert counts["json_without_record"] == 1
    assert counts["records_of_other_kinds"] == 1
    assert counts["records_without_text_or_application"] == 2


def test_broken_archives_are_counted_and_missing_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.json.gz"
    path.write_bytes(gzip.compress(json.dumps([SOLR] * 50).encode())[:60])
    assert read(path)[1]["files_broken"] == 1
    with pytest.raises(Refused, match="does not exist"):
        read(tmp_path / "none.json")


class Chunked(io.StringIO):
    """Gives a few characters at a time, whatever is asked for."""

    def read(self, size: int | None = -1, /) -> str:
        return super().read(7)


def test_long_arrays_are_read_piece_by_piece() -> None:
    rows = [{"a": "x" * 40, "n": n} for n in range(30)]
    assert list(json_values(Chunked(json.dumps(rows, indent=2)), Counter())) == rows


def test_a_broken_value_costs_its_line_alone() -> None:
    rows = [{"a": "x" * 40, "n": n} for n in range(4)]
    text = "\n".join(["{oops" + "x" * 99, *map(json.dumps, rows), '{"a": "never en', "[[{"])
    counts: Counter[str] = Counter()
    assert list(json_values(Chunked(text), counts)) == rows
    assert counts["broken_json"] == 3


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("16/123,456", "16123456"),
        ("US 16/123456", "16123456"),
        (" 16123456\n", "16123456"),
        ("A-B", "A-B"),
        ("", ""),
    ],
)
def test_application_numbers(written: str, number: str) -> None:
    assert application_number(written) == number


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2019-05-09T00:00:00", "2019-05-09"),
        ("2020-08-31T01:20:29.000-0400", "2020-08-31"),
        ("20190509", "2019-05-09"),
        ("5/9/2019", "2019-05-09"),
        ("1557360000000", "2019-05-09"),
        ("0001-01-03T00:00:00", ""),
        ("soon", ""),
        ("", ""),
    ],
)
def test_dates(written: str, day: str) -> None:
    assert day_of(written) == day
