"""The one-machine stack: every part of ACE as real processes, started, watched and stopped here.

Parts named in the settings are used as they are; the others are started in the data folder. Nothing
outlives the process that owns the stack.
"""

import contextlib
import fcntl
import json
import logging
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO, Final, Self
from urllib.parse import quote

from ace.errors import AceError, AlreadyRunning
from ace.gatekeeper.loading import FOR_EXAMINER
from ace.local.private import (
    listen_tcp,
    listen_unix,
    own_folder,
    private_file,
    private_folder,
    read_secret,
    socket_folder,
    write_private,
)
from ace.local.running_stack import SECRET, stored_state
from ace.local.servers import Postgres, Redis
from ace.local.stack_key import sign_in_link, stack_key
from ace.processes import die_with_parent, stop_process, wait_until
from ace.settings import Settings
from ace.store import migrate

log = logging.getLogger(__name__)

EXAMINER: Final = "the structural examiner: rules behind the expert’s protocol, not a language model"
EXAMINER_SOCKET: Final = "expert.sock"
STARTS_TRIED: Final = 3
FORGIVEN_SECONDS: Final = 60
LONGEST_WAIT_SECONDS: Final = 10
WORKER_NICENESS: Final = 10
"""Workers leave the processors to the API and to PostgreSQL, whose answers somebody waits for."""


@dataclass(kw_only=True)
class Restarts:
    """When something that dies is started again: soon, then ever later, at most every ten seconds."""

    deaths: int = 0
    started_at: float = 0.0  # monotonic seconds
    start_at: float = 0.0  # monotonic seconds, before which it is not restarted; 0 while it runs

    def due(self, name: str, status: int) -> bool:
        """Whether to start it now. It is dead, with this exit status; says so once for each death."""
        now = time.monotonic()
        if self.start_at == 0.0:
            self.deaths = 1 if now - self.started_at > FORGIVEN_SECONDS else self.deaths + 1
            wait = min(0.1 * 2**self.deaths, LONGEST_WAIT_SECONDS)
            self.start_at = now + wait
            log.warning("%s died: started again in %.1f s", name, wait, extra={"status": status})
        if now < self.start_at:
            return False
        self.start_at, self.started_at = 0.0, now
        return True


@dataclass
class Child(Restarts):
    """One process of the stack, restarted if it dies."""

    name: str
    arguments: Sequence[str]
    listener: socket.socket | None = None  # ours: nobody else can listen there while the process is gone
    niceness: int = 0
    process: "subprocess.Popen[bytes] | None" = None


@dataclass
class Stack:
    """The whole of ACE on one machine, for `ace up`, `ace demo` and the tests.

    Parts named in the settings are used as they are; the rest is started in `settings.data_dir`.
    Raises `AlreadyRunning` if another stack holds that folder.
    """

    settings: Settings
    quiet: bool = False  # the processes' logs go to files in the data folder, not to stderr
    gatekeepers: int = 1
    experts: int = 1
    new_key: bool = False  # revoke the key of the data folder and make another
    url: str = ""
    key: str = ""
    children: list[Child] = field(default_factory=list)

    def sign_in_link(self) -> str:
        """A link that signs in to the desk once, with the key of the data folder."""
        return sign_in_link(self.url, self.environment["ACE_DATABASE_URL"], self.key)

    def expert_in_words(self) -> str:
        """Who the expert is, and which claims go to it."""
        if self.settings.expert_url is not None:
            return "The expert is the server at ACE_EXPERT_URL."
        who = f"The expert is {EXAMINER}."
        if self.environment.get("ACE_CALIBRATION") != str(FOR_EXAMINER):
            return who
        return (
            f"{who} It repeats the rules that the gatekeeper has read, so no claim goes to it for doubt"
            " alone: only one that the gatekeeper cannot judge, or judges against the rules."
        )

    def __enter__(self) -> Self:
        self._exits = contextlib.ExitStack()
        self._stopped, self._gone, self._tending = threading.Event(), threading.Event(), threading.Lock()
        self._servers: dict[Postgres | Redis, Restarts] = {}
        self._exits.callback(self._gone.set)
        try:
            self._start()
        except BaseException:
            self._exits.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def _start(self) -> None:
        folder = own_folder(self.settings.data_dir.resolve())
        self._exits.enter_context(_only_one(folder))
        private_folder(folder)  # not before: the PostgreSQL of a running stack passes through it
        self.environment = self._parts(folder)
        migrate.upgrade(self.environment["ACE_DATABASE_URL"])
        self.key = stack_key(folder / "key", self.environment["ACE_DATABASE_URL"], new=self.new_key)
        self.children = self._processes()
        self._exits.callback(self._stop_children)
        for child in self.children:
            self._spawn(child)
        threading.Thread(target=self._keep_alive, name="stack", daemon=True).start()
        wait_until(self._ready, seconds=60, what="ACE")
        state = {"pid": os.getpid(), "url": self.url, "key": self.key}
        state["database_url"] = self.environment["ACE_DATABASE_URL"]
        state["calibration"] = self.environment.get("ACE_CALIBRATION", "")
        if self.settings.broker_url is None:
            state["broker_url"] = self.redis.operator_url
        write_private(folder / "stack.json", json.dumps(state))
        self._exits.callback((folder / "stack.json").unlink, missing_ok=True)

    def _parts(self, folder: Path) -> dict[str, str]:
        """Starts what the settings do not name; returns the environment for our processes."""
        settings = self.settings
        self._listener = self._exits.enter_context(listen_tcp(settings.host, settings.port))
        if settings.database_url is None:
            self.postgres = self._exits.enter_context(Postgres(folder / "postgres"))
            self._servers[self.postgres] = Restarts()
        if settings.broker_url is None:
            self.redis = self._exits.enter_context(Redis(folder / "redis"))
            self._servers[self.redis] = Restarts()
        database = settings.database_url
        broker = settings.broker_url
        port = self._listener.getsockname()[1]
        self.url = f"http://{settings.host}:{port}"
        expert_url = settings.expert_url or self._open_examiner(folder)
        # The examiner repeats the rules, so it is asked only where the record made for it says that it helps.
        shipped = settings.gatekeeper_model is None and settings.expert_url is None
        calibration = {"ACE_CALIBRATION": str(FOR_EXAMINER)} if shipped else {}
        return {
            **os.environ,
            **calibration,
            **settings.environment(),
            "ACE_DATABASE_URL": database.get_secret_value() if database else self.postgres.url,
            "ACE_BROKER_URL": broker.get_secret_value() if broker else self.redis.url,
            "ACE_EXPERT_URL": expert_url,
            "ACE_PORT": str(port),
            "ACE_METRICS_PORT": "0",  # processes of one machine cannot share a port
            "ACE_SECRET": self._secret(folder / SECRET),
        }

    def _open_examiner(self, folder: Path) -> str:
        """The URL of the examiner's socket, which listens from now on."""
        path = self._exits.enter_context(socket_folder(folder, EXAMINER_SOCKET)) / EXAMINER_SOCKET
        self._examiner = self._exits.enter_context(listen_unix(path))
        self._exits.callback(path.unlink, missing_ok=True)
        return f"unix://{quote(str(path))}"

    def _secret(self, file: Path) -> str:
        """The secret from the settings, or one made once for this data folder."""
        if "secret" in self.settings.model_fields_set:
            return self.settings.secret.get_secret_value()
        if not file.exists():
            write_private(file, secrets.token_urlsafe(32))
        return read_secret(file)

    def _processes(self) -> list[Child]:
        children = [Child("api", ["serve"], self._listener), Child("dispatcher", ["dispatch"])]
        children += [
            Child(f"gatekeeper-{n}", ["worker", "fast"], niceness=WORKER_NICENESS)
            for n in range(self.gatekeepers)
        ]
        children += [
            Child(f"expert-worker-{n}", ["worker", "slow"], niceness=WORKER_NICENESS)
            for n in range(self.experts)
        ]
        children.append(Child("webhook-worker", ["worker", "webhooks"], niceness=WORKER_NICENESS))
        if self.settings.expert_url is None:
            children.append(Child("expert", ["expert", "serve"], self._examiner, WORKER_NICENESS))
        return children

    def _spawn(self, child: Child) -> None:
        output: IO[bytes] | None = None
        if self.quiet:
            logs = private_folder(self.settings.data_dir.resolve() / "logs")
            output = private_file(logs / f"{child.name}.log", "ab")
        handed = [child.listener.fileno()] if child.listener is not None else []
        child.started_at = time.monotonic()
        child.process = subprocess.Popen(  # noqa: S603  # our own commands
            [sys.executable, "-m", *self._command(child), *(f"--fd={number}" for number in handed)],
            env=self.environment,
            pass_fds=handed,
            umask=0o077,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            preexec_fn=partial(self._begin, child.niceness),
            start_new_session=True,  # Ctrl-C is for the stack, which stops them in order
        )
        if output is not None:
            output.close()

    def _command(self, child: Child) -> Sequence[str]:
        return ["ace", *child.arguments]

    def _begin(self, niceness: int) -> None:
        """In a child between fork and exec."""
        self._bind_to_us()
        os.nice(niceness)

    def _bind_to_us(self) -> None:
        die_with_parent()

    def _keep_alive(self) -> None:
        """Restarts what died until the stack stops, and runs until its servers are gone.

        The kernel ends children with the thread that started them, so this thread must end last.
        """
        while not self._gone.wait(0.1):
            with self._tending:
                if self._stopped.is_set():
                    continue
                self._try_to_tend()

    def _try_to_tend(self) -> None:
        try:
            self._tend()
        except AceError as error:  # what cannot be started now is retried
            log.warning("%s", error)
        except Exception:
            log.exception("the stack cannot start a process")

    def _tend(self) -> None:
        for server, restarts in self._servers.items():
            status = None if server.process is None else server.process.poll()
            if status is not None and restarts.due(server.name, status):
                server.start()
        for child in self.children:
            status = None if child.process is None else child.process.poll()
            if status is not None and child.due(child.name, status):
                self._spawn(child)

    def _ready(self) -> bool:
        hopeless = [child.name for child in self.children if child.deaths >= STARTS_TRIED]
        if hopeless:
            logs = f": see {self.settings.data_dir.resolve() / 'logs'}" if self.quiet else ""
            raise AceError(f"{', '.join(hopeless)} cannot start{logs}")
        return answers_ready(self._listener)

    def _stop_children(self) -> None:
        """The API and dispatcher first, then the workers with what they hold, the expert last."""
        with self._tending:
            self._stopped.set()
        self._listener.close()  # the API's own copy ends with it
        grace = self.settings.shutdown_grace_seconds + 5
        for names in (("api", "dispatcher"), ("gatekeeper", "expert-worker", "webhook-worker"), ("expert",)):
            group = [
                child.process
                for child in self.children
                if child.process is not None and child.name.startswith(names)
            ]
            for process in group:
                if process.poll() is None:
                    process.terminate()
            for process in group:
                stop_process(process, seconds=grace)


def answers_ready(listener: socket.socket) -> bool:
    """Whether the API that listens on our socket is ready.

    We ask at the socket's own address and ignore any configured proxy, so nobody else can answer.
    """
    host, port = listener.getsockname()[:2]
    connection = HTTPConnection(host, port, timeout=2)
    with contextlib.suppress(OSError, HTTPException), contextlib.closing(connection):
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    return False


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    with private_file(folder / "lock", "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise AlreadyRunning(folder, stored_state(folder)) from error
        yield
