"""A backup is taken while claims are filed and decided; work goes on from it, and nothing of it is lost."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import Engine, text

from ace import flow
from ace.local.servers import Postgres
from ace.settings import Settings
from ace.store.database import ask, connect_engine
from ace.store.tables import Stage
from tests import factories, fakes
from tests.chaos import audit
from tests.chaos.cluster import Cluster
from tests.chaos.load import Ledger, Load
from tests.integration.flow.test_flow import FAIL, LIMITS, examine
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

CLAIMS = 1_200
FILING_SECONDS = 6
MODEL = ("tests.chaos.worker", "--seed=1", "--doubts=0.05", "--think=0.01")  # slower than claims are filed
SECRET = "s" * 32
STATES = "SELECT id::text, state, verdict FROM evaluations"


def cluster(folder: Path) -> Cluster:
    settings = Settings(data_dir=folder, port=0, gatekeeper_threads=1, secret=SecretStr(SECRET))
    return Cluster(settings, gatekeepers=1, experts=1, dispatchers=1, commands={"gatekeeper": MODEL})


def ace(environment: dict[str, str], *words: object) -> Any:
    """What a command shows as JSON; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "ace", *map(str, words), "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def states(db: Engine) -> dict[str, tuple[str, str | None]]:
    """State and verdict of every evaluation."""
    rows = ask(db, lambda connection: connection.execute(text(STATES)).all())
    return {row.id: (row.state, row.verdict) for row in rows}


def drain(db: Engine) -> None:
    """Decides all that the copy has left, once what the workers of before held has run out."""
    limits = replace(LIMITS, message_max_claims=1_000, message_budget_tokens=1_000_000)
    broker = fakes.Broker()

    def decided() -> bool:
        flow.dispatch(db, broker, limits, actor="tests")
        while broker.sent:
            queue, leased = broker.sent.pop()
            if queue == Stage.FAST:
                factories.screen(db, leased.token)
            elif queue == Stage.SLOW:
                examine(db, leased.token, FAIL)
        return all(state == "decided" for state, _ in states(db).values())

    wait_for(decided, "all verdicts", seconds=300)


@pytest.fixture
def folders(data_dir: Path) -> tuple[Path, Path]:
    """Where the stack is that is backed up, and where its copy will be."""
    folder = Path(tempfile.mkdtemp(dir=data_dir))
    return folder / "first", folder / "second"


def test_work_goes_on_from_a_backup_that_was_taken_under_load(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    file, ledger = tmp_path / "ace.dump", Ledger()
    with cluster(folders[0]) as first:
        db = connect_engine(first.environment["ACE_DATABASE_URL"], name="tests")
        load = Load(
            first.url,
            first.key,
            ledger,
            claims=CLAIMS,
            poison=0,
            seconds=FILING_SECONDS,
            clients=2,
            seed=1,
        )
        load.start()
        wait_for(lambda: any(state == "decided" for state, _ in states(db).values()), "verdicts", seconds=300)
        with ledger.lock:
            promised = set(ledger.filings)
        then = states(db)
        ace(first.environment, "backup", file)
        checked = ace(first.environment, "restore", file, "--check")
        assert load.finish(300) == 0
        now = states(db)
        db.dispose()
    assert checked["sound"]
    assert len(promised) <= checked["filings"] <= len(ledger.filings)

    bare = {name: value for name, value in os.environ.items() if not name.startswith("ACE_")}
    restored = ace(bare, "restore", file, "--data", folders[1])
    assert restored | {"seconds": 0} == checked | {"seconds": 0}

    with Postgres(folders[1] / "postgres") as second:
        db = connect_engine(second.url, name="tests")
        assert any(state != "decided" for state, _ in states(db).values())
        drain(db)
        copy = states(db)
        with db.connect() as connection:
            filings = set(connection.execute(text("SELECT id::text FROM filings")).scalars())
            chains = audit.chains(connection)
        db.dispose()

    assert promised <= filings <= ledger.filings
    assert set(then) <= set(copy) <= set(now)
    # What was decided when the backup began stays as it was decided.
    assert {id_: told for id_, told in then.items() if told[0] == "decided"}.items() <= copy.items()
    assert chains == {"double": 0, "illegal": 0, "miscounted": 0}
