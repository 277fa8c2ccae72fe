"""The two buffers between an upload and its answer: neither grows with the upload.

Most HTTP clients read nothing until they have sent everything, so reading must never wait for
writing: results that cannot be sent yet go to a temporary file (ids and problems, never claim text).
"""

import asyncio
import errno
import logging
import os
import tempfile
from collections import deque
from types import TracebackType
from typing import IO, Final, NamedTuple, Self

log = logging.getLogger(__name__)

SPOOLED_BYTES_IN_MEMORY: Final = 100_000
SENT_BYTES: Final = 64_000
BATCH_LINES: Final = 200
BATCH_BYTES: Final = 1_000_000
LINE_BYTES: Final = 200  # of memory that a line takes besides its text


class UploadLine(NamedTuple):
    """One line of an upload; `raw` is None if the line was too long to keep."""

    number: int
    raw: bytes | None

    @property
    def cost(self) -> int:
        """Bytes of memory."""
        return LINE_BYTES + len(self.raw or b"")


class Pending:
    """Lines that were read but not yet stored, at most about one batch.

    While one batch is stored, the next one accumulates.
    """

    def __init__(self) -> None:
        self._lines: deque[UploadLine] = deque()
        self._bytes = 0
        self._closed = False
        self._changed = asyncio.Condition()

    async def put(self, lines: list[UploadLine]) -> None:
        """Adds lines as soon as there is room."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._bytes < BATCH_BYTES)
            self._lines.extend(lines)
            self._bytes += sum(line.cost for line in lines)
            self._changed.notify_all()

    async def close(self) -> None:
        """Marks the end: nothing more will be added."""
        async with self._changed:
            self._closed = True
            self._changed.notify_all()

    async def take(self) -> list[UploadLine]:
        """The next batch of whatever is there; empty at the end."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._lines or self._closed)
            batch: list[UploadLine] = []
            size = 0
            while self._lines and len(batch) < BATCH_LINES and (not batch or size < BATCH_BYTES):
                line = self._lines.popleft()
                batch.append(line)
                size += line.cost
            self._bytes -= size
            self._changed.notify_all()
            return batch


class Spool:
    """Outgoing bytes; beyond `SPOOLED_BYTES_IN_MEMORY` they wait on disk.

    If the disk takes no more, `full` is set and they wait in memory: whoever puts them should stop soon.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._on_disk = 0  # bytes in the file, which come before those in memory
        self._read = 0  # of those
        self._memory = bytearray()
        self._closed = False
        self._changed = asyncio.Event()
        self.begun = False  # something was put
        self.full = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, data: bytes) -> None:
        """Adds bytes; never waits."""
        self._memory += data
        if len(self._memory) > SPOOLED_BYTES_IN_MEMORY and not self.full:
            self._move_to_disk()
        self.begun = self.begun or bool(data)
        self._changed.set()

    def _move_to_disk(self) -> None:
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
            moved = 0
            while moved < len(self._memory):
                moved += os.pwrite(self._file.fileno(), self._memory[moved:], self._on_disk + moved)
        except OSError as error:
            self.full = True
            why = errno.errorcode.get(error.errno or 0, type(error).__name__)
            log.error("the folder for temporary files takes no more", extra={"error": why})
        else:
            self._on_disk += moved
            self._memory.clear()

    def close(self) -> None:
        """Marks the end: nothing more will be added."""
        self._closed = True
        self._changed.set()

    async def take(self) -> bytes:
        """The next bytes; empty at the end."""
        while not self._on_disk and not self._memory and not self._closed:
            self._changed.clear()
            await self._changed.wait()
        if self._file is None or not self._on_disk:
            data = bytes(self._memory[:SENT_BYTES])
            del self._memory[:SENT_BYTES]
            return data
        data = os.pread(self._file.fileno(), min(SENT_BYTES, self._on_disk - self._read), self._read)
        self._read += len(data)
        if self._read == self._on_disk:
            self._file.truncate(0)
            self._on_disk = self._read = 0
        return data
