"""Full disks: a filing is stored whole or refused with the reason, and all goes on when there is room."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil
import pytest
import redis
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.api.app import create_app
from ace.api.operations import redis_ping
from ace.bounded import Bounded
from ace.local.servers import Postgres, Redis
from ace.settings import Settings
from ace.store import keys, migrate
from ace.store.database import connect_engine, transact
from ace.store.scopes import Scope
from ace.types import outages
from tests.problems import registered
from tests.served import Served, answered, serving
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

ROOM_FOR_SOME: Final = 2_000_000
WORDS: Final = "\n".join(f"{n}. A hook {os.urandom(300).hex()}." for n in range(1, 101))


@contextmanager
def small_disk(size: str) -> Iterator[Path]:
    """A file system of its own in memory, of which a test may use up all."""
    with tempfile.TemporaryDirectory(prefix="ace-disk-") as folder:
        program = shutil.which("mount") or "mount"
        mounting = [program, "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", folder]
        if os.geteuid() != 0 or subprocess.run(mounting, capture_output=True, check=False).returncode:
            pytest.skip("only root may mount a small file system, and not in every container")
        try:
            yield Path(folder)
        finally:
            subprocess.run([shutil.which("umount") or "umount", "--lazy", folder], check=True)


@contextmanager
def filled(disk: Path, *, left: int) -> Iterator[None]:
    """The disk has so many bytes left."""
    state = os.statvfs(disk)
    filler = disk / "filler"
    filler.write_bytes(b"\0" * (state.f_bavail * state.f_frsize - left))
    try:
        yield
    finally:
        filler.unlink()


def counted(db: Engine) -> tuple[int, int, int]:
    counts = [
        transact(db, lambda c, table=table: c.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())
        for table in ("filings", "claims", "evaluations")
    ]
    return counts[0], counts[1], counts[2]


def test_a_full_disk_of_the_database_stores_no_half_of_a_filing(rules: Bounded) -> None:
    settings = Settings(_env_file=None, secret="s" * 32)
    with small_disk("160m") as disk, Postgres(disk / "data" / "postgres") as server:
        migrate.upgrade(server.url)
        db = connect_engine(server.url, name="tests")
        engines = [connect_engine(server.url, name="tests", role=role) for role in ("ace_api", "ace_watch")]
        key = transact(db, partial(keys.create, tenant="office", label="t", scopes=list(Scope)))[1]
        app = registered(create_app(settings, *engines, rules))
        api = TestClient(app, headers={"Authorization": f"Bearer {key}"})

        def file() -> Any:
            return api.post("/v1/filings", json={"docket": "P-1", "claims": WORDS})

        accepted = 0
        with filled(disk, left=ROOM_FOR_SOME):
            while (answer := file()).status_code == 202:
                accepted += 1
            ready = api.get("/readyz")
            reads = api.get("/v1/evaluations")
        again = wait_for(lambda: found if (found := file()).status_code == 202 else None, "room")

        assert (answer.status_code, answer.json()["cause"]) == (503, "disk_full")
        assert (ready.status_code, ready.json()["cause"]) == (503, "disk_full")
        assert reads.status_code == 200
        assert again.status_code == 202
        assert api.get("/readyz").status_code == 200
        assert counted(db) == (accepted + 1, 100 * (accepted + 1), 100 * (accepted + 1))
        for engine in (db, *engines):
            engine.dispose()


def test_a_full_disk_of_the_broker_is_named_and_loses_nothing() -> None:
    with small_disk("4m") as disk, Redis(disk / "redis") as server:
        ping = redis_ping(server.url)
        ping()
        with redis.from_url(server.operator_url) as broker:
            broker.lpush("fast", "kept")
            with filled(disk, left=20_000):
                wait_for(lambda: _refused(lambda: broker.lpush("slow", "y" * 1_000)), "a refusal")
                with pytest.raises(redis.ResponseError) as refused:
                    ping()
            wait_for(lambda: not _refused(ping), "room")
            assert broker.llen("fast") == 1
    assert outages.of_redis(refused.value) == "disk_full"


def _refused(act: Callable[[], object]) -> bool:
    try:
        act()
    except redis.ResponseError:
        return True
    return False


def test_an_upload_whose_results_have_no_room_ends_with_the_line_to_go_on_from(
    db: Engine, postgres_url: str, tmp_path: Path
) -> None:
    key = transact(db, partial(keys.create, tenant="office", label="t", scopes=list(Scope)))[1]
    lines = [b"{}"] * 30_000
    lines[::100] = [json.dumps({"docket": f"D-{n}", "claims": "1. A hook."}).encode() for n in range(300)]
    with serving(postgres_url, tmp_path / "log") as served:
        psutil.Process(served.pid).rlimit(psutil.RLIMIT_FSIZE, (150_000, 150_000))  # its disk has no more
        results = [
            json.loads(line)
            for line in _uploaded(served, key, b"\n".join(lines), tmp_path / "log").splitlines()
        ]

    *told, last = results
    assert (last["status"], last["problem"]["part"], last["problem"]["cause"]) == (503, "api", "disk_full")
    assert [each["line"] for each in results] == list(range(1, len(results) + 1))
    assert len(results) < len(lines)
    assert counted(db)[0] == sum(each["status"] == 202 for each in told)


def _uploaded(served: Served, key: str, body: bytes, log: Path) -> bytes:
    """The answer to an upload of which nothing is read until the process takes no more."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(("127.0.0.1", served.port))
        connection.sendall(
            f"POST /v1/filings/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
            "Content-Type: application/x-ndjson\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
        )
        sending = threading.Thread(target=_send, args=(connection, body))
        sending.start()
        wait_for(lambda: "takes no more" in log.read_text(), "the full disk", seconds=300)
        return answered(connection)[1]


def _send(connection: socket.socket, body: bytes) -> None:
    try:
        connection.sendall(body)
    except OSError:
        return  # the answer came before the end
