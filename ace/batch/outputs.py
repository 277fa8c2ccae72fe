"""Result files: written under a temporary name, renamed when whole, and described by a manifest.

A unit is done when its files are there and fit its manifest, which is written last. Nothing else remembers
what was done, so a process may be killed at any moment.
"""

import hashlib
import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Literal

import pyarrow.parquet as pq

from ace.batch.columns import SCHEMA, table
from ace.errors import Refused

Format = Literal["parquet", "jsonl"]

GROUP_ROWS: Final = 65_536
"""Results of one row group of a Parquet file, which are held until it is written."""

MANIFESTS: Final = "_manifests"
DOUBTFUL: Final = "_doubtful"
"""Folders beside the results. Readers of a folder of tables pass over names that begin with "_" or "."."""

_PIECE_BYTES: Final = 1 << 20


@dataclass(slots=True)
class Totals:
    """What a unit holds: claim sets and claims that were judged, claims among them that escalate, and rows of
    the results that carry an error."""

    filings: int = 0
    claims: int = 0
    escalated: int = 0
    errors: int = 0

    def add(self, other: "Totals") -> None:
        """Counts another unit, or part of one."""
        self.filings += other.filings
        self.claims += other.claims
        self.escalated += other.escalated
        self.errors += other.errors


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a unit was made of, by what, and the SHA-256 of each of its files. `made_by` has everything that a
    result depends on besides the input."""

    input_sha256: str
    made_by: Mapping[str, Any]
    files: Mapping[str, str]
    totals: Totals = field(default_factory=Totals)


class Results:
    """The results in a folder, in one format, made by what `made_by` says."""

    def __init__(self, folder: Path, form: Format, made_by: Mapping[str, Any]) -> None:
        self._folder = folder
        self._form = form
        self._made_by = {**made_by, "format": form}
        for each in (folder / MANIFESTS, folder / DOUBTFUL):
            each.mkdir(parents=True, exist_ok=True)

    def done(self, name: str, input_sha256: str) -> Manifest | None:
        """The manifest of a unit that is done; None if it is to be scored, also for files that do not fit.

        Raises Refused if something else made the results in this folder: they are neither mixed nor lost.
        """
        try:
            read = json.loads(self._manifest(name).read_bytes())
            manifest = Manifest(**{**read, "totals": Totals(**read["totals"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None
        if manifest.made_by != self._made_by:
            differs = [key for key in self._made_by if manifest.made_by.get(key) != self._made_by[key]]
            words = f"{self._folder} holds results of another {' and '.join(differs) or 'kind'}"
            raise Refused(f"{words}: choose another folder", code="other_results")
        if manifest.input_sha256 != input_sha256:
            return None
        try:
            fits = all(sha256(self._folder / file) == known for file, known in manifest.files.items())
        except OSError:
            return None
        return manifest if fits else None

    @contextmanager
    def writing(self, name: str, input_sha256: str, *, doubtful: bool) -> "Iterator[Writer]":
        """A writer for a unit. When the block ends without an error, its files have their names, and the
        manifest follows."""
        files = {f"{name}.{self._form}": self._temporary(name, self._form)}
        if doubtful:
            files[f"{DOUBTFUL}/{name}.jsonl"] = self._temporary(name, "doubtful")
        try:
            with ExitStack() as stack:
                writer = Writer(stack, self._form, *files.values())
                yield writer
            made = {file: sha256(temporary) for file, temporary in files.items()}
            for file, temporary in files.items():
                temporary.rename(self._folder / file)
            manifest = Manifest(input_sha256, self._made_by, made, writer.totals)
            self._keep(name, manifest)
        finally:
            for temporary in self._folder.glob(f".{name}.*.tmp"):
                temporary.unlink(missing_ok=True)  # ours, and those of whoever was killed over this unit

    def _keep(self, name: str, manifest: Manifest) -> None:
        temporary = self._temporary(name, "manifest")
        with _private(temporary) as file:
            file.write(json.dumps(asdict(manifest), indent=1).encode() + b"\n")
        temporary.rename(self._manifest(name))

    def _manifest(self, name: str) -> Path:
        return self._folder / MANIFESTS / f"{name}.json"

    def _temporary(self, name: str, what: str) -> Path:
        return self._folder / f".{name}.{what}.{socket.gethostname()}-{os.getpid()}.tmp"


class Writer:
    """Takes results window by window. Files are on the disk when `stack` closes."""

    def __init__(self, stack: ExitStack, form: Format, results: Path, doubtful: Path | None = None) -> None:
        self.totals = Totals()
        self._held: list[dict[str, Any]] = []
        self._file = stack.enter_context(_private(results))
        self._doubtful = None if doubtful is None else stack.enter_context(_private(doubtful))
        self._parquet: pq.ParquetWriter | None = None
        if form == "parquet":
            self._parquet = pq.ParquetWriter(self._file, SCHEMA, compression="zstd")
            stack.callback(self._parquet.close)
            stack.push(self._flush_at_end)

    def write(self, records: list[dict[str, Any]], totals: Totals, doubtful: Iterator[str]) -> None:
        """Adds the results of a window, and lines of its doubtful claims."""
        self.totals.add(totals)
        if self._doubtful is not None:
            self._doubtful.writelines(line.encode() for line in doubtful)
        if self._parquet is None:
            nulls = dict.fromkeys(SCHEMA.names)
            lines = (json.dumps({**nulls, **each}, ensure_ascii=False) + "\n" for each in records)
            self._file.writelines(line.encode() for line in lines)
            return
        self._held += records
        while len(self._held) >= GROUP_ROWS:
            self._parquet.write_table(table(self._held[:GROUP_ROWS]))
            del self._held[:GROUP_ROWS]

    def _flush_at_end(self, kind: object, _error: object, _traceback: object) -> None:
        if kind is None and self._held and self._parquet is not None:
            self._parquet.write_table(table(self._held))


def sha256(path: Path) -> str:
    """SHA-256 of a file. Raises OSError."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            found.update(piece)
    return found.hexdigest()


@contextmanager
def _private(path: Path) -> Iterator[IO[bytes]]:
    """A new file that only its owner may read, on the disk when it is closed."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
