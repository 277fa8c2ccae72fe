"""The calibration records that lie on this machine, by the ids that verdicts name."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from ace.routing.calibration import Calibration, record_file


def records_beside(directory: Path, named: Path | None = None) -> dict[str, Calibration]:
    """The records in a model's directory, and the one that is `named` (`record_file`), by id. What cannot be
    read is left out."""
    paths = {*directory.glob("calibration*.json"), record_file(directory, named)}
    return {record.id: record for path in sorted(paths) for record in _readable(path)}


def _readable(path: Path) -> Iterator[Calibration]:
    try:
        yield record_at(path)
    except (OSError, ValueError):
        return


def record_at(path: Path) -> Calibration:
    """The record in a file, read once for each time it changes. Raises OSError, or ValueError naming the
    field that is wrong."""
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read(path: Path, changed: int) -> Calibration:
    return Calibration.load(path)
