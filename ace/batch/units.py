"""The units of an input, and the rows of each: row groups of Parquet files, and whole files of JSON lines.

Every process that looks at the same input finds the same units in the same order, and takes its share of
them without asking anybody.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ace.batch.rows import Row, row_of, row_of_line
from ace.errors import Refused

WINDOW_ROWS: Final = 64
"""Claim sets that are read, analysed and scored together."""

_PARQUET: Final = ".parquet"
_LINES: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_READ_BYTES: Final = 1 << 20
_COLUMNS: Final = ("docket", "claims")


class UnreadableError(Exception):
    """An input file that is damaged, or has no column `claims`; the message names the file."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of an input that is scored and stored as a whole: `group` is its row group in a Parquet file."""

    path: Path
    group: int = 0

    @property
    def name(self) -> str:
        """The name that results carry: that of the file, and the number of the row group."""
        return f"{self.path.name}-{self.group:05d}"

    def windows(self) -> Iterator[list[Row]]:
        """The rows in order, up to WINDOW_ROWS at a time. Raises UnreadableError."""
        rows = self._groups_rows() if self.path.name.endswith(_PARQUET) else self._lines()
        try:
            while window := list(islice(rows, WINDOW_ROWS)):
                yield window
        except (OSError, EOFError, zlib.error, pa.ArrowException) as error:
            raise UnreadableError(f"{self.path.name} cannot be read: {type(error).__name__}") from None

    def digest(self) -> str:
        """SHA-256 of the bytes of this unit. Raises UnreadableError."""
        try:
            return _digest(self.path, self._extent())
        except (OSError, pa.ArrowException) as error:
            raise UnreadableError(f"{self.path.name} cannot be read: {type(error).__name__}") from None

    def _extent(self) -> tuple[int, int]:
        """Where the unit's bytes begin and end in the file."""
        if not self.path.name.endswith(_PARQUET):
            return 0, self.path.stat().st_size
        with pq.ParquetFile(self.path) as file:
            group = file.metadata.row_group(self.group)
            columns = [group.column(at) for at in range(group.num_columns)]
        begins = [each.dictionary_page_offset or each.data_page_offset for each in columns]
        ends = [begin + each.total_compressed_size for begin, each in zip(begins, columns, strict=True)]
        return min(begins), max(ends)

    def _groups_rows(self) -> Iterator[Row]:
        with pq.ParquetFile(self.path) as file:
            names = [name for name in _COLUMNS if name in file.schema_arrow.names]
            if "claims" not in names:
                raise UnreadableError(f"{self.path.name} has no column claims")
            first = sum(file.metadata.row_group(at).num_rows for at in range(self.group))
            batches = file.iter_batches(WINDOW_ROWS, row_groups=[self.group], columns=names)
            values = (value for batch in batches for value in batch.to_pylist())
            yield from (row_of(index, value) for index, value in enumerate(values, start=first))

    def _lines(self) -> Iterator[Row]:
        opened: Any = gzip.open if self.path.name.endswith(".gz") else open
        with opened(self.path, "rb") as file:
            for index, line in enumerate(file):
                if not line.isspace():
                    yield row_of_line(index, line)


def units_of(source: Path) -> list[Unit]:
    """The units of a file, or of the files that lie directly in a folder, by name. Raises Refused if there
    are none, and leaves out hidden files."""
    wanted = (_PARQUET, *_LINES)
    if source.is_dir():
        files = sorted(
            each for each in source.iterdir() if each.name.endswith(wanted) and each.name[0] != "."
        )
    else:
        files = [source] if source.is_file() and source.name.endswith(wanted) else []
    found = [Unit(path, group) for path in files for group in range(_groups(path))]
    if not found:
        raise Refused(f"{source} holds no file that ends with {', '.join(wanted)}", code="no_input")
    return found


def share_of(units: list[Unit], shard: str) -> list[Unit]:
    """The units of shard "i/N", the first being 0. Raises Refused if it is no such pair."""
    index, _, count = shard.partition("/")
    if not (
        index.isascii()
        and index.isdigit()
        and count.isascii()
        and count.isdigit()
        and int(index) < int(count)
    ):
        raise Refused(f"a shard is written i/N with i from 0 to N-1, not {shard!r}", code="shard")
    return units[int(index) :: int(count)]


def _groups(path: Path) -> int:
    """How many units a file has: one if it cannot be read, which is reported when its turn comes."""
    if not path.name.endswith(_PARQUET):
        return 1
    try:
        with pq.ParquetFile(path) as file:
            return int(file.metadata.num_row_groups)
    except (OSError, pa.ArrowException):
        return 1


def _digest(path: Path, extent: tuple[int, int]) -> str:
    begin, end = extent
    found = hashlib.sha256()
    with path.open("rb") as file:
        file.seek(begin)
        while begin < end and (piece := file.read(min(_READ_BYTES, end - begin))):
            found.update(piece)
            begin += len(piece)
    return found.hexdigest()
