"""What routes are given: the parts of the process, the caller, the body; and how that is told
in the OpenAPI document."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import Depends, Query, Request, Security
from fastapi.security import HTTPBearer
from sqlalchemy import Engine

from ace.api import bodies, keys, problems
from ace.api.metrics import HttpMetrics
from ace.api.schemas import NoQuery
from ace.api.watcher import Watcher
from ace.settings import Settings
from ace.store.database import transact

LARGE_BYTES: Final = 256_000
LARGE_AT_ONCE: Final = 4  # JSON in memory takes many times its length, so large bodies take turns

_REASONS: Final = {
    400: "No JSON, or not in UTF-8.",
    401: "No key, or one that is not in force.",
    404: "There is no such thing, or it is another tenant's.",
    408: "The body came too slowly.",
    413: "A claim, the claim set or the body is too long.",
    415: "The body is of another media type.",
    422: "A field, parameter or header does not fit.",
    503: "A part that is needed cannot be reached; see Retry-After.",
}
_RETRY_AFTER: Final = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


def _turns() -> asyncio.Semaphore:
    return asyncio.Semaphore(LARGE_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that routes work with, made once by `create_app`."""

    settings: Settings
    db: Engine
    watcher: Watcher
    metrics: HttpMetrics
    ping: Callable[[], None] | None  # raises when the broker is away; None where there is no broker
    # A tenant's slow senders hold up that tenant alone; storing has turns that no sender can hold.
    large: Mapping[str, asyncio.Semaphore] = field(default_factory=lambda: defaultdict(_turns))
    storing: asyncio.Semaphore = field(default_factory=_turns)


async def _parts(request: Request) -> Parts:
    parts: Parts = request.app.state.parts
    return parts


Here = Annotated[Parts, Depends(_parts)]
Nothing = Annotated[NoQuery, Query()]

_scheme = HTTPBearer(
    scheme_name="key",
    bearerFormat="ace_<id>_<secret>",
    description="An API key, made with `ace keys create`; it opens one tenant.",
    auto_error=False,
)


def _caller(request: Request, parts: Here, _: Annotated[Any, Security(_scheme)]) -> keys.Tenant:
    header = request.headers.get("authorization")
    return transact(parts.db, lambda connection: keys.authenticate(connection, header))


Caller = Annotated[keys.Tenant, Depends(_caller)]


async def _json(request: Request, parts: Here, caller: Caller) -> AsyncIterator[bytes]:
    bodies.refuse_other_media(request, "application/json")
    limit = parts.settings.max_body_bytes
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and len(declared) < 10 and int(declared) <= LARGE_BYTES:
        yield await bodies.whole(request, min(limit, LARGE_BYTES))
    else:
        async with parts.large[caller.name]:
            yield await bodies.whole(request, limit)


JsonBody = Annotated[bytes, Depends(_json)]
"""The raw body of a request of a known caller. The caller is asked first: strangers upload nothing."""


def takes(model: str, media_type: str = "application/json", **more: Any) -> dict[str, Any]:
    """`openapi_extra` of a route that reads its own body; `model` is one that app.py registers."""
    schema = {"$ref": f"#/components/schemas/{model}"}
    content = {media_type: {"schema": schema, **more}}
    return {"requestBody": {"required": True, "content": content}}


def answers(*refusals: int, headers: dict[str, str] | None = None, status: int = 200) -> dict[Any, Any]:
    """`responses` of a route: the headers of its good answer and the problems it may give."""
    schema = {"$ref": "#/components/schemas/Problem"}
    told: dict[Any, Any] = {
        code: {
            "description": _REASONS[code],
            "content": {
                problems.MEDIA_TYPE: {
                    "schema": schema,
                    "example": problems.example(code, _REASONS[code]),
                }
            },
            **({"headers": _RETRY_AFTER} if code == 503 else {}),
        }
        for code in sorted({*refusals, 503})
    }
    if headers:
        told[status] = {
            "headers": {
                name: {"description": words, "schema": {"type": "string"}} for name, words in headers.items()
            }
        }
    return told
