"""`make_predict` under Spark's `predict_batch_udf`, beside `ace score`.

It needs the extra `spark`, 460 MB, which `make test-engines` installs, and Java.
"""

import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ace.batch.adapter import SPARK_RESULTS, make_predict
from tests.engines.scored import in_order, input_of, scored

pyspark = pytest.importorskip("pyspark", reason="Spark comes with the extra spark alone")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
]


@pytest.fixture
def spark(tmp_path: Path) -> Iterator[Any]:
    """Spark in this process and a JVM, on the loopback interface."""
    from pyspark.sql import SparkSession

    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.pyspark.python": sys.executable,
        "spark.sql.execution.arrow.maxRecordsPerBatch": "8",
        "spark.local.dir": str(tmp_path / "local"),
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
    }
    session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    gateway = session.sparkContext._gateway
    yield session
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()  # the JVM ends when nobody can write to it
    gateway.proc.wait(timeout=60)


def test_a_udf_of_spark_gives_the_results_of_the_command(spark: Any, tmp_path: Path) -> None:
    from pyspark.ml.functions import predict_batch_udf
    from pyspark.sql.functions import explode, from_json
    from pyspark.sql.types import StringType

    file = input_of(tmp_path)
    score = predict_batch_udf(partial(make_predict, threads=1), return_type=StringType(), batch_size=5)
    sets = spark.read.parquet(str(file)).repartition(2)
    claims = sets.select("docket", explode(from_json(score("claims"), SPARK_RESULTS)).alias("of"))
    claims.select("docket", "of.*").write.parquet(str(tmp_path / "scores"))

    found = pq.read_table(tmp_path / "scores")
    assert in_order(found) == scored(file, tmp_path / "command")
