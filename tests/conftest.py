"""Real PostgreSQL and Redis for the tests, one of each for a session, empty for every test.

The environment is cleaned of `ACE_*` first, so that nobody's settings change what is tested.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from ace.settings import Settings

for name in [name for name in os.environ if name.startswith("ACE_")]:
    del os.environ[name]
Settings.model_config["env_file"] = None


@pytest.fixture(scope="session")
def data_dir() -> Iterator[Path]:
    """A folder that the database's own user may enter, gone after the session."""
    with tempfile.TemporaryDirectory(prefix="ace-tests-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres_url(data_dir: Path) -> Iterator[str]:
    """A migrated database on a real server."""
    from ace.local.servers import Postgres
    from ace.store import migrate

    with Postgres(data_dir / "postgres") as server:
        migrate.upgrade(server.url)
        yield server.url


@pytest.fixture(scope="session")
def broker_url(data_dir: Path) -> Iterator[str]:
    """A real Redis."""
    from ace.local.servers import Redis

    with Redis(data_dir / "redis") as server:
        yield server.url


@pytest.fixture
def db(postgres_url: str) -> Iterator[Engine]:
    """An engine on the migrated database, with every table empty."""
    from ace.store.database import connect_engine

    engine = connect_engine(postgres_url, name="tests", pool=20)
    with engine.begin() as connection:
        connection.execute(
            text(
                "TRUNCATE events, examinations, findings, evaluations, claims, filings, leases, keys,"
                " tallies, endpoints, outcomes, disputes"
            )
        )
    yield engine
    engine.dispose()
