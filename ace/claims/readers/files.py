"""Claims from the bytes of a file: its content says which type it has, and the type which reader to use.

A name or a media type is a hint, and must agree with the content. Types that claims are not read from
(PDF, images, old Word files) are named in the refusal, so that people know what to convert.
"""

from __future__ import annotations

import codecs
import re
from enum import StrEnum
from typing import Final

from ace.claims.model import ClaimSet, Note
from ace.claims.readers.docx import read_docx
from ace.claims.readers.markup import refusal
from ace.claims.readers.plain import read_marked
from ace.claims.readers.publication import read_publication

MAX_FILE_BYTES: Final = 20 << 20


class FileType(StrEnum):
    """The types of file that claims are read from."""

    TEXT = "plain text"
    DOCX = "a Word document (.docx)"
    XML = "XML"


_FOREIGN: Final = (
    (b"%PDF", "PDF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a legacy or password-protected Office file"),
    (b"{\\rtf", "RTF"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"II*\x00", "an image"),
    (b"MM\x00*", "an image"),
    (b"\x1f\x8b", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"7z\xbc\xaf", "a compressed file"),
    (b"Rar!", "a compressed file"),
    (b"\xfd7zXZ", "a compressed file"),
)
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_ENCODINGS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PDF = re.compile(rb"[\x00-\x20\x7f-\xff]{0,1024}%PDF-")
BOMS: Final = tuple(bom for bom, _ in _ENCODINGS)
"""Byte order marks, which are no part of the text that is read."""

_XML = re.compile(r"\s*<(?:\?xml\s|!DOCTYPE\s|!--|[A-Za-z_][\w.:-]*[\s/>])")
_HTML = re.compile(r"\s*(?:<!DOCTYPE\s+html|<html)[\s>]", re.IGNORECASE)
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
_EXTENSIONS: Final = {
    **dict.fromkeys(("txt", "text", "md"), FileType.TEXT),
    **dict.fromkeys(("docx", "docm"), FileType.DOCX),
    "xml": FileType.XML,
    **dict.fromkeys(
        (
            "pdf",
            "doc",
            "rtf",
            "odt",
            "png",
            "jpg",
            "jpeg",
            "gif",
            "tif",
            "tiff",
            "zip",
            "html",
            "htm",
            "xlsx",
            "pptx",
        )
    ),
}
_MEDIA_TYPES: Final = {
    "text/plain": FileType.TEXT,
    "text/markdown": FileType.TEXT,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": FileType.DOCX,
    "application/xml": FileType.XML,
    "text/xml": FileType.XML,
    "text/html": None,
    "application/pdf": None,
    "application/msword": None,
    "application/rtf": None,
    "text/rtf": None,
}


def read_file(
    data: bytes,
    *,
    name: str | None = None,
    media_type: str | None = None,
    pointer: str = "/file",
    partial: bool = False,
) -> ClaimSet:
    """Claims of a text, DOCX or XML file. `name` and `media_type` are hints, which must not contradict it.

    Raises Refused: file_too_large, unsupported_type, type_mismatch, invalid_utf8, and what the reader of
    its type refuses.
    """
    if len(data) > MAX_FILE_BYTES:
        message = f"the file is larger than {MAX_FILE_BYTES} bytes"
        raise refusal("file_too_large", message, pointer, MAX_FILE_BYTES)
    file_type = _file_type(data, pointer)
    _refuse_other_hint(file_type, name, media_type, pointer)
    if file_type is FileType.DOCX:
        return read_docx(data, pointer=pointer, partial=partial)
    if file_type is FileType.XML:
        return read_publication(data.lstrip(b" \t\r\n"), pointer=pointer, partial=partial)
    text, notes = _decoded(data, pointer, partial)
    return read_marked(text, pointer=pointer, partial=partial, notes=notes)


def _file_type(data: bytes, pointer: str) -> FileType:
    if data.startswith(_ZIP):
        return FileType.DOCX
    for magic, what in _FOREIGN:
        if data.startswith(magic):
            raise _unsupported(what, pointer)
    if _PDF.match(data):
        raise _unsupported("PDF", pointer)
    head = _head(data)
    if _HTML.match(head):
        raise _unsupported("HTML", pointer)
    if _XML.match(head):
        return FileType.XML
    if b"\x00" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _unsupported("a binary file", pointer)
    return FileType.TEXT


def _head(data: bytes) -> str:
    """The beginning of the file, whatever its encoding, as far as needed to recognise its type."""
    head = data[:1024]
    for bom, encoding in _ENCODINGS:
        if head.startswith(bom):
            return head.decode(encoding, "replace")
    if head[:4] in (b"<\x00?\x00", b"\x00<\x00?"):
        return head.decode("utf-16-le" if head[0] else "utf-16-be", "replace")
    return head.decode("latin-1")


def _refuse_other_hint(file_type: FileType, name: str | None, media_type: str | None, pointer: str) -> None:
    extension = (name or "").rpartition(".")[2].lower() if "." in (name or "") else ""
    media = (media_type or "").partition(";")[0].strip().lower()
    hints = [_EXTENSIONS[extension]] if extension in _EXTENSIONS else []
    if media in _MEDIA_TYPES or media.startswith("image/"):
        hints.append(_MEDIA_TYPES.get(media))
    if any(hint is not file_type for hint in hints):
        message = f"the file is {file_type.value}, but its name or media type says otherwise"
        raise refusal("type_mismatch", message, pointer)


def _decoded(data: bytes, pointer: str, partial: bool) -> tuple[str, list[Note]]:
    encoding = next((encoding for bom, encoding in _ENCODINGS if data.startswith(bom)), "utf-8")
    try:
        return data.decode(encoding), []
    except UnicodeDecodeError as broken:
        if encoding == "utf-8" and partial:
            text = data.decode("cp1252", "replace")
            if "\ufffd" not in text and not _UNFIT.search(text):
                return text, [Note("assumed_encoding", "the file is not UTF-8; it was read as Windows-1252")]
        code = "invalid_utf8" if encoding.startswith("utf-8") else "invalid_utf16"
        message = (
            f"not {encoding.removesuffix('-sig').upper()} at byte {broken.start}; save the text as UTF-8"
        )
        raise refusal(code, message, pointer) from None


def _unsupported(what: str, pointer: str) -> Exception:
    message = f"the file is {what}; send plain text, .docx or the XML of a patent office"
    return refusal("unsupported_type", message, pointer)
