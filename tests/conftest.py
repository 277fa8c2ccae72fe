"""Real PostgreSQL and Redis for the tests, one of each for a session, empty for every test.

The environment is cleaned of `ACE_*` first, so that nobody's settings change what is tested.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Engine

from ace import claim_work
from ace.bounded import Bounded
from ace.settings import Settings

if TYPE_CHECKING:
    from ace.local.servers import Redis as RedisServer

for name in [name for name in os.environ if name.startswith("ACE_")]:
    del os.environ[name]
Settings.model_config["env_file"] = None

# The same cases in every run, and no bound on their time: `make fuzz` is where new ones are tried.
settings.register_profile(
    "tests",
    deadline=None,
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")

ALL_SLOW = re.compile(r"^pytestmark = \[?pytest\.mark\.slow\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`make test-quick` does not even import files in which all is slow: some take seconds to import."""
    quick = config.option.markexpr == "not slow" and collection_path.suffix == ".py"
    return True if quick and ALL_SLOW.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests first: of the processes that share the files, none is left with a long one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


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
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # it is gone after the session anyhow
            connection.execute("SELECT pg_reload_conf()")
        migrate.upgrade(server.url)
        yield server.url


@pytest.fixture(scope="session")
def rules() -> Iterator[Bounded]:
    """Processes that run rules, shared by all tests."""
    pool = Bounded(processes=2, cpu_seconds=30, warm=claim_work.warm)
    yield pool
    pool.close()


@pytest.fixture(scope="session")
def redis_server(data_dir: Path) -> "Iterator[RedisServer]":
    """A real Redis."""
    from ace.local.servers import Redis

    with Redis(data_dir / "redis") as server:
        yield server


@pytest.fixture(scope="session")
def broker_url(redis_server: "RedisServer") -> str:
    """The address of a real Redis, for ACE's processes."""
    return redis_server.url


@pytest.fixture(scope="session")
def migrated(postgres_url: str) -> Iterator[Engine]:
    """An engine on the migrated database."""
    from ace.store.database import connect_engine

    engine = connect_engine(postgres_url, name="tests", pool=20)
    yield engine
    engine.dispose()


@pytest.fixture
def db(migrated: Engine) -> Engine:
    """An engine on the migrated database, with every table empty."""
    from ace.store.tables import SQLModel

    with migrated.begin() as connection:
        for table in reversed(SQLModel.metadata.sorted_tables):
            connection.execute(table.delete())  # of few rows: twenty times as fast as TRUNCATE
    return migrated
