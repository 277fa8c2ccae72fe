"""The answers so far, so that no question is paid for twice: one JSON object per line.

Lines are only appended, and each is on disk before the next question is asked. An incomplete line that a
killed run left is ignored and overwritten.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ace.errors import Refused


class Journal:
    """Entries by their key; of several with the same key the last one counts. Made by `journal_at`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._entries: dict[str, dict[str, Any]] = {}
        end = 0
        for line in file:
            if not line.endswith(b"\n"):
                break
            end += len(line)
            entry = json.loads(line)
            self._entries[entry["key"]] = entry
        file.truncate(end)
        file.seek(end)

    def get(self, key: str) -> dict[str, Any] | None:
        """The entry of a task, or None if there is none yet."""
        return self._entries.get(key)

    def add(self, entry: dict[str, Any]) -> None:
        """Stores an entry, which has a "key"; on return it is on disk."""
        self._file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._entries[entry["key"]] = entry


@contextmanager
def journal_at(path: Path) -> Iterator[Journal]:
    """The journal in a file, which is created if necessary.

    Raises Refused if another run writes to it or if it contains anything else.
    """
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Refused(f"another run writes to {path}", code="busy") from error
        file.seek(0)
        try:
            journal = Journal(file)
        except (KeyError, TypeError, ValueError) as error:
            raise Refused(f"{path} is not a journal of `ace data inject`", code="no_journal") from error
        yield journal
