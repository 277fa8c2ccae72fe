"""The callable class that Ray Data and its like take, called as they call it."""

import pyarrow as pa

from ace.batch.adapter import ScoreBatch
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
