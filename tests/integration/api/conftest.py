"""An API over the real database, two tenants with keys, and a worker that decides on demand."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Connection, Engine, text

from ace.api.app import create_app
from ace.bounded import Bounded
from ace.settings import Settings
from ace.store import keys, moves
from ace.store.database import announce, connect_engine, transact
from ace.store.tables import Stage
from tests import factories
from tests.problems import registered
from tests.served import Served, serving
from tests.waiting import wait_for

MAX_BODY_BYTES = 200_000

NewKey = Callable[..., str]


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None, secret="test-secret", max_body_bytes=MAX_BODY_BYTES)


@pytest.fixture(scope="session")
def login(migrated: Engine) -> str:
    """The URL of somebody who logs in with no rights but those of the API's two roles."""
    create = "CREATE ROLE clerk LOGIN NOINHERIT IN ROLE ace_api, ace_watch"
    with migrated.begin() as connection:  # folders that import this fixture may have come first
        connection.execute(text(f"DO $$ BEGIN {create}; EXCEPTION WHEN duplicate_object THEN NULL; END $$"))
    return migrated.url.set(drivername="postgresql", username="clerk").render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def api_db(login: str) -> Iterator[Engine]:
    """The engine that the API serves tenants with: bound by row security, whatever its SQL asks."""
    engine = connect_engine(login, name="tests api", pool=20, role="ace_api")
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def watch_db(login: str) -> Iterator[Engine]:
    """The engine that the API counts and waits with."""
    engine = connect_engine(login, name="tests watch", role="ace_watch")
    yield engine
    engine.dispose()


@pytest.fixture
def app(settings: Settings, db: Engine, api_db: Engine, watch_db: Engine, rules: Bounded) -> FastAPI:
    return registered(create_app(settings, api_db, watch_db, rules))


@pytest.fixture
def new_key(db: Engine) -> NewKey:
    """Makes keys: of the usual scopes where none is named, and of the usual rate."""

    def make(tenant: str, *scopes: keys.Scope, rate: float | None = None) -> str:
        given = scopes or keys.DEFAULT_SCOPES
        work = partial(keys.create, tenant=tenant, label="tests", scopes=given, requests_per_second=rate)
        return transact(db, work)[1]

    return make


@pytest.fixture
def key(new_key: NewKey) -> str:
    """A key of the tenant "office", good for everything."""
    return new_key("office", *keys.Scope)


@pytest.fixture
def stranger(new_key: NewKey) -> dict[str, str]:
    """The header of another tenant, which is no operator."""
    scopes = [scope for scope in keys.Scope if scope is not keys.Scope.OPERATE]
    return {"Authorization": f"Bearer {new_key('stranger', *scopes)}"}


@pytest.fixture
def anonymous(app: FastAPI) -> TestClient:
    """A client without a key. Nothing watches for verdicts, so waits last as long as they may."""
    return TestClient(app)


@pytest.fixture
def api(anonymous: TestClient, key: str) -> TestClient:
    """A client with the key of the tenant "office"."""
    anonymous.headers["Authorization"] = f"Bearer {key}"
    return anonymous


def _last(move: Callable[..., Any], token: UUID, outcome: object, connection: Connection) -> Any:
    """A worker's move, with the connection as its last argument."""
    return move(connection, token, outcome, actor="test")


@dataclass
class Work:
    """Workers that move everything that is due, the way real ones do."""

    db: Engine

    def decide(self, *, fail: bool = False, span: tuple[int, int] | None = None) -> None:
        self._screen(escalate=False, fail=fail, span=span)
        announce(self.db)

    def escalate(self) -> None:
        self._screen(escalate=True, fail=False)

    def examine(self, outcome: Callable[..., Any] = moves.examined, **attempt: Any) -> None:
        while (leased := factories.lease(self.db, Stage.SLOW)) is not None:
            (id_,) = leased.evaluations
            given = {"reasoning": "a plate is introduced", "verdict": "Pass", **attempt}
            made = factories.examination(id_, prompt_version="copt-v1-test", seconds=0.5, **given)
            transact(self.db, partial(_last, outcome, leased.token, made))

    def fail(self, error: str = "timeout") -> None:
        self.escalate()
        self.examine(moves.failed, error=error, verdict=None, reasoning=None)

    def _screen(self, *, escalate: bool, fail: bool, span: tuple[int, int] | None = None) -> None:
        while (leased := factories.lease(self.db, Stage.FAST)) is not None:
            said = factories.verdicts(leased.evaluations, escalate=escalate, fail=fail, span=span)
            transact(self.db, partial(moves.start, token=leased.token, worker="test", lease_seconds=60))
            if escalate or fail:
                factories.analyse(self.db, leased)
            transact(self.db, partial(_last, moves.screened, leased.token, said))


@pytest.fixture
def work(db: Engine) -> Work:
    return Work(db)


@pytest.fixture
def stored(db: Engine) -> Callable[[], int]:
    """How many rows of work the database holds."""

    def count() -> int:
        with db.connect() as connection:
            return sum(
                connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
                for table in ("filings", "claims", "evaluations", "events")
            )

    return count


@pytest.fixture
def server(app: FastAPI, db: Engine) -> Iterator[uvicorn.Server]:
    """The API behind a real server on a loopback port."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_for(lambda: server.started or not thread.is_alive(), "the server")
    yield server
    app.state.parts.watcher.release()
    announce(db)  # so that the watcher sees at once that it is to stop
    server.should_exit = True
    thread.join()


@pytest.fixture
def live(server: uvicorn.Server) -> str:
    """Where that server is."""
    return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


@pytest.fixture(scope="session")
def served(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A process of `ace serve`, one for all who attack it."""
    with serving(postgres_url, tmp_path_factory.mktemp("served") / "log") as served:
        yield served


@pytest.fixture
def authorised(key: str) -> bytes:
    """The headers of a request over a bare socket."""
    return f"Host: x\r\nAuthorization: Bearer {key}\r\n".encode()
