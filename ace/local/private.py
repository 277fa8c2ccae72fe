"""Files, folders and sockets that only the user who runs ACE can reach."""

import contextlib
import os
import shutil
import socket
import stat
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from ace.errors import NotConfigured

LONGEST_SOCKET_PATH: Final = 100  # sun_path holds 108 bytes on Linux and 104 on macOS
WAITING_CONNECTIONS: Final = 2_048


def own_folder(folder: Path) -> Path:
    """Creates the folder if needed, and leaves one that is there as it is. Raises NotConfigured if it is
    shared."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid != os.geteuid() or status.st_mode & stat.S_ISVTX:
        raise NotConfigured(f"{folder} is shared with other users: give ACE a folder of its own")
    return folder


def private_folder(folder: Path) -> Path:
    """Creates the folder if needed, and shuts it to everybody else. Raises NotConfigured if it is shared."""
    own_folder(folder).chmod(0o700)
    return folder


def private_file(file: Path, mode: str) -> IO[Any]:
    """Opens a file that no other user can read; `mode` as for `open`, and it must write."""
    opened = open(file, mode, opener=partial(os.open, mode=0o600))  # noqa: SIM115  # the caller closes it
    file.chmod(0o600)
    return opened


def write_private(file: Path, content: str) -> None:
    """Writes one line or more that no other user can read."""
    with private_file(file, "w") as opened:
        opened.write(f"{content}\n")


def read_secret(file: Path) -> str:
    """The key or secret in a file; until 0.3.0 such files held it in quotation marks."""
    return file.read_text().strip().strip('"')


@contextlib.contextmanager
def socket_folder(folder: Path, name: str) -> Iterator[Path]:
    """A private folder for the Unix socket `name`: this one, or a temporary one if its path is too long."""
    if len(os.fsencode(folder / name)) <= LONGEST_SOCKET_PATH:
        yield folder
        return
    short = Path(tempfile.mkdtemp(prefix="ace-"))
    try:
        yield short
    finally:
        shutil.rmtree(short, ignore_errors=True)


def listen_tcp(host: str, port: int) -> socket.socket:
    """A listening socket on a port; 0 takes a free one. Raises NotConfigured if the port cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
        # Connections inherit it. asyncio sets it only on sockets whose protocol is named; without it,
        # the body of an answer waits up to 40 ms until its head is acknowledged.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else type(error).__name__
    raise NotConfigured(
        f"port {port} on {host} cannot be used ({reason}): stop the program that holds it, or choose"
        " another with --port or ACE_PORT"
    )


def listen_unix(path: Path) -> socket.socket:
    """A listening Unix socket in a private folder; one that a killed process left there is replaced."""
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    path.chmod(0o600)
    listener.listen(WAITING_CONNECTIONS)
    return listener
