"""`ScoreBatch` under Ray Data: from Parquet to Parquet in an actor, beside `ace score`.

It needs the extra `ray`, 620 MB, which `make test-engines` installs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ace.batch.adapter import ScoreBatch
from ace.batch.columns import SCHEMA
from benchmarks.ray_cluster import ray_cluster
from tests.engines.scored import in_order, input_of, scored

pytest.importorskip("ray", reason="Ray comes with the extra ray alone")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture
def cluster() -> Iterator[Any]:
    with ray_cluster(2) as ray:
        yield ray


def test_actors_of_ray_give_the_results_of_the_command(cluster: Any, tmp_path: Path) -> None:
    file = input_of(tmp_path)
    sets = cluster.data.read_parquet(str(file))
    pool = cluster.data.ActorPoolStrategy(size=1)
    given = {"threads": 1}
    scores = sets.map_batches(
        ScoreBatch, compute=pool, batch_format="pyarrow", batch_size=5, fn_constructor_kwargs=given
    )
    scores.write_parquet(str(tmp_path / "scores"))

    found = pq.read_table(tmp_path / "scores")
    assert found.schema.names == SCHEMA.names
    assert found.schema.types == SCHEMA.types
    assert in_order(found) == scored(file, tmp_path / "command")
