"""Claim sets in a file, and what `ace score` makes of them. All claim text is ours."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ace import claim_work
from ace.batch.outputs import Results
from ace.batch.run import run
from ace.batch.units import units_of
from ace.bounded import Bounded
from ace.gatekeeper.loading import load_engine
from tests.unit.batch.sets import CANCELED, DOUBTFUL, FAILS, GONE, SOUND

SETS = (SOUND, FAILS, None, DOUBTFUL, CANCELED, GONE)


def input_of(folder: Path, count: int = 4) -> Path:
    """A file of all these claim sets so many times, a row group for each time."""
    file = folder / "in.parquet"
    rows = [{"docket": f"D-{at:03}", "claims": SETS[at % len(SETS)]} for at in range(count * len(SETS))]
    pq.write_table(pa.Table.from_pylist(rows), file, row_group_size=len(SETS))
    return file


def scored(file: Path, folder: Path) -> list[dict[str, Any]]:
    """The results of the command's own functions, in order."""
    checks = Bounded(processes=1, cpu_seconds=5, warm=claim_work.warm)
    try:
        run(units_of(file), Results(folder, "parquet", {}), load_engine(threads=1), checks)
    finally:
        checks.close()
    return in_order(pa.concat_tables([pq.read_table(path) for path in sorted(folder.glob("*.parquet"))]))


def in_order(found: pa.Table) -> list[dict[str, Any]]:
    """Results by docket and claim, without the columns that say at which place of which file a row stands."""
    rows = found.drop_columns([name for name in ("input", "row") if name in found.column_names]).to_pylist()
    return sorted(rows, key=lambda row: (row["docket"], row["claim"] or 0))
