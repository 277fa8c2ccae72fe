"""`ace backup` and `ace restore` against a real database: what comes back, and what is refused."""

import json
import signal
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.engine import make_url
from typer.testing import CliRunner, Result

from ace.cli import app
from ace.errors import Unavailable
from ace.local.servers import Postgres
from ace.processes import stop_process
from ace.store import copies, moves
from ace.store.auditing import audit
from ace.store.database import driver_url, server_major, transact
from ace.store.schema import NEWEST
from ace.store.tables import Stage
from tests import factories

Ace = Callable[..., Result]
WORD = "zirconquilt"


@pytest.fixture
def url(db: Engine) -> str:
    return db.url.set(drivername="postgresql").render_as_string(hide_password=False)


@pytest.fixture
def ace(url: str) -> Ace:
    def run(*arguments: object, database: str = url) -> Result:
        return CliRunner().invoke(app, [*map(str, arguments)], env={"ACE_DATABASE_URL": database})

    return run


@pytest.fixture
def decided(db: Engine) -> None:
    """A decided filing, and one in a worker's hand."""
    for texts in ([f"A {WORD}."], ["A hook."]):
        factories.submit(db, factories.new_filing(texts))
    leased = factories.lease(db, Stage.FAST, most=1)
    assert leased is not None
    verdicts = factories.verdicts(leased.evaluations)
    transact(db, lambda c: moves.start(c, leased.token, worker="w", lease_seconds=60))
    transact(db, lambda c: moves.screened(c, leased.token, verdicts, actor="w"))
    assert factories.lease(db, Stage.FAST) is not None


def shown(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def databases(db: Engine) -> set[str]:
    with db.connect() as connection:
        return set(connection.execute(text("SELECT datname FROM pg_database")).scalars())


@pytest.mark.usefixtures("decided")
def test_a_backup_is_restored_checked_and_leaves_nothing(ace: Ace, db: Engine, tmp_path: Path) -> None:
    before, file = databases(db), tmp_path / "ace.dump"

    backed_up = shown(ace("backup", file, "--json"))
    checked = shown(ace("restore", file, "--check", "--json"))

    assert (backed_up["schema"], backed_up["bytes"]) == (NEWEST, file.stat().st_size)
    assert file.stat().st_mode & 0o777 == 0o600
    wrong = dict.fromkeys(("illegal", "twice", "verdictless", "miscounted"), 0)
    assert checked | {"seconds": 0} == {
        "schema": NEWEST,
        "filings": 2,
        "evaluations": 2,
        **wrong,
        "sound": True,
        "seconds": 0,
    }
    assert databases(db) == before


VERDICTLESS = "UPDATE evaluations SET verdict = NULL"
HARMS = (
    ("illegal", "DELETE FROM events WHERE number = 2"),
    (
        "twice",
        (
            "INSERT INTO events SELECT evaluation_id, 9, now(), move, before, after, 'late' FROM events"
            " WHERE move = 'decide'"
        ),
    ),
    (
        "twice",
        (
            "INSERT INTO evaluations SELECT made.* FROM evaluations e,"
            " jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid())) AS made"
        ),
    ),
    ("verdictless", VERDICTLESS),
    ("miscounted", "DELETE FROM tallies"),
)


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize(("harm", "sql"), HARMS)
def test_the_audit_finds_every_harm(db: Engine, harm: str, sql: str) -> None:
    assert transact(db, audit).sound
    with db.begin() as connection:
        connection.execute(text(sql))
    found = transact(db, audit)
    assert not found.sound
    assert getattr(found, harm) > 0


@pytest.mark.usefixtures("decided")
def test_a_copy_in_which_something_is_wrong_is_no_good(ace: Ace, db: Engine, tmp_path: Path) -> None:
    with db.begin() as connection:
        connection.execute(text(VERDICTLESS))
    file = tmp_path / "ace.dump"
    assert ace("backup", file).exit_code == 0

    checked = ace("restore", file, "--check")

    assert checked.exit_code == 1
    assert "2 filings, 2 evaluations; WRONG: 1 decided without a verdict" in checked.stdout


@pytest.fixture
def empty(db: Engine, url: str) -> Any:
    """Another database on the same server."""
    engine = create_engine(driver_url(url), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CREATE DATABASE copy_test"))
    yield url.replace("/postgres?", "/copy_test?")
    with engine.connect() as connection:
        connection.execute(text("DROP DATABASE copy_test WITH (FORCE)"))
    engine.dispose()


@pytest.mark.usefixtures("decided")
def test_a_copy_has_the_rows_the_roles_rights_and_the_planner_s_figures(
    ace: Ace, empty: str, tmp_path: Path
) -> None:
    file = tmp_path / "ace.dump"
    assert ace("backup", file).exit_code == 0

    assert ace("restore", file, database=empty).exit_code == 0

    copy = create_engine(driver_url(empty))
    with copy.begin() as connection:
        ask = partial(connection.scalar)
        assert ask(text("SELECT text FROM claims ORDER BY text LIMIT 1")) == "A hook."
        assert ask(text("SELECT reltuples FROM pg_class WHERE relname = 'claims'")) == 2
        connection.execute(text("SET ROLE ace_api"))
        assert ask(text("SELECT count(*) FROM claims")) == 0  # row security came along
        connection.execute(text("SELECT set_config('ace.tenant', 'office', true)"))
        assert ask(text("SELECT count(*) FROM claims")) == 2
    copy.dispose()

    again = ace("restore", file, database=empty)
    assert (again.exit_code, "not empty" in again.stderr) == (2, True)


@pytest.fixture
def login(db: Engine, url: str) -> Any:
    """The URL of the database for a login without any right, which may read what the owner may."""
    with db.begin() as connection:
        connection.execute(text("CREATE ROLE copier LOGIN; GRANT pg_read_all_data TO copier"))
        connection.execute(text("ALTER ROLE copier BYPASSRLS"))
    yield make_url(url).set(username="copier").render_as_string(hide_password=False)
    with db.begin() as connection:
        connection.execute(text("DROP OWNED BY copier; DROP ROLE copier"))


@pytest.mark.usefixtures("decided")
def test_a_check_needs_a_login_that_may_create_databases_and_no_other_right(
    ace: Ace, db: Engine, login: str, tmp_path: Path
) -> None:
    file = tmp_path / "ace.dump"
    assert ace("backup", file).exit_code == 0
    refused = ace("restore", file, "--check", database=login)
    assert (refused.exit_code, "may not create databases" in refused.stderr) == (2, True)
    with db.begin() as connection:
        connection.execute(text("ALTER ROLE copier CREATEDB"))
    assert "nothing wrong" in ace("restore", file, "--check", database=login).stdout


@pytest.mark.usefixtures("decided")
def test_what_cannot_be_done_is_named_and_leaves_nothing(
    ace: Ace, db: Engine, empty: str, tmp_path: Path
) -> None:
    before, file = databases(db), tmp_path / "ace.dump"
    assert ace("backup", file).exit_code == 0
    half = tmp_path / "half.dump"
    half.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    away = "postgresql://127.0.0.1:1/none"
    for words, code, arguments, database in (
        ("is there already", 2, ("backup", file), None),
        ("holds nothing of ACE", 2, ("backup", tmp_path / "x"), empty),
        ("cannot be reached", 4, ("backup", tmp_path / "x"), away),
        ("cannot be reached", 4, ("restore", file, "--check"), away),
        ("is no file", 2, ("restore", tmp_path / "none", "--check"), None),
        ("is no file", 2, ("restore", tmp_path / "none"), None),  # not that the database is not empty
        ("pg_restore gave up", 1, ("restore", half, "--check"), None),
        ("exclude each other", 2, ("restore", file, "--check", "--data", tmp_path), None),
    ):
        result = ace(*arguments, **({} if database is None else {"database": database}))
        assert (result.exit_code, words in result.stderr) == (code, True), (arguments, result.stderr)
        assert WORD not in result.output
    assert ace("backup", file, "--force").exit_code == 0
    assert databases(db) == before
    assert {one.name for one in tmp_path.iterdir()} == {"ace.dump", "half.dump"}


@pytest.mark.usefixtures("decided")
def test_a_server_that_is_newer_than_every_pg_dump_here_is_refused(
    ace: Ace, db: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert transact(db, server_major) == 18
    monkeypatch.setattr("ace.store.database.server_major", lambda _: 99)
    result = ace("backup", tmp_path / "ace.dump")
    assert result.exit_code == 2
    assert "no pg_dump of PostgreSQL 99 or newer" in result.stderr
    assert "install the client programs of PostgreSQL 99" in result.stderr
    assert list(tmp_path.iterdir()) == []


def stopped_during_a_check(server: Postgres) -> None:
    with copies.scratch(server.url):
        assert server.process is not None
        stop_process(server.process, seconds=20, signal_=signal.SIGINT)


def test_a_server_that_goes_away_during_a_check_is_named_with_what_it_may_keep(data_dir: Path) -> None:
    kept = r"^postgres .*; the database ace_check_\w+ may be left there: drop it$"
    with (
        Postgres(Path(tempfile.mkdtemp(dir=data_dir)) / "postgres") as server,
        pytest.raises(Unavailable, match=kept),
    ):
        stopped_during_a_check(server)
