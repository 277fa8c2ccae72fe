"""Claims from the bytes of a file: its content says which type it has, and the type which reader to use.

A name or a media type is a hint, and must agree with the content. Formats that claims are not read from are
named in the refusal, with what to do (formats.py).
"""

from __future__ import annotations

import codecs
import re
from enum import StrEnum
from typing import Final

from ace.claims.model import ClaimSet, Note
from ace.claims.readers.archive import Archive
from ace.claims.readers.docx import read_docx
from ace.claims.readers.drafts import harmful_characters
from ace.claims.readers.formats import (
    Format,
    foreign,
    foreign_archive,
    foreign_markup,
    foreign_text,
    refuse_foreign,
)
from ace.claims.readers.markup import refusal
from ace.claims.readers.plain import read_marked
from ace.claims.readers.publication import read_publication

MAX_FILE_BYTES: Final = 20 << 20


class FileType(StrEnum):
    """The types of file that claims are read from."""

    TEXT = "plain text"
    DOCX = "a Word document (.docx)"
    XML = "XML"


_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_ENCODINGS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BOMS: Final = tuple(bom for bom, _ in _ENCODINGS)
"""Byte order marks, which are no part of the text that is read."""

_XML: Final = re.compile(r"\s*<(?:\?xml\s|!DOCTYPE\s|!--|[A-Za-z_][\w.:-]*[\s/>])")
_HEAD_BYTES: Final = 8192
_EXTENSIONS: Final = {
    **dict.fromkeys(("txt", "text", "md"), FileType.TEXT),
    **dict.fromkeys(("docx", "docm", "dotx", "dotm"), FileType.DOCX),
    "xml": FileType.XML,
    **dict.fromkeys(
        (
            *(
                "doc",
                "rtf",
                "odt",
                "wpd",
                "pages",
                "pdf",
                "ps",
                "djvu",
                "epub",
                "html",
                "htm",
                "mht",
                "mhtml",
            ),
            *("png", "jpg", "jpeg", "gif", "tif", "tiff", "bmp", "webp", "heic"),
            *("xls", "xlsx", "ods", "csv", "tsv", "ppt", "pptx", "json", "jsonl", "sarif", "tex"),
            *("zip", "tar", "gz", "tgz", "bz2", "xz", "7z", "rar", "eml", "msg", "mbox"),
        )
    ),
}
_TABLES: Final = ("csv", "tsv")
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
    refuse_foreign(foreign_text(text), pointer)
    return read_marked(text, pointer=pointer, partial=partial, notes=notes)


def _file_type(data: bytes, pointer: str) -> FileType:
    if data.startswith(_ZIP):
        refuse_foreign(foreign_archive(Archive(data, pointer)), pointer)
        return FileType.DOCX
    refuse_foreign(foreign(data), pointer)
    head = _head(data)
    refuse_foreign(foreign_markup(head), pointer)
    if _XML.match(head):
        return FileType.XML
    if b"\x00" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        refuse_foreign(Format("a binary file"), pointer)
    return FileType.TEXT


def _head(data: bytes) -> str:
    """The beginning of the file, whatever its encoding, as far as needed to recognise its type."""
    head = data[:_HEAD_BYTES]
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
    if extension in _TABLES and file_type is FileType.TEXT:
        refuse_foreign(Format("a table (CSV)", "copy the claims into a text"), pointer)
    if any(hint is not file_type for hint in hints):
        message = f"the file is {file_type.value}, but its name or media type says otherwise; correct it"
        raise refusal("type_mismatch", message, pointer)


def _decoded(data: bytes, pointer: str, partial: bool) -> tuple[str, list[Note]]:
    encoding = next((encoding for bom, encoding in _ENCODINGS if data.startswith(bom)), "utf-8")
    try:
        return data.decode(encoding), []
    except UnicodeDecodeError as broken:
        if encoding == "utf-8" and partial:
            text = data.decode("cp1252", "replace")
            if "\ufffd" not in text and not harmful_characters(text):
                return text, [Note("assumed_encoding", "the file is not UTF-8; it was read as Windows-1252")]
        code = "invalid_utf8" if encoding.startswith("utf-8") else "invalid_utf16"
        message = (
            f"not {encoding.removesuffix('-sig').upper()} at byte {broken.start}; save the text as UTF-8"
        )
        raise refusal(code, message, pointer) from None
