"""Other users of the machine on which `ace up` runs: what they can reach, take over, read and forge."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psutil
import psycopg
import pytest
import redis

from ace.errors import NotConfigured
from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local import samples
from ace.local.private import listen_tcp
from ace.local.running_stack import running_stack
from ace.local.stack import Child
from ace.settings import Settings
from patent_ace_client import Client
from tests.chaos.cluster import Cluster
from tests.strangers import only_root, strangers_answer
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 120

DIAL = """
try:
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(10)
        one.connect(sys.argv[1])
        one.sendall(bytes.fromhex(sys.argv[2]))
        print(one.recv(1_000))
except OSError as error:
    print(type(error).__name__)
"""
TAKE_OVER = """
for attempt in (os.unlink, lambda path: socket.socket(socket.AF_UNIX).bind(path), os.listdir):
    try:
        attempt(sys.argv[1])
        print("done")
    except OSError as error:
        print(type(error).__name__)
"""
PING = b"PING\r\n"
LOGIN = b"\0\3\0\0user\0postgres\0database\0postgres\0\0"


def listening() -> set[Any]:
    """The addresses on which this process and its children wait for the network."""
    me = psutil.Process()
    return {
        connection.laddr
        for process in (me, *me.children(recursive=True))
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }


@pytest.fixture(scope="module")
def elsewhere() -> set[Any]:
    """Where servers of other tests listen."""
    return listening()


@pytest.fixture(scope="module")
def stack(data_dir: Path, elsewhere: set[Any]) -> Iterator[Cluster]:
    """A stack that was started by somebody whose umask takes nothing away."""
    before = os.umask(0)
    try:
        with Cluster(
            Settings(data_dir=data_dir / "hostile", port=0, calibration=FOR_ANY_EXPERT), dispatchers=1
        ) as stack:
            yield stack
    finally:
        os.umask(before)


@pytest.fixture
def sockets(stack: Cluster) -> dict[str, Path]:
    """The Unix sockets of the stack."""
    return {
        "examiner": Path(urlsplit(stack.environment["ACE_EXPERT_URL"]).path),
        "postgres": stack.postgres.folder / ".s.PGSQL.5432",
        "redis": stack.redis.socket,
    }


def login() -> str:
    """PostgreSQL's first message, in hexadecimal digits."""
    return ((len(LOGIN) + 4).to_bytes(4) + LOGIN).hex()


def test_nothing_but_the_api_listens_on_the_network(stack: Cluster, elsewhere: set[Any]) -> None:
    assert listening() - elsewhere == {("127.0.0.1", int(stack.url.rpartition(":")[2]))}


def test_no_file_of_the_stack_is_open_to_others(stack: Cluster) -> None:
    folder = stack.settings.data_dir
    with Client(stack.url, stack.key) as api:
        api.submit("files", ["A latch comprising a bolt."])
    modes = {
        path: stat.S_IMODE(path.lstat().st_mode)
        for path in (folder, *folder.rglob("*"))
        if os.path.lexists(path) and not path.is_symlink()
    }

    # Root's PostgreSQL has a user of its own, which passes through the folder and sees nothing of it.
    assert modes.pop(folder) == (0o710 if os.geteuid() == 0 else 0o700)
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}
    assert {"secret", "stack.json", "lock", "expert.sock", "api.log", "redis.sock", "postgres.log"} <= {
        path.name for path in modes
    }


@only_root
@pytest.mark.parametrize("part", ["examiner", "postgres", "redis"])
def test_another_user_can_neither_connect_to_a_part_nor_take_its_place(
    sockets: dict[str, Path], part: str
) -> None:
    path = str(sockets[part])

    assert strangers_answer(DIAL, path, PING.hex()) == "PermissionError"
    assert strangers_answer(TAKE_OVER, path).split() == ["PermissionError"] * 3


@only_root
def test_another_user_who_gets_past_the_folders_is_still_refused(
    stack: Cluster, sockets: dict[str, Path]
) -> None:
    opened = (stack.settings.data_dir, *(path for one in sockets.values() for path in (one.parent, one)))
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in opened}
    try:
        for path in opened:
            path.chmod(0o777)
        told = strangers_answer(DIAL, str(sockets["postgres"]), login())
        answered = strangers_answer(DIAL, str(sockets["redis"]), PING.hex())
    finally:
        for path, mode in modes.items():
            path.chmod(mode)

    assert "Peer authentication failed" in told
    assert "NOAUTH" in answered


def test_without_a_password_redis_answers_nothing(stack: Cluster) -> None:
    with (
        closing(redis.Redis(unix_socket_path=str(stack.redis.socket))) as nobody,
        pytest.raises(redis.AuthenticationError),
    ):
        nobody.ping()


REFUSED_COMMANDS = """
EVAL 1 0, EVALSHA 0 0, SCRIPT FLUSH, FUNCTION LIST, FCALL a 0, CONFIG GET dir, KEYS *, SCAN 0, PSUBSCRIBE *,
PFADD a 1, PFCOUNT a, XADD a * b c, RESTORE a 0 b, DUMP fast, MIGRATE a 1 b 0 1, GET a, SET a b, SORT fast,
BITFIELD a GET u8 0, GEOADD a 1 1 b, ACL LIST, CLIENT KILL TYPE normal, MODULE LIST, FLUSHALL, MONITOR,
REPLICAOF a 1, SHUTDOWN, CLUSTER INFO, INFO, OBJECT HELP
"""


def test_the_processes_may_ask_redis_only_for_what_queues_need(stack: Cluster) -> None:
    allowed = []
    with closing(redis.Redis.from_url(stack.environment["ACE_BROKER_URL"])) as process:
        for command in REFUSED_COMMANDS.split(","):
            try:
                process.execute_command(*command.split())
            except redis.exceptions.NoPermissionError:
                continue
            allowed.append(command)

    assert allowed == []


def test_no_command_line_shows_a_password(stack: Cluster) -> None:
    shown = [" ".join(process.cmdline()) for process in psutil.Process().children(recursive=True)]

    passwords = [urlsplit(url).password for url in (stack.redis.url, stack.redis.operator_url)]
    assert len(set(passwords)) == 2
    assert [line for line in shown if any(str(one) in line for one in (*passwords, stack.key))] == []


def test_a_client_leaves_a_postgresql_of_another_user_alone(stack: Cluster) -> None:
    url = stack.environment["ACE_DATABASE_URL"]
    name = url.rpartition("=")[2]

    with pytest.raises(psycopg.OperationalError, match="requirepeer"):
        psycopg.connect(url.replace(f"requirepeer={name}", f"requirepeer={quote('somebody-else')}"))


def child(stack: Cluster, name: str) -> Child:
    return next(one for one in stack.children if one.name == name)


def test_claims_for_a_dead_examiner_wait_for_the_real_one(stack: Cluster) -> None:
    # Given an examiner that was killed, and claims that need it
    examiner = child(stack, "expert")
    stack.kept_down.add("expert")
    assert examiner.process is not None
    killed = examiner.process
    killed.kill()
    wait_for(lambda: killed.poll() is not None, "the examiner's death")

    with Client(stack.url, stack.key) as api:
        filings = [api.submit(sample.docket, sample.text) for sample in samples.load()]
        escalated = wait_for(
            lambda: [
                one
                for filing in filings
                for one in api.filing(filing.id).evaluations
                if one.state in {"examining", "escalated"}  # it goes to and fro while nobody answers
            ],
            "a claim for the examiner",
            seconds=300,
        )

        # When somebody else wants its address, and then it is started again
        with socket.socket(socket.AF_UNIX) as other, pytest.raises(OSError, match="in use"):
            other.bind(str(Path(urlsplit(stack.environment["ACE_EXPERT_URL"]).path)))
        stack.kept_down.discard("expert")

        # Then the claims are decided by it
        settled = [one for filing in filings for one in api.wait(filing.id)]
    assert {one.state for one in settled} == {"decided"}
    assert {one.decided_by for one in settled if one.id in {each.id for each in escalated}} == {"expert"}


def test_the_port_of_a_dead_api_is_not_free(stack: Cluster) -> None:
    api = child(stack, "api")
    stack.kept_down.add("api")
    assert api.process is not None
    killed = api.process
    killed.kill()
    wait_for(lambda: killed.poll() is not None, "the API's death")
    with pytest.raises(NotConfigured, match="in use"):
        listen_tcp("127.0.0.1", int(stack.url.rpartition(":")[2]))
    stack.kept_down.discard("api")

    with Client(stack.url, stack.key) as client:
        assert client.submit("again", ["A latch comprising a bolt."])


def ace(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """One command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "ace", *arguments],
        env={**os.environ, "ACE_DATA_DIR": str(folder)},
        input="1. A zirconfold comprising a plate.",
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_a_stack_does_not_start_on_a_port_of_somebody_else(tmp_path: Path) -> None:
    with listen_tcp("127.0.0.1", 0) as squatter:
        port = str(squatter.getsockname()[1])
        refused = ace(tmp_path / "data", "up", "--port", port, "--data", str(tmp_path / "data"))

    assert refused.returncode == 2
    assert f"port {port} on 127.0.0.1 cannot be used" in refused.stderr


def test_after_a_stack_was_killed_nobody_gets_its_claims_by_taking_its_port(data_dir: Path) -> None:
    # Given a stack that was killed, which left its address and key behind
    folder = data_dir / "killed"
    with subprocess.Popen(
        [sys.executable, "-m", "ace", "up", "--port", "0", "--data", str(folder), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as up:
        assert up.stdout is not None
        up.stdout.readline()
        state = running_stack(folder)
        family = psutil.Process(up.pid).children(recursive=True)
        up.kill()
    psutil.wait_procs(family, timeout=PATIENCE_SECONDS)
    assert (folder / "stack.json").exists()

    # When somebody else listens there, and a claim is submitted
    with listen_tcp("127.0.0.1", int(state["url"].rpartition(":")[2])) as impostor:
        refused = ace(folder, "submit", "-")
        impostor.settimeout(0)
        with pytest.raises(BlockingIOError):
            impostor.accept()

    # Then nobody was even asked
    assert refused.returncode == 2
    assert "no API is configured" in refused.stderr
    assert running_stack(folder) == {}
