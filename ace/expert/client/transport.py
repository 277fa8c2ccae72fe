"""How one HTTP call reaches one server: which authority it trusts, which proxy it uses, and when it ends.

The timeout of a request bounds the whole call, connecting and TLS included. (A usual read timeout bounds
the wait for each byte, so that a server which drips is never late.) A maximum of bytes bounds everything that
the server sends in one call: status, headers, interim answers, the framing of chunks, body and trailers.
Nothing is unpacked: compressed answers are refused. Every fault of the connection is raised as one of our own
errors, without a cause, because the library's own errors hold what was sent.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from ace import tracing
from ace.errors import NotConfigured
from ace.expert.client.faults import AnswerEncoded, AnswerTooLong, fault_of_error, fault_of_status
from ace.expert.client.retry import parse_retry_after
from ace.expert.client.unix_peer import refuse_strangers

KEEP_ALIVE_SECONDS: Final = 5.0
MAX_IDLE_CONNECTIONS: Final = 20
LONGEST_CALL_SECONDS: Final = 3_600.0
"""For a request without a timeout."""
MAX_ANSWER_BYTES: Final = 1_000_000
"""The default. A rationale has a few thousand."""

_PIECE_BYTES: Final = 4_096


class ServerTransport(httpx2.BaseTransport):
    """HTTP/1.1 with the server at `url`, for any number of threads.

    A URL unix:///path names a Unix socket, whose server must run as our own user or as root.

    `ca_file` names the only authority (PEM) that may have signed the server's certificate, in place of the
    system's. A request raises ExpertTransient or ExpertPermanent if the connection fails, if the server
    redirects it, if the answer has more than `max_answer_bytes` or is compressed, and, unless it is a GET,
    if its status is not 200.

    Raises NotConfigured if the file cannot be used, or if the URL has no use for it.
    """

    def __init__(
        self,
        url: str,
        ca_file: Path | None,
        *,
        now: Callable[[], datetime],
        max_answer_bytes: int = MAX_ANSWER_BYTES,
    ) -> None:
        self._trusted = _trusted(url, ca_file)
        self._max_answer_bytes = max_answer_bytes
        self._proxy = _proxy_for(url)
        self._socket = unix_socket_of(url)
        self._now = now
        self._idle: list[_Connection] = []
        self._max_idle = MAX_IDLE_CONNECTIONS

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The whole answer. The read timeout of the request is the time for the call."""
        seconds = request.extensions["timeout"]["read"] or LONGEST_CALL_SECONDS
        request.headers["accept-encoding"] = "identity"
        connection = self._take()
        try:
            with tracing.request(request.method, request.headers):
                response = connection.call(request, seconds)
        except Exception as error:
            raised = fault_of_error(error, connection.received)
        else:
            if response.status_code == 200 or (request.method == "GET" and not response.is_redirect):
                return response
            retry_after = parse_retry_after(response.headers.get("retry-after"), self._now())
            # Not response.text: the server may name a charset that unpacks, such as zlib.
            refusal = response.content.decode(errors="replace")
            raised = fault_of_status(response.status_code, retry_after, refusal)
        finally:
            self._give_back(connection)
        raise raised

    def close(self) -> None:
        """Closes the connections: those in use when their calls are over."""
        self._max_idle = 0
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> _Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return _Connection(self._trusted, self._proxy, self._socket, self._max_answer_bytes)

    def _give_back(self, connection: _Connection) -> None:
        if len(self._idle) < self._max_idle:
            self._idle.append(connection)
        else:
            connection.close()


class _Connection:
    """One connection, for one call at a time; it is opened again if the server has closed it."""

    def __init__(
        self,
        trusted: ssl.SSLContext,
        proxy: httpcore2.Proxy | None,
        unix_socket: str | None,
        max_answer_bytes: int,
    ) -> None:
        self._backend = BoundedBackend(max_answer_bytes)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=trusted,
            proxy=proxy,
            uds=unix_socket,
            max_connections=1,
            keepalive_expiry=KEEP_ALIVE_SECONDS,
            network_backend=self._backend,
        )

    @property
    def received(self) -> int:
        """The bytes of the answer to the last call that have arrived."""
        return self._backend.received

    def call(self, request: httpx2.Request, seconds: float) -> httpx2.Response:
        """The answer to one request. Raises the errors of httpcore2, AnswerTooLong and AnswerEncoded."""
        self._backend.start(seconds)
        url = request.url
        sent = httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with contextlib.closing(self._pool.handle_request(sent)) as answer:
            headers = httpx2.Headers(answer.headers)
            if headers.get("content-encoding", "identity").strip().lower() not in {"identity", ""}:
                raise AnswerEncoded
            content = answer.read()
        return httpx2.Response(answer.status, headers=headers, content=content, request=request)

    def close(self) -> None:
        self._pool.close()


class BoundedBackend(httpcore2.NetworkBackend):
    """A network whose every wait ends at the deadline of the call, and which takes in no more than its
    maximum of bytes. Classes derived from it choose what may be dialled."""

    def __init__(self, max_bytes: int) -> None:
        self._inner = httpcore2.SyncBackend()
        self._max_bytes = max_bytes
        self._deadline = 0.0
        self.received = 0

    def start(self, seconds: float) -> None:
        """A new call begins, and has this much time."""
        self._deadline = time.monotonic() + seconds
        self.received = 0

    def left(self, timeout: float | None) -> float:
        """The seconds that the next wait may take. Raises httpcore2.ReadTimeout if none are left."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout
        return left if timeout is None else min(left, timeout)

    def take_in(self, count: int) -> None:
        """So many more bytes have arrived. Raises AnswerTooLong if they are too many."""
        self.received += count
        if self.received > self._max_bytes:
            raise AnswerTooLong

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self.dial(host, port, timeout, local_address, socket_options), self)

    def dial(
        self,
        host: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> httpcore2.NetworkStream:
        """An unbounded connection to a host, made before the deadline."""
        return self._inner.connect_tcp(host, port, self.left(timeout), local_address, socket_options)

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        with socket.socket(socket.AF_UNIX) as probe:  # the library forgets to close one that cannot connect
            probe.settimeout(self.left(timeout))
            probe.connect(path)
        stream = self._inner.connect_unix_socket(path, self.left(timeout), socket_options)
        try:
            refuse_strangers(stream.get_extra_info("socket"))
        except BaseException:
            stream.close()
            raise
        return _Stream(stream, self)


class _Stream(httpcore2.NetworkStream):
    """Sends a request when its answer is read: head and body together, not each in its own packet."""

    def __init__(self, inner: httpcore2.NetworkStream, backend: BoundedBackend) -> None:
        self._inner = inner
        self._backend = backend
        self._unsent = bytearray()

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._unsent:
            # A server may answer and close before it has read everything: then the answer counts.
            with contextlib.suppress(httpcore2.WriteError):
                self._send(timeout)
        received = self._inner.read(max_bytes, self._backend.left(timeout))
        self._backend.take_in(len(received))
        return received

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._unsent += buffer
        if len(self._unsent) > _PIECE_BYTES:
            self._send(timeout)

    def _send(self, timeout: float | None) -> None:
        unsent, self._unsent = bytes(self._unsent), bytearray()
        # In pieces, because the timeout of a write begins again whenever the server takes some of it.
        for start in range(0, len(unsent), _PIECE_BYTES):
            self._inner.write(unsent[start : start + _PIECE_BYTES], self._backend.left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = self._backend.left(timeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, left), self._backend)

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


def _trusted(url: str, ca_file: Path | None) -> ssl.SSLContext:
    if ca_file is None:
        return _system_trusted()
    if urlsplit(url).scheme != "https":
        raise NotConfigured("ACE_EXPERT_CA_FILE is set, but ACE_EXPERT_URL does not begin with https://")
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # ssl.SSLError is one too
        reason = type(error).__name__
    raise NotConfigured(f"ACE_EXPERT_CA_FILE cannot be used: it must hold certificates in PEM ({reason})")


@cache
def _system_trusted() -> ssl.SSLContext:
    """httpx2's own default. Reading it takes a moment that no call should be charged with."""
    return httpx2.create_ssl_context()


def unix_socket_of(url: str) -> str | None:
    """The path of the Unix socket that the URL names; None for http and https."""
    parts = urlsplit(url)
    return unquote(parts.path) if parts.scheme == "unix" else None


def _proxy_for(url: str) -> httpcore2.Proxy | None:
    """The proxy that the environment names for this URL, found as httpx2 would find it."""
    parts = urlsplit(url)
    proxies = getproxies()
    if not proxies or not parts.hostname or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    named = proxies.get(parts.scheme) or proxies.get("all")
    if not named:
        return None
    proxy = httpx2.Proxy(named if "://" in named else f"http://{named}")
    return httpcore2.Proxy(str(proxy.url), auth=proxy.raw_auth)
