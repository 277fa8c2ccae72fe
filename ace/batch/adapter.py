"""The scoring of a batch for engines that divide the work themselves: Ray Data and Spark.

Both load the model once in each of their processes, call what they got for each block of rows, and store what
it returns; units and manifests are not used. docs/how-to/score-files.md shows how each is called.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ace import claim_work
from ace.batch.columns import SCHEMA, records, table
from ace.batch.rows import row_of
from ace.batch.scoring import judged, prepare
from ace.bounded import Bounded
from ace.gatekeeper.engine import Device
from ace.gatekeeper.loading import load_engine
from ace.gatekeeper.scoring_threads import MAX_THREADS, cores

OF_INPUT: Final = ("input", "row", "docket")
"""Columns that say where a claim comes from."""


class ScoreBatch:
    """For Ray Data's `map_batches`: takes tables with the column `claims`, and perhaps `docket`; returns
    tables of `columns.SCHEMA`.

    `model` is a directory, or None for the shipped model; `calibration` is another record than its own. `row`
    counts within the batch, since such an engine may cut and reorder its input: give every row a `docket`
    that identifies it. `check_seconds` bound the rules on one claim set.
    """

    def __init__(
        self,
        model: Path | None = None,
        *,
        calibration: Path | None = None,
        device: Device = "auto",
        threads: int | None = None,
        check_seconds: float = 5,
    ) -> None:
        count = threads or min(cores(), MAX_THREADS)
        self._gatekeeper = load_engine(model, device=device, threads=count, calibration=calibration)
        self._checks = Bounded(processes=count, cpu_seconds=check_seconds, warm=claim_work.warm)

    def __call__(self, batch: pa.Table) -> pa.Table:
        """The results of a batch, a row for each claim and each row in error."""
        wanted = [name for name in ("docket", "claims") if name in batch.column_names]
        rows = [row_of(index, value) for index, value in enumerate(batch.select(wanted).to_pylist())]
        return table(records("", judged(self._gatekeeper, prepare(self._checks, rows)), self._gatekeeper))


def make_predict(
    model: Path | None = None, **options: Any
) -> Callable[[NDArray[np.object_]], NDArray[np.object_]]:
    """For Spark's `predict_batch_udf` with the return type StringType(); `model` and `options` are those of
    ScoreBatch.

    The function that it makes takes a column of claim sets, each one numbered text, and returns for each a
    JSON array with an object for each of its claims, which `from_json` reads by `SPARK_RESULTS`.
    """
    score = ScoreBatch(model, **options)

    def predict(claims: NDArray[np.object_]) -> NDArray[np.object_]:
        texts = [each if isinstance(each, str) else None for each in claims]  # pandas says NaN for null
        of_row: list[list[dict[str, Any]]] = [[] for _ in texts]
        for found in score(pa.table({"claims": pa.array(texts, pa.string())})).to_pylist():
            row = found["row"]
            of_row[row].append({name: value for name, value in found.items() if name not in OF_INPUT})
        return np.array([json.dumps(each) for each in of_row], dtype=object)

    return predict


_SPARK_NAMES: Final = {
    pa.string(): "string",
    pa.bool_(): "boolean",
    pa.int32(): "int",
    pa.float32(): "float",
    pa.float64(): "double",
}


def _spark_type(type_: Any) -> str:
    """A type as Spark's language of schemas names it."""
    if pa.types.is_list(type_):
        return f"array<{_spark_type(type_.value_type)}>"
    if pa.types.is_struct(type_):
        return f"struct<{_spark_fields(type_)}>"
    return _SPARK_NAMES[type_]


def _spark_fields(fields: Any) -> str:
    return ", ".join(f"{each.name}: {_spark_type(each.type)}" for each in fields if each.name not in OF_INPUT)


SPARK_RESULTS: Final = f"array<struct<{_spark_fields(SCHEMA)}>>"
"""The schema of what `make_predict` returns for a claim set: the columns of SCHEMA but `OF_INPUT`."""
