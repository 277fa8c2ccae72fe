"""The scoring of a batch as a callable class, for engines that call one for each block of rows.

Ray Data: `dataset.map_batches(ScoreBatch, compute=ActorPoolStrategy(size=4), batch_format="pyarrow")`. The
engine loads the class once in each of its processes, and stores what it returns; units and manifests are not
used.
"""

from pathlib import Path

import pyarrow as pa

from ace import claim_work
from ace.batch.columns import records, table
from ace.batch.rows import row_of
from ace.batch.scoring import judged, prepare
from ace.bounded import Bounded
from ace.gatekeeper.engine import Device
from ace.gatekeeper.loading import load_engine
from ace.gatekeeper.scoring_threads import MAX_THREADS, cores


class ScoreBatch:
    """Takes tables with the column `claims`, and perhaps `docket`; returns tables of `columns.SCHEMA`.

    `model` is a directory, or None for the shipped model. `row` counts within the batch, since such an engine
    may cut and reorder its input: give every row a `docket` that identifies it. `check_seconds` bound the
    rules on one claim set.
    """

    def __init__(
        self,
        model: Path | None = None,
        *,
        device: Device = "auto",
        threads: int | None = None,
        check_seconds: float = 5,
    ) -> None:
        count = threads or min(cores(), MAX_THREADS)
        self._gatekeeper = load_engine(model, device=device, threads=count)
        self._checks = Bounded(processes=count, cpu_seconds=check_seconds, warm=claim_work.warm)

    def __call__(self, batch: pa.Table) -> pa.Table:
        """The results of a batch, a row for each claim and each row in error."""
        wanted = [name for name in ("docket", "claims") if name in batch.column_names]
        rows = [row_of(index, value) for index, value in enumerate(batch.select(wanted).to_pylist())]
        return table(records("", judged(self._gatekeeper, prepare(self._checks, rows)), self._gatekeeper))
