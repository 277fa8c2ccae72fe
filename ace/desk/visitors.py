"""Who looks at a page: the session in a cookie, and the key that it stands for.

Over TLS the cookie's name begins with `__Host-`, which a browser takes only with `Secure`, from this host and
for all its paths (RFC 6265bis, section 4.1.3). A stack on this machine has no TLS, and a plain name.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from starlette.concurrency import run_in_threadpool

from ace.api.callers import Tenant, refuse_beyond
from ace.api.parts import Here, Parts
from ace.desk.pages import SignInNeeded
from ace.store import sessions
from ace.store.database import transact
from ace.store.scopes import Scope

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_TOKEN_CHARACTERS: Final = 64  # of 32 bytes in hexadecimal


def is_plain(request: Request) -> bool:
    """Whether the desk is asked for on this machine without TLS, so that no cookie may demand it."""
    host = urlsplit(f"//{request.headers.get('host', '')}").hostname
    return request.url.scheme == "http" and host in _LOOPBACK


def token_of(request: Request) -> str | None:
    """The token in the session cookie, if there is one."""
    token = request.cookies.get(_name(request), "")
    return token if len(token) == _TOKEN_CHARACTERS else None


def remember(request: Request, response: Response, token: str) -> None:
    """Sets the session cookie."""
    response.set_cookie(
        _name(request),
        token,
        max_age=sessions.SESSION_SECONDS,
        secure=not is_plain(request),
        httponly=True,
        samesite="lax",
    )


def forget(request: Request, response: Response) -> None:
    """Removes the session cookie."""
    response.delete_cookie(_name(request), secure=not is_plain(request), httponly=True, samesite="lax")


def _name(request: Request) -> str:
    return "ace-session" if is_plain(request) else "__Host-ace-session"


def visitor_of(parts: Parts, token: str) -> Tenant | None:
    """Whom a session stands for. Its requests count against the rate of its key; raises TooMuch."""
    found = transact(parts.lookups, lambda connection: sessions.opened(connection, token))
    if found is None:
        return None
    key = found.key
    parts.rates.take(key.hash, key.requests_per_second or parts.settings.key_requests_per_second)
    caller = Tenant(key.tenant, found.key_id, key.scopes, key.requests_per_second)
    parts.key_uses.note(caller)
    return caller


async def _visitor(request: Request, parts: Here) -> Tenant:
    token = token_of(request)
    caller = await run_in_threadpool(visitor_of, parts, token) if token else None
    if caller is None:
        raise SignInNeeded
    request.state.caller = caller
    return caller


Visitor = Annotated[Tenant, Depends(_visitor)]


def _holding(scope: Scope) -> Callable[[Tenant], Awaitable[Tenant]]:
    """A dependency: a visitor whose key has this scope."""

    async def held(caller: Visitor) -> Tenant:
        refuse_beyond(caller, [scope])
        return caller

    return held


ReadingVisitor = Annotated[Tenant, Depends(_holding(Scope.READ))]
SubmittingVisitor = Annotated[Tenant, Depends(_holding(Scope.SUBMIT))]
ReplayingVisitor = Annotated[Tenant, Depends(_holding(Scope.REPLAY))]
AdminVisitor = Annotated[Tenant, Depends(_holding(Scope.ADMIN))]
OperatingVisitor = Annotated[Tenant, Depends(_holding(Scope.OPERATE))]
