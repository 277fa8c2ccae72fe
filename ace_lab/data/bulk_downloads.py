"""Bulk downloads of patent offices, read as streams: archive members, documents and their families.

A weekly file of the USPTO is a .zip with one .xml file of a gigabyte: thousands of documents in sequence,
without a root element. Only one document is in memory at a time.
"""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final

from ace.claims.readers.files import MAX_FILE_BYTES

LINES: Final = (".jsonl", ".jsonl.gz")
XML: Final = (".xml", ".xml.gz")
SUFFIXES: Final = (*LINES, *XML, ".zip")

UNREADABLE: Final = (EOFError, OSError, zlib.error, zipfile.BadZipFile, NotImplementedError)
"""What reading a damaged file raises."""

_CHUNK = 1 << 20
_DECLARATION = re.compile(rb"<\?xml\s")
_DECLARATION_BYTES = 6
_BLANK = b"\xef\xbb\xbf \t\r\n"
_ROOT = re.compile(rb"<([A-Za-z][\w.:-]*)")

_HEAD_BYTES = 1 << 20
_OWN = re.compile(rb"<publication-reference\b.*?</publication-reference>", re.DOTALL)
_FILED = re.compile(rb"<(application-reference|priority-claims|us-related-documents)\b.*?</\1>", re.DOTALL)
_APPLICATION = re.compile(rb"<application-reference\b.*?</application-reference>", re.DOTALL)
_DOCUMENT = re.compile(
    rb"<country>\s*(\w+)\s*</country>\s*<doc-number>([^<]*)</doc-number>"
    rb"(?:\s*<kind>[^<]*</kind>)?(?:\s*<date>\s*(\d{8})\s*</date>)?"
)


class Encrypted(zipfile.BadZipFile):
    """An archive with a password."""


def parts(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The streams of claim sets in a file, each with its name: the file itself or, in a .zip, every member
    that is JSON lines or XML. Raises UNREADABLE."""
    if path.suffix.lower() != ".zip":
        with _opened(path) as data:
            yield path.name, data
        return
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            name = PurePosixPath(member.filename).name
            # macOS adds companion files whose names begin with a dot and have the same suffix.
            if name.startswith(".") or not name.lower().endswith((LINES[0], XML[0])):
                continue
            if member.flag_bits & 0x1:
                raise Encrypted(name)
            with archive.open(member) as data:
                yield name, data


def documents(data: IO[bytes]) -> Iterator[bytes]:
    """The documents of a stream: each begins with an XML declaration.

    A document over MAX_FILE_BYTES is cut to one byte more than that, so that its reader refuses it.
    """
    held = bytearray()
    while chunk := data.read(_CHUNK):
        seen = max(0, len(held) - _DECLARATION_BYTES + 1)
        held += chunk
        begun = 0
        for match in _DECLARATION.finditer(held, seen):
            if held[begun : match.start()].strip(_BLANK):
                yield bytes(held[begun : match.start()])
            begun = match.start()
        del held[:begun]
        if len(held) > MAX_FILE_BYTES + _CHUNK:
            del held[MAX_FILE_BYTES + 1 : 1 - _DECLARATION_BYTES]
    if held.strip(_BLANK):
        yield bytes(held)


def is_listing(document: bytes) -> bool:
    """Whether it is a sequence listing, which weekly files contain between the applications."""
    root = _ROOT.search(document[:_HEAD_BYTES])
    return root is not None and root[1] == b"sequence-cwu"


def publication_of(document: bytes) -> str | None:
    """Country and number of the publication ("US10000001"), if the document names it as in ST.36."""
    own = _OWN.search(document[:_HEAD_BYTES])
    number = _DOCUMENT.search(own[0]) if own else None
    return _name(number) if number else None


def application_of(document: bytes) -> str | None:
    """Country and number of the application ("US14902826"), the same in the publication and in the grant."""
    own = _APPLICATION.search(document[:_HEAD_BYTES])
    number = _DOCUMENT.search(own[0]) if own else None
    return _name(number) if number else None


def published_on(document: bytes) -> str:
    """The date of publication, YYYYMMDD, or ""."""
    own = _OWN.search(document[:_HEAD_BYTES])
    number = _DOCUMENT.search(own[0]) if own else None
    return (number[3] or b"").decode() if number else ""


def is_grant(document: bytes) -> bool:
    """Whether it is a patent and no published application."""
    root = _ROOT.search(document[:_HEAD_BYTES])
    return root is not None and root[1] == b"us-patent-grant"


def family_of(document: bytes) -> str | None:
    """The earliest filing of the document: its own, or one whose priority it claims.

    Usually the same for an application, the grant on it, its continuations and its divisions, which share
    much of their text. None if no filing is dated.
    """
    filed = (
        (number[3], _name(number))
        for section in _FILED.finditer(document[:_HEAD_BYTES])
        for number in _DOCUMENT.finditer(section[0])
        if number[3]
    )
    return min(filed, default=(b"", None))[1]


def _name(number: re.Match[bytes]) -> str:
    return (number[1] + re.sub(rb"\W", b"", number[2])).decode("ascii", "replace")


def _opened(path: Path) -> IO[bytes]:
    return gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb")  # type: ignore[return-value]
