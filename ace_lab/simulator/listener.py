"""The sockets of a simulated server, which can be closed for a while, and its connections, which can be cut.

It uses uvicorn's HTTP over asyncio's sockets, without uvicorn's server, which cannot open again.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

TRANSPORT = "ace.transport"
"""The ASGI extension that gives an application its connection."""

_BACKLOG = 2_048
_CLOSE_SECONDS = 5.0


class Listener:
    """Serves `app` at `host` and `port`; port 0 is any free port, known after `open`."""

    def __init__(self, app: ASGIApp, host: str, port: int) -> None:
        self.host = host
        self.port = port
        self._config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None, access_log=False)
        self._state = ServerState()
        self._server: asyncio.Server | None = None
        self._reopening: asyncio.Task[None] | None = None
        self._placeholder: socket.socket | None = None

    async def open(self) -> None:
        """Listens. Raises OSError if the port is taken."""
        self._config.load()
        # Bound but not listening: while this server is down, nobody else gets its port.
        self._placeholder = self._bound()
        self.port = self._placeholder.getsockname()[1]
        await self._listen()

    def refuse(self, seconds: float, *, everyone: bool) -> None:
        """Lets nobody connect for `seconds`. Cuts idle connections, and with `everyone` also those that wait
        for an answer."""
        self._silence()
        self._cut(everyone=everyone)
        if self._reopening is not None:
            self._reopening.cancel()
        self._reopening = asyncio.create_task(self._reopen(seconds))

    async def close(self) -> None:
        """Stops without answering the open requests."""
        if self._reopening is not None:
            self._reopening.cancel()
        self._silence()
        self._cut(everyone=True)
        if tasks := list(self._state.tasks):  # each notices that its client has left
            await asyncio.wait(tasks, timeout=_CLOSE_SECONDS)
        if self._placeholder is not None:
            self._placeholder.close()

    async def _reopen(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._listen()

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        # Kept before it starts, so that it can be closed if this is interrupted.
        self._server = await loop.create_server(
            self._connection, sock=self._bound(), backlog=_BACKLOG, start_serving=False
        )
        await self._server.start_serving()

    def _connection(self) -> asyncio.Protocol:
        return _Connection(self._config, self._state, {})

    def _bound(self) -> socket.socket:
        # asyncio sets TCP_NODELAY only if the protocol is named; without it, every answer takes 40 ms.
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((self.host, self.port))
        except OSError:
            bound.close()
            raise
        return bound

    def _silence(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def _cut(self, *, everyone: bool) -> None:
        for connection in list(self._state.connections):
            cycle = getattr(connection, "cycle", None)
            transport = getattr(connection, "transport", None)
            if transport is not None and (everyone or cycle is None or cycle.response_complete):
                reset(transport)


class _Connection(H11Protocol):
    """Gives the application its transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        app: Any = self.app

        async def with_transport(scope: Scope, receive: Receive, send: Send) -> None:
            await app(
                {**scope, "extensions": {**scope.get("extensions", {}), TRANSPORT: transport}}, receive, send
            )

        self.app = with_transport


def reset(transport: asyncio.Transport) -> None:
    """Ends a connection at once, with RST instead of FIN."""
    connected = transport.get_extra_info("socket")
    if connected is not None and not transport.is_closing():
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
