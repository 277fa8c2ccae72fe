"""Bulk files of patent offices: archives read as streams, their documents, and what a family is."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ace.errors import Refused
from ace_lab.data import bulk_downloads
from ace_lab.data.sources import read_sources

CLAIMS = '<claims><claim num="1"><claim-text>A lid comprising a ring of steel.</claim-text></claim></claims>'
LISTING = (
    '<?xml version="1.0"?>\n<!DOCTYPE sequence-cwu SYSTEM "s.dtd" [ ]>\n'
    "<sequence-cwu><s>secret</s></sequence-cwu>\n"
)
LINE = json.dumps({"source": "ours", "patent": "US9", "claims": [{"num": 1, "text": "A lid."}]}) + "\n"


def dated(country: str, number: str, date: str) -> str:
    return f"<country>{country}</country><doc-number>{number}</doc-number><kind>A1</kind><date>{date}</date>"


def grant(number: str, *filed: str, claims: str = CLAIMS) -> str:
    """A document, its publication and what was filed before it."""
    own = f"<publication-reference><document-id>{dated('US', number, '20200101')}</document-id>"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<us-patent-grant><b>{own}</publication-reference>'
        f"{''.join(filed)}</b>{claims}</us-patent-grant>\n"
    )


def filed(number: str, date: str) -> str:
    return (
        f'<application-reference appl-type="utility"><document-id>{dated("US", number, date)}'
        "</document-id></application-reference>"
    )


def parent(number: str, date: str) -> str:
    """A continuation of an earlier application, with the grant on that, which is later."""
    return (
        f"<us-related-documents><continuation><relation><parent-doc><document-id>{dated('US', number, date)}"
        f"<parent-grant-document><document-id>{dated('US', '7000000', '20190101')}</document-id>"
        "</parent-grant-document></document-id></parent-doc></relation></continuation></us-related-documents>"
    )


def priority(number: str, date: str) -> str:
    return (
        f'<priority-claims><priority-claim sequence="01" kind="national">{dated("JP", number, date)}'
        "</priority-claim></priority-claims>"
    )


def packed(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def test_an_archive_of_documents_and_of_lines(tmp_path: Path) -> None:
    members = {
        "week/ipg.XML": grant("101") + LISTING + grant("102"),
        "lines.jsonl": LINE,
        "__MACOSX/._ipg.xml": "\x00secret",
        "ipg-report.html": "<p>secret</p>",
    }
    path = packed(tmp_path / "ipg.ZIP", members)
    found = read_sources([tmp_path])
    assert [(one.name, one.source, len(one.claims)) for one in found.sets] == [
        ("US101", "ipg.ZIP", 1),
        ("US102", "ipg.ZIP", 1),
        ("US9", "ours", 1),
    ]
    assert found.files == {path: 3}
    assert found.skipped == ("document 2 of ipg.XML in ipg.ZIP: a sequence listing",)


def test_several_archives_and_the_same_publication_in_two(tmp_path: Path) -> None:
    paths = [packed(tmp_path / f"{week}.zip", {"a.xml": grant("101")}) for week in ("one", "two")]
    assert [one.name for one in read_sources(paths).sets] == ["US101", "US101#2"]


BAD = {
    "no claims": (
        {"a.xml": grant("1") + grant("2", claims="<s>secret</s>")},
        "document 2 of a.xml in a.zip",
        1,
    ),
    "a line": ({"a.jsonl": LINE + "secret\n"}, "line 2 of a.jsonl in a.zip", 1),
    "nothing to read": ({"a.txt": "secret"}, "a.zip: the archive has no .jsonl or .xml file", 0),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_in_an_archive_is_named(tmp_path: Path, case: str) -> None:
    members, place, left = BAD[case]
    path = packed(tmp_path / "a.zip", members)
    with pytest.raises(Refused, match=place) as caught:
        read_sources([path])
    assert "secret" not in str(caught.value)
    found = read_sources([path], skip_bad=True)
    assert (len(found.sets), [place in each for each in found.skipped]) == (left, [True])


def damaged(path: Path) -> None:
    packed(path, {"a.xml": grant("101") + grant("102")})
    data = bytearray(path.read_bytes())
    data[60] ^= 0xFF
    path.write_bytes(bytes(data))


def encrypted(path: Path) -> None:
    packed(path, {"a.xml": grant("101")})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (damaged, "a.zip: the file is damaged or cut off"),
        (encrypted, "a.zip: the archive is encrypted"),
        (lambda path: path.write_text("secret"), "a.zip: the file is damaged or cut off"),
    ],
)
def test_archives_that_cannot_be_read(tmp_path: Path, make: Callable[[Path], object], message: str) -> None:
    make(tmp_path / "a.zip")
    with pytest.raises(Refused, match=message) as caught:
        read_sources([tmp_path / "a.zip"])
    assert "secret" not in str(caught.value)


class Metered(io.RawIOBase):
    """A stream made while it is read, that counts how far it was."""

    def __init__(self, document: bytes, times: int) -> None:
        self.document, self.left, self.given = document, times, 0

    def read(self, size: int = -1) -> bytes:
        if self.left == 0:
            return b""
        self.left -= 1
        self.given += len(self.document)
        return self.document


def test_documents_are_not_held_beyond_the_next() -> None:
    document = grant("1", "x" * 100_000).encode()
    stream: Any = Metered(document, 200)
    for at, found in enumerate(bulk_downloads.documents(stream), start=1):
        assert found == document
        assert stream.given <= (at + 1) * len(document)
    assert at == 200


@pytest.mark.parametrize("cut", range(1, 9))
def test_a_declaration_across_two_reads(monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    first, second = b'<?xml version="1.0"?><a/>\n', b'<?xml version="1.0"?><b/>'
    monkeypatch.setattr(bulk_downloads, "_CHUNK", len(first) + cut)
    assert list(bulk_downloads.documents(io.BytesIO(b"\xef\xbb\xbf\n" + first + second))) == [first, second]


def test_one_document_too_large_is_left_out_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_downloads, "_CHUNK", 1_000)
    monkeypatch.setattr(bulk_downloads, "MAX_FILE_BYTES", 20 << 20)
    stream = io.BytesIO((grant("1", "x" * (21 << 20)) + grant("2")).encode())
    first, second = (len(each) for each in bulk_downloads.documents(stream))
    assert (20 << 20) < first < (20 << 20) + 10_000
    assert second == len(grant("2"))
    (tmp_path / "a.xml").write_text(grant("1", "x" * (21 << 20)) + grant("2"))
    found = read_sources([tmp_path / "a.xml"], skip_bad=True)
    assert ([one.name for one in found.sets], len(found.skipped)) == (["US2"], 1)
    assert "document 1 of a.xml: the file is larger" in found.skipped[0]


FAMILIES = {
    "an application and its grant": (
        grant("1", filed("12345678", "20100301")),
        grant("2", filed("12/345,678", "20100301")),
    ),
    "a continuation": (
        grant("1", filed("12345678", "20100301")),
        grant("2", filed("14000000", "20140101"), parent("12/345678", "20100301")),
    ),
    "one foreign priority": (
        grant("1", filed("12345678", "20100301"), priority("2009-77", "20090301")),
        grant("2", filed("15000000", "20150301"), priority("2009-77", "20090301"), parent("1", "20100301")),
    ),
}


@pytest.mark.parametrize("case", FAMILIES)
def test_documents_of_one_family(case: str) -> None:
    one, other = (bulk_downloads.family_of(document.encode()) for document in FAMILIES[case])
    assert one == other is not None


def test_documents_of_two_families_and_of_an_unknown_one(tmp_path: Path) -> None:
    one, other = grant("1", filed("12345678", "20100301")), grant("2", filed("12345679", "20100301"))
    assert bulk_downloads.family_of(one.encode()) != bulk_downloads.family_of(other.encode())
    (tmp_path / "a.xml").write_text(f'{one}{grant("3")}<?xml version="1.0"?><a>{CLAIMS}</a>')
    found = [(each.family, each.name) for each in read_sources([tmp_path / "a.xml"]).sets]
    assert found == [("US12345678", "US1"), ("US3", "US3"), ("a.xml/3", "a.xml/3")]
