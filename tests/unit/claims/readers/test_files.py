"""What kind of file it is, told by its content; hints that agree or not; encodings."""

import codecs

import pytest

from ace.claims.readers import MAX_FILE_BYTES, read_file, read_text
from ace.errors import Refused
from tests.unit.claims.readers.word import package, zipped

TEXT = "1. A lamp of 40 °C.\n2. The lamp of claim 1."
XML = '<claims><claim num="1"><claim-text>A lamp.</claim-text></claim></claims>'
DOCX = package("<w:p><w:r><w:t>1. A lamp.</w:t></w:r></w:p>")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def refused(data: bytes, **hints: str | bool | None) -> Refused:
    with pytest.raises(Refused) as caught:
        read_file(data, **hints)  # type: ignore[arg-type]
    assert caught.value.pointer == "/file"
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16", "utf-16 be"],
)
def test_text_in_its_encodings(data: bytes) -> None:
    claims = read_file(data, name="claims.txt", media_type="text/plain; charset=utf-8")
    assert [claim.text for claim in claims] == ["A lamp of 40 °C.", "The lamp of claim 1."]


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (DOCX, "claims.docx", WORD_TYPE),
        (DOCX, None, None),
        (DOCX, "claims", "application/octet-stream"),
        (XML.encode(), "claims.xml", "application/xml"),
        (XML.encode(), "US0.XML", "text/xml"),
        (b"\xef\xbb\xbf \n" + XML.encode(), None, None),
        (XML.encode("utf-16"), None, None),
        (TEXT.encode(), "claims.v2", None),
        (TEXT.encode(), "claims.md", "text/markdown"),
        (TEXT.encode(), "claims", ""),
    ],
)
def test_content_decides_and_hints_agree(data: bytes, name: str | None, media_type: str | None) -> None:
    assert read_file(data, name=name, media_type=media_type)[1].text.startswith("A lamp")


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (TEXT.encode(), "claims.docx", None),
        (TEXT.encode(), "claims.pdf", None),
        (TEXT.encode(), None, "application/pdf"),
        (TEXT.encode(), None, "image/png"),
        (DOCX, "claims.txt", None),
        (DOCX, "claims.docx", "text/plain"),
        (DOCX, "claims.zip", None),
        (XML.encode(), "claims.txt", None),
        (XML.encode(), "claims.xml", "text/html"),
    ],
)
def test_hints_that_contradict_the_content_are_refused(
    data: bytes, name: str | None, media_type: str | None
) -> None:
    assert refused(data, name=name, media_type=media_type).code == "type_mismatch"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"%PDF-1.7\n1. A lamp.", "PDF"),
        (b"\n\n%PDF-1.7\n", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "legacy"),
        (rb"{\rtf1\ansi 1. A lamp.}", "RTF"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"\xff\xd8\xff\xe0", "image"),
        (b"II*\x00", "image"),
        (b"\x1f\x8b\x08", "compressed"),
        (b"<!DOCTYPE html><p>1. A lamp.</p>", "HTML"),
        (b"<HTML><p>1. A lamp.</p>", "HTML"),
        (b"<p>1. A lamp.</p>", "HTML"),
        (b"<?xml version='1.0'?><html xmlns='x'/>", "HTML"),
        (b"1. A lamp\x00\x01", "binary"),
        (OLE + "WordDocument".encode("utf-16-le"), "legacy Word document"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "password-protected"),
        (OLE + "Workbook".encode("utf-16-le"), "legacy Excel"),
        (OLE + "__substg1.0".encode("utf-16-le"), "Outlook message"),
        (bytes(257) + b"ustar", "TAR"),
        (b"%!PS-Adobe", "PostScript"),
        (b'{"claims": []}', "JSON"),
        (b'\xef\xbb\xbf[\n {"number": 1}]', "JSON"),
        (b"\\documentclass{article}", "LaTeX"),
        (b"From: a@b\r\nMIME-Version: 1.0\r\n\r\n1. A lamp.", "e-mail"),
        (b"From: a\nMIME-Version: 1.0\nContent-Type: multipart/related;\n a=b\n\n<html>", "MHTML"),
        (b"PATN\nWKU  039999999\nCLMS\nNUM  1.\nPAR  1. A lamp.\n", "greenbook"),
        (b"HHHHHT        APS1   ISSUE - 760106\nPATN\n", "greenbook"),
        (b"NUM  1.\r\nPAR  1. A lamp with\r\nPA1  a lid.\r\n", "greenbook"),
        (b"docket,claim,verdict,ground\nA-1,1,Pass,\n", "report of ACE (CSV)"),
        (
            b"Claim 1 (line 1)\n\n  A lamp\n    ^^^^\n\n1 claim, 1 finding (1 objection): 1 syntax\n",
            "report of ACE (text)",
        ),
        (b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>", "image"),
        (b"<?xml version='1.0'?><?mso-application?><w:wordDocument xmlns:w='x'/>", "Word 2003 XML"),
        (b"<pkg:package xmlns:pkg='x'/>", "flat OPC"),
        (b"<!-- x --><office:document xmlns:office='x'/>", "OpenDocument"),
        (zipped({"[Content_Types].xml": "", "xl/workbook.xml": "<workbook/>"}), "Excel"),
        (zipped({"_rels/.rels": "<a/>", "ppt/presentation.xml": "<a/>"}), "PowerPoint"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.text"}), "OpenDocument text"),
        (zipped({"mimetype": "application/epub+zip"}), "EPUB"),
        (zipped({"Index/Document.iwa": "x"}), "Apple"),
        (zipped({"readme.txt": "1. A lamp."}), "ZIP archive with text"),
        (
            zipped({"US1/US1.XML": "<a/>", "US1/US1-D1.TIF": "x", "a.docx": "x"}),
            "XML and Word documents in it; unpack",
        ),
        (zipped({"picture.tif": "x"}), "a ZIP archive; unpack"),
        (zipped({"mimetype": "text/x"}), "a ZIP archive; unpack"),
    ],
)
@pytest.mark.parametrize("partial", [False, True])
def test_other_kinds_are_refused_by_name(data: bytes, said: str, partial: bool) -> None:
    error = refused(data, partial=partial)
    assert error.code == "unsupported_type"
    assert said in error.message


@pytest.mark.parametrize("name", ["package.zip", "claims.docx", "claims.xml", None])
def test_a_package_of_other_files_is_named_whatever_its_own_name(name: str | None) -> None:
    error = refused(zipped({"US1.xml": XML}), name=name)
    assert error.code == "unsupported_type"
    assert "ZIP archive with XML in it" in error.message
    assert "Word" not in error.message


def test_a_table_is_refused_by_name() -> None:
    assert "CSV" in refused(b"1,A lamp.\n2,A lid.\n", name="claims.csv").message


@pytest.mark.parametrize(
    "text",
    ['{"claims": []}', "<p>1. A lamp.</p>", "NUM  1.\nPAR  1. A lamp.", "1. A\n\n1 claim, 0 findings\n"],
)
def test_a_text_that_is_pasted_is_refused_as_a_file_is(text: str) -> None:
    with pytest.raises(Refused) as caught:
        read_text(text, pointer="/claims", partial=True)
    assert (caught.value.code, caught.value.pointer) == ("unsupported_type", "/claims")
    assert caught.value.message == refused(text.encode(), partial=True).message


@pytest.mark.parametrize(
    "text",
    [
        "Claims: 12\nSubject: a lamp\n1. A lamp.",
        "[Claim 1] A lamp.",
        '1. A lamp that sends “{"a": 1}”.',
        "1. A lamp having 2 claims, 3 findings and a base.",
        "<claims><claim num='1'>A lamp.</claim></claims>",
    ],
)
def test_claims_that_look_a_little_like_another_format_are_read(text: str) -> None:
    assert read_file(text.encode(), partial=True)[1].text.startswith("A lamp")


def test_a_text_that_names_a_kind_of_file_is_no_such_file() -> None:
    assert len(read_file(b"1. A reader of files that begin with %PDF-1.7.")) == 1
    assert refused(b"\r\n \x00%PDF-1.7").code == "unsupported_type"


def test_text_that_is_not_utf_8_is_refused_or_read_as_windows_1252() -> None:
    data = TEXT.replace("40", "“40”").encode("cp1252")
    assert refused(data).code == "invalid_utf8"
    claims = read_file(data, partial=True)
    assert claims[1].text == "A lamp of “40” °C."
    assert [note.code for note in claims.notes] == ["assumed_encoding"]


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"1. A lamp \x81\x8d.", "invalid_utf8"), (codecs.BOM_UTF16_LE + b"1\x00.", "invalid_utf16")],
)
def test_bytes_that_no_text_has_are_refused_either_way(data: bytes, code: str) -> None:
    for partial in (False, True):
        assert refused(data, partial=partial).code == code


def test_a_file_that_is_too_large_names_the_limit() -> None:
    error = refused(bytes(MAX_FILE_BYTES + 1))
    assert (error.code, error.limit) == ("file_too_large", MAX_FILE_BYTES)


def test_an_empty_file_has_no_claims() -> None:
    assert refused(b"").code == "empty_claim"
    claims = read_file(b"", partial=True)
    assert (len(claims), [note.code for note in claims.notes]) == (0, ["no_claims"])


def test_a_package_names_its_main_part() -> None:
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    main = package("<w:p><w:r><w:t>1. A lamp.</w:t></w:r></w:p>")
    assert read_file(main)[1].text == "A lamp."
    space = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'
    strict = f"<w:document {space}><w:body><w:p><w:r><w:t>1. A hat.</w:t></w:r></w:p></w:body></w:document>"
    relations = (
        f'<Relationships><Relationship Type="{relation}" Target="/word/document2.xml"/></Relationships>'
    )
    data = zipped({"_rels/.rels": relations, "word/document2.xml": strict})
    assert read_file(data)[1].text == "A hat."
