"""What routes receive: the parts of the process, the caller, the body."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import Depends, Query, Request, Security
from fastapi.security import HTTPBearer, SecurityScopes
from sqlalchemy import Engine
from starlette.concurrency import run_in_threadpool

from ace.api import bodies, callers
from ace.api.budget import Budget
from ace.api.key_uses import KeyUses
from ace.api.metrics import KEY, HttpMetrics
from ace.api.queries import refuse_ambiguous
from ace.api.rates import Rates
from ace.api.refused_writes import RefusedWrites
from ace.api.schemas import NoQuery
from ace.api.shared_reads import SharedReads
from ace.api.turns import Turns
from ace.api.watcher import Watcher
from ace.settings import Settings
from ace.store.database import Announcer, transact
from ace.store.scopes import Scope

LARGE_BYTES: Final = 256_000
LARGE_AT_ONCE: Final = 4  # parsed JSON takes many times its length, so large bodies take turns


def _turns() -> asyncio.Semaphore:
    return asyncio.Semaphore(LARGE_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that routes work with, made once by `create_app`."""

    settings: Settings
    db: Engine  # sees one tenant's rows at a time: name the tenant in every transaction
    lookups: Engine  # the same, each statement a transaction of its own
    watch: Engine  # states and counts of all tenants, and nothing else
    watcher: Watcher
    announcer: Announcer
    key_uses: KeyUses
    metrics: HttpMetrics
    budget: Budget  # of memory for what is being received
    turns: Turns  # to have claims read and checked
    ping: Callable[[], None] | None  # raises when the broker cannot serve; None without a broker
    rates: Rates = field(default_factory=Rates)
    reads: SharedReads = field(default_factory=SharedReads)
    refused_writes: RefusedWrites = field(default_factory=RefusedWrites)
    # Slow senders delay only their own tenant; no sender can hold a turn for storing.
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
    description="An API key. It opens one tenant, for the uses that its scopes name: `submit` hands filings"
    " in, cancels them and has claims checked, `read` looks at filings, evaluations, and the kinds and places"
    " of findings, `text` at the words of claims too, `replay` runs failed evaluations again, `review` says"
    " whether verdicts are right and changes the term list, `webhooks` manages webhooks, `admin` makes, lists"
    " and revokes the tenant's keys, pauses its work and sees how the expert stands, `operate` pauses what"
    " all tenants share and sees the workers. The first one is made with `ace keys create`.",
    auto_error=False,
)


async def _caller(
    request: Request, parts: Here, needed: SecurityScopes, _: Annotated[Any, Security(_scheme)]
) -> callers.Tenant:
    """Runs before anything else, in particular before the body is read.

    A key over its rate is rejected before the database is queried.
    """
    key = callers.presented(request.headers.get("authorization"))
    parts.rates.refuse_spent(key.hash)
    caller = await run_in_threadpool(_known, parts, key)
    request.scope[KEY] = caller.key_id
    parts.rates.take(key.hash, caller.requests_per_second or parts.settings.key_requests_per_second)
    callers.refuse_beyond(caller, needed.scopes)
    parts.key_uses.note(caller)
    refuse_ambiguous(request)
    return caller


def _known(parts: Parts, key: callers.Presented) -> callers.Tenant:
    return transact(parts.lookups, lambda connection: callers.authenticate(connection, key))


Submitter = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.SUBMIT.value])]
Reader = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.READ.value])]
TextReader = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.TEXT.value])]
Replayer = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.REPLAY.value])]
Reviewer = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.REVIEW.value])]
Operator = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.OPERATE.value])]
WebhookKeeper = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.WEBHOOKS.value])]
Admin = Annotated[callers.Tenant, Security(_caller, scopes=[Scope.ADMIN.value])]


@asynccontextmanager
async def body_of(request: Request, parts: Parts, caller: callers.Tenant) -> AsyncIterator[bytes]:
    """The raw body of a request with a valid key: nobody else can upload anything."""
    limit = parts.settings.max_body_bytes
    declared = request.headers.get("content-length", "")
    with parts.budget.of(caller.name) as held:
        if declared.isdecimal() and len(declared) < 10 and int(declared) <= LARGE_BYTES:
            yield await bodies.whole(request, min(limit, LARGE_BYTES), held)
        else:
            async with parts.large[caller.name]:
                yield await bodies.whole(request, limit, held)


@asynccontextmanager
async def json_body(request: Request, parts: Parts, caller: callers.Tenant) -> AsyncIterator[bytes]:
    """The raw body, if it is JSON."""
    bodies.media_of(request, "application/json")
    async with body_of(request, parts, caller) as raw:
        yield raw
