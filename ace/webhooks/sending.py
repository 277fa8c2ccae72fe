"""Sending a delivery: one connection to one receiver, to addresses that are allowed, and nothing else.

Names are resolved once for each connection, every answer must be allowed, and the connection goes to the
address that was judged, with the name for TLS. So an answer of DNS that changes between look-up and connect
changes nothing. Redirects are not followed, and no proxy of the environment is used.
"""

import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final, Self

import httpcore2
import httpx2

import ace
from ace.expert.client.faults import AnswerTooLong
from ace.expert.client.retry import parse_retry_after
from ace.expert.client.transport import BoundedBackend
from ace.webhooks.addresses import Network, is_allowed
from ace.webhooks.schedule import Answer
from ace.webhooks.urls import UrlRefused, checked, host_of, target_of

MAX_ANSWER_BYTES: Final = 65_536

Resolve = Callable[[str, int], Sequence[str]]


class AddressRefused(Exception):
    """The name leads to an address that nothing is sent to."""


class NameUnknown(Exception):
    """The name leads nowhere."""


def resolve(host: str, port: int) -> list[str]:
    """Every address of a host, as the system finds them. Raises NameUnknown."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NameUnknown from None
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


@dataclass(frozen=True, slots=True)
class Reach:
    """What may be reached, and how: the operator's part of the settings."""

    http: bool = False  # without TLS too
    networks: tuple[Network, ...] = ()  # beside global addresses
    ca_file: Path | None = None  # authorities beside the system's
    timeout_seconds: float = 15.0


class _AllowedOnly(BoundedBackend):
    """Dials nothing but allowed addresses."""

    def __init__(self, networks: Sequence[Network], resolve: Resolve) -> None:
        super().__init__(MAX_ANSWER_BYTES)
        self._networks = networks
        self._resolve = resolve

    def dial(
        self,
        host: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> httpcore2.NetworkStream:
        addresses = self._resolve(host, port)
        if not addresses:
            raise NameUnknown
        if not all(is_allowed(address, self._networks) for address in addresses):
            raise AddressRefused
        for address in addresses[:-1]:
            with contextlib.suppress(httpcore2.ConnectError):
                return super().dial(address, port, timeout, local_address, socket_options)
        return super().dial(addresses[-1], port, timeout, local_address, socket_options)


class Receiver:
    """A connection to the URL of one webhook, for one request at a time. A context manager."""

    def __init__(self, url: str, reach: Reach, resolve: Resolve = resolve) -> None:
        """Raises UrlRefused if the settings no longer allow the URL."""
        parts = checked(url, http=reach.http, networks=reach.networks)
        self._url = httpcore2.URL(
            scheme=parts.scheme.encode(),
            host=(parts.hostname or "").encode(),
            port=parts.port,
            target=target_of(parts).encode(),
        )
        self._host = host_of(parts)
        self._seconds = reach.timeout_seconds
        self._backend = _AllowedOnly(reach.networks, resolve)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_trusted(reach.ca_file), max_connections=1, network_backend=self._backend
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.close()

    def post(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """What the receiver answers to this body; a fault is an answer too. Of its body, the first 64 kB are
        read, and nobody looks at them."""
        began = time.monotonic()
        self._backend.start(self._seconds)
        fault, status, answered = None, None, httpx2.Headers()
        try:
            with contextlib.closing(self._pool.handle_request(self._request(body, headers))) as answer:
                status, answered = answer.status, httpx2.Headers(answer.headers)
                for _ in answer.iter_stream():
                    pass
        except Exception as error:
            # What is said after a status changes nothing.
            fault = fault_of(error) if status is None else None
        retry_after = parse_retry_after(answered.get("retry-after"), datetime.now(UTC))
        return Answer(status, fault, retry_after, round(time.monotonic() - began, 3))

    def _request(self, body: bytes, headers: Mapping[str, str]) -> httpcore2.Request:
        given = {
            "host": self._host,
            "user-agent": f"ACE-Webhooks/{ace.__version__}",
            "content-type": "application/json",
            "content-length": str(len(body)),
            "accept-encoding": "identity",
            **headers,
        }
        return httpcore2.Request(
            "POST",
            self._url,
            headers=[(name.encode(), value.encode()) for name, value in given.items()],
            content=body,
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), self._seconds)},
        )


_FAULTS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (AddressRefused, "refused_address"),
    (UrlRefused, "refused_url"),
    (NameUnknown, "unknown_name"),
    (AnswerTooLong, "answer_too_long"),
    (httpcore2.TimeoutException, "timeout"),
    (ssl.SSLError, "tls"),
    (httpcore2.ConnectError, "unreachable"),
    (httpcore2.NetworkError, "broken_connection"),
    (httpcore2.ProtocolError, "not_http"),
)
FAULTS: Final = tuple(word for _, word in _FAULTS)
"""Why an attempt got no status, in stable words."""


def fault_of(error: BaseException) -> str:
    """The word for an error of the connection; raises it again if it is none."""
    if isinstance(error.__cause__ or error.__context__, ssl.SSLError):
        return "tls"
    for kind, word in _FAULTS:
        if isinstance(error, kind):
            return word
    raise error


@cache
def _trusted(ca_file: Path | None) -> ssl.SSLContext:
    """The system's authorities, and those of a file. Reading them takes a moment."""
    trusted = httpx2.create_ssl_context()
    if ca_file is not None:
        trusted.load_verify_locations(cafile=ca_file)
    return trusted
