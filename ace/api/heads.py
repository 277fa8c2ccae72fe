"""`HEAD`: what `GET` answers, without the body (RFC 9110, section 9.3.2), wherever there is a `GET`."""

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEAD: Final = "HEAD"


class Heads:
    """ASGI layer that answers HEAD by GET. A stream ends with its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != HEAD:
            return await self.app(scope, receive, send)
        streaming = asyncio.Event()
        ended = False

        async def bodiless(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                await send(message)
            elif not ended:
                ended = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                if message.get("more_body"):
                    streaming.set()

        inner = {**scope, "method": "GET"}
        answering = asyncio.ensure_future(self.app(inner, receive, bodiless))
        begun = asyncio.ensure_future(streaming.wait())
        try:
            await asyncio.wait({answering, begun}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                answering.result()  # raises what it raised
        finally:
            for task in (answering, begun):
                task.cancel()
            await asyncio.wait({answering, begun})
            scope.update({name: found for name, found in inner.items() if name != "method"})
