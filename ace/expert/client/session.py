"""The HTTP session in which a server is asked: whom it trusts, that it follows nobody, and when it stops.

A read timeout bounds the wait for each byte, so a server that drips is never late. Here every wait on
the socket ends at a deadline of the whole call, connecting and TLS included.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from ace.errors import NotConfigured
from ace.expert.client.faults import Kind, fault


@dataclass(slots=True)
class Deadline:
    """When a call has to be over, and how many bytes of its answer have come by now."""

    at: float
    received: int = 0

    def left(self, timeout: float | None) -> float:
        """The seconds that the next wait may take; raises httpcore2.ReadTimeout where there are none."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout
        return left if timeout is None else min(left, timeout)


_deadline: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def within(seconds: float) -> Iterator[Deadline]:
    """Every HTTP call made in this block, by a session of `session_factory`, is over in `seconds`."""
    deadline = Deadline(time.monotonic() + seconds)
    token = _deadline.set(deadline)
    try:
        yield deadline
    finally:
        _deadline.reset(token)


def session_factory(url: str, ca_file: Path | None) -> Callable[[], httpx2.Client]:
    """Makes sessions for the server at `url` that trust the authority in `ca_file` (PEM), or the system's.

    Raises NotConfigured where the file cannot be used, or the URL has no use for it.
    """
    trusted = _trusted(url, ca_file)
    proxy = _proxy_for(url)

    def session() -> httpx2.Client:
        # A library's own session may follow redirects, with the claim in hand, and log what it sends.
        return httpx2.Client(
            transport=_Transport(trusted, proxy),
            follow_redirects=False,
            event_hooks={"response": [_refuse_redirect]},
            timeout=None,  # the deadline bounds every wait
        )

    return session


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
    """What httpx2 trusts of itself; reading it takes a moment, which no call should be charged with."""
    return httpx2.create_ssl_context()


def _proxy_for(url: str) -> str | None:
    """The proxy that the environment names for this URL, as httpx2 would find it."""
    parts = urlsplit(url)
    proxies = getproxies()
    if not proxies or not parts.hostname or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    return proxies.get(parts.scheme) or proxies.get("all")


def _refuse_redirect(response: httpx2.Response) -> None:
    if 300 <= response.status_code < 400:
        raise fault(Kind.REDIRECTED, status=response.status_code)


class _Transport(httpx2.HTTPTransport):
    def __init__(self, trusted: ssl.SSLContext, proxy: str | None) -> None:
        super().__init__(verify=trusted, proxy=proxy)
        # httpcore2 takes a backend as an argument, which httpx2 does not pass on.
        self._pool._network_backend = _Backend(self._pool._network_backend)  # noqa: SLF001


class _Backend(httpcore2.NetworkBackend):
    """Another backend, whose streams keep the deadline."""

    def __init__(self, inner: httpcore2.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        left = _left(timeout)
        return _Stream(self._inner.connect_tcp(host, port, left, local_address, socket_options))


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        blob = self._inner.read(max_bytes, _left(timeout))
        if (deadline := _deadline.get()) is not None:
            deadline.received += len(blob)
        return blob

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


def _left(timeout: float | None) -> float | None:
    deadline = _deadline.get()
    return timeout if deadline is None else deadline.left(timeout)
