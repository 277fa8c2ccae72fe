"""Parts of an untrusted zip archive, unpacked as a stream and counted while they unpack."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from typing import Final

from ace.claims.readers.markup import refusal

MAX_ENTRIES: Final = 20_000
"""A document with thousands of drawn formulas has two parts for each."""
MAX_DIRECTORY_BYTES: Final = 4 << 20
MAX_UNPACKED_BYTES: Final = 64 << 20
MAX_RATIO: Final = 200
_RATIO_FROM_BYTES: Final = 8 << 20
"""Smaller parts may be as repetitive as they like, as large empty tables are."""
_CHUNK_BYTES: Final = 1 << 16
_END: Final = struct.Struct("<4s4H2LH")
_END_MARK: Final = b"PK\x05\x06"
_MAX_COMMENT_BYTES: Final = 0xFFFF


class Archive:
    """A zip file held in memory. Raises Refused: malformed_zip, encrypted, too_many_entries, zip_bomb."""

    def __init__(self, data: bytes, pointer: str) -> None:
        self._pointer = pointer
        self._unpacked = 0
        self._refuse_directory(data)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
            raise self._malformed() from None
        entries = self._zip.infolist()
        if len(entries) > MAX_ENTRIES:
            raise self._too_many()
        if any(entry.flag_bits & 0x1 for entry in entries):
            raise refusal("encrypted", "the archive is encrypted; remove its password", pointer)

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    @property
    def names(self) -> Collection[str]:
        """The names of its parts."""
        return self._zip.NameToInfo.keys()

    def read(self, name: str) -> Iterator[bytes]:
        """The part, in chunks."""
        info = self._zip.getinfo(name)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self._malformed()
        size = 0
        try:
            with self._zip.open(info) as part:
                while chunk := part.read(_CHUNK_BYTES):
                    size += len(chunk)
                    self._unpacked += len(chunk)
                    self._refuse_bomb(size, info.compress_size)
                    yield chunk
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
            ValueError,
            OSError,
        ):
            raise self._malformed() from None

    def _refuse_directory(self, data: bytes) -> None:
        """Checks the size of the directory before the library makes an object of each entry."""
        at = data.rfind(_END_MARK, max(0, len(data) - _END.size - _MAX_COMMENT_BYTES))
        if at < 0 or len(data) - at < _END.size:
            raise self._malformed()
        _, _, _, _, entries, size, _, _ = _END.unpack_from(data, at)
        if entries > MAX_ENTRIES or size > MAX_DIRECTORY_BYTES:
            raise self._too_many()

    def _refuse_bomb(self, size: int, packed: int) -> None:
        if self._unpacked > MAX_UNPACKED_BYTES:
            message = f"the archive unpacks to more than {MAX_UNPACKED_BYTES} bytes"
            raise refusal("zip_bomb", message, self._pointer, MAX_UNPACKED_BYTES)
        if size > _RATIO_FROM_BYTES and size > MAX_RATIO * max(1, packed):
            message = f"a part of the archive unpacks to more than {MAX_RATIO} times its size"
            raise refusal("zip_bomb", message, self._pointer, MAX_RATIO)

    def _too_many(self) -> Exception:
        message = f"the archive has more than {MAX_ENTRIES} entries"
        return refusal("too_many_entries", message, self._pointer, MAX_ENTRIES)

    def _malformed(self) -> Exception:
        return refusal("malformed_zip", "the archive is damaged or is not a zip file", self._pointer)
