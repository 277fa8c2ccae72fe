"""What Ray Data and Spark take, called as they call it."""

import json

import numpy as np
import pyarrow as pa
import pytest

from ace.batch.adapter import OF_INPUT, SPARK_RESULTS, ScoreBatch, make_predict
from ace.batch.columns import SCHEMA
from ace.bounded import Bounded
from tests.unit.batch.sets import SOUND


def test_a_batch_becomes_a_row_for_each_claim() -> None:
    score = ScoreBatch(threads=1)
    batch = pa.table({"docket": ["A", "B"], "claims": [SOUND, None], "office": ["x", "y"]})
    found = score(batch)
    assert found.schema == SCHEMA
    assert found.select(["docket", "claim"]).to_pylist() == [
        {"docket": "A", "claim": 1},
        {"docket": "A", "claim": 2},
        {"docket": "B", "claim": None},
    ]
    assert found["error"].to_pylist() == [
        None,
        None,
        "claims_type: /claims: must be a text or a list of claims",
    ]
    assert set(found["escalate"].to_pylist()[:2]) <= {True, False}
    assert score(batch.slice(0, 1)).equals(found.slice(0, 2))
    checks = score._checks
    assert isinstance(checks, Bounded)
    checks.close()


def test_a_column_becomes_the_results_of_each_claim_set_as_json(
    rules: Bounded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ace.batch.adapter.Bounded", lambda **_given: rules)
    predict = make_predict(threads=1)
    found = [json.loads(each) for each in predict(np.array([SOUND, float("nan"), SOUND], dtype=object))]
    assert [[one["claim"] for one in each] for each in found] == [[1, 2], [None], [1, 2]]
    assert found[0] == found[2]
    assert found[1][0]["error"] == "claims_type: /claims: must be a text or a list of claims"
    named = [name for name in SCHEMA.names if name not in OF_INPUT]
    assert list(found[0][0]) == named
    assert all(f"{name}: " in SPARK_RESULTS for name in named)
