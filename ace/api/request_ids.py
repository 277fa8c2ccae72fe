"""`X-Request-Id`: a request keeps the id that its client gave it, or gets one; the answer and every line
that is logged on the way carry it."""

import re
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uuid_utils import uuid7

from ace.telemetry import request_id

HEADER: Final = "X-Request-Id"
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")


class RequestIds:
    """ASGI layer around everything that may log."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        id_ = id_of(Headers(scope=scope).get(HEADER))

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = id_
            await send(message)

        token = request_id.set(id_)
        try:
            await self.app(scope, receive, named)
        finally:
            request_id.reset(token)


def id_of(given: str | None) -> str:
    """The id that a client gave, if it looks like one, so that no text enters the logs; or a new one."""
    return given if given and _ID.fullmatch(given) else str(uuid7())
