"""The release before runs on the database while that is upgraded, and is then replaced process by process."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from ace.local import samples
from ace.local.servers import Postgres, Redis
from ace.processes import free_port
from ace.settings import Settings
from ace.store import schema
from ace.store.auditing import audit
from ace.store.database import connect_engine, transact
from tests.e2e.rolling import START_SECONDS, Clients, Service, ready, running
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).parents[2]
RELEASE: Final = "0621f66"
"""The commit of the last release, 0.2.0. Name the next one when that is made."""
REVISION: Final = "0005"
"""The newest migration of that release."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code of the release before."""
    paths = ["ace", "ace_lab", "workers", "migrations"]  # ace_lab adds commands to `ace`
    git = shutil.which("git") or "git"
    archive = subprocess.run([git, "archive", RELEASE, *paths], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip("this checkout has no history, so the release before is not there")
    folder = tmp_path_factory.mktemp("release")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


@pytest.fixture
def postgres(data_dir: Path) -> Iterator[Postgres]:
    with Postgres(Path(tempfile.mkdtemp(dir=data_dir)) / "postgres") as server:
        yield server


def ace(settings: Settings, *words: str, code: Path | None = None) -> str:
    """What a command says; it must succeed."""
    path = {"PYTHONPATH": str(code)} if code else {}
    done = subprocess.run(
        [sys.executable, "-m", "ace", *words],
        env={**os.environ, **settings.environment(), **path},
        cwd=code,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_nothing_is_lost_while_the_release_before_is_replaced(
    postgres: Postgres, redis_server: Redis, before: Path, tmp_path: Path
) -> None:
    texts = [sample.text for sample in samples.load()]  # the gatekeeper is in doubt of some claims
    ports, expert_port = (free_port(), free_port()), free_port()
    settings = Settings.model_validate(
        {
            "database_url": SecretStr(postgres.url),
            # With all commands, because that release needed more than ours.
            "broker_url": SecretStr(redis_server.operator_url),
            "expert_url": f"http://127.0.0.1:{expert_port}",
            "secret": SecretStr("s" * 32),
        }
    )
    first, second = (
        Settings.model_validate({**settings.model_dump(include=settings.model_fields_set), "port": port})
        for port in ports
    )
    ace(settings, "db", "upgrade", code=before)
    key = ace(settings, "keys", "create", "--tenant", "office", code=before)
    db = connect_engine(postgres.url, name="tests")
    assert transact(db, schema.revision) == REVISION

    def service(*words: str) -> Service:
        return Service(*words, log=tmp_path / f"{'-'.join(words)}.log")

    def decided() -> Counter[str]:
        counted = text("SELECT decided_by, count(*) FROM evaluations WHERE state = 'decided' GROUP BY 1")
        return Counter(dict(transact(db, lambda c: [tuple(row) for row in c.execute(counted)])))

    def more_decided() -> None:
        """Waits until both the gatekeeper and the expert have decided something since."""
        then = decided()
        for by in ("gatekeeper", "expert"):
            wait_for(lambda by=by: decided()[by] > then[by], f"verdicts by the {by}", seconds=START_SECONDS)

    old_api, new_api = service("serve"), service("serve")
    expert = service("expert", "serve", "--port", str(expert_port))
    others = [service("dispatch"), service("worker", "fast"), service("worker", "slow")]
    with running(old_api, new_api, expert, *others):
        for one in (expert, *others):
            one.restart(settings, before)
        old_api.restart(first, before)
        wait_for(lambda: ready(ports[0]), "the API of before", seconds=START_SECONDS)
        with Clients(ports, key, cancel=False, texts=texts) as clients:
            more_decided()
            ace(settings, "db", "upgrade")
            assert transact(db, schema.is_newest)
            more_decided()  # by the processes of before, on the schema of now
            clients.some_more()
            new_api.restart(second)
            wait_for(lambda: ready(ports[1]), "the API", seconds=START_SECONDS)
            old_api.stop()
            for one in others:
                one.restart(settings)
                clients.some_more()
            more_decided()
        left = text("SELECT count(*) FROM evaluations WHERE state <> 'decided'")
        wait_for(
            lambda: not transact(db, lambda c: c.execute(left).scalar_one()), "all verdicts", seconds=300
        )

    promised = {id_ for ids in clients.accepted.values() for id_ in ids}
    rows = transact(db, lambda c: set(c.execute(text("SELECT id::text FROM evaluations")).scalars()))
    found = transact(db, audit)
    db.dispose()
    assert clients.refused == []
    assert rows == promised
    assert (found.sound, found.filings) == (True, len(clients.accepted))
