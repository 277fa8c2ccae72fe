"""`ace score` as a process with the shipped model: killed at random and resumed; and beside a worker."""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlalchemy import Engine, text

from ace import flow
from ace.bounded import Bounded
from ace.claims.readers import read_text
from ace.gatekeeper.loading import load_engine
from ace.local import samples
from ace.store.moves import NewFiling
from tests import factories, fakes
from tests.integration.flow.test_flow import LIMITS

pytestmark = pytest.mark.slow

KILLS = 8
GROUPS = 5


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "ace", "score", *words]


def environment() -> dict[str, str]:
    return {**os.environ, "ACE_GATEKEEPER_THREADS": "1"}


def score(*words: str) -> Any:
    done = subprocess.run(command(*words, "--json"), capture_output=True, env=environment(), check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The samples several times, in a file of several row groups and in one of lines with a bad row."""
    folder = tmp_path / "in"
    folder.mkdir()
    rows = [{"docket": one.docket, "claims": one.text} for one in samples.load()]
    pq.write_table(pa.Table.from_pylist(rows * GROUPS), folder / "a.parquet", row_group_size=len(rows))
    (folder / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + "not JSON\n")
    return folder


def test_killed_at_random_and_resumed_it_equals_an_undisturbed_run(source: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    undisturbed = score(str(source), str(whole), "--doubtful", "filings")
    assert (undisturbed["units"], undisturbed["scored"], undisturbed["errors"]) == (GROUPS + 1, GROUPS + 1, 1)

    draw = random.Random(7)
    for _ in range(KILLS):
        begun = subprocess.Popen(
            command(str(source), str(killed), "--doubtful", "filings"),
            env=environment(),
            stderr=subprocess.DEVNULL,
        )
        while begun.poll() is None and not list(killed.glob(".*.tmp")):
            time.sleep(0.005)
        time.sleep(draw.uniform(0, 1.0))
        begun.kill()
        begun.wait()
    resumed = score(str(source), str(killed), "--doubtful", "filings")

    assert contents(killed) == contents(whole)
    totals = ("units", "filings", "claims", "escalated", "errors")
    assert [resumed[name] for name in totals] == [undisturbed[name] for name in totals]


def test_shards_together_equal_one_run(source: Path, tmp_path: Path) -> None:
    score(str(source), str(tmp_path / "whole"))
    told = [score(str(source), str(tmp_path / "shared"), "--shard", f"{index}/2") for index in range(2)]
    assert [each["scored"] for each in told] == [GROUPS // 2 + 1, GROUPS // 2 + 1]
    assert contents(tmp_path / "shared") == contents(tmp_path / "whole")


def test_it_decides_as_a_worker_does(db: Engine, rules: Bounded, tmp_path: Path) -> None:
    sets = {one.docket: one.text for one in samples.load()}
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"docket": d, "claims": t}) + "\n" for d, t in sets.items()))
    score(str(path), str(tmp_path / "out"))

    new = [
        NewFiling(factories.TENANT, docket, read_text(claims), 5, {}, b"", None)
        for docket, claims in sets.items()
    ]
    factories.submit(db, *new)
    broker, gatekeeper = fakes.Broker(), load_engine(threads=1)
    flow.dispatch(db, broker, LIMITS, actor="d")
    for _, leased in broker.sent:
        factories.screen(db, leased.token, gatekeeper, checks=rules)
    statement = text("""
        SELECT f.docket, e.claim_number, e.state = 'escalated', e.verdict, e.error_class, e.ground,
          e.u, e.doubt, e.probabilities, e.model, e.calibration
        FROM evaluations e JOIN filings f ON f.id = e.filing_id ORDER BY 1, 2""")
    with db.connect() as connection:
        decided = [tuple(row) for row in connection.execute(statement)]

    results = pq.read_table(tmp_path / "out" / "in.jsonl-00000.parquet").to_pylist()
    probabilities = [name for name in results[0] if name.startswith("p_")]
    columns = ("docket", "claim", "escalate", "verdict", "error_class", "ground", "u", "doubt")
    scored = sorted(
        (
            *(one[name] for name in columns),
            [one[name] for name in probabilities],
            one["model"],
            one["calibration"],
        )
        for one in results
    )
    assert len(scored) == len(decided)
    assert scored == [(*row[:8], pytest.approx(list(row[8])), *row[9:]) for row in decided]
