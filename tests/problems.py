"""Every answer of the API against the registry of problem types and the OpenAPI document."""

import json
from typing import Any, Final

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ace.api.openapi import PROBLEM_TYPES
from ace.api.problem_types import TYPES

BY_URI: Final = {one.uri: one for one in TYPES.values()}
UNROUTED: Final = {404, 405, 500}  # which the document need not list: of paths and methods that it has not


def check_problem(document: dict[str, Any], status: int) -> None:
    """A problem is of a registered type, with its title and its status."""
    assert document["type"] in BY_URI, document
    kind = BY_URI[document["type"]]
    assert (document["title"], document["status"], status) == (kind.title, kind.status, kind.status), document


def check_answer(status: int, media_type: str, body: bytes, operation: dict[str, Any]) -> None:
    """An error is a problem that the operation names; so is that of a line."""
    if media_type == "application/x-ndjson":
        for line in map(json.loads, body.splitlines()):
            if line["status"] != 202:
                check_problem(line["problem"], line["status"])
    elif status >= 400:
        assert media_type == "application/problem+json", (status, media_type)
        document = json.loads(body)
        check_problem(document, status)
        named = operation.get(PROBLEM_TYPES, {})
        if str(status) in named or status not in UNROUTED:
            assert document["type"] in named[str(status)], document


def registered(app: FastAPI) -> FastAPI:
    """The API, in which an answer that the registry or the document does not name is an error."""
    app.add_middleware(Registered, described=app)
    return app


class Registered:
    """The outermost ASGI layer of such an API."""

    def __init__(self, app: ASGIApp, described: FastAPI) -> None:
        self.app = app
        self.described = described

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began: Message = {}
        body = bytearray()

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                began.update(message)
            body.extend(message.get("body", b""))
            await send(message)

        await self.app(scope, receive, watched)
        headers = dict(began.get("headers", ()))
        media_type = headers.get(b"content-type", b"").decode()
        path = getattr(scope.get("route"), "path_format", "")
        if scope["method"] == "HEAD":  # what GET answers, without its body
            assert not body
            return
        operation = self.described.openapi()["paths"].get(path, {}).get(scope["method"].lower(), {})
        check_answer(began["status"], media_type, bytes(body), operation)
