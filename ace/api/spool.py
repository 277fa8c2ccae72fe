"""The two buffers between an upload and its answer: neither grows with the upload.

Most HTTP clients read nothing until they have sent everything, so reading must never wait for
writing: results that cannot be sent yet go to a temporary file (ids and problems, never claim text).
"""

import asyncio
import tempfile
from collections import deque
from types import TracebackType
from typing import Final, NamedTuple, Self

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
    """Outgoing bytes; beyond `SPOOLED_BYTES_IN_MEMORY` they wait on disk."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=SPOOLED_BYTES_IN_MEMORY)  # noqa: SIM115
        self._written = 0
        self._read = 0
        self._closed = False
        self._changed = asyncio.Event()
        self.begun = False  # something was put

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._file.close()

    def put(self, data: bytes) -> None:
        """Adds bytes; never waits."""
        self._file.seek(self._written)
        self._file.write(data)
        self._written += len(data)
        self.begun = self.begun or bool(data)
        self._changed.set()

    def close(self) -> None:
        """Marks the end: nothing more will be added."""
        self._closed = True
        self._changed.set()

    async def take(self) -> bytes:
        """The next bytes; empty at the end."""
        while self._read == self._written and not self._closed:
            self._changed.clear()
            await self._changed.wait()
        self._file.seek(self._read)
        data = self._file.read(min(SENT_BYTES, self._written - self._read))
        self._read += len(data)
        if self._read == self._written:
            self._file.seek(0)
            self._file.truncate()
            self._read = self._written = 0
        return data
