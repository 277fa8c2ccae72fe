"""Formats that claims are not read from, recognised by their content: their names, and what to do instead.

A file is judged by its first characters, an archive by the names of its parts. To add a format, add a row.
"""

from __future__ import annotations

import re
from email.parser import HeaderParser
from typing import Final, NamedTuple

from ace.claims.readers.archive import Archive
from ace.claims.readers.markup import refusal

_SEND: Final = "send plain text, .docx or the XML of a patent office"
_SAVE_AS: Final = "open it and save it as .docx or plain text"
_UNPACK: Final = "unpack it, and send the file with the claims"
_NO_TEXT: Final = "it has no text that can be read; " + _SEND
_CLAIMS_OF_REPORT: Final = "send the claims themselves, or the report as a Word document"


class Format(NamedTuple):
    """What a file is, and what its owner can do."""

    name: str
    remedy: str = _SEND


_IMAGE: Final = Format("an image", _NO_TEXT)
_COMPRESSED: Final = Format("a compressed file", _UNPACK)
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LEGACY: Final = Format("a legacy or password-protected Office file", "save it as .docx, without a password")
_MAGIC: Final = (
    (b"{\\rtf", Format("RTF", _SAVE_AS)),
    (b"\x89PNG", _IMAGE),
    (b"\xff\xd8\xff", _IMAGE),
    (b"GIF8", _IMAGE),
    (b"II*\x00", _IMAGE),
    (b"MM\x00*", _IMAGE),
    (b"\x00\x00\x00\x0cjP", _IMAGE),
    (b"\x1f\x8b", _COMPRESSED),
    (b"\x1f\x9d", _COMPRESSED),
    (b"BZh", _COMPRESSED),
    (b"7z\xbc\xaf", _COMPRESSED),
    (b"Rar!", _COMPRESSED),
    (b"\xfd7zXZ", _COMPRESSED),
    (b"\x28\xb5\x2f\xfd", _COMPRESSED),
    (b"%!PS", Format("PostScript")),
    (b"AT&TFORM", Format("a DjVu scan", _NO_TEXT)),
    (b"\xffWPC", Format("a WordPerfect document", _SAVE_AS)),
)
_AT_OFFSETS: Final = (
    (257, b"ustar", Format("a TAR archive", _UNPACK)),
    (4, b"ftyphei", _IMAGE),
    (8, b"WEBP", _IMAGE),
)
_STREAMS: Final = (
    ("EncryptedPackage", Format("a password-protected Office file", "remove its password")),
    (
        "__substg1.0",
        Format("an Outlook message (.msg)", "save its attachment, or copy the claims into a text"),
    ),
    ("WordDocument", Format("a legacy Word document (.doc)", "open it in Word and save it as .docx")),
    ("Workbook", Format("a legacy Excel workbook (.xls)", "copy the claims into a text")),
    ("PowerPoint Document", Format("a legacy PowerPoint presentation (.ppt)", "copy the claims into a text")),
)
"""Streams of OLE files (MS-CFB), named in UTF-16; the first that occurs says what the file is."""
_PDF: Final = b"%PDF-"
_MAX_BYTES_BEFORE_PDF: Final = 1024

_HTML: Final = Format("HTML", "open it in a browser, and copy the claims into a text")
_HTML_REPORT: Final = Format("a report of ACE (HTML)", _CLAIMS_OF_REPORT)
_JSON: Final = Format("JSON", "send the claims as text, or in the body that POST /v1/filings documents")
_EMAIL: Final = Format("an e-mail message", "save its attachment, or copy the claims into a text")
_WEB_ARCHIVE: Final = Format("a saved web page (MHTML)", _HTML.remedy)
_REPORT: Final = Format("a report of ACE (text)", _CLAIMS_OF_REPORT)
_BEGINS: Final = re.compile(
    r"""(?P<html><!DOCTYPE\s+html[\s>]|<(?:html|head|body|meta|title|style|script|div|span|p|br|hr|h[1-6]|ul|ol|table
          |b|font|section|article|main)[\s/>])
      |(?P<json>\{\s*+(?:"|\}\s*\Z)|\[\s*+[{"])
      |(?P<latex>\\documentclass\b)
      |(?P<table>\W{0,8}docket\W{1,3}claim\W{1,3}verdict\W)""",
    re.IGNORECASE | re.VERBOSE,
)
_BEGINNINGS: Final = {
    "html": _HTML,
    "json": _JSON,
    "latex": Format("LaTeX"),
    "table": Format("a report of ACE (CSV)", _CLAIMS_OF_REPORT),
}
_MESSAGE_FIELDS: Final = ("MIME-Version", "Message-ID", "Return-Path")
_GREENBOOK_TAGS: Final = frozenset(
    (
        *("HHHHHT", "PATN", "WKU", "APN", "TTL", "ISD", "NCL", "CLMS", "STM", "NUM", "PAR"),
        *(f"PA{digit}" for digit in range(10)),
    )
)
_GREENBOOK: Final = Format(
    "greenbook (APS) text of the USPTO", "copy its claims into a text, without the tags NUM, PAR and PA1"
)
_REPORT_LINE: Final = re.compile(
    r"^(?:[0-9]+ claims?, [0-9]+ findings?\b|Claim [0-9]+ · (?:Pass|Fail|[a-z]))", re.MULTILINE
)
_REPORT_TITLE: Final = " ACE</title>"
_HEAD_CHARACTERS: Final = 4096

_ROOT: Final = re.compile(r"<(?![?!])([\w.-]++:)?+([\w.-]+)")
_XML_ROOTS: Final = {
    "html": _HTML,
    "svg": _IMAGE,
    "pkg:package": Format("Word XML in one part (flat OPC)", "open it in Word and save it as .docx"),
    "w:worddocument": Format("Word 2003 XML", "open it in Word and save it as .docx"),
    "office:document": Format("flat OpenDocument XML", _SAVE_AS),
    "workbook": Format("an Excel workbook in XML", "copy the claims into a text"),
}

_OFFICE_FOLDERS: Final = (
    ("word/", None),
    ("xl/", Format("an Excel workbook (.xlsx)", "copy the claims into a text")),
    ("ppt/", Format("a PowerPoint presentation (.pptx)", "copy the claims into a text")),
    ("visio/", Format("a Visio drawing", _NO_TEXT)),
)
_MIMETYPES: Final = (
    ("application/epub", Format("an EPUB book", "copy the claims into a text")),
    ("application/vnd.oasis.opendocument.text", Format("an OpenDocument text (.odt)", _SAVE_AS)),
    ("application/vnd.oasis.opendocument", Format("an OpenDocument file", "copy the claims into a text")),
)
_MIMETYPE_BYTES: Final = 100
_CONTENTS: Final = (
    (".xml", "XML"),
    (".docx", "Word documents"),
    (".pdf", "PDF"),
    (".txt", "text"),
    (".zip", "further archives"),
)


def foreign(data: bytes) -> Format | None:
    """The format of a file that is neither text, XML nor a ZIP archive, if it is known."""
    before, pdf, _ = data[: _MAX_BYTES_BEFORE_PDF + len(_PDF)].partition(_PDF)
    if pdf and not any(0x20 < byte < 0x7F for byte in before):
        return Format("PDF", "copy its claims into a text, or send the document that it was made from")
    if data.startswith(_OLE):
        return next((kind for name, kind in _STREAMS if name.encode("utf-16-le") in data), _LEGACY)
    known = next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)
    return known or next((kind for at, magic, kind in _AT_OFFSETS if data.startswith(magic, at)), None)


def foreign_markup(text: str) -> Format | None:
    """The format of HTML or of XML that publishes no patents, by its beginning."""
    head = text[:_HEAD_CHARACTERS].lstrip("\ufeff \t\r\n")
    beginning = _BEGINS.match(head)
    if beginning is not None and beginning["html"]:
        return _HTML_REPORT if _REPORT_TITLE in head else _HTML
    root = _ROOT.search(head) if head.startswith("<") else None
    if root is None:
        return None
    name = root[2].lower()
    return _XML_ROOTS.get(name) or _XML_ROOTS.get(f"{root[1] or ''}{name}")


def foreign_text(text: str) -> Format | None:
    """The format of a text that is more than lines of claims, by its beginning and its end."""
    head, end = text[:_HEAD_CHARACTERS].lstrip("\ufeff \t\r\n"), text[-_HEAD_CHARACTERS:]
    known = foreign_markup(head)
    if known is None and (beginning := _BEGINS.match(head)):
        known = _BEGINNINGS[beginning.lastgroup or ""]
    if known is not None or _REPORT_LINE.search(head) or _REPORT_LINE.search(end):
        return known or _REPORT
    return _GREENBOOK if _is_greenbook(head) else _message(head)


def _is_greenbook(head: str) -> bool:
    """Whether the first line and another one begin with tags, of which two differ."""
    tags = [line.partition("  ")[0].rstrip() for line in head.splitlines()]
    return tags[:1] != [] and tags[0] in _GREENBOOK_TAGS and len(_GREENBOOK_TAGS.intersection(tags)) > 1


def _message(head: str) -> Format | None:
    """The format of a text that begins with the fields of a message."""
    fields = HeaderParser().parsestr(head)
    received = fields.get("Received", "").startswith("from ")
    if not received and not any(name in fields for name in _MESSAGE_FIELDS):
        return None
    return _WEB_ARCHIVE if fields.get_content_type() == "multipart/related" else _EMAIL


def foreign_archive(archive: Archive) -> Format | None:
    """The format of a ZIP archive that is no Word document."""
    names = archive.names
    if "[Content_Types].xml" in names or "_rels/.rels" in names or "word/document.xml" in names:
        folders = (kind for folder, kind in _OFFICE_FOLDERS if any(name.startswith(folder) for name in names))
        return next(folders, None)
    if "mimetype" in names:
        mimetype = b"".join(archive.read("mimetype"))[:_MIMETYPE_BYTES].decode("latin-1")
        known = next((kind for begin, kind in _MIMETYPES if mimetype.startswith(begin)), None)
        if known is not None:
            return known
    if any(name.endswith(".iwa") for name in names):
        return Format("an Apple Pages, Numbers or Keynote document", _SAVE_AS)
    inside = [what for ending, what in _CONTENTS if any(name.lower().endswith(ending) for name in names)]
    return Format(f"a ZIP archive{f' with {_listed(inside)} in it' if inside else ''}", _UNPACK)


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def refuse_foreign(known: Format | None, pointer: str) -> None:
    """Raises Refused for a format that claims are not read from."""
    if known is not None:
        raise refusal("unsupported_type", f"the file is {known.name}; {known.remedy}", pointer)
