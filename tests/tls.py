"""Certificates of an authority of our own, and TLS in front of servers that speak none.

The wheels' PostgreSQL and Redis are built without TLS. A front ends it for them, so that what our
clients do with certificates is real; PostgreSQL's way of asking for TLS is answered here too.
"""

import contextlib
import select
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

SSL_REQUEST = bytes((0, 0, 0, 8, 4, 210, 22, 47))  # PostgreSQL's protocol, "SSLRequest"


@dataclass(frozen=True)
class Authority:
    """An authority whose certificate lies in `file`."""

    ca: trustme.CA
    file: Path

    def signs(self, *names: str, days: int = 30) -> trustme.LeafCert:
        """A server's certificate for `names`, which expires in `days`."""
        return self.ca.issue_cert(*names, not_after=datetime.now(UTC) + timedelta(days=days))


def authority(folder: Path, name: str) -> Authority:
    """A new authority, its certificate written to `folder`."""
    ca = trustme.CA(organization_name=name)
    file = folder / f"{name}.pem"
    ca.cert_pem.write_to_path(str(file))
    return Authority(ca, file)


@dataclass(frozen=True)
class Authorities:
    """The authority that we trust, one that we do not, and where their files lie."""

    trusted: Authority
    foreign: Authority
    folder: Path


def authorities(folder: Path) -> Authorities:
    """Both, new."""
    return Authorities(authority(folder, "trusted"), authority(folder, "foreign"), folder)


def context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    """What a server with this certificate speaks TLS with."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(made)
    return made


@dataclass
class Front:
    """A TCP port of the loopback interface; `heard` counts the bytes that came through it."""

    port: int = 0
    heard: int = 0


@contextlib.contextmanager
def front(behind: Path | int, tls: ssl.SSLContext | None, *, postgres: bool = False) -> Iterator[Front]:
    """TLS on a port, passed on in the clear to a socket or port; without `tls`, in the clear too."""
    made = Front()
    stop = threading.Event()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):  # a failed handshake, or either side that went away
                self.request.settimeout(10)
                if postgres:
                    assert self.request.recv(len(SSL_REQUEST)) == SSL_REQUEST
                    self.request.sendall(b"N" if tls is None else b"S")
                outside = tls.wrap_socket(self.request, server_side=True) if tls else self.request
                with outside, _connected(behind) as inside:
                    for data in _relayed(outside, inside, stop):
                        made.heard += data

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        made.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield made
        finally:
            stop.set()
            server.shutdown()
            thread.join()


def _connected(behind: Path | int) -> socket.socket:
    if isinstance(behind, int):
        return socket.create_connection(("127.0.0.1", behind))
    made = socket.socket(socket.AF_UNIX)
    made.connect(str(behind))
    return made


def _relayed(outside: socket.socket, inside: socket.socket, stop: threading.Event) -> Iterator[int]:
    """Carries bytes both ways until either side ends; tells how many came from outside.

    One thread does all of it: two must not use one TLS connection at once.
    """
    while not stop.is_set():
        ready, _, _ = select.select([outside, inside], [], [], 0.05)
        for one in ready:
            data = one.recv(1_000_000)
            while isinstance(one, ssl.SSLSocket) and one.pending():
                data += one.recv(one.pending())
            if not data:
                return
            (inside if one is outside else outside).sendall(data)
            yield len(data) if one is outside else 0
